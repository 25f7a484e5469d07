import { describe, expect, test } from 'vitest';
import {
  aWorld,
  eventsOf,
  later,
  playRound,
  refusal,
  rounds,
  seenOf,
  type Wanted,
} from './worlds.ts';

const SEVEN = ['red', 'blue', 'green', 'pink', 'orange', 'yellow', 'black'] as const;
const haunted = (wanted: Wanted = {}) =>
  aWorld({
    seats: SEVEN,
    impostors: ['red', 'pink'],
    rules: 'classic',
    ...wanted,
    standings: { red: 'dead', blue: 'dead', ...wanted.standings },
  });

describe('in classic', () => {
  test('ghosts of the crew do their tasks', () => {
    const round = later(haunted({ at: { blue: 'Admin' } }), 2, { blue: 'task swipe-card' });
    expect(round.world.players.blue?.progress[0]?.steps).toBe(1);
  });

  test('ghosts of impostors sabotage and shut doors', () => {
    expect(playRound(haunted(), { red: 'sabotage lights' }).world.crisis?.system).toBe('lights');
    expect(playRound(haunted(), { red: 'shut MedBay' }).world.doors).toHaveLength(1);
  });

  test.each([
    ['blue', 'fix Electrical'],
    ['blue', 'report green'],
    ['blue', 'button'],
    ['blue', 'sabotage lights'],
    ['red', 'kill green'],
    ['red', 'vent 2'],
    ['red', 'task swipe-card'],
    ['red', 'fake swipe-card'],
  ] as const)('the ghost of %s can not %j', (seat, intent) => {
    const world = haunted({ crisis: { system: 'lights' } });
    expect(refusal(playRound(world, { [seat]: intent }), seat)).toBe('intent/ghost');
  });

  test('a ghost’s order is looked at like any other: a foreign task is refused, and they are asked again', () => {
    const round = playRound(haunted(), { blue: 'task fix-wiring' });
    expect(refusal(round, 'blue')).toBe('intent/not-your-task');
    expect(round.world.asks.blue).toEqual(['refused']);
  });

  test('ghosts are invisible and record no sights', () => {
    const round = playRound(haunted());
    expect(seenOf(round, 'green', 'blue')).toEqual([]);
    expect(round.seen.blue).toBeUndefined();
  });

  test('a walking ghost does not change the sights of the living', () => {
    const at = {
      blue: 'MedBay',
      green: 'MedBay',
      orange: 'MedBay hallway',
      pink: 'Cafeteria',
    } as const;
    const world = haunted({ at, options: { playerSpeed: 1.5 }, players: { blue: { stride: 2 } } });
    const orders = { green: 'go Cafeteria', orange: 'go MedBay' } as const;
    const ghost = 'go Reactor' as const;
    expect(playRound(world, { ...orders, blue: ghost }).seen).toEqual(
      playRound(world, orders).seen,
    );
  });
});

describe('in house', () => {
  test('ghosts watch: they are not asked, and their orders do not count', () => {
    const world = haunted({ rules: 'house', at: { blue: 'Admin' } });
    const round = later(world, 2, { blue: 'task swipe-card', red: 'sabotage lights' });
    expect([
      round.world.players.blue?.progress[0]?.steps,
      round.world.crisis,
      round.world.asks.blue,
    ]).toEqual([0, null, undefined]);
  });
});

describe('whoever leaves', () => {
  const leave = { fault: 'seat/left' };

  test('is gone at once, leaves no body, is seen no more and is asked nothing', () => {
    const round = playRound(aWorld({ seats: SEVEN }), { blue: leave });
    const { standings, bodies, asks } = round.world;
    expect([standings.blue, bodies, asks.blue]).toEqual(['departed', [], undefined]);
    expect(seenOf(round, 'green', 'blue')).toEqual([]);
    expect(eventsOf(round, 'seat.departed')).toEqual([
      { type: 'seat.departed', seat: 'blue', reason: 'left' },
    ]);
  });

  test('leaves the vent that they were in', () => {
    const world = aWorld({
      seats: SEVEN,
      impostors: ['red', 'pink'],
      players: { red: { vent: 2 } },
    });
    expect(playRound(world, { red: leave }).world.players.red?.vent).toBeNull();
  });
});

describe('patience', () => {
  const late = { blue: { fault: 'mind/late' } } as const;

  test.each([
    ['one fault less', 2, 'living'],
    ['so many faults', 3, 'departed'],
  ])('of three in a row: %s', (_, faults, standing) => {
    const each = Array.from({ length: faults }, () => late);
    expect(
      rounds(aWorld({ seats: SEVEN, patience: 3 }), ...each).at(-1)?.world.standings.blue,
    ).toBe(standing);
  });

  test('one order begins the count anew', () => {
    const last = rounds(aWorld({ seats: SEVEN, patience: 2 }), late, { blue: 'on' }, late).at(-1);
    expect(last?.world.standings.blue).toBe('living');
  });

  test('a fault is a wait and ends the previous intent', () => {
    const last = rounds(aWorld({ seats: SEVEN }), { blue: 'go Reactor' }, late).at(-1);
    expect([last?.world.players.blue?.place, last?.world.players.blue?.intent]).toEqual([
      'MedBay hallway',
      null,
    ]);
  });

  test('runs out for ghosts too, whose bodies stay', () => {
    const bodies = [{ victim: 'blue', place: 'O2' }] as const;
    const world = haunted({ patience: 1, world: { bodies } });
    const { standings, bodies: left } = playRound(world, late).world;
    expect([standings.blue, left]).toEqual(['departed', bodies]);
  });
});
