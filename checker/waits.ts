/** Waits: what an exploration must note so that promises about what happens at last can be answered from its graph. */
import type { Exploration } from './exploration.ts';
import type { Assumption } from './lasso.ts';
import { unkept } from './liveness.ts';
import type { Fairness, Move, Promised, State } from './model.ts';
import { Numbers } from './numbers.ts';
import type { Verdict } from './verdict.ts';

type Lasting<C, E> = Extract<Promised<C, E>, { kind: 'eventually' | 'leads-to' }>;

/** More assumptions than bits are not kept. */
const MOST_ASSUMPTIONS = 31;
/** What is noted of a state: the promise is due here, and it is fulfilled here. */
const DUE = 1;
const THERE = 2;

export class Waits<C, E> {
  readonly #promises: readonly Lasting<C, E>[];
  /** All assumptions of all promises; a move's bits say which of them it is a move of. */
  readonly #fairness: readonly Fairness<C, E>[];
  /** Bits of each move, in the order of the moves. */
  readonly #helps = new Numbers();
  /** For each promise, by state. */
  readonly #stands: readonly Numbers[];

  constructor(promises: readonly Promised<C, E>[]) {
    this.#promises = promises.filter(isLasting);
    this.#stands = this.#promises.map(() => new Numbers());
    this.#fairness = [
      ...new Set(this.#promises.flatMap(({ fair = [], excuses = [] }) => [...fair, ...excuses])),
    ];
    if (this.#fairness.length > MOST_ASSUMPTIONS) {
      throw new Error(
        `at most ${MOST_ASSUMPTIONS} assumptions of fairness, found ${this.#fairness.length}`,
      );
    }
  }

  isAsked(promised: Promised<C, E>): boolean {
    return this.#promises.some((asked) => asked === promised);
  }

  get isNeeded(): boolean {
    return this.#promises.length > 0;
  }

  /** Whether moves must be shown as well. */
  get looksAtMoves(): boolean {
    return this.#fairness.length > 0;
  }

  /** States come in the order of their numbers. */
  onState(state: State<C>, number: number): void {
    for (const [index, promised] of this.#promises.entries()) {
      const isDue = promised.kind === 'eventually' ? number === 0 : promised.from(state);
      this.#stands[index]?.push((isDue ? DUE : 0) + (promised.holds(state) ? THERE : 0));
    }
  }

  onMove(move: Move<C, E>): void {
    this.#helps.push(this.helpsOf(move));
  }

  /** Moves that were looked at elsewhere, by the same promises: what `helpsOf` says of each. */
  onMoves(helps: Int32Array): void {
    for (const bits of helps) this.#helps.push(bits);
  }

  /** Bits that say which of the assumptions this is a move of. */
  helpsOf({ before, event }: Move<C, E>): number {
    let bits = 0;
    for (const [index, { helps }] of this.#fairness.entries()) {
      if (helps(before, event)) bits |= 1 << index;
    }
    return bits;
  }

  verdict(promised: Lasting<C, E>, exploration: Exploration<E>): Verdict<E> {
    const stands = this.#stands[this.#promises.indexOf(promised)] ?? new Numbers();
    const due: number[] = [];
    for (let state = 0; state < stands.length; state++) {
      if ((stands.at(state) & DUE) !== 0) due.push(state);
    }
    if (due.length === 0) return { type: 'vacuous', why: 'it never becomes due' };
    const trace = unkept({
      due,
      exploration,
      isThere: (state) => (stands.at(state) & THERE) !== 0,
      fair: (promised.fair ?? []).map((assumed) => this.#assumption(assumed)),
      excuses: (promised.excuses ?? []).map((assumed) => this.#assumption(assumed)),
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

function isLasting<C, E>(promised: Promised<C, E>): promised is Lasting<C, E> {
  return promised.kind === 'eventually' || promised.kind === 'leads-to';
}
