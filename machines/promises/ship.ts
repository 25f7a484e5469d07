/**
 * What is promised about a game between its meetings.
 *
 * As with the promises of a meeting, each states the rule again and calls none of the rules: it looks at two worlds and
 * at what was told between them.
 */
import type { Menu, ShipEvent } from '../model/shipWorld.ts';
import type { Course } from '../rules/round/course.ts';
import type { RoundEvent, RoundEventType } from '../rules/round/events.ts';
import type { GameFact } from '../rules/round/facts.ts';
import type { Ship, World } from '../rules/round/world.ts';
import { COLOURS, type Colour, type Place } from '../types.ts';
import { once } from './once.ts';
import { isSame } from './promise.ts';

export type ShipRest = { readonly at: string; readonly context: Course; readonly isDone: boolean };
export type ShipTurn = {
  readonly before: ShipRest;
  readonly event: ShipEvent;
  readonly after: ShipRest;
  readonly effects: readonly { readonly type: string; readonly params: unknown }[];
};

type Sentence = { readonly name: string; readonly sentence: string };
export type ShipPromise = Sentence &
  (
    | {
        readonly kind: 'always' | 'never' | 'sometimes';
        readonly holds: (rest: ShipRest) => boolean;
      }
    | {
        readonly kind: 'step';
        readonly when?: (turn: ShipTurn) => boolean;
        readonly holds: (turn: ShipTurn) => boolean;
      }
    | { readonly kind: 'deadlock-free' }
  );

/** The events of the round that was played in a turn. */
const happened = once(({ effects }: ShipTurn): readonly RoundEvent[] => {
  for (const { type, params } of effects) {
    if (type !== 'tell') continue;
    const { facts } = params as { readonly facts: readonly GameFact[] }; // its parameters
    for (const fact of facts) if (fact.type === 'round.closed') return fact.events;
  }
  return NOTHING;
});
const NOTHING: readonly RoundEvent[] = [];

export function eventsOf<T extends RoundEventType>(turn: ShipTurn, type: T) {
  return happened(turn).filter(
    (event): event is Extract<RoundEvent, { type: T }> => event.type === type,
  );
}

const has = (type: RoundEventType) => (turn: ShipTurn) =>
  happened(turn).some((event) => event.type === type);
const isRound = ({ event }: ShipTurn) => event.type === 'orders.gathered';
const isMeetingOver = ({ event }: ShipTurn) => event.type === 'xstate.done.actor.sitting';
const isCalled = (turn: ShipTurn) => isRound(turn) && turn.after.at === 'meeting';

function worlds({ before, after }: ShipTurn): readonly [World, World] {
  return [before.context.world, after.context.world];
}

function isImpostor({ ship }: World, seat: Colour): boolean {
  return ship.seats.some(({ colour, role }) => colour === seat && role === 'impostor');
}

function living({ standings }: World, isOf: (seat: Colour) => boolean = () => true): number {
  return COLOURS.filter((seat) => standings[seat] === 'living' && isOf(seat)).length;
}

function placeIn({ players }: World, seat: Colour): Place | undefined {
  return players[seat]?.place;
}

/** Rounds of so many seconds that are left when the round is over in which they began. */
const leftOf = (seconds: number) => Math.ceil(seconds / 2.5) - 1;

const presence: readonly ShipPromise[] = [
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

/** Promised where somebody may stop the game during a meeting. */
const ended: ShipPromise = {
  name: 'the-end-stays',
  sentence: 'Once the game has an end, it has no other one.',
  kind: 'step',
  when: ({ before }) => before.context.ending !== null,
  holds: ({ before, after }) => isSame(before.context.ending, after.context.ending),
};

const bodies: readonly ShipPromise[] = [
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

const kills: readonly ShipPromise[] = [
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

const calls: readonly ShipPromise[] = [
  {
    name: 'no-dead-caller',
    sentence: 'Whoever calls a meeting is alive.',
    kind: 'step',
    when: isCalled,
    holds: ({ after: { context } }) =>
      context.call !== null && context.world.standings[context.call.by] === 'living',
  },
];

const reports: readonly ShipPromise[] = [
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

const buttons: readonly ShipPromise[] = [
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

const meetings: readonly ShipPromise[] = [
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

const sabotage: readonly ShipPromise[] = [
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

const doors: readonly ShipPromise[] = [
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

const vents: readonly ShipPromise[] = [
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

const tasks: readonly ShipPromise[] = [
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

const victory: readonly ShipPromise[] = [
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

/** In house the dead and the departed do nothing. */
const quiet: ShipPromise = {
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

/** The ways in which a game with such a menu can end. */
function witnesses(menu: Menu): readonly ShipPromise[] {
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

/** The promises about a game on this ship in which so much may be done. */
export function shipPromises({ seats, options }: Ship, menu: Menu): readonly ShipPromise[] {
  // Of three one is an impostor: the first who is gone ends the game.
  const isLong = seats.length > 3;
  const meets = menu.buttons === true || menu.reports === true;
  return [
    ...presence,
    ...(menu.stops ? [ended] : []),
    ...bodies,
    ...(menu.kills ? kills : []),
    ...(meets ? [...calls, ...meetings] : []),
    ...(menu.reports ? reports : []),
    ...(menu.buttons ? buttons : []),
    ...(menu.sabotages === undefined ? [] : sabotage),
    ...(menu.doors === undefined ? [] : doors),
    ...(menu.vents ? vents : []),
    ...(menu.tasks ? tasks : []),
    ...victory,
    ...(isLong && !options.ghostsDoTasks && (menu.kills || meets) ? [quiet] : []),
    ...witnesses(menu),
    {
      name: 'deadlock-free',
      sentence: 'Until the game is over something can always happen.',
      kind: 'deadlock-free',
    },
  ];
}
