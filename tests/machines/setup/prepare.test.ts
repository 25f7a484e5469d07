import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  defaultGameOptions,
  defaultOptions,
  listComputed,
  readGameOptions,
  readMeetingOptions,
} from '../../../machines/rules/options.ts';
import { SKELD } from '../../../machines/rules/ship/map.ts';
import {
  type GameMatch,
  type GameMatchInput,
  gameMatchSchema,
  type Match,
  type MeetingMatch,
  readMap,
} from '../../../machines/setup/match.ts';
import {
  type PreparedGame,
  type PreparedMeeting,
  personaOf,
  plainGame,
  prepare,
} from '../../../machines/setup/prepare.ts';
import { COLOURS, TEMPERAMENTS } from '../../../machines/types.ts';
import { aMeetingMatch, FIVE, law, seatsFor } from '../builders.ts';

const SEED = 1;

function preparedMeeting(match: Parameters<typeof aMeetingMatch>[0] = {}): PreparedMeeting {
  const result = prepare(aMeetingMatch(match), SEED);
  if (!result.ok) throw new Error(`expected a table, found ${JSON.stringify(result.refusals)}`);
  return result.prepared;
}

function refusals(match: Parameters<typeof aMeetingMatch>[0]): readonly string[] {
  const result = prepare(aMeetingMatch(match), SEED);
  return result.ok ? [] : result.refusals.map(({ code }) => code);
}

describe('a table that makes no sense is refused', () => {
  test.each<[string, Parameters<typeof aMeetingMatch>[0], readonly string[]]>([
    ['ruling 41: sixteen seats', { seats: seatsFor(COLOURS.slice(0, 16)) }, ['match/seats']],
    [
      'somebody seen who has no seat',
      {
        seats: seatsFor(FIVE, ['orange']).map((seat) => ({
          ...seat,
          saw: [{ ago: 9, who: 'coral' as const, place: 'Admin' as const }],
        })),
      },
      FIVE.map(() => 'match/saw-unknown-player'),
    ],
    [
      'a victim without a seat',
      {
        seats: seatsFor(FIVE, ['orange']).map((seat) => ({
          ...seat,
          saw: [{ ago: 9, who: 'orange', place: 'Admin', did: 'kill', victim: 'coral' } as const],
        })),
      },
      FIVE.map(() => 'match/saw-unknown-player'),
    ],
    ['a button that is not ready', { call: { by: 'red', cooldown: 10 } }, ['call/cooldown']],
    [
      'ruling 11: weights that starve',
      { options: { weights: { silence: { slope: 0 } } } },
      ['weights/starve'],
    ],
    ['senseless weights', { options: { weights: { mention: 0.5 } } }, ['weights/senseless']],
  ])('%s', (_, match, expected) => {
    expect(refusals(match)).toEqual(expected);
  });
});

