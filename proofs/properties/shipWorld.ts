/**
 * Properties of each part of the ship: its clocks, doors, repairs, faults, calls and records. Each computes the part
 * again from the world before a round, the orders and the events.
 */

import type { PlayerLoss } from '../../machines/rules/record.ts';
import type { GameFact } from '../../machines/rules/ship/game.ts';
import type { Intent, IntentType } from '../../machines/rules/ship/orders.ts';
import type { Task } from '../../machines/rules/ship/tasks.ts';
import type { Crisis, PlayerState, Trigger, World } from '../../machines/rules/ship/world.ts';
import { LEFT, OUTAGE } from '../../machines/rules/tick.ts';
import { COLOURS, type Colour, type Place, type System } from '../../machines/types.ts';
import { rememberLast } from '../models/rememberLast.ts';
import { allHold, declareProperties, isSame, readFacts, sortFields } from './property.ts';
import {
  barOf,
  bodiesSeen,
  companyOf,
  placeFollowed,
  sightsIn,
  worldDuring,
} from './shipSights.ts';
import {
  byWorlds,
  canAct,
  countWork,
  eventsOf,
  hasEvent,
  isClosable,
  isFree,
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
  shutRooms,
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
  const [before] = worldsOf(transition);
  const isLost =
    listOf(transition, 'player.killed', 'victim').includes(seat) ||
    listOf(transition, 'seat.departed', 'seat').includes(seat);
  if (isLost || !canAct(before, seat)) return null;
  const own = tries(transition).find((one) => one.seat === seat)?.intent;
  const isRefused = listOf(transition, 'intent.refused', 'seat').includes(seat);
  // A vent out of reach is refused on the way.
  if (own !== undefined) return isRefused && own.type !== 'vent' ? WAIT : own;
  if (listOf(transition, 'seat.faulted', 'seat').includes(seat)) return WAIT;
  return before.players[seat]?.intent ?? null;
}

/** Where a pursuit leads in the world as the round began. */
function goalOf(world: World, seat: Colour, pursuit: Intent | null): Place | null {
  const { button, adminTable, cameras } = world.ship.map;
  switch (pursuit?.type) {
    case 'go':
      return pursuit.to;
    case 'fix':
      return pursuit.at;
    case 'button':
      return button;
    case 'watch':
      return pursuit.what === 'admin' ? adminTable : (cameras?.at ?? null);
    case 'follow':
      return placeFollowed(world, seat, pursuit.whom);
    case 'task':
    case 'fake':
      return stepOf(world, seat, pursuit.task).place ?? null;
    default:
      return null;
  }
}

/** Quarters of a step in a round at speed 1, and the most steps. */
const [QUARTERS, MOST_STEPS] = [4, 4];

/**
 * The walk of a round. One way leads from each place of the small ship to another, and a shut door stops the living.
 * The rest of a stride is kept on the way.
 */
function walkOf(transition: ShipTransition, seat: Colour, pursuit: Intent | null) {
  const [before] = worldsOf(transition);
  const { map, options } = before.ship;
  const { place: from = map.button, vent = null, stride = 0 } = before.players[seat] ?? {};
  const [struck] = eventsOf(transition, 'player.killed').filter(({ by }) => by === seat);
  if (struck !== undefined)
    return { path: struck.place === from ? [] : [struck.place], stride: 0, moved: false };
  const to = goalOf(before, seat, pursuit);
  if (to === null || to === from || vent !== null) return { path: [], stride: 0, moved: false };
  const shut: readonly Place[] = isLiving(before, seat) ? shutRooms(transition) : [];
  const path: Place[] = [];
  let quarters = stride + options.playerSpeed * QUARTERS;
  for (let at = from; quarters >= QUARTERS && at !== to && path.length < MOST_STEPS; ) {
    const { [at]: ways = [] } = map.openings;
    const next = ways.includes(to) ? to : ways[0];
    if (next === undefined || shut.includes(at) || shut.includes(next)) break;
    path.push(next);
    at = next;
    quarters -= QUARTERS;
  }
  const isThere = path.at(-1) === to || quarters >= QUARTERS;
  return { path, stride: isThere ? 0 : quarters, moved: path.length > 0 };
}

/**
 * What each player does in a round: the pursuit, the walk, the step they work on and the visible deed. And why they are
 * asked next.
 */
const acts = rememberLast((transition: ShipTransition) => {
  const [before, after] = worldsOf(transition);
  const { seats, tasks, options, map } = after.ship;
  const [begun] = eventsOf(transition, 'sabotage.begun');
  const isJammed = (begun ?? before.crisis)?.system === 'comms';
  return seats.map(({ colour: seat }) => {
    const place = placeIn(after, seat);
    const pursuit = pursuitOf(transition, seat);
    const { path, stride, moved } = walkOf(transition, seat, pursuit);
    const isWalking = path.length > 0;
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
    const screen =
      pursuit?.type === 'watch' && (pursuit.what === 'admin' ? map.adminTable : map.cameras?.at);
    const isWatching = screen === place && !isJammed;
    const still = job ? work : isFixing ? 'fixing' : isWatching ? 'watching' : 'lurking';
    const deed = isWalking ? 'passing' : still;
    return {
      seat,
      pursuit,
      path,
      stride,
      moved,
      isWalking,
      isJammed,
      job,
      deed: isOut ? deed : undefined,
    };
  });
});

