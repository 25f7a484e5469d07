/**
 * Lenses cut a journal down to the fields that a spectator may see. A lens lists the fields to show of each type of
 * line, so a new field is secret until its author lists it. `seq` always passes, so a gap shows a hidden line.
 *
 * On the ship every player hears alarms, doors, entered keypads and departures, and sees the task bar grow if it is
 * always shown. Players see their own deeds and sights, and learn of deaths at the meeting. The dead see every event,
 * but no decisions or sights of others. Roles are revealed once a side has won. Players never know models and personas,
 * which are no secret to spectators. If people play, only the glass shows them before the game is won.
 */

import { isPerson } from '../rules/mindKinds.ts';
import type { FilledGameOptions, FilledMeetingOptions } from '../rules/options.ts';
import type { GameMatch, GameSeat, MatchSeat, MeetingMatch, MeetingSeat } from '../setup/match.ts';
import { type ByType, COLOURS, type Colour } from '../types.ts';
import type {
  BeliefLine,
  Channel,
  EventFields,
  GhostLine,
  Line,
  LineOf,
  LivingLine,
} from './lines.ts';
import { type FilledGame, type FilledMeeting, fillMatch } from './opening.ts';

export const LENSES = ['table', 'player', 'glass'] as const;
/** `table` is free of spoilers, `player` sees with one player's eyes, `glass` sees everything. */
export type Lens = ByType<{ table: object; player: { seat: Colour }; glass: object }>;

/** Whether the lens shows the player from within. */
export function isFollowed(lens: Lens, seat: Colour): boolean {
  return lens.type === 'glass' || (lens.type === 'player' && lens.seat === seat);
}

type GameKnowledge = {
  /** Whether all players see each step of a task in the bar. */
  readonly hasBar: boolean;
  /** Revealed at the end. `cast` only if people play. */
  readonly players: { readonly impostors: readonly Colour[]; readonly cast?: readonly SeenCast[] };
};

/** Spectators see only the name of a written persona. */
type SeenPersona = MatchSeat['persona'] | { readonly name: string };
type WithSeenPersona<S extends MatchSeat> = Partial<Omit<S, 'persona'>> & {
  readonly persona?: SeenPersona;
};
export type SeenCast = Pick<MatchSeat, 'colour' | 'mind' | 'model'> & {
  readonly persona?: SeenPersona;
};

/** Only the glass shows the weights. */
type SeenOptions<O extends { readonly weights: unknown }> = Omit<O, 'weights'> &
  Partial<Pick<O, 'weights'>>;
export type SeenGame = Pick<GameMatch, 'name' | 'about' | 'map'> & {
  readonly options: SeenOptions<FilledGameOptions>;
  readonly seats: readonly (Pick<GameSeat, 'colour'> & WithSeenPersona<GameSeat>)[];
};

export type SeenEvent = CutEvent<EventFields>;
type CutEvent<E> = E extends EventFields ? Pick<E, 'type'> & Partial<Omit<E, 'type'>> : never;

/** Knowledge from earlier lines on which the cut of later ones depends. */
export type LensKnowledge = { readonly dead: readonly Colour[]; readonly game?: GameKnowledge };
const NOTHING_KNOWN: LensKnowledge = { dead: [] };

