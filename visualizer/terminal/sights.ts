/** Sights in print: whom somebody met in some rounds, through their own eyes. */

import type { SeenRound } from '../../machines/journal/projection.ts';
import type { Colour, Deed, Place } from '../../machines/types.ts';
import { type Ink, ink } from './ink.ts';
import { listed } from './seats.ts';

/** What people say of whom they saw, the most telling first. Grave sights are told on a line of their own. */
const WORDS = [
  ['visual', 'sees', ' at work that shows'],
  ['task', 'sees', ' at work'],
  ['fixing', 'sees', ' at the console'],
  ['watching', 'sees', ' at the screens'],
  ['lurking', 'sees', ' standing'],
  ['passing', 'passes', ''],
] as const satisfies readonly (readonly [Deed, string, string])[];

type Sight = { readonly rank: number; readonly place: Place };

/** "passes Blue and Green in the Admin hallway": of everybody who was met, the most telling sight. */
export function sightInks(rounds: readonly SeenRound[], eyes: Colour): readonly (readonly Ink[])[] {
  const best = new Map<Colour, Sight>();
  for (const { seen = {} } of rounds) {
    for (const [who, place, did] of seen[eyes] ?? []) {
      const rank = WORDS.findIndex(([deed]) => deed === did);
      if (rank < 0 || who === eyes || rank >= (best.get(who)?.rank ?? WORDS.length)) continue;
      best.set(who, { rank, place });
    }
  }
  const groups = Map.groupBy(best, ([, { rank, place }]) => `${rank} ${place}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const [, { rank, place }] = first;
    const [, verb, doing] = WORDS[rank] ?? WORDS[0];
    const where = `${doing} in ${theHallway(place)}`;
    return [[ink(`${verb} `, 'dim'), ...listed(group.map(([who]) => who)), ink(where, 'dim')]];
  });
}

/** "the Admin hallway", but "Admin". */
export function theHallway(place: Place): string {
  return place.endsWith('hallway') ? `the ${place}` : place;
}
