/** Facts of every type for properties: those that reading a line gives back as they were, and any that a type allows. */

import fc from 'fast-check';
import {
  ARRIVALS,
  CLOSINGS,
  DEPARTURES,
  type Fact,
  type GhostFact,
  type TickDecision,
} from '../../../machines/rules/facts.ts';
import { mapSeats } from '../../../machines/rules/seats.ts';
import { type RoundEvent, VENTINGS } from '../../../machines/rules/ship/draft.ts';
import type { GameFact } from '../../../machines/rules/ship/game.ts';
import { type Intent, LONGEST_WAIT, type Order } from '../../../machines/rules/ship/orders.ts';
import { TASK_IDS } from '../../../machines/rules/ship/tasks.ts';
import { VICTORIES, WINNERS } from '../../../machines/rules/ship/world.ts';
import { mapTerms } from '../../../machines/rules/weights.ts';
import {
  type Bid,
  type BySeat,
  CALL_KINDS,
  COLOURS,
  type Colour,
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
} from '../../../machines/types.ts';
import { readOrder } from '../../../prompts/order.ts';
import { readReply } from '../../../prompts/reply.ts';

export const text = fc.string({ maxLength: 12 });
export const colour = fc.constantFrom(...COLOURS);
export const note = fc.record({ code: fc.constant('vote/locked'), text });
const count = fc.nat(40);
const scratchpads = fc.record(
  { main_scratch: text, meeting_scratch: text },
  { requiredKeys: [], noNullPrototype: true },
);

/** A mind's reply: the whole form, a part of it with wrong types, or anything. */
const reply = fc.oneof(
  fc.record({
    internal_thought: text,
    desire_to_speak: fc.oneof(fc.nat(10), fc.double({ noNaN: true, min: -3, max: 13 })),
    message: text,
    target: fc.option(colour),
    vote_action: fc.option(fc.oneof(colour, fc.constant('skip'), fc.constant('nobody'))),
    scratchpad_updates: scratchpads,
  }),
  fc.record({ message: text, desire_to_speak: fc.oneof(text, fc.nat(9)) }, { requiredKeys: [] }),
  fc.jsonValue(),
);
const order = fc.oneof(
  fc.record({
    internal_thought: text,
    action: fc.option(
      fc.oneof(
        fc.record({ type: fc.constant('go'), to: fc.constantFrom(...PLACES) }),
        fc.record({ type: fc.constant('wait'), rounds: fc.integer({ min: -2, max: 30 }) }),
        fc.record({ type: fc.constant('kill'), whom: colour }),
      ),
    ),
    scratchpad_updates: scratchpads,
  }),
  fc.jsonValue(),
);
/** JSON as a file has it. */
const received = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

/** The bid that the engine makes of a reply. */
function bidFor(seat: Colour, sent: unknown): Bid {
  const read = readReply(sent);
  return read.ok
    ? { type: 'reply', seat, received: sent, reply: read.reply }
    : { type: 'fault', seat, code: read.code, text: read.text, received: sent };
}

function orderFor(seat: Colour, sent: unknown): Order {
  const read = readOrder(sent);
  return read.ok
    ? { type: 'order', seat, received: sent, decision: read.decision }
    : { type: 'fault', seat, code: read.code, text: read.text, received: sent };
}

const fault = colour.map(
  (seat): Extract<Bid, { type: 'fault' }> => ({
    type: 'fault',
    seat,
    code: 'mind/late',
    text: 'no answer',
  }),
);
const bid: fc.Arbitrary<Bid> = fc.oneof(
  fault,
  fc.tuple(colour, reply.map(received)).map(([seat, sent]) => bidFor(seat, sent)),
);
const someOrder: fc.Arbitrary<Order> = fc.oneof(
  fault,
  fc.tuple(colour, order.map(received)).map(([seat, sent]) => orderFor(seat, sent)),
);
const term = fc.integer({ min: -5, max: 40 });
const score = fc.record({
  ...{ seat: colour, ...mapTerms(() => term), total: term, silentTicks: count },
  ...{ hasVoted: fc.boolean(), calledOn: fc.boolean(), eligible: fc.boolean() },
});
const places = fc.array(fc.constantFrom(...PLACES), { maxLength: 3 });
/** One value for some seats. */
const bySeat = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<BySeat<T>> =>
  fc
    .uniqueArray(fc.tuple(colour, value), { selector: ([seat]) => seat, maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));

/** Text of any kind: what wants escaping, and halves of characters, among it. */
const anyText = fc.oneof(
  text,
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ maxLength: 80 }),
  fc.constantFrom('', '"', '\\', '\n', '\u2028', '\ud800', '’', '<', '\u007f', '\u001f'),
);
const anyNote = fc.record({ code: anyText, text: anyText });
const someone = fc.option(colour);
const ballot = fc.oneof(colour, fc.constant('skip' as const));
const room = fc.constantFrom(...ROOMS);
const task = fc.constantFrom(...TASK_IDS);
const place = fc.constantFrom(...PLACES);
const system = fc.constantFrom(...SYSTEMS);
const rounds = fc.integer({ min: 1, max: LONGEST_WAIT });
const outcome = fc.constantFrom(...OUTCOMES);

