/** Alarm: who goes to mend what is broken, and to which console. */
import type { Room } from '../../../../machines/types.ts';
import {
  happens,
  isReachable,
  LANE,
  livingKnown,
  type Moment,
  type Move,
  stepsTo,
} from './moment.ts';

/** So few that everybody is needed. */
const FEW = 3;
/** Rounds that must be left when one sets out; with fewer, whoever hears of it runs. */
const SLACK = 2;
const SECONDS = 2.5;
/** Share of those far away who go for the lights or the radio all the same. */
const FAR_SHARE = 0.15;

/** A crewmate's answer to a crisis: the nearest go, the others go on. */
export function mends(at: Moment): Move | null {
  const { crisis, intent } = at.scene;
  if (crisis === null) return null;
  const console = consoleFor(at);
  if (console === null) return null;
  if (intent?.type === 'fix' && !crisis.done.includes(intent.at)) {
    return { action: null, theme: 'holds', facts: { system: crisis.system } };
  }
  if (!isOnDuty(at, console)) return null;
  return {
    action: { type: 'fix', at: console },
    theme: 'mends',
    facts: { system: crisis.system, place: console },
  };
}

function isOnDuty(at: Moment, console: Room): boolean {
  const { crisis } = at.scene;
  if (crisis === null) return false;
  const steps = stepsTo(at, console);
  const { duty } = at.nerves;
  if (crisis.seconds === null) {
    return steps <= duty / 2 || happens(at, LANE.duty, FAR_SHARE);
  }
  if (steps <= duty || livingKnown(at).length <= FEW) return true;
  return crisis.seconds / SECONDS <= steps + SLACK;
}

/**
 * The console to go to: the nearest that is open and not done. Those who set out together for two keypads share them
 * by the order of their names, as people do by pointing.
 */
export function consoleFor(at: Moment): Room | null {
  const { crisis, company } = at.scene;
  if (crisis === null) return null;
  const open = [...new Set(crisis.consoles)]
    .filter((room) => !crisis.done.includes(room) && isReachable(at, room))
    .sort((one, other) => stepsTo(at, one) - stepsTo(at, other));
  const me = at.view.you.colour;
  const rank = company.filter((who) => who < me).length;
  return open[rank % Math.max(1, open.length)] ?? null;
}
