/**
 * Properties of what players do in a round: what they may try, how they walk and work, what others are told, and who
 * calls. Each is computed again from the world before the round, the orders and the events.
 */

import type { GameFact } from '../../machines/rules/ship/game.ts';
import type { Intent, IntentType } from '../../machines/rules/ship/orders.ts';
import type { Task } from '../../machines/rules/ship/tasks.ts';
import type { Trigger, World } from '../../machines/rules/ship/world.ts';
import { COLOURS, type Colour, type Place, type Role, type ShipMap } from '../../machines/types.ts';
import { rememberLast } from '../models/rememberLast.ts';
import { allHold, declareProperties, isSame, readFacts, sortFields } from './property.ts';
import { bodiesSeen, companyOf, placeFollowed, sightsIn, worldDuring } from './shipSights.ts';
import {
  byWorlds,
  canAct,
  deedIn,
  eventsOf,
  hasEvent,
  isClosable,
  isFree,
  isImpostor,
  isLiving,
  isRound,
  listOf,
  openWays,
  placeIn,
  roundEvents,
  roundOf,
  SECONDS,
  type ShipProperty,
  type ShipTransition,
  shutRooms,
  stepOf,
  worldsOf,
} from './shipSteps.ts';

export const ordersOf = ({ event }: ShipTransition) =>
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

const screenOf = ({ adminTable, cameras }: ShipMap, what: 'admin' | 'cameras') =>
  what === 'admin' ? adminTable : (cameras?.at ?? null);

