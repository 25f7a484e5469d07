/**
 * A result of one game of a league. Records of personas, ratings and tables are counted from results. The same slot played
 * again by the same minds gives the same body; only `clock` is wall time.
 */

import { z } from 'zod';
import { canonical } from '../../machines/journal/canonical.ts';
import { parseJson } from '../../machines/text.ts';
import { COLOURS, type Note, ROLES } from '../../machines/types.ts';
import { StoreDamaged } from './errors.ts';
import { type PersonaMemory, type PersonaName, personaId } from './persona.ts';
import { seal, unseal } from './seal.ts';

const count = z.int().nonnegative();

export const seatSchema = z.strictObject({
  colour: z.enum(COLOURS),
  role: z.enum(ROLES),
  model: z.string(),
  persona: z.string().describe('The name of the persona, without the model'),
  won: z.boolean(),
  tally: z.record(z.string(), z.int()),
  /** Version of the memory that was played with. */
  memory: count,
  /** All that the persona wants to keep after the game; null where it did not reflect. */
  learned: z.array(z.string()).nullable(),
});

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const journalSchema = z.strictObject({
  living: sha256.describe('The hash of the last line of the living'),
  ghosts: sha256.describe('The hash of the last line of the ghosts'),
});
export type JournalHashes = z.infer<typeof journalSchema>;

const resultSchema = z.strictObject({
  v: z.literal(2),
  league: z.string(),
  slot: count,
  game: z.string().describe('The id of the game: of its slot in this very schedule'),
  seed: count,
  engine: z.string().describe('The version by which it was played'),
  winner: z.enum(['crew', 'impostors']).nullable(),
  reason: z.string(),
  rounds: count,
  meetings: count,
  seats: z.array(seatSchema),
  journal: journalSchema.nullable().describe('Null where an earlier version recorded it'),
  /** Differs between two runs of the same game with the same replies. */
  clock: z
    .strictObject({
      journal: sha256.describe('The hash of the whole journal, with its times').optional(),
      ms: z.number().optional(),
    })
    .optional(),
});
export type GameResult = z.infer<typeof resultSchema>;
export type ResultSeat = GameResult['seats'][number];

/** The kept form of a result: the part that must be the same when a slot is played again, sealed, and the rest. */
export type StoredResult = { readonly body: string; readonly clock: string };

/** Throws for an invalid result: a stored result is final. */
export function encodeResult(result: GameResult): StoredResult {
  const { clock = {}, ...body } = resultSchema.parse(result);
  const { league, slot } = result;
  return {
    body: seal(['result', league, slot], canonical(body)),
    clock: seal(['clock', league, slot], canonical(clock)),
  };
}

export type ResultDamage = Note & { readonly slot: number };

function readResult(
  { league, slot }: Pick<GameResult, 'league' | 'slot'>,
  { body, clock }: StoredResult,
): GameResult | ResultDamage {
  const text = unseal(['result', league, slot], body);
  const clockText = unseal(['clock', league, slot], clock);
  if (text === null || clockText === null)
    return damage(slot, 'does not fit its hash: it was changed after it was recorded');
  const reading = resultSchema.safeParse({ ...parseObject(text), clock: parseObject(clockText) });
  if (!reading.success) return damage(slot, 'was recorded by another version of this program');
  const isAtHome = reading.data.league === league && reading.data.slot === slot;
  return isAtHome ? reading.data : damage(slot, 'is that of another game');
}

function damage(slot: number, words: string): ResultDamage {
  return { slot, code: 'league/damaged-result', text: `game ${slot + 1}: the result ${words}` };
}

export function parseObject(text: string): object {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? value : {};
}

function isDamage(read: GameResult | ResultDamage): read is ResultDamage {
  return 'code' in read;
}

export function expectResult(
  slot: Pick<GameResult, 'league' | 'slot'>,
  stored: StoredResult,
): GameResult {
  const read = readResult(slot, stored);
  if (!isDamage(read)) return read;
  throw new StoreDamaged(`league ${JSON.stringify(slot.league)}, ${read.text}`);
}

