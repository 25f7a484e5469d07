/** What is promised about everybody aboard in a round: where they are, who dies, and what is done. */
import { COLOURS } from '../../machines/types.ts';
import { isSame } from './promise.ts';
import {
  eventsOf,
  has,
  isImpostor,
  isRound,
  leftOf,
  living,
  placeIn,
  type ShipPromise,
  worlds,
} from './shipPromise.ts';

export const presence: readonly ShipPromise[] = [
  {
    name: 'gone-stays-gone',
    sentence: 'Nobody who is dead or gone comes back to life.',
    kind: 'step',
    holds: (turn) => {
      const [before, after] = worlds(turn);
      return COLOURS.every(
        (seat) => before.standings[seat] === 'living' || after.standings[seat] !== 'living',
      );
    },
  },
  {
    name: 'dying-has-a-reason',
    sentence: 'In a round nobody dies but by a kill that is told, and nobody is gone but who left.',
    kind: 'step',
    when: isRound,
    holds: (turn) => {
      const [before, after] = worlds(turn);
      const victims = eventsOf(turn, 'player.killed').map(({ victim }) => victim);
      const leavers = eventsOf(turn, 'seat.departed').map(({ seat }) => seat);
      return COLOURS.every((seat) => {
        if (before.standings[seat] === after.standings[seat]) return !victims.includes(seat);
        return (after.standings[seat] === 'dead' ? victims : leavers).includes(seat);
      });
    },
  },
  {
    name: 'steps-along-openings',
    sentence: 'In a round everybody stays, walks through one opening or crawls through a vent.',
    kind: 'step',
    when: isRound,
    holds: (turn) => {
      const [before, after] = worlds(turn);
      const vents = eventsOf(turn, 'vent.used').map(({ seat }) => seat);
      const { openings } = before.ship.map;
      return COLOURS.every((seat) => {
        const [from, to] = [placeIn(before, seat), placeIn(after, seat)];
        if (from === undefined || to === undefined || from === to) return from === to;
        return vents.includes(seat) || openings[from]?.includes(to) === true;
      });
    },
  },
  {
    name: 'over-is-judged',
    sentence:
      'The game is over exactly when it has an end, or after the meeting in which it was stopped.',
    kind: 'always',
    holds: ({ at, context: { ending }, isDone }) => {
      if (isDone) return at === 'over' && ending !== null;
      return ending === null || (at === 'meeting' && ending.winner === null);
    },
  },
];

export const bodies: readonly ShipPromise[] = [
  {
    name: 'one-body-once',
    sentence: 'Nobody has two bodies, and whoever has one is not alive.',
    kind: 'always',
    holds: ({ context: { world } }) =>
      new Set(world.bodies.map(({ victim }) => victim)).size === world.bodies.length &&
      world.bodies.every(({ victim }) => world.standings[victim] !== 'living'),
  },
  {
    name: 'bodies-stay-until-a-meeting',
    sentence: 'In a round bodies only become more: one for each kill, where the victim was.',
    kind: 'step',
    when: isRound,
    holds: (turn) => {
      const [before, after] = worlds(turn);
      const fallen = eventsOf(turn, 'player.killed').map(({ victim }) => ({
        victim,
        place: placeIn(before, victim),
      }));
      return isSame([...before.bodies, ...fallen], after.bodies);
    },
  },
];

export const kills: readonly ShipPromise[] = [
  {
    name: 'cooldowns-are-kept',
    sentence: 'Whoever kills is a living impostor whose cooldown is over, and it begins anew.',
    kind: 'step',
    when: has('player.killed'),
    holds: (turn) => {
      const [before, after] = worlds(turn);
      return eventsOf(turn, 'player.killed').every(
        ({ by }) =>
          isImpostor(before, by) &&
          before.standings[by] === 'living' &&
          before.players[by]?.killWait === 0 &&
          after.players[by]?.killWait === leftOf(before.ship.options.killCooldown),
      );
    },
  },
  {
    name: 'kills-are-near',
    sentence:
      'Whoever is killed is a living crewmate in the place of the killer, who is in no vent.',
    kind: 'step',
    when: has('player.killed'),
    holds: (turn) => {
      const [before] = worlds(turn);
      return eventsOf(turn, 'player.killed').every(
        ({ by, victim }) =>
          before.standings[victim] === 'living' &&
          !isImpostor(before, victim) &&
          before.players[by]?.vent === null &&
          placeIn(before, by) === placeIn(before, victim),
      );
    },
  },
];

export const vents: readonly ShipPromise[] = [
  {
    name: 'vents-are-for-impostors',
    sentence: 'Only living impostors are in vents, each in the place of its vent.',
    kind: 'always',
    holds: ({ context: { world } }) =>
      COLOURS.every((seat) => {
        const player = world.players[seat];
        if (player === undefined || player.vent === null) return true;
        const vent = world.ship.map.vents.find(({ id }) => id === player.vent);
        const isFree = isImpostor(world, seat) && world.standings[seat] === 'living';
        return isFree && vent?.place === player.place;
      }),
  },
];

export const tasks: readonly ShipPromise[] = [
  {
    name: 'tasks-step-by-step',
    sentence: 'A task goes on by one step of a crewmate who stands where it is done.',
    kind: 'step',
    when: has('task.stepped'),
    holds: (turn) => {
      const [before, after] = worlds(turn);
      return eventsOf(turn, 'task.stepped').every(({ seat, task, steps }) => {
        const index = (before.ship.tasks[seat] ?? []).findIndex(({ id }) => id === task);
        const done = before.players[seat]?.progress[index]?.steps ?? 0;
        const place = before.ship.tasks[seat]?.[index]?.steps[done]?.place;
        return (
          !isImpostor(before, seat) &&
          steps === done + 1 &&
          after.players[seat]?.progress[index]?.steps === steps &&
          place === placeIn(before, seat) &&
          place === placeIn(after, seat)
        );
      });
    },
  },
];

/** In house the dead and the departed do nothing. */
export const quiet: ShipPromise = {
  name: 'the-dead-rest',
  sentence: 'In house nobody who is dead or gone walks or works.',
  kind: 'step',
  when: (turn) =>
    isRound(turn) && living(worlds(turn)[0]) < turn.before.context.world.ship.seats.length,
  holds: (turn) => {
    const [before, after] = worlds(turn);
    return COLOURS.every(
      (seat) =>
        before.standings[seat] === 'living' ||
        (placeIn(before, seat) === placeIn(after, seat) &&
          isSame(before.players[seat]?.progress, after.players[seat]?.progress)),
    );
  },
};
