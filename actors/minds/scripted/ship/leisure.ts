/** Leisure: what players do between two tasks, and when there are none left. */
import { fraction } from '../chance.ts';
import { nextTask, stroll } from './errands.ts';
import { happens, isFreeTo, isReachable, LANE, type Moment, type Move, stepsTo } from './moment.ts';
import { friend, watchedOne } from './suspicion.ts';

/** Steps that one walks to have a look at the screens. */
const NEAR = 2;
/** Rounds at the screens at least, and how many more at most. */
const LOOK = 2;
const LONGER = 4;
/** Rounds in which one waits for a friend. */
const PATIENCE = 2;
/** Rounds for which one goes with them. */
const WALK = 8;

/** Rounds in one place after which one has stood about for long enough. */
const RESTLESS = 6;

/** With a friend around one waits for them, or goes with them when they walk. */
export function keepsCompany(at: Moment): Move | null {
  const { scene, view, nerves } = at;
  // Without tasks there is nothing better to do.
  const share = hasTasks(at) ? nerves.sociable : 0.5 + nerves.sociable;
  if (scene.company.length === 0 || isRestless(at)) return null;
  if (!isFreeTo(at, LANE.company, share)) return null;
  const who = friend(at);
  if (who === null) return null;
  const seen = view.you.memory.findLast((sight) => sight.who === who);
  const isWalking = seen?.did === 'passing' || scene.why.includes('begun');
  if (isWalking) {
    const action = { type: 'follow', whom: who, rounds: WALK } as const;
    return { action, theme: 'follows', facts: { who } };
  }
  return { action: { type: 'wait', rounds: PATIENCE }, theme: 'staysWith', facts: { who } };
}

/** The own memory tells for how long one has stood here with empty hands. */
function isRestless({ view, scene }: Moment): boolean {
  const { memory, colour } = view.you;
  const own = memory.findLast(({ who }) => who === colour);
  if (own === undefined || own.did !== 'lurking' || own.place !== scene.place) return false;
  return own.from <= view.round - RESTLESS;
}

function hasTasks(at: Moment): boolean {
  return nextTask(at, () => true) !== null;
}

/** A look at the screens when they are on the way. */
export function looks(at: Moment): Move | null {
  const { scene, view, nerves } = at;
  const share = hasTasks(at) ? nerves.curious : 2 * nerves.curious;
  if (scene.crisis?.system === 'comms' || !isFreeTo(at, LANE.curious, share)) return null;
  const { cameras, adminTable } = view.map;
  const rounds = LOOK + Math.floor(fraction(at.chance, LANE.pause) * LONGER);
  if (cameras !== null && stepsTo(at, cameras.at) <= NEAR && isReachable(at, cameras.at)) {
    return { action: { type: 'watch', what: 'cameras', rounds }, theme: 'cameras' };
  }
  if (adminTable !== null && stepsTo(at, adminTable) <= NEAR && isReachable(at, adminTable)) {
    return { action: { type: 'watch', what: 'admin', rounds }, theme: 'admin' };
  }
  return null;
}

export function pauses(at: Moment): Move | null {
  if (isRestless(at)) return null;
  if (!at.scene.why.includes('done') || !isFreeTo(at, LANE.pause, at.nerves.dawdling)) return null;
  return { action: { type: 'wait', rounds: PATIENCE }, theme: 'rests' };
}

/** With all tasks done, a suspicion alone can be worth the button. */
export function insists(at: Moment): Move | null {
  const { scene, nerves, view } = at;
  if (scene.buttons <= 0 || scene.crisis !== null || scene.buttonWait > 0) return null;
  if (!isReachable(at, view.map.button)) return null;
  const who = watchedOne(at);
  if (who === null || !happens(at, LANE.button, nerves.insistent)) return null;
  return { action: { type: 'button' }, theme: 'insists', facts: { who } };
}

export function strolls(at: Moment): Move | null {
  const to = stroll(at);
  if (to === null) return null;
  return { action: { type: 'go', to }, theme: 'strolls', facts: { place: to } };
}
