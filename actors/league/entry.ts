/** Entries: who plays in a league, as its file says it. */

import { z } from 'zod';
import { LONGEST_LESSON, MOST_LESSONS } from '../../machines/setup/match.ts';
import { LEVELS, TEMPERAMENTS } from '../../machines/types.ts';
import { LEARNING_KINDS } from '../minds/kinds.ts';

/** What personas and leagues may be called. */
export const name = z.string().min(1).max(80);

export const entrySchema = z.strictObject({
  name: name.describe('A persona that comes with the project, or one of your own'),
  file: z
    .string()
    .max(500)
    .regex(/\.ya?ml$/, 'expected a file whose name ends in .yaml')
    .optional()
    .describe('A persona file, seen from this one; what is written here goes before it'),
  mind: z.enum(LEARNING_KINDS).default('scripted').describe('Who thinks for it'),
  model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Name of the model; `mind: openai` wants one'),
  base_url: z.url({ protocol: /^https?$/ }).optional(),
  key: z
    .string()
    .regex(
      /^[A-Za-z_][A-Za-z0-9_]{0,39}$/,
      'expected the name of an environment variable, never a key',
    )
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  extra_body: z.record(z.string(), z.unknown()).optional(),
  temperament: z.enum(TEMPERAMENTS).optional().describe('How its offline mind plays'),
  level: z.enum(LEVELS).optional().describe('How much strategy it is told'),
  character: z.string().min(1).max(600).optional(),
  voice: z.string().min(1).max(300).optional(),
  learned: z
    .array(z.string().min(1).max(LONGEST_LESSON))
    .max(MOST_LESSONS)
    .default([])
    .describe('What it knows before its first game'),
  learns: z.boolean().default(true).describe('Whether it keeps a memory from game to game'),
});
export type Entry = z.output<typeof entrySchema>;
