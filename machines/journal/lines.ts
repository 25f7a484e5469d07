/**
 * The journal is the only interface between running and showing. Each line is one JSON object, and this file has the
 * schema of each. `living`, `ghosts` and `beliefs` are channels with their own sequence and hash chain, so ghosts and
 * beliefs can be removed without a trace. Times of the wall clock are in `clock`, outside the hash.
 */
import { z } from 'zod';
import { ARRIVALS, CLOSINGS, DEPARTURES } from '../rules/facts.ts';
import { VENTINGS } from '../rules/ship/draft.ts';
import { LONGEST_WAIT } from '../rules/ship/orders.ts';
import { TASK_IDS } from '../rules/ship/tasks.ts';
import { DRAWS, VICTORIES, WINNERS } from '../rules/ship/world.ts';
import { mapTerms } from '../rules/weights.ts';
import { matchSchema } from '../setup/match.ts';
import {
  BELIEF_MOMENTS,
  BELIEF_SOURCES,
  BELIEF_TIMES,
  CALL_KINDS,
  COLOURS,
  DEEDS,
  NUDGE_REASONS,
  OUTCOMES,
  PHASES,
  PLACES,
  REQUEST_KINDS,
  ROOMS,
  SYSTEM,
  SYSTEMS,
  TIE_BREAKS,
} from '../types.ts';
import { FORMAT } from '../versions.ts';

export const CHANNELS = ['living', 'ghosts', 'beliefs'] as const;
export type Channel = (typeof CHANNELS)[number];

const seat = z.enum(COLOURS);
const ballot = z.enum([...COLOURS, 'skip']);
const note = z.strictObject({ code: z.string(), text: z.string() });
const count = z.int().nonnegative();

const scratchpads = z.strictObject({
  main_scratch: z.string().optional(),
  meeting_scratch: z.string().optional(),
});

/** A parsed reply. Omitted if it equals the received one. */
export const replySchema = z.strictObject({
  internal_thought: z.string(),
  desire_to_speak: z.number(),
  message: z.string(),
  target: seat.nullable(),
  vote_action: ballot.nullable(),
  scratchpad_updates: scratchpads,
});
export type ReplyFields = z.infer<typeof replySchema>;

const answerFields = {
  seat,
  received: z.unknown().optional(),
  notes: z.array(note).optional(),
  fault: z.string().optional(),
  text: z.string().optional(),
};

const bid = z.strictObject({ ...answerFields, parsed: replySchema.optional() });
export type BidFields = z.infer<typeof bid>;

/** Terms that are 0 and flags that are false are omitted. */
const score = z.strictObject({
  seat,
  ...mapTerms(() => z.number().default(0)),
  total: z.number(),
  silentTicks: count.default(0),
  hasVoted: z.boolean().default(false),
  calledOn: z.boolean().default(false),
  eligible: z.boolean().default(false),
});

const utterance = z.strictObject({
  speaker: z.enum([...COLOURS, SYSTEM]),
  target: seat.optional(),
  message: z.string(),
  tick: count,
});
const hit = z.strictObject({
  seat,
  kind: z.enum(['mention', 'accusation']),
  word: z.string(),
  reason: z.string(),
});

const place = z.enum(PLACES);
const room = z.enum(ROOMS);
const system = z.enum(SYSTEMS);
const task = z.enum(TASK_IDS);

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
  z.strictObject({ type: z.literal('watch'), what: z.enum(['cameras', 'admin']), rounds: stretch }),
]);

/** A parsed decision. Omitted if it equals the received one. */
export const decisionSchema = z.strictObject({
  internal_thought: z.string(),
  action: intentSchema.nullable(),
  scratchpad_updates: scratchpads,
});
export type DecisionFields = z.infer<typeof decisionSchema>;

const order = z.strictObject({ ...answerFields, parsed: decisionSchema.optional() });
export type OrderFields = z.infer<typeof order>;

const faulted = { seat, code: z.string(), streak: count };

const event = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('intent.refused'), seat, intent: intentSchema, note }),
  z.strictObject({ type: z.literal('seat.faulted'), ...faulted }),
  z.strictObject({ type: z.literal('seat.departed'), seat, reason: z.enum(DEPARTURES) }),
  z.strictObject({ type: z.literal('player.killed'), by: seat, victim: seat, place }),
  z.strictObject({ type: z.literal('vent.used'), seat, how: z.enum(VENTINGS), vent: count, place }),
  z.strictObject({ type: z.literal('sabotage.begun'), by: seat, system }),
  z.strictObject({ type: z.literal('sabotage.fixed'), by: z.array(seat), system }),
  z.strictObject({ type: z.literal('keypad.entered'), seat, at: room }),
  z.strictObject({ type: z.literal('doors.shut'), by: seat, room }),
  z.strictObject({ type: z.literal('doors.opened'), room }),
  z.strictObject({ type: z.literal('task.stepped'), seat, task, steps: count, done: z.boolean() }),
]);
export type EventFields = z.infer<typeof event>;

const sight = z.tuple([seat, place, z.enum(DEEDS)]);

function linesOf<const C extends Channel>(channel: C) {
  return <const T extends string, F extends z.ZodRawShape>(type: T, fields: F) =>
    z.strictObject({
      seq: count,
      hash: z.string(),
      clock: z.record(z.string(), z.unknown()).optional(),
      channel: z.literal(channel),
      type: z.literal(type),
      ...fields,
    });
}

