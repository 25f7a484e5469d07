import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../machines/rules/options.ts';
import { SKELD } from '../../../../machines/rules/ship/map.ts';
import {
  dealTasks,
  findUnreachable,
  isVisible,
  TASK_IDS,
  TASKS,
  type Task,
  type TaskCounts,
  type TaskId,
  type TaskKind,
  type TaskSpec,
  taskSites,
  tasksOn,
} from '../../../../machines/rules/ship/tasks.ts';
import { COLOURS, type Colour, type Place, type Room } from '../../../../machines/types.ts';
import { law, SEED, someColour, someSeats } from '../../builders.ts';
import { chiSquare, critical } from '../../chiSquare.ts';
import { aMap } from './maps.ts';

const task = (id: TaskId) => {
  const found = TASKS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`expected a task ${id}`);
  return found;
};
const ids = (kind: TaskKind) => TASKS.filter((one) => one.kind === kind).map(({ id }) => id);

describe('the catalogue', () => {
  test('has 2 common, 7 long and 20 short tasks: the 29 of the game, in the order of its ids', () => {
    expect([ids('common').length, ids('long').length, ids('short').length]).toEqual([2, 7, 20]);
    expect(TASK_IDS).toEqual(
      `swipe-card fix-wiring clear-asteroids align-output submit-scan inspect-sample fuel-engines start-reactor
      empty-chute empty-garbage download-communications calibrate-distributor chart-course clean-filter
      unlock-manifolds download-electrical stabilize-steering download-weapons prime-shields download-cafeteria
      download-navigation divert-shields divert-weapons divert-communications divert-upper-engine divert-o2
      divert-navigation divert-lower-engine divert-security`.split(/\s+/),
    );
  });

  test('common: the card and the wires; long: what takes a while; the rest is short', () => {
    expect(ids('common')).toEqual(['swipe-card', 'fix-wiring']);
    expect(ids('long')).toEqual([
      ...['clear-asteroids', 'submit-scan', 'inspect-sample', 'fuel-engines', 'start-reactor'],
      ...['empty-chute', 'empty-garbage'],
    ]);
  });

  test('others can see five of them being done', () => {
    expect(TASKS.filter(({ visual }) => visual).map(({ id }) => id)).toEqual([
      ...['clear-asteroids', 'submit-scan', 'empty-chute', 'empty-garbage', 'prime-shields'],
    ]);
  });

  test.each<[TaskId, readonly (readonly Room[])[]]>([
    ['swipe-card', [['Admin']]],
    [
      'fuel-engines',
      [
        ['Storage'],
        ['Upper Engine', 'Lower Engine'],
        ['Storage'],
        ['Upper Engine', 'Lower Engine'],
      ],
    ],
    [
      'align-output',
      [
        ['Upper Engine', 'Lower Engine'],
        ['Upper Engine', 'Lower Engine'],
      ],
    ],
    ['empty-chute', [['O2'], ['Storage']]],
    ['empty-garbage', [['Cafeteria'], ['Storage']]],
    ['download-weapons', [['Weapons'], ['Admin']]],
    ['divert-o2', [['Electrical'], ['O2']]],
    ['submit-scan', [['MedBay']]],
    ['prime-shields', [['Shields']]],
  ])('%s leads through %j', (id, rooms) => {
    expect(task(id).steps.map(({ places }) => places)).toEqual(rooms);
  });

  test('wires are fixed at three of six panels', () => {
    const panels = ['Electrical', 'Storage', 'Admin', 'Navigation', 'Cafeteria', 'Security'];
    expect(task('fix-wiring').steps.map(({ places }) => places)).toEqual([panels, panels, panels]);
  });

  test('data is downloaded in one of five rooms, and power is diverted to one of eight', () => {
    const rooms = (title: string, step: number) =>
      TASKS.filter((one) => one.title === title).map(({ steps }) => steps[step]?.places.join());
    expect(rooms('Download Data', 0).toSorted()).toEqual([
      ...['Cafeteria', 'Communications', 'Electrical', 'Navigation', 'Weapons'],
    ]);
    expect(rooms('Divert Power', 1).toSorted()).toEqual([
      ...['Communications', 'Lower Engine', 'Navigation', 'O2', 'Security', 'Shields'],
      ...['Upper Engine', 'Weapons'],
    ]);
  });

  test('every step lasts as many rounds as its seconds make', () => {
    for (const { id, steps } of TASKS)
      for (const { seconds, rounds: count } of steps) {
        expect(count, id).toBe(rounds(seconds));
        expect(seconds % 2.5, id).toBe(0);
      }
  });

  test('at the consoles short tasks take 2.5 to 15 s, common ones 5 to 15, long ones 10 to 15', () => {
    const span = (kind: TaskKind) => {
      const all = TASKS.filter((one) => one.kind === kind).map(({ steps }) =>
        steps.reduce((sum, { seconds }) => sum + seconds, 0),
      );
      return [Math.min(...all), Math.max(...all)];
    };
    expect([span('short'), span('common'), span('long')]).toEqual([
      [2.5, 15],
      [5, 15],
      [10, 15],
    ]);
  });
});

