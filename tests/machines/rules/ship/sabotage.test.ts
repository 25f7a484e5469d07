import { describe, expect, test } from 'vitest';
import { type Colour, SYSTEMS } from '../../../../machines/types.ts';
import { aWorld, eventsOf, later, playRound, refusal, rounds, type Wanted } from './worlds.ts';

const breaks = (system: (typeof SYSTEMS)[number]) => ({ type: 'sabotage', system }) as const;
const fixes = (at: 'Reactor' | 'O2' | 'Admin' | 'Electrical' | 'Communications') =>
  ({ type: 'fix', at }) as const;

describe('a sabotage', () => {
  test.each(SYSTEMS)('of %s is possible when nothing is broken', (system) => {
    expect(playRound(aWorld(), { red: breaks(system) }).world.crisis?.system).toBe(system);
  });

  test.each<[string, Wanted, Colour, string | null]>([
    ...SYSTEMS.map((system): [string, Wanted, Colour, string] => [
      `is not possible while ${system} is broken`,
      { crisis: { system, left: 9 } },
      'red',
      'sabotage/one-at-a-time',
    ]),
    ['is possible with no round to wait', { world: { sabotageWait: 0 } }, 'red', null],
    ['is not with one', { world: { sabotageWait: 1 } }, 'red', 'sabotage/cooldown'],
    ['is not for crewmates', {}, 'blue', 'intent/impostors-only'],
  ])('%s', (_, wanted, seat, code) => {
    expect(refusal(playRound(aWorld(wanted), { [seat]: breaks('lights') }), seat)).toBe(code);
  });

  test('can be made from inside a vent', () => {
    const round = playRound(aWorld({ players: { red: { vent: 2 } } }), { red: breaks('lights') });
    expect(round.world.crisis?.system).toBe('lights');
  });

  test.each([
    ['red', 'lights', { red: 9, pink: 1 }],
    ['pink', 'comms', { red: 1, pink: 9 }],
  ] as const)('of two at once is the one that is drawn: %s', (by, system, draws) => {
    const world = aWorld({ impostors: ['red', 'pink'] });
    const round = playRound(world, { red: breaks('lights'), pink: breaks('comms') }, draws);
    expect(eventsOf(round, 'sabotage.begun')).toEqual([{ type: 'sabotage.begun', by, system }]);
    expect(refusal(round, by === 'red' ? 'pink' : 'red')).toBe('sabotage/at-once');
  });
});

describe('the clock between two', () => {
  const broken: Wanted = {
    options: { sabotageCooldown: 30 },
    crisis: { system: 'lights', held: 1 },
    at: { blue: 'Electrical' },
    world: { sabotageWait: 12 },
  };

  test('the cooldown pauses while a system is sabotaged', () => {
    expect(later(aWorld(broken), 20).world.sabotageWait).toBe(12);
  });

  test.each([
    ['11 rounds after it was mended: not yet', 11, 'sabotage/cooldown'],
    ['12 rounds after it was mended: again', 12, null],
  ])('of 30 s, %s', (_, after, code) => {
    const idle = Array.from({ length: after - 1 }, () => ({}));
    const last = rounds(aWorld(broken), { blue: fixes('Electrical') }, ...idle, {
      red: breaks('comms'),
    }).at(-1);
    expect(last && refusal(last, 'red')).toBe(code);
  });
});

describe('the reactor', () => {
  const melting = (wanted: Wanted = {}) =>
    aWorld({
      crisis: { system: 'reactor', left: 5 },
      at: { blue: 'Reactor', green: 'Reactor' },
      ...wanted,
    });

  test('is held by two in one round', () => {
    const round = playRound(melting(), { blue: fixes('Reactor'), green: fixes('Reactor') });
    expect(round.world.crisis).toBeNull();
    expect(eventsOf(round, 'sabotage.fixed')[0]?.by).toEqual(['blue', 'green']);
  });

  test('is not held by one, for however long', () => {
    expect(later(melting(), 3, { blue: fixes('Reactor') }).world.crisis?.left).toBe(2);
  });

  test('is not held by two one after the other', () => {
    const last = rounds(
      melting(),
      { blue: fixes('Reactor') },
      { blue: { type: 'wait', rounds: 1 }, green: fixes('Reactor') },
    ).at(-1);
    expect(last?.world.crisis?.system).toBe('reactor');
  });

  test('is not held by who has just arrived', () => {
    const world = melting({ at: { blue: 'Reactor', green: 'Engine hallway' } });
    const [first, second] = rounds(world, { blue: fixes('Reactor'), green: fixes('Reactor') }, {});
    expect(first?.world.crisis?.system).toBe('reactor');
    expect(second?.world.crisis).toBeNull();
  });

  test.each([
    ['one hand at each of two panels in two rooms holds it', 'O2', null],
    ['two hands at the same one of them do not', 'Reactor', 'reactor'],
  ] as const)('%s', (_, room, system) => {
    const base = melting({ at: { blue: 'Reactor', green: room } });
    const map = {
      ...base.ship.map,
      consoles: { ...base.ship.map.consoles, reactor: ['Reactor', 'O2'] },
    } as const;
    const round = playRound(
      { ...base, ship: { ...base.ship, map } },
      { blue: fixes('Reactor'), green: fixes(room) },
    );
    expect(round.world.crisis?.system ?? null).toBe(system);
  });

  test('can be held by impostors too', () => {
    const round = playRound(melting({ at: { red: 'Reactor', green: 'Reactor' } }), {
      red: fixes('Reactor'),
      green: fixes('Reactor'),
    });
    expect(round.world.crisis).toBeNull();
  });

  test('the reactor melts after 30 s: 12 rounds including the first', () => {
    const world = aWorld({ options: { reactorSeconds: 30 } });
    expect(later(world, 11, { red: breaks('reactor') }).ending).toBeNull();
    expect(later(world, 12, { red: breaks('reactor') }).ending).toEqual({
      winner: 'impostors',
      reason: 'sabotage',
    });
  });

  test.each([
    ['held in the last round is saved', { blue: fixes('Reactor'), green: fixes('Reactor') }, null],
    ['held by one in the last round is not', { blue: fixes('Reactor') }, 'sabotage'],
  ])('%s', (_, orders, reason) => {
    const world = melting({ crisis: { system: 'reactor', left: 1 } });
    expect(playRound(world, orders).ending?.reason ?? null).toBe(reason);
  });
});

