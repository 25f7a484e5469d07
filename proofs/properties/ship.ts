/**
 * Properties of a game between its meetings. The list depends on the possible actions. Like the properties of a
 * meeting, they state the rules again from two worlds and the facts between them, without calling a rule.
 */

import type { GameCourse, GameFact } from '../../machines/rules/ship/game.ts';
import type { PlayerState, World } from '../../machines/rules/ship/world.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import type { ShipEnvironment } from '../models/ship.ts';
import { declareProperties, isSame, readFacts } from './property.ts';
import { shipNewsProperties, shipStartProperty } from './shipNews.ts';
import { scenesProperty, sightsProperty } from './shipSights.ts';
import {
  byWorlds,
  countWork,
  eventsOf,
  hasEvent,
  isImpostor,
  isLiving,
  isMeetingOver,
  isRound,
  listLiving,
  listOf,
  ofEvents,
  placeIn,
  roundsLeft,
  type ShipProperty,
} from './shipSteps.ts';
import { isAllowed, shipWorldProperties } from './shipWorld.ts';

const meetingProperties = declareProperties<ShipProperty>({
  'a-meeting-clears-the-ship': {
    sentence:
      'After a meeting no body is left, and every player is at the button and out of vents.',
    when: isMeetingOver,
    holds: ({ after: { context } }) => {
      const { bodies, players, ship } = context.world;
      const isBack = ({ place, vent }: PlayerState) => place === ship.map.button && vent === null;
      return bodies.length === 0 && Object.values(players).every(isBack);
    },
  },
  'a-meeting-fills-the-clocks': {
    sentence:
      'After a meeting the timers of kills, button and sabotage are full, and no countdown runs.',
    when: isMeetingOver,
    holds: ({ after: { context } }) => {
      const { players, ship, crisis, buttonWait, sabotageWait, doors } = context.world;
      const { killCooldown, emergencyCooldown, sabotageCooldown } = ship.options;
      const impostors = ship.seats.filter(({ role }) => role === 'impostor');
      const clocks: readonly (readonly [left: number | undefined, of: number])[] = [
        ...impostors.map(({ colour }) => [players[colour]?.killWait, killCooldown] as const),
        [buttonWait, emergencyCooldown],
        [sabotageWait, sabotageCooldown],
      ];
      const areFull = clocks.every(([left, of]) => left === roundsLeft(of) + 1);
      return areFull && (crisis === null || crisis.left === null) && doors.length === 0;
    },
  },
});

const fixedOf = ({ world: _, ...course }: GameCourse) =>
  Object.entries(course).filter(([name]) => ['seed', 'players', 'ghostBudget'].includes(name));

