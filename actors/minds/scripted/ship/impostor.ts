/** An impostor on the ship: hunts, escapes, sabotages, and otherwise looks like a crewmate. */

import { SECONDS_PER_ROUND } from '../../../../machines/rules/options.ts';
import { distance, findVent, ventsAt } from '../../../../machines/rules/ship/map.ts';
import type { MemoryEntry } from '../../../../machines/rules/ship/sight.ts';
import type { TaskCard } from '../../../../machines/rules/ship/views.ts';
import {
  COLOURS,
  type Colour,
  type Place,
  SYSTEMS,
  type System,
} from '../../../../machines/types.ts';
import { drawFraction } from '../chance.ts';
import { isHallway } from '../memory.ts';
import { growHurry } from '../traits.ts';
import {
  countImpostors,
  countStepsTo,
  HABIT,
  happens,
  isReachable,
  isShutIn,
  LANE,
  listKnownLiving,
  type ShipMoment,
  type ShipMove,
  type ShipRule,
} from './moment.ts';
import {
  keepsCompany,
  looks,
  pauses,
  pickConsole,
  pickStroll,
  pickTask,
  sitsItOut,
  strolls,
} from './routine.ts';

const FAR_VISION = 1.25;

function isDark({ scene }: ShipMoment): boolean {
  return scene.crisis?.system === 'lights' && !isHallway(scene.place);
}

function listOnlookers(at: ShipMoment): readonly Colour[] {
  if (isDark(at)) return [];
  return at.view.options.crewVision >= FAR_VISION ? [...at.others, ...listNear(at)] : at.others;
}

function listNear({ scene, view }: ShipMoment): readonly Colour[] {
  return scene.here.flatMap(({ who, place }) => {
    const isNear = distance(view.map, place, scene.place) === 1;
    return isNear && !view.you.partners.includes(who) ? [who] : [];
  });
}

function isLastNeeded(at: ShipMoment): boolean {
  const { colour, partners } = at.view.you;
  const living = listKnownLiving(at);
  const ours = living.filter((seat) => seat === colour || partners.includes(seat)).length;
  return living.length - ours - 1 <= ours;
}

function findOwnBody(at: ShipMoment): Place | null {
  const { you, options } = at.view;
  const wait = at.scene.killWait ?? 0;
  if (wait <= 0) return null;
  const round = at.view.round - Math.ceil((options.killCooldown - wait) / SECONDS_PER_ROUND);
  const death = you.memory.find(({ did, from }) => did === 'dead' && from === round);
  return death?.place ?? null;
}

const VENT_PAUSE_SHARE = 0.25;
const RISKY_VENT_PAUSE_SHARE = 0.8;
const REPORT_IN_COMPANY_SHARE = 0.8;
/** Share of a partner's victims, found alone, that are reported if no other impostor has to wait for it. */
const PIOUS = 0.15;

function leavesBody(at: ShipMoment): ShipMove | null {
  const { scene, traits } = at;
  const body = scene.bodies.find(({ place }) => place === scene.place);
  if (body === undefined) return null;
  const isOwn = findOwnBody(at) === scene.place;
  const facts = { who: body.victim, place: scene.place };
  // A report makes the knives of all of them wait again.
  const alone = (isOwn ? traits.brazen : PIOUS) / countImpostors(at);
  const share = at.others.length > 0 ? REPORT_IN_COMPANY_SHARE : alone;
  if (happens(at, LANE.report, share)) {
    const theme = isOwn ? 'selfReports' : 'reports';
    return { action: { type: 'report', body: body.victim }, theme, facts };
  }
  return climbsIn(at) ?? walksOff(at);
}

function climbsIn(at: ShipMoment): ShipMove | null {
  const { scene, view, traits } = at;
  const [vent] = ventsAt(view.map, scene.place);
  if (vent === undefined || listOnlookers(at).length + listNear(at).length > 0) return null;
  if (!happens(at, LANE.vent, traits.slippery)) return null;
  const facts = { place: scene.place };
  return { action: { type: 'vent', to: vent.id }, theme: 'ventsAway', facts };
}

function walksOff(at: ShipMoment): ShipMove | null {
  const { place: own, here } = at.scene;
  const task = pickTask(
    at,
    ({ next }) => next !== own && here.every(({ place }) => place !== next),
  );
  const to = task?.next ?? pickStroll(at);
  if (to === null) return null;
  return { action: { type: 'go', to }, theme: 'walksOff', facts: { place: to } };
}

