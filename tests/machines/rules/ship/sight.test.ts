import { describe, expect, test } from 'vitest';
import { NO_PAST } from '../../../../machines/rules/record.ts';
import { addToPast } from '../../../../machines/rules/ship/sight.ts';
import { sceneFor } from '../../../../machines/rules/ship/views.ts';
import type { Colour, Place } from '../../../../machines/types.ts';
import { aWorld, CREW, later, playRound, seenOf, type Wanted } from './worlds.ts';

const looking = (place: Place, wanted: Wanted = {}) =>
  aWorld({
    ...wanted,
    at: { blue: 'MedBay hallway', red: 'MedBay hallway', green: place, ...wanted.at },
  });

describe('vision', () => {
  test.each([
    [0.25, 'MedBay hallway', true],
    [0.25, 'MedBay', false],
    [1, 'MedBay', false],
    [1.25, 'MedBay', true],
    [1.25, 'Engine hallway', false],
    [2.25, 'Engine hallway', false],
    [2.5, 'Engine hallway', true],
    [5, 'Engine hallway', true],
    [5, 'Reactor', false],
  ] as const)('of a crewmate at %f: somebody in %s is seen: %s', (crewVision, place, isSeen) => {
    const round = playRound(looking(place, { options: { crewVision } }));
    expect(seenOf(round, 'blue', 'green')).toEqual(isSeen ? [`lurking in ${place}`] : []);
  });

  test('impostor vision has its own option: by default one step further', () => {
    const round = playRound(looking('MedBay'));
    expect([seenOf(round, 'red', 'green'), seenOf(round, 'blue', 'green')]).toEqual([
      ['lurking in MedBay'],
      [],
    ]);
  });
});

test.each([
  ['who is there is seen', {}, ['red']],
  ['who is in a vent is not', { players: { red: { vent: 2 } } }, []],
  ['nor who is dead', { standings: { red: 'dead' } }, []],
  ['nor anybody by one who is dead', { standings: { blue: 'dead' } }, []],
] as const)('before an order: %s', (_, wanted: Wanted, seen) => {
  const scene = sceneFor(aWorld({ at: { red: 'Admin', blue: 'Admin' }, ...wanted }), 'blue', CREW);
  expect(scene?.here).toEqual(seen.map((who) => ({ who, place: 'Admin' })));
  expect(scene?.company).toEqual(seen);
});

test('only the killer knows of a kill in the next place that is out of sight', () => {
  const world = aWorld({
    at: { red: 'MedBay hallway', pink: 'MedBay hallway', blue: 'MedBay' },
    options: { killDistance: 'long', impostorVision: 1, crewVision: 1 },
  });
  const round = playRound(world, { red: 'kill blue' });
  expect(seenOf(round, 'red', 'red')).toEqual(['kill in MedBay']);
  expect(seenOf(round, 'pink', 'red')).not.toContain('kill in MedBay');
});

test('a kill is seen by the light at the start of its round', () => {
  const at = { red: 'MedBay', blue: 'MedBay', green: 'MedBay' } as const;
  const impostors = ['red', 'orange'] as const;
  const orders = { red: 'kill blue', orange: 'sabotage lights' } as const;
  const round = playRound(aWorld({ at, impostors }), orders);
  expect(seenOf(round, 'green', 'red')).toContain('kill in MedBay');
  const dark = playRound(aWorld({ at, impostors, crisis: { system: 'lights' } }), orders);
  expect(seenOf(dark, 'green', 'red')).not.toContain('kill in MedBay');
});

describe('with the lights out', () => {
  const dark = { crisis: { system: 'lights' }, options: { crewVision: 5 } } as const;

  test.each([
    ['nobody in a room', 'MedBay', 'MedBay', []],
    [
      'whoever is in the same hallway',
      'MedBay hallway',
      'MedBay hallway',
      ['lurking in MedBay hallway'],
    ],
    ['nobody in the next place', 'MedBay hallway', 'MedBay', []],
  ] as const)('a crewmate sees %s', (_, own, place, seen) => {
    const round = playRound(looking(place, { ...dark, at: { blue: own } }));
    expect(seenOf(round, 'blue', 'green')).toEqual(seen);
  });

  test("an impostor's sight is unchanged", () => {
    expect(seenOf(playRound(looking('MedBay', dark)), 'red', 'green')).toEqual([
      'lurking in MedBay',
    ]);
  });

  test('a crewmate stumbles over a body in the own place, and sees none elsewhere', () => {
    const bodies = [{ victim: 'pink', place: 'MedBay' }] as const;
    const world = looking('MedBay', { ...dark, standings: { pink: 'dead' }, world: { bodies } });
    const round = playRound(world);
    expect(seenOf(round, 'green', 'pink')).toEqual(['dead in MedBay']);
    expect(seenOf(round, 'blue', 'pink')).toEqual([]);
  });
});

