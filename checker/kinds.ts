/**
 * Kinds: leaps that are the same to the coverage, counted together.
 *
 * Of one kind are leaps that begin at the same place with events of the same type, take the same transitions and end
 * at the same place. There are few, so that of millions of leaps little need be told: the first of each kind, and how
 * many there were.
 */
import type { Leap, Place } from './step.ts';

type Kind = {
  readonly index: number;
  readonly at: Place;
  readonly event: string;
  readonly taken: readonly number[];
  readonly reached: Place;
  times: number;
};

export class Kinds {
  readonly #kinds = new Map<string, Kind>();
  #last: Kind | null = null;
  /** Kinds with leaps that were not told yet. */
  #counted: Kind[] = [];

  /** Counts a leap; true when it is the first one of its kind. */
  note<C>({ point, taken }: Leap<C>, at: Place, event: string): boolean {
    const known = this.#kinds.size;
    const last = this.#last;
    const isAsLast =
      last !== null &&
      last.at === at &&
      last.event === event &&
      last.reached === point.place &&
      isSame(last.taken, taken);
    const kind = isAsLast ? last : this.#kindOf({ at, event, taken, reached: point.place });
    this.#last = kind;
    if (kind.times === 0) this.#counted.push(kind);
    kind.times += 1;
    return this.#kinds.size > known;
  }

  /** The kinds that were seen since the last time, in the order in which they came, each with how many there were. */
  take(): Int32Array {
    const counts = Int32Array.from(this.#counted.flatMap(({ index, times }) => [index, times]));
    for (const kind of this.#counted) kind.times = 0;
    this.#counted = [];
    return counts;
  }

  #kindOf(found: Pick<Kind, 'at' | 'event' | 'taken' | 'reached'>): Kind {
    const { at, event, taken, reached } = found;
    const key = `${at.number} ${reached.number} ${taken.join()} ${event}`;
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    const kind = { ...found, index: this.#kinds.size, times: 0 };
    this.#kinds.set(key, kind);
    return kind;
  }
}

function isSame(some: readonly number[], others: readonly number[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index++) if (some[index] !== others[index]) return false;
  return true;
}
