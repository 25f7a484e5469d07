/** What crewmates and impostors do alike: tasks, repairs, idle time. */
import { SECONDS_PER_ROUND } from '../../../../machines/rules/options.ts';
import { impostorsRemaining } from '../../../../machines/rules/record.ts';
import type { TaskCard } from '../../../../machines/rules/ship/views.ts';
import { ROOMS, type Room } from '../../../../machines/types.ts';
import { drawFraction } from '../chance.ts';
import {
  countLeisure,
  countStepsTo,
  findFriend,
  findWatched,
  HABIT,
  happens,
  isFreeTo,
  isReachable,
  isShutIn,
  LANE,
  listKnownLiving,
  type ShipMoment,
  type ShipMove,
} from './moment.ts';

/** Steps that a habit may add to a way: not everybody begins with the same task. */
const WHIM_STEPS = 3;
const STROLL_STEPS = 4;

export function pickTask(at: ShipMoment, suits: (card: TaskCard) => boolean): TaskCard | null {
  let best: TaskCard | null = null;
  let least = Infinity;
  for (const [index, card] of at.scene.tasks.entries()) {
    if (card.next === null || !suits(card) || !isReachable(at, card.next)) continue;
    const cost =
      countStepsTo(at, card.next) + drawFraction(at.settled, HABIT.task + index) * WHIM_STEPS;
    if (cost < least) [best, least] = [card, cost];
  }
  return best;
}

export function pickStroll(at: ShipMoment): Room | null {
  const start = Math.floor(drawFraction(at.chance, LANE.stroll) * ROOMS.length);
  const room = [...ROOMS.slice(start), ...ROOMS.slice(0, start)].find(
    (one) =>
      one !== at.scene.place &&
      at.view.map.places.includes(one) &&
      countStepsTo(at, one) <= STROLL_STEPS &&
      isReachable(at, one),
  );
  return room ?? null;
}

const FEW_LIVING = 4;
const SPARE_ROUNDS = 2;
const FAR_SHARE = 0.15;

export function mends(at: ShipMoment): ShipMove | null {
  const { crisis, intent } = at.scene;
  const place = pickConsole(at);
  if (crisis === null || place === null) return null;
  const { system } = crisis;
  if (intent?.type === 'fix' && !crisis.done.includes(intent.at))
    return { action: null, theme: 'holds', facts: { system } };
  if (!isOnDuty(at, crisis.seconds, place)) return null;
  return { action: { type: 'fix', at: place }, theme: 'mends', facts: { system, place } };
}

function isOnDuty(at: ShipMoment, seconds: number | null, console: Room): boolean {
  const steps = countStepsTo(at, console);
  const { duty } = at.traits;
  if (seconds === null) return steps <= duty / 2 || happens(at, LANE.duty, FAR_SHARE);
  if (steps <= duty || listKnownLiving(at).length <= FEW_LIVING) return true;
  return seconds / SECONDS_PER_ROUND <= steps + SPARE_ROUNDS;
}

/** The nearest open console. Players who set out together for two keypads share them in name order. */
export function pickConsole(at: ShipMoment): Room | null {
  const { crisis, company } = at.scene;
  if (crisis === null) return null;
  const open = [...new Set(crisis.consoles)]
    .filter((room) => !crisis.done.includes(room) && isReachable(at, room))
    .sort((one, other) => countStepsTo(at, one) - countStepsTo(at, other));
  const me = at.view.you.colour;
  const rank = company.filter((who) => who < me).length;
  return open[rank % Math.max(1, open.length)] ?? null;
}

const SCREEN_STEPS = 2;
const LOOK_ROUNDS = 2;
const MORE_ROUNDS = 4;
const PATIENCE_ROUNDS = 2;
const WALK_ROUNDS = 8;

const RESTLESS_ROUNDS = 6;

export function keepsCompany(at: ShipMoment): ShipMove | null {
  const { scene, view, traits } = at;
  if (at.others.length === 0 || isRestless(at)) return null;
  const share = hasTasks(at) ? traits.sociable : 0.5 + traits.sociable;
  if (!isFreeTo(at, LANE.company, share)) return null;
  const who = findFriend(at);
  if (who === null) return null;
  const seen = view.you.memory.findLast((sight) => sight.who === who);
  const isWalking = seen?.did === 'passing' || scene.why.includes('begun');
  const facts = { who };
  return isWalking
    ? { action: { type: 'follow', whom: who, rounds: WALK_ROUNDS }, theme: 'follows', facts }
    : { action: { type: 'wait', rounds: PATIENCE_ROUNDS }, theme: 'staysWith', facts };
}

function isRestless({ view, scene }: ShipMoment): boolean {
  const { memory, colour } = view.you;
  const own = memory.findLast(({ who }) => who === colour);
  if (own === undefined || own.did !== 'lurking' || own.place !== scene.place) return false;
  return own.from <= view.round - RESTLESS_ROUNDS;
}

