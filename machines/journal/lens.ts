/**
 * Lenses: what a spectator may see of the journal.
 *
 * A lens is a whitelist. For each type of line it says which fields pass; what is not listed is hidden, so a new field
 * is a secret until its author decides otherwise. `seq` stays, so a gap shows that something was hidden, never what.
 *
 * On the ship every player hears alarms, doors, entered keypads and that a player has left; where the options show the
 * task bar all the time, every player sees it grow, and not by whose work. Nobody hears whose doing anything was, where a
 * player is, or that a player has died: the meeting shows who is missing. A player sees what they did and saw. The dead
 * see all that happens, but neither what others decide nor what others have seen. Who has won shows who was who, as the
 * last screen of a game does; a game without a winner keeps its roles.
 *
 * Which model plays a seat, and as which persona, is no secret of the game: every spectator may know it. The players never
 * do, so where people play no lens but the glass tells it before the game is won.
 */

import { isPerson } from '../rules/mindKinds.ts';
import type { FilledGameOptions, FilledMeetingOptions } from '../rules/options.ts';
import type { GameMatch, GameSeat, MatchSeat, MeetingMatch, MeetingSeat } from '../setup/match.ts';
import { COLOURS, type Colour } from '../types.ts';
import type { BeliefLine, EventFields, GhostLine, Line, LineOf, LivingLine } from './lines.ts';
import { type FilledGame, type FilledMeeting, fillMatch } from './opening.ts';

export const LENSES = ['table', 'player', 'glass'] as const;
/** `table` is free of spoilers, `player` sees with one player's eyes, `glass` sees everything. */
export type Lens =
  | { readonly type: 'table' }
  | { readonly type: 'glass' }
  | { readonly type: 'player'; readonly seat: Colour };

/** What a spectator must remember of a game, because a later line is seen by it. */
type GameKnowledge = {
  readonly impostors: readonly Colour[];
  /** Whether all players see each step of a task in the bar. */
  readonly hasBar: boolean;
  /** Who plays, where it is told at the end only. */
  readonly cast?: readonly SeenCast[];
};
const NO_GAME: GameKnowledge = { impostors: [], hasBar: false };

/** Of a seat's own persona a spectator sees the name only. */
type SeenPersona = MatchSeat['persona'] | { readonly name: string };
type WithSeenPersona<S extends MatchSeat> = Partial<Omit<S, 'persona'>> & {
  readonly persona?: SeenPersona;
};
/** Who plays a seat, as every spectator may know it. */
export type SeenCast = Pick<MatchSeat, 'colour' | 'mind' | 'model'> & {
  readonly persona?: SeenPersona;
};

type SeenGameSeat = Pick<GameSeat, 'colour'> & WithSeenPersona<GameSeat>;
/** Every option; the weights are hidden from all but the glass. */
type SeenOptions<O extends { readonly weights: unknown }> = Omit<O, 'weights'> &
  Partial<Pick<O, 'weights'>>;
/** A game, as its header shows it. */
export type SeenGame = Pick<GameMatch, 'name' | 'about' | 'map'> & {
  readonly options: SeenOptions<FilledGameOptions>;
  readonly seats: readonly SeenGameSeat[];
};

/** An event with only what may be seen of it: who did it, where or to whom may be missing. */
export type SeenEvent = CutEvent<EventFields>;
type CutEvent<E> = E extends EventFields ? Pick<E, 'type'> & Partial<Omit<E, 'type'>> : never;

/** What the lines so far tell that later ones are seen by: the dead, who see more, and what game is on. */
export type LensKnowledge = { readonly dead: readonly Colour[]; readonly game?: GameKnowledge };
const NOTHING_KNOWN: LensKnowledge = { dead: [] };

