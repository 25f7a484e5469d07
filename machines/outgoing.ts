/**
 * Letters: what the effects that the statecharts name send to whom.
 *
 * Worked out here and delivered elsewhere, so that the meeting that runs and the meeting that is checked send the same.
 */
import { type ArbiterBooks, invitations, tableView } from './charts/arbiter.ts';
import { type GalleryContext, viewForGhosts } from './charts/gallery.ts';
import {
  BIDS,
  GALLERY,
  ORDERS,
  type PlayerId,
  playerId,
  type SightsOfRound,
  type ToArbiter,
  type ToBids,
  type ToGallery,
  type ToGame,
  type ToOrders,
  type ToPlayer,
} from './messages.ts';
import { rollDice } from './rules/dice.ts';
import type { Fact, GhostFact } from './rules/facts.ts';
import { transcriptLines } from './rules/floor.ts';
import { LATE, LEFT, type Table } from './rules/meeting.ts';
import { askedSeats, type GameCourse, type GameFact } from './rules/ship/game.ts';
import type { Order } from './rules/ship/orders.ts';
import { sceneFor } from './rules/ship/views.ts';
import { fullTruth } from './rules/views.ts';
import {
  type Bid,
  type BySeat,
  COLOURS,
  type Colour,
  type RequestKind,
  type Utterance,
} from './types.ts';

export type MeetingMessage =
  | { readonly to: PlayerId; readonly message: ToPlayer }
  | { readonly to: typeof BIDS; readonly message: ToBids }
  | { readonly to: typeof GALLERY; readonly message: ToGallery };

function toPlayer(seat: Colour, message: ToPlayer): MeetingMessage {
  return { to: playerId(seat), message };
}

/** Asks every invited player, and tells the bid stream whom to wait for. */
export function bidRequests(books: ArbiterBooks): readonly MeetingMessage[] {
  const table = tableView(books);
  if (table === null) return [];
  const { tick } = table;
  const invited = invitations(books);
  const seats = invited.map(({ seat }) => seat);
  return [
    toBids({ type: 'bids.awaited', tick, seats }),
    ...invited.map(({ seat, calledOn }) =>
      toPlayer(seat, { type: 'bid.requested', table, calledOn }),
    ),
    toBids({ type: 'bids.requested', tick }),
  ];
}

/** To everybody who was asked and has not answered: the late ones of a closed tick, or all of an abandoned one. */
export function bidReleases(
  { floor, opened }: ArbiterBooks,
  event: ToArbiter,
): readonly MeetingMessage[] {
  const missed = (seat: Colour) => toPlayer(seat, { type: 'tick.missed', tick: floor.tick });
  if (event.type === 'bids.gathered') {
    return event.bids
      .filter((bid) => bid.type === 'fault' && bid.code === LATE)
      .map(({ seat }) => missed(seat));
  }
  return [toBids({ type: 'tick.abandoned' }), ...(opened?.seats ?? []).map(missed)];
}

/** The fault of somebody who left; it replaces a bid that was handed in before. */
export function absenceBid({ floor }: ArbiterBooks, event: ToArbiter): readonly MeetingMessage[] {
  if (event.type !== 'seat.vacated') return [];
  const { seat } = event;
  const bid: Bid = { type: 'fault', seat, code: LEFT, text: 'left the table' };
  return [toBids({ type: 'bid.placed', tick: floor.tick, bid })];
}

export function timeCall({ floor }: ArbiterBooks): readonly MeetingMessage[] {
  return [toBids({ type: 'time.called', tick: floor.tick })];
}

/** A bid on its way to where it was asked for. */
export function bidMessage(to: 'table' | 'gallery', stamp: number, bid: Bid): MeetingMessage {
  if (to === 'table') return toBids({ type: 'bid.placed', tick: stamp, bid });
  return { to: GALLERY, message: { type: 'ghost.answered', turn: stamp, bid } };
}

export function talkInvitations(context: GalleryContext): readonly MeetingMessage[] {
  const seen = viewForGhosts(context);
  if (seen === null) return [];
  return context.asked.map((ghost) => toPlayer(ghost, { type: 'talk.invited', seen }));
}

/** The dice of a turn of the gallery, from its own stream. */
export function galleryDice({ chance, turn, asked }: GalleryContext): ToGallery {
  return {
    type: 'turn.ended',
    dice: rollDice({ ...chance, stream: 'gallery', tick: turn }, asked),
  };
}

