import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  distance,
  findVent,
  neighbours,
  nextStep,
  SKELD,
  ventsAt,
} from '../../../../machines/rules/ship/map.ts';
import { mapRefusals } from '../../../../machines/rules/ship/soundness.ts';
import {
  HALLWAYS,
  PLACES,
  type Place,
  ROOMS,
  type Room,
  type ShipMap,
  SYSTEMS,
} from '../../../../machines/types.ts';
import { law } from '../../builders.ts';
import { aMap } from './maps.ts';

function walked(map: ShipMap, from: Place, to: Place, shut: readonly Room[]): readonly Place[] {
  const path: Place[] = [from];
  for (let at: Place | null = from; at !== to && path.length <= map.places.length; ) {
    at = nextStep(map, at, to, shut);
    if (at === null) break;
    path.push(at);
  }
  return path;
}

describe('distance, in steps', () => {
  test.each<[Place, Place, number]>([
    ['Cafeteria', 'Cafeteria', 0],
    ['Cafeteria', 'Admin hallway', 1],
    ['Cafeteria', 'Admin', 2],
    ['MedBay', 'Security', 4],
    ['Reactor', 'Navigation', 8],
    ['Communications', 'Electrical', 4],
    ['Admin', 'O2', 6],
    ['Weapons hallway', 'Shields hallway', 4],
  ])('from %s to %s it is %i', (from, to, steps) => {
    expect(distance(SKELD, from, to)).toBe(steps);
    expect(distance(SKELD, to, from)).toBe(steps);
  });

  test('is infinite to a place that is not on the map, and to one that no way leads to', () => {
    expect(distance(aMap(), 'Cafeteria', 'Reactor')).toBe(Infinity);
    const split = aMap({ openings: { Cafeteria: [], Storage: [], Admin: [] } });
    expect(distance(split, 'Cafeteria', 'Storage')).toBe(Infinity);
    expect(distance(split, 'Cafeteria', 'Cafeteria')).toBe(0);
    // Two maps of one name do not mix up their ways.
    expect(distance(aMap(), 'Cafeteria', 'Storage')).toBe(2);
  });
});

describe('the next step', () => {
  test.each<[string, Place, Place, readonly Room[], Place | null]>([
    ['of no way at all is none', 'Admin', 'Admin', [], null],
    ['leads into the hallway first', 'Cafeteria', 'Storage', [], 'Admin hallway'],
    ['leads out of it next', 'Admin hallway', 'Storage', [], 'Storage'],
    ['does not lead into a shut room', 'Admin hallway', 'Storage', ['Storage'], null],
    ['does not lead out of one', 'Storage', 'Admin', ['Storage'], null],
    ['does not mind doors elsewhere', 'Cafeteria', 'Weapons', ['Storage'], 'Weapons hallway'],
    ['goes round a shut room', 'Electrical', 'Shields', ['Storage'], 'Electrical hallway'],
    ['goes round it the long way', 'Lower Engine', 'Shields', ['Storage'], 'Engine hallway'],
    ['goes the short way when it is open', 'Lower Engine', 'Shields', [], 'Electrical hallway'],
    ['is not barred by a room without doors', 'Admin', 'Cafeteria', ['Admin'], 'Admin hallway'],
  ])('%s', (_, from, to, shut, next) => {
    expect(nextStep(SKELD, from, to, shut)).toBe(next);
  });

  test('of two equal ways takes the one that the map names first, whoever walks', () => {
    const ring: ShipMap = aMap({
      places: ['Cafeteria', 'Weapons', 'Admin', 'Storage'],
      openings: {
        Cafeteria: ['Weapons', 'Admin'],
        Weapons: ['Cafeteria', 'Storage'],
        Admin: ['Cafeteria', 'Storage'],
        Storage: ['Weapons', 'Admin'],
      },
    });
    expect(nextStep(ring, 'Cafeteria', 'Storage', [])).toBe('Weapons');
    const turned: ShipMap = {
      ...ring,
      openings: { ...ring.openings, Cafeteria: ['Admin', 'Weapons'] },
    };
    expect(nextStep(turned, 'Cafeteria', 'Storage', [])).toBe('Admin');
  });

  test('a route does not depend on the order of the shut doors', () => {
    const one: readonly Room[] = ['Cafeteria', 'Storage', 'MedBay'];
    for (const from of PLACES)
      for (const to of PLACES)
        expect(nextStep(SKELD, from, to, one)).toBe(nextStep(SKELD, from, to, one.toReversed()));
  });
});

const somePlace = fc.constantFrom(...PLACES);
const someDoors = fc.subarray([...SKELD.doors]);

law(
  'with all doors open everybody arrives in as many steps as the distance says',
  fc.property(somePlace, somePlace, (from, to) => {
    expect(walked(SKELD, from, to, [])).toHaveLength(distance(SKELD, from, to) + 1);
  }),
);

law(
  'nobody walks through a wall or a shut door, and doors make no way shorter',
  fc.property(somePlace, somePlace, someDoors, (from, to, shut) => {
    const path = walked(SKELD, from, to, shut);
    const closed: readonly Place[] = shut;
    for (const [index, place] of path.entries()) {
      if (index === 0) continue;
      expect(neighbours(SKELD, path[index - 1] ?? place)).toContain(place);
      expect(closed).not.toContain(place);
      expect(closed).not.toContain(path[index - 1]);
    }
    if (path.at(-1) === to)
      expect(path.length - 1).toBeGreaterThanOrEqual(distance(SKELD, from, to));
    // A player who is sent on arrives: no step leads into a dead end.
    else expect(path).toEqual([from]);
  }),
);