type LinePosition = 'type' | 'channel' | 'seq';
export type SeenSeat = Pick<MeetingSeat, 'colour' | 'dead'> & WithSeenPersona<MeetingSeat>;
/** A meeting on its own, as its header shows it. */
export type SeenMeeting = Pick<MeetingMatch, 'name' | 'about'> & {
  readonly options: SeenOptions<FilledMeetingOptions>;
  readonly call: Pick<MeetingMatch['call'], 'by' | 'report' | 'place'>;
  readonly seats: readonly SeenSeat[];
};
/** Lines whose fields hold something of every player: what is left of those is another type than what was written. */
type Narrowed = {
  'match.opened': { readonly match: SeenMeeting | SeenGame };
  'round.closed': { readonly events?: readonly SeenEvent[] };
  /** In a game: all the dead, because all see who is missing at the table. */
  'meeting.called': { readonly dead?: readonly Colour[] };
  /** Who the impostors were and who is dead, once it is won; and who has played, where people did. */
  'game.closed': {
    readonly impostors?: readonly Colour[];
    readonly dead?: readonly Colour[];
    readonly cast?: readonly SeenCast[];
  };
};
type Seen<L> = L extends { type: infer T extends keyof Narrowed }
  ? Pick<L, LinePosition & keyof L> &
      Partial<Omit<L, LinePosition | keyof Narrowed[T]>> &
      Narrowed[T]
  : L extends Line
    ? Pick<L, LinePosition> & Partial<Omit<L, LinePosition>>
    : never;
/** A line with only what may be seen of it. The match of a header has all its options (`opening.ts`). */
export type SeenLine = Seen<Line>;
export type SeenOf<T extends Line['type']> = Extract<SeenLine, { type: T }>;

/** Reads "table", "glass" or "player:red"; null for anything else. */
export function parseLens(text: string): Lens | null {
  if (text === 'table' || text === 'glass') return { type: text };
  const seat = COLOURS.find((colour) => text === `player:${colour}`);
  return seat === undefined ? null : { type: 'player', seat };
}

/** As parseLens reads it. */
export function formatLens(lens: Lens): string {
  return lens.type === 'player' ? `player:${lens.seat}` : lens.type;
}

/** A lens that remembers who has died: give it every line, in order. It fills in the options that a header leaves out. */
export function lensFor(lens: Lens): (line: Line) => SeenLine | null {
  let known = NOTHING_KNOWN;
  return (line) => {
    known = learn(known, line);
    return throughLens(line, lens, known);
  };
}

/** What is known of the dead after a line. */
function learn(known: LensKnowledge, line: Line): LensKnowledge {
  if (line.type === 'match.opened') {
    const match = fillMatch(line);
    if (!('call' in match)) return { dead: [], game: learnGame(match) };
    return { dead: match.seats.filter((seat) => seat.dead).map(({ colour }) => colour) };
  }
  const died = diedIn(line);
  return died.length === 0 ? known : { ...known, dead: [...known.dead, ...died] };
}

function diedIn(line: Line): readonly Colour[] {
  if (line.type === 'verdict.announced') return line.ejected === null ? [] : [line.ejected];
  if (line.type !== 'round.closed') return [];
  return line.events.flatMap((event) => (event.type === 'player.killed' ? [event.victim] : []));
}

/** What can be seen of a line; null when nothing can. `known` is what the lines before it have shown. */
export function throughLens(line: Line, lens: Lens, known = NOTHING_KNOWN): SeenLine | null {
  if (lens.type === 'glass') return throughGlass(line);
  const now = learn(known, line);
  const viewer = viewerThrough(lens, now);
  const keys = keysFor(line, viewer);
  if (keys === null) return null;
  return cut({ ...line, ...narrow(line, viewer, now) }, [...PLACE, ...keys]);
}

/** A whole line, with all options of the match in a header. */
export function throughGlass(line: Line): SeenLine {
  return line.type === 'match.opened' ? { ...line, match: fillMatch(line) } : line;
}

function viewerThrough(
  lens: Exclude<Lens, { type: 'glass' }>,
  { dead }: LensKnowledge,
): LensViewer {
  if (lens.type === 'table') return { seat: null, isDead: false };
  return { seat: lens.seat, isDead: dead.includes(lens.seat) };
}