type LinePosition = 'type' | 'channel' | 'seq';
export type SeenSeat = Pick<MeetingSeat, 'colour' | 'dead'> & WithSeenPersona<MeetingSeat>;
export type SeenMeeting = Pick<MeetingMatch, 'name' | 'about'> & {
  readonly options: SeenOptions<FilledMeetingOptions>;
  readonly call: Pick<MeetingMatch['call'], 'by' | 'report' | 'place'>;
  readonly seats: readonly SeenSeat[];
};
/** Fields that a lens adds, or shows with another type than the journal has. */
type Narrowed = {
  'match.opened': { readonly match: SeenMeeting | SeenGame };
  'round.closed': { readonly events?: readonly SeenEvent[] };
  /** In a game everybody sees which players are missing at the table. */
  'meeting.called': { readonly dead?: readonly Colour[] };
  /** Only once a side has won. `cast` only if people played. */
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
/** A line without its hidden fields. The match of a header has every option. */
export type SeenLine = Seen<Line>;
export type SeenOf<T extends Line['type']> = Extract<SeenLine, { type: T }>;

/** Reads "table", "glass" or "player:red"; null for anything else. */
export function parseLens(text: string): Lens | null {
  if (text === 'table' || text === 'glass') return { type: text };
  const seat = COLOURS.find((colour) => text === `player:${colour}`);
  return seat === undefined ? null : { type: 'player', seat };
}

export function formatLens(lens: Lens): string {
  return lens.type === 'player' ? `player:${lens.seat}` : lens.type;
}

/** A lens that learns from the lines it gets. Give it every line in order. */
export function lensFor(lens: Lens): (line: Line) => SeenLine | null {
  let known = NOTHING_KNOWN;
  return (line) => {
    known = learn(known, line);
    return throughLens(line, lens, known);
  };
}

export function seeThrough(lines: readonly Line[], lens: Lens): readonly SeenLine[] {
  const see = lensFor(lens);
  return lines.flatMap((line) => see(line) ?? []);
}

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

/** The visible part of a line, or null. `known` comes from the lines before it. */
export function throughLens(line: Line, lens: Lens, known = NOTHING_KNOWN): SeenLine | null {
  if (lens.type === 'glass') return throughGlass(line);
  const now = learn(known, line);
  const seat = lens.type === 'player' ? lens.seat : null;
  const viewer = { seat, isDead: seat !== null && now.dead.includes(seat) };
  const keys = keysFor(line, viewer);
  if (keys === null) return null;
  return cut({ ...line, ...narrow(line, viewer, now) }, [...PLACE, ...keys]);
}

export function throughGlass(line: Line): SeenLine {
  return line.type === 'match.opened' ? { ...line, match: fillMatch(line) } : line;
}

const PLACE: readonly LinePosition[] = ['type', 'channel', 'seq'];

type Keys<L extends Line> = readonly Exclude<keyof L | Added<L>, LinePosition | 'hash' | 'clock'>[];
type Added<L extends Line> = L['type'] extends keyof Narrowed
  ? Exclude<keyof Narrowed[L['type']], keyof L>
  : never;
/** Fields for every spectator, for players, for players in lines of their own seat, and for the dead. */
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
  // The leaver is the player whom the cleared ballot named.
  'vote.cleared': { table: ['seat'], own: ['leaver'], dead: ['leaver'] },
  'seat.faulted': { own: ['seat', 'code', 'streak'] },
  'seat.departed': { table: ['seat', 'reason'] },
  'scratchpads.updated': { own: ['seat', 'main', 'meeting'] },
  // `void` reveals ballots for a player who left before they are turned.
  'poll.closed': { table: ['reason', 'missed'], dead: ['void'] },
  'poll.counted': { dead: ['counts', 'outcome', 'ejected'] },
  'ballot.revealed': { table: ['index', 'voter', 'ballot', 'void'], dead: ['by'] },
  'verdict.announced': { table: ['sentence', 'outcome', 'ejected'] },
  'scratchpads.consolidated': { own: ['seat', 'main', 'line'] },
  'scratchpads.erased': { player: [] },
  'stop.requested': { table: ['outcome'] },
  'meeting.closed': { table: ['outcome', 'ejected'] },
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

/** A belief is a private thought. No other player sees it, dead or alive. */
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
const FIELDS: Readonly<Record<Channel, Partial<Record<Line['type'], AnyFieldsSeen>>>> = {
  living: LIVING,
  ghosts: GHOSTS,
  beliefs: BELIEFS,
};

/** The fields of a line that a viewer sees. Null if the line is hidden. */
function keysFor(line: Line, { seat, isDead }: LensViewer): readonly string[] | null {
  const fields = FIELDS[line.channel][line.type] ?? {};
  const isOwn = seat !== null && 'seat' in line && line.seat === seat;
  const sets = [
    fields.table,
    seat === null ? undefined : fields.player,
    isOwn ? fields.own : undefined,
    isDead ? fields.dead : undefined,
  ].filter((keys) => keys !== undefined);
  return sets.length === 0 ? null : sets.flat();
}

/** Fields with the data of several players, cut to the part that the viewer may see. */
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
      return roundFor(line, viewer, game?.hasBar ?? false);
    case 'game.closed':
      return line.winner === null || game === undefined ? {} : { ...game.players, dead };
    case 'meeting.called':
      return game === undefined ? {} : { dead };
    case 'gallery.opened':
      return { minds: viewer.seat === null ? {} : pick(line.minds, [viewer.seat]) };
    default:
      return {};
  }
}

