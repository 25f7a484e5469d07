/** What is shown of a promise that was broken: the steps to it, whoever searched for them. */

export type Step = {
  /** Where the meeting was; of two meetings side by side, in which of them this happened. */
  readonly at: string;
  readonly to: string;
  readonly happened: string;
  readonly changes: readonly string[];
  /** What happened instead in the other one of two meetings; left out where the same did. */
  readonly beside?: string;
};

/** A counterexample that is not a run of the meeting's own machine, and so brings its own telling. */
export type Shown = {
  readonly steps: readonly Step[];
  /** What it comes to, in a sentence. */
  readonly note: string;
  /** What somebody saw of both in each step, where two are held against each other. */
  readonly seen?: readonly Sighting[];
  /** Journals that `watch` plays: one, two to be held against each other, or none where it can't be played. */
  readonly journals: () => readonly Sheet[];
};

/** What was seen of the one, and of the other. */
export type Sighting = readonly [readonly unknown[], readonly unknown[]];

/** A journal that tells a counterexample. */
export type Sheet = {
  readonly text: string;
  /** The number of the last line of the living at the beginning, and after each step. */
  readonly ends: readonly number[];
};

/** A search beside the one for the meeting: of the arbiter alone, or of two meetings at once. */
export type Aside = {
  /** What was searched: "the arbiter among 3". */
  readonly about: string;
  /** States, or pairs of them. */
  readonly states: number;
  readonly transitions: number;
  /** The budget that ended it; null when it was closed. */
  readonly ended: string | null;
  readonly seconds: number;
  /** The names of its promises. */
  readonly asked: readonly string[];
};

/** The steps in rows: where, what happened, and what changed by it. */
export function rowsOf(steps: readonly Step[], loop: number | null): string[] {
  const width = Math.max(...steps.map(({ at }) => at.length), 0);
  return steps.flatMap((step, index) => [
    ...(index === loop ? ['  ↺ from here it goes round'] : []),
    ...stepRows(step, index, width),
  ]);
}

function stepRows({ at, to, happened, changes, beside }: Step, index: number, width: number) {
  const number = `${index + 1}`.padStart(NUMBER);
  const margin = ' '.repeat(NUMBER + width + 4);
  const moved = at === to ? [] : [`→ ${to}`];
  const outcome = [...moved, ...changes].join(' · ');
  return [
    `${number}  ${at.padEnd(width)}  ${happened}`,
    ...(beside === undefined
      ? []
      : [`${' '.repeat(NUMBER + 2)}${'other'.padEnd(width)}  ${beside}`]),
    ...(outcome === '' ? [] : [`${margin}${outcome}`]),
  ];
}

const NUMBER = 5;
