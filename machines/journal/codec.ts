/**
 * How a fact of the engine is put into the words of a journal line.
 *
 * Keys are snake_case and written in order, so that canonical JSON finds them sorted. Terms of a score that are 0 and
 * flags that are false are left out; a reply is kept as it was received, and its reading only where the two differ.
 */

import type { Fact, GhostFact } from '../rules/facts.ts';
import type { GameFact } from '../rules/ship/game.ts';
import type { Decision, Order } from '../rules/ship/orders.ts';
import { type Bid, COLOURS, type PadUpdates, type Reply, type Score } from '../types.ts';
import {
  type Channel,
  type Line,
  readingSchema,
  type WireReading,
  type WireScore,
} from './lines.ts';
import { decisionSchema, type WireDecision } from './roundLines.ts';

/** The fields of a line that a fact becomes, without its place in the channel. */
export type Body = { readonly type: Line['type'] } & Readonly<Record<string, unknown>>;

/** Where a line stands in its channel. */
export type LinePlace = {
  readonly channel: Channel;
  readonly seq: number;
  readonly hash: string;
  readonly clock?: Readonly<Record<string, unknown>> | undefined;
};

/**
 * The line that a fact has become, equal to what the reader gives for its text: terms that were left out are there
 * again. It must not be changed, because it shares its values with the engine.
 */
export function lineOf(body: Body, place: LinePlace): Line;
export function lineOf(body: Body, place: LinePlace): object {
  const { scores } = body;
  return Array.isArray(scores)
    ? { ...place, ...body, scores: scores.map((score) => ({ ...NO_TERMS, ...score })) }
    : { ...place, ...body };
}

const NO_TERMS: Omit<WireScore, 'seat' | 'total'> = {
  desire: 0,
  mention: 0,
  accusation: 0,
  silence: 0,
  die: 0,
  recent_speaker: 0,
  voted: 0,
  silent_ticks: 0,
  has_voted: false,
  called_on: false,
  eligible: false,
};

/** Puts a fact of the living, the ghosts or the ship into the words of the journal. */
export function encode(fact: Fact | GhostFact | GameFact): Body {
  switch (fact.type) {
    case 'round.closed':
      return roundBody(fact);
    case 'tick.closed':
      return tickBody(fact);
    case 'turn.closed': {
      const { type, turn, occasion, bids, said } = fact;
      return { bids: bids.map(wireBid), occasion, said, turn, type };
    }
    case 'meeting.called': {
      const { by, kind, body, place: where } = fact.call;
      return { body, by, kind, place: where, type: fact.type };
    }
    case 'pads.noted':
      return { ...fact.pads, seat: fact.seat, type: fact.type };
    default:
      return { ...fact };
  }
}

function tickBody({
  type,
  tick,
  occasion,
  bids,
  dice,
  verdict,
}: Extract<Fact, { type: 'tick.closed' }>): Body {
  const drawn = verdict?.tieBreak === 'draw';
  const said = verdict?.said ?? null;
  return {
    bids: bids.map(wireBid),
    ...(drawn
      ? { draws: Object.fromEntries(Object.entries(dice).map(([s, { draw }]) => [s, draw])) }
      : {}),
    floor: verdict?.floor ?? null,
    hits: verdict?.hits ?? [],
    nudge: verdict?.nudge ?? null,
    occasion,
    said: said === null ? null : wireUtterance(said),
    scores: verdict?.scores.map(wireScore) ?? [],
    tick,
    tie: verdict?.tieBreak ?? null,
    type,
  };
}

function roundBody(fact: Extract<GameFact, { type: 'round.closed' }>): Body {
  const { type, round, orders, events, paths } = fact;
  const deeds: Record<string, string> = {};
  const seen: Record<string, readonly (readonly string[])[]> = {};
  for (const seat of COLOURS) {
    const deed = fact.deeds[seat];
    if (deed !== undefined && deed !== 'passing') deeds[seat] = deed;
    const others = fact.seen[seat]?.filter(({ who }) => who !== seat) ?? [];
    if (others.length > 0) seen[seat] = others.map(({ who, place, did }) => [who, place, did]);
  }
  return { deeds, events, orders: orders.map(wireOrder), paths, round, seen, type };
}