type ByType<U extends { readonly type: string }> = {
  readonly [T in U['type']]: Extract<U, { readonly type: T }>;
};
type Fields<V> = { readonly [F in Exclude<keyof V, 'type'>]: fc.Arbitrary<V[F]> };

/** Values of each type from the arbitraries of their fields. The compiler says which one is missing. */
function byType<U extends { readonly type: string }>(
  fields: { readonly [T in keyof ByType<U>]: Fields<ByType<U>[T]> },
): { readonly [T in keyof ByType<U>]: fc.Arbitrary<ByType<U>[T]> } {
  const entries = Object.entries<object>(fields).map(([type, parts]) => [
    type,
    fc.record({ type: fc.constant(type), ...parts }),
  ]);
  return Object.fromEntries(entries);
}

const INTENTS_OF = byType<Intent>({
  wait: { rounds },
  go: { to: place },
  follow: { whom: colour, rounds },
  task: { task },
  fake: { task },
  kill: { whom: colour },
  vent: { to: count },
  surface: {},
  sabotage: { system },
  shut: { room },
  fix: { at: room },
  report: { body: colour },
  button: {},
  watch: { what: fc.constantFrom('cameras' as const, 'admin' as const), rounds },
});
export const intent: fc.Arbitrary<Intent> = fc.oneof(...Object.values(INTENTS_OF));

const EVENTS_OF = byType<RoundEvent>({
  'intent.refused': { seat: colour, intent, note: anyNote },
  'seat.faulted': { seat: colour, code: anyText, streak: count },
  'seat.departed': { seat: colour, reason: fc.constantFrom(...DEPARTURES) },
  'player.killed': { by: colour, victim: colour, place },
  'vent.used': { seat: colour, how: fc.constantFrom(...VENTINGS), vent: count, place },
  'sabotage.begun': { by: colour, system },
  'sabotage.fixed': { by: fc.array(colour), system },
  'keypad.entered': { seat: colour, at: room },
  'doors.shut': { by: colour, room },
  'doors.opened': { room },
  'task.stepped': { seat: colour, task, steps: count, done: fc.boolean() },
});

const pads = fc.record({ main: anyText, meeting: anyText }, { requiredKeys: [] });
/** A value of the wire form, and its reading. */
const wirePads = fc.record(
  { main_scratch: anyText, meeting_scratch: anyText },
  { requiredKeys: [], noNullPrototype: true },
);
/** A bid with any received value, independent of its reading. */
const anyBid: fc.Arbitrary<Bid> = fc.oneof(
  bid,
  fc.record({
    type: fc.constant('reply' as const),
    seat: colour,
    received: fc.oneof(fc.jsonValue(), fc.constant(undefined)),
    reply: fc.record({
      thought: anyText,
      desire: fc.nat(10),
      message: anyText,
      target: someone,
      vote: fc.option(ballot),
      pads,
      notes: fc.array(anyNote, { maxLength: 2 }),
    }),
  }),
  fc
    .record({
      seat: colour,
      internal_thought: anyText,
      desire_to_speak: fc.nat(10),
      message: anyText,
      target: someone,
      vote_action: fc.option(ballot),
      scratchpad_updates: wirePads,
    })
    .map(({ seat, ...sent }): Bid => bidFor(seat, sent)),
  fc.record(
    {
      type: fc.constant('fault' as const),
      seat: colour,
      code: anyText,
      text: anyText,
      received: fc.jsonValue(),
    },
    { requiredKeys: ['type', 'seat', 'code', 'text'] },
  ),
);

const anyOrder: fc.Arbitrary<Order> = fc.oneof(
  someOrder,
  fc.record({
    type: fc.constant('order' as const),
    seat: colour,
    received: fc.jsonValue(),
    decision: fc.record({
      thought: anyText,
      intent: fc.option(intent),
      pads,
      notes: fc.array(anyNote, { maxLength: 2 }),
    }),
  }),
  fc
    .record({
      seat: colour,
      internal_thought: anyText,
      action: fc.option(intent),
      scratchpad_updates: wirePads,
    })
    .map(({ seat, ...sent }): Order => orderFor(seat, sent)),
);

const die = fc.record({ face: fc.nat(6), draw: fc.nat() });
const anyDecision: fc.Arbitrary<TickDecision> = fc.record({
  scores: fc.uniqueArray(score, { selector: ({ seat }) => seat, maxLength: 5 }),
  floor: someone,
  tieBreak: fc.option(fc.constantFrom(...TIE_BREAKS)),
  said: fc.option(
    fc.record({
      tick: count,
      speaker: fc.oneof(colour, fc.constant(SYSTEM)),
      target: someone,
      message: anyText,
    }),
  ),
  hits: fc.array(
    fc.record({
      seat: colour,
      kind: fc.constantFrom('mention' as const, 'accusation' as const),
      word: anyText,
      reason: anyText,
    }),
    { maxLength: 3 },
  ),
  nudge: fc.option(fc.constantFrom(...NUDGE_REASONS)),
});
const requestKind = fc.constantFrom(...REQUEST_KINDS);
const anySight = fc.record({ who: colour, place, did: fc.constantFrom(...DEEDS) });
type AnyFact = Fact | GhostFact | GameFact;

