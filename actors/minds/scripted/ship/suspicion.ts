/** Suspicion on the ship: whom one caught, whom one would not be alone with, and whom one trusts. */
import { COLOURS, type Colour } from '../../../../machines/types.ts';
import { fraction } from '../chance.ts';
import { type Past, pastOf } from '../past.ts';
import { HABIT, type Moment } from './moment.ts';

/** Suspicion out of nothing is below this. */
const HUNCH = 0.35;
/** Added for a name that the notebook says to watch. */
const WATCHED = 0.4;
const CERTAIN = 1;
/** Taken off for somebody whom the notebook or a visual task clears. */
const CLEARED = 0.5;

/** A living player whom one saw kill or use a vent since the last meeting; null when there is none. */
export function caught({ view, scene }: Moment): Colour | null {
  const { memory, colour } = view.you;
  for (const { who, did } of memory) {
    if ((did === 'kill' || did === 'vent') && who !== colour && scene.seats.includes(who)) {
      return who;
    }
  }
  return null;
}

/** From 0 to 1: how much one would rather not be alone with somebody. */
export function suspicion(at: Moment, who: Colour): number {
  const { memory, pads } = at.view.you;
  let level = fraction(at.settled, HABIT.hunch + COLOURS.indexOf(who)) * HUNCH;
  const past = pastIn(pads.main);
  if (past.watched.has(who)) level += WATCHED;
  if (past.cleared.has(who)) level -= CLEARED;
  for (const sight of memory) {
    if (sight.who !== who) continue;
    if (sight.did === 'kill' || sight.did === 'vent') return CERTAIN;
    if (sight.did === 'visual') level -= CLEARED;
  }
  return Math.max(0, level);
}

/** The living player whom the notebook says to watch; null when it names nobody. */
export function watchedOne(at: Moment): Colour | null {
  const { watched } = pastIn(at.view.you.pads.main);
  return at.scene.seats.find((seat) => watched.has(seat)) ?? null;
}

/** Whom one likes best of those around; null when all of them are suspects. */
export function friend(at: Moment): Colour | null {
  let best: Colour | null = null;
  let least = at.nerves.wary;
  for (const who of at.scene.company) {
    const level = suspicion(at, who);
    if (level < least) [best, least] = [who, level];
  }
  return best;
}

/** Pages that were read lately. A page says the same whoever reads it, so this saves work and changes nothing. */
const READ = new Map<string, Past>();
const MOST_READ = 64;

function pastIn(page: string): Past {
  const known = READ.get(page);
  if (known !== undefined) return known;
  if (READ.size >= MOST_READ) READ.clear();
  const past = pastOf(page);
  READ.set(page, past);
  return past;
}