type AnySeat = MatchSeat & Partial<Pick<MeetingSeat, 'dead' | 'saw'>>;

function matchFor(match: FilledMeeting | FilledGame, { seat: own, isDead }: LensViewer): object {
  const { name, about } = match;
  const { weights: _weights, ...options } = match.options;
  const seats: readonly AnySeat[] = match.seats;
  const self = seats.find(({ colour }) => colour === own);
  // If people play, the cast stays hidden, because they look through the same lenses.
  const tell = seats.some(isPerson) ? () => ({}) : castOf;
  const shown =
    'call' in match
      ? { options, call: pick(match.call, ['by', 'report', 'place']) }
      : { map: match.map, options };
  // The ghosts' channel has the minds of the dead.
  const seen = seats.map((seat) => ({
    ...(seat.dead === true ? {} : tell(seat)),
    ...seatFor(seat, self, isDead),
  }));
  return { name, about, ...shown, seats: seen };
}

/** Impostors know each other, and the dead every role. The voting habit of a seat is hidden even from its player. */
function seatFor(seat: AnySeat, self: AnySeat | undefined, isDead: boolean) {
  if (seat === self) return pick(seat, ['colour', 'dead', 'role', 'persona', 'saw', 'notes']);
  const knowsRole = isDead || (seat.role === 'impostor' && self?.role === 'impostor');
  return pick(seat, knowsRole ? ['colour', 'dead', 'role'] : ['colour', 'dead']);
}

function castOf({ colour, mind, model, persona }: MatchSeat): SeenCast {
  const shown = typeof persona === 'object' ? { name: persona.name } : persona;
  return {
    colour,
    mind,
    ...(model === undefined ? {} : { model }),
    ...(shown === undefined ? {} : { persona: shown }),
  };
}

function cut(line: object, keys: readonly string[]): SeenLine;
function cut(line: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(line).filter(([key]) => keys.includes(key)));
}

function learnGame({ seats, options }: FilledGame): GameKnowledge {
  const impostors = seats.filter(({ role }) => role === 'impostor').map(({ colour }) => colour);
  return {
    hasBar: options.task_bar === 'always',
    players: seats.some(isPerson) ? { impostors, cast: seats.map(castOf) } : { impostors },
  };
}

function roundFor(line: LineOf<'round.closed'>, viewer: LensViewer, hasBar: boolean): object {
  const { seat, isDead } = viewer;
  const own = seat === null ? [] : [seat];
  return {
    orders: line.orders.filter((order) => order.seat === seat),
    paths: isDead ? line.paths : pick(line.paths, own),
    deeds: isDead ? line.deeds : pick(line.deeds, own),
    seen: pick(line.seen, own),
    events: line.events.flatMap((event) => eventFor(event, viewer, hasBar) ?? []),
  };
}

function eventFor(
  event: EventFields,
  { seat, isDead }: LensViewer,
  hasBar: boolean,
): SeenEvent | null {
  switch (event.type) {
    // Failed intents stay private even from the dead.
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

/** `seat` is null for the table. A player whom a line kills already sees it as one of the dead. */
type LensViewer = { readonly seat: Colour | null; readonly isDead: boolean };

function pick<T extends object, K extends keyof T>(
  from: T,
  keys: readonly K[],
): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {};
  for (const key of keys) if (key in from) picked[key] = from[key];
  return picked;
}
