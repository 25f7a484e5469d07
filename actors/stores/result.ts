/**
 * A result: what came of one game of a league, as it is kept.
 *
 * Results are the truth: records of personas, ratings and tables are counted from them. The same slot played again by
 * the same minds gives the same body; only `clock` belongs to the wall.
 */
import { z } from 'zod';
import { canonical } from '../../machines/journal/canonical.ts';
import { COLOURS, ROLES } from '../../machines/types.ts';
import { type PersonaMemory, type PersonaName, personaId } from './persona.ts';

const count = z.int().nonnegative();

const lessonsSchema = z.array(z.string());

const seatSchema = z.strictObject({
  colour: z.enum(COLOURS),
  role: z.enum(ROLES),
  model: z.string(),
  persona: z.string().describe('The name of the persona, without the model'),
  won: z.boolean(),
  /** What happened to them, counted: whole numbers by name. */
  tally: z.record(z.string(), z.int()),
  /** Version of the memory that was played with. */
  memory: count,
  /** All that the persona wants to keep after the game; null where nobody reflected. */
  learned: lessonsSchema.nullable(),
});

const resultSchema = z.strictObject({
  v: z.literal(1),
  league: z.string(),
  /** The place of the game in the schedule, from 0. */
  slot: count,
  game: z.string().describe('The id of the game: of its slot in this very schedule'),
  seed: count,
  winner: z.enum(['crew', 'impostors']).nullable(),
  reason: z.string(),
  rounds: count,
  meetings: count,
  seats: z.array(seatSchema),
  /** Of the wall: milliseconds that it took, attempts that were broken off. */
  clock: z.record(z.string(), z.number()).optional(),
});
export type GameResult = z.infer<typeof resultSchema>;
export type ResultSeat = GameResult['seats'][number];

/** How a result is kept: what must be the same when a slot is played again, and what need not. */
export type StoredResult = { readonly body: string; readonly clock: string };

/** Throws when it is not a valid result: what has been stored can't be taken back. */
export function encodeResult(result: GameResult): StoredResult {
  const { clock = {}, ...body } = resultSchema.parse(result);
  return { body: canonical(body), clock: canonical(clock) };
}

export function decodeResult({ body, clock }: StoredResult): GameResult {
  return resultSchema.parse({ ...JSON.parse(body), clock: JSON.parse(clock) });
}

/*
 * A career: what a persona has done in all games that were recorded, as counters that only ever grow.
 *
 * Rates are never stored: they are computed on demand, so that two games that end at once can't spoil one.
 */

/** How many of these make a dollar: counters are whole numbers, so what models cost is kept in them. */
export const MICRODOLLARS = 1e6;

/** Whole numbers by name. Those of play begin with the role, as in "crewmate.votes_impostor". */
export type Counters = Readonly<Record<string, number>>;

export type Career = { readonly persona: PersonaName; readonly counters: Counters };

/** What one seat of a result adds to the career of its persona. */
function countSeat({ role, won, tally }: ResultSeat): Counters {
  const counters: Record<string, number> = {
    games: 1,
    wins: won ? 1 : 0,
    [`${role}.games`]: 1,
    [`${role}.wins`]: won ? 1 : 0,
  };
  for (const [name, value] of Object.entries(tally)) counters[`${role}.${name}`] = value;
  return counters;
}

export function addCounters(one: Counters, other: Counters): Counters {
  const total: Record<string, number> = { ...one };
  for (const [name, value] of Object.entries(other)) total[name] = (total[name] ?? 0) + value;
  return total;
}

/** What a result adds to each persona that played in it. One that had two seats gets both. */
export function countCareers(result: Pick<GameResult, 'seats'>): ReadonlyMap<string, Career> {
  const careers = new Map<string, Career>();
  for (const seat of result.seats) {
    const persona = { model: seat.model, name: seat.persona };
    const id = personaId(persona);
    const counters = addCounters(careers.get(id)?.counters ?? {}, countSeat(seat));
    careers.set(id, { persona, counters });
  }
  return careers;
}

/** The document of a persona, as the design has it. */
type PersonaDocument = {
  readonly persona_id: string;
  readonly learned: {
    readonly version: number;
    readonly lessons: readonly { readonly text: string; readonly from: string }[];
  };
  readonly games_played: number;
  /** Null where there was no game. */
  readonly win_rate: number | null;
  readonly impostor_win_rate: number | null;
  readonly crewmate_win_rate: number | null;
  readonly stats: Counters;
};

export function describePersona(
  { persona, counters }: Career,
  memory: PersonaMemory,
): PersonaDocument {
  const { version, lessons } = memory;
  const rate = (prefix: string) => {
    const games = counters[`${prefix}games`] ?? 0;
    return games === 0 ? null : (counters[`${prefix}wins`] ?? 0) / games;
  };
  const names = Object.keys(counters).toSorted();
  return {
    persona_id: personaId(persona),
    learned: { version, lessons },
    games_played: counters['games'] ?? 0,
    win_rate: rate(''),
    impostor_win_rate: rate('impostor.'),
    crewmate_win_rate: rate('crewmate.'),
    stats: Object.fromEntries(names.map((name) => [name, counters[name] ?? 0])),
  };
}

export type Recount = Map<string, Career>;

/** Adds a result to a recount. */
export function addToRecount(counted: Recount, result: Pick<GameResult, 'seats'>): void {
  for (const [id, { persona, counters }] of countCareers(result)) {
    counted.set(id, { persona, counters: addCounters(counted.get(id)?.counters ?? {}, counters) });
  }
}

/** Whether two counts are the same; what is not counted is 0. */
export function hasSameCounters(one: Counters, other: Counters): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => (one[name] ?? 0) === (other[name] ?? 0));
}