const presenceProperties = declareProperties<ShipProperty>({
  'the-end-is-told': {
    sentence:
      'A stop is told if the game has no result yet, and the result when it is over. Seed and players stay.',
    holds: ({ event, before, after, effects }) => {
      const { ending } = before.context;
      const isStopped = event.type === 'game.stopped' && ending === null;
      const closing = after.isDone ? [after.context.ending] : [];
      const told = readFacts<GameFact>(effects).filter(({ type }) => type !== 'round.closed');
      const outputs = effects.filter(({ type }) => type === 'xstate.output');
      return isSame(
        [told, outputs.map(({ params }) => params), fixedOf(after.context)],
        [
          [
            ...(isStopped ? [{ type: 'end.requested', reason: event.reason }] : []),
            ...closing.map((result) => ({ type: 'game.closed', ...result })),
          ],
          closing,
          fixedOf(before.context),
        ],
      );
    },
  },
  'dying-has-a-reason': {
    sentence:
      'In a round players die only by a recorded kill, and are gone only by a recorded departure.',
    when: isRound,
    holds: byWorlds((before, after, transition) => {
      const victims = listOf(transition, 'player.killed', 'victim');
      const leavers = listOf(transition, 'seat.departed', 'seat');
      return COLOURS.every((seat) => {
        if (before.standings[seat] === after.standings[seat]) return !victims.includes(seat);
        return (after.standings[seat] === 'dead' ? victims : leavers).includes(seat);
      });
    }),
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
});

const bodyProperties = declareProperties<ShipProperty>({
  'bodies-stay-until-a-meeting': {
    sentence: 'In a round bodies are only added: one for each kill, where the victim was.',
    when: isRound,
    holds: byWorlds((before, after, transition) => {
      const fallen = listOf(transition, 'player.killed', 'victim').map((victim) => {
        return { victim, place: placeIn(before, victim) };
      });
      return isSame([...before.bodies, ...fallen], after.bodies);
    }),
  },
});

const killProperties = declareProperties<ShipProperty>({
  'cooldowns-are-kept': {
    sentence:
      'A killer is a living impostor outside vents whose cooldown is over and starts again. The victim is a living crewmate within reach, who dies where they were.',
    ...ofEvents(
      'player.killed',
      ({ by, victim: whom, place }, before, after) =>
        isAllowed(before, { seat: by, intent: { type: 'kill', whom } }) === true &&
        place === placeIn(before, whom) &&
        isLiving(before, by) &&
        after.players[by]?.killWait === roundsLeft(before.ship.options.killCooldown),
    ),
  },
});

const ventProperties = declareProperties<ShipProperty>({
  'vents-are-told': {
    sentence:
      'A vent is named by its number and place: the vent that the player is in afterwards, or has left.',
    ...ofEvents(
      'vent.used',
      ({ seat, how, vent, place }, before, after) =>
        vent === (how === 'out' ? before : after).players[seat]?.vent &&
        before.ship.map.vents.some((one) => one.id === vent && one.place === place),
    ),
  },
  'vents-are-for-impostors': {
    sentence: 'Only living impostors are in vents, each in the place of that vent.',
    kind: 'always',
    holds: ({ context: { world } }) =>
      COLOURS.every((seat) => {
        const { vent = null, place } = world.players[seat] ?? {};
        if (vent === null) return true;
        const isOfVent = world.ship.map.vents.some((one) => one.id === vent && one.place === place);
        return isOfVent && isImpostor(world, seat) && isLiving(world, seat);
      }),
  },
});

/** Only if the operator may stop the game during a meeting. */
const endProperties = declareProperties<ShipProperty>({
  'the-end-stays': {
    sentence: 'Once the game has a result, it never changes.',
    when: ({ before }) => before.context.ending !== null,
    holds: ({ before, after }) => isSame(before.context.ending, after.context.ending),
  },
});

/** The winner in the real game's order of checks, or null while the game goes on. */
function findWinner(world: World, faulted: readonly Colour[]): string | null {
  if (world.crisis !== null && world.crisis.left === 0) return 'impostors by sabotage';
  const countImpostors = (seats: readonly Colour[]) =>
    seats.filter((seat) => isImpostor(world, seat)).length;
  const { length: living } = listLiving(world);
  const [impostors, lost] = [countImpostors(listLiving(world)), countImpostors(faulted)];
  const isOpen = (evil: number, all: number) => evil > 0 && all > 2 * evil;
  // A game that would go on with those who left through faults has no winner (ruling 53).
  if (!isOpen(impostors, living) && isOpen(impostors + lost, living + faulted.length))
    return 'null by faults';
  if (impostors === 0) return 'crew';
  if (living <= 2 * impostors) return 'impostors';
  const { open, all } = countWork(world);
  return all > 0 && open === 0 ? 'crew by tasks' : null;
}

const victoryProperties = declareProperties<ShipProperty>({
  'victory-in-order': {
    sentence:
      'The game is won exactly when one of these holds, in this order: a countdown ran out, no impostor is left, there are as many impostors as crew, all tasks are done. The last round ends it without one, and without a meeting.',
    when: (transition) =>
      transition.before.context.ending === null &&
      (isRound(transition) || isMeetingOver(transition)),
    holds: (transition) => {
      const { world, ending, round } = transition.after.context;
      const gone = eventsOf(transition, 'seat.departed');
      const faulted = gone.filter(({ reason }) => reason === 'faults').map(({ seat }) => seat);
      const isLast = isRound(transition) && round >= world.ship.options.maxRounds;
      const winner = findWinner(world, faulted) ?? (isLast ? 'null by unfinished' : null);
      if (ending === null || winner === null) return ending === winner;
      return transition.after.isDone && `${ending.winner} by ${ending.reason}`.startsWith(winner);
    },
  },
  'reasons-are-true': {
    sentence:
      'A win by kills comes with a kill in that round, and a win by a vote follows a meeting.',
    when: ({ before, after }) => before.context.ending === null && after.context.ending !== null,
    holds: (transition) => {
      const reason = transition.after.context.ending?.reason;
      if (reason === 'kills') return hasEvent('player.killed')(transition);
      return reason !== 'vote' || isMeetingOver(transition);
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

/** Properties that apply only if the environment has one of these. */
const NEEDS: Readonly<Record<string, readonly (keyof ShipEnvironment)[]>> = {
  'a-crisis-is-as-it-was-made': ['sabotages'],
  'a-meeting-is-recorded': ['reports', 'buttons'],
};

export function listShipProperties(environment: ShipEnvironment): readonly ShipProperty[] {
  const meets = environment.buttons === true || environment.reports === true;
  return [
    shipStartProperty,
    ...presenceProperties,
    ...shipWorldProperties.filter(
      ({ name }) => NEEDS[name]?.some((need) => environment[need] !== undefined) ?? true,
    ),
    scenesProperty,
    sightsProperty,
    ...shipNewsProperties.filter(
      ({ name }) => meets || name !== 'a-meeting-begins-with-the-game-so-far',
    ),
    ...(environment.stops ? endProperties : []),
    ...bodyProperties,
    ...(environment.kills ? killProperties : []),
    ...(meets ? meetingProperties : []),
    ...(environment.vents ? ventProperties : []),
    ...victoryProperties,
    ...listShipWitnesses(environment),
    {
      name: 'deadlock-free',
      sentence: 'A game that is not over always has a next step.',
      kind: 'deadlock-free',
    },
  ];
}
