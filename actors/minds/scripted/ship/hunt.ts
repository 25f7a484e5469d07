/** The hunt: when an impostor strikes, whom, and how they come to be alone with somebody. */

import { distance } from '../../../../machines/rules/ship/map.ts';
import type { Remembered } from '../../../../machines/rules/ship/memory.ts';
import { COLOURS, type Colour, type Place } from '../../../../machines/types.ts';
import { happens, isReachable, isShutIn, LANE, type Moment, type Move } from './moment.ts';
import { isOwnTurn } from './sabotage.ts';
import { isDark, isLastNeeded, near, onlookers } from './victims.ts';

/** Seconds before the next kill from which one looks for a victim. */
const SOON = 5;
/** Rounds for which it is worth knowing where somebody was. */
const FRESH = 4;
/** Steps that one follows a trail. */
const TRAIL = 3;
/** Rounds for which one goes after somebody. */
const CHASE = 6;
/** Share of chances to shut a victim in. */
const TRAP_SHARE = 0.4;
/** Share of bold moments in which two impostors fall upon two victims together. */
const TOGETHER = 0.5;

/** Kills when nobody else would see it, or when it does not matter any more. */
export function strikes(at: Moment): Move | null {
  const { scene, nerves } = at;
  if (scene.killWait !== 0 || scene.vent !== null) return null;
  const whom = victim(at);
  if (whom === undefined) return null;
  const facts = { who: whom, place: scene.place };
  const kill = { action: { type: 'kill', whom }, facts } as const;
  if (isLastNeeded(at)) return { ...kill, theme: 'finishes' };
  const eyes = onlookers(at).filter((who) => who !== whom).length;
  const walkIns = isShutIn(at) ? 0 : near(at).length;
  const share = nerves.bold * nerves.reckless ** walkIns;
  if (eyes === 0) {
    if (!happens(at, LANE.kill, share)) return null;
    return { ...kill, theme: isDark(at) ? 'strikesInDark' : 'strikes' };
  }
  const partners = scene.company.length - at.others.length;
  if (eyes > partners || !happens(at, LANE.double, share * TOGETHER)) return null;
  return { ...kill, theme: 'strikesTogether' };
}

/** Impostors who stand together share the victims by the order of the colours, without a word. */
function victim({ view, scene, others }: Moment): Colour | undefined {
  const { colour, partners } = view.you;
  const rank = partners.filter(
    (who) => scene.company.includes(who) && COLOURS.indexOf(who) < COLOURS.indexOf(colour),
  ).length;
  return others[rank % Math.max(1, others.length)];
}

/** Shuts the doors when one more might walk in on a victim. */
export function traps(at: Moment): Move | null {
  const { scene } = at;
  if (scene.killWait !== 0 || at.others.length !== 1 || near(at).length === 0) return null;
  const room = scene.closable?.find((one) => one === scene.place);
  const [who] = at.others;
  if (room === undefined || who === undefined || !isOwnTurn(at)) return null;
  if (!happens(at, LANE.doors, TRAP_SHARE)) return null;
  return { action: { type: 'shut', room }, theme: 'traps', facts: { who, place: room } };
}

/** Goes after somebody who is alone, in sight or not long ago. */
export function stalks(at: Moment): Move | null {
  const { scene } = at;
  if ((scene.killWait ?? Infinity) > SOON || scene.vent !== null) return null;
  const lone = loneNearby(at);
  if (lone !== null) {
    const facts = { who: lone };
    const action = { type: 'follow', whom: lone, rounds: CHASE } as const;
    return { action, theme: 'stalks', facts };
  }
  const trail = lastTrail(at);
  if (trail === null || scene.intent !== null) return null;
  return { action: { type: 'go', to: trail.place }, theme: 'tracks', facts: trail };
}

/** Nobody else of the crew was seen with them. */
function isLone({ view }: Moment, { who, place, until }: Remembered): boolean {
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

/** Somebody next door with nobody at their side. */
function loneNearby({ scene, view, others }: Moment): Colour | null {
  if (others.length > 0) return null;
  const { partners } = view.you;
  for (const { who, place } of scene.here) {
    if (partners.includes(who) || place === scene.place) continue;
    if (distance(view.map, scene.place, place) !== 1 || scene.shut.some((room) => room === place)) {
      continue;
    }
    if (scene.here.every((other) => other.who === who || other.place !== place)) return who;
  }
  return null;
}

/** Where somebody was seen last who is alive and not here. */
function lastTrail(at: Moment): { readonly who: Colour; readonly place: Place } | null {
  const { view, scene } = at;
  const { memory, colour, partners } = view.you;
  for (let index = memory.length - 1; index >= 0; index--) {
    const sight = memory[index];
    if (sight === undefined || sight.until < view.round - FRESH) continue;
    const { who, place, did } = sight;
    if (who === colour || partners.includes(who) || did === 'dead' || place === scene.place) {
      continue;
    }
    const isAlive = !memory.some((other) => other.who === who && other.did === 'dead');
    if (
      isAlive &&
      isLone(at, sight) &&
      distance(view.map, scene.place, place) <= TRAIL &&
      isReachable(at, place)
    ) {
      return { who, place };
    }
  }
  return null;
}
