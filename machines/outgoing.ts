/**
 * What each effect of a chart sends to whom, and what players and ghosts learn from a fact. The messages are built here
 * and sent elsewhere, so a running meeting and a checked one send the same.
 */
import { type ArbiterBooks, invitations, tableView } from './charts/arbiter.ts';
import { type GalleryContext, viewForGhosts } from './charts/gallery.ts';
import {
  BIDS,
  GALLERY,
  MEETING,
  ORDERS,
  type PlayerId,
  playerId,
  type SightsOfRound,
  type ToArbiter,
  type ToBids,
  type ToGallery,
  type ToGame,
  type ToMeeting,
  type ToOrders,
  type ToPlayer,
} from './messages.ts';
import { rollDice } from './rules/dice.ts';
import type { Fact, GhostFact } from './rules/facts.ts';
import { transcriptLines } from './rules/floor.ts';
import type { Table } from './rules/meeting.ts';
import type { HeardEvent } from './rules/record.ts';
import type { RoundEvent } from './rules/ship/draft.ts';
import { askedSeats, type GameCourse, type GameFact, shipTruth } from './rules/ship/game.ts';
import { ownDeeds } from './rules/ship/truth.ts';
import { sceneFor } from './rules/ship/views.ts';
import { isLiving } from './rules/ship/world.ts';
import { LATE, LEFT } from './rules/tick.ts';
import { fullTruth } from './rules/views.ts';
import {
  type Bid,
  type BySeat,
  COLOURS,
  type Colour,
  type RequestKind,
  type Utterance,
} from './types.ts';

export type OutgoingMessage =
  | { readonly to: PlayerId; readonly message: ToPlayer }
  | { readonly to: typeof BIDS; readonly message: ToBids }
  | { readonly to: typeof GALLERY; readonly message: ToGallery }
  | { readonly to: typeof MEETING; readonly message: ToMeeting }
  | { readonly to: typeof ORDERS; readonly message: ToOrders };

type Messages = readonly OutgoingMessage[];

export const OUTGOING = {
  arbiter: { requestBids, releaseMissing: releaseBidders, placeAbsence, callTime },
  gallery: { inviteGhosts, callTime: callTurnTime, drawDice, releaseMissing: releaseGhosts },
  game: { requestOrders, callTime: callRoundTime, releaseMissing: releasePlayers, stopMeeting },
} as const;

export function submitAnswer(event: ToPlayer): Messages {
  if (event.type === 'mind.decided')
    return [toOrders({ type: 'order.placed', round: event.round, order: event.order })];
  if (event.type !== 'mind.answered') return [];
  const { to, index, bid } = event;
  if (to === 'table') return [toBids({ type: 'bid.placed', tick: index, bid })];
  return [{ to: GALLERY, message: { type: 'ghost.answered', turn: index, bid } }];
}

function toPlayer(seat: Colour, message: ToPlayer): OutgoingMessage {
  return { to: playerId(seat), message };
}

function requestBids(books: ArbiterBooks): Messages {
  const table = tableView(books);
  if (table === null) return [];
  const { tick } = table;
  const invited = invitations(books);
  return [
    toBids({ type: 'bids.awaited', tick, seats: invited.map(({ seat }) => seat) }),
    ...invited.map(({ seat, ...call }) =>
      toPlayer(seat, { type: 'bid.requested', table, ...call }),
    ),
    toBids({ type: 'bids.requested', tick }),
  ];
}

/** To the late players of a closed tick, or to all asked players of an abandoned one. */
function releaseBidders({ floor, opened }: ArbiterBooks, event: ToArbiter): Messages {
  const missed = (seat: Colour) => toPlayer(seat, { type: 'tick.missed', tick: floor.tick });
  if (event.type === 'bids.gathered') {
    return event.bids
      .filter((bid) => bid.type === 'fault' && bid.code === LATE)
      .map(({ seat }) => missed(seat));
  }
  return [toBids({ type: 'tick.abandoned' }), ...(opened?.seats ?? []).map(missed)];
}

/** The fault of a player who left. It replaces their bid. */
function placeAbsence({ floor }: ArbiterBooks, event: ToArbiter): Messages {
  if (event.type !== 'seat.vacated') return [];
  const { seat } = event;
  const bid: Bid = { type: 'fault', seat, code: LEFT, text: 'left the table' };
  return [toBids({ type: 'bid.placed', tick: floor.tick, bid })];
}

function callTime({ floor }: ArbiterBooks): Messages {
  return [toBids({ type: 'time.called', tick: floor.tick })];
}

function inviteGhosts(context: GalleryContext): Messages {
  const seen = viewForGhosts(context);
  if (seen === null) return [];
  return context.asked.map((ghost) => toPlayer(ghost, { type: 'talk.invited', seen }));
}

function callTurnTime({ turn }: GalleryContext): Messages {
  return [{ to: GALLERY, message: { type: 'time.called', turn } }];
}

function drawDice({ chance, turn, asked }: GalleryContext): Messages {
  const dice = rollDice({ ...chance, stream: 'gallery', tick: turn }, asked);
  return [{ to: GALLERY, message: { type: 'turn.ended', dice } }];
}

