/**
 * Properties of each part of the ship: its clocks, doors, repairs, faults, calls and records. Each computes the part
 * again from the world before a round, the orders and the events.
 */

import type { PlayerLoss } from '../../machines/rules/record.ts';
import type { GameFact } from '../../machines/rules/ship/game.ts';
import type { Intent, IntentType } from '../../machines/rules/ship/orders.ts';
import type { Task } from '../../machines/rules/ship/tasks.ts';
import type { Crisis, Trigger, World } from '../../machines/rules/ship/world.ts';
import { LEFT, OUTAGE } from '../../machines/rules/tick.ts';
import { COLOURS, type Colour, type Place, type System } from '../../machines/types.ts';
import { rememberLast } from '../models/rememberLast.ts';
import { declareProperties, isSame, readFacts, sortFields } from './property.ts';
import { barOf } from './shipSights.ts';
import {
  byWorlds,
  canAct,
  countWork,
  eventsOf,
  hasEvent,
  isCalled,
  isClosable,
  isImpostor,
  isLiving,
  isMeetingOver,
  isRound,
  listOf,
  placeIn,
  roundEvents,
  roundsLeft,
  SECONDS,
  type ShipProperty,
  type ShipTransition,
  stepOf,
  worldsOf,
} from './shipSteps.ts';

const ordersOf = ({ event }: ShipTransition) =>
  event.type === 'orders.gathered' ? event.orders : [];

/** What the players try who live, or work as ghosts, and have not left in this round. */
const tries = rememberLast((transition: ShipTransition) => {
  const leavers = listOf(transition, 'seat.departed', 'seat');
  return ordersOf(transition).flatMap((order) => {
    const { seat } = order;
    if (order.type === 'fault' || order.decision.intent === null) return [];
    const isHere = canAct(worldsOf(transition)[0], seat) && !leavers.includes(seat);
    return isHere ? [{ seat, intent: order.decision.intent }] : [];
  });
});

function triesTo<T extends IntentType>(transition: ShipTransition, type: T) {
  return tries(transition).filter(
    (one): one is { readonly seat: Colour; readonly intent: Extract<Intent, { type: T }> } =>
      one.intent.type === type,
  );
}

const WAIT: Intent = { type: 'wait', rounds: 1 };

/** What a player is about in a round. A refused order or a fault is a wait; null if the player may not act. */
function pursuitOf(transition: ShipTransition, seat: Colour): Intent | null {
  const isLost =
    listOf(transition, 'player.killed', 'victim').includes(seat) ||
    listOf(transition, 'seat.departed', 'seat').includes(seat);
  if (isLost) return null;
  const own = tries(transition).find((one) => one.seat === seat)?.intent;
  const isRefused = listOf(transition, 'intent.refused', 'seat').includes(seat);
  // A vent out of reach is refused on the way.
  if (own !== undefined) return isRefused && own.type !== 'vent' ? WAIT : own;
  return listOf(transition, 'seat.faulted', 'seat').includes(seat) ? WAIT : null;
}

/**
 * What each player does in a round: the pursuit, whether they walk, the step they work on and the visible deed. And why
 * they are asked next.
 */
