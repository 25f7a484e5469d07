import { describe, expect, test } from 'vitest';
import { sceneFor } from '../../../../machines/rules/ship/views.ts';
import { taskBar } from '../../../../machines/rules/ship/world.ts';
import {
  aTask,
  aWorld,
  CREW,
  eventsOf,
  later,
  placeOf,
  playRound,
  refusal,
  rounds,
  seenOf,
  type Wanted,
} from './worlds.ts';

const SWIPES = { blue: 'task swipe-card' } as const;
const WAITS = { blue: 'wait 1' } as const;
const inAdmin = (wanted: Wanted = {}) => aWorld({ ...wanted, at: { blue: 'Admin', ...wanted.at } });

const TWO_STEPS = aTask({
  id: 'download-weapons',
  steps: [
    { place: 'Weapons', rounds: 1 },
    { place: 'Admin', rounds: 2 },
  ],
});

describe('a task', () => {
  test.each([
    ['is not done a round before', 1, 0],
    ['is done after its rounds', 2, 1],
  ])('%s', (_, count, steps) => {
    const round = later(inAdmin(), count, SWIPES);
    expect(round.world.players.blue?.progress[0]?.steps).toBe(steps);
    expect(eventsOf(round, 'task.stepped')).toHaveLength(steps);
  });

  test('that is half done says how much work is left of it', () => {
    const task = aTask({ steps: [{ place: 'Admin', rounds: 3 }] });
    const world = inAdmin({ tasks: { blue: [task] } });
    const left = (count: number) => {
      const after = count === 0 ? world : later(world, count, SWIPES).world;
      return sceneFor(after, 'blue', CREW)?.tasks.map(({ next, rounds: more }) => [next, more]);
    };
    expect(left(0)).toEqual([['Admin', 3]]);
    expect(left(1)).toEqual([['Admin', 2]]);
    expect(left(2)).toEqual([['Admin', 1]]);
    expect(left(3)).toEqual([[null, 0]]);
  });

  test('is walked to, and whoever arrives in a round does not work in it', () => {
    const played = rounds(aWorld(), SWIPES, {}, {}, {});
    expect(played.map((round) => placeOf(round, 'blue'))).toEqual([
      'Admin hallway',
      'Admin',
      'Admin',
      'Admin',
    ]);
    expect(played.map(({ world }) => world.players.blue?.progress[0])).toEqual([
      { steps: 0, worked: 0 },
      { steps: 0, worked: 0 },
      { steps: 0, worked: 1 },
      { steps: 1, worked: 0 },
    ]);
  });

  test('of several steps is done in their order, room after room', () => {
    const world = aWorld({ tasks: { blue: [TWO_STEPS] }, at: { blue: 'Admin' } });
    const round = later(world, 4, { blue: 'task download-weapons' });
    expect([placeOf(round, 'blue'), round.world.players.blue?.progress[0]?.steps]).toEqual([
      'Weapons',
      0,
    ]);
    const last = later(round.world, 1 + 4 + 2);
    expect(last.world.players.blue?.progress[0]?.steps).toBe(2);
    expect(eventsOf(last, 'task.stepped')).toEqual([
      { type: 'task.stepped', seat: 'blue', task: 'download-weapons', steps: 2, done: true },
    ]);
  });

  test.each([
    ['that is left is begun again', WAITS, 1],
    ['that one goes on with is not', {}, 0],
    ['that is ordered again is not', SWIPES, 0],
    ['that a fault interrupts is', { blue: { fault: 'mind/late' } }, 1],
    ['that is left for another one is', { blue: 'go Admin' }, 1],
  ] as const)('%s', (_, between, lost) => {
    const three = aTask({ steps: [{ place: 'Admin', rounds: 3 }] });
    const [, , last] = rounds(inAdmin({ tasks: { blue: [three] } }), SWIPES, between, SWIPES);
    expect(last?.world.players.blue?.progress[0]).toEqual(
      lost === 1 ? { steps: 0, worked: 1 } : { steps: 1, worked: 0 },
    );
  });

  test.each([
    ['of several that is left is begun again', 'wait 1', [0, 0, 0]],
    ['that is left for another of several is begun again', 'task submit-scan', [0, 0, 1]],
    ['of several that is ordered again goes on', 'task chart-course', [0, 2, 0]],
  ] as const)('%s', (_, then, worked) => {
    const ids = ['swipe-card', 'chart-course', 'submit-scan'] as const;
    const steps = [{ place: 'Admin', rounds: 5 }] as const;
    const world = inAdmin({ tasks: { blue: ids.map((id) => aTask({ id, steps })) } });
    const last = rounds(world, { blue: 'task chart-course' }, { blue: then }).at(-1);
    expect(last?.world.players.blue?.progress.map((one) => one.worked)).toEqual(worked);
  });

  test('that is faked goes on where it was if it is ordered again', () => {
    const world = aWorld({ at: { red: 'Admin' }, tasks: { red: [aTask()] } });
    const [first, last] = rounds(world, { red: 'fake swipe-card' }, { red: 'fake swipe-card' });
    expect(first?.world.players.red?.progress).toEqual([{ steps: 0, worked: 1 }]);
    expect(last?.world.players.red?.progress).toEqual([{ steps: 1, worked: 0 }]);
  });

  test('that is interrupted by death is begun again', () => {
    const world = inAdmin({ at: { red: 'Admin' }, rules: 'classic' });
    const last = rounds(world, SWIPES, { red: 'kill blue' }).at(-1);
    expect(last?.world.players.blue?.progress[0]).toEqual({ steps: 0, worked: 0 });
  });

  test('is refused when it is done, when it is somebody else’s, and to impostors', () => {
    const done = inAdmin({ players: { blue: { progress: [{ steps: 1, worked: 0 }] } } });
    expect(refusal(playRound(done, SWIPES), 'blue')).toBe('intent/task-done');
    const foreign = inAdmin({ tasks: { blue: [TWO_STEPS] } });
    expect(refusal(playRound(foreign, SWIPES), 'blue')).toBe('intent/not-your-task');
    expect(refusal(playRound(aWorld(), { red: SWIPES.blue }), 'red')).toBe('intent/no-task');
  });

  test('is faked by impostors only, and does not count', () => {
    expect(refusal(playRound(aWorld(), { blue: 'fake swipe-card' }), 'blue')).toBe(
      'intent/impostors-only',
    );
    const round = later(aWorld({ at: { red: 'Admin' } }), 2, { red: 'fake swipe-card' });
    expect([taskBar(round.world).done, eventsOf(round, 'task.stepped')]).toEqual([0, []]);
  });
});

