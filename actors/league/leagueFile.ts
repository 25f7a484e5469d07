/** League files. The games are settled when the league begins; only the budget and the limits can change afterwards. */

import { z } from 'zod';
import { isRemote, LEARNING_KINDS } from '../../machines/rules/mindKinds.ts';
import { FEWEST_SEATS, MOST_SEATS } from '../../machines/rules/optionRows.ts';
import { modelFields, ownMindFields } from '../../machines/setup/match.ts';
import { optionsSchema } from '../../machines/setup/options.ts';
import {
  LEVELS,
  LONGEST_LESSON,
  MOST_LESSONS,
  type Note,
  RULE_SETS,
  TEMPERAMENTS,
} from '../../machines/types.ts';
import { type PersonaFile, personaFileSchema } from '../../prompts/personas.ts';
import { type FileKind, type FileReading, readConfig } from '../engine/configFile.ts';
import { findOwnMindProblem } from '../minds/own/ownMinds.ts';

const nameSchema = z.string().min(1).max(80);

export const entrySchema = z.strictObject({
  name: nameSchema.describe('A persona that comes with the project, or one of your own'),
  file: z
    .string()
    .max(500)
    .regex(/\.ya?ml$/, 'expected a file whose name ends in .yaml')
    .optional()
    .describe('A persona file, seen from this one; what is written here goes before it'),
  mind: z.enum(LEARNING_KINDS).default('scripted').describe('Who thinks for it'),
  ...modelFields,
  ...ownMindFields,
  temperament: z.enum(TEMPERAMENTS).optional().describe('How its offline mind plays'),
  level: z.enum(LEVELS).optional().describe('How much strategy advice the model gets'),
  character: z.string().min(1).max(600).optional(),
  voice: z.string().min(1).max(300).optional(),
  learned: z
    .array(z.string().min(1).max(LONGEST_LESSON))
    .max(MOST_LESSONS)
    .default([])
    .describe('What it knows before its first game'),
  learns: z.boolean().default(true).describe('Whether it keeps a memory from game to game'),
});

export type LeagueEntry = z.output<typeof entrySchema>;

const limit = z.number().positive();

const CONCURRENCY = 8;

const budgetSchema = z.strictObject({
  calls: limit.optional(),
  tokens: limit.optional(),
  dollars: limit.optional(),
  minutes: limit.optional(),
});

const waitSchema = z.int().min(1000).max(86_400_000).optional();

const limitsSchema = z.strictObject({
  concurrency: z
    .int()
    .min(1)
    .max(1000)
    .default(CONCURRENCY)
    .describe('Requests under way to one model at once'),
  per_minute: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Requests to one model that begin within a minute'),
  max_tick_ms: waitSchema.describe(
    'Longest wait for an answer in milliseconds, after which the game pauses; without it five minutes',
  ),
  wait_for_model_ms: waitSchema.describe(
    'Longest wait for a model that loads or asks for a rest, in milliseconds; without it ten minutes',
  ),
});

export const leagueSchema = z.strictObject({
  name: nameSchema.describe('What its results are kept under'),
  about: z.string().max(2000).default(''),
  seed: z.int().nonnegative().default(1),
  games: z.int().min(1).max(100_000),
  round: z.int().min(1).max(1000).default(20).describe('Games between two moments of learning'),
  players: z.int().min(FEWEST_SEATS).max(MOST_SEATS).default(8),
  rules: z.enum(RULE_SETS).default('house'),
  options: optionsSchema.omit({ rules: true }).default({}),
  seating: z
    .enum(['mixed', 'sides'])
    .default('mixed')
    .describe('mixed: a table of different personas; sides: one has all impostors, one the crew'),
  mirror: z
    .boolean()
    .default(false)
    .describe('Play each table twice: same seed and seats, personas swapped'),
  learning: z.boolean().default(true).describe('Whether personas learn from game to game'),
  budget: budgetSchema.default({}).describe('What models may cost in all games together'),
  limits: limitsSchema
    .default({ concurrency: CONCURRENCY })
    .describe(
      'How many requests a model gets from all workers together, and how long it is waited for',
    ),
  compare: z
    .array(z.tuple([nameSchema, nameSchema]))
    .max(50)
    .default([])
    .describe('Pairs of personas to be held against each other'),
  personas: z.array(entrySchema).min(1).max(500),
});

export type LeagueFile = z.output<typeof leagueSchema>;

const LEAGUE_FILE: FileKind<LeagueFile> = {
  schema: leagueSchema,
  area: 'league',
  noun: 'league',
  keys: 'name, games and personas',
};

export function readLeague(text: string): FileReading<LeagueFile> {
  const reading = readConfig(LEAGUE_FILE, text);
  const notes = reading.ok ? findContradictions(reading.value) : [];
  return notes.length > 0 ? { ok: false, notes } : reading;
}

export function findContradictions({ personas, compare, seating }: LeagueFile): readonly Note[] {
  const notes: Note[] = [];
  const say = (code: string, text: string) => void notes.push({ code: `league/${code}`, text });
  const names = personas.map((one) => one.name);
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined)
    say('same-name', `personas: two of them are called ${JSON.stringify(twice)}`);
  for (const persona of personas) {
    const { name: who, mind, model } = persona;
    const own = findOwnMindProblem(JSON.stringify(who), persona);
    if (own !== null) say('incomplete-mind', `personas: ${own.text}`);
    if (!isRemote({ mind }) || model !== undefined) continue;
    say(
      'no-model',
      `personas: ${JSON.stringify(who)} has mind openai and wants the name of a model`,
    );
  }
  const compared = compare.flat();
  for (const who of compared) {
    if (names.includes(who)) continue;
    say(
      'no-such-persona',
      `compare: there is no persona ${JSON.stringify(who)} (personas: ${names.join(', ')})`,
    );
  }
  const again = compared.find((who, index) => compared.indexOf(who) !== index);
  if (again !== undefined)
    say('compared-twice', `compare: ${JSON.stringify(again)} is in more than one pair`);
  if (seating === 'sides' && personas.length < 2)
    say('no-opponent', 'seating: sides wants two personas at least, found one');
  return notes;
}

const PERSONA_FILE: FileKind<PersonaFile> = {
  schema: personaFileSchema,
  area: 'persona',
  noun: 'persona',
  keys: 'name, temperament, character and voice',
};

/** A league's values from a persona file. The league itself names its records. */
export type Character = Omit<PersonaFile, 'name' | 'version'>;

export function readPersona(text: string): FileReading<Character> {
  const reading = readConfig(PERSONA_FILE, text);
  if (!reading.ok) return reading;
  const { name: _name, version: _version, ...value } = reading.value;
  return { ok: true, value };
}