describe('the table is laid', () => {
  test('a killer knows the victim that the file names, and only the killer', () => {
    const kill = { ago: 20, who: 'blue', place: 'Admin', did: 'kill', victim: 'green' } as const;
    const seats = seatsFor(['blue', 'green', 'red', 'pink'], ['blue']).map((seat) => ({
      ...seat,
      saw: [kill],
    }));
    const { players, setting } = preparedMeeting({ seats });
    const own = { type: 'kill', victim: 'green', place: 'Admin', meeting: 1, ago: 20 };
    expect(players.map(({ past }) => past.deeds)).toEqual([[], [own], [], []]);
    expect(setting.kills).toEqual([{ ...own, by: 'blue', at: -20 }]);
  });

  test('no kill is a sighting of another deed, and a kill after two meetings belongs to the third', () => {
    const saw = { ago: 20, who: 'blue', place: 'Admin', victim: 'green' } as const;
    const seats = seatsFor(['blue', 'green', 'red', 'pink'], ['blue']).map((seat) => ({
      ...seat,
      saw: [saw, { ...saw, did: 'kill' as const, victim: 'pink' as const }],
    }));
    const held = { by: 'red', result: 'tie' } as const;
    const { setting } = preparedMeeting({ seats, record: { meetings: [held, held] } });
    const kill = { type: 'kill', by: 'blue', victim: 'pink', place: 'Admin' };
    expect(setting.kills).toEqual([{ ...kill, meeting: 3, ago: 20, at: -20 }]);
  });

  describe('with the record of the file', () => {
    const MEETINGS = [
      { by: 'red', result: 'ejected', ejected: 'white', role: 'impostor', remaining: 1 },
      { by: 'red', report: 'tan', result: 'ejected', ejected: 'white', role: 'impostor' },
      { by: 'red', place: 'Admin', result: 'skipped', remaining: 2 },
      { by: 'red', result: 'tie', ballots: { blue: 'skip', red: 'blue' } },
    ] as const;
    const told = (article: string) => [
      `White was ${article} Impostor. 1 Impostor remains.`,
      'White was ejected.',
      'No one was ejected. (Skipped) 2 Impostors remain.',
      'No one was ejected. (Tie)',
    ];
    test.each([
      ['the number of the seats where none is stated', undefined, 2, told('An')],
      ['the stated number', 1, 1, told('The')],
      ['no number where it is hidden', null, null, told('An')],
    ])('that has %s', (_, impostors, stated, sentences) => {
      const seats = seatsFor(COLOURS.slice(0, 7), ['red', 'pink']);
      const { record } = preparedMeeting({
        seats,
        record: { impostors, meetings: [...MEETINGS] },
      }).setting;
      expect(record.impostors).toBe(stated);
      expect(record.meetings.map(({ result }) => result?.sentence)).toEqual(sentences);
      expect(record.meetings.map(({ call }) => [call.kind, call.body, call.place])).toEqual([
        ['button', null, null],
        ['body', 'tan', null],
        ['button', null, 'Admin'],
        ['button', null, null],
      ]);
      expect(record.meetings[3]?.result?.ballots).toEqual([
        { voter: 'red', ballot: 'blue', void: false },
        { voter: 'blue', ballot: 'skip', void: false },
      ]);
    });
  });

  test.each(['house', 'classic'] as const)('on a ship of its rule set: %s', (rules) => {
    const { ship } = preparedMeeting({ map: 'skeld', options: { rules } }).setting;
    expect(ship).toEqual({ map: SKELD, options: defaultGameOptions(5, rules) });
  });

  test('in lobby order, whatever the order of writing', () => {
    const { setting, players } = preparedMeeting({
      seats: seatsFor(['orange', 'green', 'red', 'blue'], ['blue']),
    });
    const order = ['red', 'blue', 'green', 'orange'];
    expect(setting.seats.map(({ colour }) => colour)).toEqual(order);
    expect(players.map(({ colour }) => colour)).toEqual(order);
    expect(setting.seats[1]).toEqual({ colour: 'blue', role: 'impostor' });
  });

  test('ruling 11: default weights depend on the living, not on the seated', () => {
    const seats = [
      ...seatsFor(FIVE),
      { colour: 'white', dead: true },
      { colour: 'tan', dead: true },
    ] as const;
    const { setting } = preparedMeeting({ seats: [...seats] });
    expect(setting.options).toEqual(defaultOptions(5));
    expect(setting.standings).toMatchObject({ red: 'living', white: 'dead', tan: 'dead' });
  });

  test('with the call as a report or a button', () => {
    const seats = [...seatsFor(FIVE), { colour: 'white' as const, dead: true }];
    expect(
      preparedMeeting({ seats, call: { by: 'blue', report: 'white', place: 'Admin' } }).setting
        .call,
    ).toEqual({
      by: 'blue',
      kind: 'body',
      body: 'white',
      place: 'Admin',
      buttonsLeft: 1,
      cooldown: 0,
      crisis: null,
    });
    expect(preparedMeeting({ seats }).setting.call).toMatchObject({
      kind: 'button',
      body: null,
      place: null,
    });
  });

  test('impostors know each other, crewmates nobody', () => {
    const seats = seatsFor(COLOURS.slice(0, 9), ['red', 'pink', 'white']);
    const partners = Object.fromEntries(
      preparedMeeting({ seats }).players.map(({ colour, partners: known }) => [colour, known]),
    );
    expect(partners).toMatchObject({
      red: ['pink', 'white'],
      pink: ['red', 'white'],
      white: ['red', 'pink'],
      blue: [],
      black: [],
    });
  });

  test("scratchpads are blank, and the brief holds the seat's sightings", () => {
    const saw = [{ ago: 5, who: 'blue', place: 'Admin', did: 'vent' }] as const;
    const seats = [
      ...seatsFor(['blue', 'green', 'pink']),
      { colour: 'red' as const, saw: [...saw], notes: 'psst' },
    ];
    expect(preparedMeeting({ seats }).players[0]).toMatchObject({
      colour: 'red',
      pads: { main: '', meeting: '' },
      brief: { sightings: saw, notes: 'psst' },
    });
  });
});

describe('a persona', () => {
  const [seat] = aMeetingMatch().seats;

  test('may be a temperament or one’s own; without one, temperaments are dealt in turn', () => {
    if (seat === undefined) throw new Error('expected a seat');
    const own = { name: 'Ann', temperament: 'joker', notes: 'puns' } as const;
    expect(personaOf({ ...seat, persona: own }, 0)).toEqual(own);
    expect(personaOf({ ...seat, persona: 'sceptic' }, 0)).toEqual({
      name: 'sceptic',
      temperament: 'sceptic',
      notes: '',
    });
    const dealt = [0, 1, 6, 7].map((index) => personaOf(seat, index).temperament);
    expect(dealt).toEqual([TEMPERAMENTS[0], TEMPERAMENTS[1], TEMPERAMENTS[6], TEMPERAMENTS[0]]);
  });
});