function wireOrder(order: Order): object {
  const { seat, received } = order;
  if (order.type === 'fault') {
    const what = { fault: order.code, seat, text: order.text };
    return received === undefined ? what : { ...what, received };
  }
  const { decision } = order;
  const { success, data } = decisionSchema.safeParse(received);
  if (decision.notes.length === 0 && success && isAsRead(data, decision)) return { received, seat };
  return { notes: decision.notes, reading: wireDecision(decision), received, seat };
}

function wireDecision({ thought, intent, pads }: Decision): WireDecision {
  return { action: intent, internal_thought: thought, scratchpad_updates: wirePads(pads) };
}

function wirePads(pads: PadUpdates) {
  return {
    ...(pads.main === undefined ? {} : { main_scratch: pads.main }),
    ...(pads.meeting === undefined ? {} : { meeting_scratch: pads.meeting }),
  };
}

/** A line of the transcript in the design's format; `target` is there only when somebody is addressed. */
export function wireUtterance(said: {
  readonly speaker: string;
  readonly target: string | null;
  readonly message: string;
  readonly t: number;
}) {
  const { message, speaker, t, target } = said;
  return target === null ? { message, speaker, t } : { message, speaker, t, target };
}

function wireBid(bid: Bid): object {
  const { seat: by, received } = bid;
  if (bid.type === 'fault') {
    const what = { fault: bid.code, seat: by, text: bid.text };
    return received === undefined ? what : { ...what, received };
  }
  const { reply } = bid;
  if (isPlain(received, reply)) return { received, seat: by };
  return { notes: reply.notes, reading: wireReading(reply), received, seat: by };
}

/** Whether the reading of a reply can be seen in the reply itself. */
function isPlain(received: unknown, reply: Reply): boolean {
  if (typeof received !== 'object' || received === null || reply.notes.length > 0) return false;
  const { success, data } = readingSchema.safeParse(received);
  if (!success || data.message !== reply.message) return false;
  return isAsRead(data, reply);
}

/** Whether thought and notes came clean. */
function isAsRead(
  wire: Pick<WireReading, 'internal_thought' | 'scratchpad_updates'>,
  { thought, pads }: Pick<Reply, 'thought' | 'pads'>,
): boolean {
  const { main_scratch: main, meeting_scratch: meeting } = wire.scratchpad_updates;
  return wire.internal_thought === thought && main === pads.main && meeting === pads.meeting;
}

function wireReading({ thought, desire, message, target, vote, pads }: Reply): WireReading {
  return {
    desire_to_speak: desire,
    internal_thought: thought,
    message,
    scratchpad_updates: wirePads(pads),
    target,
    vote_action: vote,
  };
}

function wireScore(score: Score): object {
  const { accusation, desire, die, mention, silence, voted } = score;
  return {
    ...(accusation === 0 ? NONE : { accusation }),
    ...(score.calledOn ? { called_on: true } : NONE),
    ...(desire === 0 ? NONE : { desire }),
    die,
    ...(score.eligible ? { eligible: true } : NONE),
    ...(score.hasVoted ? { has_voted: true } : NONE),
    ...(mention === 0 ? NONE : { mention }),
    ...(score.recentSpeaker === 0 ? NONE : { recent_speaker: score.recentSpeaker }),
    seat: score.seat,
    ...(silence === 0 ? NONE : { silence }),
    ...(score.silentTicks === 0 ? NONE : { silent_ticks: score.silentTicks }),
    total: score.total,
    ...(voted === 0 ? NONE : { voted }),
  };
}

const NONE = {};
