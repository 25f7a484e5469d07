/**
 * A result: what came of one game of a league, as it is kept.
 *
 * Results are the truth: records of personas, ratings and tables are counted from them. The same slot played again by
 * the same minds gives the same body; only `clock` belongs to the wall.
 */
import { z } from 'zod';
import { canonical } from '../../machines/journal/canonical.ts';
import { COLOURS, ROLES } from '../../machines/types.ts';

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

export const resultSchema = z.strictObject({
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
export type Result = z.infer<typeof resultSchema>;
export type ResultSeat = Result['seats'][number];

/** How a result is kept: what must be the same when a slot is played again, and what need not. */
export type KeptResult = { readonly body: string; readonly clock: string };

/** Throws when it is none: what has been kept can't be taken back. */
export function keptResult(result: Result): KeptResult {
  const { clock = {}, ...body } = resultSchema.parse(result);
  return { body: canonical(body), clock: canonical(clock) };
}

export function readResult({ body, clock }: KeptResult): Result {
  return resultSchema.parse({ ...JSON.parse(body), clock: JSON.parse(clock) });
}
