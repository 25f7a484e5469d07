import { describe, expect, test } from 'vitest';
import { type Colour, SYSTEMS } from '../../../../machines/types.ts';
import { aWorld, eventsOf, later, playRound, refusal, rounds, type Wanted } from './worlds.ts';

describe('a sabotage', () => {
  test.each(SYSTEMS)('of %s is possible when nothing is broken', (system) => {
    expect(playRound(aWorld(), { red: `sabotage ${system}` }).world.crisis?.system).toBe(system);
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
    expect(refusal(playRound(aWorld(wanted), { [seat]: 'sabotage lights' }), seat)).toBe(code);
  });

  test.each([
    ['reactor', 16],
    ['o2', 8],
    ['lights', null],
    ['comms', null],
  ] as const)('of %s leaves %s rounds of its own seconds', (system, left) => {
    const world = aWorld({ options: { reactorSeconds: 40, o2Seconds: 20 } });
    expect(playRound(world, { red: `sabotage ${system}` }).world.crisis?.left).toBe(
      left === null ? null : left - 1,
    );
  });

  test('can be made from inside a vent', () => {
    const round = playRound(aWorld({ players: { red: { vent: 2 } } }), { red: 'sabotage lights' });
    expect(round.world.crisis?.system).toBe('lights');
  });

  test.each([
    ['red', 'lights', { red: 9, pink: 1 }],
    ['pink', 'comms', { red: 1, pink: 9 }],
  ] as const)('of two at once is the one that is drawn: %s', (by, system, draws) => {
    const world = aWorld({ impostors: ['red', 'pink'] });
    const round = playRound(world, { red: 'sabotage lights', pink: 'sabotage comms' }, draws);
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
    const last = rounds(aWorld(broken), { blue: 'fix Electrical' }, ...idle, {
      red: 'sabotage comms',
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
    const round = playRound(melting(), { blue: 'fix Reactor', green: 'fix Reactor' });
    expect(round.world.crisis).toBeNull();
    expect(eventsOf(round, 'sabotage.fixed')[0]?.by).toEqual(['blue', 'green']);
  });

  test('is not held by one, for however long', () => {
    expect(later(melting(), 3, { blue: 'fix Reactor' }).world.crisis?.left).toBe(2);
  });

  test('is not held by two one after the other', () => {
    const last = rounds(
      melting(),
      { blue: 'fix Reactor' },
      { blue: 'wait 1', green: 'fix Reactor' },
    ).at(-1);
    expect(last?.world.crisis?.system).toBe('reactor');
  });

  test('is not held by who has just arrived', () => {
    const world = melting({ at: { blue: 'Reactor', green: 'Engine hallway' } });
    const [first, second] = rounds(world, { blue: 'fix Reactor', green: 'fix Reactor' }, {});
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
      { blue: 'fix Reactor', green: `fix ${room}` },
    );
    expect(round.world.crisis?.system ?? null).toBe(system);
  });

  test('can be held by impostors too', () => {
    const round = playRound(melting({ at: { red: 'Reactor', green: 'Reactor' } }), {
      red: 'fix Reactor',
      green: 'fix Reactor',
    });
    expect(round.world.crisis).toBeNull();
  });

  test('the reactor melts after 30 s: 12 rounds including the first', () => {
    const world = aWorld({ options: { reactorSeconds: 30 } });
    expect(later(world, 11, { red: 'sabotage reactor' }).ending).toBeNull();
    expect(later(world, 12, { red: 'sabotage reactor' }).ending).toEqual({
      winner: 'impostors',
      reason: 'sabotage',
    });
  });

  test.each([
    ['held in the last round is saved', { blue: 'fix Reactor', green: 'fix Reactor' }, null],
    ['held by one in the last round is not', { blue: 'fix Reactor' }, 'sabotage'],
  ] as const)('%s', (_, orders, reason) => {
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
    const [first, second] = rounds(thin(), { blue: 'fix O2' }, { green: 'fix Admin' });
    expect(first?.world.crisis?.done).toEqual(['O2']);
    expect(first && eventsOf(first, 'keypad.entered')).toEqual([
      { type: 'keypad.entered', seat: 'blue', at: 'O2' },
    ]);
    expect(second?.world.crisis).toBeNull();
  });

  test('wants both: one keypad twice is not enough', () => {
    const last = rounds(thin(), { blue: 'fix O2' }, { blue: 'fix O2' }).at(-1);
    expect(last?.world.crisis?.done).toEqual(['O2']);
    expect(last && eventsOf(last, 'keypad.entered')).toEqual([]);
  });

  test('is well at once when both are entered in one round', () => {
    expect(playRound(thin(), { blue: 'fix O2', green: 'fix Admin' }).world.crisis).toBeNull();
  });

  test.each([
    ['blue', { blue: 2, pink: 1 }],
    ['pink', { blue: 1, pink: 2 }],
  ] as const)('a keypad that two enter is entered once, by draw: %s', (seat, draws) => {
    const round = playRound(thin(), { blue: 'fix O2', pink: 'fix O2' }, draws);
    expect(eventsOf(round, 'keypad.entered').map((event) => event.seat)).toEqual([seat]);
  });

  test.each([
    ['entered in the last round saves all', 'fix Admin', null],
    ['not entered in the last round', 'wait 1', 'sabotage'],
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
    const [first, second] = rounds(broken, { blue: `fix ${room}` }, {});
    expect(first?.world.crisis?.held).toBe(1);
    expect(second?.world.crisis).toBeNull();
  });

  test('by anybody in turn, and a round without anybody loses nothing', () => {
    const wait = 'wait 1' as const;
    const last = rounds(
      broken,
      { blue: `fix ${room}` },
      { blue: wait },
      { green: `fix ${room}` },
    ).at(-1);
    expect(last?.world.crisis).toBeNull();
  });

  test('two at once are no quicker', () => {
    const round = playRound(broken, { blue: `fix ${room}`, green: `fix ${room}` });
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
    expect(refusal(playRound(aWorld(wanted), { blue: 'fix Reactor' }), 'blue')).toBe(code);
  });

  test('is over for everybody who was on the way when it is mended', () => {
    const world = aWorld({ crisis: { system: 'lights', held: 1 }, at: { blue: 'Electrical' } });
    const { players } = playRound(world, { blue: 'fix Electrical', pink: 'fix Electrical' }).world;
    expect([players.blue?.intent, players.pink?.intent]).toEqual([null, null]);
  });
});
