/**
 * Properties of a game between its meetings. The list depends on the possible actions. Like the properties of a
 * meeting, they state the rules again from two worlds and the facts between them, without calling a rule.
 */

import type { GameCourse, GameFact } from '../../machines/rules/ship/game.ts';
import type { Colour } from '../../machines/types.ts';
import type { ShipEnvironment } from '../models/ship.ts';
import { allHold, declareProperties, paramsOf, readFacts } from './property.ts';
import { shipMeetingProperties, shipStartProperty } from './shipMeetings.ts';
import { shipNewsProperties } from './shipNews.ts';
import { shipRoundProperties } from './shipRounds.ts';
import { scenesProperty, sightsProperty } from './shipSights.ts';
import {
  countWork,
  eventsOf,
  isImpostor,
  isMeetingOver,
  isRound,
  listLiving,
  type ShipProperty,
  type ShipTransition,
  worldsOf,
} from './shipSteps.ts';
import { shipWorldProperties } from './shipWorld.ts';

const fixedOf = ({ world: _, ...course }: GameCourse) =>
  Object.entries(course).filter(([name]) => ['seed', 'players', 'ghostBudget'].includes(name));

/** The winner and the reason in the real game's order of checks, or null while the game goes on. */
function findWinner(transition: ShipTransition): string | null {
  const [before, after] = worldsOf(transition);
  if (after.crisis !== null && after.crisis.left === 0) return 'impostors by sabotage';
  const countImpostors = (seats: readonly Colour[]) =>
    seats.filter((seat) => isImpostor(after, seat)).length;
  const gone = eventsOf(transition, 'seat.departed');
  const faulted = gone.filter(({ reason }) => reason === 'faults').map(({ seat }) => seat);
  const { length: living } = listLiving(after);
  const [impostors, lost] = [countImpostors(listLiving(after)), countImpostors(faulted)];
  const isOpen = (evil: number, all: number) => evil > 0 && all > 2 * evil;
  // A game that would go on with those who left through faults has no winner (ruling 53).
  if (!isOpen(impostors, living) && isOpen(impostors + lost, living + faulted.length))
    return 'null by faults';
  const deaths = listLiving(before).filter((seat) => after.standings[seat] === 'dead');
  const death = isMeetingOver(transition) ? 'vote' : 'kills';
  const reasonFor = (isEvil: boolean) =>
    deaths.some((seat) => isImpostor(after, seat) === isEvil) ? death : 'disconnect';
  if (impostors === 0) return `crew by ${reasonFor(true)}`;
  if (living <= 2 * impostors) return `impostors by ${reasonFor(false)}`;
  const { open, all } = countWork(after);
  return all > 0 && open === 0 ? 'crew by tasks' : null;
}

const endProperties = declareProperties<ShipProperty>({
  'the-end-is-told': {
    sentence:
      'A stop is told if the game has no result yet, and the result when it is over. A result never changes, and seed and players stay.',
    holds: ({ event, before, after, effects }) => {
      const { ending } = before.context;
      const isStopped = event.type === 'game.stopped' && ending === null;
      const closing = after.isDone ? [after.context.ending] : [];
      const told = readFacts<GameFact>(effects).filter(({ type }) => type !== 'round.closed');
      const expected = [
        ...(isStopped ? [{ type: 'end.requested', reason: event.reason }] : []),
        ...closing.map((result) => ({ type: 'game.closed', ...result })),
      ];
      return allHold({
        'the announcements': [told, expected],
        'the output': [paramsOf(effects, 'xstate.output'), closing],
        'a result that stays': [ending && after.context.ending, ending],
        'seed and players': [fixedOf(after.context), fixedOf(before.context)],
      });
    },
  },
  'over-is-judged': {
    sentence:
      'The game is over exactly when it has a result. If it is stopped during a meeting, it is over after that meeting.',
    kind: 'always',
    holds: ({ at, context: { ending }, isDone }) => {
      if (isDone) return at === 'over' && ending !== null;
      return ending === null || (at === 'meeting' && ending.winner === null);
    },
  },
  'victory-in-order': {
    sentence:
      'The game is won exactly when one of these holds, in this order: a countdown ran out, no impostor is left, there are as many impostors as crew, all tasks are done. The reason is the kill, vote or departure that did it. The last round ends it without one, and without a meeting.',
    when: (transition) =>
      transition.before.context.ending === null &&
      (isRound(transition) || isMeetingOver(transition)),
    holds: (transition) => {
      const { world, ending, round } = transition.after.context;
      const isLast = isRound(transition) && round >= world.ship.options.maxRounds;
      const winner = findWinner(transition) ?? (isLast ? 'null by unfinished' : null);
      if (ending === null || winner === null) return ending === winner;
      return transition.after.isDone && `${ending.winner} by ${ending.reason}` === winner;
    },
  },
});

function listShipWitnesses(environment: ShipEnvironment): readonly ShipProperty[] {
  const meets = environment.buttons === true || environment.reports === true;
  const leaves = (environment.leavers ?? 0) > 0;
  const ways: readonly (readonly [string, boolean])[] = [
    ['crew by vote', meets],
    ['impostors by vote', meets],
    ['crew by tasks', environment.tasks === true],
    ['impostors by kills', environment.kills === true],
    ['impostors by sabotage', environment.sabotages?.includes('reactor') === true],
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

const MEETS: readonly (keyof ShipEnvironment)[] = ['reports', 'buttons'];

/** Properties that apply only if the environment has one of these. */
const NEEDS: Readonly<Record<string, readonly (keyof ShipEnvironment)[]>> = {
  'a-crisis-is-as-it-was-made': ['sabotages'],
  'a-meeting-begins-with-the-game-so-far': MEETS,
  'a-meeting-clears-the-ship': MEETS,
  'a-meeting-is-recorded': MEETS,
  'vents-are-for-impostors': ['vents'],
  'vents-are-told': ['vents'],
};

export function listShipProperties(environment: ShipEnvironment): readonly ShipProperty[] {
  return [
    shipStartProperty,
    ...endProperties,
    ...shipRoundProperties,
    ...shipWorldProperties,
    ...shipMeetingProperties,
    scenesProperty,
    sightsProperty,
    ...shipNewsProperties,
    ...listShipWitnesses(environment),
    {
      name: 'deadlock-free',
      sentence: 'A game that is not over always has a next step.',
      kind: 'deadlock-free' as const,
    },
  ].filter(({ name }) => NEEDS[name]?.some((need) => environment[need] !== undefined) ?? true);
}
