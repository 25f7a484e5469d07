import { describe, expect, test } from 'vitest';
import { SKELD } from '../../../../machines/rules/ship/map.ts';
import { areJoined, type World } from '../../../../machines/rules/ship/world.ts';
import type { BySeat, Colour, Place, ShipMap } from '../../../../machines/types.ts';
import {
  aTask,
  aWorld,
  eventsOf,
  type IntentText,
  later,
  type Orders,
  placeOf,
  playRound,
  refusal,
  rounds,
  seenOf,
  type Wanted,
} from './worlds.ts';

const GOES = { blue: 'go Reactor' } as const;

describe('speed', () => {
  /** From Cafeteria to the Reactor: MedBay hallway, Upper Engine, Engine hallway, Reactor. */
  test.each([
    [0.5, [0, 1, 1, 2, 2, 3, 3, 4]],
    [0.75, [0, 1, 2, 3, 3, 4]],
    [1, [1, 2, 3, 4]],
    [1.5, [1, 3, 4]],
    [3, [3, 4]],
  ])('at speed %f a player has taken these steps after each round', (playerSpeed, steps) => {
    const world = aWorld({ options: { playerSpeed } });
    const played = rounds(world, GOES, ...steps.slice(1).map(() => ({})));
    const way = ['Cafeteria', 'MedBay hallway', 'Upper Engine', 'Engine hallway', 'Reactor'];
    expect(played.map((round) => way.indexOf(placeOf(round, 'blue') ?? ''))).toEqual(steps);
  });

  test('arrival drops the rest of a stride', () => {
    const world = aWorld({ options: { playerSpeed: 1.5 } });
    const round = later(world, 2, { blue: 'go MedBay' });
    expect([placeOf(round, 'blue'), round.world.players.blue?.stride]).toEqual(['MedBay', 0]);
  });

  test('standing still drops the rest of a stride', () => {
    const world = aWorld({ options: { playerSpeed: 1.5 } });
    const played = rounds(world, GOES, { blue: 'wait 1' });
    expect(played.map(({ world: { players } }) => players.blue?.stride)).toEqual([2, 0]);
  });

  test('whoever walked in a round is known to have walked', () => {
    const played = rounds(aWorld(), { blue: 'go MedBay hallway' }, {});
    expect(played.map(({ world: { players } }) => players.blue?.moved)).toEqual([true, false]);
  });
});