export function talkReleases({ asked, answers, turn }: GalleryContext): readonly MeetingMessage[] {
  return asked
    .filter((ghost) => answers[ghost] === undefined)
    .map((ghost) => toPlayer(ghost, { type: 'turn.missed', turn }));
}

function toBids(message: ToBids): MeetingMessage {
  return { to: BIDS, message };
}

/*
 * Letters of the game: what the effects of its statechart send to whom.
 *
 * Worked out here and delivered elsewhere, so that the game that runs and the game that is checked send the same.
 */

export type OutgoingMessage =
  | MeetingMessage
  | { readonly to: typeof ORDERS; readonly message: ToOrders };

/** Asks everybody who has something to decide, and tells the collection whom to wait for. */
export function orderRequests(course: GameCourse): readonly OutgoingMessage[] {
  const { world, round, known } = course;
  const seats = askedSeats(course);
  const { map, options, meeting } = world.ship;
  const shown = { rules: meeting.rules, map, options };
  const requests = seats.flatMap((seat): readonly OutgoingMessage[] => {
    const scene = sceneFor(world, seat, known);
    if (scene === null) return [];
    return [toPlayer(seat, { type: 'order.requested', round, shown, scene })];
  });
  return [
    toOrders({ type: 'orders.awaited', round, seats }),
    ...requests,
    toOrders({ type: 'orders.requested', round }),
  ];
}

/**
 * What players saw on the ship and were not told yet. They are told when they have something to decide or a meeting is
 * called: nobody remembers anything else for being told at once.
 */
export type UnreadRounds = BySeat<readonly SightsOfRound[]>;

/** The letters that a round gives rise to, and what is unread after them. */
type RoundMessages = {
  readonly unread: UnreadRounds;
  readonly messages: readonly OutgoingMessage[];
};

/** What players learn of a round: what they saw, why an order was refused, and that they are dead or gone. */
export function messagesAfterRound(
  before: UnreadRounds,
  fact: GameFact,
  course: GameCourse,
): RoundMessages {
  if (fact.type !== 'round.closed') return { unread: before, messages: [] };
  const { round, seen, events } = fact;
  const told = course.call === null ? askedSeats(course) : COLOURS;
  const unread: Partial<Record<Colour, readonly SightsOfRound[]>> = {};
  const letters: OutgoingMessage[] = [];
  for (const { colour } of course.world.ship.seats) {
    const sights = seen[colour];
    const known = before[colour] ?? NOTHING_SEEN;
    const rounds = sights === undefined ? known : [...known, { round, sights }];
    if (!told.includes(colour)) unread[colour] = rounds;
    else if (rounds.length > 0) letters.push(toPlayer(colour, { type: 'rounds.seen', rounds }));
  }
  for (const event of events) {
    switch (event.type) {
      case 'intent.refused':
        letters.push(toPlayer(event.seat, { type: 'notice.given', note: event.note }));
        break;
      case 'player.killed':
        letters.push(toPlayer(event.victim, { type: 'seat.died' }));
        break;
      case 'seat.departed':
        letters.push(toPlayer(event.seat, { type: 'seat.departed' }));
        break;
      default:
    }
  }
  return { unread, messages: letters };
}

const NOTHING_SEEN: readonly SightsOfRound[] = [];

export function roundTimeCall({ round }: GameCourse): readonly OutgoingMessage[] {
  return [toOrders({ type: 'time.called', round })];
}

/** To everybody who was asked and has not decided in time. */
export function roundReleases(event: ToGame): readonly OutgoingMessage[] {
  if (event.type !== 'orders.gathered') return [];
  return event.orders
    .filter((order) => order.type === 'fault' && order.code === LATE)
    .map(({ seat }) => toPlayer(seat, { type: 'round.missed', round: event.round }));
}

/** A decision on its way to where it was asked for. */
export function orderMessage(round: number, order: Order): OutgoingMessage {
  return toOrders({ type: 'order.placed', round, order });
}

function toOrders(message: ToOrders): OutgoingMessage {
  return { to: ORDERS, message };
}

/*
 * Routing: what players and ghosts are told out of the facts of the meeting.
 *
 * Only facts travel here, and only to those whom the rules let know. Nothing goes from the gallery to the table.
 */