const acts = rememberLast((transition: ShipTransition) => {
  const [before, after] = worldsOf(transition);
  const crawled = listOf(transition, 'vent.used', 'seat');
  const { seats, tasks, options } = after.ship;
  return seats.map(({ colour: seat }) => {
    const place = placeIn(after, seat);
    const pursuit = pursuitOf(transition, seat);
    const isWalking = place !== placeIn(before, seat) && !crawled.includes(seat);
    const isOut = canAct(after, seat) && after.players[seat]?.vent === null;
    const isBusy = pursuit?.type === 'task' || pursuit?.type === 'fake';
    const step = isBusy && isOut && !isWalking ? stepOf(before, seat, pursuit.task) : null;
    const task = step !== null && step.place === place ? tasks[seat]?.[step.index] : undefined;
    const job =
      step === null || task === undefined
        ? null
        : { ...step, task, isLast: step.done + 1 === task.steps.length };
    const isShown = job?.isLast && job.task.visual && options.visualTasks;
    const work = isShown && pursuit?.type === 'task' ? 'visual' : 'task';
    const isFixing = pursuit?.type === 'fix' && pursuit.at === place;
    const still = job ? work : isFixing ? 'fixing' : 'lurking';
    const deed = isWalking ? 'passing' : still;
    const { killWait = 0 } = before.players[seat] ?? {};
    const isAlive = isLiving(after, seat);
    const isRefused = listOf(transition, 'intent.refused', 'seat').includes(seat);
    const isIdle = !isRefused && after.players[seat]?.intent === null;
    const isReady = isAlive && killWait > 0 && after.players[seat]?.killWait === 0;
    // Null: it depends on what the player saw.
    const why: readonly (readonly [Trigger, boolean | null])[] = [
      ['refused', isRefused],
      [isWalking ? 'arrived' : 'done', isIdle],
      ['company', null],
      ['body', null],
      ['alarm', isAlive && before.crisis?.system !== after.crisis?.system],
      ['ready', isReady],
      ['witness', null],
    ];
    return { seat, pursuit, isWalking, job, why, deed: isOut ? deed : undefined };
  });
});

const isFree = (world: World, seat: Colour) =>
  isLiving(world, seat) && world.players[seat]?.vent === null;
const lower = (clock: number) => Math.max(0, clock - 1);

/** Whether the rules allow what a living player tries, by the world as the round began. */
const ALLOWS: {
  readonly [T in IntentType]?: (
    world: World,
    seat: Colour,
    intent: Extract<Intent, { type: T }>,
  ) => boolean;
} = {
  wait: () => true,
  go: (world, seat) => isFree(world, seat),
  kill: (world, seat, { whom }) =>
    isImpostor(world, seat) &&
    isFree(world, seat) &&
    world.players[seat]?.killWait === 0 &&
    isLiving(world, whom) &&
    !isImpostor(world, whom) &&
    placeIn(world, whom) === placeIn(world, seat),
  vent: (world, seat, { to }) => {
    const target = world.ship.map.vents.find(({ id }) => id === to);
    const { vent: from } = world.players[seat] ?? {};
    if (target === undefined || from === undefined || !isImpostor(world, seat)) return false;
    return from === null ? target.place === placeIn(world, seat) : target.links.includes(from);
  },
  surface: (world, seat) => isImpostor(world, seat) && !isFree(world, seat),
  sabotage: (world, seat) =>
    isImpostor(world, seat) && world.crisis === null && world.sabotageWait === 0,
  shut: (world, seat, { room }) =>
    isImpostor(world, seat) && world.ship.map.doors.includes(room) && isClosable(world, room),
  fix: (world, seat, { at }) =>
    isFree(world, seat) &&
    world.crisis !== null &&
    world.ship.map.consoles[world.crisis.system].includes(at),
  report: (world, seat, { body }) =>
    isFree(world, seat) &&
    world.bodies.some(({ victim, place }) => victim === body && place === placeIn(world, seat)),
};

export function isAllowed(
  world: World,
  { seat, intent }: { readonly seat: Colour; readonly intent: Intent },
) {
  const allows = ALLOWS[intent.type] as
    | ((world: World, seat: Colour, intent: Intent) => boolean)
    | undefined; // of its type
  return allows?.(world, seat, intent) ?? null;
}

const GHOSTS_TRY: readonly IntentType[] = ['wait', 'go', 'task'];

const isStepDone = ({ task, done, worked }: { task: Task; done: number; worked: number }) =>
  worked + 1 === task.steps[done]?.rounds;

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