describe('going', () => {
  test('is over on arrival, and one is asked again', () => {
    const round = later(aWorld(), 2, { blue: 'go MedBay' });
    expect(round.world.players.blue?.intent).toBeNull();
    expect(round.world.asks.blue).toContain('arrived');
  });

  const { map } = aWorld().ship;
  test.each<[string, ShipMap, IntentText, string]>([
    [
      'to a place that is not on the map',
      { ...map, places: map.places.filter((place) => place !== 'O2') },
      'go O2',
      'intent/no-place',
    ],
    [
      'to a place where no way leads',
      { ...map, openings: { ...map.openings, O2: [], 'Navigation hallway': [] } },
      'go O2',
      'intent/no-way',
    ],
    ['after oneself', map, 'follow blue 2', 'intent/self'],
  ])('is refused %s', (_, changed, blue, code) => {
    expect(refusal(playRound(aWorld({ map: changed }), { blue }), 'blue')).toBe(code);
  });

  test.each<[IntentText, Place]>([
    ['watch cameras 2', 'Security'],
    ['watch admin 2', 'Admin'],
    ['fix Electrical', 'Electrical'],
    ['button', 'Cafeteria'],
  ])('to %s leads to %s', (intent, place) => {
    const world = aWorld({ at: { blue: 'Storage' }, crisis: { system: 'lights' } });
    expect(placeOf(later(world, 6, { blue: intent }), 'blue')).toBe(place);
  });

  test('players do not block each other', () => {
    const round = playRound(aWorld({ at: { green: 'MedBay' } }), {
      blue: 'go MedBay hallway',
      green: 'go MedBay hallway',
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
  const orders = { blue: 'go Admin', green: 'go Cafeteria' } as const;

  test.each([
    ['in the light have seen each other', null, ['passing in Cafeteria']],
    ['in the dark have not', { system: 'lights' }, []],
  ] as const)('two who cross %s', (_, crisis, seen) => {
    const world = touching(crisis === null ? {} : { crisis });
    expect(seenOf(playRound(world, orders), 'blue', 'green')).toEqual(seen);
  });
});

test.each<IntentText>([
  'go O2',
  'task swipe-card',
  'fix O2',
  'button',
  'watch cameras 2',
  'watch admin 2',
])('an order is refused if no way leads to its place: %s', (blue) => {
  const openings = { ...SKELD.openings, O2: [], 'Navigation hallway': [] };
  const sites = { button: 'O2', adminTable: 'O2', cameras: { at: 'O2', show: [] } } as const;
  const world = aWorld({
    map: { ...SKELD, openings, ...sites },
    at: { blue: 'Cafeteria' },
    tasks: { blue: [aTask({ steps: [{ place: 'O2', rounds: 1 }] })] },
    crisis: { system: 'o2', left: 9 },
  });
  expect(refusal(playRound(world, { blue }), 'blue')).toBe('intent/no-way');
});

test('a shut door parts two places in both directions', () => {
  for (const room of SKELD.doors) {
    const world = aWorld({ world: { doors: [{ room, shut: 1, wait: 9 }] } });
    for (const place of SKELD.places) {
      const isNext = place !== room && SKELD.openings[room]?.includes(place) === true;
      const joined = [areJoined(world, room, place), areJoined(world, place, room)];
      expect([isNext, ...joined]).toEqual([isNext, false, false]);
      const open = [areJoined(aWorld(), room, place), areJoined(aWorld(), place, room)];
      expect(open).toEqual([isNext, isNext]);
    }
  }
});

describe('following', () => {
  const follows = { blue: 'follow green 9' } as const;
  const leading = (wanted: Wanted = {}) =>
    aWorld({ ...wanted, players: { green: { intent: 'go Reactor' }, ...wanted.players } });

  test('is a step behind', () => {
    const played = rounds(leading(), follows, {}, {});
    expect(played.map((round) => [placeOf(round, 'green'), placeOf(round, 'blue')])).toEqual([
      ['MedBay hallway', 'Cafeteria'],
      ['Upper Engine', 'MedBay hallway'],
      ['Engine hallway', 'Upper Engine'],
    ]);
  });

  test.each<[string, BySeat<Place>, Orders]>([
    ['when both are in one place', { blue: 'MedBay', green: 'MedBay' }, follows],
    ['when they are two steps ahead', { green: 'MedBay' }, follows],
    [
      'when a door shuts between the two',
      { green: 'MedBay', blue: 'MedBay hallway' },
      { ...follows, red: 'shut MedBay' },
    ],
    [
      'when they climb into a vent',
      { red: 'MedBay', blue: 'MedBay' },
      { blue: 'follow red 9', red: 'vent 6' },
    ],
  ])('following ends %s', (_, at, orders) => {
    const round = playRound(aWorld({ at }), orders);
    expect([placeOf(round, 'blue'), round.world.players.blue?.intent]).toEqual([
      at.blue ?? 'Cafeteria',
      null,
    ]);
  });

  test('following ends when they are in a vent of the next place', () => {
    const at = { red: 'Navigation hallway', blue: 'Weapons' } as const;
    const round = playRound(aWorld({ at, players: { red: { vent: 1 } } }), {
      blue: 'follow red 9',
    });
    expect([placeOf(round, 'blue'), round.world.players.blue?.intent]).toEqual(['Weapons', null]);
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
});

const SHUTS = { red: 'shut MedBay' } as const;
const shut = (rounds: number) => [{ room: 'MedBay', shut: rounds, wait: 9 }] as const;

describe('doors', () => {
  test('of 10 s keep somebody in for 4 rounds', () => {
    const world = aWorld({ at: { blue: 'MedBay' }, options: { doorSeconds: 10 } });
    const played = rounds(world, { ...SHUTS, blue: 'go Cafeteria' }, {}, {}, {}, {});
    const places = played.map((round) => placeOf(round, 'blue'));
    expect(places).toEqual([...Array(4).fill('MedBay'), 'MedBay hallway']);
    const opened = played.map((round) => eventsOf(round, 'doors.opened').length);
    expect(opened).toEqual([0, 0, 0, 1, 0]);
  });

  test.each([
    ['not again after 11 rounds', 11, 'sabotage/cooldown'],
    ['again after 12 rounds', 12, null],
  ])('of one room with a cooldown of 30 s: %s', (_, after, code) => {
    const idle = Array.from({ length: after - 1 }, () => ({}));
    const last = rounds(aWorld({ options: { doorCooldown: 30 } }), SHUTS, ...idle, SHUTS).at(-1);
    expect(last && refusal(last, 'red')).toBe(code);
  });

  test('of another room have a clock of their own', () => {
    const last = rounds(aWorld(), SHUTS, { red: 'shut Security' }).at(-1);
    expect(last && refusal(last, 'red')).toBeNull();
  });

  test('can be shut whatever is broken, and at any time between two sabotages', () => {
    const world = aWorld({ crisis: { system: 'reactor', left: 9 }, world: { sabotageWait: 9 } });
    expect(eventsOf(playRound(world, SHUTS), 'doors.shut')).toHaveLength(1);
  });

  test('keep people out: they walk up to the door and wait', () => {
    const world = aWorld({ world: { doors: shut(3) } });
    const played = rounds(world, { blue: 'go MedBay' }, {}, {}, {});
    expect(played.map((round) => placeOf(round, 'blue'))).toEqual([
      ...Array(3).fill('MedBay hallway'),
      'MedBay',
    ]);
  });

  test('are walked around where there is another way', () => {
    const doors = [{ room: 'Cafeteria', shut: 9, wait: 9 }] as const;
    const world = aWorld({ at: { blue: 'MedBay' }, world: { doors } });
    expect(placeOf(later(world, 3, { blue: 'go Admin' }), 'blue')).toBe('Engine hallway');
  });

  test.each(['crewmate', 'impostor'] as const)('stop ghosts of a %s nowhere', (role) => {
    const seat = role === 'impostor' ? 'red' : 'blue';
    const world = aWorld({
      rules: 'classic',
      impostors: ['red', 'orange'],
      seats: ['red', 'blue', 'green', 'pink', 'orange', 'yellow', 'black'],
      standings: { [seat]: 'dead' },
      at: { [seat]: 'MedBay' },
      world: { doors: shut(9) },
    });
    const round = playRound(world, { [seat]: 'go Cafeteria' });
    expect(placeOf(round, seat)).toBe('MedBay hallway');
  });

  test.each<[string, Orders, Colour, string | null]>([
    ['of a room without any cannot be shut', { red: 'shut Admin' }, 'red', 'sabotage/no-doors'],
    ['of a room that has some can', { red: 'shut Storage' }, 'red', null],
    ['are shut by impostors only', { blue: SHUTS.red }, 'blue', 'intent/impostors-only'],
  ])('%s', (_, orders, seat, code) => {
    expect(refusal(playRound(aWorld(), orders), seat)).toBe(code);
  });

  test('of two rooms can be shut at once by two impostors', () => {
    const world = aWorld({ impostors: ['red', 'pink'] });
    const round = playRound(world, { ...SHUTS, pink: 'shut Storage' }, { red: 1, pink: 2 });
    expect(round.world.doors.map(({ room }) => room).toSorted()).toEqual(['MedBay', 'Storage']);
    expect([refusal(round, 'red'), refusal(round, 'pink')]).toEqual([null, null]);
  });

  test('save no stride of a player who stands before them', () => {
    const world = aWorld({
      at: { blue: 'MedBay hallway' },
      world: { doors: [{ room: 'MedBay', shut: 1, wait: 9 }] },
    });
    const round = playRound(world, { blue: 'go MedBay' });
    expect(round.world.players.blue).toMatchObject({ place: 'MedBay hallway', stride: 0 });
  });

  test('doors that two impostors shut at once are shut once, by the one who is drawn', () => {
    const world = aWorld({ impostors: ['red', 'pink'] });
    const round = playRound(world, { ...SHUTS, pink: SHUTS.red }, { red: 1, pink: 2 });
    expect(eventsOf(round, 'doors.shut').map(({ by }) => by)).toEqual(['pink']);
    expect(refusal(round, 'red')).toBe('sabotage/at-once');
  });

  test.each([
    ['shut until this round was over', 1, []],
    ['open', 0, ['lurking in MedBay']],
  ])('%s: a player who looks in sees this much', (_, rounds, seen) => {
    const world = aWorld({
      options: { crewVision: 5 },
      at: { blue: 'MedBay hallway', green: 'MedBay' },
      world: { doors: [{ room: 'MedBay', shut: rounds, wait: 9 }] },
    });
    expect(seenOf(playRound(world), 'blue', 'green')).toEqual(seen);
  });
});

describe('vents', () => {
  const vents = (to: number) => ({ red: `vent ${to}` }) as const;
  const inside = (vent: number, wanted: Wanted = {}) => {
    const place = SKELD.vents.find(({ id }) => id === vent)?.place;
    return aWorld({
      ...wanted,
      at: { ...wanted.at, red: place ?? 'Cafeteria' },
      players: { red: { vent } },
    });
  };

  test('are climbed into in the own place', () => {
    const round = playRound(aWorld({ at: { red: 'MedBay' } }), vents(6));
    expect(round.world.players.red?.vent).toBe(6);
    expect(eventsOf(round, 'vent.used')).toEqual([
      { type: 'vent.used', seat: 'red', how: 'in', vent: 6, place: 'MedBay' },
    ]);
  });

  test.each<[string, World, Orders, Colour, string]>([
    [
      'from another place',
      aWorld({ at: { red: 'MedBay hallway' } }),
      vents(6),
      'red',
      'vent/elsewhere',
    ],
    ['by crewmates', aWorld(), { blue: vents(2).red }, 'blue', 'intent/impostors-only'],
    ['from outside', aWorld(), { red: 'surface' }, 'red', 'intent/not-in-vent'],
  ])('are not used %s', (_, world, orders, seat, code) => {
    expect(refusal(playRound(world, orders), seat)).toBe(code);
  });

  const pairs = SKELD.vents.flatMap(({ id }) =>
    SKELD.vents.map((other) => [id, other.id] as const),
  );
  const groups = [
    [0, 1, 2],
    [3, 5, 6],
    [4, 11],
    [8, 9],
    [7, 12],
    [10, 13],
  ];

  test('lead to every vent of their group and to no other', () => {
    for (const [from, to] of pairs) {
      const isLinked =
        from !== to && groups.some((group) => group.includes(from) && group.includes(to));
      const round = playRound(inside(from), vents(to));
      expect(round.world.players.red?.vent, `from ${from} to ${to}`).toBe(isLinked ? to : from);
      expect(refusal(round, 'red')).toBe(isLinked ? null : 'vent/not-linked');
    }
  });

  test('an impostor climbs out of a vent in the place of that vent', () => {
    const round = playRound(inside(5), { red: 'surface' });
    expect([round.world.players.red?.vent, placeOf(round, 'red')]).toEqual([null, 'Security']);
  });

  test.each<IntentText>([
    'go Admin',
    'fake swipe-card',
    'report blue',
    'button',
    'follow blue 2',
    'watch admin 2',
    'fix Electrical',
    'kill blue',
  ])('nobody can %s from inside', (red) => {
    expect(refusal(playRound(inside(2), { red }), 'red')).toBe('intent/in-vent');
  });

  test('take a player on to the place of the next vent, who then has nothing more to do', () => {
    const world = aWorld({ at: { red: 'Electrical' }, players: { red: { vent: 3 } } });
    const there = playRound(world, { red: 'vent 6' });
    const inside = { place: 'MedBay', vent: 6, moved: false, intent: null };
    expect(there.world.players.red).toMatchObject(inside);
    expect(there.world.asks.red).toEqual(['done']);
    const out = playRound(there.world, { red: 'surface' });
    expect(out.world.players.red).toMatchObject({ ...inside, vent: null });
  });

  test('hide whoever is inside, and do not blind them', () => {
    const world = inside(6, { at: { blue: 'MedBay' } });
    const round = playRound(world);
    expect(seenOf(round, 'blue', 'red')).toEqual([]);
    expect(seenOf(round, 'red', 'blue')).toEqual(['lurking in MedBay']);
  });

  test.each([
    ['climbs in', false, 6],
    ['climbs out', true, null],
  ] as const)('are seen when somebody %s', (_, isInside, vent) => {
    const at = { red: 'MedBay', blue: 'MedBay', green: 'MedBay hallway' } as const;
    const world = isInside ? inside(6, { at }) : aWorld({ at });
    const round = playRound(world, { red: isInside ? 'surface' : 'vent 6' });
    expect(round.world.players.red?.vent).toBe(vent);
    expect(seenOf(round, 'blue', 'red')).toEqual(['vent in MedBay']);
    expect(seenOf(round, 'green', 'red')).toEqual([]);
  });

  test('are not heard when somebody crawls', () => {
    expect(
      seenOf(playRound(inside(6, { at: { blue: 'Security' } }), vents(5)), 'blue', 'red'),
    ).toEqual([]);
  });
});