function surfaces(at: ShipMoment): ShipMove | null {
  const { scene, view } = at;
  if (scene.vent === null) return null;
  const facts = { place: scene.place };
  const isClear = listOnlookers(at).length === 0;
  const isHere = scene.bodies.some(({ place }) => place === scene.place);
  const isRisky = listNear(at).length > 0 && happens(at, LANE.vent, RISKY_VENT_PAUSE_SHARE);
  if (isClear && !isHere && !isRisky)
    return { action: { type: 'surface' }, theme: 'surfaces', facts };
  const links = findVent(view.map, scene.vent)?.links ?? [];
  const to = links[Math.floor(drawFraction(at.chance, LANE.ventChoice) * links.length)];
  if (to === undefined || happens(at, LANE.pause, VENT_PAUSE_SHARE))
    return { action: { type: 'wait', rounds: 1 }, theme: 'holdsBreath', facts };
  const target = findVent(view.map, to)?.place ?? scene.place;
  return { action: { type: 'vent', to }, theme: 'crawls', facts: { place: target } };
}

const SYSTEM_WEIGHTS: Readonly<Record<System, number>> = { lights: 3, reactor: 2, o2: 2, comms: 1 };
const DARK_SECONDS = 10;
const FEW_LIVING = 4;

function breaks(at: ShipMoment): ShipMove | null {
  const { saboteur } = at.traits;
  if (!isPlanned(at)) return null;
  const hasReason = findOwnBody(at) !== null || (at.scene.killWait ?? 0) <= DARK_SECONDS;
  const share = (hasReason ? 2 * saboteur : saboteur) * weighHurry(at);
  return happens(at, LANE.sabotage, share) ? pickSabotage(at) : null;
}

function weighHurry(at: ShipMoment): number {
  return growHurry(at.scene.seats.length, countImpostors(at));
}

/** Latest round of the first sabotage after a start or a meeting. Each stretch has its own plan. */
const LATEST_PLAN = 36;
/** A memory with this many entries may have lost the start of the stretch. */
const FULL_MEMORY = 80;

function isPlanned(at: ShipMoment): boolean {
  const { view, scene, settled } = at;
  const { memory } = view.you;
  const [oldest] = memory;
  if (oldest === undefined || memory.length >= FULL_MEMORY) return true;
  const latest = LATEST_PLAN / weighHurry(at);
  const plan = drawFraction(settled, HABIT.plan + scene.seats.length) ** 2 * latest;
  return view.round - oldest.from >= plan + view.options.sabotageCooldown / SECONDS_PER_ROUND;
}

export function pickSabotage(at: ShipMoment): ShipMove | null {
  const { crisis, sabotageWait } = at.scene;
  if (!isOwnTurn(at)) return null;
  if (crisis !== null || sabotageWait === null || sabotageWait > 0) return null;
  const system = pickSystem(at);
  if (system === null) return null;
  return { action: { type: 'sabotage', system }, theme: 'breaks', facts: { system } };
}

/** Impostors take turns round by round, so that they do not reach for the same switch. */
function isOwnTurn({ view, scene }: ShipMoment): boolean {
  const { colour, partners } = view.you;
  const team = partners.filter((who) => scene.seats.includes(who));
  const rank = team.filter((who) => who < colour).length;
  return view.round % (team.length + 1) === rank;
}

function pickSystem(at: ShipMoment): System | null {
  const body = findOwnBody(at);
  const weights = SYSTEMS.map((system) => weighSystem(at, system, body));
  const sum = weights.reduce((total, each) => total + each, 0);
  let mark = drawFraction(at.chance, LANE.system) * sum;
  for (const [index, system] of SYSTEMS.entries()) {
    mark -= weights[index] ?? 0;
    if (mark < 0) return system;
  }
  return null;
}

function weighSystem(at: ShipMoment, system: System, body: Place | null): number {
  const { view, scene } = at;
  const [console] = view.map.consoles[system];
  if (console === undefined) return 0;
  const base = SYSTEM_WEIGHTS[system];
  if (system === 'lights') return (scene.killWait ?? Infinity) <= DARK_SECONDS ? 3 * base : base;
  if (system === 'comms') return base;
  const far = body === null ? 0 : distance(view.map, body, console);
  return base + far + (listKnownLiving(at).length <= FEW_LIVING ? 2 * base : 0);
}

const BAR_SHARE = 0.75;

