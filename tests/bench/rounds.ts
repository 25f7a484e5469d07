/**
 * Rounds: times several variants side by side, so that a noisy machine slows all of them alike.
 *
 * In each round every variant runs once. What is compared is the ratio within a round; the figure that is printed is
 * the median over the rounds.
 */

export type Variant = {
  readonly name: string;
  /** Does the work and says how many units of it were done. */
  run(): number | Promise<number>;
};

export type Timing = {
  readonly name: string;
  /** Microseconds for a unit of work: the median over the rounds. */
  readonly microseconds: number;
  /** Times the first variant of the same round: the median over the rounds. */
  readonly ratio: number;
};

/** Times the variants; the first one is what the others are compared with. */
export async function timed(variants: readonly Variant[], rounds: number): Promise<Timing[]> {
  const spent: number[][] = variants.map(() => []);
  for (const variant of variants) await variant.run(); // warms up the compiler
  for (let round = 0; round < rounds; round++) {
    for (const [index, variant] of variants.entries()) {
      const start = process.hrtime.bigint();
      const units = await variant.run();
      spent[index]?.push(Number(process.hrtime.bigint() - start) / 1000 / units);
    }
  }
  const limit = spent[0] ?? [];
  return variants.map(({ name }, index) => {
    const own = spent[index] ?? [];
    return {
      name,
      microseconds: median(own),
      ratio: median(own.map((time, round) => time / (limit[round] ?? Number.NaN))),
    };
  });
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