type RoundAct = ReturnType<typeof acts>[number];

/** The order that a player keeps after a round. Kills, vents, sabotages and reports end with it. */
function keptBy(transition: ShipTransition, act: RoundAct): Intent | null {
  const [before, after] = worldsOf(transition);
  const { seat, pursuit, isWalking, isJammed, job, deed } = act;
  if (listOf(transition, 'intent.refused', 'seat').includes(seat)) return null;
  const place = placeIn(after, seat);
  const count = (rounds: number) =>
    rounds > 1 && pursuit !== null ? { ...pursuit, rounds: rounds - 1 } : null;
  switch (pursuit?.type) {
    case 'wait':
      // In a vent no time passes for it.
      return after.players[seat]?.vent === null ? count(pursuit.rounds) : pursuit;
    case 'go':
      return place === pursuit.to ? null : pursuit;
    case 'task':
    case 'fake':
      return job?.isLast && isStepDone(job) ? null : pursuit;
    case 'button':
      return !isWalking && place === before.ship.map.button ? null : pursuit;
    case 'fix': {
      const isEntered = deed === 'fixing' && before.crisis?.system === 'o2';
      return after.crisis === null || isEntered ? null : pursuit;
    }
    case 'watch':
      if (isJammed) return null;
      return deed === 'watching' ? count(pursuit.rounds) : pursuit;
    case 'follow': {
      const other = acts(transition).find((one) => one.seat === pursuit.whom);
      const haveMet = !isWalking && !other?.isWalking && placeIn(after, pursuit.whom) === place;
      const crisis = isJammed ? before.crisis : after.crisis;
      const world = { ...worldDuring(transition), crisis };
      const isLost = placeFollowed(world, seat, pursuit.whom) === null;
      return haveMet || isLost ? null : count(pursuit.rounds);
    }
    default:
      return null;
  }
}

/** Why a player is asked in the next round. The dead learn only of their own orders. */
function reasonsFor(transition: ShipTransition, { seat, isWalking }: RoundAct): readonly Trigger[] {
  const [before, after] = worldsOf(transition);
  if (!canAct(after, seat)) return [];
  const isAlive = isLiving(after, seat);
  const { killWait = 0, intent = null } = after.players[seat] ?? {};
  const isRefused = listOf(transition, 'intent.refused', 'seat').includes(seat);
  const isReady = (before.players[seat]?.killWait ?? 0) > 0 && killWait === 0;
  const [then, now] = [companyOf(before, seat), companyOf(after, seat)];
  const { attention } = after.ship.options;
  const isEvil = isImpostor(after, seat);
  const isChance = isEvil && now.length > 0 && then.length > now.length;
  const hasCompany =
    now.some((who) => !then.includes(who)) ||
    (attention === 'all' ? then.some((who) => !now.includes(who)) : isChance);
  const sights = sightsIn(transition, seat);
  const known = bodiesSeen(before, seat).map(({ victim }) => victim);
  const why: readonly (readonly [Trigger, boolean])[] = [
    ['refused', isRefused],
    [isWalking ? 'arrived' : 'done', !isRefused && intent === null],
    ['company', isAlive && hasCompany && (attention !== 'few' || (isEvil && killWait === 0))],
    ['body', isAlive && sights.some(({ who, did }) => did === 'dead' && !known.includes(who))],
    ['alarm', isAlive && before.crisis?.system !== after.crisis?.system],
    ['ready', isAlive && isReady],
    ['witness', sights.some(({ who, did }) => who !== seat && (did === 'kill' || did === 'vent'))],
  ];
  return why.flatMap(([one, isSo]) => (isSo ? one : []));
}

const lower = (clock: number) => Math.max(0, clock - 1);

/** In one place (with short arms only if neither has moved), or with long arms in the next place. A shut door protects. */
function isInReach({ players, ship, doors }: World, by: Colour, whom: Colour): boolean {
  const [killer, victim] = [players[by], players[whom]];
  if (killer === undefined || victim === undefined) return false;
  const { killDistance } = ship.options;
  if (killer.place === victim.place)
    return killDistance !== 'short' || !(killer.moved || victim.moved);
  const isShut = ({ place }: PlayerState) =>
    doors.some((one) => one.room === place && one.shut > 0);
  const isNext = ship.map.openings[killer.place]?.includes(victim.place) === true;
  return killDistance === 'long' && isNext && !isShut(killer) && !isShut(victim);
}

/** What only one player can do in a round. The highest draw decides who. */
const CONTESTS: Readonly<Partial<Record<IntentType, (intent: object) => unknown>>> = {
  kill: (intent) => Reflect.get(intent, 'whom'),
  shut: (intent) => Reflect.get(intent, 'room'),
  sabotage: () => null,
};

type Try = { readonly seat: Colour; readonly intent: Intent };