/** The secret deeds of a round, in the order of its events, then the steps that impostors begin to fake. */
function secretDeeds(transition: ShipTransition): readonly object[] {
  const told = roundEvents(transition).flatMap((event): readonly object[] => {
    switch (event.type) {
      case 'player.killed':
        return [{ type: 'kill', by: event.by, victim: event.victim, place: event.place }];
      case 'vent.used': {
        const { seat: by, how, place } = event;
        return how === 'through' ? [] : [{ type: 'vent', by, how, place }];
      }
      case 'sabotage.begun':
        return [{ type: 'sabotage', by: event.by, system: event.system }];
      case 'doors.shut':
        return [{ type: 'shut', by: event.by, room: event.room }];
      default:
        return [];
    }
  });
  const fakes = acts(transition).flatMap(({ seat: by, pursuit, job }) =>
    pursuit?.type === 'fake' && job?.worked === 0 ? [{ type: 'fake', by, place: job.place }] : [],
  );
  return [...told, ...fakes];
}

/** Whether the record names exactly those who are out of the game, each once, and the new ones as expected. */
function areLossesNamed(
  { before, after }: ShipTransition,
  where: PlayerLoss['where'],
  how: (who: Colour) => PlayerLoss['how'],
): boolean {
  const { losses: known, meetings } = before.context.record;
  const { standings } = after.context.world;
  const isOut = (seat: Colour) => standings[seat] !== undefined && standings[seat] !== 'living';
  const fresh = COLOURS.filter((seat) => isOut(seat) && known.every(({ who }) => who !== seat));
  const meeting = meetings.length + 1;
  const added = fresh.map((who) => ({ who, how: how(who), where, meeting }));
  return isSame(after.context.record.losses, [...known, ...added]);
}

