/**
 * Encodes facts of the engine as lines of the journal, and decodes them. A line omits score terms that are 0 and flags
 * that are false. It keeps a reply as received, and the parsed reply only if it differs.
 */

import type { Fact, GhostFact } from '../rules/facts.ts';
import type { Score } from '../rules/scoreTerms.ts';
import { mapSeats } from '../rules/seats.ts';
import type { GameFact } from '../rules/ship/game.ts';
import type { Decision, Order } from '../rules/ship/orders.ts';
import { mapTerms } from '../rules/weights.ts';
import { isRecord } from '../text.ts';
import {
  type Bid,
  type Call,
  type Note,
  type PadUpdates,
  PLACES,
  type Reply,
  type Utterance,
} from '../types.ts';
import {
  type BidFields,
  type Channel,
  type DecisionFields,
  decisionSchema,
  type Line,
  type LineOf,
  type OrderFields,
  type ReplyFields,
  replySchema,
} from './lines.ts';

/** The fields of an encoded fact, without `channel`, `seq`, `hash` and `clock`. */
export type LineBody = { readonly type: Line['type'] } & Readonly<Record<string, unknown>>;

export type LinePlace = {
  readonly channel: Channel;
  readonly seq: number;
  readonly hash: string;
  readonly clock?: Readonly<Record<string, unknown>> | undefined;
};

/** The line as a reader gets it, with omitted score terms. Don't change it: it shares its values with the engine. */
export function lineOf(body: LineBody, place: LinePlace): Line;
export function lineOf(body: LineBody, place: LinePlace): object {
  const { scores } = body;
  return Array.isArray(scores)
    ? { ...place, ...body, scores: scores.map((score) => ({ ...NO_TERMS, ...score })) }
    : { ...place, ...body };
}

const NO_TERMS = {
  ...mapTerms(() => 0),
  silentTicks: 0,
  hasVoted: false,
  calledOn: false,
  eligible: false,
};

export function fieldsOf(line: Line): LineBody {
  const { seq: _seq, hash: _hash, clock: _clock, channel: _channel, ...fields } = line;
  return fields;
}

export function encode(fact: Fact | GhostFact | GameFact): LineBody {
  switch (fact.type) {
    case 'round.closed':
      return encodeRound(fact);
    case 'tick.closed':
      return encodeTick(fact);
    case 'turn.closed': {
      const { type, turn, requestKind, bids, said } = fact;
      return { bids: bids.map(encodeAnswer), requestKind, said, turn, type };
    }
    case 'meeting.called': {
      const { by, kind, body, place: where } = fact.call;
      return { body, by, kind, place: where, type: fact.type };
    }
    case 'scratchpads.updated':
      return { ...fact.pads, seat: fact.seat, type: fact.type };
    default:
      return { ...fact };
  }
}

function encodeTick(fact: Extract<Fact, { type: 'tick.closed' }>): LineBody {
  const { type, tick, requestKind, bids, dice, decision } = fact;
  const draws = () => Object.fromEntries(Object.entries(dice).map(([s, { draw }]) => [s, draw]));
  const said = decision?.said ?? null;
  return {
    bids: bids.map(encodeAnswer),
    ...(decision?.tieBreak === 'draw' ? { draws: draws() } : {}),
    floor: decision?.floor ?? null,
    hits: decision?.hits ?? [],
    nudge: decision?.nudge ?? null,
    requestKind,
    said: said === null ? null : encodeUtterance(said),
    scores: decision?.scores.map(encodeScore) ?? [],
    tick,
    tie: decision?.tieBreak ?? null,
    type,
  };
}

function encodeRound(fact: Extract<GameFact, { type: 'round.closed' }>): LineBody {
  const { type, round, orders, events, paths } = fact;
  const deeds = mapSeats(fact.deeds, (deed) => (deed === 'passing' ? undefined : deed));
  const seen = mapSeats(fact.seen, (sights, seat) => {
    const others = sights.filter(({ who }) => who !== seat);
    return others.length === 0 ? undefined : others.map(({ who, place, did }) => [who, place, did]);
  });
  return { deeds, events, orders: orders.map(encodeAnswer), paths, round, seen, type };
}