test('of a visual task the last step is seen, of another none', () => {
  const steps = [
    { place: 'O2', rounds: 2 },
    { place: 'Storage', rounds: 2 },
  ] as const;
  const chute: Task = { id: 'empty-chute', name: 'Empty Chute', kind: 'long', visual: true, steps };
  expect([0, 1, 2].map((step) => isVisible(chute, step))).toEqual([false, true, false]);
  expect([0, 1].map((step) => isVisible({ ...chute, visual: false }, step))).toEqual([
    false,
    false,
  ]);
});

describe('a map', () => {
  test('The Skeld has the rooms for all of them, and ways to every one', () => {
    expect(tasksOn(SKELD)).toEqual(TASKS);
    expect(findUnreachable(SKELD)).toEqual([]);
  });

  test('a small map has the tasks that its rooms allow, and Fix Wiring only with three of its rooms', () => {
    expect(tasksOn(aMap()).map(({ id }) => id)).toEqual([
      'swipe-card',
      'fix-wiring',
      'empty-garbage',
      'download-cafeteria',
    ]);
    const two = aMap({ places: ['Cafeteria', 'Admin', 'Admin hallway'] });
    expect(tasksOn(two).map(({ id }) => id)).toEqual(['swipe-card', 'download-cafeteria']);
  });

  test('a map with only one engine room has neither Fuel Engines nor Align Output', () => {
    const engine = aMap({ places: ['Storage', 'Upper Engine'] });
    expect(tasksOn(engine)).toEqual([]);
    const engines = aMap({ places: ['Storage', 'Upper Engine', 'Lower Engine'] });
    expect(tasksOn(engines).map(({ id }) => id)).toEqual(['align-output', 'fuel-engines']);
  });

  test('where no way leads to a room, every task that may be dealt there is named', () => {
    const split = aMap({
      openings: {
        Cafeteria: ['Admin hallway'],
        Admin: ['Admin hallway'],
        'Admin hallway': ['Cafeteria', 'Admin'],
      },
    });
    expect(findUnreachable(split).map(({ task: { id }, room }) => [id, room])).toEqual([
      ['fix-wiring', 'Storage'],
      ['empty-garbage', 'Storage'],
    ]);
  });

  test('marks each title once for each room, visual where it is seen', () => {
    const inRoom = (room: Room) => taskSites(SKELD).filter(({ place }) => place === room);
    expect(inRoom('Electrical').map(({ name }) => name)).toEqual([
      'Fix Wiring',
      'Calibrate Distributor',
      'Download Data',
      'Divert Power',
    ]);
    const shown = inRoom('Storage').map(({ name, visual }) => [name, visual]);
    expect(shown).toEqual([
      ['Fix Wiring', false],
      ['Fuel Engines', false],
      ['Empty Chute', true],
      ['Empty Garbage', true],
    ]);
    expect(inRoom('O2').find(({ name }) => name === 'Empty Chute')?.visual).toBe(false);
    expect(taskSites(SKELD)).toHaveLength(
      new Set(taskSites(SKELD).map(({ place, name }) => `${place} ${name}`)).size,
    );
  });
});

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

test('a small map deals fewer tasks, and none that needs another room', () => {
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