describe('on the way', () => {
  test('two who cross have seen each other in the hallway', () => {
    const world = aWorld({ at: { blue: 'MedBay hallway', green: 'MedBay' } });
    const round = playRound(world, { blue: 'go MedBay', green: 'go MedBay hallway' });
    expect(seenOf(round, 'blue', 'green')).toEqual(['passing in MedBay hallway']);
    expect(seenOf(round, 'green', 'blue')).toEqual(['passing in MedBay hallway']);
  });

  test('who stays sees where somebody goes, and is not seen any more', () => {
    const world = aWorld({ at: { blue: 'MedBay', green: 'MedBay' } });
    const round = playRound(world, { green: 'go Reactor' });
    expect(seenOf(round, 'blue', 'green')).toEqual(['passing in MedBay hallway']);
    expect(seenOf(round, 'green', 'blue')).toEqual([]);
  });

  test('at speed 3 one is seen in every place that one comes through', () => {
    const world = aWorld({
      options: { playerSpeed: 3 },
      at: { blue: 'Upper Engine', green: 'Cafeteria' },
    });
    const round = playRound(world, { green: 'go Reactor' });
    expect(seenOf(round, 'blue', 'green')).toEqual([
      'passing in Upper Engine',
      'passing in Engine hallway',
    ]);
  });

  test('at speed 3 one sees a body that one comes by', () => {
    const bodies = [{ victim: 'pink', place: 'Upper Engine' }] as const;
    const world = aWorld({
      options: { playerSpeed: 3 },
      standings: { pink: 'dead' },
      world: { bodies },
    });
    const round = playRound(world, { green: 'go Reactor' });
    expect(seenOf(round, 'green', 'pink')).toEqual(['dead in Upper Engine']);
    expect(round.world.asks.green).toContain('body');
  });

  test('who follows somebody sees them one step ahead', () => {
    const world = aWorld({ at: { blue: 'MedBay', green: 'MedBay hallway' } });
    const orders = { blue: 'follow green 3', green: 'go Cafeteria' } as const;
    expect(seenOf(playRound(world, orders), 'blue', 'green')).toEqual(['passing in Cafeteria']);
    expect(seenOf(playRound(world, { green: orders.green }), 'blue', 'green')).toEqual([]);
  });
});

describe('a kill', () => {
  const stabbing = (wanted: Wanted = {}) =>
    aWorld({
      ...wanted,
      at: { red: 'MedBay', blue: 'MedBay', green: 'MedBay', pink: 'Cafeteria', ...wanted.at },
    });
  const orders = { red: 'kill blue' } as const;

  test('is seen in the same place, with who fell, and nowhere else', () => {
    const round = playRound(stabbing(), orders);
    expect(seenOf(round, 'green', 'red')).toEqual(['kill in MedBay']);
    expect(seenOf(round, 'green', 'blue')).toEqual(['dead in MedBay']);
    expect(seenOf(round, 'pink', 'red')).toEqual([]);
  });

  test('is seen by who walks away in that round', () => {
    const round = playRound(stabbing(), { ...orders, green: 'go Cafeteria' });
    expect(seenOf(round, 'green', 'red')).toContain('kill in MedBay');
    expect(seenOf(round, 'green', 'blue')).toEqual(['dead in MedBay']);
  });

  test('is not seen by who comes in afterwards, but the body is', () => {
    const world = stabbing({ at: { green: 'MedBay hallway' } });
    const round = playRound(world, { ...orders, green: 'go MedBay' });
    expect(seenOf(round, 'green', 'red')).toEqual(['lurking in MedBay']);
    expect(seenOf(round, 'green', 'blue')).toEqual(['dead in MedBay']);
  });

  test('is not seen in the dark', () => {
    const round = playRound(stabbing({ crisis: { system: 'lights' } }), orders);
    expect(seenOf(round, 'green', 'red')).toEqual([]);
  });
});

