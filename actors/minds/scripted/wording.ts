/** Places and times as offline players say them: to five seconds within the last minute, more coarsely before. */
import { HALLWAYS, type Place } from '../../../machines/types.ts';

const HALLS: ReadonlySet<Place> = new Set(HALLWAYS);

/** A place as it is said after "in": a room bare, a hallway with its article. */
export function namePlace(place: Place): string {
  return HALLS.has(place) ? `the ${place}` : place;
}

const SPOKEN_TIMES: readonly (readonly [seconds: number, words: string])[] = [
  [150, 'two and a half minutes'],
  [90, 'a minute and a half'],
  [75, 'seventy-five seconds'],
  [120, 'two minutes'],
  [180, 'three minutes'],
  [240, 'four minutes'],
  [30, 'half a minute'],
  [60, 'a minute'],
  [25, 'twenty-five seconds'],
  [35, 'thirty-five seconds'],
  [45, 'forty-five seconds'],
  [55, 'fifty-five seconds'],
  [10, 'ten seconds'],
  [15, 'fifteen seconds'],
  [20, 'twenty seconds'],
  [40, 'forty seconds'],
  [50, 'fifty seconds'],
  [5, 'five seconds'],
];
const AT_ONCE = [
  'right before the call',
  'just before the call',
  'when the call came',
  'when they called us',
] as const;
const AT_ONCE_SECONDS = 4;

const ABOUT = ['about', 'maybe', 'around', 'roughly'] as const;

/** Half of the rounding of a spoken time, in seconds: within a minute, within two, and before. */
const ROUNDING = [
  [62, 3],
  [130, 12],
  [Number.POSITIVE_INFINITY, 25],
] as const;

/** Possible error of a stated time, in seconds. */
export function rounding(ago: number): number {
  return ROUNDING.find(([until]) => ago <= until)?.[1] ?? 0;
}

/** Seconds in words, such as "about twenty seconds before the call"; `share`, from 0 to 1, picks the turn of phrase. */
export function sayTime(ago: number, share: number): string {
  const turn = Math.floor(share * ABOUT.length);
  if (ago < AT_ONCE_SECONDS) return AT_ONCE[turn] ?? AT_ONCE[0];
  let best: readonly [number, string] = [10, 'ten seconds'];
  for (const entry of SPOKEN_TIMES) {
    if (Math.abs(entry[0] - ago) < Math.abs(best[0] - ago)) best = entry;
  }
  return `${ABOUT[turn] ?? 'about'} ${best[1]} before the call`;
}