describe('what others see of a task', () => {
  const visual = aTask({
    id: 'empty-chute',
    visual: true,
    steps: [
      { place: 'O2', rounds: 2 },
      { place: 'Storage', rounds: 2 },
    ],
  });
  const looking = (place: 'O2' | 'Storage', steps: number, visualTasks: boolean) =>
    aWorld({
      options: { visualTasks },
      tasks: { blue: [visual], red: [visual] },
      at: { red: place, blue: place, green: place },
      players: {
        blue: { progress: [{ steps, worked: 0 }] },
        red: { progress: [{ steps, worked: 0 }] },
      },
    });
  const orders = { blue: 'task empty-chute', red: 'fake empty-chute' } as const;

  test.each([
    ['the last step of a visual task', 'Storage', 1, true, 'visual'],
    ['the first step of it', 'O2', 0, true, 'task'],
    ['the last step where visual tasks are off', 'Storage', 1, false, 'task'],
  ] as const)('%s', (_, place, steps, visualTasks, did) => {
    const round = playRound(looking(place, steps, visualTasks), orders);
    expect(seenOf(round, 'green', 'blue')).toEqual([`${did} in ${place}`]);
    expect(seenOf(round, 'green', 'red')).toEqual([`task in ${place}`]);
  });

  test('that is not visual', () => {
    expect(seenOf(playRound(inAdmin({ at: { green: 'Admin' } }), SWIPES), 'green', 'blue')).toEqual(
      ['task in Admin'],
    );
  });
});

describe('the task bar', () => {
  const half = { players: { blue: { progress: [{ steps: 1, worked: 0 }] } } } as const;
  const bar = (wanted: Wanted) => sceneFor(aWorld(wanted), 'green', CREW)?.bar;

  test('the bar counts the tasks of crewmates only', () => {
    expect(taskBar(aWorld(half))).toEqual({ done: 1, all: 4 });
  });

  test('is shown always, at meetings or never', () => {
    expect(bar({ ...half, options: { taskBar: 'always' } })).toEqual({ done: 1, all: 4 });
    expect(bar({ ...half, options: { taskBar: 'meetings' } })).toEqual({ done: 0, all: 4 });
    expect(bar({ ...half, options: { taskBar: 'never' } })).toBeNull();
  });

  test('only comms hide the bar', () => {
    expect(bar({ ...half, crisis: { system: 'comms' } })).toBeNull();
    expect(bar({ ...half, crisis: { system: 'lights' } })).not.toBeNull();
  });

  test('house rules remove unfinished tasks of the dead from the bar and keep finished ones', () => {
    const dead = { standings: { blue: 'dead', pink: 'dead' } } as const;
    expect(taskBar(aWorld({ ...half, ...dead }))).toEqual({ done: 1, all: 3 });
    expect(taskBar(aWorld({ ...half, ...dead, rules: 'classic' }))).toEqual({ done: 1, all: 4 });
  });

  test('all rules remove unfinished tasks of the departed from the bar', () => {
    expect(taskBar(aWorld({ standings: { pink: 'departed' }, rules: 'classic' })).all).toBe(3);
  });

  test('does not tell of a death before the meeting does', () => {
    expect(bar({ standings: { pink: 'dead' } })).toEqual({ done: 0, all: 4 });
    expect(
      sceneFor(aWorld({ standings: { pink: 'dead' } }), 'green', ['red', 'blue', 'green', 'orange'])
        ?.bar,
    ).toEqual({ done: 0, all: 3 });
  });
});
