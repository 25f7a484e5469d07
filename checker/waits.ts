/** Waits: what an exploration must note so that promises about what happens at last can be answered from its graph. */
import type { Exploration, Outgoing } from './explore.ts';
import { type Assumption, unkept } from './liveness.ts';
import type { Fairness, Move, Promised, State } from './model.ts';
import type { Verdict } from './verdict.ts';

type Lasting<C, E> = Extract<Promised<C, E>, { kind: 'eventually' | 'leads-to' }>;

/** More assumptions than bits are not kept. */
const MOST_ASSUMPTIONS = 31;

export class Waits<C, E> {
  readonly #promises: readonly Lasting<C, E>[];
  /** All assumptions of all promises; a move's bits say which of them it is a move of. */
  readonly #fairness: readonly Fairness<C, E>[];
  readonly #helps: number[][] = [];
  /** For each promise, by state: 1 when it is due, 2 when it is there. */
  readonly #stands: number[][];

  constructor(promises: readonly Promised<C, E>[]) {
    this.#promises = promises.filter(isLasting);
    this.#stands = this.#promises.map(() => []);
    this.#fairness = [
      ...new Set(this.#promises.flatMap(({ fair = [], excuses = [] }) => [...fair, ...excuses])),
    ];
    if (this.#fairness.length > MOST_ASSUMPTIONS) {
      throw new Error(
        `at most ${MOST_ASSUMPTIONS} assumptions of fairness, found ${this.#fairness.length}`,
      );
    }
  }

  get isNeeded(): boolean {
    return this.#promises.length > 0;
  }

  onState(state: State<C>, number: number): void {
    for (const [index, promised] of this.#promises.entries()) {
      const isDue = promised.kind === 'eventually' ? number === 0 : promised.from(state);
      const stands = this.#stands[index] ?? [];
      stands[number] = Number(isDue) + (promised.holds(state) ? 2 : 0);
    }
  }

  onMove({ before, event }: Move<C, E>, from: number): void {
    if (!this.isNeeded) return;
    let bits = 0;
    for (const [index, { helps }] of this.#fairness.entries()) {
      if (helps(before, event)) bits |= 1 << index;
    }
    const helped = this.#helps[from] ?? [];
    helped.push(bits);
    this.#helps[from] = helped;
  }

  verdict(promised: Lasting<C, E>, exploration: Exploration<E>): Verdict<E> {
    const stands = this.#stands[this.#promises.indexOf(promised)] ?? [];
    const due = [...stands.keys()].filter((state) => ((stands[state] ?? 0) & 1) === 1);
    if (due.length === 0) return { type: 'vacuous', why: 'it never becomes due' };
    const trace = unkept({
      due,
      exploration,
      isThere: (state) => ((stands[state] ?? 0) & 2) === 2,
      fair: (promised.fair ?? []).map((assumed) => this.#assumption(assumed)),
      excuses: (promised.excuses ?? []).map((assumed) => this.#assumption(assumed)),
    });
    return trace === null
      ? { type: 'proved', antecedents: due.length }
      : { type: 'violated', trace };
  }

  #assumption(assumed: Fairness<C, E>): Assumption {
    const bit = 1 << this.#fairness.indexOf(assumed);
    return {
      name: assumed.name,
      helps: (state: number, { event }: Outgoing) =>
        ((this.#helps[state]?.[event] ?? 0) & bit) !== 0,
    };
  }
}

function isLasting<C, E>(promised: Promised<C, E>): promised is Lasting<C, E> {
  return promised.kind === 'eventually' || promised.kind === 'leads-to';
}
