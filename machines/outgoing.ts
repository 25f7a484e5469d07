/**
 * Letters: what the effects that the statecharts name send to whom.
 *
 * Worked out here and delivered elsewhere, so that the meeting that runs and the meeting that is checked send the same.
 */
import { type Books, invitations, tableView } from './charts/arbiter.ts';
import { type GalleryContext, ghostsSee } from './charts/gallery.ts';
import {
  BIDS,
  GALLERY,
  ORDERS,
  type PlayerId,
  playerId,
  type Seen,
  type ToArbiter,
  type ToBids,
  type ToGallery,
  type ToGame,
  type ToOrders,
  type ToPlayer,
} from './messages.ts';
import { roll } from './rules/dice.ts';
import type { Fact, GhostFact } from './rules/facts.ts';
import { linesOf } from './rules/floor.ts';
import { LATE, LEFT, type Table } from './rules/meeting.ts';
import { askedIn, type Course, type GameFact } from './rules/ship/game.ts';
import type { Order } from './rules/ship/orders.ts';
import { sceneFor } from './rules/ship/views.ts';
import { truth } from './rules/views.ts';
import {
  type Bid,
  type BySeat,
  COLOURS,
  type Colour,
  type Occasion,
  type Utterance,
} from './types.ts';

export type Letter =
  | { readonly to: PlayerId; readonly message: ToPlayer }
  | { readonly to: typeof BIDS; readonly message: ToBids }
  | { readonly to: typeof GALLERY; readonly message: ToGallery };

function toPlayer(seat: Colour, message: ToPlayer): Letter {
  return { to: playerId(seat), message };
}