function releaseGhosts({ asked, answers, turn }: GalleryContext): Messages {
  return asked
    .filter((ghost) => answers[ghost] === undefined)
    .map((ghost) => toPlayer(ghost, { type: 'turn.missed', turn }));
}

function toBids(message: ToBids): OutgoingMessage {
  return { to: BIDS, message };
}

function requestOrders(course: GameCourse): Messages {
  const { world, round, known, record } = course;
  const seats = askedSeats(course);
  const { map, options, meeting } = world.ship;
  const shown = { rules: meeting.rules, map, options, record };
  const requests = seats.flatMap((seat): Messages => {
    const scene = sceneFor(world, seat, known);
    if (scene === null) return [];
    const truth = isLiving(world, seat) ? null : shipTruth(course);
    return [toPlayer(seat, { type: 'order.requested', round, shown, scene, truth })];
  });
  return [
    toOrders({ type: 'orders.awaited', round, seats }),
    ...requests,
    toOrders({ type: 'orders.requested', round }),
  ];
}

/**
 * Sights that wait until their player has something to decide or a meeting is called. The end of a game stops the
 * players, so a look back at it reads the rest here.
 */
export type UnreadRounds = BySeat<readonly SightsOfRound[]>;

export function messagesAfterRound(
  before: UnreadRounds,
  fact: GameFact,
  course: GameCourse,
): { readonly unread: UnreadRounds; readonly messages: Messages } {
  if (fact.type !== 'round.closed') return { unread: before, messages: [] };
  const { round, seen, events, orders, paths } = fact;
  const heard = events.flatMap((event) => toHeard(event) ?? []);
  const isOver = course.ending !== null;
  const readers = course.call === null ? askedSeats(course) : COLOURS;
  const unread: Partial<Record<Colour, readonly SightsOfRound[]>> = {};
  const messages: OutgoingMessage[] = [];
  for (const { colour } of course.world.ship.seats) {
    const sights = seen[colour];
    const known = before[colour] ?? [];
    const deeds = events.length === 0 ? [] : ownDeeds(events, colour, course.world);
    const isNews = sights !== undefined || deeds.length > 0;
    const own = orders.find(({ seat }) => seat === colour);
    const intent = own?.type === 'order' ? own.decision.intent : null;
    const news = {
      ...{ round, sights: sights ?? [] },
      ...(deeds.length === 0 ? {} : { deeds }),
      ...(paths[colour] === undefined ? {} : { path: paths[colour] }),
      ...(intent === null ? {} : { intent }),
      ...(heard.length === 0 ? {} : { heard }),
    };
    const rounds = isNews ? [...known, news] : known;
    if (isOver || !readers.includes(colour)) unread[colour] = rounds;
    else if (rounds.length > 0) messages.push(toPlayer(colour, { type: 'rounds.seen', rounds }));
  }
  for (const event of events) {
    switch (event.type) {
      case 'intent.refused':
        messages.push(toPlayer(event.seat, { type: 'notice.given', note: event.note }));
        break;
      case 'player.killed':
        messages.push(toPlayer(event.victim, { type: 'seat.died' }));
        break;
      case 'seat.departed':
        messages.push(toPlayer(event.seat, { type: 'seat.departed' }));
        break;
      default:
    }
  }
  return { unread, messages };
}

/** Alarms, doors and departures, without the player behind them. */
function toHeard(event: RoundEvent): HeardEvent | null {
  switch (event.type) {
    case 'sabotage.begun':
    case 'sabotage.fixed':
      return { type: event.type, system: event.system };
    case 'doors.shut':
    case 'doors.opened':
      return { type: event.type, room: event.room };
    case 'seat.departed':
      return { type: event.type, seat: event.seat };
    default:
      return null;
  }
}

function callRoundTime({ round }: GameCourse): Messages {
  return [toOrders({ type: 'time.called', round })];
}

function releasePlayers(_: GameCourse, event: ToGame): Messages {
  if (event.type !== 'orders.gathered') return [];
  return event.orders
    .filter((order) => order.type === 'fault' && order.code === LATE)
    .map(({ seat }) => toPlayer(seat, { type: 'round.missed', round: event.round }));
}

function stopMeeting(_: GameCourse, event: ToGame): Messages {
  if (event.type !== 'game.stopped') return [];
  const outcome = event.reason === 'interrupted' ? 'interrupted' : 'unconverged';
  return [{ to: MEETING, message: { type: 'meeting.stopped', outcome } }];
}

function toOrders(message: ToOrders): OutgoingMessage {
  return { to: ORDERS, message };
}

export type Audience = {
  readonly seats: readonly Colour[];
  readonly ghosts: readonly Colour[];
  /** Ghosts who watch. Even if the dead do not watch, the ejected player reacts and consolidates (ruling 26). */
  readonly watching: readonly Colour[];
  readonly transcript: readonly Utterance[];
  readonly round: CallCircumstances['round'];
};

type CallCircumstances = {
  readonly ghostsWatch: boolean;
  /** The round in which the meeting was called. Null for a meeting on its own. */
  readonly round: number | null;
};

