/** Sabotage: what an impostor breaks, and when: darkness before a kill, an alarm far away from a body. */
import { distance, SYSTEMS, type System } from '../../../../machines/rules/ship/map.ts';
import type { Place } from '../../../../machines/types.ts';
import { fraction } from '../chance.ts';
import { happens, LANE, livingKnown, type Moment, type Move } from './moment.ts';
import { ownBody } from './victims.ts';

/** How an impostor weighs the systems when nothing speaks for one of them. */
const WEIGHTS: Readonly<Record<System, number>> = { lights: 3, reactor: 2, o2: 2, comms: 1 };
/** Seconds before the next kill in which darkness is prepared. */
const SOON = 10;
/** So few living that an alarm can hardly be answered. */
const FEW = 5;

/** Breaks something in some of the free moments; much oftener when there is a reason. */
export function breaks(at: Moment): Move | null {
  const { saboteur } = at.nerves;
  const hasReason = ownBody(at) !== null || (at.scene.killWait ?? 0) <= SOON;
  return happens(at, LANE.sabotage, hasReason ? 2 * saboteur : saboteur) ? broken(at) : null;
}

/** What is broken now; null when nothing can be. */
export function broken(at: Moment): Move | null {
  const { crisis, sabotageWait } = at.scene;
  if (!isOwnTurn(at)) return null;
  if (crisis !== null || sabotageWait === null || sabotageWait > 0) return null;
  const system = chosen(at);
  if (system === null) return null;
  return { action: { type: 'sabotage', system }, theme: 'breaks', facts: { system } };
}

/** Impostors take turns round by round, so that they do not reach for the same switch. */
export function isOwnTurn({ view, scene }: Moment): boolean {
  const { colour, partners } = view.you;
  const team = partners.filter((who) => scene.seats.includes(who));
  const rank = team.filter((who) => who < colour).length;
  return view.round % (team.length + 1) === rank;
}

function chosen(at: Moment): System | null {
  const body = ownBody(at);
  const weights = SYSTEMS.map((system) => weight(at, system, body));
  const sum = weights.reduce((total, each) => total + each, 0);
  let mark = fraction(at.chance, LANE.system) * sum;
  for (const [index, system] of SYSTEMS.entries()) {
    mark -= weights[index] ?? 0;
    if (mark < 0) return system;
  }
  return null;
}

function weight(at: Moment, system: System, body: Place | null): number {
  const { view, scene } = at;
  const [console] = view.map.consoles[system];
  if (console === undefined) return 0;
  const base = WEIGHTS[system];
  if (system === 'lights') return (scene.killWait ?? Infinity) <= SOON ? 3 * base : base;
  if (system === 'comms') return base;
  const far = body === null ? 0 : distance(view.map, body, console);
  return base + far + (livingKnown(at).length <= FEW ? 2 * base : 0);
}
