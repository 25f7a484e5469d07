/** What is promised about calls, about what a meeting does to the ship, and about what is sabotaged. */
import { COLOURS, type Place } from '../../machines/types.ts';
import {
  eventsOf,
  has,
  isCalled,
  isMeetingOver,
  isRound,
  leftOf,
  placeIn,
  type ShipPromise,
  worlds,
} from './shipPromise.ts';

export const calls: readonly ShipPromise[] = [
  {
    name: 'no-dead-caller',
    sentence: 'Whoever calls a meeting is alive.',
    kind: 'step',
    when: isCalled,
    holds: ({ after: { context } }) =>
      context.call !== null && context.world.standings[context.call.by] === 'living',
  },
];

export const reports: readonly ShipPromise[] = [
  {
    name: 'reports-are-near',
    sentence: 'A reported body lay there when the round began, where the caller is.',
    kind: 'step',
    when: (turn) => isCalled(turn) && turn.after.context.call?.kind === 'body',
    holds: (turn) => {
      const [before, after] = worlds(turn);
      const call = turn.after.context.call;
      return (
        call !== null &&
        before.bodies.some(
          ({ victim, place }) => victim === call.body && place === placeIn(after, call.by),
        )
      );
    },
  },
];

export const buttons: readonly ShipPromise[] = [
  {
    name: 'buttons-are-counted',
    sentence: 'Whoever presses the button stands at it and had one left, and has one less.',
    kind: 'step',
    when: (turn) => isCalled(turn) && turn.after.context.call?.kind === 'button',
    holds: (turn) => {
      const [before, after] = worlds(turn);
      const by = turn.after.context.call?.by;
      const had = by === undefined ? 0 : (before.players[by]?.buttons ?? 0);
      return (
        by !== undefined &&
        had > 0 &&
        after.players[by]?.buttons === had - 1 &&
        placeIn(before, by) === before.ship.map.button
      );
    },
  },
  {
    name: 'the-button-waits',
    sentence: 'The button works neither during its cooldown nor during a crisis.',
    kind: 'step',
    when: (turn) => isCalled(turn) && turn.after.context.call?.kind === 'button',
    holds: (turn) => {
      const [before, after] = worlds(turn);
      return before.buttonWait === 0 && after.crisis === null;
    },
  },
];

export const meetings: readonly ShipPromise[] = [
  {
    name: 'a-meeting-clears-the-ship',
    sentence: 'After a meeting no body is left, and everybody is at the button and out of vents.',
    kind: 'step',
    when: isMeetingOver,
    holds: (turn) => {
      const [, { bodies: left, players, ship }] = worlds(turn);
      return (
        left.length === 0 &&
        Object.values(players).every(
          ({ place, vent }) => place === ship.map.button && vent === null,
        )
      );
    },
  },
  {
    name: 'a-meeting-fills-the-clocks',
    sentence:
      'After a meeting the timers of kills, button and sabotage are full, and no countdown runs.',
    kind: 'step',
    when: isMeetingOver,
    holds: (turn) => {
      const [, { players, ship, crisis, buttonWait, sabotageWait, doors }] = worlds(turn);
      const { killCooldown, emergencyCooldown, sabotageCooldown } = ship.options;
      return (
        ship.seats.every(
          ({ colour, role }) =>
            role === 'crewmate' || players[colour]?.killWait === leftOf(killCooldown) + 1,
        ) &&
        buttonWait === leftOf(emergencyCooldown) + 1 &&
        sabotageWait === leftOf(sabotageCooldown) + 1 &&
        (crisis === null || crisis.left === null) &&
        doors.length === 0
      );
    },
  },
];

export const sabotage: readonly ShipPromise[] = [
  {
    name: 'one-sabotage-at-a-time',
    sentence:
      'Something breaks only when nothing is broken and the clock of sabotage has run down.',
    kind: 'step',
    when: has('sabotage.begun'),
    holds: ({ before: { context } }) =>
      context.world.crisis === null && context.world.sabotageWait === 0,
  },
  {
    name: 'the-clock-stands',
    sentence:
      'While something stays broken, the clock of sabotage stands and every countdown goes on.',
    kind: 'step',
    when: (turn) => isRound(turn) && worlds(turn).every(({ crisis }) => crisis !== null),
    holds: (turn) => {
      const [before, after] = worlds(turn);
      const left = before.crisis?.left ?? null;
      return (
        before.sabotageWait === after.sabotageWait &&
        after.crisis?.left === (left === null ? null : left - 1)
      );
    },
  },
  {
    name: 'mending-takes-hands',
    sentence: 'A reactor is mended by two at it, lights by somebody at the switches.',
    kind: 'step',
    when: has('sabotage.mended'),
    holds: (turn) => {
      const [before] = worlds(turn);
      return eventsOf(turn, 'sabotage.mended').every(({ system, by }) => {
        const rooms: readonly Place[] = before.ship.map.consoles[system];
        const hands = by.filter((seat) => rooms.includes(placeIn(before, seat) ?? 'O2'));
        return hands.length === by.length && by.length >= (system === 'reactor' ? 2 : 1);
      });
    },
  },
];

export const doors: readonly ShipPromise[] = [
  {
    name: 'doors-are-shut',
    sentence: 'Nobody living walks into or out of a room whose doors are shut.',
    kind: 'step',
    when: (turn) =>
      isRound(turn) &&
      (worlds(turn)[0].doors.some(({ shut }) => shut > 0) || has('doors.shut')(turn)),
    holds: (turn) => {
      const [before, after] = worlds(turn);
      const rooms: readonly Place[] = [
        ...before.doors.flatMap(({ room, shut }) => (shut > 0 ? [room] : [])),
        ...eventsOf(turn, 'doors.shut').map(({ room }) => room),
      ];
      return COLOURS.every((seat) => {
        const [from, to] = [placeIn(before, seat), placeIn(after, seat)];
        if (from === to || from === undefined || to === undefined) return true;
        return after.standings[seat] !== 'living' || !(rooms.includes(from) || rooms.includes(to));
      });
    },
  },
];