function encodeAnswer(answer: Bid | Order): object {
  const { seat, received } = answer;
  if (answer.type === 'fault')
    return { fault: answer.code, seat, text: answer.text, ...sent(received) };
  const [{ notes }, parsed] =
    answer.type === 'reply'
      ? [answer.reply, encodeReply(answer.reply)]
      : [answer.decision, encodeDecision(answer.decision)];
  if (notes.length === 0 && isSame(received, parsed)) return { received, seat };
  return { notes, parsed, received, seat };
}

function isSame(one: unknown, other: unknown): boolean {
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isSame(one[name], other[name]))
  );
}

function encodePads(pads: PadUpdates) {
  return {
    ...(pads.main === undefined ? {} : { main_scratch: pads.main }),
    ...(pads.meeting === undefined ? {} : { meeting_scratch: pads.meeting }),
  };
}

/** A line of the transcript in the design's format, with `target` only if a player is addressed. */
export function encodeUtterance({ message, speaker, target, tick }: Utterance) {
  return target === null ? { message, speaker, tick } : { message, speaker, target, tick };
}

export function encodeReply({ thought, desire, message, target, vote, pads }: Reply): ReplyFields {
  return {
    desire_to_speak: desire,
    internal_thought: thought,
    message,
    scratchpad_updates: encodePads(pads),
    target,
    vote_action: vote,
  };
}

function encodeDecision({ thought, intent, pads }: Decision): DecisionFields {
  return { action: intent, internal_thought: thought, scratchpad_updates: encodePads(pads) };
}

function encodeScore(score: Score): object {
  const { total, ...others } = score;
  const written = Object.entries(others).filter(([, value]) => value !== 0 && value !== false);
  return { ...Object.fromEntries(written), total };
}

/** Parsers of received replies, for lines without a parsed one. */
export type ReplyReaders = {
  readonly readReply: (received: unknown) => Reading<{ readonly reply: Reply }>;
  readonly readOrder: (received: unknown) => Reading<{ readonly decision: Decision }>;
};
type Reading<T> =
  | ({ readonly ok: true } & T)
  | { readonly ok: false; readonly code: string; readonly text: string };

/** Details of a call that its line omits, because no rule uses them during the meeting. */
type CallDetails = Pick<Call, 'buttonsLeft' | 'cooldown' | 'crisis'>;
const NO_DETAILS: CallDetails = { buttonsLeft: 0, cooldown: 0, crisis: null };

/**
 * The fact of a line, which encodes to the same line. Null for headers and beliefs, which no rule reads. It lacks
 * whatever the line omits: dice without a draw, passing players in `deeds`, and players themselves in `seen`.
 */
export function decode(
  line: Line,
  readers: ReplyReaders,
  details = NO_DETAILS,
): Fact | GhostFact | GameFact | null {
  switch (line.type) {
    case 'match.opened':
    case 'gallery.opened':
    case 'beliefs.opened':
    case 'belief.stated':
      return null;
    case 'meeting.called': {
      const { type, by, kind, body } = line;
      const place = PLACES.find((one) => one === line.place) ?? null;
      return { type, call: { ...details, by, kind, body, place } };
    }
    case 'tick.closed':
      return decodeTick(line, readers);
    case 'turn.closed': {
      const { type, turn, requestKind, said } = line;
      const bids = line.bids.map((bid) => decodeBid(bid, readers));
      return { type, turn, requestKind, bids, dice: {}, said };
    }
    case 'round.closed':
      return decodeRound(line, readers);
    case 'game.closed':
      return decodeEnding(line);
    case 'scratchpads.updated': {
      const { type, seat, main, meeting } = line;
      return { type, seat, pads: decodePads({ main_scratch: main, meeting_scratch: meeting }) };
    }
    default: {
      const { channel: _channel, seq: _seq, hash: _hash, clock: _clock, ...fact } = line;
      return fact;
    }
  }
}

