/**
 * Kinds: transitions that are the same to the coverage, counted together.
 *
 * Of one shape are transitions that begin at the same place with events of the same type, take the same transitions and end
 * at the same place. There are few, so that of millions of transitions little need be told: the first of each shape, and how
 * many there were.
 */
import type { MachinePlace, Transition } from './step.ts';

type TransitionShape = {
  readonly index: number;
  readonly at: MachinePlace;
  readonly event: string;
  readonly taken: readonly number[];
  readonly reached: MachinePlace;
  times: number;
};

export class TransitionShapes {
  readonly #shapes = new Map<string, TransitionShape>();
  #last: TransitionShape | null = null;
  /** Kinds with transitions that were not told yet. */
  #counted: TransitionShape[] = [];

  /** Counts a transition; true when it is the first one of its shape. */
  note<C>({ point, taken }: Transition<C>, at: MachinePlace, event: string): boolean {
    const known = this.#shapes.size;
    const last = this.#last;
    const isAsLast =
      last !== null &&
      last.at === at &&
      last.event === event &&
      last.reached === point.place &&
      isSame(last.taken, taken);
    const shape = isAsLast ? last : this.#kindOf({ at, event, taken, reached: point.place });
    this.#last = shape;
    if (shape.times === 0) this.#counted.push(shape);
    shape.times += 1;
    return this.#shapes.size > known;
  }

  /** The shapes that were seen since the last time, in the order in which they came, each with how many there were. */
  take(): Int32Array {
    const counts = Int32Array.from(this.#counted.flatMap(({ index, times }) => [index, times]));
    for (const shape of this.#counted) shape.times = 0;
    this.#counted = [];
    return counts;
  }

  #kindOf(found: Pick<TransitionShape, 'at' | 'event' | 'taken' | 'reached'>): TransitionShape {
    const { at, event, taken, reached } = found;
    const key = `${at.number} ${reached.number} ${taken.join()} ${event}`;
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const shape = { ...found, index: this.#shapes.size, times: 0 };
    this.#shapes.set(key, shape);
    return shape;
  }
}

function isSame(some: readonly number[], others: readonly number[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index++) if (some[index] !== others[index]) return false;
  return true;
}
