/**
 * Sightings: what a player saw, dated, oldest first, with what was seen at one time and place on one line.
 */
import { SECONDS_PER_ROUND } from '../machines/rules/gameOptions.ts';
import type { Remembered } from '../machines/rules/ship/memory.ts';
import type { Colour, Deed, Place, Sighting } from '../machines/types.ts';

/** In seconds before now, or before the meeting. */
export type Dated = {
  readonly from: number;
  readonly until: number;
  readonly who: Colour;
  readonly place: Place;
  readonly did: Deed;
};

const DOING: Readonly<Record<Deed, string>> = {
  passing: '',
  task: 'at a task',
  visual: 'doing a task that nobody can fake',
  lurking: 'standing around',
  fixing: 'fixing the sabotage',
  watching: 'watching the screens',
  vent: 'using a vent',
  kill: 'killing somebody',
  dead: 'lying dead',
};

/** What is remembered on the ship, as of this round. */
export function datedMemory(memory: readonly Remembered[], round: number): readonly Dated[] {
  const ago = (at: number) => (round - at) * SECONDS_PER_ROUND;
  return memory.map(({ from, until, ...seen }) => ({
    ...seen,
    from: ago(from),
    until: ago(until),
  }));
}

/** What is remembered at a meeting. */
export function datedBrief(sightings: readonly Sighting[]): readonly Dated[] {
  return sightings.map(({ ago, ...seen }) => ({ ...seen, from: ago, until: ago }));
}

/** "- 45 s: MedBay: you; pink doing a task that nobody can fake" */
export function sightingLines(seen: readonly Dated[], you: Colour): readonly string[] {
  const oldestFirst = seen.toSorted((a, b) => b.from - a.from || b.until - a.until);
  const scenes = Map.groupBy(oldestFirst, ({ from, until, place }) => {
    const when = from === until ? `${from} s` : `${from} to ${until} s`;
    return `${when}: ${place}`;
  });
  return [...scenes].map(([where, all]) => `- ${where}: ${peopleText(all, you)}`);
}

/** Oneself first, and who did nothing particular together. */
function peopleText(seen: readonly Dated[], you: Colour): string {
  const people = seen.toSorted((a, b) => Number(b.who === you) - Number(a.who === you));
  const deeds = Map.groupBy(people, ({ did }) => did);
  return [...deeds]
    .map(([did, those]) => {
      const names = those.map(({ who }) => (who === you ? 'you' : who)).join(', ');
      return DOING[did] === '' ? names : `${names} ${DOING[did]}`;
    })
    .join('; ');
}
