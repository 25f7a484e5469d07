/** Numbers the states that were found, and the drafts on them, exactly or modulo symmetry. */
import type { EventObject } from 'xstate';
import { IdentitySlot, TupleTable, ValueIdentity } from './identity.ts';
import { type EventDraft, type Model, type Symmetry, stateOf } from './model.ts';
import { PairTable } from './pairTable.ts';
import { describeError, type MachinePoint, STATUSES } from './stepper.ts';
import { BrokenSymmetry } from './symmetryTest.ts';
import { remember } from './values.ts';

export class VisitedStates<C, E extends EventObject> {
  readonly #view: ((point: MachinePoint<C>) => unknown) | null;
  readonly #orbit: Symmetry<C>['orbit'] | null;
  /** Integer forms of orbits use a typed array, other forms a map. */
  readonly #forms = new PairTable();
  readonly #texts = new Map<string, number>();
  #orbits = 0;
  /** The form of the last state or draft, which is often asked for again at once. */
  #last: {
    readonly point: MachinePoint<C>;
    readonly draft: EventDraft<C, unknown> | undefined;
    readonly form: string | number;
  } | null = null;
  readonly #identity: ValueIdentity;
  readonly #states = new TupleTable();
  readonly #parts = new Int32Array(6);
  readonly #slots = {
    context: new IdentitySlot(),
    history: new IdentitySlot(),
    children: new IdentitySlot(),
    timers: new IdentitySlot(),
  };

  constructor({ view, codec, symmetry }: Model<C, E>, isSymmetric: boolean, isThorough: boolean) {
    this.#view = view === undefined ? null : (point) => view(stateOf(point));
    this.#orbit = isSymmetric ? (symmetry?.orbit ?? null) : null;
    this.#identity = new ValueIdentity(codec ?? null, isThorough);
  }

  get bytes(): number {
    return this.#identity.bytes + this.#states.bytes + this.#forms.bytes;
  }

  /**
   * The number of a state or a draft: the number of an equal known one, or the next. `mark` identifies
   * the parts of a draft other than its context. Modulo symmetry it identifies the factored event.
   */
  number(point: MachinePoint<C>, draft?: EventDraft<C, unknown>, mark = 0): number {
    const orbit = this.#orbit;
    if (orbit !== null) return this.#numberOrbit(this.#formOf(orbit, point, draft), mark);
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

  /** Whether the orbit of a draft has a number. Without symmetry this says no. */
  knows(point: MachinePoint<C>, draft: EventDraft<C, unknown>, mark: number): boolean {
    if (this.#orbit === null) return false;
    const form = this.#formOf(this.#orbit, point, draft);
    return isInteger(form) ? this.#forms.has(form, mark) : this.#texts.has(`${mark} ${form}`);
  }

  /** A symmetry may refuse a state that it does not know. */
  #formOf(orbit: Symmetry<C>['orbit'], ...[point, draft]: Parameters<Symmetry<C>['orbit']>) {
    const last = this.#last;
    if (last !== null && last.point === point && last.draft === draft) return last.form;
    try {
      const form = draft === undefined ? orbit(point) : orbit(point, draft);
      this.#last = { point, draft, form };
      return form;
    } catch (error) {
      throw new BrokenSymmetry([], describeError(error));
    }
  }

  #numberOrbit(form: string | number, mark: number): number {
    const number = isInteger(form)
      ? this.#forms.of(form, mark, this.#orbits)
      : remember(this.#texts, `${mark} ${form}`, () => this.#orbits);
    if (number === this.#orbits) this.#orbits += 1;
    return number;
  }
}

function isInteger(form: string | number): form is number {
  return typeof form === 'number' && (form | 0) === form;
}
