import { describe, expect, test } from 'vitest';
import { defaultOptions } from '../../../machines/rules/options.ts';
import { type PreparedMeeting, personaOf, prepare } from '../../../machines/setup/prepare.ts';
import { COLOURS, TEMPERAMENTS } from '../../../machines/types.ts';
import { aScenario, FIVE, seatsFor } from '../builders.ts';

const SEED = 1;

function laid(scenario: Parameters<typeof aScenario>[0] = {}): PreparedMeeting {
  const result = prepare(aScenario(scenario), SEED);
  if (!result.ok) throw new Error(`expected a table, found ${JSON.stringify(result.refusals)}`);
  return result.prepared;
}

function refusals(scenario: Parameters<typeof aScenario>[0]): readonly string[] {
  const result = prepare(aScenario(scenario), SEED);
  return result.ok ? [] : result.refusals.map(({ code }) => code);
}

describe('a table that makes no sense is refused', () => {
  test.each<[string, Parameters<typeof aScenario>[0], readonly string[]]>([
    ['ruling 41: three seats', { seats: seatsFor(COLOURS.slice(0, 3)) }, ['scenario/seats']],
    ['ruling 41: four are fine', { seats: seatsFor(COLOURS.slice(0, 4)) }, []],
    ['ruling 41: fifteen are fine', { seats: seatsFor(COLOURS.slice(0, 15)) }, []],
    ['ruling 41: sixteen seats', { seats: seatsFor(COLOURS.slice(0, 16)) }, ['scenario/seats']],
    ['the same colour twice', { seats: seatsFor([...FIVE, 'red']) }, ['scenario/duplicate-seat']],
    ['only impostors', { seats: seatsFor(FIVE, FIVE) }, ['scenario/all-impostors']],
    ['too many of them', { seats: seatsFor(FIVE, ['red', 'blue']) }, ['scenario/impostors']],
    ['a caller without a seat', { call: { by: 'coral' } }, ['scenario/not-seated']],
    [
      'somebody seen who has no seat',
      {
        seats: seatsFor(FIVE, ['orange']).map((seat) => ({
          ...seat,
          saw: [{ ago: 9, who: 'coral' as const, place: 'Admin' as const }],
        })),
      },
      FIVE.map(() => 'scenario/saw-unknown-player'),
    ],
    ['a report of the living', { call: { by: 'red', report: 'blue' } }, ['call/no-body']],
    ['a button that is not ready', { call: { by: 'red', cooldown: 10 } }, ['call/cooldown']],
    [
      'ruling 11: weights that starve',
      { options: { weights: { silence: { slope: 0 } } } },
      ['weights/starve'],
    ],
    ['senseless weights', { options: { weights: { mention: 0.5 } } }, ['weights/senseless']],
  ])('%s', (_, scenario, expected) => {
    expect(refusals(scenario)).toEqual(expected);
  });
});

describe('the table is laid', () => {
  test('in lobby order, whatever the order of writing', () => {
    const { setting, players } = laid({
      seats: seatsFor(['orange', 'green', 'red', 'blue'], ['blue']),
    });
    const order = ['red', 'blue', 'green', 'orange'];
    expect(setting.seats.map(({ colour }) => colour)).toEqual(order);
    expect(players.map(({ colour }) => colour)).toEqual(order);
    expect(setting.seats[1]).toEqual({ colour: 'blue', role: 'impostor' });
  });

  test('ruling 11: with the default weights of those who live, not of those who sit', () => {
    const seats = [
      ...seatsFor(FIVE),
      { colour: 'white', dead: true },
      { colour: 'tan', dead: true },
    ] as const;
    const { setting } = laid({ seats: [...seats] });
    expect(setting.options).toEqual(defaultOptions(5));
    expect(setting.standings).toMatchObject({ red: 'living', white: 'dead', tan: 'dead' });
  });

  test('with the call as a report or a button', () => {
    const seats = [...seatsFor(FIVE), { colour: 'white' as const, dead: true }];
    expect(
      laid({ seats, call: { by: 'blue', report: 'white', place: 'Admin' } }).setting.call,
    ).toEqual({
      by: 'blue',
      kind: 'body',
      body: 'white',
      place: 'Admin',
      buttonsLeft: 1,
      cooldown: 0,
      crisis: null,
    });
    expect(laid({ seats }).setting.call).toMatchObject({ kind: 'button', body: null, place: null });
  });

  test('impostors know each other, crewmates nobody', () => {
    const seats = seatsFor(COLOURS.slice(0, 9), ['red', 'pink', 'white']);
    const partners = Object.fromEntries(
      laid({ seats }).players.map(({ colour, partners: known }) => [colour, known]),
    );
    expect(partners).toMatchObject({
      red: ['pink', 'white'],
      pink: ['red', 'white'],
      white: ['red', 'pink'],
      blue: [],
      black: [],
    });
  });

  test('scratchpads are blank, and the brief is what the seat saw', () => {
    const saw = [{ ago: 5, who: 'blue', place: 'Admin', did: 'vent' }] as const;
    const seats = [
      ...seatsFor(['blue', 'green', 'pink']),
      { colour: 'red' as const, saw: [...saw], notes: 'psst' },
    ];
    expect(laid({ seats }).players[0]).toMatchObject({
      colour: 'red',
      pads: { main: '', meeting: '' },
      brief: { sightings: saw, notes: 'psst' },
    });
  });
});

describe('a persona', () => {
  const [seat] = aScenario().seats;

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
