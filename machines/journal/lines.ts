/**
 * The journal: the only interface between running and showing.
 *
 * One JSON object a line. `living` and `ghosts` are channels of their own, each with its sequence and its hash chain,
 * so that ghosts can be cut away without a trace. Everything of the wall clock is in `clock`, outside the hash. This
 * file is the vocabulary: what lines there are. How a fact of the engine is put into one is in `wire.ts`.
 */
import { z } from 'zod';
import { CLOSINGS, DEPARTURES, MOMENTS } from '../rules/facts.ts';
import { lobbySchema, scenarioSchema } from '../setup/match.ts';
import {
  COLOURS,
  NUDGE_REASONS,
  OCCASIONS,
  OUTCOMES,
  PHASES,
  SYSTEM,
  TIE_BREAKS,
} from '../types.ts';
import { closingFields, endFields, roundFields } from './roundLines.ts';

/** The format that is written. A reader refuses every other. */
export const FORMAT = 1;

export const CHANNELS = ['living', 'ghosts'] as const;
export type Channel = (typeof CHANNELS)[number];

const seat = z.enum(COLOURS);
const ballot = z.enum([...COLOURS, 'skip']);
const note = z.strictObject({ code: z.string(), text: z.string() });
const count = z.int().nonnegative();

/** A reply as it was read; only there when reading it took more than copying. */
export const readingSchema = z.strictObject({
  internal_thought: z.string(),
  desire_to_speak: z.number(),
  message: z.string(),
  target: seat.nullable(),
  vote_action: ballot.nullable(),
  scratchpad_updates: z.strictObject({
    main_scratch: z.string().optional(),
    meeting_scratch: z.string().optional(),
  }),
});
export type WireReading = z.infer<typeof readingSchema>;

const bid = z.strictObject({
  seat,
  received: z.unknown().optional(),
  reading: readingSchema.optional(),
  notes: z.array(note).optional(),
  fault: z.string().optional(),
  text: z.string().optional(),
});
export type WireBid = z.infer<typeof bid>;

/** Terms that are 0 and flags that are false are left out. */
const score = z.strictObject({
  seat,
  desire: z.number().default(0),
  mention: z.number().default(0),
  accusation: z.number().default(0),
  silence: z.number().default(0),
  die: z.number().default(0),
  recent_speaker: z.number().default(0),
  voted: z.number().default(0),
  total: z.number(),
  silent_ticks: z.number().default(0),
  has_voted: z.boolean().default(false),
  called_on: z.boolean().default(false),
  eligible: z.boolean().default(false),
});
export type WireScore = z.infer<typeof score>;

const utterance = z.strictObject({
  speaker: z.enum([...COLOURS, SYSTEM]),
  target: seat.optional(),
  message: z.string(),
  t: count,
});
const hit = z.strictObject({
  seat,
  kind: z.enum(['mention', 'accusation']),
  word: z.string(),
  reason: z.string(),
});

const place = { seq: count, hash: z.string(), clock: z.record(z.string(), z.unknown()).optional() };
const living = { ...place, channel: z.literal('living') };
const ghosts = { ...place, channel: z.literal('ghosts') };
const kept = { seat, main: z.string().nullable(), line: z.string().nullable() };
const result = { outcome: z.enum(OUTCOMES), ejected: seat.nullable() };

