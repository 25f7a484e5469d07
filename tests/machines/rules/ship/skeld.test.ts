import { describe, expect, test } from 'vitest';
import {
  distance,
  neighbours,
  SKELD,
  SYSTEMS,
  ventsAt,
} from '../../../../machines/rules/ship/map.ts';
import { mapRefusals } from '../../../../machines/rules/ship/soundness.ts';
import { HALLWAYS, PLACES, type Place, ROOMS, type Room } from '../../../../machines/types.ts';

/** The published list: rooms between which one walks without passing a third. */
const PAIRS: readonly (readonly [Room, Room])[] = [
  ['Cafeteria', 'MedBay'],
  ['Cafeteria', 'Upper Engine'],
  ['MedBay', 'Upper Engine'],
  ['Upper Engine', 'Reactor'],
  ['Upper Engine', 'Security'],
  ['Upper Engine', 'Lower Engine'],
  ['Reactor', 'Security'],
  ['Reactor', 'Lower Engine'],
  ['Security', 'Lower Engine'],
  ['Lower Engine', 'Electrical'],
  ['Lower Engine', 'Storage'],
  ['Electrical', 'Storage'],
  ['Cafeteria', 'Admin'],
  ['Cafeteria', 'Storage'],
  ['Admin', 'Storage'],
  ['Cafeteria', 'Weapons'],
  ['Weapons', 'O2'],
  ['Weapons', 'Navigation'],
  ['Weapons', 'Shields'],
  ['O2', 'Navigation'],
  ['O2', 'Shields'],
  ['Navigation', 'Shields'],
  ['Storage', 'Communications'],
  ['Storage', 'Shields'],
  ['Communications', 'Shields'],
];
const named = (one: Place, other: Place) => [one, other].toSorted().join(' – ');

describe('the ship', () => {
  test('has 14 rooms and 7 hallways, and every place is on the map', () => {
    expect([ROOMS.length, HALLWAYS.length]).toEqual([14, 7]);
    expect(SKELD.places).toEqual(PLACES);
    expect(mapRefusals(SKELD)).toEqual([]);
  });

  test('joins the 25 published pairs of rooms and no other: 3 + 6 + 3 + 3 + 1 + 6 + 3', () => {
    const pairs = HALLWAYS.flatMap((hallway) => {
      const rooms = neighbours(SKELD, hallway);
      return rooms.flatMap((one, index) =>
        rooms.slice(index + 1).map((other) => named(one, other)),
      );
    });
    expect(pairs).toHaveLength(25);
    expect(pairs.toSorted()).toEqual(PAIRS.map(([one, other]) => named(one, other)).toSorted());
  });

  test('has two steps between the rooms of a pair, and more between all others', () => {
    const near = new Set(PAIRS.map(([one, other]) => named(one, other)));
    for (const one of ROOMS)
      for (const other of ROOMS.filter((room) => room !== one)) {
        const steps = distance(SKELD, one, other);
        expect(steps === 2, named(one, other)).toBe(near.has(named(one, other)));
        expect(steps % 2).toBe(0);
      }
  });

  test('no room touches a room and no hallway a hallway', () => {
    const rooms: readonly Place[] = ROOMS;
    for (const place of PLACES)
      for (const next of neighbours(SKELD, place))
        expect(rooms.includes(next)).toBe(!rooms.includes(place));
  });

  test('opens 22 times, both ways', () => {
    const openings = PLACES.flatMap((place) => neighbours(SKELD, place));
    expect(openings).toHaveLength(2 * 22);
    for (const place of PLACES)
      for (const next of neighbours(SKELD, place)) expect(neighbours(SKELD, next)).toContain(place);
  });

  test('is at most eight steps long, so that nobody walks longer than 20 s', () => {
    const all = PLACES.flatMap((from) => PLACES.map((to) => distance(SKELD, from, to)));
    expect(Math.max(...all)).toBe(8);
  });
});

describe('vents', () => {
  test.each<[readonly (readonly [number, Place])[]]>([
    [
      [
        [0, 'Admin'],
        [1, 'Navigation hallway'],
        [2, 'Cafeteria'],
      ],
    ],
    [
      [
        [3, 'Electrical'],
        [5, 'Security'],
        [6, 'MedBay'],
      ],
    ],
    [
      [
        [4, 'Upper Engine'],
        [11, 'Reactor'],
      ],
    ],
    [
      [
        [8, 'Reactor'],
        [9, 'Lower Engine'],
      ],
    ],
    [
      [
        [7, 'Weapons'],
        [12, 'Navigation'],
      ],
    ],
    [
      [
        [10, 'Shields'],
        [13, 'Navigation'],
      ],
    ],
  ])('%j lead to each other and nowhere else', (group) => {
    for (const [id, place] of group) {
      const vent = SKELD.vents.find((one) => one.id === id);
      const others = group.map(([other]) => other).filter((other) => other !== id);
      expect(vent).toEqual({ id, place, links: others });
    }
  });

  test('are 14, numbered from 0, none in Storage, Communications or O2', () => {
    expect(SKELD.vents.map(({ id }) => id)).toEqual(Array.from({ length: 14 }, (_, id) => id));
    for (const room of ['Storage', 'Communications', 'O2'] as const)
      expect(ventsAt(SKELD, room)).toEqual([]);
  });
});

describe('what is where', () => {
  test('13 doors: as many as the 7 rooms that have any open to hallways', () => {
    const doors = (room: Room) => neighbours(SKELD, room).length;
    expect(SKELD.doors.toSorted().map((room) => [room, doors(room)])).toEqual([
      ['Cafeteria', 3],
      ['Electrical', 1],
      ['Lower Engine', 2],
      ['MedBay', 1],
      ['Security', 1],
      ['Storage', 3],
      ['Upper Engine', 2],
    ]);
    expect(SKELD.doors.map(doors).reduce((sum, count) => sum + count, 0)).toBe(13);
  });

  test('consoles: both hands in Reactor, a keypad each in O2 and Admin, one place for the rest', () => {
    expect(SYSTEMS.map((system) => SKELD.consoles[system])).toEqual([
      ['Reactor', 'Reactor'],
      ['O2', 'Admin'],
      ['Electrical'],
      ['Communications'],
    ]);
  });

  test('the button in Cafeteria, the table in Admin, the screens of four hallways in Security', () => {
    expect(SKELD.button).toBe('Cafeteria');
    expect(SKELD.adminTable).toBe('Admin');
    expect(SKELD.cameras?.at).toBe('Security');
    expect(SKELD.cameras?.show.toSorted()).toEqual([
      'Admin hallway',
      'Engine hallway',
      'MedBay hallway',
      'Navigation hallway',
    ]);
  });
});
