/**
 * Resolves a round. All orders are simultaneous: within a step everybody acts on the same world, and draws settle
 * conflicts. `docs/decisions/0013-rounds.md` explains the order of the steps.
 */
import type { BySeat, Call, Colour, Deed, Note, Place } from '../../types.ts';
import type { Departure } from '../facts.ts';
import { buttonRefusal, callNote } from '../meeting.ts';
import { SECONDS_PER_ROUND } from '../options.ts';
import { departureBy, nextStreak, withStreak } from '../tick.ts';
import {
  type Attempt,
  changeStanding,
  type Draft,
  isActiveSeat,
  isLivingSeat,
  pickByDraw,
  pursue,
  type RoundEvent,
  refuseIntent,
  type SeatDraft,
  seatOf,
  seatsIntending,
  startDraft,
} from './draft.ts';
import { resolveKills } from './kills.ts';
import { distance, findVent } from './map.ts';
import { destination, movePlayers } from './movement.ts';
import type { Intent, Order } from './orders.ts';
import { resolveSabotage } from './sabotage.ts';
import {
  bodiesInView,
  type Crowd,
  collectSights,
  companyAt,
  type Sight,
  visiblePlayers,
} from './sight.ts';
import { doWork } from './work.ts';
import {
  decideEnding,
  type GameEnding,
  isLiving,
  type LossCauses,
  roleOf,
  type Trigger,
  taskIndex,
  type World,
} from './world.ts';

/** Whether a kill, a sabotage or a call is possible shows when it is tried. */
function adoptOrders(draft: Draft, orders: readonly Order[]): void {
  for (const order of orders) {
    if (order.type === 'fault' || order.decision.intent === null) continue;
    const one = seatOf(draft, order.seat);
    if (one === null || !isActiveSeat(draft, one)) continue;
    const { intent } = order.decision;
    const note = intentRefusal(draft.world, one.seat, intent);
    if (note === null) pursue(draft, one, intent);
    else {
      refuseIntent(draft, one, intent, note);
      pursue(draft, one, { type: 'wait', rounds: 1 });
    }
  }
}

function intentRefusal(world: World, seat: Colour, intent: Intent): Note | null {
  const role = roleOf(world, seat);
  const player = world.players[seat];
  if (player === undefined) return intentNote('no-player', `${seat} is not on the ship`);
  if (!isLiving(world, seat))
    return ghostRefusal(seat, role, intent) ?? commonRefusal(world, seat, intent);
  if (player.vent !== null && !IN_VENT.includes(intent.type))
    return intentNote('in-vent', `from inside a vent only ${IN_VENT.join(', ')} are possible`);
  if (role === 'impostor') return impostorRefusal(world, seat, intent);
  if (IMPOSTORS_ONLY.includes(intent.type))
    return intentNote('impostors-only', `only impostors can ${intent.type}`);
  return commonRefusal(world, seat, intent);
}

const IN_VENT: readonly Intent['type'][] = ['wait', 'vent', 'surface', 'sabotage', 'shut'];
const IMPOSTORS_ONLY: readonly Intent['type'][] = [
  'kill',
  'vent',
  'surface',
  'sabotage',
  'shut',
  'fake',
];

function impostorRefusal(world: World, seat: Colour, intent: Intent): Note | null {
  if (intent.type === 'task') return intentNote('no-task', 'impostors have no tasks: fake it');
  if (intent.type === 'vent' && findVent(world.ship.map, intent.to) === null)
    return intentNote('no-vent', `there is no vent ${intent.to} on ${world.ship.map.name}`);
  if (intent.type === 'surface' && world.players[seat]?.vent === null)
    return intentNote('not-in-vent', 'only who is in a vent can climb out');
  return commonRefusal(world, seat, intent);
}

/** Ghosts of the crew do tasks and ghosts of impostors sabotage. They can do nothing else (ruling 37). */
function ghostRefusal(seat: Colour, role: string, { type }: Intent): Note | null {
  const allowed: readonly Intent['type'][] =
    role === 'impostor' ? ['wait', 'go', 'sabotage', 'shut'] : ['wait', 'go', 'task'];
  if (allowed.includes(type)) return null;
  return intentNote('ghost', `${seat} is a ghost: possible are ${allowed.join(', ')}`);
}

