/** Laws of what a match draws before it begins: roles and tasks. */
import { SKELD } from '../../machines/rules/ship/map.ts';
import {
  type dealTasks,
  TASK_KINDS,
  TASKS,
  type Task,
  type TaskCounts,
} from '../../machines/rules/ship/tasks.ts';
import type { drawRoles, OpenSeat } from '../../machines/setup/prepare.ts';
import { COLOURS } from '../../machines/types.ts';
import { isSame } from './property.ts';

const SEEDS = 40;
const SEATS = COLOURS.slice(0, 4);
const COUNTS: readonly TaskCounts[] = [
  { common: 0, long: 0, short: 0 },
  { common: 1, long: 1, short: 2 },
  { common: 2, long: 3, short: 5 },
];
const OPEN: readonly (readonly OpenSeat[])[] = [
  SEATS.map((colour) => ({ colour })),
  SEATS.map((colour, index) => (index === 0 ? { colour, role: 'crewmate' } : { colour })),
  SEATS.map((colour, index) => (index === 3 ? { colour, role: 'impostor' } : { colour })),
];

const titleOf = (task: Task) => TASKS.find(({ id }) => id === task.id)?.title;

/** The steps are those of the task in their order, each in one of its rooms, and none twice where there is a choice. */
function isPlaced({ id, steps }: Task): boolean {
  const spec = TASKS.find((one) => one.id === id);
  const chosen = steps.filter((_, index) => (spec?.steps[index]?.places.length ?? 0) > 1);
  return (
    spec?.steps.length === steps.length &&
    spec.steps.every(({ places, rounds }, index) => {
      const { [index]: step } = steps;
      return step?.rounds === rounds && places.some((place) => place === step.place);
    }) &&
    new Set(chosen.map(({ place }) => place)).size === chosen.length
  );
}

function* misdealt(deal: typeof dealTasks): Generator<unknown> {
  for (let seed = 0; seed < SEEDS; seed += 1)
    for (const counts of COUNTS) {
      const hands = Object.values(deal(SKELD, counts, SEATS, { seed }));
      const [first = []] = hands;
      const common = ({ kind }: Task) => kind === 'common';
      const isRight = (hand: readonly Task[]) =>
        TASK_KINDS.every((one) => hand.filter(({ kind }) => kind === one).length === counts[one]) &&
        new Set(hand.map(titleOf)).size === hand.length &&
        hand.every(isPlaced) &&
        isSame(hand.filter(common), first.filter(common));
      if (hands.length !== SEATS.length || !hands.every(isRight)) yield { seed, counts };
    }
}

function* misdrawn(draw: typeof drawRoles): Generator<unknown> {
  for (let seed = 0; seed < SEEDS; seed += 1)
    for (const open of OPEN)
      for (const impostors of [1, 2, 3]) {
        const seats = draw(open, impostors, { seed });
        const isKept = seats.every(
          ({ colour, role }, index) =>
            colour === open[index]?.colour && role === (open[index]?.role ?? role),
        );
        const drawn = seats.filter(({ role }) => role === 'impostor').length;
        if (!isKept || drawn !== impostors) yield { seed, open, impostors };
      }
}

export const TASK_LAW = {
  name: 'tasks-are-dealt-as-set',
  sentence:
    'Each player gets as many tasks of each kind as the lobby says, none with the title of another, with its own steps in its own rooms. Common tasks are the same for all.',
  misdealt,
};

export const ROLE_LAW = {
  name: 'roles-are-drawn-as-set',
  sentence: 'As many seats are impostors as the lobby says, and a named role stays.',
  misdrawn,
};
