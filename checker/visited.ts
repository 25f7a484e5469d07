/** Numbers the states that were found, and the drafts on them, exactly or modulo symmetry. */
import type { EventObject } from 'xstate';
import { IdentitySlot, TupleTable, ValueIdentity } from './identity.ts';
import { type EventDraft, type Model, type Symmetry, stateOf } from './model.ts';
import { type MachinePoint, STATUSES } from './stepper.ts';

export class VisitedStates<C, E extends EventObject> {
  readonly #view: ((point: MachinePoint<C>) => unknown) | null;
  readonly #orbit: Symmetry<C>['orbit'] | null;
  readonly #orbits = new OrbitTable();
  readonly #identity: ValueIdentity;
  readonly #states = new TupleTable();
  /** The parts that identify a point. */
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
    return this.#identity.bytes + this.#states.bytes + this.#orbits.bytes;
  }

  /**
   * The number of a state or a draft: the number of an equal known one, or the next. `mark` identifies
   * the parts of a draft other than its context. Modulo symmetry it identifies the factored event.
   */
  number(point: MachinePoint<C>, draft?: EventDraft<C, unknown>, mark = 0): number {
    if (this.#orbit !== null) {
      const form = draft === undefined ? this.#orbit(point) : this.#orbit(point, draft);
      return this.#orbits.number(form, mark);
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

const FIRST_ORBITS = 1 << 10;
/** Cells of a slot: the form, its mark, and the number of the orbit plus one, or 0 for an empty slot. */
const SLOT = 3;

/** Numbers orbits in order of discovery. Integer forms use a typed array, other forms a map. */
class OrbitTable {
  #slots = new Int32Array(FIRST_ORBITS * SLOT);
  readonly #texts = new Map<string, number>();
  #size = 0;
  /** Orbits in the slots. */
  #placed = 0;

  get bytes(): number {
    return this.#slots.byteLength;
  }

  number(form: string | number, mark: number): number {
    if (typeof form === 'number' && (form | 0) === form) return this.#numberPlaced(form, mark);
    const text = `${mark} ${form}`;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, this.#size);
    return this.#size++;
  }

  #numberPlaced(form: number, mark: number): number {
    const at = findOrbit(this.#slots, form, mark);
    const known = this.#slots[at + 2] ?? 0;
    if (known !== 0) return known - 1;
    this.#slots.set([form, mark, this.#size + 1], at);
    this.#placed += 1;
    if (this.#placed * 2 * SLOT > this.#slots.length) this.#widen();
    return this.#size++;
  }

  #widen(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + 2] === 0) continue;
      const at = findOrbit(this.#slots, old[from] ?? 0, old[from + 1] ?? 0);
      this.#slots.set(old.subarray(from, from + SLOT), at);
    }
  }
}

/** The index of an orbit's slot, or of the empty slot for it. */
function findOrbit(slots: Int32Array, form: number, mark: number): number {
  const count = slots.length / SLOT;
  let mixed = Math.imul(form, 0x9e3779b1) ^ Math.imul(mark, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  let at = ((mixed ^ (mixed >>> 13)) & (count - 1)) * SLOT;
  while (slots[at + 2] !== 0 && (slots[at] !== form || slots[at + 1] !== mark)) {
    at = at + SLOT === slots.length ? 0 : at + SLOT;
  }
  return at;
}