const PLACE: readonly LinePosition[] = ['type', 'channel', 'seq'];

type Keys<L extends Line> = readonly Exclude<keyof L | Added<L>, LinePosition | 'hash' | 'clock'>[];
/** What a lens tells in a line that its journal has in another. */
type Added<L extends Line> = L['type'] extends keyof Narrowed
  ? Exclude<keyof Narrowed[L['type']], keyof L>
  : never;
/** Who sees which fields: every spectator; a player in any line; a player in lines of their own seat; a dead player. */
type FieldsSeen<L extends Line> = {
  readonly table?: Keys<L>;
  readonly player?: Keys<L>;
  readonly own?: Keys<L>;
  readonly dead?: Keys<L>;
};
type FieldsSeenByType<L extends Line> = {
  readonly [T in L['type']]: FieldsSeen<Extract<L, { type: T }>>;
};

const LIVING: FieldsSeenByType<LivingLine> = {
  'match.opened': { table: ['format', 'rulesVersion', 'match'] },
  'meeting.called': { table: ['by', 'kind', 'body', 'place', 'dead'] },
  'meeting.refused': { table: ['note'] },
  'phase.entered': { table: ['phase'] },
  'tick.closed': {
    table: ['tick', 'requestKind', 'floor', 'tie', 'said', 'hits', 'nudge'],
    player: ['bids', 'scores'],
  },
  'vote.locked': { table: ['seat'], own: ['ballot'], dead: ['ballot'] },
  'vote.refused': { own: ['seat', 'vote', 'note'] },
  // Who left tells for whom the ballot was.
  'vote.cleared': { table: ['seat'], own: ['leaver'], dead: ['leaver'] },
  'seat.faulted': { own: ['seat', 'code', 'streak'] },
  'seat.departed': { table: ['seat', 'reason'] },
  'scratchpads.updated': { own: ['seat', 'main', 'meeting'] },
  // `void` names those who voted for a player who left: ballots that are not turned yet.
  'poll.closed': { table: ['reason', 'missed'], dead: ['void'] },
  'poll.counted': { dead: ['counts', 'outcome', 'ejected'] },
  'ballot.revealed': { table: ['index', 'voter', 'ballot', 'void'], dead: ['by'] },
  'verdict.announced': { table: ['sentence', 'outcome', 'ejected'] },
  'scratchpads.consolidated': { own: ['seat', 'main', 'line'] },
  'scratchpads.erased': { player: [] },
  'stop.requested': { table: ['outcome'] },
  'meeting.closed': { table: ['outcome', 'ejected'] },
  // What is left of it for each viewer is cut below.
  'round.closed': { table: ['round', 'events'], player: ['orders', 'paths', 'deeds', 'seen'] },
  'end.requested': { table: ['reason'] },
  'game.closed': { table: ['winner', 'reason', 'impostors', 'dead', 'cast'] },
};

const GHOSTS: FieldsSeenByType<GhostLine> = {
  'gallery.opened': { dead: ['present', 'budget', 'minds'] },
  'ghost.joined': { dead: ['seat'] },
  'turn.closed': { dead: ['turn', 'requestKind', 'said', 'bids'] },
  'scratchpads.consolidated': { own: ['seat', 'main', 'line'] },
  'scratchpads.erased': { dead: [] },
  'gallery.closed': { dead: ['turns'] },
};

/** What a player believes is a private thought: no other player sees it, dead or alive. */
const BELIEFS: FieldsSeenByType<BeliefLine> = {
  'beliefs.opened': {},
  'belief.stated': {
    own: [
      'meeting',
      'moment',
      'tick',
      'seat',
      'source',
      'about',
      'probabilities',
      'missing',
      'received',
      'fault',
      'text',
    ],
  },
};

type AnyFieldsSeen = { readonly [S in keyof FieldsSeen<Line>]: readonly string[] };

