/** Faults that are planted into the sources of leagues, each as a person would make it. */

export type PlantedFault = {
  readonly name: string;
  readonly source: string;
  /** It stands in the source exactly once. */
  readonly find: string;
  readonly replace: string;
};

export type StormMutant = PlantedFault & {
  /** The promise that it breaks, and a seed that shows it. */
  readonly breaks: string;
  readonly seed: number;
};

/** The four faults that a storm must find within 500 seeds. */
export const PLANTED: readonly StormMutant[] = [
  {
    name: 'a double count',
    source: 'actors/stores/inMemory.ts',
    find: 'const known = results.get(result.slot);',
    replace: 'const known = epoch === -1 ? results.get(result.slot) : undefined;',
    breaks: 'counted-once',
    seed: 331,
  },
  {
    name: 'an epoch that is not checked',
    source: 'actors/stores/inMemory.ts',
    find: 'if (epoch !== null && epoch !== epochs.get(result.slot))',
    replace: 'if (epoch === 0)',
    breaks: 'old-epoch',
    seed: 84,
  },
  {
    name: 'a lost lease that is not noticed',
    source: 'actors/league/lead.ts',
    find: 'if (isHeld) continue;',
    replace: "if (isHeld || this.fence.term !== '') continue;",
    breaks: 'lost-lead',
    seed: 63,
  },
  {
    name: 'a missing fsync',
    source: 'actors/league/journals.ts',
    find: '    this.#sink.write(text);\n    this.#sink.sync();',
    replace: '    this.#sink.write(text);',
    breaks: 'paid-once',
    seed: 267,
  },
];
