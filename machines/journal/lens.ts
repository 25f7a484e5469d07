/**
 * Lenses: what a spectator may see of the journal.
 *
 * A lens is a whitelist. For each type of line it says which fields pass; what nobody listed is hidden, so a new field
 * is a secret until somebody decides otherwise. `seq` stays, so a gap tells that something was hidden, never what.
 */

import type { Scenario, ScenarioSeat } from '../setup/match.ts';
import { COLOURS, type Colour } from '../types.ts';
import {
  type Aboard,
  ASHORE,
  aboard,
  lobbyFor,
  roundFor,
  type SeenEvent,
  type SeenLobby,
  unmasked,
} from './gameLens.ts';
import type { GhostLine, Line, LivingLine } from './lines.ts';
import { pick, type Viewer } from './viewer.ts';

export const LENSES = ['table', 'player', 'glass'] as const;
/** `table` is free of spoilers, `player` sees with one player's eyes, `glass` sees everything. */
export type Lens =
  | { readonly type: 'table' }
  | { readonly type: 'glass' }
  | { readonly type: 'player'; readonly seat: Colour };

/** What the lines so far tell that later ones are seen by: the dead, who see more, and what game is on. */
export type Knowledge = { readonly dead: readonly Colour[]; readonly aboard?: Aboard };
const NOTHING_KNOWN: Knowledge = { dead: [] };

type Place = 'type' | 'channel' | 'seq';
export type SeenSeat = Pick<ScenarioSeat, 'colour' | 'dead'> & Partial<ScenarioSeat>;
export type SeenScenario = Pick<Scenario, 'name' | 'about' | 'options'> & {
  readonly call: Pick<Scenario['call'], 'by' | 'report' | 'place'>;
  readonly seats: readonly SeenSeat[];
};
/** Lines whose fields hold something of everybody: what is left of those is another type than what was written. */
type Narrowed = {
  'journal.opened': { readonly scenario: SeenScenario };
  'game.opened': { readonly lobby: SeenLobby };
  'round.closed': { readonly events?: readonly SeenEvent[] };
  /** In a game: everybody who is dead, because who is missing at the table is seen by all. */
  'meeting.called': { readonly dead?: readonly Colour[] };
  /** Who the impostors were and who is dead, once it is won. */
  'game.closed': { readonly impostors?: readonly Colour[]; readonly dead?: readonly Colour[] };
};
type Seen<L> = L extends { type: infer T extends keyof Narrowed }
  ? Pick<L, Place & keyof L> & Partial<Omit<L, Place | keyof Narrowed[T]>> & Narrowed[T]
  : L extends Line
    ? Pick<L, Place> & Partial<Omit<L, Place>>
    : never;
/** A line with only what may be seen of it. Every line is one that hides nothing. */
export type SeenLine = Seen<Line>;
export type SeenOf<T extends Line['type']> = Extract<SeenLine, { type: T }>;

/** Reads "table", "glass" or "player:red"; null for anything else. */
export function parseLens(text: string): Lens | null {
  if (text === 'table' || text === 'glass') return { type: text };
  const seat = COLOURS.find((colour) => text === `player:${colour}`);
  return seat === undefined ? null : { type: 'player', seat };
}

/** A lens that remembers who has died: give it every line, in order. */
export function lensFor(lens: Lens): (line: Line) => SeenLine | null {
  let known = NOTHING_KNOWN;
  return (line) => {
    known = learned(known, line);
    return throughLens(line, lens, known);
  };
}

/** What is known of the dead after a line. */
function learned(known: Knowledge, line: Line): Knowledge {
  if (line.type === 'journal.opened') {
    const dead = line.scenario.seats.filter((seat) => seat.dead).map(({ colour }) => colour);
    return { dead };
  }
  if (line.type === 'game.opened') return { dead: [], aboard: aboard(line) };
  const died = diedIn(line);
  return died.length === 0 ? known : { ...known, dead: [...known.dead, ...died] };
}

function diedIn(line: Line): readonly Colour[] {
  if (line.type === 'verdict.told') return line.ejected === null ? [] : [line.ejected];
  if (line.type !== 'round.closed') return [];
  return line.events.flatMap((event) => (event.type === 'player.killed' ? [event.victim] : []));
}

/** What can be seen of a line; null when nothing can. `known` is what the lines before it told. */
export function throughLens(line: Line, lens: Lens, known = NOTHING_KNOWN): SeenLine | null {
  if (lens.type === 'glass') return line;
  const now = learned(known, line);
  const viewer = viewerOf(lens, now);
  const keys = keysFor(line, viewer);
  if (keys === null) return null;
  return cut({ ...line, ...narrowed(line, viewer, now) }, [...PLACE, ...keys]);
}

function viewerOf(lens: Exclude<Lens, { type: 'glass' }>, { dead }: Knowledge): Viewer {
  if (lens.type === 'table') return { seat: null, isDead: false };
  return { seat: lens.seat, isDead: dead.includes(lens.seat) };
}

const PLACE: readonly Place[] = ['type', 'channel', 'seq'];

type Keys<L extends Line> = readonly Exclude<keyof L | Added<L>, Place | 'hash' | 'clock'>[];
/** What a lens tells in a line that its journal has in another. */
type Added<L extends Line> = L['type'] extends keyof Narrowed
  ? Exclude<keyof Narrowed[L['type']], keyof L>
  : never;
/** Who sees which fields: everybody; a player in any line; a player in lines of the own seat; a dead player. */
type Sight<L extends Line> = {
  readonly table?: Keys<L>;
  readonly player?: Keys<L>;
  readonly own?: Keys<L>;
  readonly dead?: Keys<L>;
};
type Sights<L extends Line> = { readonly [T in L['type']]: Sight<Extract<L, { type: T }>> };