describe('the cameras', () => {
  const watches = { blue: 'watch cameras 1' } as const;
  const sitting = (place: Place, wanted: Wanted = {}) =>
    aWorld({ ...wanted, at: { blue: 'Security', green: place, ...wanted.at } });

  test.each([
    ['MedBay hallway', true],
    ['Engine hallway', true],
    ['Admin hallway', true],
    ['Navigation hallway', true],
    ['Weapons hallway', false],
    ['Cafeteria', false],
  ] as const)('show %s: %s', (place, isShown) => {
    const seen = seenOf(playRound(sitting(place), watches), 'blue', 'green');
    expect(seen).toEqual(isShown ? [`lurking in ${place}`] : []);
  });

  test('show nothing to who does not look, and nothing to who has just come', () => {
    expect(seenOf(playRound(sitting('Admin hallway')), 'blue', 'green')).toEqual([]);
    const coming = sitting('Admin hallway', { at: { blue: 'Engine hallway' } });
    expect(seenOf(playRound(coming, watches), 'blue', 'green')).toEqual([]);
  });

  test('are jammed by comms, and not by the dark', () => {
    expect(
      seenOf(
        playRound(sitting('Admin hallway', { crisis: { system: 'comms' } }), watches),
        'blue',
        'green',
      ),
    ).toEqual([]);
    expect(
      seenOf(
        playRound(sitting('Admin hallway', { crisis: { system: 'lights' } }), watches),
        'blue',
        'green',
      ),
    ).toEqual(['lurking in Admin hallway']);
  });

  test.each([
    ['Admin hallway', {}, true],
    ['Weapons hallway', {}, false],
    ['Security', {}, false],
    ['Admin hallway', { at: { blue: 'Cafeteria' } }, false],
    ['Admin hallway', { crisis: { system: 'comms' } }, false],
    ['Admin hallway', { standings: { blue: 'dead' } }, false],
  ] as const)('have a light that is on in %s with %j: %s', (place, wanted, isOn) => {
    const looks = 'watch cameras 8' as const;
    const players = { blue: { intent: looks } };
    const world = sitting(place, { ...wanted, players });
    expect(sceneFor(world, 'green', CREW)?.cameraLight).toBe(isOn);
    expect(sceneFor(sitting(place, wanted), 'green', CREW)?.cameraLight).toBe(false);
  });

  test('show a kill', () => {
    const round = playRound(sitting('Admin hallway', { at: { red: 'Admin hallway' } }), {
      ...watches,
      red: 'kill green',
    });
    expect(seenOf(round, 'blue', 'red')).toEqual(['kill in Admin hallway']);
    expect(seenOf(round, 'blue', 'green')).toEqual(['dead in Admin hallway']);
  });

  test('show to others that somebody watches', () => {
    const round = playRound(sitting('Security'), watches);
    expect(seenOf(round, 'green', 'blue')).toEqual(['watching in Security']);
  });
});

describe('the Admin table', () => {
  const watches = { blue: 'watch admin 2' } as const;
  const bodies = [{ victim: 'pink', place: 'O2' }] as const;
  const reading = (wanted: Wanted = {}) =>
    aWorld({
      ...wanted,
      at: { blue: 'Admin', green: 'Admin hallway', ...wanted.at },
      standings: { pink: 'dead' },
      world: { bodies },
    });
  const heads = (wanted: Wanted, count = 1) =>
    sceneFor(later(reading(wanted), count, watches).world, 'blue', CREW)?.heads;

  test('counts heads in rooms, bodies too, and not in hallways', () => {
    expect(heads({})).toEqual({ Admin: 1, Cafeteria: 2, O2: 1 });
  });

  test('is read also when one has looked long enough', () => {
    expect(heads({}, 2)).toEqual({ Admin: 1, Cafeteria: 2, O2: 1 });
  });

  test('does not count who is in a vent', () => {
    expect(heads({ players: { red: { vent: 2 } } })).toEqual({ Admin: 1, Cafeteria: 1, O2: 1 });
  });

  test('is jammed by comms', () => {
    expect(heads({ crisis: { system: 'comms' } })).toBeNull();
  });

  test('is read in Admin only, and not beside other work', () => {
    expect(heads({ at: { blue: 'Storage' } })).toBeNull();
    const working = playRound(reading(), { blue: 'task swipe-card' });
    expect(sceneFor(working.world, 'blue', CREW)?.heads).toBeNull();
  });
});

test('of sights too many to recall, kills and the last one of each player stay, oldest first', () => {
  const sight = (who: Colour, ago: number, did: 'lurking' | 'kill' = 'lurking') =>
    ({ who, ago, did, place: 'Admin', meeting: 1 }) as const;
  const old = [sight('red', 90, 'kill'), sight('red', 80), sight('red', 70), sight('blue', 60)];
  const recent = Array.from({ length: 20 }, (_, index) => sight('blue', 50 - index));
  const { sightings, forgotten } = addToPast(NO_PAST, [...old, ...recent]);
  expect(sightings).toEqual([old[0], old[2], ...recent]);
  expect(forgotten).toBe(2);
});