function decodeTick(
  line: LineOf<'tick.closed'>,
  readers: ReplyReaders,
): Extract<Fact, { type: 'tick.closed' }> {
  const { type, tick, requestKind, scores, draws = {}, floor, tie, said, hits, nudge } = line;
  const dice = mapSeats(draws, (draw, seat) => ({
    face: scores.find((score) => score.seat === seat)?.die ?? 0,
    draw,
  }));
  const bids = line.bids.map((bid) => decodeBid(bid, readers));
  const isTalk = requestKind === 'discussion' || requestKind === 'voting';
  const heard = said === null ? null : { ...said, target: said.target ?? null };
  const decision = { scores, floor, tieBreak: tie, said: heard, hits, nudge };
  return { type, tick, requestKind, bids, dice, decision: isTalk ? decision : null };
}

export function decodeBid(
  { seat, received, parsed, notes = [], fault, text = '' }: BidFields,
  { readReply }: Pick<ReplyReaders, 'readReply'>,
): Bid {
  if (fault !== undefined) return { type: 'fault', seat, code: fault, text, ...sent(received) };
  if (parsed !== undefined) return { type: 'reply', seat, received, reply: toReply(parsed, notes) };
  const read = readReply(received);
  if (read.ok) return { type: 'reply', seat, received, reply: read.reply };
  return { type: 'fault', seat, code: read.code, text: read.text, received };
}

export function decodeOrder(
  { seat, received, parsed, notes = [], fault, text = '' }: OrderFields,
  { readOrder }: Pick<ReplyReaders, 'readOrder'>,
): Order {
  if (fault !== undefined) return { type: 'fault', seat, code: fault, text, ...sent(received) };
  if (parsed !== undefined)
    return { type: 'order', seat, received, decision: toDecision(parsed, notes) };
  const read = readOrder(received);
  if (read.ok) return { type: 'order', seat, received, decision: read.decision };
  return { type: 'fault', seat, code: read.code, text: read.text, received };
}

/** Readers without a parser: a line omits `parsed` only if the received value has exactly its fields. */
export const PLAIN_READERS: ReplyReaders = {
  readReply: (received) => {
    const read = replySchema.safeParse(received);
    return read.success ? { ok: true, reply: toReply(read.data, []) } : UNREAD;
  },
  readOrder: (received) => {
    const read = decisionSchema.safeParse(received);
    return read.success ? { ok: true, decision: toDecision(read.data, []) } : UNREAD;
  },
};
const UNREAD = { ok: false, code: 'reply/unread', text: 'expected a parsed reply' } as const;

function toReply(
  {
    internal_thought: thought,
    desire_to_speak: desire,
    message,
    target,
    vote_action: vote,
    scratchpad_updates: pads,
  }: ReplyFields,
  notes: readonly Note[],
): Reply {
  return { thought, desire, message, target, vote, pads: decodePads(pads), notes };
}

function toDecision(
  { internal_thought: thought, action: intent, scratchpad_updates: pads }: DecisionFields,
  notes: readonly Note[],
): Decision {
  return { thought, intent, pads: decodePads(pads), notes };
}

function sent(received: unknown): { readonly received?: unknown } {
  return received === undefined ? {} : { received };
}

function decodePads({
  main_scratch: main,
  meeting_scratch: meeting,
}: ReplyFields['scratchpad_updates']): PadUpdates {
  return { ...(main === undefined ? {} : { main }), ...(meeting === undefined ? {} : { meeting }) };
}

function decodeRound(
  line: LineOf<'round.closed'>,
  readers: ReplyReaders,
): Extract<GameFact, { type: 'round.closed' }> {
  const { type, round, events } = line;
  return {
    type,
    round,
    orders: line.orders.map((order) => decodeOrder(order, readers)),
    events,
    paths: mapSeats(line.paths, (path) => path),
    deeds: mapSeats(line.deeds, (deed) => deed),
    seen: mapSeats(line.seen, (sights) => sights.map(([who, place, did]) => ({ who, place, did }))),
  };
}

/** Null if winner and reason contradict each other. No engine writes such a line. */
function decodeEnding({ type, winner, reason }: LineOf<'game.closed'>): GameFact | null {
  const isDraw = reason === 'unfinished' || reason === 'interrupted' || reason === 'faults';
  if (winner === null) return isDraw ? { type, winner, reason } : null;
  return isDraw ? null : { type, winner, reason };
}
