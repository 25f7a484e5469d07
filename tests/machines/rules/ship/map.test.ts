import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  distance,
  findVent,
  neighbours,
  nextStep,
  type ShipMap,
  SKELD,
  ventsAt,
} from '../../../../machines/rules/ship/map.ts';
import { PLACES, type Place, type Room } from '../../../../machines/types.ts';
import { law } from '../../builders.ts';
import { aMap } from './maps.ts';

/** Walks from place to place as `nextStep` says; gives up where the ship is longer than it has places. */
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

  test('does not depend on the order in which the doors were shut', () => {
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
    // Whoever is told to go on arrives: no step leads into a dead end.
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

test('two maps of one name do not mix up their ways', () => {
  const open = aMap();
  const split = aMap({
    openings: { Cafeteria: ['Admin hallway'], 'Admin hallway': ['Cafeteria'] },
  });
  expect(distance(open, 'Cafeteria', 'Storage')).toBe(2);
  expect(distance(split, 'Cafeteria', 'Storage')).toBe(Infinity);
});
