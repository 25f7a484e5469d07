/**
 * League files: who plays, by which rules, how many games, and from which seed.
 *
 * What a file says of the games is settled when the league begins; only what they may cost can be changed afterwards.
 */

import { z } from 'zod';
import { FEWEST_SEATS, MOST_SEATS } from '../../machines/rules/options.ts';
import { optionsSchema } from '../../machines/setup/options.ts';
import { type Note, RULE_SETS } from '../../machines/types.ts';
import { type FileKind, readConfig } from '../engine/configFile.ts';
import { isRemote } from '../minds/kinds.ts';
import { entrySchema, name } from './entry.ts';

const MOST_GAMES = 100_000;
const MOST_PERSONAS = 500;

const limit = z.number().positive();
const MOST_CONCURRENCY = 1000;
const MOST_PER_MINUTE = 1_000_000;
/** Requests under way to one model where nobody says anything. */
const CONCURRENCY = 8;

const budgetSchema = z.strictObject({
  calls: limit.optional(),
  tokens: limit.optional(),
  dollars: limit.optional(),
  minutes: limit.optional(),
});

const limitsSchema = z.strictObject({
  concurrency: z
    .int()
    .min(1)
    .max(MOST_CONCURRENCY)
    .default(CONCURRENCY)
    .describe('Requests under way to one model at once'),
  per_minute: z
    .int()
    .min(1)
    .max(MOST_PER_MINUTE)
    .optional()
    .describe('Requests to one model that begin within a minute'),
});

export const leagueSchema = z.strictObject({
  name: name.describe('What its results are kept under'),
  about: z.string().max(2000).default(''),
  seed: z.int().nonnegative().default(1),
  games: z.int().min(1).max(MOST_GAMES),
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
  learning: z.boolean().default(true).describe('Whether anybody learns from game to game'),
  budget: budgetSchema.default({}).describe('What models may cost in all games together'),
  limits: limitsSchema
    .default({ concurrency: CONCURRENCY })
    .describe('How many requests a model gets, from all workers together'),
  compare: z
    .array(z.tuple([name, name]))
    .max(50)
    .default([])
    .describe('Pairs of personas to be held against each other'),
  personas: z.array(entrySchema).min(1).max(MOST_PERSONAS),
});
export type LeagueFile = z.output<typeof leagueSchema>;

const LEAGUE: FileKind<LeagueFile> = {
  schema: leagueSchema,
  area: 'league',
  noun: 'league',
  keys: 'name, games and personas',
};

export type LeagueReading =
  | { readonly ok: true; readonly league: LeagueFile }
  | { readonly ok: false; readonly notes: readonly Note[] };

/** Reads the text of a league file, and whether it makes sense. */
export function readLeague(text: string): LeagueReading {
  const reading = readConfig(LEAGUE, text);
  if (!reading.ok) return reading;
  const notes = contradictions(reading.value);
  return notes.length > 0 ? { ok: false, notes } : { ok: true, league: reading.value };
}

function contradictions({ personas, compare, seating }: LeagueFile): readonly Note[] {
  const notes: Note[] = [];
  const say = (code: string, text: string) => void notes.push({ code: `league/${code}`, text });
  const names = personas.map((one) => one.name);
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined)
    say('same-name', `personas: two of them are called ${JSON.stringify(twice)}`);
  for (const { name: who, mind, model } of personas) {
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
      `compare: nobody is called ${JSON.stringify(who)} (personas: ${names.join(', ')})`,
    );
  }
  const again = compared.find((who, index) => compared.indexOf(who) !== index);
  if (again !== undefined)
    say('compared-twice', `compare: ${JSON.stringify(again)} is in more than one pair`);
  if (seating === 'sides' && personas.length < 2) {
    say('no-opponent', 'seating: sides wants two personas at least, found one');
  }
  return notes;
}
