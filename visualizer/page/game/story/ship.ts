/** The ship: who is where on the map, as far as the lens shows it, with doors and what was seen last. */
import type { SeenLine, SeenOf } from '../../../../machines/journal/lens.ts';
import type { BySeat, Colour, Deed, Place, Room } from '../../../../machines/types.ts';
import { embarked, sailed, type Voyage } from '../../../terminal/voyage.ts';

type Round = SeenOf<'round.closed'>;

/** Where somebody was seen by the player through whose eyes one looks. */
export type Glimpse = { readonly place: Place; readonly did: Deed; readonly round: number };

export type Ship = {
  readonly voyage: Voyage;
  /** Rooms whose doors are shut. */
  readonly shut: readonly Room[];
  /** The last round that was played; null in a meeting. */
  readonly round: Round | null;
  /** Through a player's eyes: where each of the others was seen last. */
  readonly glimpses: BySeat<Glimpse>;
};

/** The ship once a line has been seen. */
export function sailedOn(ship: Ship | null, line: SeenLine, lens: Voyage['lens']): Ship | null {
  if (line.type === 'game.opened') {
    return { voyage: embarked(line, lens), shut: [], round: null, glimpses: {} };
  }
  if (ship === null) return null;
  const voyage = sailed(ship.voyage, line);
  if (line.type === 'round.closed') {
    return { voyage, shut: shutIn(ship.shut, line), round: line, glimpses: seenIn(ship, line) };
  }
  const isCalled = line.type === 'phase.entered' && line.phase === 'interrupt';
  if (isCalled) return { ...ship, voyage, round: null, shut: [] };
  if (line.type === 'meeting.closed') return { ...ship, voyage, glimpses: {} };
  return voyage === ship.voyage ? ship : { ...ship, voyage };
}

function shutIn(shut: readonly Room[], { events = [] }: Round): readonly Room[] {
  let rooms = shut;
  for (const event of events) {
    const { room } = 'room' in event ? event : { room: undefined };
    if (event.type === 'doors.opened') rooms = rooms.filter((one) => one !== room);
    if (event.type === 'doors.shut' && room !== undefined) rooms = rooms.concat(room);
  }
  return rooms;
}

function seenIn({ voyage: { lens, round }, glimpses }: Ship, line: Round): BySeat<Glimpse> {
  if (lens.type !== 'player') return glimpses;
  const sights = line.seen?.[lens.seat] ?? [];
  const found = sights.map(([who, place, did]) => [who, { place, did, round }] as const);
  return found.length === 0 ? glimpses : { ...glimpses, ...Object.fromEntries(found) };
}

/** Whom a player has seen in the round that was played last, and where. */
export function sightsOf(
  { round }: Ship,
  seat: Colour,
): readonly (readonly [Colour, Place, Deed])[] {
  return round?.seen?.[seat] ?? [];
}
