/** The flags of `glassbox check`, as they were read. */
import type { RuleSet } from '../../machines/types.ts';

export type CheckFlags = {
  readonly players?: readonly number[];
  readonly rules?: RuleSet;
  readonly ghosts: number;
  readonly departures: number;
  readonly faults?: boolean;
  readonly stops?: boolean;
  readonly property?: readonly string[];
  readonly maxStates: number;
  readonly maxSeconds?: number;
  /** Megabytes. */
  readonly maxMemory?: number;
  readonly workers: number;
  readonly symmetry: boolean;
  readonly journal?: readonly string[];
  readonly mutants?: boolean;
  readonly selftest?: boolean;
  readonly seed?: number;
  readonly interference?: boolean;
  readonly trace?: string;
  readonly json?: boolean;
  /** The file that the page of the findings is written to. */
  readonly page?: string;
  /** Serves that page: at this port, or at a free one. */
  readonly explore?: number | true;
  readonly junit?: string;
  readonly sarif?: string;
  /** The flags that somebody wrote, such as "--json"; the others have their defaults. */
  readonly given: readonly string[];
};
