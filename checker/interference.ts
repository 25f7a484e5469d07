/**
 * Decides whether an observer can learn a secret, with two copies of one system (self-composition). Both get the same
 * public inputs, each gets its own secrets, and after every step the observer must have seen the same from both.
 * Comparing with a copy that gets no secret inputs suffices, because equality is transitive. The search is breadth first.
 */
import { ValueIdentity } from './identity.ts';
import { type SearchBudget, UNLIMITED } from './model.ts';
import { findDifference } from './purity.ts';

type CopyStep<S> = { readonly state: S; readonly seen: readonly unknown[] };

/** The inputs of one step. Null for a copy without input. */
type InputPair<I> = { readonly left: I | null; readonly right: I | null };

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
  /** Both runs up to the first difference, and its path, such as "seen[0].request.view.table.tick". */
  readonly leak: { readonly bars: readonly PairStep<I>[]; readonly at: string } | null;
};

type CopyPair<S, I> = {
  readonly left: S;
  readonly right: S;
  readonly from: CopyPair<S, I> | null;
  readonly bar: PairStep<I>;
};

export function checkInterference<S, I>(
  duet: SelfComposition<S, I>,
  { budget = UNLIMITED, now = () => 0 }: { budget?: SearchBudget; now?: () => number } = {},
): Interference<I> {
  const { name, sentence, starts, inputs, step, whole } = duet;
  const met = new MetPairs(duet);
  const go = (state: S, input: I | null) =>
    input === null ? { state, seen: [] } : step(state, input);
  const begun = now();
  for (const [left, right] of starts) met.add(null, NO_INPUT, left, right);
  let [why, steps, secrets]: [string | null, number, number] = [null, 0, 0];
  for (let next = 0; next < met.pairs.length && met.leak === null; next++) {
    if (met.pairs.length > budget.states) why = `the budget of ${budget.states} states`;
    if (now() - begun > budget.seconds) why = `${budget.seconds} seconds`;
    const pair = met.pairs[next];
    if (why !== null || pair === null || pair === undefined) break;
    for (const dose of inputs(pair.left, pair.right)) {
      steps += 1;
      secrets += Number(!met.areSame(dose.left, dose.right));
      met.add(pair, dose, go(pair.left, dose.left), go(pair.right, dose.right));
      if (met.leak !== null) break;
    }
    met.pairs[next] = null;
  }
  const { leak, released } = met;
  const isVacuous =
    secrets === 0 &&
    starts.every(([one, other]) => met.areSame(whole(one.state), whole(other.state)));
  const kept = isVacuous ? 'vacuous' : 'proved';
  return {
    ...{ name, sentence, steps, secrets, released, leak, pairs: met.pairs.length },
    verdict: leak !== null ? 'violated' : why !== null ? 'incomplete' : kept,
    why: why ?? (isVacuous ? 'no secret was ever different' : null),
  };
}

class MetPairs<S, I> {
  /** An expanded pair is null. */
  readonly pairs: (CopyPair<S, I> | null)[] = [];
  leak: Interference<I>['leak'] = null;
  released = 0;
  readonly #duet: SelfComposition<S, I>;
  readonly #identity = new ValueIdentity();
  readonly #known = new Set<number>();

  constructor(duet: SelfComposition<S, I>) {
    this.#duet = duet;
  }

  areSame(one: unknown, other: unknown): boolean {
    return this.#identity.of(one) === this.#identity.of(other);
  }

  add(
    from: CopyPair<S, I> | null,
    dose: InputPair<I>,
    { state: left, seen: one }: CopyStep<S>,
    { state: right, seen: other }: CopyStep<S>,
  ): void {
    const { isReleased, look, whole } = this.#duet;
    if (isReleased?.(left, right) === true) {
      this.released += 1;
      return;
    }
    const pair = { left, right, from, bar: { ...dose, seen: [one, other] as const } };
    const at =
      this.#difference(one, other, 'seen') ?? this.#difference(look(left), look(right), 'look');
    if (at !== null) {
      this.leak = { bars: listPairSteps(pair), at };
      return;
    }
    const copies = [left, right].map((state) => this.#identity.of(whole(state)));
    const number = this.#identity.of(copies);
    if (this.#known.has(number)) return;
    this.#known.add(number);
    this.pairs.push(pair);
  }

  #difference(left: unknown, right: unknown, path: string): string | null {
    return this.areSame(left, right) ? null : (findDifference(left, right, null, path) ?? path);
  }
}

const NO_INPUT = { left: null, right: null };

function listPairSteps<S, I>(pair: CopyPair<S, I>): readonly PairStep<I>[] {
  const bars: PairStep<I>[] = [];
  for (let at: CopyPair<S, I> | null = pair; at !== null; at = at.from) bars.unshift(at.bar);
  return bars;
}
