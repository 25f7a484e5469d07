/**
 * The Skeld: 14 rooms, and 7 hallways that each join some of them.
 *
 * No two rooms touch: from room to room one passes a hallway, so that people meet there. Every room opens to each of
 * its hallways once, which makes the 13 doors of the ship out of the 7 rooms that have any. Sources: the published
 * room pairs; vents and doors as the Impostor server numbers them.
 */
import { HALLWAYS, type Hallway, PLACES, type Place, ROOMS, type Room } from '../../types.ts';
import type { ShipMap, Vent } from './map.ts';

/** The rooms that each hallway joins. */
export const JOINED: Readonly<Record<Hallway, readonly Room[]>> = {
  'MedBay hallway': ['Cafeteria', 'MedBay', 'Upper Engine'],
  'Engine hallway': ['Upper Engine', 'Reactor', 'Security', 'Lower Engine'],
  'Electrical hallway': ['Lower Engine', 'Electrical', 'Storage'],
  'Admin hallway': ['Cafeteria', 'Admin', 'Storage'],
  'Weapons hallway': ['Cafeteria', 'Weapons'],
  'Navigation hallway': ['Weapons', 'O2', 'Navigation', 'Shields'],
  'Shields hallway': ['Storage', 'Communications', 'Shields'],
};

/** In each group one crawls from every vent to every other; there is no way from group to group. */
const VENT_GROUPS: readonly (readonly (readonly [number, Place])[])[] = [
  [
    [0, 'Admin'],
    [1, 'Navigation hallway'],
    [2, 'Cafeteria'],
  ],
  [
    [3, 'Electrical'],
    [5, 'Security'],
    [6, 'MedBay'],
  ],
  [
    [4, 'Upper Engine'],
    [11, 'Reactor'],
  ],
  [
    [8, 'Reactor'],
    [9, 'Lower Engine'],
  ],
  [
    [7, 'Weapons'],
    [12, 'Navigation'],
  ],
  [
    [10, 'Shields'],
    [13, 'Navigation'],
  ],
];

export const SKELD: ShipMap = {
  name: 'The Skeld',
  places: PLACES,
  openings: Object.fromEntries([
    ...ROOMS.map((room) => [room, HALLWAYS.filter((hallway) => JOINED[hallway].includes(room))]),
    ...HALLWAYS.map((hallway) => [hallway, JOINED[hallway]]),
  ]),
  vents: VENT_GROUPS.flatMap(linked).toSorted((one, other) => one.id - other.id),
  doors: [
    'Cafeteria',
    'Storage',
    'Electrical',
    'Lower Engine',
    'Security',
    'Upper Engine',
    'MedBay',
  ],
  cameras: {
    at: 'Security',
    show: ['MedBay hallway', 'Engine hallway', 'Admin hallway', 'Navigation hallway'],
  },
  adminTable: 'Admin',
  button: 'Cafeteria',
  consoles: {
    // Two hands on two panels, held together.
    reactor: ['Reactor', 'Reactor'],
    o2: ['O2', 'Admin'],
    lights: ['Electrical'],
    comms: ['Communications'],
  },
};

function linked(group: readonly (readonly [number, Place])[]): readonly Vent[] {
  const ids = group.map(([id]) => id);
  return group.map(([id, place]) => ({ id, place, links: ids.filter((other) => other !== id) }));
}
