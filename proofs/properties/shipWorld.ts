/** Properties of the ship itself in a round: its dead, clocks, doors, crises, and who is lost through faults. */

import type { Crisis, World } from '../../machines/rules/ship/world.ts';
import { LEFT, OUTAGE } from '../../machines/rules/tick.ts';
import type { Place, System } from '../../machines/types.ts';
import { allHold, declareProperties, isSame } from './property.ts';
import { acts, isAllowed, ordersOf } from './shipRounds.ts';
import {
  byWorlds,
  eventsOf,
  fullClock,
  hasEvent,
  isLiving,
  isRound,
  listOf,
  placeIn,
  roundEvents,
  roundsLeft,
  type ShipProperty,
  worldsOf,
} from './shipSteps.ts';

const lower = (clock: number) => Math.max(0, clock - 1);

/** The world of a crisis that begins: how many rounds are left at the end of this one. */
function beginCrisis({ ship: { options } }: World, system: System): Crisis {
  const { reactorSeconds: reactor, o2Seconds: o2 } = options;
  const seconds = { reactor, o2, lights: null, comms: null }[system];
  return { system, left: seconds === null ? null : roundsLeft(seconds), done: [], held: 0 };
}

const ROUNDS_AT_CONSOLE = 2;

/** The crisis after a round of work by these hands, before its countdown goes on. Null if they have mended it. */
function mendCrisis(
  crisis: Crisis,
  hands: readonly { readonly at: Place }[],
  { ship }: World,
): Crisis | null {
  const consoles = ship.map.consoles[crisis.system];
  const count = (room: Place) => hands.filter(({ at }) => at === room).length;
  switch (crisis.system) {
    case 'reactor': {
      const needed = (room: Place) => consoles.filter((one) => one === room).length;
      return consoles.every((room) => count(room) >= needed(room)) ? null : crisis;
    }
    case 'o2': {
      const done = consoles.filter((room) => crisis.done.includes(room) || count(room) > 0);
      return done.length === consoles.length ? null : { ...crisis, done };
    }
    default: {
      const held = crisis.held + Number(hands.length > 0);
      return held === ROUNDS_AT_CONSOLE ? null : { ...crisis, held };
    }
  }
}