function commonRefusal(world: World, seat: Colour, intent: Intent): Note | null {
  const { map } = world.ship;
  switch (intent.type) {
    case 'go':
      return map.places.includes(intent.to)
        ? wayRefusal(world, seat, intent)
        : intentNote('no-place', `there is no ${intent.to} on ${map.name}`);
    case 'task':
    case 'fake':
      return taskRefusal(world, seat, intent.task) ?? wayRefusal(world, seat, intent);
    case 'fix':
      return consoleRefusal(world, intent.at) ?? wayRefusal(world, seat, intent);
    case 'button':
      return wayRefusal(world, seat, intent);
    case 'watch':
      return (intent.what === 'cameras' ? map.cameras : map.adminTable) === null
        ? intentNote('no-console', `there is no ${intent.what} on ${map.name}`)
        : wayRefusal(world, seat, intent);
    case 'follow':
      return intent.whom === seat ? intentNote('self', 'nobody can follow themselves') : null;
    default:
      return null;
  }
}

/** A player on the way to an unreachable place would never arrive and never be asked again. */
function wayRefusal(world: World, seat: Colour, intent: Intent): Note | null {
  const from = world.players[seat]?.place;
  const to = destination(world, seat, intent);
  if (from === undefined || to === null) return null;
  return distance(world.ship.map, from, to) < Infinity
    ? null
    : intentNote('no-way', `no way leads from ${from} to ${to}`);
}

function taskRefusal(world: World, seat: Colour, id: string): Note | null {
  const index = taskIndex(world, seat, id);
  const task = world.ship.tasks[seat]?.[index];
  if (task === undefined) return intentNote('not-your-task', `${seat} has no task ${id}`);
  const steps = world.players[seat]?.progress[index]?.steps ?? 0;
  return steps >= task.steps.length
    ? intentNote('task-done', `${task.name} is done already`)
    : null;
}

function consoleRefusal({ crisis, ship }: World, at: string): Note | null {
  if (crisis === null) return intentNote('nothing-broken', 'nothing is broken');
  const rooms: readonly string[] = ship.map.consoles[crisis.system];
  if (rooms.includes(at)) return null;
  return intentNote('no-console', `${crisis.system} is fixed in ${rooms.join(', ')}, not in ${at}`);
}

function intentNote(code: string, text: string): Note {
  return { code: `intent/${code}`, text };
}

/** The players asked in the next round, and why. Nobody is asked if nothing has happened to them. */
function collectAsks(draft: Draft, seen: BySeat<readonly Sight[]>): BySeat<readonly Trigger[]> {
  const asks: Partial<Record<Colour, readonly Trigger[]>> = {};
  const crowds = { before: visiblePlayers(draft.before), after: visiblePlayers(draft.world) };
  for (const one of draft.seats) {
    if (!isActiveSeat(draft, one)) continue;
    const { seat } = one;
    const sights = seen[seat] ?? [];
    const why = triggers(draft, one, sights, crowds);
    // A player who saw a kill or a vent does not simply continue.
    if (sights.some(({ who, did }) => who !== seat && (did === 'kill' || did === 'vent')))
      why.push('witness');
    if (why.length > 0) asks[seat] = why;
  }
  return asks;
}

type Crowds = { readonly before: Crowd; readonly after: Crowd };

function triggers(
  { before, world, events }: Draft,
  one: SeatDraft,
  sights: readonly Sight[],
  crowds: Crowds,
): Trigger[] {
  const { seat, player, start } = one;
  const why: Trigger[] = [];
  if (events.some((event) => event.type === 'intent.refused' && event.seat === seat)) {
    why.push('refused');
  } else if (player.intent === null || one.isFinished) {
    why.push(one.path === null ? 'done' : 'arrived');
  }
  if (!isLivingSeat(one)) return why;
  if (hasNewCompany(before, world, one, crowds)) why.push('company');
  if (hasNewBody(before, seat, sights)) why.push('body');
  if (before.crisis?.system !== world.crisis?.system) why.push('alarm');
  if (player.killWait === 0 && start.killWait > 0) why.push('ready');
  return why;
}