export type ResultAudit = {
  readonly results: readonly GameResult[];
  readonly damages: readonly ResultDamage[];
  /** Missing results; below 0 if there are more than recorded. Null if the recorded number is damaged. */
  readonly missing: number | null;
};

/** `least` and `most` bound how many results the store has counted; null where that is damaged. */
export function auditResults(
  league: string,
  rows: readonly (StoredResult & { readonly slot: number })[],
  { least, most }: { readonly least: number | null; readonly most: number | null },
): ResultAudit {
  const read = rows.map((row) => readResult({ league, slot: row.slot }, row));
  const results = read.filter((one): one is GameResult => !isDamage(one));
  const missing =
    least === null || most === null
      ? null
      : Math.max(0, least - rows.length) + Math.min(0, most - rows.length);
  return {
    results: results.toSorted((one, other) => one.slot - other.slot),
    damages: read.filter(isDamage),
    missing,
  };
}

/** How many of these make a dollar: counters are whole numbers, so what models cost is kept in them. */
export const MICRODOLLARS = 1e6;

/** Whole numbers by name. Those of play begin with the role, as in "crewmate.votes_impostor". */
export type Counters = Readonly<Record<string, number>>;

/** A persona's games as counters that only grow. Rates are computed on demand, so games that end at once can't spoil one. */
export type Career = { readonly persona: PersonaName; readonly counters: Counters };

/** A seat's contribution to its persona's career. A seat of a game without a winner has not lost it. */
function countSeat({ role, won, tally }: ResultSeat, isDecided: boolean): Counters {
  const seat = { seats: 1, wins: won ? 1 : 0, ...(isDecided ? {} : { undecided: 1 }) };
  const counters: Record<string, number> = { ...seat };
  for (const [name, value] of Object.entries(seat)) counters[`${role}.${name}`] = value;
  for (const [name, value] of Object.entries(tally)) counters[`${role}.${name}`] = value;
  return counters;
}

export function addCounters(one: Counters, other: Counters): Counters {
  const total: Record<string, number> = { ...one };
  for (const [name, value] of Object.entries(other)) total[name] = (total[name] ?? 0) + value;
  return total;
}

type CountedResult = Pick<GameResult, 'seats' | 'winner'>;

export function countCareers(result: CountedResult): ReadonlyMap<string, Career> {
  const careers = new Map<string, Career>();
  for (const seat of result.seats) {
    const persona = { model: seat.model, name: seat.persona };
    const id = personaId(persona);
    const before = careers.get(id)?.counters ?? { games: 1 };
    const counters = addCounters(before, countSeat(seat, result.winner !== null));
    careers.set(id, { persona, counters });
  }
  return careers;
}

/** A persona may have several seats in one game. Rates are per seat of a decided game; null if there was none. */
export function describePersona({ persona, counters }: Career, memory: PersonaMemory) {
  const { version, lessons } = memory;
  const rate = (prefix: string) => {
    const seats = (counters[`${prefix}seats`] ?? 0) - (counters[`${prefix}undecided`] ?? 0);
    return seats === 0 ? null : (counters[`${prefix}wins`] ?? 0) / seats;
  };
  const names = Object.keys(counters).toSorted();
  return {
    persona_id: personaId(persona),
    learned: { version, lessons },
    games_played: counters['games'] ?? 0,
    seats_played: counters['seats'] ?? 0,
    win_rate: rate(''),
    impostor_win_rate: rate('impostor.'),
    crewmate_win_rate: rate('crewmate.'),
    stats: Object.fromEntries(names.map((name) => [name, counters[name] ?? 0])),
  };
}

export class Recount extends Map<string, Career> {
  add(result: CountedResult): void {
    for (const [id, { persona, counters }] of countCareers(result))
      this.set(id, { persona, counters: addCounters(this.get(id)?.counters ?? {}, counters) });
  }
}

/** Whether two counts are equal. A missing counter is 0. */
export function hasSameCounters(one: Counters, other: Counters): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => (one[name] ?? 0) === (other[name] ?? 0));
}