const [living, ghosts, beliefs] = [linesOf('living'), linesOf('ghosts'), linesOf('beliefs')];

const consolidated = { seat, main: z.string().nullable(), line: z.string().nullable() };
const result = { outcome: z.enum(OUTCOMES), ejected: seat.nullable() };

const livingLines = [
  living('match.opened', {
    format: z.literal(FORMAT),
    /** The version of the rules. Their defaults fill in the options that the match omits. */
    rulesVersion: z.int().min(1),
    seed: count,
    match: matchSchema,
  }),
  living('round.closed', {
    round: count,
    orders: z.array(order),
    events: z.array(event),
    /** Places that each player entered, in order. */
    paths: z.partialRecord(seat, z.array(place)),
    /** Deeds at the end of the round, without players who pass or are in a vent. */
    deeds: z.partialRecord(seat, z.enum(DEEDS)),
    /** Sights of others, by living player. */
    seen: z.partialRecord(seat, z.array(sight)),
  }),
  living('end.requested', { reason: z.enum(['interrupted', 'unfinished']) }),
  living('game.closed', {
    winner: z.enum(WINNERS).nullable(),
    reason: z.enum([...VICTORIES, ...DRAWS]),
  }),
  living('meeting.called', {
    by: seat,
    kind: z.enum(CALL_KINDS),
    body: seat.nullable(),
    place: z.string().nullable(),
  }),
  living('meeting.refused', { note }),
  living('phase.entered', { phase: z.enum(PHASES) }),
  living('tick.closed', {
    tick: count,
    requestKind: z.enum(REQUEST_KINDS),
    bids: z.array(bid),
    scores: z.array(score),
    floor: seat.nullable(),
    tie: z.enum(TIE_BREAKS).nullable(),
    /** Only if a draw settled a tie. */
    draws: z.partialRecord(seat, z.number()).optional(),
    said: utterance.nullable(),
    hits: z.array(hit),
    nudge: z.enum(NUDGE_REASONS).nullable(),
  }),
  living('vote.locked', { seat, ballot }),
  living('vote.refused', { seat, vote: ballot, note }),
  living('vote.cleared', { seat, leaver: seat }),
  living('seat.faulted', faulted),
  living('seat.departed', {
    seat,
    reason: z.enum(DEPARTURES),
    /** When it arrived from outside. Null if a bid caused it. */
    during: z.enum(ARRIVALS).nullable(),
  }),
  living('scratchpads.updated', {
    seat,
    main: z.string().optional(),
    meeting: z.string().optional(),
  }),
  living('poll.closed', { reason: z.enum(CLOSINGS), missed: z.array(seat), void: z.array(seat) }),
  living('poll.counted', {
    ...result,
    counts: z.array(z.strictObject({ candidate: ballot, votes: count })),
  }),
  living('ballot.revealed', {
    index: count,
    by: seat,
    voter: seat.nullable(),
    ballot,
    void: z.boolean(),
  }),
  living('verdict.announced', { ...result, sentence: z.string() }),
  living('scratchpads.consolidated', consolidated),
  living('scratchpads.erased', {}),
  living('stop.requested', { outcome: z.enum(OUTCOMES), during: z.enum(ARRIVALS) }),
  living('meeting.closed', result),
] as const;

const ghostLines = [
  ghosts('gallery.opened', {
    present: z.boolean(),
    budget: count,
    minds: z.partialRecord(seat, z.unknown()),
  }),
  ghosts('ghost.joined', { seat }),
  ghosts('turn.closed', {
    turn: count,
    requestKind: z.enum(REQUEST_KINDS),
    bids: z.array(bid),
    said: z.strictObject({ speaker: seat, message: z.string() }).nullable(),
  }),
  ghosts('scratchpads.consolidated', consolidated),
  ghosts('scratchpads.erased', {}),
  ghosts('gallery.closed', { turns: count }),
] as const;

const beliefLines = [
  beliefs('beliefs.opened', {
    times: z.enum(BELIEF_TIMES),
    /** The version of the request and of the offline minds' answers. */
    version: z.int().min(1),
  }),
  beliefs('belief.stated', {
    /** From 1. */
    meeting: z.int().min(1),
    moment: z.enum(BELIEF_MOMENTS),
    /** The tick after which the request was sent. Only if the moment is a tick. */
    tick: count.optional(),
    seat,
    source: z.enum(BELIEF_SOURCES),
    /** The players that the request asks about, in the order of the seats. */
    about: z.array(seat),
    probabilities: z.partialRecord(seat, z.number().min(0).max(1)),
    /** The reason for each missing probability, by seat. */
    missing: z.partialRecord(seat, z.string()).optional(),
    /** Only if it differs from the parsed answer. */
    received: z.unknown().optional(),
    /** The code of a failed request. */
    fault: z.string().optional(),
    text: z.string().optional(),
  }),
] as const;

export const lineSchema = z.discriminatedUnion('channel', [
  z.discriminatedUnion('type', livingLines),
  z.discriminatedUnion('type', ghostLines),
  z.discriminatedUnion('type', beliefLines),
]);
export type Line = z.infer<typeof lineSchema>;
export type LivingLine = Extract<Line, { channel: 'living' }>;
export type GhostLine = Extract<Line, { channel: 'ghosts' }>;
export type BeliefLine = Extract<Line, { channel: 'beliefs' }>;
export type LineOf<T extends Line['type']> = Extract<Line, { type: T }>;
