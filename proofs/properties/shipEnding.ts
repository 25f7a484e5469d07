/** What is promised about the end of a game: who has won, why, and that it stays so. */

import type { World } from '../../machines/rules/ship/world.ts';
import type { Menu } from '../models/shipWorld.ts';
import { isSame } from './promise.ts';
import {
  has,
  isImpostor,
  isMeetingOver,
  isRound,
  living,
  type ShipPromise,
} from './shipPromise.ts';

/** Promised where somebody may stop the game during a meeting. */
export const ended: ShipPromise = {
  name: 'the-end-stays',
  sentence: 'Once the game has an end, it has no other one.',
  kind: 'step',
  when: ({ before }) => before.context.ending !== null,
  holds: ({ before, after }) => isSame(before.context.ending, after.context.ending),
};

/** Open steps and all steps of the crew who may still work. */
function work({ ship, standings, players }: World) {
  let open = 0;
  let all = 0;
  for (const { colour, role } of ship.seats) {
    if (role === 'impostor') continue;
    const standing = standings[colour];
    const works = standing === 'living' || (standing === 'dead' && ship.options.ghostsDoTasks);
    for (const [index, { steps }] of (ship.tasks[colour] ?? []).entries()) {
      const done = players[colour]?.progress[index]?.steps ?? 0;
      all += works ? steps.length : done;
      open += works ? steps.length - done : 0;
    }
  }
  return { open, all };
}

/** Who has won in a world, in the order of the real game; null while it goes on. */
function winnerIn(world: World): string | null {
  if (world.crisis !== null && world.crisis.left === 0) return 'impostors by sabotage';
  const impostors = living(world, (seat) => isImpostor(world, seat));
  if (impostors === 0) return 'crew';
  if (living(world) <= 2 * impostors) return 'impostors';
  const { open, all } = work(world);
  return all > 0 && open === 0 ? 'crew by tasks' : null;
}

export const victory: readonly ShipPromise[] = [
  {
    name: 'victory-in-order',
    sentence:
      'Somebody has won exactly when it is so, asked in this order: a countdown at its end, no impostor left, as many impostors as crew, all tasks done.',
    kind: 'step',
    when: (turn) => turn.before.context.ending === null && (isRound(turn) || isMeetingOver(turn)),
    holds: ({ after: { context } }) => {
      const { world, ending } = context;
      const winner = winnerIn(world);
      if (ending === null || winner === null) return ending === null && winner === null;
      return `${ending.winner} by ${ending.reason}`.startsWith(winner);
    },
  },
  {
    name: 'reasons-are-true',
    sentence:
      'Who wins by kills has killed in that round, and who wins by a vote comes from a meeting.',
    kind: 'step',
    when: ({ before, after }) => before.context.ending === null && after.context.ending !== null,
    holds: (turn) => {
      const reason = turn.after.context.ending?.reason;
      if (reason === 'kills') return has('player.killed')(turn);
      return reason !== 'vote' || isMeetingOver(turn);
    },
  },
];

/** The ways in which a game with such a menu can end. */
export function witnesses(menu: Menu): readonly ShipPromise[] {
  const meets = menu.buttons === true || menu.reports === true;
  const leaves = (menu.leavers ?? 0) > 0;
  const ways: readonly (readonly [string, boolean])[] = [
    ['crew by vote', meets],
    ['impostors by vote', meets],
    ['crew by tasks', menu.tasks === true],
    ['impostors by kills', menu.kills === true],
    ['impostors by sabotage', menu.sabotages?.includes('reactor') === true],
    ['crew by disconnect', leaves],
    ['impostors by disconnect', leaves],
  ];
  return ways
    .filter(([, isPossible]) => isPossible)
    .map(([way]) => ({
      name: `can-be-won-${way.replaceAll(' ', '-')}`,
      sentence: `A game can end with a victory of the ${way}.`,
      kind: 'sometimes',
      holds: ({ context: { ending } }) =>
        ending !== null && `${ending.winner} by ${ending.reason}` === way,
    }));
}
