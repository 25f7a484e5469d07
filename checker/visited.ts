/** Visited: the states that were found, each with its number, and nothing else of them. */
import type { EventObject } from 'xstate';
import { IdentitySlot, ValueIdentity } from './identity.ts';
import { type Model, stateOf } from './model.ts';
import { type MachinePoint, STATUSES } from './step.ts';
import { TupleTable } from './tuples.ts';

export class VisitedStates<C, E extends EventObject> {
  readonly #view: ((point: MachinePoint<C>) => unknown) | null;
  readonly #orbit: ((point: MachinePoint<C>) => string) | null;
  readonly #orbits = new Map<string, number>();
  readonly #identity: ValueIdentity;
  readonly #states = new TupleTable();
  /** What is told from a point apart from its context. */
  readonly #parts = new Int32Array(5);
  readonly #slots = {
    context: new IdentitySlot(),
    history: new IdentitySlot(),
    children: new IdentitySlot(),
    timers: new IdentitySlot(),
  };

  constructor({ view, codec, symmetry }: Model<C, E>, isSymmetric: boolean) {
    this.#view = view === undefined ? null : (point) => view(stateOf(point));
    this.#orbit = isSymmetric ? (symmetry?.orbit ?? null) : null;
    this.#identity = new ValueIdentity(codec ?? null);
  }

  get bytes(): number {
    return this.#identity.bytes + this.#states.bytes;
  }

  /** The number of a state: that of the one like it that came first, or the next one. */
  number(point: MachinePoint<C>): number {
    if (this.#orbit !== null) {
      const orbit = this.#orbit(point);
      const known = this.#orbits.get(orbit) ?? this.#orbits.size;
      this.#orbits.set(orbit, known);
      return known;
    }
    const { context, history, children, timers } = this.#slots;
    this.#parts[0] = point.place.number;
    this.#parts[1] = STATUSES.indexOf(point.status);
    this.#parts[2] = this.#identity.of(point.history, history);
    this.#parts[3] = this.#identity.of(point.children, children);
    this.#parts[4] = this.#identity.of(point.timers, timers);
    const known = this.#view === null ? point.context : this.#view(point);
    return this.#identity.together(this.#parts, known, context, this.#states);
  }
}