/** The fields of a line that a viewer sees; null when the line itself is hidden. */
function keysFor(line: Line, { seat, isDead }: LensViewer): readonly string[] | null {
  const sight = sightOf(line);
  const isOwn = seat !== null && 'seat' in line && line.seat === seat;
  const sets = [
    sight.table,
    seat === null ? undefined : sight.player,
    isOwn ? sight.own : undefined,
    isDead ? sight.dead : undefined,
  ].filter((keys) => keys !== undefined);
  return sets.length === 0 ? null : sets.flat();
}

function sightOf(line: Line): AnyFieldsSeen {
  switch (line.channel) {
    case 'living':
      return LIVING[line.type];
    case 'ghosts':
      return GHOSTS[line.type];
    case 'beliefs':
      return BELIEFS[line.type];
    default:
      return line satisfies never;
  }
}

/** Fields that hold something of every player, with only what the viewer may see left in them. */
function narrow(line: Line, viewer: LensViewer, { dead, game }: LensKnowledge): object {
  const isOwn = ({ seat }: { readonly seat: Colour }) => seat === viewer.seat;
  switch (line.type) {
    case 'match.opened':
      return { match: matchFor(fillMatch(line), viewer) };
    case 'tick.closed':
      return { bids: line.bids.filter(isOwn), scores: line.scores.filter(isOwn) };
    case 'turn.closed':
      return { bids: line.bids.filter(isOwn) };
    case 'round.closed':
      return roundFor(line, viewer, game ?? NO_GAME);
    case 'game.closed':
      return line.winner === null || game === undefined ? {} : { ...showPlayers(game), dead };
    case 'meeting.called':
      return game === undefined ? {} : { dead };
    case 'gallery.opened':
      return { minds: viewer.seat === null ? {} : pick(line.minds, [viewer.seat]) };
    default:
      return {};
  }
}

function matchFor(match: FilledMeeting | FilledGame, viewer: LensViewer): SeenMeeting | SeenGame {
  return 'call' in match ? meetingFor(match, viewer) : gameFor(match, viewer);
}

function meetingFor(
  { name, about, options, call, seats }: FilledMeeting,
  viewer: LensViewer,
): SeenMeeting {
  const self = seats.find(({ colour }) => colour === viewer.seat);
  const tell = castTeller(seats);
  const { weights: _weights, ...open } = options;
  return {
    name,
    about,
    options: open,
    call: { by: call.by, ...pick(call, ['report', 'place']) },
    // Who thinks for the dead is written where the ghosts are, and not here.
    seats: seats.map((seat) => ({
      ...(seat.dead ? {} : tell(seat)),
      ...seatFor(seat, self, viewer),
    })),
  };
}

/** Impostors know each other, and the dead know every role; nobody knows another's memories. */
function seatFor(
  seat: MeetingSeat,
  self: MeetingSeat | undefined,
  { isDead }: LensViewer,
): SeenSeat {
  const { colour, dead, role } = seat;
  if (seat === self) return { colour, dead, ...pick(seat, ['role', 'persona', 'saw', 'notes']) };
  const knowsRole = isDead || (role === 'impostor' && self?.role === 'impostor');
  return knowsRole ? { colour, dead, role } : { colour, dead };
}

/** Who plays a seat; of its persona the name, and not how it is to be played. */
function castOf({ colour, mind, model, persona }: MatchSeat): SeenCast {
  return {
    colour,
    mind,
    ...(model === undefined ? {} : { model }),
    ...(persona === undefined ? {} : { persona: nameOnly(persona) }),
  };
}

function nameOnly(persona: NonNullable<MatchSeat['persona']>): SeenPersona {
  return typeof persona === 'string' ? persona : { name: persona.name };
}

/** What every spectator may know of who plays a seat: nothing while people play, who look through the same lenses. */
function castTeller(seats: readonly MatchSeat[]): (seat: MatchSeat) => Partial<SeenCast> {
  return seats.some(isPerson) ? () => ({}) : castOf;
}