function hasTasks(at: ShipMoment): boolean {
  return at.scene.tasks.some(({ next }) => next !== null && isReachable(at, next));
}

export function looks(at: ShipMoment): ShipMove | null {
  const { scene, view, traits } = at;
  if (scene.crisis?.system === 'comms') return null;
  const share = hasTasks(at) ? traits.curious : 2 * traits.curious;
  if (!isFreeTo(at, LANE.curious, share)) return null;
  if (hasLooked(at)) return wanders(at);
  const rounds = LOOK_ROUNDS + Math.floor(drawFraction(at.chance, LANE.pause) * MORE_ROUNDS);
  const screens = { cameras: view.map.cameras?.at ?? null, admin: view.map.adminTable };
  for (const what of ['cameras', 'admin'] as const) {
    const place = screens[what];
    if (place !== null && countStepsTo(at, place) <= SCREEN_STEPS && isReachable(at, place))
      return { action: { type: 'watch', what, rounds }, theme: what };
  }
  return null;
}

/** Rounds after a look at the screens when another look brings nothing new. */
const RESTED = 16;

function hasLooked({ view }: ShipMoment): boolean {
  const { memory, colour } = view.you;
  return memory.some(
    ({ who, did, until }) => who === colour && did === 'watching' && until > view.round - RESTED,
  );
}

function wanders(at: ShipMoment): ShipMove | null {
  const to = pickStroll(at);
  if (to === null || at.view.you.role === 'impostor') return null;
  return { action: { type: 'go', to }, theme: 'wanders', facts: { place: to } };
}

const LONGEST_REST_ROUNDS = 7;

export function pauses(at: ShipMoment): ShipMove | null {
  if (isRestless(at)) return null;
  if (!at.scene.why.includes('done') || !isFreeTo(at, LANE.pause, at.traits.dawdling)) return null;
  const rounds = Math.min(LONGEST_REST_ROUNDS, Math.round(PATIENCE_ROUNDS * countLeisure(at)));
  return { action: { type: 'wait', rounds }, theme: 'rests' };
}

export function canCallMeeting(at: ShipMoment): boolean {
  const { buttons, crisis } = at.scene;
  return buttons > 0 && crisis === null && isReachable(at, at.view.map.button);
}

function canCallNow(at: ShipMoment): boolean {
  return at.scene.buttonWait <= 0 && canCallMeeting(at);
}

export function sitsItOut(at: ShipMoment, suits: (card: TaskCard) => boolean): ShipMove | null {
  if (!isShutIn(at)) return null;
  const task = pickTask(at, (card) => card.next === at.scene.place && suits(card));
  return task === null ? { action: { type: 'wait', rounds: 2 }, theme: 'shutIn' } : null;
}

export function insists(at: ShipMoment): ShipMove | null {
  const who = findWatched(at);
  if (who === null || !canCallNow(at)) return null;
  if (!happens(at, LANE.button, at.traits.insistent)) return null;
  return { action: { type: 'button' }, theme: 'insists', facts: { who } };
}

/** Living players beyond two per remaining impostor: this many more losses end the game. */
const LAST_STAND = 2;
const URGENT = 2;

/** With few players left, waiting may lose the game: a player with a suspect calls a meeting. */
export function rallies(at: ShipMoment): ShipMove | null {
  const { scene, traits, view } = at;
  const who = findWatched(at);
  if (who === null || scene.intent?.type === 'button' || !canCallNow(at)) return null;
  if (!happens(at, LANE.button, URGENT * traits.insistent)) return null;
  const left = impostorsRemaining(view.record);
  const living = listKnownLiving(at).length;
  if (left === null || living > 2 * left + LAST_STAND) return null;
  const isThinned = living < scene.seats.length || view.record.losses.length > 0;
  if (!isThinned) return null;
  return { action: { type: 'button' }, theme: 'rallies', facts: { who } };
}

/** Rounds without a sighting until a player wonders. To meet all of n living by chance takes about n ln n. */
const WONDER = 12;
const WONDER_EACH = 1.2;
const WORRY_SHARE = 0.6;

export function misses(at: ShipMoment): ShipMove | null {
  const { scene, traits, view } = at;
  if (!canCallNow(at) || !happens(at, LANE.button, traits.insistent * WORRY_SHARE)) return null;
  const { memory, colour } = view.you;
  const living = scene.seats.length;
  const since = view.round - WONDER - WONDER_EACH * living * Math.log(living);
  const [oldest] = memory;
  if (oldest === undefined || oldest.from > since) return null;
  const who = scene.seats.find(
    (seat) => seat !== colour && memory.every((one) => one.who !== seat || one.until < since),
  );
  if (who === undefined) return null;
  return { action: { type: 'button' }, theme: 'misses', facts: { who } };
}

export function strolls(at: ShipMoment): ShipMove | null {
  const to = pickStroll(at);
  if (to === null) return null;
  return { action: { type: 'go', to }, theme: 'strolls', facts: { place: to } };
}
