/** Liveness monitor: what an exploration must note so that properties about what happens at last can be answered from its graph. */
import type { Exploration } from './exploration.ts';
import type { Assumption } from './lasso.ts';
import { findUnfulfilledRun } from './liveness.ts';
import type { Fairness, MachineStep, Property, State } from './model.ts';
import { NumberList } from './numbers.ts';
import type { PropertyVerdict } from './verdict.ts';

type LivenessProperty<C, E> = Extract<Property<C, E>, { kind: 'eventually' | 'leads-to' }>;

/** More assumptions than bits are not kept. */
const MOST_ASSUMPTIONS = 31;
/** What is noted of a state: the property is due here, and it is fulfilled here. */
const DUE = 1;
const THERE = 2;

export class LivenessMonitor<C, E> {
  readonly #properties: readonly LivenessProperty<C, E>[];
  /** All assumptions of all properties; a move's bits say which of them it is a move of. */
  readonly #fairness: readonly Fairness<C, E>[];
  /** Bits of each move, in the order of the moves. */
  readonly #helps = new NumberList();
  /** For each property, by state. */
  readonly #stands: readonly NumberList[];

  constructor(properties: readonly Property<C, E>[]) {
    this.#properties = properties.filter(isLiveness);
    this.#stands = this.#properties.map(() => new NumberList());
    this.#fairness = [
      ...new Set(this.#properties.flatMap(({ fair = [], excuses = [] }) => [...fair, ...excuses])),
    ];
    if (this.#fairness.length > MOST_ASSUMPTIONS) {
      throw new Error(
        `at most ${MOST_ASSUMPTIONS} assumptions of fairness, found ${this.#fairness.length}`,
      );
    }
  }

  isAsked(property: Property<C, E>): boolean {
    return this.#properties.some((asked) => asked === property);
  }

  get isNeeded(): boolean {
    return this.#properties.length > 0;
  }

  /** Whether moves must be shown as well. */
  get looksAtMoves(): boolean {
    return this.#fairness.length > 0;
  }

  /** States come in the order of their numbers. */
  onState(state: State<C>, number: number): void {
    for (const [index, property] of this.#properties.entries()) {
      const isDue = property.kind === 'eventually' ? number === 0 : property.from(state);
      this.#stands[index]?.push((isDue ? DUE : 0) + (property.holds(state) ? THERE : 0));
    }
  }

  onMove(move: MachineStep<C, E>): void {
    this.#helps.push(this.helpsOf(move));
  }

  /** Moves that were looked at elsewhere, by the same properties: what `helpsOf` says of each. */
  onMoves(helps: Int32Array): void {
    for (const bits of helps) this.#helps.push(bits);
  }

  /** Bits that say which of the assumptions this is a move of. */
  helpsOf({ before, event }: MachineStep<C, E>): number {
    let bits = 0;
    for (const [index, { helps }] of this.#fairness.entries()) {
      if (helps(before, event)) bits |= 1 << index;
    }
    return bits;
  }

  verdict(property: LivenessProperty<C, E>, exploration: Exploration<E>): PropertyVerdict<E> {
    const stands = this.#stands[this.#properties.indexOf(property)] ?? new NumberList();
    const due: number[] = [];
    for (let state = 0; state < stands.length; state++) {
      if ((stands.at(state) & DUE) !== 0) due.push(state);
    }
    if (due.length === 0) return { type: 'vacuous', why: 'it never becomes due' };
    const trace = findUnfulfilledRun({
      due,
      exploration,
      isThere: (state) => (stands.at(state) & THERE) !== 0,
      fair: (property.fair ?? []).map((assumed) => this.#assumption(assumed)),
      excuses: (property.excuses ?? []).map((assumed) => this.#assumption(assumed)),
    });
    return trace === null
      ? { type: 'proved', antecedents: due.length }
      : { type: 'violated', trace };
  }

  #assumption(assumed: Fairness<C, E>): Assumption {
    const bit = 1 << this.#fairness.indexOf(assumed);
    return { name: assumed.name, helps: (move) => (this.#helps.at(move) & bit) !== 0 };
  }
}

function isLiveness<C, E>(property: Property<C, E>): property is LivenessProperty<C, E> {
  return property.kind === 'eventually' || property.kind === 'leads-to';
}