/** The fields of a line by name. Whatever is left beside its place is a `SeenLine`: all the rest is optional there. */
function cut(line: object, keys: readonly string[]): SeenLine;
function cut(line: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(line).filter(([key]) => keys.includes(key)));
}

/** What the header of a game tells that later lines are seen by. */
function learnGame({ seats, options }: FilledGame): GameKnowledge {
  return {
    impostors: seats.flatMap(({ colour, role }) => (role === 'impostor' ? [colour] : [])),
    hasBar: options.task_bar === 'always',
    ...(seats.some(isPerson) ? { cast: seats.map(castOf) } : {}),
  };
}

function gameFor({ name, about, options, map, seats }: FilledGame, viewer: LensViewer): SeenGame {
  const self = seats.find(({ colour }) => colour === viewer.seat);
  const tell = castTeller(seats);
  const { weights: _weights, ...open } = options;
  return {
    name,
    about,
    map,
    options: open,
    seats: seats.map((seat) => ({ ...tell(seat), ...gameSeatFor(seat, self) })),
  };
}

/** Impostors know each other. How the director has a seat played is nobody's business, not even its own. */
function gameSeatFor(seat: GameSeat, self: GameSeat | undefined): SeenGameSeat {
  const { colour, role } = seat;
  if (seat === self) return { colour, ...pick(seat, ['role', 'persona', 'notes']) };
  return role === 'impostor' && self?.role === 'impostor' ? { colour, role } : { colour };
}

type RoundLine = LineOf<'round.closed'>;

function roundFor(
  line: RoundLine,
  { seat, isDead }: LensViewer,
  { hasBar }: GameKnowledge,
): object {
  const own = seat === null ? [] : [seat];
  const view = { seat, isDead, hasBar };
  return {
    orders: line.orders.filter((order) => order.seat === seat),
    paths: isDead ? line.paths : pick(line.paths, own),
    deeds: isDead ? line.deeds : pick(line.deeds, own),
    seen: pick(line.seen, own),
    events: line.events.flatMap((event) => eventFor(event, view) ?? []),
  };
}

function eventFor(
  event: EventFields,
  { seat, isDead, hasBar }: LensViewer & Pick<GameKnowledge, 'hasBar'>,
): SeenEvent | null {
  switch (event.type) {
    // What a mind wanted, and how it failed, is its own affair in life and in death.
    case 'intent.refused':
    case 'seat.faulted':
      return event.seat === seat ? event : null;
    case 'sabotage.begun':
      return isDead || event.by === seat ? event : { type: event.type, system: event.system };
    case 'doors.shut':
      return isDead || event.by === seat ? event : { type: event.type, room: event.room };
    case 'sabotage.fixed':
      return isDead ? event : { type: event.type, system: event.system };
    case 'keypad.entered':
      return isDead || event.seat === seat ? event : { type: event.type, at: event.at };
    case 'task.stepped':
      if (isDead || event.seat === seat) return event;
      return hasBar ? { type: event.type } : null;
    case 'doors.opened':
    case 'seat.departed':
      return event;
    case 'player.killed':
      return isDead || event.by === seat ? event : null;
    case 'vent.used':
      return isDead || event.seat === seat ? event : null;
    default:
      return event satisfies never;
  }
}

/** Who was who, and who has played. */
function showPlayers({ impostors, cast }: GameKnowledge): object {
  return { impostors, ...(cast === undefined ? {} : { cast }) };
}

/** A seat, or null for the eyes of the table. The dead of a line are those whom it kills, too. */
type LensViewer = { readonly seat: Colour | null; readonly isDead: boolean };

/** Only these fields of something. */
function pick<T extends object, K extends keyof T>(
  from: T,
  keys: readonly K[],
): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {};
  for (const key of keys) if (key in from) picked[key] = from[key];
  return picked;
}