/** Says who is told of each fact of a match. The caller sends each batch before it asks for the next one. */
export class Announcer {
  /** The players in the current meeting; null before the first call. */
  #audience: Audience | null = null;
  #unread: UnreadRounds = {};
  readonly #circumstances: () => CallCircumstances;

  /** `before` is the announcer up to now. */
  constructor(circumstances: () => CallCircumstances, before?: Announcer) {
    this.#circumstances = circumstances;
    if (before === undefined) return;
    this.#audience = before.#audience;
    this.#unread = before.#unread;
  }

  unreadOf(seat: Colour): readonly SightsOfRound[] {
    return this.#unread[seat] ?? [];
  }

  /** `table` is the meeting after the facts. */
  *ofMeeting(facts: readonly Fact[], table: Table): Generator<Messages> {
    for (const fact of facts) {
      if (fact.type === 'meeting.called')
        this.#audience = createAudience(table, this.#circumstances());
      if (this.#audience === null) continue;
      const { audience, messages } = messagesFor(this.#audience, fact, table);
      this.#audience = audience;
      yield messages;
    }
  }

  *ofGhosts(facts: readonly GhostFact[]): Generator<Messages> {
    for (const fact of facts)
      if (this.#audience !== null) yield messagesForGhostFact(this.#audience, fact);
  }

  /** `course` is the game after the facts. */
  *ofGame(facts: readonly GameFact[], course: GameCourse): Generator<Messages> {
    for (const fact of facts) {
      const { unread, messages } = messagesAfterRound(this.#unread, fact, course);
      this.#unread = unread;
      yield messages;
    }
  }
}

type MessagesForFact = { readonly audience: Audience; readonly messages: Messages };

/** Players who are dead when the meeting is called are ghosts from the beginning. */
export function createAudience(
  { seats, standings }: Pick<Table, 'seats' | 'standings'>,
  { ghostsWatch, round }: CallCircumstances,
): Audience {
  const ghosts = COLOURS.filter((colour) => standings[colour] === 'dead');
  return {
    seats: seats.map(({ colour }) => colour),
    ghosts,
    watching: ghostsWatch ? ghosts : [],
    transcript: [],
    round,
  };
}

export function messagesFor(audience: Audience, fact: Fact, table: Table): MessagesForFact {
  switch (fact.type) {
    case 'tick.closed': {
      const transcript = [...audience.transcript, ...transcriptLines(fact.tick, fact.decision)];
      const after = { ...audience, transcript };
      const messages = fact.decision === null ? [] : showGhosts(after, 'ghost', table);
      return { audience: after, messages };
    }
    case 'verdict.announced':
      return fact.ejected !== null && table.standings[fact.ejected] === 'dead'
        ? messagesForGhost(audience, fact.ejected)
        : { audience, messages: [] };
    default:
      return { audience, messages: messagesForAll(audience, fact, table) };
  }
}

export function messagesForGhostFact({ ghosts }: Audience, fact: GhostFact): Messages {
  if (fact.type === 'scratchpads.consolidated') return [toPlayer(fact.seat, fact)];
  return fact.type === 'scratchpads.erased' ? ghosts.map((ghost) => toPlayer(ghost, fact)) : [];
}

function messagesForAll(audience: Audience, fact: Fact, table: Table): Messages {
  const { seats, ghosts } = audience;
  switch (fact.type) {
    case 'meeting.called': {
      const round = audience.round === null ? {} : { round: audience.round };
      return seats.map((seat) => toPlayer(seat, { type: 'meeting.opened', ...round }));
    }
    case 'phase.entered':
      return fact.phase === 'reaction' || fact.phase === 'consolidation'
        ? showGhosts(audience, fact.phase, table)
        : [];
    case 'scratchpads.erased':
      return seats.filter((seat) => !ghosts.includes(seat)).map((seat) => toPlayer(seat, fact));
    case 'vote.locked':
    case 'scratchpads.consolidated':
      return [toPlayer(fact.seat, fact)];
    case 'vote.refused':
      return [toPlayer(fact.seat, { type: 'notice.given', note: fact.note })];
    case 'vote.cleared': {
      const text = `${fact.leaver} has left: your vote for them is void and you may vote again`;
      return [toPlayer(fact.seat, { type: 'vote.cleared', note: { code: 'vote/cleared', text } })];
    }
    case 'seat.departed':
      return [toPlayer(fact.seat, { type: 'seat.departed' })];
    default:
      return [];
  }
}

function messagesForGhost(audience: Audience, seat: Colour): MessagesForFact {
  const ghosts = [...audience.ghosts, seat];
  const watching = [...audience.watching, seat];
  return {
    audience: { ...audience, ghosts, watching },
    messages: [
      toPlayer(seat, { type: 'seat.died' }),
      { to: GALLERY, message: { type: 'ghost.joined', seat } },
    ],
  };
}

function showGhosts(
  { watching, transcript }: Audience,
  requestKind: RequestKind,
  table: Table,
): Messages {
  if (watching.length === 0) return [];
  const truth = fullTruth(table);
  return [{ to: GALLERY, message: { type: 'table.changed', requestKind, truth, transcript } }];
}
