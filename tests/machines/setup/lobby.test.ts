/** Lobbies: what people write becomes a crew on a ship, with everything that was left open decided by the seed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultGameOptions, defaultOptions } from '../../../machines/rules/options.ts';
import { SKELD } from '../../../machines/rules/ship/map.ts';
import {
  type GameMatch,
  type GameMatchInput,
  gameMatchSchema,
  readMap,
} from '../../../machines/setup/match.ts';
import { decodeGameOptions, decodeMeetingOptions } from '../../../machines/setup/options.ts';
import { type PreparedGame, plainGame, prepare } from '../../../machines/setup/prepare.ts';
import { COLOURS, TEMPERAMENTS } from '../../../machines/types.ts';
import { law } from '../builders.ts';

const SEED = 1;
const EIGHT = COLOURS.slice(0, 8).map((colour) => ({ colour }));

function aLobby(lobby: Partial<GameMatchInput> = {}): GameMatch {
  return gameMatchSchema.parse({ name: 'a test', seats: EIGHT, ...lobby });
}

function boarded(lobby: GameMatch, seed = SEED): PreparedGame {
  const preparation = prepare(lobby, seed);
  if (!preparation.ok)
    throw new Error(`expected a crew, found ${JSON.stringify(preparation.refusals)}`);
  return preparation.prepared;
}

function codes(lobby: GameMatch): readonly string[] {
  const preparation = prepare(lobby, SEED);
  return preparation.ok ? [] : preparation.refusals.map(({ code }) => code);
}

describe('the options', () => {
  test('that nobody names are those that the lobby recommends for so many', () => {
    const { ship } = boarded(aLobby());
    expect(ship.options).toEqual(defaultGameOptions(8));
    expect(ship.meeting).toEqual(defaultOptions(8));
  });

  test('of the game and of its meetings stand side by side', () => {
    const { ship } = boarded(
      aLobby({
        options: {
          rules: 'classic',
          kill_cooldown: 22.5,
          voting_time: 60,
          weights: { mention: 3 },
        },
      }),
    );
    expect(ship.options).toEqual({ ...defaultGameOptions(8, 'classic'), killCooldown: 22.5 });
    expect(ship.meeting).toMatchObject({
      rules: 'classic',
      votingTime: 60,
      weights: { mention: 3 },
    });
  });

  test('ghosts work as the rule set says, unless the lobby says otherwise', () => {
    const works = (options: GameMatchInput['options']) =>
      boarded(aLobby({ options })).ship.options.ghostsDoTasks;
    expect(works({})).toBe(false);
    expect(works({ rules: 'classic' })).toBe(true);
    expect(works({ rules: 'classic', ghosts_do_tasks: false })).toBe(false);
    expect(works({ ghosts_do_tasks: true })).toBe(true);
  });
});

describe('a lobby that makes no sense is refused', () => {
  const first = (count: number) => COLOURS.slice(0, count).map((colour) => ({ colour }));
  const role = (index: number, named: 'crewmate' | 'impostor') =>
    EIGHT.map((seat, at) => (at === index ? { ...seat, role: named } : seat));

  test.each<[string, Partial<GameMatchInput>, readonly string[]]>([
    ['ruling 41: three seats', { seats: first(3) }, ['game/seats']],
    ['ruling 41: four are fine', { seats: first(4) }, []],
    ['ruling 41: fifteen are fine', { seats: first(15) }, []],
    ['ruling 41: sixteen seats', { seats: first(16) }, ['game/seats']],
    ['nobody', { seats: [] }, ['game/seats']],
    ['a colour twice', { seats: [...EIGHT, { colour: 'red' }] }, ['game/duplicate-seat']],
    ['three impostors of eight', { options: { impostors: 3 } }, ['game/impostors']],
    ['three of nine are fine', { seats: first(9), options: { impostors: 3 } }, []],
    [
      'more named impostors than there are to be',
      { seats: EIGHT.map((seat) => ({ ...seat, role: 'impostor' })), options: { impostors: 2 } },
      ['game/roles'],
    ],
    [
      'only impostors',
      { seats: EIGHT.map((seat) => ({ ...seat, role: 'impostor' })) },
      ['game/impostors'],
    ],
    [
      'only crewmates',
      { seats: EIGHT.map((seat) => ({ ...seat, role: 'crewmate' })) },
      ['game/impostors'],
    ],
    ['one role named is fine', { seats: role(3, 'impostor') }, []],
    [
      'no tasks',
      { options: { common_tasks: 0, long_tasks: 0, short_tasks: 0 } },
      ['game/no-tasks'],
    ],
    ['weights that starve', { options: { weights: { silence: { cap: 0 } } } }, ['weights/starve']],
  ])('%s', (_, lobby, expected) => {
    expect(codes(aLobby(lobby))).toEqual(expected);
  });
});

describe('a map of its own', () => {
  const map: Exclude<GameMatchInput['map'], string | undefined> = {
    name: 'the annexe',
    button: 'Cafeteria',
    openings: { 'Admin hallway': ['Storage', 'Cafeteria', 'Admin'] },
    vents: [
      { id: 0, place: 'Admin', links: [1] },
      { id: 1, place: 'Storage', links: [0] },
    ],
    doors: ['Storage', 'Storage'],
    consoles: { lights: ['Storage'] },
  };

  test('is The Skeld unless the lobby brings one', () => {
    expect(readMap(aLobby())).toBe(SKELD);
  });

  test('says each opening once, and has the places that it names', () => {
    expect(readMap(aLobby({ map }))).toEqual({
      name: 'the annexe',
      places: ['Cafeteria', 'Storage', 'Admin', 'Admin hallway'],
      openings: {
        Cafeteria: ['Admin hallway'],
        Storage: ['Admin hallway'],
        Admin: ['Admin hallway'],
        'Admin hallway': ['Cafeteria', 'Storage', 'Admin'],
      },
      vents: map.vents,
      doors: ['Storage'],
      cameras: null,
      adminTable: null,
      button: 'Cafeteria',
      consoles: { reactor: [], o2: [], lights: ['Storage'], comms: [] },
    });
    expect(codes(aLobby({ map }))).toEqual([]);
  });

  test('is refused where a task can’t be reached, or nothing is to be done', () => {
    const openings = { ...map.openings, O2: ['Weapons hallway' as const] };
    // Clean Filter, and the first half of Empty Chute.
    expect(codes(aLobby({ map: { ...map, openings } }))).toEqual([
      'game/unreachable-task',
      'game/unreachable-task',
    ]);
    const { name, button } = map;
    expect(codes(aLobby({ map: { name, button, openings: {} } }))).toEqual(['game/no-tasks']);
    expect(codes(aLobby({ map: { ...map, button: 'MedBay' } }))).toContain('game/unreachable-task');
  });
});

describe('the crew', () => {
  test('sits in lobby order, with tasks for everybody, impostors too', () => {
    const { ship } = boarded(aLobby({ seats: EIGHT.toReversed() }));
    expect(ship.seats.map(({ colour }) => colour)).toEqual(EIGHT.map(({ colour }) => colour));
    for (const { colour } of EIGHT) expect(ship.tasks[colour]).toHaveLength(4);
    expect(ship.seats.filter(({ role }) => role === 'impostor')).toHaveLength(2);
  });

  test('impostors know each other, crewmates nobody', () => {
    const { players, ship } = boarded(aLobby());
    const impostors = ship.seats.filter(({ role }) => role === 'impostor');
    for (const { colour, role, partners } of players) {
      const others = impostors.map((seat) => seat.colour).filter((other) => other !== colour);
      expect(partners).toEqual(role === 'impostor' ? others : []);
    }
  });

  test('temperaments are dealt in turn, and a persona that is named is kept', () => {
    const own = { name: 'Ann', temperament: 'joker', notes: 'x' } as const;
    const seats = EIGHT.map((seat, index) => (index === 1 ? { ...seat, persona: own } : seat));
    const { players } = boarded(aLobby({ seats }));
    expect(players[1]?.persona).toEqual(own);
    expect(players.map(({ persona }) => persona.temperament).toSpliced(1, 1)).toEqual(
      [...TEMPERAMENTS, TEMPERAMENTS[0]].toSpliced(1, 1),
    );
  });
});

law(
  'a lobby with nothing left open gives the same crew with the same seed, and is itself',
  fc.property(fc.nat({ max: 2 ** 40 }), fc.integer({ min: 4, max: 15 }), (seed, players) => {
    const one = boarded(plainGame(players), seed);
    const again = boarded(gameMatchSchema.parse(JSON.parse(JSON.stringify(one.match))), seed);
    expect(again).toEqual(one);
    expect(one.match.seats.every(({ role }) => role !== undefined)).toBe(true);
    expect(decodeGameOptions(one.match.options, players)).toEqual(one.ship.options);
    expect(decodeMeetingOptions(one.match.options, players)).toEqual(one.ship.meeting);
  }),
  60,
);

describe('a plain lobby', () => {
  test.each([
    [4, undefined, 1],
    [7, undefined, 2],
    [8, 1, 1],
    [12, undefined, 3],
    [15, 3, 3],
  ])('of %i players with %s impostors has %i', (players, wanted, impostors) => {
    const { ship } = boarded(plainGame(players, wanted));
    expect(ship.seats.map(({ colour }) => colour)).toEqual(COLOURS.slice(0, players));
    expect(ship.seats.filter(({ role }) => role === 'impostor')).toHaveLength(impostors);
  });

  test.each([
    [3, undefined, 'game/seats'],
    [-1, undefined, 'game/seats'],
    [99, undefined, 'game/seats'],
    [7, 4, 'game/impostors'],
    [7, 0, 'game/impostors'],
  ])('of %i players with %s impostors is refused: %s', (players, impostors, code) => {
    expect(codes(plainGame(players, impostors))).toEqual([code]);
  });

  test('may be played by either rule set', () => {
    expect(boarded(plainGame(8, 2, 'classic')).ship).toMatchObject({
      options: { ghostsDoTasks: true },
      meeting: { rules: 'classic' },
    });
  });
});