function isFirst(transition: ShipTransition, one: Try): boolean {
  const stakeOf = CONTESTS[one.intent.type];
  const { event } = transition;
  if (stakeOf === undefined || event.type !== 'orders.gathered') return true;
  const { draws } = event;
  return tries(transition).every(
    (other) =>
      other.intent.type !== one.intent.type ||
      stakeOf(other.intent) !== stakeOf(one.intent) ||
      isAllowed(worldsOf(transition)[0], other) !== true ||
      (draws[other.seat] ?? 0) <= (draws[one.seat] ?? 0),
  );
}

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
  follow: (world, seat) => isFree(world, seat),
  watch: (world, seat) => isFree(world, seat),
  kill: (world, seat, { whom }) =>
    isImpostor(world, seat) &&
    isFree(world, seat) &&
    world.players[seat]?.killWait === 0 &&
    isLiving(world, whom) &&
    !isImpostor(world, whom) &&
    isInReach(world, seat, whom),
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

/** Why a game without a winner ends with its last round. A call in it is heard, but there is no meeting. */
const LAST = 'unfinished';

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
      'Orders are refused exactly if the rules forbid them. If several players try something that only one can do, the draw decides. A ghost may wait, walk and do tasks, and has no other effect.',
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
        const isAble = isAllowed(before, one);
        return (
          isGone ||
          (isAble === true && isFirst(transition, one)) !== isRefused ||
          (isAble === null && !isRefused)
        );
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
      return allHold({
        'the timer of the button': [after.buttonWait, lower(before.buttonWait)],
        'the timer of sabotage': [after.sabotageWait, sabotageWait],
        'the timers of killers go down': before.ship.seats.every(
          ({ colour }) => killers.includes(colour) || isLowered(colour),
        ),
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
  'a-call-is-heard': {
    sentence:
      'A meeting is called exactly if a free player reports a body or presses a working button. Reports come first, and then the draw decides.',
    when: (transition) =>
      isRound(transition) && (transition.after.context.ending?.reason ?? LAST) === LAST,
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
      return allHold({
        'the call': [call, expected],
        'the buttons left': [buttonsOf(after, by), buttonsLeft - Number(body === null)],
      });
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
      const isNew = after.call !== null;
      const fallen = [...before.world.bodies, ...after.world.bodies].map(({ victim }) => victim);
      const how = (who: Colour) => (fallen.includes(who) ? 'killed' : 'left');
      return allHold({
        'the round': [after.round, round + 1],
        meetings: [after.meetings, meetings],
        'who is known to live': [after.known, known],
        'the calls': [after.calls, isNew ? [...calls, round + 1] : calls],
        'the record of meetings': [after.record.meetings, record.meetings],
        'the bar in the record': [after.record.bar, isNew ? barOf(after.world, known) : record.bar],
        'the bar': [barShown, isNew ? countWork(after.world).done : before.world.barShown],
        'the losses': isNew
          ? areLossesNamed(transition, 'ship', how)
          : isSame(after.record, record),
      });
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
      return allHold({
        'the round': [after.round, round],
        'the calls': [after.calls, calls],
        meetings: [after.meetings, meetings + 1],
        'the open call': [after.call, null],
        'who is known to live': [after.known, living],
        standings: [world.standings, standings],
        'faults in a row': [world.streaks, {}],
        'the bar in the record': [after.record.bar, record.bar],
        'the record of meetings': [after.record.meetings, [...record.meetings, held]],
        'the losses': areLossesNamed(transition, 'table', how),
      });
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
        acts(transition).every((act) => {
          const { seat, job, path, stride, moved } = act;
          const [was, is] = [before.players[seat], after.players[seat]];
          if (was === undefined || is === undefined) return false;
          const isDone = job !== null && isStepDone(job);
          const work = job && {
            steps: job.done + Number(isDone),
            worked: isDone ? 0 : job.worked + 1,
          };
          const isKept = act.pursuit === was.intent && was.intent !== null;
          const rested = was.progress.map((one, index) => {
            if (index === job?.index && work !== null) return work;
            return isKept || one.worked === 0 || !canAct(before, seat)
              ? one
              : { ...one, worked: 0 };
          });
          const vented = eventsOf(transition, 'vent.used').find((vent) => vent.seat === seat);
          const place = path.at(-1) ?? vented?.place ?? was.place;
          const own = canAct(after, seat)
            ? { moved, stride }
            : { moved: was.moved, stride: was.stride };
          const intent = keptBy(transition, act);
          return isSame(is, { ...is, place, ...own, progress: rested, intent });
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
      const expected = acts(transition).map((act) => {
        return [act.seat, reasonsFor(transition, act), act.path, act.deed];
      });
      const found = acts(transition).map(({ seat }) => {
        return [seat, after.asks[seat] ?? [], told.paths[seat] ?? [], told.deeds[seat]];
      });
      return allHold({
        'it is told once': others.every(({ type }) => type !== 'round.closed'),
        'the round': [told.round, round],
        'the orders': [told.orders, ordersOf(transition)],
        'reasons, steps and deeds': [found, expected],
      });
    }),
  },
});
