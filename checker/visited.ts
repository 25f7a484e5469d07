/** What has been found: states, and drafts on them, told apart exactly or modulo the symmetry of the model. */
import type { EventObject } from 'xstate';
import { IdentitySlot, TupleTable, ValueIdentity } from './identity.ts';
import { type EventDraft, type Model, type Symmetry, stateOf } from './model.ts';
import { type MachinePoint, STATUSES } from './stepper.ts';

/** The states that were found: each gets a number, and nothing else of it is kept. */
export class VisitedStates<C, E extends EventObject> {
  readonly #view: ((point: MachinePoint<C>) => unknown) | null;
  readonly #orbit: Symmetry<C>['orbit'] | null;
  readonly #orbits = new Map<string | number, number>();
  readonly #identity: ValueIdentity;
  readonly #states = new TupleTable();
  /** The parts by which points are told apart. */
  readonly #parts = new Int32Array(6);
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

  /**
   * The number of a state, or of a draft on it: that of the one like it that came first, or the next one. `mark` stands
   * for what a draft has beside its context; modulo symmetry for what its form does not show: of which event it is.
   */
  number(point: MachinePoint<C>, draft?: EventDraft<C, unknown>, mark = 0): number {
    if (this.#orbit !== null) {
      const form = draft === undefined ? this.#orbit(point) : this.#orbit(point, draft);
      const orbit = mark === 0 ? form : `${mark} ${form}`;
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
    this.#parts[5] = mark;
    const known = this.#view === null ? point.context : this.#view(point);
    return this.#identity.together(this.#parts, known, context, this.#states);
  }
}