describe('vents', () => {
  test('are found by place and by number', () => {
    expect(ventsAt(SKELD, 'Reactor').map(({ id }) => id)).toEqual([8, 11]);
    expect(ventsAt(SKELD, 'Storage')).toEqual([]);
    expect(findVent(SKELD, 1)?.place).toBe('Navigation hallway');
    expect(findVent(SKELD, 14)).toBeNull();
    expect(findVent(SKELD, -1)).toBeNull();
  });
});

const named = (one: string, other: string) => [one, other].toSorted().join(' – ');

/** The published list: rooms between which one walks without passing a third. */
const PAIRS = Object.entries({
  Cafeteria: ['MedBay', 'Upper Engine', 'Admin', 'Storage', 'Weapons'],
  MedBay: ['Upper Engine'],
  'Upper Engine': ['Reactor', 'Security', 'Lower Engine'],
  Reactor: ['Security', 'Lower Engine'],
  Security: ['Lower Engine'],
  'Lower Engine': ['Electrical', 'Storage'],
  Electrical: ['Storage'],
  Admin: ['Storage'],
  Weapons: ['O2', 'Navigation', 'Shields'],
  O2: ['Navigation', 'Shields'],
  Navigation: ['Shields'],
  Storage: ['Communications', 'Shields'],
  Communications: ['Shields'],
}).flatMap(([one, others]) => others.map((other) => named(one, other)));

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
    expect(pairs.toSorted()).toEqual(PAIRS.toSorted());
  });

  test('has two steps between the rooms of a pair, and more between all others', () => {
    const near = new Set(PAIRS);
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
  test.each<Readonly<Record<number, Place>>>([
    { 0: 'Admin', 1: 'Navigation hallway', 2: 'Cafeteria' },
    { 3: 'Electrical', 5: 'Security', 6: 'MedBay' },
    { 4: 'Upper Engine', 11: 'Reactor' },
    { 8: 'Reactor', 9: 'Lower Engine' },
    { 7: 'Weapons', 12: 'Navigation' },
    { 10: 'Shields', 13: 'Navigation' },
  ])('%j lead to each other and nowhere else', (group) => {
    const ids = Object.keys(group).map(Number);
    for (const id of ids) {
      const links = ids.filter((other) => other !== id);
      expect(SKELD.vents.find((one) => one.id === id)).toEqual({ id, place: group[id], links });
    }
  });

  test('are 14, numbered from 0, none in Storage, Communications or O2', () => {
    expect(SKELD.vents.map(({ id }) => id)).toEqual(Array.from({ length: 14 }, (_, id) => id));
    for (const room of ['Storage', 'Communications', 'O2'] as const)
      expect(ventsAt(SKELD, room)).toEqual([]);
  });
});

describe('places of vents, doors and consoles', () => {
  test('the ship has 13 doors, one at each opening of the 7 rooms that have doors', () => {
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

  test('Reactor has two consoles, O2 and Admin a keypad each, and other systems one console', () => {
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

const aVent = (id: number, place: Place, ...links: readonly number[]) => ({ id, place, links });

const NO_CONSOLES = { reactor: [], o2: [], lights: [], comms: [] };

test('a small map is fine', () => {
  expect(mapRefusals(aMap())).toEqual([]);
});

test.each<[string, Partial<ShipMap>, string]>([
  [
    'a task in a room that no way leads to',
    { openings: { ...aMap().openings, Storage: [], 'Admin hallway': ['Cafeteria', 'Admin'] } },
    'match/unreachable-task: Fix Wiring is done in Storage, where no way leads from Cafeteria',
  ],
  [
    'no task at all',
    { places: ['Cafeteria', 'MedBay hallway'], openings: {} },
    'match/no-tasks: expected rooms for at least one task, found none on a small ship',
  ],
  [
    'a console in a room that no way leads to',
    {
      places: [...aMap().places, 'Electrical'],
      consoles: { ...NO_CONSOLES, lights: ['Electrical'] },
    },
    'match/unreachable: lights is fixed in Electrical, where no way leads from Cafeteria',
  ],
  [
    'a button that is not on it',
    { button: 'MedBay' },
    'match/map-place: the button names MedBay, which is not on a small ship',
  ],
  [
    'doors of a room that is not on it',
    { doors: ['MedBay'] },
    'match/map-place: doors names MedBay, which is not on a small ship',
  ],
  [
    'a camera that shows a place that is not on it',
    { cameras: { at: 'Admin', show: ['Engine hallway'] } },
    'match/map-place: cameras names Engine hallway, which is not on a small ship',
  ],
  [
    'an opening that leads one way only',
    { openings: { ...aMap().openings, Cafeteria: ['Admin hallway', 'Admin'] } },
    'match/map-opening: Cafeteria opens to Admin, which does not open to Cafeteria',
  ],
  [
    'an opening into itself',
    { openings: { ...aMap().openings, Admin: ['Admin hallway', 'Admin'] } },
    'match/map-opening: Admin opens to itself',
  ],
  [
    'a vent that leads nowhere',
    { vents: [aVent(0, 'Admin', 5)] },
    'match/map-vent: vent 0 leads to 5, which is no vent',
  ],
  [
    'a vent that leads to itself',
    { vents: [aVent(0, 'Admin', 0)] },
    'match/map-vent: vent 0 leads to itself',
  ],
  [
    'a vent without a way back',
    { vents: [aVent(0, 'Admin', 1), aVent(1, 'Storage')] },
    'match/map-vent: vent 0 leads to 1, but 1 does not lead back',
  ],
  [
    'two vents of one number',
    { vents: [aVent(3, 'Admin'), aVent(3, 'Storage')] },
    'match/map-vent: expected a number of its own for every vent, found another 3',
  ],
])('a map with %s is refused', (_, map, sentence) => {
  const told = mapRefusals(aMap(map)).map(({ code, text }) => `${code}: ${text}`);
  expect(told).toContain(sentence);
});
