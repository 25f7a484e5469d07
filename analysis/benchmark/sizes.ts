/** What the benchmark is called, and how large it is: the command line says so before anything else is loaded. */

export const BENCHMARK = 'glass-box-benchmark-1';

/** Tables that a run is meant to have; any other number up to the last of them is for trying things out. */
export const STANDARD_TABLES = [50, 200, 1000] as const;
export const MOST_TABLES = 1000;
