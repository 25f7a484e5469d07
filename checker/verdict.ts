/** Verdicts: what the checker says about one property. Nothing that was not looked at ever reads as kept. */

/**
 * `proved`: every reachable state was seen. `violated`: a counterexample is at hand. `incomplete`: a budget ended the
 * search before it was closed, and nothing was found so far. `vacuous`: it holds because it never applied.
 */
export type PropertyVerdict<E> =
  | { readonly type: 'proved'; readonly antecedents: number | null }
  | { readonly type: 'violated'; readonly trace: Trace<E> }
  | { readonly type: 'incomplete'; readonly why: string }
  | { readonly type: 'vacuous'; readonly why: string };

/** A run from the beginning. With `loop` the run goes on for ever from that step to the end and back. */
export type Trace<E> = {
  readonly events: readonly E[];
  /** Index of the event with which the loop begins; null for a finite run. */
  readonly loop: number | null;
  /** Assumptions of fairness that would rule this loop out. */
  readonly excludedBy: readonly string[];
};

export type PropertyResult<E> = {
  readonly name: string;
  readonly sentence: string;
  readonly kind: string;
  readonly expected: 'proved' | 'violated';
  readonly verdict: PropertyVerdict<E>;
};

/** Whether a property turned out as it was declared. */
export function isAsDeclared<E>({ verdict, expected }: PropertyResult<E>): boolean {
  return verdict.type === expected;
}
