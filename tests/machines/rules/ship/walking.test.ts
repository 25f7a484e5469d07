/** Walking: speed, ways, and following somebody. */
import { describe, expect, test } from 'vitest';
import {
  aWorld,
  later,
  placeOf,
  playRound,
  refusal,
  rounds,
  seenOf,
  type Wanted,
} from './worlds.ts';

const GOES = { blue: { type: 'go', to: 'Reactor' } } as const;

describe('speed', () => {
  /** From Cafeteria to the Reactor: MedBay hallway, Upper Engine, Engine hallway, Reactor. */
  test.each([
    [0.5, [0, 1, 1, 2, 2, 3, 3, 4]],
    [0.75, [0, 1, 2, 3, 3, 4]],
    [1, [1, 2, 3, 4]],
    [1.5, [1, 3, 4]],
    [3, [3, 4]],
  ])('%f: so many steps are done after each round', (playerSpeed, steps) => {
    const world = aWorld({ options: { playerSpeed } });
    const played = rounds(world, GOES, ...steps.slice(1).map(() => ({})));
    const way = ['Cafeteria', 'MedBay hallway', 'Upper Engine', 'Engine hallway', 'Reactor'];
    expect(played.map((round) => way.indexOf(placeOf(round, 'blue') ?? ''))).toEqual(steps);
  });

  test('what is left of a stride is lost on arrival', () => {
    const world = aWorld({ options: { playerSpeed: 1.5 } });
    const round = later(world, 2, { blue: { type: 'go', to: 'MedBay' } });
    expect([placeOf(round, 'blue'), round.world.players.blue?.stride]).toEqual(['MedBay', 0]);
  });

  test('and when one stands still', () => {
    const world = aWorld({ options: { playerSpeed: 1.5 } });
    const played = rounds(world, GOES, { blue: { type: 'wait', rounds: 1 } });
    expect(played.map(({ world: { players } }) => players.blue?.stride)).toEqual([2, 0]);
  });

  test('whoever walked in a round is known to have walked', () => {
    const played = rounds(aWorld(), { blue: { type: 'go', to: 'MedBay hallway' } }, {});
    expect(played.map(({ world: { players } }) => players.blue?.moved)).toEqual([true, false]);
  });
});

describe('going', () => {
  test('is over on arrival, and one is asked again', () => {
    const round = later(aWorld(), 2, { blue: { type: 'go', to: 'MedBay' } });
    expect(round.world.players.blue?.intent).toBeNull();
    expect(round.world.asks.blue).toContain('arrived');
  });

  test('is refused to a place that is not on the map', () => {
    const { ship } = aWorld();
    const map = { ...ship.map, places: ship.map.places.filter((place) => place !== 'O2') };
    const round = playRound(aWorld({ map }), { blue: { type: 'go', to: 'O2' } });
    expect(refusal(round, 'blue')).toBe('intent/no-place');
  });

  test('is refused to a place where no way leads', () => {
    const { ship } = aWorld();
    const openings = { ...ship.map.openings, O2: [], 'Navigation hallway': [] };
    const round = playRound(aWorld({ map: { ...ship.map, openings } }), {
      blue: { type: 'go', to: 'O2' },
    });
    expect(refusal(round, 'blue')).toBe('intent/no-way');
  });

  test('nobody stands in anybody else’s way', () => {
    const round = playRound(aWorld({ at: { green: 'MedBay' } }), {
      blue: { type: 'go', to: 'MedBay hallway' },
      green: { type: 'go', to: 'MedBay hallway' },
    });
    expect([placeOf(round, 'blue'), placeOf(round, 'green')]).toEqual([
      'MedBay hallway',
      'MedBay hallway',
    ]);
  });
});

describe('on a map whose rooms touch', () => {
  const touching = (wanted: Wanted) => {
    const { ship } = aWorld();
    const openings = { Cafeteria: ['Admin'], Admin: ['Cafeteria'] } as const;
    const map = { ...ship.map, places: ['Cafeteria', 'Admin'], openings } as const;
    return aWorld({ map, at: { green: 'Admin' }, ...wanted });
  };
  const orders = {
    blue: { type: 'go', to: 'Admin' },
    green: { type: 'go', to: 'Cafeteria' },
  } as const;

  test.each([
    ['in the light have seen each other', null, ['passing in Cafeteria']],
    ['in the dark have not', { system: 'lights' }, []],
  ] as const)('two who cross %s', (_, crisis, seen) => {
    const world = touching(crisis === null ? {} : { crisis });
    expect(seenOf(playRound(world, orders), 'blue', 'green')).toEqual(seen);
  });
});

describe('following', () => {
  const follows = { blue: { type: 'follow', whom: 'green', rounds: 9 } } as const;
  const leading = (wanted: Wanted = {}) =>
    aWorld({
      ...wanted,
      players: { green: { intent: { type: 'go', to: 'Reactor' } }, ...wanted.players },
    });

  test('is a step behind', () => {
    const played = rounds(leading(), follows, {}, {});
    expect(played.map((round) => [placeOf(round, 'green'), placeOf(round, 'blue')])).toEqual([
      ['MedBay hallway', 'Cafeteria'],
      ['Upper Engine', 'MedBay hallway'],
      ['Engine hallway', 'Upper Engine'],
    ]);
  });

  test('is over when both stand together', () => {
    const round = playRound(aWorld({ at: { blue: 'MedBay', green: 'MedBay' } }), follows);
    expect(round.world.players.blue?.intent).toBeNull();
  });

  test('is over when they are two steps ahead', () => {
    const round = playRound(aWorld({ at: { green: 'MedBay' } }), follows);
    expect([placeOf(round, 'blue'), round.world.players.blue?.intent]).toEqual(['Cafeteria', null]);
  });

  test('is over when a door shuts between the two', () => {
    const world = aWorld({ at: { green: 'MedBay', blue: 'MedBay hallway' } });
    const round = playRound(world, { ...follows, red: { type: 'shut', room: 'MedBay' } });
    expect(round.world.players.blue?.intent).toBeNull();
  });

  test.each([
    ['light', null, 'follow'],
    ['the dark', { system: 'lights' }, undefined],
  ] as const)('out of a room works in %s: %s', (_, crisis, type) => {
    const world = leading({
      at: { green: 'MedBay', blue: 'MedBay' },
      ...(crisis === null ? {} : { crisis }),
    });
    expect(playRound(world, follows).world.players.blue?.intent?.type).toBe(type);
  });

  test('is over when they climb into a vent', () => {
    const world = aWorld({ at: { red: 'MedBay', blue: 'MedBay' } });
    const orders = {
      blue: { type: 'follow', whom: 'red', rounds: 9 },
      red: { type: 'vent', to: 6 },
    } as const;
    expect(playRound(world, orders).world.players.blue?.intent).toBeNull();
  });

  test('nobody follows themselves', () => {
    const round = playRound(aWorld(), { blue: { type: 'follow', whom: 'blue', rounds: 2 } });
    expect(refusal(round, 'blue')).toBe('intent/self');
  });
});
