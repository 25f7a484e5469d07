/**
 * Interference: whether a secret can be told from what somebody sees, asked of two copies of one system.
 *
 * Both copies get the same public inputs and each its own secrets. After every step the observer must have seen the
 * same of both, and must find both at the same place. What is equal for every pair that can be reached is equal for
 * every run: a copy that is left without secret inputs can stand for all others, for equality goes on from one to the
 * next. The search is breadth first, so the first difference is one that shows soonest.
 */
import { type Budget, UNLIMITED } from './budget.ts';
import { Identity } from './identity.ts';

/** What one copy does with an input. */
export type Answered<S> = { readonly state: S; readonly seen: readonly unknown[] };

/** The inputs of one step; null where a copy gets none. */
export type Dose<I> = { readonly left: I | null; readonly right: I | null };

export type Duet<S, I> = {
  readonly name: string;
  readonly sentence: string;
  /** Beginnings that differ in nothing but secrets. */
  readonly starts: readonly (readonly [Answered<S>, Answered<S>])[];
  readonly doses: (left: S, right: S) => readonly Dose<I>[];
  readonly step: (state: S, input: I) => Answered<S>;
  /** What the observer still sees while nothing happens, such as who is waited for. */
  readonly look: (state: S) => unknown;
  /** All that decides how a copy goes on, as plain data. */
  readonly whole: (state: S) => unknown;
  /** What is sure to be known from here on: such pairs are not followed. */
  readonly isReleased?: (left: S, right: S) => boolean;
};

/** One step of both copies, side by side. */
export type Bar<I> = Dose<I> & {
  readonly seen: readonly [readonly unknown[], readonly unknown[]];
};

export type Interference<I> = {
  readonly name: string;
  readonly sentence: string;
  /** `vacuous`: no secret was ever different, so nothing was tried. */
  readonly verdict: 'proved' | 'violated' | 'incomplete' | 'vacuous';
  readonly why: string | null;
  readonly pairs: number;
  readonly steps: number;
  /** Steps in which the two copies got different inputs. */
  readonly secrets: number;
  /** Steps into pairs that were not followed, because what is released there is sure to be known. */
  readonly released: number;
  readonly depth: number;
  /** Both runs up to the first difference, and where it is: "seen[0].request.view.table.tick". */
  readonly leak: { readonly bars: readonly Bar<I>[]; readonly at: string } | null;
};

export function interference<S, I>(
  duet: Duet<S, I>,
  { budget = UNLIMITED, now = () => 0 }: { budget?: Budget; now?: () => number } = {},
): Interference<I> {
  return new Listening(duet, budget, now).run();
}

type Pair<S, I> = {
  readonly left: S;
  readonly right: S;
  readonly from: Pair<S, I> | null;
  readonly bar: Bar<I>;
  readonly depth: number;
};

class Listening<S, I> {
  readonly #duet: Duet<S, I>;
  readonly #budget: Budget;
  readonly #now: () => number;
  readonly #identity = new Identity();
  readonly #known = new Set<number>();
  readonly #pairs: (Pair<S, I> | null)[] = [];
  #steps = 0;
  #secrets = 0;
  #released = 0;
  #depth = 0;
  #leak: Interference<I>['leak'] = null;

  constructor(duet: Duet<S, I>, budget: Budget, now: () => number) {
    this.#duet = duet;
    this.#budget = budget;
    this.#now = now;
  }

  run(): Interference<I> {
    const start = this.#now();
    for (const [left, right] of this.#duet.starts) this.#meet(null, NO_DOSE, left, right);
    let why: string | null = null;
    for (let next = 0; next < this.#pairs.length && this.#leak === null; next++) {
      if (this.#pairs.length > this.#budget.states) why = `the budget of ${this.#budget.states}`;
      if (this.#now() - start > this.#budget.seconds) why = `${this.#budget.seconds} seconds`;
      if (why !== null) break;
      const pair = this.#pairs[next];
      if (pair !== null && pair !== undefined) this.#expand(pair);
      this.#pairs[next] = null;
    }
    return this.#judged(why);
  }

  #judged(why: string | null): Interference<I> {
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

  #expand(pair: Pair<S, I>): void {
    const { step, doses } = this.#duet;
    const { left, right } = pair;
    for (const dose of doses(left, right)) {
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

  #meet(from: Pair<S, I> | null, dose: Dose<I>, left: Answered<S>, right: Answered<S>): void {
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
      this.#leak = { bars: barsOf(pair), at };
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
    return differing(left, right, path) ?? path;
  }
}

const NO_DOSE = { left: null, right: null };

function barsOf<S, I>(pair: Pair<S, I>): readonly Bar<I>[] {
  const bars: Bar<I>[] = [];
  for (let at: Pair<S, I> | null = pair; at !== null; at = at.from) bars.unshift(at.bar);
  return bars;
}

/** The path of the first part that differs; null when none does. */
function differing(left: unknown, right: unknown, path: string): string | null {
  if (Object.is(left, right)) return null;
  if (!isComposed(left) || !isComposed(right)) return path;
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const inner = Array.isArray(left) ? `${path}[${name}]` : `${path}.${name}`;
    const found = differing(Reflect.get(left, name), Reflect.get(right, name), inner);
    if (found !== null) return found;
  }
  return null;
}

function isComposed(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