const LIVING: Sights<LivingLine> = {
  'journal.opened': { table: ['v', 'scenario'] },
  'meeting.called': { table: ['by', 'kind', 'body', 'place', 'dead'] },
  'meeting.refused': { table: ['note'] },
  'phase.entered': { table: ['phase'] },
  'tick.closed': {
    table: ['tick', 'occasion', 'floor', 'tie', 'said', 'hits', 'nudge'],
    player: ['bids', 'scores'],
  },
  'vote.locked': { table: ['seat'], own: ['ballot'], dead: ['ballot'] },
  'vote.refused': { own: ['seat', 'vote', 'note'] },
  // Who left tells for whom the ballot was.
  'vote.cleared': { table: ['seat'], own: ['leaver'], dead: ['leaver'] },
  'seat.faulted': { own: ['seat', 'code', 'streak'] },
  'seat.departed': { table: ['seat', 'reason'] },
  'pads.noted': { own: ['seat', 'main', 'meeting'] },
  // `void` names those who voted for somebody who left: ballots that are not turned yet.
  'poll.closed': { table: ['reason', 'missed'], dead: ['void'] },
  'poll.counted': { dead: ['counts', 'outcome', 'ejected'] },
  'ballot.turned': { table: ['index', 'voter', 'ballot', 'void'], dead: ['by'] },
  'verdict.told': { table: ['sentence', 'outcome', 'ejected'] },
  'pads.consolidated': { own: ['seat', 'main', 'line'] },
  'pads.erased': { player: [] },
  'stop.asked': { table: ['outcome'] },
  'meeting.closed': { table: ['outcome', 'ejected'] },
  'game.opened': { table: ['v', 'lobby'] },
  // What is left of it for each viewer is cut below.
  'round.closed': { table: ['round', 'events'], player: ['orders', 'paths', 'deeds', 'seen'] },
  'end.asked': { table: ['reason'] },
  'game.closed': { table: ['winner', 'reason', 'impostors', 'dead'] },
};

const GHOSTS: Sights<GhostLine> = {
  'gallery.opened': { dead: ['present', 'budget', 'minds'] },
  'ghost.joined': { dead: ['seat'] },
  'turn.closed': { dead: ['turn', 'occasion', 'said', 'bids'] },
  'pads.consolidated': { own: ['seat', 'main', 'line'] },
  'pads.erased': { dead: [] },
  'gallery.closed': { dead: ['turns'] },
};

type AnySight = { readonly [S in keyof Sight<Line>]: readonly string[] };

/** The fields of a line that a viewer sees; null when the line itself is hidden. */
function keysFor(line: Line, { seat, isDead }: Viewer): readonly string[] | null {
  const sight: AnySight = line.channel === 'living' ? LIVING[line.type] : GHOSTS[line.type];
  const isOwn = seat !== null && 'seat' in line && line.seat === seat;
  const sets = [
    sight.table,
    seat === null ? undefined : sight.player,
    isOwn ? sight.own : undefined,
    isDead ? sight.dead : undefined,
  ].filter((keys) => keys !== undefined);
  return sets.length === 0 ? null : sets.flat();
}

/** Fields that hold something of everybody, with only what the viewer may see left in them. */
function narrowed(line: Line, viewer: Viewer, { dead, aboard: game }: Knowledge): object {
  const isOwn = ({ seat }: { readonly seat: Colour }) => seat === viewer.seat;
  switch (line.type) {
    case 'journal.opened':
      return { scenario: scenarioFor(line.scenario, viewer) };
    case 'tick.closed':
      return { bids: line.bids.filter(isOwn), scores: line.scores.filter(isOwn) };
    case 'turn.closed':
      return { bids: line.bids.filter(isOwn) };
    case 'game.opened':
      return { lobby: lobbyFor(line.lobby, viewer) };
    case 'round.closed':
      return roundFor(line, viewer, game ?? ASHORE);
    case 'game.closed':
      return line.winner === null || game === undefined ? {} : { ...unmasked(game), dead };
    case 'meeting.called':
      return game === undefined ? {} : { dead };
    case 'gallery.opened':
      return { minds: viewer.seat === null ? {} : pick(line.minds, [viewer.seat]) };
    default:
      return {};
  }
}

function scenarioFor(
  { name, about, options, call, seats }: Scenario,
  viewer: Viewer,
): SeenScenario {
  const self = seats.find(({ colour }) => colour === viewer.seat);
  const { weights: _weights, ...open } = options;
  return {
    name,
    about,
    options: open,
    call: { by: call.by, ...pick(call, ['report', 'place']) },
    seats: seats.map((seat) => seatFor(seat, self, viewer)),
  };
}

/** Impostors know each other, and the dead know every role; nobody knows another's persona or memories. */
function seatFor(seat: ScenarioSeat, self: ScenarioSeat | undefined, { isDead }: Viewer): SeenSeat {
  const { colour, dead, role } = seat;
  if (seat === self) return { colour, dead, ...pick(seat, ['role', 'persona', 'saw', 'notes']) };
  const knowsRole = isDead || (role === 'impostor' && self?.role === 'impostor');
  return knowsRole ? { colour, dead, role } : { colour, dead };
}

/** The fields of a line by name. Whatever is left beside its place is a `SeenLine`: all the rest is optional there. */
function cut(line: object, keys: readonly string[]): SeenLine;
function cut(line: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(line).filter(([key]) => keys.includes(key)));
}