const livingLines = [
  z.strictObject({
    ...living,
    type: z.literal('journal.opened'),
    v: z.literal(FORMAT),
    seed: count,
    meeting: count,
    scenario: scenarioSchema,
  }),
  z.strictObject({
    ...living,
    type: z.literal('game.opened'),
    v: z.literal(FORMAT),
    seed: count,
    lobby: lobbySchema,
  }),
  z.strictObject({ ...living, ...roundFields }),
  z.strictObject({ ...living, ...endFields }),
  z.strictObject({ ...living, ...closingFields }),
  z.strictObject({
    ...living,
    type: z.literal('meeting.called'),
    by: seat,
    kind: z.enum(['body', 'button']),
    body: seat.nullable(),
    place: z.string().nullable(),
  }),
  z.strictObject({ ...living, type: z.literal('meeting.refused'), note }),
  z.strictObject({ ...living, type: z.literal('phase.entered'), phase: z.enum(PHASES) }),
  z.strictObject({
    ...living,
    type: z.literal('tick.closed'),
    tick: count,
    occasion: z.enum(OCCASIONS),
    bids: z.array(bid),
    scores: z.array(score),
    floor: seat.nullable(),
    tie: z.enum(TIE_BREAKS).nullable(),
    /** What the tie was drawn with; only there when a draw settled it. */
    draws: z.partialRecord(seat, z.number()).optional(),
    said: utterance.nullable(),
    hits: z.array(hit),
    nudge: z.enum(NUDGE_REASONS).nullable(),
  }),
  z.strictObject({ ...living, type: z.literal('vote.locked'), seat, ballot }),
  z.strictObject({ ...living, type: z.literal('vote.refused'), seat, vote: ballot, note }),
  z.strictObject({ ...living, type: z.literal('vote.cleared'), seat, leaver: seat }),
  z.strictObject({
    ...living,
    type: z.literal('seat.faulted'),
    seat,
    code: z.string(),
    streak: count,
  }),
  z.strictObject({
    ...living,
    type: z.literal('seat.departed'),
    seat,
    reason: z.enum(DEPARTURES),
    /** When it came from outside: while a tick was open or between ticks; null when it follows from a bid. */
    during: z.enum(MOMENTS).nullable(),
  }),
  z.strictObject({
    ...living,
    type: z.literal('pads.noted'),
    seat,
    main: z.string().optional(),
    meeting: z.string().optional(),
  }),
  z.strictObject({
    ...living,
    type: z.literal('poll.closed'),
    reason: z.enum(CLOSINGS),
    missed: z.array(seat),
    void: z.array(seat),
  }),
  z.strictObject({
    ...living,
    ...result,
    type: z.literal('poll.counted'),
    counts: z.array(z.strictObject({ candidate: ballot, votes: count })),
  }),
  z.strictObject({
    ...living,
    type: z.literal('ballot.turned'),
    index: count,
    by: seat,
    voter: seat.nullable(),
    ballot,
    void: z.boolean(),
  }),
  z.strictObject({ ...living, ...result, type: z.literal('verdict.told'), sentence: z.string() }),
  z.strictObject({ ...living, ...kept, type: z.literal('pads.consolidated') }),
  z.strictObject({ ...living, type: z.literal('pads.erased') }),
  z.strictObject({
    ...living,
    type: z.literal('stop.asked'),
    outcome: z.enum(OUTCOMES),
    during: z.enum(MOMENTS),
  }),
  z.strictObject({ ...living, ...result, type: z.literal('meeting.closed') }),
] as const;

const ghostLines = [
  z.strictObject({
    ...ghosts,
    type: z.literal('gallery.opened'),
    /** Whether the dead watch at all. */
    present: z.boolean(),
    budget: count,
    minds: z.partialRecord(seat, z.unknown()),
  }),
  z.strictObject({ ...ghosts, type: z.literal('ghost.joined'), seat }),
  z.strictObject({
    ...ghosts,
    type: z.literal('turn.closed'),
    turn: count,
    occasion: z.enum(OCCASIONS),
    bids: z.array(bid),
    said: z.strictObject({ speaker: seat, message: z.string() }).nullable(),
  }),
  z.strictObject({ ...ghosts, ...kept, type: z.literal('pads.consolidated') }),
  z.strictObject({ ...ghosts, type: z.literal('pads.erased') }),
  z.strictObject({ ...ghosts, type: z.literal('gallery.closed'), turns: count }),
] as const;

/** Any line of a journal, by channel and type. */
export const lineSchema = z.discriminatedUnion('channel', [
  z.discriminatedUnion('type', livingLines),
  z.discriminatedUnion('type', ghostLines),
]);
export type Line = z.infer<typeof lineSchema>;
export type LivingLine = Extract<Line, { channel: 'living' }>;
export type GhostLine = Extract<Line, { channel: 'ghosts' }>;
export type LineOf<T extends Line['type']> = Extract<Line, { type: T }>;
