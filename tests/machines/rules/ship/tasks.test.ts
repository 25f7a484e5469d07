import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../machines/rules/options.ts';
import { SKELD } from '../../../../machines/rules/ship/map.ts';
import {
  findUnreachable,
  isVisible,
  TASK_IDS,
  TASKS,
  type Task,
  type TaskId,
  type TaskKind,
  taskSites,
  tasksOn,
} from '../../../../machines/rules/ship/tasks.ts';
import type { Room } from '../../../../machines/types.ts';
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
    expect(TASKS.map(({ id }) => id)).toEqual(TASK_IDS);
  });

  test('common: the card and the wires; long: what takes a while; the rest is short', () => {
    expect(ids('common')).toEqual(['swipe-card', 'fix-wiring']);
    expect(ids('long')).toEqual([
      'clear-asteroids',
      'submit-scan',
      'inspect-sample',
      'fuel-engines',
      'start-reactor',
      'empty-chute',
      'empty-garbage',
    ]);
  });

  test('others can see five of them being done', () => {
    expect(TASKS.filter(({ visual }) => visual).map(({ id }) => id)).toEqual([
      'clear-asteroids',
      'submit-scan',
      'empty-chute',
      'empty-garbage',
      'prime-shields',
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

  test('five rooms to download from, eight to divert power to', () => {
    const rooms = (title: string, step: number) =>
      TASKS.filter((one) => one.title === title).map(({ steps }) => steps[step]?.places.join());
    expect(rooms('Download Data', 0).toSorted()).toEqual([
      'Cafeteria',
      'Communications',
      'Electrical',
      'Navigation',
      'Weapons',
    ]);
    expect(rooms('Divert Power', 1).toSorted()).toEqual([
      'Communications',
      'Lower Engine',
      'Navigation',
      'O2',
      'Security',
      'Shields',
      'Upper Engine',
      'Weapons',
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

  test('a small one has what its rooms allow: of six panels it must have three', () => {
    expect(tasksOn(aMap()).map(({ id }) => id)).toEqual([
      'swipe-card',
      'fix-wiring',
      'empty-garbage',
      'download-cafeteria',
    ]);
    const two = aMap({ places: ['Cafeteria', 'Admin', 'Admin hallway'] });
    expect(tasksOn(two).map(({ id }) => id)).toEqual(['swipe-card', 'download-cafeteria']);
  });

  test('both engines are needed to fuel or align them', () => {
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
