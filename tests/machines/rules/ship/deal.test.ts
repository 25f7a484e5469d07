import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SKELD } from '../../../../machines/rules/ship/map.ts';
import {
  dealTasks,
  TASKS,
  type Task,
  type TaskCounts,
  type TaskSpec,
} from '../../../../machines/rules/ship/tasks.ts';
import { COLOURS, type Colour, type Place } from '../../../../machines/types.ts';
import { law, SEED, someColour, someSeats } from '../../builders.ts';
import { chiSquare, critical } from '../../chiSquare.ts';
import { aMap } from './maps.ts';

const MOST: TaskCounts = { common: 2, long: 3, short: 5 };
const DEFAULT: TaskCounts = { common: 1, long: 1, short: 2 };

const someSeed = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const someCounts: fc.Arbitrary<TaskCounts> = fc.record({
  common: fc.nat({ max: 2 }),
  long: fc.nat({ max: 3 }),
  short: fc.nat({ max: 5 }),
});

const specOf = (task: Task): TaskSpec => {
  const spec = TASKS.find(({ id }) => id === task.id);
  if (spec === undefined) throw new Error(`expected a task of the catalogue, found ${task.id}`);
  return spec;
};
const handOf = (seat: Colour, counts: TaskCounts, seed: number) =>
  dealTasks(SKELD, counts, [seat], { seed })[seat] ?? [];

law(
  'everybody gets as many of each kind as the lobby says: common, long, short',
  fc.property(someSeats(1), someCounts, someSeed, (seats, counts, seed) => {
    const tasks = dealTasks(SKELD, counts, seats, { seed });
    expect(Object.keys(tasks).toSorted()).toEqual(seats.toSorted());
    for (const seat of seats)
      expect(tasks[seat]?.map(({ kind }) => kind)).toEqual([
        ...Array.from({ length: counts.common }, () => 'common'),
        ...Array.from({ length: counts.long }, () => 'long'),
        ...Array.from({ length: counts.short }, () => 'short'),
      ]);
  }),
);

law(
  'common tasks are the same for everybody, rooms included',
  fc.property(someSeats(2), someSeed, (seats, seed) => {
    const tasks = dealTasks(SKELD, MOST, seats, { seed });
    const common = seats.map((seat) => tasks[seat]?.filter(({ kind }) => kind === 'common'));
    for (const one of common) expect(one).toEqual(common[0]);
  }),
);

law(
  'nobody gets two tasks of one title, such as power to divert twice',
  fc.property(someColour, someSeed, (seat, seed) => {
    const titles = handOf(seat, MOST, seed).map((task) => specOf(task).title);
    expect(new Set(titles).size).toBe(MOST.common + MOST.long + MOST.short);
  }),
);

law(
  'every step is in one of its rooms; where it has a choice, in one that no earlier step has',
  fc.property(someColour, someSeed, (seat, seed) => {
    for (const task of handOf(seat, MOST, seed)) {
      const { steps } = specOf(task);
      expect(task.steps.map((step) => step.rounds)).toEqual(steps.map((step) => step.rounds));
      const chosen = task.steps.filter((_, index) => (steps[index]?.places.length ?? 0) > 1);
      expect(new Set(chosen.map(({ place }) => place)).size).toBe(chosen.length);
      for (const [index, { place }] of task.steps.entries())
        expect(steps[index]?.places).toContain(place);
    }
  }),
);

law(
  'what a player is dealt depends neither on who else sits there nor on the order of the seats',
  fc.property(someColour, someSeats(1), someCounts, someSeed, (seat, others, counts, seed) => {
    const alone = handOf(seat, counts, seed);
    expect(dealTasks(SKELD, counts, [...others, seat], { seed })[seat]).toEqual(alone);
    expect(dealTasks(SKELD, counts, [seat, ...others], { seed })[seat]).toEqual(alone);
  }),
);