/** Asks every invited player, and tells the bid stream whom to wait for. */
export function requests(books: Books): readonly Letter[] {
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
export function releases({ floor, opened }: Books, event: ToArbiter): readonly Letter[] {
  const missed = (seat: Colour) => toPlayer(seat, { type: 'tick.missed', tick: floor.tick });
  if (event.type === 'bids.gathered') {
    return event.bids
      .filter((bid) => bid.type === 'fault' && bid.code === LATE)
      .map(({ seat }) => missed(seat));
  }
  return [toBids({ type: 'tick.abandoned' }), ...(opened?.seats ?? []).map(missed)];
}

/** The fault of somebody who left; it replaces a bid that was handed in before. */
export function absence({ floor }: Books, event: ToArbiter): readonly Letter[] {
  if (event.type !== 'seat.vacated') return [];
  const { seat } = event;
  const bid: Bid = { type: 'fault', seat, code: LEFT, text: 'left the table' };
  return [toBids({ type: 'bid.placed', tick: floor.tick, bid })];
}

export function timeCall({ floor }: Books): readonly Letter[] {
  return [toBids({ type: 'time.called', tick: floor.tick })];
}

/** A bid on its way to where it was asked for. */
export function handedIn(to: 'table' | 'gallery', stamp: number, bid: Bid): Letter {
  if (to === 'table') return toBids({ type: 'bid.placed', tick: stamp, bid });
  return { to: GALLERY, message: { type: 'ghost.answered', turn: stamp, bid } };
}

export function talkInvitations(context: GalleryContext): readonly Letter[] {
  const seen = ghostsSee(context);
  if (seen === null) return [];
  return context.asked.map((ghost) => toPlayer(ghost, { type: 'talk.invited', seen }));
}

/** The dice of a turn of the gallery, from its own stream. */
export function galleryDice({ chance, turn, asked }: GalleryContext): ToGallery {
  return { type: 'turn.ended', dice: roll({ ...chance, stream: 'gallery', tick: turn }, asked) };
}

export function talkReleases({ asked, answers, turn }: GalleryContext): readonly Letter[] {
  return asked
    .filter((ghost) => answers[ghost] === undefined)
    .map((ghost) => toPlayer(ghost, { type: 'turn.missed', turn }));
}

function toBids(message: ToBids): Letter {
  return { to: BIDS, message };
}

/*
 * Letters of the game: what the effects of its statechart send to whom.
 *
 * Worked out here and delivered elsewhere, so that the game that runs and the game that is checked send the same.
 */

export type GameLetter = Letter | { readonly to: typeof ORDERS; readonly message: ToOrders };

/** Asks everybody who has something to decide, and tells the collection whom to wait for. */
export function orderRequests(course: Course): readonly GameLetter[] {
  const { world, round, known } = course;
  const seats = askedIn(course);
  const { map, options, meeting } = world.ship;
  const shown = { rules: meeting.rules, map, options };
  const requests = seats.flatMap((seat): readonly GameLetter[] => {
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
export type Unread = BySeat<readonly Seen[]>;

/** The letters that a round gives rise to, and what is unread after them. */
type RoundPost = { readonly unread: Unread; readonly letters: readonly GameLetter[] };

/** What players learn of a round: what they saw, why an order was refused, and that they are dead or gone. */
export function roundPost(before: Unread, fact: GameFact, course: Course): RoundPost {
  if (fact.type !== 'round.closed') return { unread: before, letters: [] };
  const { round, seen, events } = fact;
  const told = course.call === null ? askedIn(course) : COLOURS;
  const unread: Partial<Record<Colour, readonly Seen[]>> = {};
  const letters: GameLetter[] = [];
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
  return { unread, letters };
}

const NOTHING_SEEN: readonly Seen[] = [];

export function roundTimeCall({ round }: Course): readonly GameLetter[] {
  return [toOrders({ type: 'time.called', round })];
}

/** To everybody who was asked and has not decided in time. */
export function roundReleases(event: ToGame): readonly GameLetter[] {
  if (event.type !== 'orders.gathered') return [];
  return event.orders
    .filter((order) => order.type === 'fault' && order.code === LATE)
    .map(({ seat }) => toPlayer(seat, { type: 'round.missed', round: event.round }));
}

/** A decision on its way to where it was asked for. */
export function orderHandedIn(round: number, order: Order): GameLetter {
  return toOrders({ type: 'order.placed', round, order });
}

function toOrders(message: ToOrders): GameLetter {
  return { to: ORDERS, message };
}

/*
 * Routing: what players and ghosts are told out of the facts of the meeting.
 *
 * Only facts travel here, and only to those whom the rules let know. Nothing goes from the gallery to the table.
 */

/** What must be remembered to know whom a fact concerns. */
export type Routing = {
  readonly seats: readonly Colour[];
  readonly ghosts: readonly Colour[];
  /** Ghosts who watch. Where the dead do not, the ejected still reacts and consolidates (ruling 26). */
  readonly watching: readonly Colour[];
  readonly transcript: readonly Utterance[];
  /** The round of the game in which the meeting was called; null for a meeting on its own. */
  readonly round: number | null;
};

/** The letters that facts give rise to, and the routing after them. */
type Routed = { readonly routing: Routing; readonly letters: readonly Letter[] };

export function newRouting({
  seats,
  ghosts,
  haunted,
  round = null,
}: Pick<Routing, 'seats' | 'ghosts'> & {
  readonly haunted: boolean;
  readonly round?: number | null;
}): Routing {
  return { seats, ghosts, watching: haunted ? ghosts : [], transcript: [], round };
}

/** Routes one fact of the meeting; `table` is the meeting as it is after all that was told with it. */
export function routed(routing: Routing, fact: Fact, table: Table): Routed {
  switch (fact.type) {
    case 'tick.closed': {
      const transcript = [...routing.transcript, ...linesOf(fact.tick, fact.verdict)];
      const after = { ...routing, transcript };
      return { routing: after, letters: fact.verdict === null ? [] : shown(after, 'ghost', table) };
    }
    case 'verdict.told':
      return fact.ejected !== null && table.standings[fact.ejected] === 'dead'
        ? buried(routing, fact.ejected)
        : { routing, letters: [] };
    default:
      return { routing, letters: lettersFor(routing, fact, table) };
  }
}

/** What the gallery tells goes to ghosts only. */
export function murmured({ ghosts }: Routing, fact: GhostFact): readonly Letter[] {
  if (fact.type === 'pads.consolidated') return [toPlayer(fact.seat, fact)];
  return fact.type === 'pads.erased' ? ghosts.map((ghost) => toPlayer(ghost, fact)) : [];
}

function lettersFor(routing: Routing, fact: Fact, table: Table): readonly Letter[] {
  const { seats, ghosts } = routing;
  switch (fact.type) {
    case 'meeting.called':
      return seats.map((seat) => toPlayer(seat, opening(routing)));
    case 'phase.entered':
      return fact.phase === 'reaction' || fact.phase === 'consolidation'
        ? shown(routing, fact.phase, table)
        : [];
    case 'pads.erased':
      return seats.filter((seat) => !ghosts.includes(seat)).map((seat) => toPlayer(seat, fact));
    default:
      return notified(fact);
  }
}

function opening({ round }: Routing): ToPlayer {
  return round === null ? { type: 'meeting.opened' } : { type: 'meeting.opened', round };
}

/** Facts that concern one player. */
function notified(fact: Fact): readonly Letter[] {
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

function buried(routing: Routing, seat: Colour): Routed {
  return {
    routing: {
      ...routing,
      ghosts: [...routing.ghosts, seat],
      watching: [...routing.watching, seat],
    },
    letters: [
      toPlayer(seat, { type: 'seat.died' }),
      { to: GALLERY, message: { type: 'ghost.joined', seat } },
    ],
  };
}

function shown(
  { watching, transcript }: Routing,
  occasion: Occasion,
  table: Table,
): readonly Letter[] {
  if (watching.length === 0) return [];
  const message = { type: 'table.changed', occasion, truth: truth(table), transcript } as const;
  return [{ to: GALLERY, message }];
}