/** What must be remembered to know whom a fact concerns. */
export type Audience = {
  readonly seats: readonly Colour[];
  readonly ghosts: readonly Colour[];
  /** Ghosts who watch. Where the dead do not, the ejected still reacts and consolidates (ruling 26). */
  readonly watching: readonly Colour[];
  readonly transcript: readonly Utterance[];
  /** The round of the game in which the meeting was called; null for a meeting on its own. */
  readonly round: number | null;
};

/** The letters that facts give rise to, and the routing after them. */
type MessagesForFact = {
  readonly audience: Audience;
  readonly messages: readonly MeetingMessage[];
};

export function createAudience({
  seats,
  ghosts,
  haunted,
  round = null,
}: Pick<Audience, 'seats' | 'ghosts'> & {
  readonly haunted: boolean;
  readonly round?: number | null;
}): Audience {
  return { seats, ghosts, watching: haunted ? ghosts : [], transcript: [], round };
}

/** Routes one fact of the meeting; `table` is the meeting as it is after all that was told with it. */
export function messagesFor(routing: Audience, fact: Fact, table: Table): MessagesForFact {
  switch (fact.type) {
    case 'tick.closed': {
      const transcript = [...routing.transcript, ...transcriptLines(fact.tick, fact.decision)];
      const after = { ...routing, transcript };
      return {
        audience: after,
        messages: fact.decision === null ? [] : showGhosts(after, 'ghost', table),
      };
    }
    case 'verdict.told':
      return fact.ejected !== null && table.standings[fact.ejected] === 'dead'
        ? messagesForGhost(routing, fact.ejected)
        : { audience: routing, messages: [] };
    default:
      return { audience: routing, messages: messagesForAll(routing, fact, table) };
  }
}

/** What the gallery tells goes to ghosts only. */
export function messagesForGhostFact(
  { ghosts }: Audience,
  fact: GhostFact,
): readonly MeetingMessage[] {
  if (fact.type === 'pads.consolidated') return [toPlayer(fact.seat, fact)];
  return fact.type === 'pads.erased' ? ghosts.map((ghost) => toPlayer(ghost, fact)) : [];
}

function messagesForAll(routing: Audience, fact: Fact, table: Table): readonly MeetingMessage[] {
  const { seats, ghosts } = routing;
  switch (fact.type) {
    case 'meeting.called':
      return seats.map((seat) => toPlayer(seat, meetingOpened(routing)));
    case 'phase.entered':
      return fact.phase === 'reaction' || fact.phase === 'consolidation'
        ? showGhosts(routing, fact.phase, table)
        : [];
    case 'pads.erased':
      return seats.filter((seat) => !ghosts.includes(seat)).map((seat) => toPlayer(seat, fact));
    default:
      return messagesForOne(fact);
  }
}

function meetingOpened({ round }: Audience): ToPlayer {
  return round === null ? { type: 'meeting.opened' } : { type: 'meeting.opened', round };
}

/** Facts that concern one player. */
function messagesForOne(fact: Fact): readonly MeetingMessage[] {
  switch (fact.type) {
    case 'vote.locked':
    case 'pads.consolidated':
      return [toPlayer(fact.seat, fact)];
    case 'vote.refused':
      return [toPlayer(fact.seat, { type: 'notice.given', note: fact.note })];
    case 'vote.cleared': {
      const text = `${fact.leaver} has left: your vote for them is void and you may vote again`;
      const note = { code: 'vote/cleared', text };
      return [toPlayer(fact.seat, { type: 'vote.cleared', note })];
    }
    case 'seat.departed':
      return [toPlayer(fact.seat, { type: 'seat.departed' })];
    default:
      return [];
  }
}

function messagesForGhost(routing: Audience, seat: Colour): MessagesForFact {
  return {
    audience: {
      ...routing,
      ghosts: [...routing.ghosts, seat],
      watching: [...routing.watching, seat],
    },
    messages: [
      toPlayer(seat, { type: 'seat.died' }),
      { to: GALLERY, message: { type: 'ghost.joined', seat } },
    ],
  };
}

function showGhosts(
  { watching, transcript }: Audience,
  occasion: RequestKind,
  table: Table,
): readonly MeetingMessage[] {
  if (watching.length === 0) return [];
  const message = { type: 'table.changed', occasion, truth: fullTruth(table), transcript } as const;
  return [{ to: GALLERY, message }];
}