test('a small map deals what it has: fewer tasks, and none that needs another room', () => {
  const tasks = dealTasks(aMap(), MOST, ['red'], { seed: SEED }).red ?? [];
  expect(tasks.map(({ id }) => id).toSorted()).toEqual([
    'download-cafeteria',
    'empty-garbage',
    'fix-wiring',
    'swipe-card',
  ]);
  const wires = tasks.find(({ id }) => id === 'fix-wiring');
  expect(wires?.steps.map(({ place }) => place).toSorted()).toEqual([
    'Admin',
    'Cafeteria',
    'Storage',
  ]);
});

const GAMES = 20_000;

describe(`over ${GAMES} games from seed ${SEED}, at 1 % for all tests together`, () => {
  const specs = (kind: Task['kind']) => TASKS.filter((spec) => spec.kind === kind);
  /** 18 seats twice, pairs of neighbouring seats, common tasks, panels, engines. */
  const TESTS = 18 + 18 + 17 + 3;
  const hands = Array.from({ length: GAMES }, (_, game) =>
    dealTasks(SKELD, { common: 1, long: 1, short: 1 }, COLOURS, { seed: SEED * GAMES + game }),
  );
  const index = (hand: readonly Task[] | undefined, kind: Task['kind']) =>
    specs(kind).findIndex(({ id }) => id === hand?.find((task) => task.kind === kind)?.id);

  function counted(cells: number, cellOf: (hand: (typeof hands)[number]) => number): number {
    const counts = new Uint32Array(cells);
    for (const hand of hands) counts[cellOf(hand)] = (counts[cellOf(hand)] ?? 0) + 1;
    return chiSquare(counts);
  }

  test.each(COLOURS)('%s gets every long and every short task as often as any other', (seat) => {
    expect(counted(7, (hand) => index(hand[seat], 'long'))).toBeLessThan(critical(0.01 / TESTS, 6));
    expect(counted(20, (hand) => index(hand[seat], 'short'))).toBeLessThan(
      critical(0.01 / TESTS, 19),
    );
  });

  test('no two neighbours in the lobby are dealt alike', () => {
    for (const [at, seat] of COLOURS.entries()) {
      const next = COLOURS[at + 1];
      if (next === undefined) continue;
      const cell = (hand: (typeof hands)[number]) =>
        index(hand[seat], 'long') * 7 + index(hand[next], 'long');
      expect(counted(49, cell), `${seat} and ${next}`).toBeLessThan(critical(0.01 / TESTS, 48));
    }
  });

  test('card and wires come as often; so do all 120 ways round the panels, and both engines', () => {
    expect(counted(2, (hand) => index(hand.red, 'common'))).toBeLessThan(critical(0.01 / TESTS, 1));
    const panels: readonly Place[] = specs('common')[1]?.steps[0]?.places ?? [];
    const ways = new Map<string, number>();
    const engines = new Uint32Array(2);
    for (const hand of hands) {
      const wires = hand.red?.find(({ id }) => id === 'fix-wiring');
      const way = wires?.steps.map(({ place }) => panels.indexOf(place));
      if (way !== undefined) ways.set(way.join(), (ways.get(way.join()) ?? 0) + 1);
      const fuel = hand.red?.find(({ id }) => id === 'fuel-engines')?.steps[1]?.place;
      if (fuel !== undefined) {
        const cell = fuel === 'Upper Engine' ? 0 : 1;
        engines[cell] = (engines[cell] ?? 0) + 1;
      }
    }
    expect(ways.size).toBe(120);
    expect(chiSquare([...ways.values()])).toBeLessThan(critical(0.01 / TESTS, 119));
    expect(chiSquare(engines)).toBeLessThan(critical(0.01 / TESTS, 1));
  });
});

test('the default lobby gives four tasks, of four to eleven steps', () => {
  for (let seed = 0; seed < 500; seed++) {
    const hand = handOf('red', DEFAULT, seed);
    expect(hand).toHaveLength(4);
    const stops = hand.flatMap(({ steps }) => steps).length;
    expect(stops).toBeGreaterThanOrEqual(4);
    expect(stops).toBeLessThanOrEqual(3 + 4 + 2 + 2);
  }
});