function bars(at: ShipMoment): ShipMove | null {
  const { scene, view } = at;
  const { crisis } = scene;
  if (crisis?.seconds == null || scene.vent !== null) return null;
  if (crisis.consoles.some((room) => room === scene.place)) return null;
  if (!happens(at, LANE.doors, BAR_SHARE)) return null;
  const { memory, colour, partners } = view.you;
  const isCrew = (who: Colour) => who !== colour && !partners.includes(who);
  const countIn = (room: Place) =>
    memory.filter(
      ({ who, place, until }) => place === room && until >= view.round - FRESH && isCrew(who),
    ).length;
  const open = (scene.closable ?? []).filter(
    (room) => room !== scene.place && !crisis.consoles.includes(room),
  );
  const [first, ...more] = open;
  if (first === undefined) return null;
  const fullest = more.reduce((best, one) => (countIn(one) > countIn(best) ? one : best), first);
  const meetingRoom = open.find((one) => one === view.map.button) ?? first;
  const room = countIn(fullest) > 0 ? fullest : meetingRoom;
  const facts = { place: room, system: crisis.system };
  return { action: { type: 'shut', room }, theme: 'bars', facts };
}

const HUNT_SECONDS = 5;
const FRESH = 6;
const TRAIL_STEPS = 5;
const CHASE_ROUNDS = 6;
const TRAP_SHARE = 0.4;
const MOST_BOLD = 0.95;

function strikes(at: ShipMoment): ShipMove | null {
  const { scene, traits } = at;
  if (scene.killWait !== 0 || scene.vent !== null) return null;
  const whom = pickVictim(at);
  if (whom === undefined) return null;
  const facts = { who: whom, place: scene.place };
  const kill = { action: { type: 'kill', whom }, facts } as const;
  if (isLastNeeded(at)) return { ...kill, theme: 'finishes' };
  const eyes = listOnlookers(at).filter((who) => who !== whom).length;
  const walkIns = isShutIn(at) ? 0 : listNear(at).length;
  const daring = weighHurry(at);
  const share = Math.min(MOST_BOLD, traits.bold * daring) * traits.reckless ** (walkIns / daring);
  if (eyes === 0) {
    // A player alone beside another body would tell of it.
    if (scene.bodies.some(({ place }) => place === scene.place))
      return { ...kill, theme: 'silences' };
    if (!isHardToTrace(at, whom) || !happens(at, LANE.kill, share)) return null;
    return { ...kill, theme: isDark(at) ? 'strikesInDark' : 'strikes' };
  }
  // Two attack two without a word, so nothing is drawn: hesitation would leave a witness.
  if (eyes > countReady(at) || walkIns > 0) return null;
  return { ...kill, theme: 'strikesTogether' };
}

const SHARP_MEMORY_ROUNDS = 2;

/** Whether the killing could be another's: nobody else was in sight just now, and two were last seen alone. */
function isHardToTrace(at: ShipMoment, victim: Colour): boolean {
  const { memory, colour, partners } = at.view.you;
  const crew = listKnownLiving(at).filter(
    (who) => who !== colour && who !== victim && !partners.includes(who),
  );
  const last = crew.map((who) => memory.findLast((sight) => sight.who === who));
  const alone = last.filter((own) =>
    last.every(
      (other) => other === own || other?.place !== own?.place || other?.until !== own?.until,
    ),
  );
  const lately = at.view.round - SHARP_MEMORY_ROUNDS;
  return alone.length > 1 && last.every((one) => (one?.until ?? 0) < lately);
}

function countReady({ scene, view }: ShipMoment): number {
  const { memory, partners } = view.you;
  const since = view.round - view.options.killCooldown / SECONDS_PER_ROUND;
  return scene.company.filter(
    (who) =>
      partners.includes(who) &&
      !memory.some((sight) => sight.who === who && sight.did === 'kill' && sight.until > since),
  ).length;
}

/** Impostors in one place divide the victims by colour order, without talking. */
function pickVictim({ view, scene, others }: ShipMoment): Colour | undefined {
  const { colour, partners } = view.you;
  const rank = partners.filter(
    (who) => scene.company.includes(who) && COLOURS.indexOf(who) < COLOURS.indexOf(colour),
  ).length;
  return others[rank % Math.max(1, others.length)];
}

function traps(at: ShipMoment): ShipMove | null {
  const { scene } = at;
  if (scene.killWait !== 0 || at.others.length !== 1 || listNear(at).length === 0) return null;
  const room = scene.closable?.find((one) => one === scene.place);
  const [who] = at.others;
  if (room === undefined || who === undefined || !isOwnTurn(at)) return null;
  if (!happens(at, LANE.doors, TRAP_SHARE)) return null;
  return { action: { type: 'shut', room }, theme: 'traps', facts: { who, place: room } };
}