export const shipWorldProperties = declareProperties<ShipProperty>({
  'the-possible-is-not-refused': {
    sentence:
      'What the rules allow is not refused, and what they forbid is. A ghost may wait, walk and do tasks, and has no other effect.',
    when: (transition) => tries(transition).length > 0,
    holds: byWorlds((before, after, transition) => {
      const refused = eventsOf(transition, 'intent.refused');
      return tries(transition).every((one) => {
        const isRefused = refused.some(
          ({ seat, intent }) => seat === one.seat && isSame(intent, one.intent),
        );
        if (before.standings[one.seat] === 'dead')
          return isRefused || GHOSTS_TRY.includes(one.intent.type);
        const isGone = 'whom' in one.intent && after.standings[one.intent.whom] === 'departed';
        return isGone || isAllowed(before, one) !== isRefused;
      });
    }),
  },
  'the-clocks-go': {
    sentence:
      'The timers of living killers, button and sabotage go down by one each round, to 0. A sabotage fills its timer and stops it.',
    when: isRound,
    holds: byWorlds((before, after, transition) => {
      const killers = listOf(transition, 'player.killed', 'by');
      const full = roundsLeft(before.ship.options.sabotageCooldown) + 1;
      const calm = after.crisis === null ? lower(before.sabotageWait) : before.sabotageWait;
      const sabotageWait = hasEvent('sabotage.begun')(transition) ? full : calm;
      const isLowered = (seat: Colour) => {
        const wait = before.players[seat]?.killWait ?? 0;
        return after.players[seat]?.killWait === (isLiving(after, seat) ? lower(wait) : wait);
      };
      return (
        after.buttonWait === lower(before.buttonWait) &&
        after.sabotageWait === sabotageWait &&
        before.ship.seats.every(({ colour }) => killers.includes(colour) || isLowered(colour))
      );
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
      const clocks = map.doors.flatMap((room) => {
        const known = before.doors.find((door) => door.room === room);
        if (shut.includes(room))
          return [{ room, shut: roundsLeft(doorSeconds), wait: roundsLeft(doorCooldown) }];
        return known ? [{ room, shut: lower(known.shut), wait: lower(known.wait) }] : [];
      });
      const doors = clocks.filter((door) => door.shut + door.wait > 0);
      const opened = before.doors
        .filter((door) => door.shut === 1 && !shut.includes(door.room))
        .map(({ room }) => room);
      return isSame([after.doors, listOf(transition, 'doors.opened', 'room')], [doors, opened]);
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
      return (
        isSame(
          [after.crisis, listOf(transition, 'sabotage.fixed', 'by')],
          [mended && { ...mended, left }, fixed],
        ) &&
        keys.length === new Set(hands.filter(isNew).map(({ at }) => at)).size &&
        keys.every(
          (key) => isNew(key) && hands.some((hand) => hand.seat === key.seat && hand.at === key.at),
        )
      );
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
  'a-call-is-heard': {
    sentence:
      'A meeting is called exactly if a free player reports a body or presses a working button. Reports come first, and then the draw decides.',
    when: (transition) => isRound(transition) && transition.after.context.ending === null,
    holds: byWorlds((before, after, transition) => {
      const { event } = transition;
      const { call } = transition.after.context;
      const draws = event.type === 'orders.gathered' ? event.draws : {};
      const isAble = ({ seat }: { readonly seat: Colour }) =>
        isFree(before, seat) && isLiving(after, seat);
      const reports = triesTo(transition, 'report').filter(
        (one) => isAble(one) && isAllowed(before, one) === true,
      );
      const isWorking = before.buttonWait === 0 && after.crisis === null;
      const buttonsOf = ({ players }: World, seat: Colour) => players[seat]?.buttons ?? 0;
      const presses = triesTo(transition, 'button').filter(
        (one) =>
          isAble(one) &&
          isWorking &&
          buttonsOf(before, one.seat) > 0 &&
          placeIn(before, one.seat) === before.ship.map.button,
      );
      const [first = null] = (reports.length > 0 ? reports : presses).toSorted(
        (one, other) => (draws[other.seat] ?? 0) - (draws[one.seat] ?? 0),
      );
      if (first === null || call === null) return first === call;
      const { seat: by, intent } = first;
      const body = intent.type === 'report' ? intent.body : null;
      const buttonsLeft = buttonsOf(before, by);
      const expected = {
        ...{ by, buttonsLeft, cooldown: before.buttonWait * SECONDS },
        crisis: after.crisis?.system ?? null,
        ...{ kind: body === null ? 'button' : 'body', body },
        place: before.bodies.find(({ victim }) => victim === body)?.place ?? null,
      };
      return isSame([call, buttonsOf(after, by)], [expected, buttonsLeft - Number(body === null)]);
    }),
  },
  'the-chronicle-is-complete': {
    sentence:
      'The chronicle gains exactly the kills, vents, sabotages and faked tasks of the round, with its number and the next meeting’s.',
    when: isRound,
    holds: (transition) => {
      const [before, after] = [transition.before.context, transition.after.context];
      const dates = { round: before.round, meeting: before.calls.length + 1 };
      const deeds = secretDeeds(transition).map((deed) => ({ ...deed, ...dates }));
      return isSame(
        after.chronicle.map(sortFields),
        [...before.chronicle, ...deeds].map(sortFields),
      );
    },
  },
  'a-call-is-recorded': {
    sentence:
      'Rounds are counted. A call is dated, shows the bar as it is, and names the missing with what is known of them. Nothing else changes the record on the ship.',
    when: isRound,
    holds: (transition) => {
      const [before, after] = [transition.before.context, transition.after.context];
      const { record, calls, round, meetings, known } = before;
      const { barShown } = after.world;
      if (!isSame([after.round, after.meetings, after.known], [round + 1, meetings, known]))
        return false;
      if (!isCalled(transition))
        return isSame(
          [after.calls, after.record, barShown],
          [calls, record, before.world.barShown],
        );
      const fallen = [...before.world.bodies, ...after.world.bodies].map(({ victim }) => victim);
      return (
        isSame(
          [after.calls, after.record.meetings, after.record.bar, barShown],
          [
            [...calls, round + 1],
            record.meetings,
            barOf(after.world, known),
            countWork(after.world).done,
          ],
        ) && areLossesNamed(transition, 'ship', (who) => (fallen.includes(who) ? 'killed' : 'left'))
      );
    },
  },
  'a-meeting-is-recorded': {
    sentence:
      'A meeting is counted, and adds its result, its losses, the standings and who is known to live. It forgets faults in a row.',
    when: isMeetingOver,
    holds: (transition) => {
      const { event } = transition;
      const [before, after] = [transition.before.context, transition.after.context];
      const { record, calls, round, meetings } = before;
      if (event.type !== 'xstate.done.actor.meetingSession') return false;
      const { held, standings } = event.output;
      const living = COLOURS.filter((seat) => standings[seat] === 'living');
      const how = (who: Colour) => (who === held.result?.ejected ? 'ejected' : 'left');
      const { world } = after;
      const found = [
        ...[after.round, after.calls, after.meetings, after.call, after.known],
        ...[world.standings, world.streaks, after.record.bar, after.record.meetings],
      ];
      const expected = [
        ...[round, calls, meetings + 1, null, living],
        ...[standings, {}, record.bar, [...record.meetings, held]],
      ];
      return isSame(found, expected) && areLossesNamed(transition, 'table', how);
    },
  },
  'work-is-counted': {
    sentence:
      'A player in the right place works on a task for its rounds, then it advances by a step. A fake looks the same and is not told. A player keeps only an order that is not done, and a stride only on the way. Who cannot act neither walks nor works.',
    when: isRound,
    holds: byWorlds((before, after, transition) => {
      const steps = acts(transition).flatMap(({ seat, pursuit, job }) => {
        if (job === null || pursuit?.type !== 'task' || !isStepDone(job)) return [];
        const { id: task } = job.task;
        return [{ type: 'task.stepped', seat, task, steps: job.done + 1, done: job.isLast }];
      });
      return (
        isSame(eventsOf(transition, 'task.stepped'), steps) &&
        acts(transition).every(({ seat, pursuit, isWalking, job }) => {
          const [was, is] = [before.players[seat], after.players[seat]];
          if (was === undefined || is === undefined) return false;
          const isDone = job !== null && isStepDone(job);
          const work = job && {
            steps: job.done + Number(isDone),
            worked: isDone ? 0 : job.worked + 1,
          };
          const progress = work === null ? was.progress : was.progress.with(job?.index ?? 0, work);
          const { place, moved, stride } = canAct(after, seat)
            ? { ...is, moved: isWalking, stride: 0 }
            : was;
          const intent = is.intent && (pursuit ?? was.intent);
          return isSame(is, { ...is, place, moved, stride, progress, intent });
        })
      );
    }),
  },
  'rounds-are-told-as-they-were': {
    sentence:
      'A round is announced once, with its number, its orders, and the steps and visible deed of each player. Those who have to decide anew are asked, for true reasons, and nobody who cannot act.',
    when: isRound,
    holds: byWorlds((_, after, transition) => {
      const [told, ...others] = readFacts<GameFact>(transition.effects);
      if (told?.type !== 'round.closed') return false;
      const { round } = transition.before.context;
      return (
        others.every(({ type }) => type !== 'round.closed') &&
        isSame([told.round, told.orders], [round, ordersOf(transition)]) &&
        acts(transition).every(({ seat, isWalking, why, deed }) => {
          const path = isWalking ? [placeIn(after, seat)] : undefined;
          const asks = after.asks[seat] ?? [];
          const expected = why.flatMap(([one, isSo]) => ((isSo ?? asks.includes(one)) ? one : []));
          const known = canAct(after, seat) ? expected : [];
          return isSame([asks, told.paths[seat], told.deeds[seat]], [known, path, deed]);
        })
      );
    }),
  },
});
