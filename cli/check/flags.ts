/** The flags of `glassbox check`: what they say, and which of them do not go together. */

import { suggestWord } from '../../actors/engine/suggestion.ts';
import { MOST_SEATS } from '../../machines/rules/options.ts';
import type { RuleSet } from '../../machines/types.ts';
import { isJudgeable } from '../../proofs/conformance.ts';
import { EXTRA_CHECKS } from '../../proofs/extraChecks.ts';
import type { Combinations } from '../../proofs/models/closings.ts';
import { listAllProperties } from '../../proofs/run.ts';
import { createFailure, EXIT } from '../exit.ts';

export type CheckFlags = {
  readonly players?: readonly number[];
  readonly rules?: RuleSet;
  readonly ghosts: number;
  readonly departures: number;
  readonly faults?: boolean;
  readonly combinations?: Combinations;
  readonly stops?: boolean;
  readonly property?: readonly string[];
  readonly maxStates: number;
  readonly maxSeconds?: number;
  /** Megabytes. */
  readonly maxMemory?: number;
  readonly symmetry: boolean;
  readonly journal?: readonly string[];
  readonly game?: boolean;
  readonly mutants?: boolean;
  readonly interference?: boolean;
  readonly verbose?: boolean;
  readonly trace?: string;
  readonly json?: boolean;
  /** The file that the page of the findings is written to. */
  readonly page?: string;
  /** Serves that page: at this port, or at a free one. */
  readonly explore?: number | true;
  readonly junit?: string;
  /** The flags that were written, such as "--json"; the others have their defaults. */
  readonly given: readonly string[];
};

const REPORTS = ['--json', '--junit'] as const;
const PAGES = ['--page', '--explore'] as const;

/** What is done instead of a search, and the flags that mean something then. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  '--journal': ['--property', ...REPORTS, ...PAGES],
  '--game': ['--property', '--max-states', '--max-seconds', '--max-memory', '--trace', ...REPORTS],
  '--mutants': [...REPORTS, ...PAGES],
};

export function refuseContradictions(path: string | null, flags: CheckFlags): void {
  const { given, ghosts, players = [] } = flags;
  if (given.includes('--journal')) {
    refuseIf(path !== null, 'match-and-journal', () => {
      return `a match and --journal: expected one of them, found ${JSON.stringify(path)} too`;
    });
    refuseIf(given.includes('--trace'), 'trace-of-journal', () => {
      return '--trace writes what a search finds, and --journal makes none';
    });
  }
  for (const [mode, allowed] of Object.entries(INSTEAD)) {
    if (!given.includes(mode)) continue;
    refuseIf(path !== null, 'not-together', () => {
      return `${mode} brings its own tables: a match says nothing there, found ${JSON.stringify(path)}`;
    });
    const other = given.find((flag) => flag !== mode && !allowed.includes(flag));
    refuseIf(other !== undefined, 'not-together', () => {
      return `${mode} and ${other}: with ${mode} go only ${allowed.join(', ')}`;
    });
  }
  refuseIf(path !== null && ghosts > 0, 'ghosts-of-match', () => {
    return '--ghosts: a match says itself who is dead';
  });
  const most = Math.max(0, ...players) + ghosts;
  refuseIf(ghosts > 0 && most > MOST_SEATS, 'too-many-seats', () => {
    return `--players and --ghosts: expected at most ${MOST_SEATS} seats together, found ${most}`;
  });
}

function refuseIf(isWrong: boolean, code: string, text: () => string): void {
  if (isWrong) throw createFailure(EXIT.usage, `check/${code}`, text());
}

/** Refuses names of properties that are not among those of a search. */
export function refuseUnasked(wanted: readonly string[], here: readonly string[]): void {
  const all = [...listAllProperties().map(({ name }) => name), ...EXTRA_CHECKS];
  for (const name of wanted) {
    if (here.includes(name)) continue;
    refuseUnknown(name, all);
    const text = `--property: ${name} says nothing in this world; it needs --faults, --departures, --stops, a ghost or other rules`;
    throw createFailure(EXIT.usage, 'check/not-in-this-world', text);
  }
}

/** Refuses names of properties that no game has. */
export function refuseUnplayed(wanted: readonly string[], names: readonly string[]): void {
  for (const name of wanted) refuseUnknown(name, names);
}

/** Refuses names of properties that no recorded meeting can be judged by. */
export function refuseUnjudgeable(wanted: readonly string[]): void {
  const all = listAllProperties();
  for (const name of wanted) {
    const property = all.find((one) => one.name === name);
    if (property === undefined && !EXTRA_CHECKS.includes(name)) {
      refuseUnknown(
        name,
        all.map((one) => one.name),
      );
    } else if (property === undefined || !isJudgeable(property)) {
      const text = `--property: ${name} is about all meetings that can be, and no recorded one can be judged by it`;
      throw createFailure(EXIT.usage, 'check/not-of-a-journal', text);
    }
  }
}

function refuseUnknown(name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  const meant = suggestWord(name, names);
  const help = meant === null ? ` (properties: ${names.join(', ')})` : `; did you mean "${meant}"?`;
  const text = `--property: there is no property ${JSON.stringify(name)}${help}`;
  throw createFailure(EXIT.usage, 'check/unknown-property', text);
}
