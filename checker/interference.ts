/**
 * Decides whether an observer can learn a secret, with two copies of one system (self-composition). Both copies get the
 * same public inputs, and each gets its own secrets. After every step the observer must have seen the same from both.
 * If this holds for every reachable pair, it holds for every two runs. Comparing with a copy that gets no secret inputs
 * suffices, because equality is transitive. The search is breadth first, so it finds a shortest leak.
 */

import { ValueIdentity } from './identity.ts';
import { type SearchBudget, UNLIMITED } from './model.ts';
import { findDifference } from './purity.ts';

export type CopyStep<S> = { readonly state: S; readonly seen: readonly unknown[] };

/** The inputs of one step. Null for a copy without input. */
export type InputPair<I> = { readonly left: I | null; readonly right: I | null };

export type SelfComposition<S, I> = {
  readonly name: string;
  readonly sentence: string;
  /** Initial pairs that differ only in secrets. */
  readonly starts: readonly (readonly [CopyStep<S>, CopyStep<S>])[];
  readonly inputs: (left: S, right: S) => readonly InputPair<I>[];
  readonly step: (state: S, input: I) => CopyStep<S>;
  /** The observer's view between steps, such as whose turn it is. */
  readonly look: (state: S) => unknown;
  /** The whole state of a copy as plain data. */
  readonly whole: (state: S) => unknown;
  /** Whether the observer may know the secret from here on. Such pairs are not followed. */
  readonly isReleased?: (left: S, right: S) => boolean;
};

export type PairStep<I> = InputPair<I> & {
  readonly seen: readonly [readonly unknown[], readonly unknown[]];
};

export type Interference<I> = {
  readonly name: string;
  readonly sentence: string;
  /** `vacuous`: the secrets never differed, so nothing was tested. */
  readonly verdict: 'proved' | 'violated' | 'incomplete' | 'vacuous';
  readonly why: string | null;
  readonly pairs: number;
  readonly steps: number;
  readonly secrets: number;
  /** Steps into pairs that were not followed because the secret is released. */
  readonly released: number;
  readonly depth: number;
  /** Both runs up to the first difference, and its path, such as "seen[0].request.view.table.tick". */
  readonly leak: { readonly bars: readonly PairStep<I>[]; readonly at: string } | null;
};

export function checkInterference<S, I>(
  duet: SelfComposition<S, I>,
  { budget = UNLIMITED, now = () => 0 }: { budget?: SearchBudget; now?: () => number } = {},
): Interference<I> {
  return new PairSearch(duet, budget, now).run();
}

type CopyPair<S, I> = {
  readonly left: S;
  readonly right: S;
  readonly from: CopyPair<S, I> | null;
  readonly bar: PairStep<I>;
  readonly depth: number;
};

class PairSearch<S, I> {
  readonly #duet: SelfComposition<S, I>;
  readonly #budget: SearchBudget;
  readonly #now: () => number;
  readonly #identity = new ValueIdentity();
  readonly #known = new Set<number>();
  readonly #pairs: (CopyPair<S, I> | null)[] = [];
  #steps = 0;
  #secrets = 0;
  #released = 0;
  #depth = 0;
  #leak: Interference<I>['leak'] = null;

  constructor(duet: SelfComposition<S, I>, budget: SearchBudget, now: () => number) {
    this.#duet = duet;
    this.#budget = budget;
    this.#now = now;
  }

  run(): Interference<I> {
    const start = this.#now();
    for (const [left, right] of this.#duet.starts) this.#meet(null, NO_INPUT, left, right);
    let why: string | null = null;
    for (let next = 0; next < this.#pairs.length && this.#leak === null; next++) {
      if (this.#pairs.length > this.#budget.states) why = `the budget of ${this.#budget.states}`;
      if (this.#now() - start > this.#budget.seconds) why = `${this.#budget.seconds} seconds`;
      if (why !== null) break;
      const pair = this.#pairs[next];
      if (pair !== null && pair !== undefined) this.#expand(pair);
      this.#pairs[next] = null;
    }
    return this.#results(why);
  }

  #results(why: string | null): Interference<I> {
    const { name, sentence, starts } = this.#duet;
    const differ = starts.some(([left, right]) => this.#of(left.state) !== this.#of(right.state));
    const isVacuous = this.#secrets === 0 && !differ;
    const kept = isVacuous ? 'vacuous' : 'proved';
    return {
      name,
      sentence,
      verdict: this.#leak !== null ? 'violated' : why !== null ? 'incomplete' : kept,
      why: why ?? (isVacuous ? 'no secret was ever different' : null),
      pairs: this.#pairs.length,
      steps: this.#steps,
      secrets: this.#secrets,
      released: this.#released,
      depth: this.#depth,
      leak: this.#leak,
    };
  }

  #expand(pair: CopyPair<S, I>): void {
    const { step, inputs } = this.#duet;
    const { left, right } = pair;
    for (const dose of inputs(left, right)) {
      this.#steps += 1;
      if (this.#identity.of(dose.left) !== this.#identity.of(dose.right)) this.#secrets += 1;
      this.#meet(
        pair,
        dose,
        dose.left === null ? { state: left, seen: [] } : step(left, dose.left),
        dose.right === null ? { state: right, seen: [] } : step(right, dose.right),
      );
      if (this.#leak !== null) return;
    }
  }

  #meet(
    from: CopyPair<S, I> | null,
    dose: InputPair<I>,
    left: CopyStep<S>,
    right: CopyStep<S>,
  ): void {
    const { isReleased, look } = this.#duet;
    if (isReleased?.(left.state, right.state) === true) {
      this.#released += 1;
      return;
    }
    const seen = [left.seen, right.seen] as const;
    const depth = from === null ? 0 : from.depth + 1;
    const pair = { left: left.state, right: right.state, from, bar: { ...dose, seen }, depth };
    const at =
      this.#difference(left.seen, right.seen, 'seen') ??
      this.#difference(look(left.state), look(right.state), 'look');
    if (at !== null) {
      this.#leak = { bars: listPairSteps(pair), at };
      return;
    }
    const number = this.#identity.of([this.#of(left.state), this.#of(right.state)]);
    if (this.#known.has(number)) return;
    this.#known.add(number);
    this.#pairs.push(pair);
    this.#depth = Math.max(this.#depth, depth);
  }

  #of(state: S): number {
    return this.#identity.of(this.#duet.whole(state));
  }

  #difference(left: unknown, right: unknown, path: string): string | null {
    if (this.#identity.of(left) === this.#identity.of(right)) return null;
    return findDifference(left, right, null, path) ?? path;
  }
}

const NO_INPUT = { left: null, right: null };

function listPairSteps<S, I>(pair: CopyPair<S, I>): readonly PairStep<I>[] {
  const bars: PairStep<I>[] = [];
  for (let at: CopyPair<S, I> | null = pair; at !== null; at = at.from) bars.unshift(at.bar);
  return bars;
}