/** Whether players have come or gone, as far as the option lets it matter to this player. */
function hasNewCompany(
  before: World,
  after: World,
  { seat, role, player, start }: SeatDraft,
  crowds: Crowds,
): boolean {
  const { attention } = after.ship.options;
  const isImpostor = role === 'impostor';
  if (attention === 'few' && !(isImpostor && player.killWait === 0)) return false;
  const then = companyAt(before, seat, start.place, crowds.before);
  const now = companyAt(after, seat, player.place, crowds.after);
  if (now.some((other) => !then.includes(other))) return true;
  if (attention === 'all') return then.some((other) => !now.includes(other));
  // Fewer witnesses are a chance for an impostor.
  return isImpostor && then.length > now.length && now.length > 0;
}

/** A body that was not in view as the round began, including one passed on the way. */
function hasNewBody(before: World, seat: Colour, sights: readonly Sight[]): boolean {
  if (sights.every(({ did }) => did !== 'dead')) return false;
  const known = bodiesInView(before, seat).map(({ victim }) => victim);
  return sights.some(({ who, did }) => did === 'dead' && !known.includes(who));
}

/* Faults in a row, and players who are gone for the rest of the game (ruling 2). */

function countFaults(draft: Draft, orders: readonly Order[]): void {
  for (const order of orders) {
    const { seat } = order;
    const one = seatOf(draft, seat);
    if (one === null || one.standing === 'departed') continue;
    const code = order.type === 'fault' ? order.code : null;
    const streak = nextStreak(draft.world.streaks[seat], code);
    changeStreak(draft, seat, streak);
    if (code === null) continue;
    draft.events.push({ type: 'seat.faulted', seat, code, streak });
    const reason = departureBy(code, streak, draft.world.ship.meeting.patience);
    if (reason !== null) removePlayer(draft, one, reason);
    // A fault is a wait and ends the previous intent.
    else pursue(draft, one, { type: 'wait', rounds: 1 });
  }
}

function changeStreak(draft: Draft, seat: Colour, streak: number): void {
  const { streaks } = draft.world;
  const after = withStreak(streaks, seat, streak);
  if (after !== streaks) draft.world = { ...draft.world, streaks: after };
}

function removePlayer(draft: Draft, one: SeatDraft, reason: Departure): void {
  const { seat } = one;
  changeStanding(draft, one, 'departed');
  changeStreak(draft, seat, 0);
  pursue(draft, one, null);
  one.player.vent = null;
  draft.events.push({ type: 'seat.departed', seat, reason });
}

/* Calls: body reports and the button. A report comes before a button, and the draw settles the rest. */

type Calling = 'report' | 'button';

function resolveCalls(draft: Draft): Call | null {
  const tried = seatsIntending(draft, 'report', 'button').filter(({ by }) => isLivingSeat(by));
  if (tried.length === 0) return null;
  const able: Attempt<Calling>[] = [];
  for (const attempt of tried) {
    const { by, intent } = attempt;
    const isThere = by.path === null && by.player.place === draft.world.ship.map.button;
    if (intent.type === 'button' && !isThere) continue;
    const note = callRefusal(draft, attempt);
    by.isFinished = true;
    if (note === null) able.push(attempt);
    else refuseIntent(draft, by, intent, note);
  }
  const reports = able.filter(({ intent }) => intent.type === 'report');
  const candidates = reports.length > 0 ? reports : able;
  const by = pickByDraw(draft, candidates);
  const chosen = candidates.find((candidate) => candidate.by === by);
  return chosen === undefined ? null : callOf(draft.world, chosen);
}

function callRefusal({ before, world }: Draft, attempt: Attempt<Calling>): Note | null {
  const { by, intent } = attempt;
  if (intent.type === 'button') return buttonRefusal(callOf(world, attempt));
  const body = before.bodies.find(({ victim }) => victim === intent.body);
  if (body?.place === by.player.place) return null;
  return callNote('no-body', `there is no body of ${intent.body} where ${by.seat} is`);
}

