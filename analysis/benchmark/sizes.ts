/** The name and sizes of the benchmark, which the command line needs before it loads anything else. */

export const BENCHMARK = 'glass-box-benchmark-1';

/** The usual sizes. Other numbers are for trials. */
export const STANDARD_TABLES = [50, 200, 1000] as const;
export const MOST_TABLES = 1000;

export const ANCHORS = ['silent', 'random', 'skip', 'last_accused', 'oracle', 'liar'] as const;
export type Anchor = (typeof ANCHORS)[number];

/** The names of own minds: without invisible characters, and no name of a mind that comes with the project. */
export const OWN_NAME = /^(?!scripted_|anchor_)\P{C}{1,80}$/u;
