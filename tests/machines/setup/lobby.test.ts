/** Lobbies: what people write becomes a crew on a ship, with everything that was left open decided by the seed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultGameOptions, defaultOptions } from '../../../machines/rules/options.ts';
import { SKELD } from '../../../machines/rules/ship/map.ts';
import { type Lobby, type LobbyInput, lobbySchema, mapOf } from '../../../machines/setup/match.ts';
import { decodeGameOptions, decodeMeetingOptions } from '../../../machines/setup/options.ts';
import { type Boarding, board, plainLobby } from '../../../machines/setup/prepare.ts';
import { COLOURS, TEMPERAMENTS } from '../../../machines/types.ts';
import { law } from '../builders.ts';

const CHANCE = { seed: 1 };
const EIGHT = COLOURS.slice(0, 8).map((colour) => ({ colour }));

function aLobby(lobby: Partial<LobbyInput> = {}): Lobby {
  return lobbySchema.parse({ name: 'a test', seats: EIGHT, ...lobby });
}

function boarded(lobby: Lobby, chance = CHANCE): Extract<Boarding, { ok: true }> {
  const boarding = board(lobby, chance);
  if (!boarding.ok) throw new Error(`expected a crew, found ${JSON.stringify(boarding.refusals)}`);
  return boarding;
}

function codes(lobby: Lobby): readonly string[] {
  const boarding = board(lobby, CHANCE);
  return boarding.ok ? [] : boarding.refusals.map(({ code }) => code);
}

describe('the options', () => {
  test('that nobody names are those that the lobby recommends for so many', () => {
    const { crew } = boarded(aLobby());
    expect(crew.options).toEqual(defaultGameOptions(8));
    expect(crew.meeting).toEqual(defaultOptions(8));
  });

  test('of the game and of its meetings stand side by side', () => {
    const { crew } = boarded(
      aLobby({
        options: {
          rules: 'classic',
          kill_cooldown: 22.5,
          voting_time: 60,
          weights: { mention: 3 },
        },
      }),
    );
    expect(crew.options).toEqual({ ...defaultGameOptions(8, 'classic'), killCooldown: 22.5 });
    expect(crew.meeting).toMatchObject({
      rules: 'classic',
      votingTime: 60,
      weights: { mention: 3 },
    });
  });

  test('ghosts work as the rule set says, unless the lobby says otherwise', () => {
    const works = (options: LobbyInput['options']) =>
      boarded(aLobby({ options })).crew.options.ghostsDoTasks;
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

  test.each<[string, Partial<LobbyInput>, readonly string[]]>([
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
  const map: Exclude<LobbyInput['map'], string | undefined> = {
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
    expect(mapOf(aLobby())).toBe(SKELD);
  });

  test('says each opening once, and has the places that it names', () => {
    expect(mapOf(aLobby({ map }))).toEqual({
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
    const { crew } = boarded(aLobby({ seats: EIGHT.toReversed() }));
    expect(crew.seats.map(({ colour }) => colour)).toEqual(EIGHT.map(({ colour }) => colour));
    for (const { colour } of EIGHT) expect(crew.tasks[colour]).toHaveLength(4);
    expect(crew.seats.filter(({ role }) => role === 'impostor')).toHaveLength(2);
  });

  test('impostors know each other, crewmates nobody', () => {
    const { players, crew } = boarded(aLobby());
    const impostors = crew.seats.filter(({ role }) => role === 'impostor');
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
    const one = boarded(plainLobby(players), { seed });
    const again = boarded(lobbySchema.parse(JSON.parse(JSON.stringify(one.lobby))), { seed });
    expect(again).toEqual(one);
    expect(one.lobby.seats.every(({ role }) => role !== undefined)).toBe(true);
    expect(decodeGameOptions(one.lobby.options, players)).toEqual(one.crew.options);
    expect(decodeMeetingOptions(one.lobby.options, players)).toEqual(one.crew.meeting);
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
    const { crew } = boarded(plainLobby(players, wanted));
    expect(crew.seats.map(({ colour }) => colour)).toEqual(COLOURS.slice(0, players));
    expect(crew.seats.filter(({ role }) => role === 'impostor')).toHaveLength(impostors);
  });

  test.each([
    [3, undefined, 'game/seats'],
    [-1, undefined, 'game/seats'],
    [99, undefined, 'game/seats'],
    [7, 4, 'game/impostors'],
    [7, 0, 'game/impostors'],
  ])('of %i players with %s impostors is refused: %s', (players, impostors, code) => {
    expect(codes(plainLobby(players, impostors))).toEqual([code]);
  });

  test('may be played by either rule set', () => {
    expect(boarded(plainLobby(8, 2, 'classic')).crew).toMatchObject({
      options: { ghostsDoTasks: true },
      meeting: { rules: 'classic' },
    });
  });
});