function callOf(world: World, { by: caller, intent }: Attempt<Calling>): Call {
  const by = caller.seat;
  const buttonsLeft = caller.player.buttons;
  const cooldown = world.buttonWait * SECONDS_PER_ROUND;
  const crisis = world.crisis?.system ?? null;
  const common = { by, buttonsLeft, cooldown, crisis };
  if (intent.type === 'button') return { ...common, kind: 'button', body: null, place: null };
  const place = world.bodies.find(({ victim }) => victim === intent.body)?.place ?? null;
  return { ...common, kind: 'body', body: intent.body, place };
}

function runClocks(draft: Draft): void {
  for (const one of draft.seats) {
    if (isLivingSeat(one) && one.player.killWait > 0) one.player.killWait -= 1;
  }
  const { crisis, sabotageWait, doors, buttonWait } = draft.world;
  draft.world = {
    ...draft.world,
    crisis: crisis === null || crisis.left === null ? crisis : { ...crisis, left: crisis.left - 1 },
    // The clock stands still while a system is sabotaged.
    sabotageWait: crisis === null ? Math.max(0, sabotageWait - 1) : sabotageWait,
    buttonWait: Math.max(0, buttonWait - 1),
    doors: doors.length === 0 ? doors : runDoorClocks(draft),
  };
}

function runDoorClocks(draft: Draft) {
  return draft.world.doors.flatMap(({ room, shut, wait }) => {
    if (shut === 1) draft.events.push({ type: 'doors.opened', room });
    const left = { room, shut: Math.max(0, shut - 1), wait: Math.max(0, wait - 1) };
    return left.shut === 0 && left.wait === 0 ? [] : [left];
  });
}

export type ResolvedRound = {
  readonly world: World;
  readonly events: readonly RoundEvent[];
  /** Places that each player entered, in order. */
  readonly paths: BySeat<readonly Place[]>;
  readonly deeds: BySeat<Deed>;
  readonly seen: BySeat<readonly Sight[]>;
  /** Null if there is no call or the game is over. */
  readonly call: Call | null;
  readonly ending: GameEnding | null;
};

/** Orders come in the order of the seats. Each seat has a draw below 2^32. */
export function resolveRound(
  before: World,
  orders: readonly Order[],
  draws: BySeat<number>,
): ResolvedRound {
  const draft = startDraft(before, draws);
  countFaults(draft, orders);
  adoptOrders(draft, orders);
  resolveKills(draft);
  resolveSabotage(draft);
  movePlayers(draft);
  doWork(draft);
  const call = resolveCalls(draft);
  // Before the clocks, because doors that open after the round were shut during it.
  const seen = collectSights(draft);
  runClocks(draft);
  for (const { isFinished, player } of draft.seats) if (isFinished) player.intent = null;
  const { events } = draft;
  const faulted = events.flatMap((event) =>
    event.type === 'seat.departed' && event.reason === 'faults' ? [event.seat] : [],
  );
  const ending = decideEnding(draft.world, lossesOf(draft), faulted);
  const { paths, deeds } = listSteps(draft);
  const world = { ...draft.world, asks: collectAsks(draft, seen) };
  return { world, events, paths, deeds, seen, call: ending === null ? call : null, ending };
}

function listSteps({ seats }: Draft): Pick<ResolvedRound, 'paths' | 'deeds'> {
  const paths: Partial<Record<Colour, readonly Place[]>> = {};
  const deeds: Partial<Record<Colour, Deed>> = {};
  for (const { seat, path, deed } of seats) {
    if (path !== null) paths[seat] = path;
    if (deed !== null) deeds[seat] = deed;
  }
  return { paths, deeds };
}

/** The possible causes of a player's loss in this round. Nobody kills an impostor. */
function lossesOf({ events }: Draft): LossCauses {
  const hasKill = events.some(({ type }) => type === 'player.killed');
  return { impostor: 'disconnect', crewmate: hasKill ? 'kills' : 'disconnect' };
}