const GAME_SEED = 1;
const EIGHT = COLOURS.slice(0, 8).map((colour) => ({ colour }));

function aGame(lobby: Partial<GameMatchInput> = {}): GameMatch {
  return gameMatchSchema.parse({ name: 'a test', seats: EIGHT, ...lobby });
}

function preparedGame(lobby: GameMatch, seed = GAME_SEED): PreparedGame {
  const preparation = prepare(lobby, seed);
  if (!preparation.ok)
    throw new Error(`expected a crew, found ${JSON.stringify(preparation.refusals)}`);
  return preparation.prepared;
}

function codes(lobby: GameMatch): readonly string[] {
  const preparation = prepare(lobby, GAME_SEED);
  return preparation.ok ? [] : preparation.refusals.map(({ code }) => code);
}

describe('the options', () => {
  test("unset options follow the lobby's recommendation for the number of players", () => {
    const { ship } = preparedGame(aGame());
    expect(ship.options).toEqual(defaultGameOptions(8));
    expect(ship.meeting).toEqual(defaultOptions(8));
  });

  test('options of the game and its meetings share one group', () => {
    const { ship } = preparedGame(
      aGame({
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
      preparedGame(aGame({ options })).ship.options.ghostsDoTasks;
    expect(works({})).toBe(false);
    expect(works({ rules: 'classic' })).toBe(true);
    expect(works({ rules: 'classic', ghosts_do_tasks: false })).toBe(false);
    expect(works({ ghosts_do_tasks: true })).toBe(true);
  });
});

describe('a match of earlier rules', () => {
  const options = { weights: { silence: { grace: 0 } } };
  test.each([1, 2, 3, undefined])(
    'of version %s is prepared with the defaults of then',
    (version) => {
      const kept = version === undefined ? options : {};
      for (const wanted of [{}, options]) {
        const game = aGame({ options: wanted });
        const { ship, match } = prepareOrFail(game, version);
        expect(ship.options).toEqual(readGameOptions(game, version));
        expect(ship.meeting).toEqual(readMeetingOptions(game, version));
        expect(ship.computed).toEqual(listComputed(game, version));
        expect(ship.areFaultsLost).toBe(version !== undefined && version < 3);
        expect(match.options).toEqual(wanted === options ? kept : {});
        const table = aMeetingMatch({ options: wanted });
        const prepared = prepareOrFail(table, version);
        expect(prepared.setting.options).toEqual(readMeetingOptions(table, version));
        expect(prepared.match.options).toEqual(match.options);
      }
    },
  );

  function prepareOrFail(match: GameMatch, version?: number): PreparedGame;
  function prepareOrFail(match: MeetingMatch, version?: number): PreparedMeeting;
  function prepareOrFail(match: Match, version?: number): PreparedGame | PreparedMeeting {
    const result = prepare(match, SEED, version);
    return result.ok ? result.prepared : expect.fail(JSON.stringify(result.refusals));
  }
});

describe('a lobby that makes no sense is refused', () => {
  const first = (count: number) => COLOURS.slice(0, count).map((colour) => ({ colour }));
  const capped = (cap: number) => ({
    seats: first(5),
    options: { weights: { silence: { slope: 8, grace: 0, cap } } },
  });
  const role = (index: number, named: 'crewmate' | 'impostor') =>
    EIGHT.map((seat, at) => (at === index ? { ...seat, role: named } : seat));

  test.each<[string, Partial<GameMatchInput>, readonly string[]]>([
    ['ruling 41: three seats', { seats: first(3) }, ['match/seats']],
    ['ruling 41: four are fine', { seats: first(4) }, []],
    ['ruling 41: fifteen are fine', { seats: first(15) }, []],
    ['ruling 41: sixteen seats', { seats: first(16) }, ['match/seats']],
    ['nobody', { seats: [] }, ['match/seats']],
    ['a colour twice', { seats: [...EIGHT, { colour: 'red' }] }, ['match/duplicate-seat']],
    ['three impostors of eight', { options: { impostors: 3 } }, ['match/impostors']],
    ['three of nine are fine', { seats: first(9), options: { impostors: 3 } }, []],
    [
      'more named impostors than there are to be',
      { seats: EIGHT.map((seat) => ({ ...seat, role: 'impostor' })), options: { impostors: 2 } },
      ['match/roles'],
    ],
    [
      'only impostors',
      { seats: EIGHT.map((seat) => ({ ...seat, role: 'impostor' })) },
      ['match/impostors'],
    ],
    [
      'only crewmates',
      { seats: EIGHT.map((seat) => ({ ...seat, role: 'crewmate' })) },
      ['match/impostors'],
    ],
    [
      'too many impostors, whoever is named',
      {
        seats: EIGHT.map((seat) => ({ ...seat, role: 'crewmate' })),
        options: { impostors: 3 },
      },
      ['match/impostors'],
    ],
    ['one role named is fine', { seats: role(3, 'impostor') }, []],
    [
      'no tasks',
      { options: { common_tasks: 0, long_tasks: 0, short_tasks: 0 } },
      ['match/no-tasks'],
    ],
    ['weights that starve', { options: { weights: { silence: { cap: 0 } } } }, ['weights/starve']],
    ['a cap that starves the last of five', capped(45), ['weights/starve']],
    ['a cap that starves none of five', capped(46), []],
  ])('%s', (_, lobby, expected) => {
    expect(codes(aGame(lobby))).toEqual(expected);
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
    expect(readMap(aGame())).toBe(SKELD);
  });

  test('says each opening once, and has the places that it names', () => {
    expect(readMap(aGame({ map }))).toEqual({
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
    expect(codes(aGame({ map }))).toEqual([]);
  });

  test('is refused where a task can’t be reached, or nothing is to be done', () => {
    const openings = { ...map.openings, O2: ['Weapons hallway' as const] };
    // Clean Filter, and the first half of Empty Chute.
    expect(codes(aGame({ map: { ...map, openings } }))).toEqual([
      'match/unreachable-task',
      'match/unreachable-task',
    ]);
    const { name, button } = map;
    expect(codes(aGame({ map: { name, button, openings: {} } }))).toEqual(['match/no-tasks']);
    expect(codes(aGame({ map: { ...map, button: 'MedBay' } }))).toContain('match/unreachable-task');
  });
});

describe('the crew', () => {
  test('sits in lobby order, with tasks for everybody, impostors too', () => {
    const { ship } = preparedGame(aGame({ seats: EIGHT.toReversed() }));
    expect(ship.seats.map(({ colour }) => colour)).toEqual(EIGHT.map(({ colour }) => colour));
    for (const { colour } of EIGHT) expect(ship.tasks[colour]).toHaveLength(4);
    expect(ship.seats.filter(({ role }) => role === 'impostor')).toHaveLength(2);
  });

  test('impostors know each other, crewmates nobody', () => {
    const { players, ship } = preparedGame(aGame());
    const impostors = ship.seats.filter(({ role }) => role === 'impostor');
    for (const { colour, role, partners } of players) {
      const others = impostors.map((seat) => seat.colour).filter((other) => other !== colour);
      expect(partners).toEqual(role === 'impostor' ? others : []);
    }
  });

  test('temperaments are dealt in turn, and a persona that is named is kept', () => {
    const own = { name: 'Ann', temperament: 'joker', notes: 'x' } as const;
    const seats = EIGHT.map((seat, index) => (index === 1 ? { ...seat, persona: own } : seat));
    const { players } = preparedGame(aGame({ seats }));
    expect(players[1]?.persona).toEqual(own);
    expect(players.map(({ persona }) => persona.temperament).toSpliced(1, 1)).toEqual(
      [...TEMPERAMENTS, TEMPERAMENTS[0]].toSpliced(1, 1),
    );
  });
});

law(
  'a lobby with nothing left open gives the same crew with the same seed, and is itself',
  fc.property(fc.nat({ max: 2 ** 40 }), fc.integer({ min: 4, max: 15 }), (seed, players) => {
    const one = preparedGame(plainGame(players), seed);
    const again = preparedGame(gameMatchSchema.parse(JSON.parse(JSON.stringify(one.match))), seed);
    expect(again).toEqual(one);
    expect(one.match.seats.every(({ role }) => role !== undefined)).toBe(true);
    expect(readGameOptions(one.match)).toEqual(one.ship.options);
    expect(readMeetingOptions(one.match)).toEqual(one.ship.meeting);
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
    const { ship } = preparedGame(plainGame(players, wanted));
    expect(ship.seats.map(({ colour }) => colour)).toEqual(COLOURS.slice(0, players));
    expect(ship.seats.filter(({ role }) => role === 'impostor')).toHaveLength(impostors);
  });

  test.each([
    [3, undefined, 'match/seats'],
    [-1, undefined, 'match/seats'],
    [99, undefined, 'match/seats'],
    [7, 4, 'match/impostors'],
    [7, 0, 'match/impostors'],
  ])('of %i players with %s impostors is refused: %s', (players, impostors, code) => {
    expect(codes(plainGame(players, impostors))).toEqual([code]);
  });

  test('may be played by either rule set', () => {
    expect(preparedGame(plainGame(8, 2, 'classic')).ship).toMatchObject({
      options: { ghostsDoTasks: true },
      meeting: { rules: 'classic' },
    });
  });
});
