/** The flags of `glassbox check`: what they say, and which of them do not go together. */

import { suggestWord } from '../../actors/engine/suggestion.ts';
import { MOST_SEATS } from '../../machines/rules/options.ts';
import type { RuleSet } from '../../machines/types.ts';
import { EXTRA_CHECKS } from '../../proofs/checks/extraChecks.ts';
import { listAllProperties } from '../../proofs/checks/meetingSearch.ts';
import type { Combinations } from '../../proofs/models/closings.ts';
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
  '--game': ['--property', '--max-states', '--max-seconds', '--max-memory', '--trace', ...REPORTS],
  '--mutants': [...REPORTS, ...PAGES],
};

export function refuseContradictions(path: string | null, flags: CheckFlags): void {
  const { given, ghosts, players = [] } = flags;
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

function refuseUnknown(name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  const meant = suggestWord(name, names);
  const help = meant === null ? ` (properties: ${names.join(', ')})` : `; did you mean "${meant}"?`;
  const text = `--property: there is no property ${JSON.stringify(name)}${help}`;
  throw createFailure(EXIT.usage, 'check/unknown-property', text);
}