/** Facts of each type, whatever their values. */
export const FACTS_OF = {
  ...byType<Exclude<AnyFact, { type: 'game.closed' }>>({
    'meeting.called': {
      call: fc.record({
        by: colour,
        kind: fc.constantFrom(...CALL_KINDS),
        body: someone,
        place: fc.option(place),
        buttonsLeft: count,
        cooldown: count,
        crisis: fc.option(anyText),
      }),
    },
    'meeting.refused': { note: anyNote },
    'phase.entered': { phase: fc.constantFrom(...PHASES) },
    'tick.closed': {
      tick: count,
      requestKind,
      bids: fc.array(anyBid, { maxLength: 4 }),
      dice: bySeat(die),
      decision: fc.option(anyDecision),
    },
    'stop.requested': { outcome, during: fc.constantFrom(...ARRIVALS) },
    'vote.locked': { seat: colour, ballot },
    'vote.refused': { seat: colour, vote: ballot, note: anyNote },
    'vote.cleared': { seat: colour, leaver: colour },
    'seat.faulted': { seat: colour, code: anyText, streak: count },
    'seat.departed': {
      seat: colour,
      reason: fc.constantFrom(...DEPARTURES),
      during: fc.option(fc.constantFrom(...ARRIVALS)),
    },
    'scratchpads.updated': { seat: colour, pads },
    'poll.closed': {
      reason: fc.constantFrom(...CLOSINGS),
      missed: fc.array(colour),
      void: fc.array(colour),
    },
    'poll.counted': {
      counts: fc.array(fc.record({ candidate: ballot, votes: count }), { maxLength: 4 }),
      outcome,
      ejected: someone,
    },
    'ballot.revealed': { index: count, by: colour, voter: someone, ballot, void: fc.boolean() },
    'verdict.announced': { sentence: anyText, outcome, ejected: someone },
    'scratchpads.consolidated': {
      seat: colour,
      main: fc.option(anyText),
      line: fc.option(anyText),
    },
    'scratchpads.erased': {},
    'meeting.closed': { outcome, ejected: someone },
    'ghost.joined': { seat: colour },
    'turn.closed': {
      turn: count,
      requestKind,
      bids: fc.array(anyBid, { maxLength: 4 }),
      dice: bySeat(die),
      said: fc.option(fc.record({ speaker: colour, message: anyText })),
    },
    'gallery.closed': { turns: count },
    'round.closed': {
      round: count,
      orders: fc.array(anyOrder, { maxLength: 4 }),
      events: fc.array(fc.oneof(...Object.values(EVENTS_OF)), { maxLength: 4 }),
      paths: bySeat(places),
      deeds: bySeat(fc.constantFrom(...DEEDS)),
      seen: bySeat(fc.array(anySight, { maxLength: 3 })),
    },
    'end.requested': { reason: fc.constantFrom('interrupted' as const, 'unfinished' as const) },
  }),
  'game.closed': fc.oneof(
    fc.record({
      type: fc.constant('game.closed' as const),
      winner: fc.constantFrom(...WINNERS),
      reason: fc.constantFrom(...VICTORIES),
    }),
    fc.record({
      type: fc.constant('game.closed' as const),
      winner: fc.constant(null),
      reason: fc.constantFrom('interrupted' as const, 'unfinished' as const),
    }),
  ),
};

/* Facts that reading their lines gives back as they were. */

const bids = fc.array(bid, { maxLength: 4 });

export const tick = fc
  .tuple(FACTS_OF['tick.closed'], bids)
  .map(([{ dice: _dice, ...fact }, read]): Fact => {
    const isTalk = fact.requestKind === 'discussion' || fact.requestKind === 'voting';
    const decision = isTalk ? (fact.decision ?? SILENCE) : null;
    const scores = decision?.tieBreak === 'draw' ? decision.scores : [];
    // Only a draw is written with its dice, and the faces are in the scores.
    const dice = scores.map(({ seat, die: face }, draw) => [seat, { face, draw }]);
    return { ...fact, bids: read, dice: Object.fromEntries(dice), decision };
  });

const SILENCE: TickDecision = {
  ...{ scores: [], floor: null, tieBreak: null },
  ...{ said: null, hits: [], nudge: null },
};

export const round = fc
  .tuple(FACTS_OF['round.closed'], fc.array(someOrder, { maxLength: 4 }))
  .map(([fact, orders]): GameFact => {
    const deeds = mapSeats(fact.deeds, (deed) => (deed === 'passing' ? undefined : deed));
    const seen = mapSeats(fact.seen, (sights, seat) => {
      const others = sights.filter(({ who }) => who !== seat);
      return others.length === 0 ? undefined : others;
    });
    return { ...fact, orders, deeds, seen };
  });

export const turn = fc
  .tuple(FACTS_OF['turn.closed'], bids)
  .map(([fact, read]): GhostFact => ({ ...fact, bids: read, dice: {} }));