export const shipWorldProperties = declareProperties<ShipProperty>({
  'dying-has-a-reason': {
    sentence:
      'In a round players die only by a recorded kill, and are gone only by a recorded departure. Each kill is one that the rules allow, and leaves a body where the victim was. Bodies stay until a meeting.',
    when: isRound,
    holds: byWorlds((before, after, transition) => {
      const kills = eventsOf(transition, 'player.killed');
      const standings = { ...before.standings };
      for (const { victim } of kills) standings[victim] = 'dead';
      for (const seat of listOf(transition, 'seat.departed', 'seat')) standings[seat] = 'departed';
      const fallen = kills.map(({ victim }) => ({ victim, place: placeIn(before, victim) }));
      return allHold({
        'who lives': [after.standings, standings],
        'the bodies': [after.bodies, [...before.bodies, ...fallen]],
        'the kills': [kills.map(({ victim, place }) => ({ victim, place })), fallen],
        'the rules allow them': kills.every(({ by: seat, victim: whom }) =>
          isAllowed(before, { seat, intent: { type: 'kill', whom } }),
        ),
      });
    }),
  },
  'the-clocks-go': {
    sentence:
      'The timers of living killers, button and sabotage go down by one each round, to 0. A kill fills its killer’s timer, and a sabotage fills its own and stops it.',
    when: isRound,
    holds: byWorlds((before, after, transition) => {
      const killers = listOf(transition, 'player.killed', 'by');
      const full = fullClock(before.ship.options.sabotageCooldown);
      const calm = after.crisis === null ? lower(before.sabotageWait) : before.sabotageWait;
      const sabotageWait = hasEvent('sabotage.begun')(transition) ? full : calm;
      const killWaits = before.ship.seats.map(({ colour: seat }) => {
        const wait = before.players[seat]?.killWait ?? 0;
        if (killers.includes(seat)) return roundsLeft(before.ship.options.killCooldown);
        return isLiving(after, seat) ? lower(wait) : wait;
      });
      return allHold({
        'the timer of the button': [after.buttonWait, lower(before.buttonWait)],
        'the timer of sabotage': [after.sabotageWait, sabotageWait],
        'the timers of killers': [
          before.ship.seats.map(({ colour }) => after.players[colour]?.killWait),
          killWaits,
        ],
      });
    }),
  },
  'doors-keep-their-time': {
    sentence:
      'Doors that are shut open after `door_seconds` and can be shut again after `door_cooldown`, each by its own clock.',
    when: isRound,
    holds: byWorlds((before, after, transition) => {
      const { map, options } = before.ship;
      const { doorSeconds, doorCooldown } = options;
      const shut = listOf(transition, 'doors.shut', 'room');
      const during = map.doors.flatMap((room) => {
        if (shut.includes(room))
          return [{ room, shut: fullClock(doorSeconds), wait: fullClock(doorCooldown) }];
        return before.doors.filter((door) => door.room === room);
      });
      const doors = during
        .map((door) => ({ ...door, shut: lower(door.shut), wait: lower(door.wait) }))
        .filter((door) => door.shut + door.wait > 0);
      const opened = during.filter((door) => door.shut === 1).map(({ room }) => room);
      return allHold({
        'the doors': [after.doors, doors],
        'the rooms that open': [listOf(transition, 'doors.opened', 'room'), opened],
      });
    }),
  },
  'a-crisis-is-as-it-was-made': {
    sentence:
      'A sabotage begins with its full countdown. Two hands mend the reactor, a hand at each keypad the oxygen, two rounds of hands the lights and comms, and nothing else does.',
    when: (transition) =>
      (isRound(transition) && worldsOf(transition)[0].crisis !== null) ||
      hasEvent('sabotage.begun')(transition),
    holds: byWorlds((before, after, transition) => {
      const { crisis } = before;
      const [begun] = eventsOf(transition, 'sabotage.begun');
      if (begun !== undefined) return isSame(after.crisis, beginCrisis(before, begun.system));
      if (crisis === null) return false;
      const hands = acts(transition).flatMap(({ seat, pursuit, deed }) =>
        pursuit?.type === 'fix' && deed === 'fixing' ? [{ seat, at: pursuit.at }] : [],
      );
      const mended = mendCrisis(crisis, hands, before);
      const left = crisis.left === null ? null : crisis.left - 1;
      const fixed = mended === null ? [hands.map(({ seat }) => seat)] : [];
      const isNew = ({ at }: { readonly at: Place }) =>
        crisis.system === 'o2' && !crisis.done.some((room) => room === at);
      const keys = eventsOf(transition, 'keypad.entered');
      return allHold({
        'the crisis': [after.crisis, mended && { ...mended, left }],
        'who mended it': [listOf(transition, 'sabotage.fixed', 'by'), fixed],
        'new keypads': [keys.length, new Set(hands.filter(isNew).map(({ at }) => at)).size],
        'a hand enters each keypad': keys.every(
          (key) => isNew(key) && hands.some((hand) => hand.seat === key.seat && hand.at === key.at),
        ),
      });
    }),
  },
  'faults-on-the-ship-are-counted': {
    sentence:
      'A fault adds one to the faults in a row, except in an outage, and an order ends them. Only those who left, or whose patience is out, are gone, for that reason.',
    when: isRound,
    holds: byWorlds((before, after, transition) =>
      ordersOf(transition).every((order) => {
        const { seat } = order;
        if (before.standings[seat] === 'departed') return true;
        const code = order.type === 'fault' ? order.code : null;
        const known = before.streaks[seat] ?? 0;
        const streak = code === null ? 0 : known + Number(!code.startsWith(OUTAGE));
        const isOut = code === LEFT || (code !== null && streak >= before.ship.meeting.patience);
        const told = roundEvents(transition).filter(
          (event) => event.type.startsWith('seat.') && 'seat' in event && event.seat === seat,
        );
        const reason = code === LEFT ? 'left' : 'faults';
        const expected = [
          ...(code === null ? [] : [{ type: 'seat.faulted', seat, code, streak }]),
          ...(isOut ? [{ type: 'seat.departed', seat, reason }] : []),
        ];
        return (after.streaks[seat] ?? 0) === (isOut ? 0 : streak) && isSame(told, expected);
      }),
    ),
  },
});
