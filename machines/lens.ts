/**
 * Lenses: what a spectator may see of the journal.
 *
 * A lens is a whitelist. For each type of line it says which fields pass; what nobody listed is hidden, so a new field
 * is a secret until somebody decides otherwise. `seq` stays, so a gap tells that something was hidden, never what.
 */
import type { GhostLine, Line, LivingLine } from './journal.ts';
import type { Scenario, ScenarioSeat } from './scenario.ts';
import { COLOURS, type Colour } from './types.ts';

export const LENSES = ['table', 'player', 'glass'] as const;
/** `table` is free of spoilers, `player` sees with one player's eyes, `glass` sees everything. */
export type Lens =
  | { readonly type: 'table' }
  | { readonly type: 'glass' }
  | { readonly type: 'player'; readonly seat: Colour };

/** The dead, as far as the lines so far tell: only they see the ghosts and the ballots. */
export type Knowledge = { readonly dead: readonly Colour[] };
const NOTHING_KNOWN: Knowledge = { dead: [] };

type Place = 'type' | 'channel' | 'seq';
export type SeenSeat = Pick<ScenarioSeat, 'colour' | 'dead'> & Partial<ScenarioSeat>;
export type SeenScenario = Pick<Scenario, 'name' | 'about' | 'options'> & {
  readonly call: Pick<Scenario['call'], 'by' | 'report' | 'place'>;
  readonly seats: readonly SeenSeat[];
};
type Seen<L> = L extends { type: 'journal.opened' }
  ? Pick<L, Place & keyof L> &
      Partial<Pick<Opened, 'v' | 'seed' | 'meeting'>> & { readonly scenario: SeenScenario }
  : L extends Line
    ? Pick<L, Place> & Partial<Omit<L, Place>>
    : never;
type Opened = Extract<Line, { type: 'journal.opened' }>;
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
    return { dead: line.scenario.seats.filter(({ dead }) => dead).map(({ colour }) => colour) };
  }
  const died = line.type === 'verdict.told' ? line.ejected : null;
  return died === null ? known : { dead: [...known.dead, died] };
}

/** What can be seen of a line; null when nothing can. `known` is what the lines before it told. */
export function throughLens(line: Line, lens: Lens, known = NOTHING_KNOWN): SeenLine | null {
  if (lens.type === 'glass') return line;
  const viewer = viewerOf(lens, learned(known, line));
  const keys = keysFor(line, viewer);
  return keys === null ? null : cut({ ...line, ...narrowed(line, viewer) }, [...PLACE, ...keys]);
}

/** Through whose eyes; null is anybody's at the table. */
type Viewer = { readonly seat: Colour | null; readonly isDead: boolean };

function viewerOf(lens: Exclude<Lens, { type: 'glass' }>, { dead }: Knowledge): Viewer {
  if (lens.type === 'table') return { seat: null, isDead: false };
  return { seat: lens.seat, isDead: dead.includes(lens.seat) };
}

const PLACE: readonly Place[] = ['type', 'channel', 'seq'];

type Keys<L extends Line> = readonly Exclude<keyof L, Place | 'hash' | 'clock'>[];
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
  'meeting.called': { table: ['by', 'kind', 'body', 'place'] },
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
function narrowed(line: Line, viewer: Viewer): object {
  const isOwn = ({ seat }: { readonly seat: Colour }) => seat === viewer.seat;
  switch (line.type) {
    case 'journal.opened':
      return { scenario: scenarioFor(line.scenario, viewer) };
    case 'tick.closed':
      return { bids: line.bids.filter(isOwn), scores: line.scores.filter(isOwn) };
    case 'turn.closed':
      return { bids: line.bids.filter(isOwn) };
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

function pick<T extends object, K extends keyof T>(
  from: T,
  keys: readonly K[],
): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {};
  for (const key of keys) if (key in from) picked[key] = from[key];
  return picked;
}

/** The fields of a line by name. Whatever is left beside its place is a `SeenLine`: all the rest is optional there. */
function cut(line: object, keys: readonly string[]): SeenLine;
function cut(line: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(line).filter(([key]) => keys.includes(key)));
}
