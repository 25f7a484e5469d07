/** A trial: one thing that the checker must get right, tried on something whose answer is known. */

/** What came of a trial: whether it is as it should be, and what was found. */
export type TrialOutcome = { readonly isPassed: boolean; readonly found: string };

export type Trial = {
  /** A handle without blanks, stable over versions. */
  readonly name: string;
  readonly sentence: string;
  /** Tries it; trials that draw draw from this seed. */
  readonly run: (seed: number) => TrialOutcome;
};

/** Passed when nothing differs from what was expected; says both otherwise. */
export function compareWithExpected(
  found: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
): TrialOutcome {
  const wrong = Object.keys(expected).filter((name) => found[name] !== expected[name]);
  const told = (from: Readonly<Record<string, unknown>>, names: readonly string[]) =>
    names.map((name) => `${name} ${String(from[name])}`).join(', ');
  if (wrong.length === 0) return { isPassed: true, found: told(found, Object.keys(expected)) };
  return {
    isPassed: false,
    found: `expected ${told(expected, wrong)}; found ${told(found, wrong)}`,
  };
}