/** Where a pursuit leads in the world as the round began. */
function goalOf(world: World, seat: Colour, pursuit: Intent | null): Place | null {
  const { map } = world.ship;
  switch (pursuit?.type) {
    case 'go':
      return pursuit.to;
    case 'fix':
      return pursuit.at;
    case 'button':
      return map.button;
    case 'watch':
      return screenOf(map, pursuit.what);
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

/** The walk of a round. From each place one way leads to another, shut doors stop the living, and a stride goes on. */
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

/** What each player does in a round: the pursuit, the walk, the step they work on and the visible deed. */
export const acts = rememberLast((transition: ShipTransition) => {
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
    const isAtScreen = pursuit?.type === 'watch' && screenOf(map, pursuit.what) === place;
    const isWatching = isAtScreen && !isJammed;
    const still = job ? work : isFixing ? 'fixing' : isWatching ? 'watching' : 'lurking';
    const seen = isWalking ? 'passing' : still;
    const deed = isOut ? seen : undefined;
    return { seat, pursuit, path, stride, moved, isWalking, isJammed, job, deed };
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
      // A repair takes effect after the others have gone on.
      const crisis = before.crisis ?? after.crisis;
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

/** In one place (with short arms only if neither has moved), or with long arms in the next place. A shut door protects. */
function isInReach(world: World, by: Colour, whom: Colour): boolean {
  const [killer, victim] = [world.players[by], world.players[whom]];
  if (killer === undefined || victim === undefined) return false;
  const { killDistance } = world.ship.options;
  if (killer.place === victim.place)
    return killDistance !== 'short' || !(killer.moved || victim.moved);
  return killDistance === 'long' && openWays(world, killer.place).includes(victim.place);
}

/** What only one player can do in a round: kill somebody, shut a door, sabotage anything. The highest draw decides who. */
const CONTESTED: readonly IntentType[] = ['kill', 'shut', 'sabotage'];

type Try = { readonly seat: Colour; readonly intent: Intent };

function isFirst(transition: ShipTransition, one: Try): boolean {
  const { event } = transition;
  const { type } = one.intent;
  if (!CONTESTED.includes(type) || event.type !== 'orders.gathered') return true;
  const { draws } = event;
  const isRival = ({ intent }: Try) =>
    type === 'sabotage' ? intent.type === type : isSame(intent, one.intent);
  return tries(transition).every(
    (other) =>
      !isRival(other) ||
      !isAllowed(worldsOf(transition)[0], other) ||
      (draws[other.seat] ?? 0) <= (draws[one.seat] ?? 0),
  );
}

const isOut = ({ players }: World, seat: Colour) => players[seat]?.vent === null;

const isWorkOpen = (world: World, seat: Colour, task: string) =>
  isOut(world, seat) && stepOf(world, seat, task).place !== undefined;

/** Whether the rules allow what a player tries, by the world as the round began. In `button` the crisis is later. */
const ALLOWS: {
  readonly [T in IntentType]: (
    world: World,
    seat: Colour,
    intent: Extract<Intent, { type: T }>,
  ) => boolean;
} = {
  wait: () => true,
  go: (world, seat, { to }) => isOut(world, seat) && world.ship.map.places.includes(to),
  follow: (world, seat, { whom }) => isOut(world, seat) && whom !== seat,
  watch: (world, seat, { what }) => isOut(world, seat) && screenOf(world.ship.map, what) !== null,
  task: (world, seat, { task }) => !isImpostor(world, seat) && isWorkOpen(world, seat, task),
  fake: (world, seat, { task }) => isImpostor(world, seat) && isWorkOpen(world, seat, task),
  button: (world, seat) => {
    if (!isOut(world, seat) || placeIn(world, seat) !== world.ship.map.button)
      return isOut(world, seat);
    const { [seat]: { buttons } = { buttons: 0 } } = world.players;
    return buttons > 0 && world.buttonWait === 0 && world.crisis === null;
  },
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
  surface: (world, seat) => isImpostor(world, seat) && !isOut(world, seat),
  sabotage: (world, seat, { system }) =>
    isImpostor(world, seat) &&
    world.crisis === null &&
    world.sabotageWait === 0 &&
    world.ship.map.consoles[system].length > 0,
  shut: (world, seat, { room }) =>
    isImpostor(world, seat) && world.ship.map.doors.includes(room) && isClosable(world, room),
  fix: (world, seat, { at }) =>
    isOut(world, seat) &&
    world.crisis !== null &&
    world.ship.map.consoles[world.crisis.system].includes(at),
  report: (world, seat, { body }) =>
    isOut(world, seat) &&
    world.bodies.some(({ victim, place }) => victim === body && place === placeIn(world, seat)),
};

/** What ghosts may try (ruling 37). */
const GHOSTS_TRY: Readonly<Record<Role, readonly IntentType[]>> = {
  crewmate: ['wait', 'go', 'task'],
  impostor: ['wait', 'go', 'sabotage', 'shut'],
};

export function isAllowed(world: World, { seat, intent }: Try): boolean {
  const { type } = intent;
  const role = isImpostor(world, seat) ? 'impostor' : 'crewmate';
  if (!isLiving(world, seat) && !GHOSTS_TRY[role].includes(type)) return false;
  const allows = ALLOWS[type] as (world: World, seat: Colour, intent: Intent) => boolean; // of its type
  return allows(world, seat, intent);
}

/** What is done as soon as it is tried, by whom and to what. */
const DEEDS: readonly IntentType[] = ['kill', 'vent', 'surface', 'sabotage', 'shut'];

function deedsDone(transition: ShipTransition): readonly string[] {
  return roundEvents(transition).flatMap((event) => {
    const secret = deedIn(event);
    if (secret === null) return [];
    const { type, ...about } = { how: null, ...secret.deed };
    return `${secret.by} ${about.how === 'out' ? 'surface' : type} ${targetOf(about)}`;
  });
}

const targetOf = (deed: object) =>
  ['victim', 'whom', 'system', 'room'].flatMap((name) => Reflect.get(deed, name) ?? []).join();

const isStepDone = ({ task, done, worked }: { task: Task; done: number; worked: number }) =>
  worked + 1 === task.steps[done]?.rounds;

/** Why a game without a winner ends with its last round. A call in it is heard, but there is no meeting. */
const LAST = 'unfinished';

/** The secret deeds of a round, in the order of its events, then the steps that impostors begin to fake. */
function secretDeeds(transition: ShipTransition): readonly object[] {
  const told = roundEvents(transition).flatMap((event) => {
    const isThrough = event.type === 'vent.used' && event.how === 'through';
    const secret = isThrough ? null : deedIn(event);
    return secret === null ? [] : [{ by: secret.by, ...secret.deed }];
  });
  const fakes = acts(transition).flatMap(({ seat: by, pursuit, job }) =>
    pursuit?.type === 'fake' && job?.worked === 0 ? [{ type: 'fake', by, place: job.place }] : [],
  );
  return [...told, ...fakes];
}

const isVentAt = ({ ship }: World, vent: number, at: Place | undefined) =>
  ship.map.vents.some(({ id, place }) => id === vent && place === at);

export const shipRoundProperties = declareProperties<ShipProperty>({
  'the-possible-is-not-refused': {
    sentence:
      'Orders are refused exactly if the rules forbid them, and else done. If several players try something that only one can do, the draw decides. Ghosts may wait, walk and do tasks, and those of impostors sabotage.',
    when: (transition) => tries(transition).length > 0,
    holds: byWorlds((before, after, transition) => {
      const refused = eventsOf(transition, 'intent.refused');
      const isRefused = (one: Try) =>
        refused.some(({ seat, intent }) => seat === one.seat && isSame(intent, one.intent));
      const wrong = tries(transition).filter((one) => {
        if ('whom' in one.intent && after.standings[one.intent.whom] === 'departed') return false;
        const isButton = one.intent.type === 'button';
        const world = isButton ? { ...before, crisis: after.crisis } : before;
        const isAble = isAllowed(world, one);
        // A player who is killed is not told.
        const isMoot = before.standings[one.seat] !== after.standings[one.seat];
        if (isMoot && (isButton || !isAble)) return false;
        return (isAble && isFirst(transition, one)) === isRefused(one);
      });
      const tried = tries(transition)
        .filter((one) => DEEDS.includes(one.intent.type) && !isRefused(one))
        .map(({ seat, intent }) => `${seat} ${intent.type} ${targetOf(intent)}`);
      return allHold({
        'wrongly judged': [wrong, []],
        'what is done': [deedsDone(transition).toSorted(), tried.toSorted()],
      });
    }),
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
      const triesTo = (type: IntentType) =>
        acts(transition).flatMap(({ seat, pursuit: intent, isWalking }) => {
          const isHere = isFree(before, seat) && isLiving(after, seat) && !isWalking;
          return intent?.type === type && isHere ? [{ seat, intent }] : [];
        });
      const reports = triesTo('report').filter((one) => isAllowed(before, one));
      const isWorking = before.buttonWait === 0 && after.crisis === null;
      const buttonsOf = ({ players }: World, seat: Colour) => players[seat]?.buttons ?? 0;
      const presses = triesTo('button').filter(
        ({ seat }) =>
          isWorking &&
          buttonsOf(before, seat) > 0 &&
          placeIn(before, seat) === before.ship.map.button,
      );
      const [first = null] = (reports.length > 0 ? reports : presses).toSorted(
        (one, other) => (draws[other.seat] ?? 0) - (draws[one.seat] ?? 0),
      );
      const body = first?.intent.type === 'report' ? first.intent.body : null;
      const expected = first && {
        ...{ by: first.seat, buttonsLeft: buttonsOf(before, first.seat) },
        cooldown: before.buttonWait * SECONDS,
        crisis: after.crisis?.system ?? null,
        ...{ kind: body === null ? 'button' : 'body', body },
        place: before.bodies.find(({ victim }) => victim === body)?.place ?? null,
      };
      const buttons = COLOURS.map(
        (seat) => buttonsOf(before, seat) - Number(seat === first?.seat && body === null),
      );
      return allHold({
        'the call': [call, expected],
        'the buttons left': [COLOURS.map((seat) => buttonsOf(after, seat)), buttons],
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
      const players = acts(transition).map((act) => {
        const { seat, job, path, stride, moved } = act;
        const [was, is] = [before.players[seat], after.players[seat]];
        if (was === undefined || is === undefined) return null;
        const isDone = job !== null && isStepDone(job);
        const work = job && {
          steps: job.done + Number(isDone),
          worked: isDone ? 0 : job.worked + 1,
        };
        const isKept = act.pursuit === was.intent && was.intent !== null;
        const rested = was.progress.map((one, index) => {
          if (index === job?.index && work !== null) return work;
          return isKept || one.worked === 0 || !canAct(before, seat) ? one : { ...one, worked: 0 };
        });
        const vented = eventsOf(transition, 'vent.used').find((vent) => vent.seat === seat);
        const place = path.at(-1) ?? vented?.place ?? was.place;
        const own = canAct(after, seat)
          ? { moved, stride }
          : { moved: was.moved, stride: was.stride };
        const intent = keptBy(transition, act);
        return { ...is, place, ...own, progress: rested, intent };
      });
      return allHold({
        'the steps': [eventsOf(transition, 'task.stepped'), steps],
        'the players': [acts(transition).map(({ seat }) => after.players[seat]), players],
      });
    }),
  },
  'rounds-are-told-as-they-were': {
    sentence:
      'A round is announced once, with its number, its orders, and the steps and visible deed of each player. Those who have to decide anew are asked, for true reasons, and nobody who cannot act.',
    when: isRound,
    holds: byWorlds((_, after, transition) => {
      const told = roundOf(transition);
      if (told === null) return false;
      const rounds = readFacts<GameFact>(transition.effects).filter(
        ({ type }) => type === told.type,
      );
      const { round } = transition.before.context;
      const expected = acts(transition).map((act) => {
        return [act.seat, reasonsFor(transition, act), act.path, act.deed];
      });
      const found = acts(transition).map(({ seat }) => {
        return [seat, after.asks[seat] ?? [], told.paths[seat] ?? [], told.deeds[seat]];
      });
      return allHold({
        'it is told once': rounds.length === 1,
        'the round': [told.round, round],
        'the orders': [told.orders, ordersOf(transition)],
        'reasons, steps and deeds': [found, expected],
      });
    }),
  },
  'vents-are-told': {
    sentence:
      'A vent is named by its number and place: the vent that the player is in afterwards, or has left.',
    when: hasEvent('vent.used'),
    holds: byWorlds((before, after, transition) =>
      eventsOf(transition, 'vent.used').every(({ seat, how, vent, place }) => {
        const isOfPlayer = vent === (how === 'out' ? before : after).players[seat]?.vent;
        return isOfPlayer && isVentAt(before, vent, place);
      }),
    ),
  },
  'vents-are-for-impostors': {
    sentence: 'Only living impostors are in vents, each in the place of that vent.',
    kind: 'always',
    holds: ({ context: { world } }) =>
      COLOURS.every((seat) => {
        const { vent = null, place } = world.players[seat] ?? {};
        if (vent === null) return true;
        return isVentAt(world, vent, place) && isImpostor(world, seat) && isLiving(world, seat);
      }),
  },
});