function stalks(at: ShipMoment): ShipMove | null {
  const { scene } = at;
  if ((scene.killWait ?? Infinity) > HUNT_SECONDS || scene.vent !== null) return null;
  const who = findLoneNearby(at);
  if (who !== null) {
    const action = { type: 'follow', whom: who, rounds: CHASE_ROUNDS } as const;
    return { action, theme: 'stalks', facts: { who } };
  }
  const trail = findTrail(at);
  if (trail === null || scene.intent !== null) return null;
  return { action: { type: 'go', to: trail.place }, theme: 'tracks', facts: trail };
}

function isLone(
  { view }: ShipMoment,
  { who, place, until }: Pick<MemoryEntry, 'who' | 'place' | 'until'>,
): boolean {
  const { memory, colour, partners } = view.you;
  return memory.every(
    (other) =>
      other.who === who ||
      other.who === colour ||
      other.place !== place ||
      other.until < until ||
      partners.includes(other.who),
  );
}

function findLoneNearby({ scene, view, others }: ShipMoment): Colour | null {
  if (others.length > 0) return null;
  const { partners } = view.you;
  const lone = scene.here.find(
    ({ who, place }) =>
      !partners.includes(who) &&
      distance(view.map, scene.place, place) === 1 &&
      scene.shut.every((room) => room !== place) &&
      scene.here.every((other) => other.who === who || other.place !== place),
  );
  return lone?.who ?? null;
}

function findTrail(at: ShipMoment): { readonly who: Colour; readonly place: Place } | null {
  const { view, scene } = at;
  const { memory, colour, partners } = view.you;
  const sight = memory.findLast(
    ({ who, place, until }, _, all) =>
      until >= view.round - FRESH &&
      who !== colour &&
      !partners.includes(who) &&
      place !== scene.place &&
      all.every((other) => other.who !== who || other.did !== 'dead') &&
      isLone(at, { who, place, until }) &&
      countStepsTo(at, place) <= TRAIL_STEPS &&
      isReachable(at, place),
  );
  return sight === undefined ? null : { who: sight.who, place: sight.place };
}

const SHOW_SHARE = 0.45;
const SHOW_STEPS = 4;

/** A task that can be faked. The last step of a visual task reveals the player. */
function isFakeable({ view }: ShipMoment, card: TaskCard): boolean {
  return !(card.visual && view.options.visualTasks);
}

function pretends(at: ShipMoment): ShipMove | null {
  const { scene } = at;
  const { crisis } = scene;
  if (crisis === null || scene.vent !== null) return null;
  const console = pickConsole(at);
  if (console === null) return null;
  const facts = { system: crisis.system, place: console };
  if (scene.place === console && at.others.length >= 2 && scene.intent?.type !== 'fix')
    return { action: { type: 'fix', at: console }, theme: 'helps', facts };
  if (!scene.why.includes('alarm') || scene.place === console) return null;
  if (countStepsTo(at, console) > SHOW_STEPS || !happens(at, LANE.pretend, SHOW_SHARE)) return null;
  return { action: { type: 'go', to: console }, theme: 'pretends', facts };
}

function goesOn({ scene }: ShipMoment): ShipMove | null {
  if (scene.intent === null) return null;
  const [who] = scene.company;
  return who === undefined
    ? { action: null, theme: 'keepsUp' }
    : { action: null, theme: 'smiles', facts: { who } };
}

/** Partners in one place go to different places, by colour order: apart they find more victims. */
function pickPose(at: ShipMoment): TaskCard | null {
  const { colour, partners } = at.view.you;
  const rank = at.scene.here.filter(({ who }) => partners.includes(who) && who < colour).length;
  const taken: Place[] = [];
  let pose: TaskCard | null = null;
  for (let turn = 0; turn <= rank; turn++) {
    const next = pickTask(
      at,
      (card) => isFakeable(at, card) && card.next !== null && !taken.includes(card.next),
    );
    if (next?.next == null) return pose;
    pose = next;
    taken.push(next.next);
  }
  return pose;
}

function fakes(at: ShipMoment): ShipMove | null {
  const task = pickPose(at);
  if (task?.next == null) return null;
  const facts = { task: task.name, place: task.next };
  return { action: { type: 'fake', task: task.id }, theme: 'fakes', facts };
}

export const IMPOSTOR: readonly ShipRule[] = [
  surfaces,
  traps,
  strikes,
  leavesBody,
  bars,
  breaks,
  stalks,
  pretends,
  goesOn,
  (at) => sitsItOut(at, (card) => isFakeable(at, card)),
  keepsCompany,
  looks,
  pauses,
  fakes,
  strolls,
];
