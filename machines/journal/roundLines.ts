/**
 * The words of the journal for the action phase: rounds, what players set out to do, and what came of it.
 *
 * The names of intents and events are those of `rules/round/`; a sight is written as [who, place, doing].
 */
import { z } from 'zod';
import { DEPARTURES } from '../rules/facts.ts';
import { VENTINGS } from '../rules/ship/draft.ts';
import { SYSTEMS } from '../rules/ship/map.ts';
import { LONGEST_WAIT } from '../rules/ship/orders.ts';
import { TASK_IDS } from '../rules/ship/tasks.ts';
import { VICTORIES, WINNERS } from '../rules/ship/world.ts';
import { COLOURS, DEEDS, PLACES, ROOMS } from '../types.ts';

const seat = z.enum(COLOURS);
const place = z.enum(PLACES);
const room = z.enum(ROOMS);
const system = z.enum(SYSTEMS);
const task = z.enum(TASK_IDS);
const count = z.int().nonnegative();
const note = z.strictObject({ code: z.string(), text: z.string() });

/** How many rounds something goes on. */
const stretch = z.int().min(1).max(LONGEST_WAIT);

const intentSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('wait'), rounds: stretch }),
  z.strictObject({ type: z.literal('go'), to: place }),
  z.strictObject({ type: z.literal('follow'), whom: seat, rounds: stretch }),
  z.strictObject({ type: z.literal('task'), task }),
  z.strictObject({ type: z.literal('fake'), task }),
  z.strictObject({ type: z.literal('kill'), whom: seat }),
  z.strictObject({ type: z.literal('vent'), to: count }),
  z.strictObject({ type: z.literal('surface') }),
  z.strictObject({ type: z.literal('sabotage'), system }),
  z.strictObject({ type: z.literal('shut'), room }),
  z.strictObject({ type: z.literal('fix'), at: room }),
  z.strictObject({ type: z.literal('report'), body: seat }),
  z.strictObject({ type: z.literal('button') }),
  z.strictObject({
    type: z.literal('watch'),
    what: z.enum(['cameras', 'admin']),
    rounds: stretch,
  }),
]);

/** A decision as it was read; only there when reading it took more than copying. */
export const decisionSchema = z.strictObject({
  internal_thought: z.string(),
  action: intentSchema.nullable(),
  scratchpad_updates: z.strictObject({
    main_scratch: z.string().optional(),
    meeting_scratch: z.string().optional(),
  }),
});
export type WireDecision = z.infer<typeof decisionSchema>;

const order = z.strictObject({
  seat,
  received: z.unknown().optional(),
  reading: decisionSchema.optional(),
  notes: z.array(note).optional(),
  fault: z.string().optional(),
  text: z.string().optional(),
});
export type WireOrderLine = z.infer<typeof order>;

const event = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('intent.refused'), seat, intent: intentSchema, note }),
  z.strictObject({ type: z.literal('seat.faulted'), seat, code: z.string(), streak: count }),
  z.strictObject({ type: z.literal('seat.departed'), seat, reason: z.enum(DEPARTURES) }),
  z.strictObject({ type: z.literal('player.killed'), by: seat, victim: seat, place }),
  z.strictObject({
    type: z.literal('vent.used'),
    seat,
    how: z.enum(VENTINGS),
    vent: count,
    place,
  }),
  z.strictObject({ type: z.literal('sabotage.begun'), by: seat, system }),
  z.strictObject({ type: z.literal('sabotage.mended'), by: z.array(seat), system }),
  z.strictObject({ type: z.literal('keypad.entered'), seat, at: room }),
  z.strictObject({ type: z.literal('doors.shut'), by: seat, room }),
  z.strictObject({ type: z.literal('doors.opened'), room }),
  z.strictObject({ type: z.literal('task.stepped'), seat, task, steps: count, done: z.boolean() }),
]);
export type WireEvent = z.infer<typeof event>;

const sight = z.tuple([seat, place, z.enum(DEEDS)]);

/** The fields of the lines of a game, without their place in the channel. */
export const roundFields = {
  type: z.literal('round.closed'),
  round: count,
  orders: z.array(order),
  events: z.array(event),
  /** Places that each player entered, in order. */
  paths: z.partialRecord(seat, z.array(place)),
  /** What each of those in the open, and not on the way, was doing when the round ended. */
  deeds: z.partialRecord(seat, z.enum(DEEDS)),
  /** What each of the living saw of the others. */
  seen: z.partialRecord(seat, z.array(sight)),
} as const;

export const endFields = {
  type: z.literal('end.asked'),
  reason: z.enum(['interrupted', 'unfinished']),
} as const;

export const closingFields = {
  type: z.literal('game.closed'),
  /** Null when nobody has won. */
  winner: z.enum(WINNERS).nullable(),
  reason: z.enum([...VICTORIES, 'unfinished', 'interrupted']),
} as const;
