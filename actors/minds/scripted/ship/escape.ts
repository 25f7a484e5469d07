/** Escape: what a killer does at the body, and how they get out of a vent again. */
import { ventCalled, ventsAt } from '../../../../machines/rules/ship/map.ts';
import type { Place } from '../../../../machines/types.ts';
import { fraction } from '../chance.ts';
import { nextTask, stroll } from './errands.ts';
import { happens, LANE, type Moment, type Move } from './moment.ts';
import { near, onlookers, ownBody } from './victims.ts';

/** Share of vents in which one sits still for a moment. */
const BREATHLESS = 0.25;
/** Share of bodies found in company that are reported at once: silence would be odd. */
const QUICK = 0.8;
/** Share of the partner's bodies that are reported by who finds them alone. */
const PIOUS = 0.15;

/** At a body: report it before somebody else does, or be gone before somebody comes. */
export function leavesBody(at: Moment): Move | null {
  const { scene, nerves } = at;
  const body = scene.bodies.find(({ place }) => place === scene.place);
  if (body === undefined) return null;
  const isOwn = ownBody(at) === scene.place;
  const facts = { who: body.victim, place: scene.place };
  const share = at.others.length > 0 ? QUICK : isOwn ? nerves.brazen : PIOUS;
  if (happens(at, LANE.report, share)) {
    const theme = isOwn ? 'selfReports' : 'reports';
    return { action: { type: 'report', body: body.victim }, theme, facts };
  }
  return climbsIn(at) ?? walksOff(at);
}

/** Into the vent, where there is one and nobody looks. */
function climbsIn(at: Moment): Move | null {
  const { scene, view, nerves } = at;
  const [vent] = ventsAt(view.map, scene.place);
  if (vent === undefined || onlookers(at).length > 0) return null;
  if (!happens(at, LANE.vent, nerves.slippery)) return null;
  return {
    action: { type: 'vent', to: vent.id },
    theme: 'ventsAway',
    facts: { place: scene.place },
  };
}

/** To a place where one could have been all the time, and not into somebody's arms. */
function walksOff(at: Moment): Move | null {
  const met: readonly Place[] = at.scene.here.map(({ place }) => place);
  const task = nextTask(
    at,
    ({ next }) => next !== at.scene.place && !met.includes(next ?? at.scene.place),
  );
  const to = task?.next ?? stroll(at);
  if (to === null) return null;
  return { action: { type: 'go', to }, theme: 'walksOff', facts: { place: to } };
}

/** Inside a vent: out when nobody is there, or on to the next one. */
export function surfaces(at: Moment): Move | null {
  const { scene, view } = at;
  if (scene.vent === null) return null;
  const facts = { place: scene.place };
  const isClear = onlookers(at).length === 0;
  const isHere = scene.bodies.some(({ place }) => place === scene.place);
  const isRisky = near(at).length > 0 && happens(at, LANE.vent, BREATHLESS);
  if (isClear && !isHere && !isRisky) {
    return { action: { type: 'surface' }, theme: 'surfaces', facts };
  }
  const links = ventCalled(view.map, scene.vent)?.links ?? [];
  const to = links[Math.floor(fraction(at.chance, LANE.ventChoice) * links.length)];
  if (to === undefined || happens(at, LANE.pause, BREATHLESS)) {
    return { action: { type: 'wait', rounds: 1 }, theme: 'holdsBreath', facts };
  }
  const target = ventCalled(view.map, to)?.place ?? scene.place;
  return { action: { type: 'vent', to }, theme: 'crawls', facts: { place: target } };
}