describe('oxygen', () => {
  const thin = (wanted: Wanted = {}) =>
    aWorld({
      crisis: { system: 'o2', left: 9 },
      at: { blue: 'O2', green: 'Admin', pink: 'O2' },
      ...wanted,
    });

  test('oxygen needs each keypad once, and an entered one stays', () => {
    const [first, second] = rounds(thin(), { blue: fixes('O2') }, { green: fixes('Admin') });
    expect(first?.world.crisis?.done).toEqual(['O2']);
    expect(first && eventsOf(first, 'keypad.entered')).toEqual([
      { type: 'keypad.entered', seat: 'blue', at: 'O2' },
    ]);
    expect(second?.world.crisis).toBeNull();
  });

  test('wants both: one keypad twice is not enough', () => {
    const last = rounds(thin(), { blue: fixes('O2') }, { blue: fixes('O2') }).at(-1);
    expect(last?.world.crisis?.done).toEqual(['O2']);
    expect(last && eventsOf(last, 'keypad.entered')).toEqual([]);
  });

  test('is well at once when both are entered in one round', () => {
    expect(playRound(thin(), { blue: fixes('O2'), green: fixes('Admin') }).world.crisis).toBeNull();
  });

  test.each([
    ['blue', { blue: 2, pink: 1 }],
    ['pink', { blue: 1, pink: 2 }],
  ] as const)('a keypad that two enter is entered once, by draw: %s', (seat, draws) => {
    const round = playRound(thin(), { blue: fixes('O2'), pink: fixes('O2') }, draws);
    expect(eventsOf(round, 'keypad.entered').map((event) => event.seat)).toEqual([seat]);
  });

  test.each([
    ['entered in the last round saves all', fixes('Admin'), null],
    ['not entered in the last round', { type: 'wait', rounds: 1 }, 'sabotage'],
  ] as const)('the second keypad, %s', (_, order, reason) => {
    const world = thin({ crisis: { system: 'o2', left: 1, done: ['O2'] } });
    expect(playRound(world, { green: order }).ending?.reason ?? null).toBe(reason);
  });
});

describe.each([
  ['lights', 'Electrical'],
  ['comms', 'Communications'],
] as const)('%s', (system, room) => {
  const broken = aWorld({ crisis: { system }, at: { blue: room, green: room } });

  test('are held for two rounds', () => {
    const [first, second] = rounds(broken, { blue: fixes(room) }, {});
    expect(first?.world.crisis?.held).toBe(1);
    expect(second?.world.crisis).toBeNull();
  });

  test('by anybody in turn, and a round without anybody loses nothing', () => {
    const wait = { type: 'wait', rounds: 1 } as const;
    const last = rounds(broken, { blue: fixes(room) }, { blue: wait }, { green: fixes(room) }).at(
      -1,
    );
    expect(last?.world.crisis).toBeNull();
  });

  test('two at once are no quicker', () => {
    const round = playRound(broken, { blue: fixes(room), green: fixes(room) });
    expect(round.world.crisis?.held).toBe(1);
  });

  test('never end the game', () => {
    expect(later(broken, 60).ending).toBeNull();
  });
});

describe('fixing', () => {
  test.each<[string, Wanted, string]>([
    ['while nothing is broken', {}, 'intent/nothing-broken'],
    ['at the console of something else', { crisis: { system: 'lights' } }, 'intent/no-console'],
  ])('is refused %s', (_, wanted, code) => {
    expect(refusal(playRound(aWorld(wanted), { blue: fixes('Reactor') }), 'blue')).toBe(code);
  });

  test('is over for everybody who was on the way when it is mended', () => {
    const world = aWorld({ crisis: { system: 'lights', held: 1 }, at: { blue: 'Electrical' } });
    const { players } = playRound(world, {
      blue: fixes('Electrical'),
      pink: fixes('Electrical'),
    }).world;
    expect([players.blue?.intent, players.pink?.intent]).toEqual([null, null]);
  });
});
