/** Contradictions: flags that do not go together. Whoever gives one that would be ignored is told, and nothing runs. */
import { createFailure, EXIT } from '../exit.ts';
import type { CheckFlags } from './flags.ts';

const REPORTS = ['--json', '--junit', '--sarif'] as const;
const PAGES = ['--page', '--explore'] as const;

/** What is done instead of a search, and the flags that mean something then. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  '--journal': ['--property', ...REPORTS, ...PAGES],
  '--mutants': [...REPORTS, ...PAGES],
  '--selftest': ['--seed', ...REPORTS],
};

export function refuseContradictions(path: string | null, { given, ghosts }: CheckFlags): void {
  if (given.includes('--journal')) {
    refuse(path !== null, 'scenario-and-journal', () => {
      return `a scenario and --journal: expected one of them, found ${JSON.stringify(path)} too`;
    });
    refuse(given.includes('--trace'), 'trace-of-journal', () => {
      return '--trace writes what a search finds, and --journal makes none';
    });
  }
  for (const [mode, allowed] of Object.entries(INSTEAD)) {
    if (!given.includes(mode)) continue;
    refuse(path !== null, 'not-together', () => {
      return `${mode} brings its own tables: a scenario says nothing there, found ${JSON.stringify(path)}`;
    });
    const other = given.find((flag) => flag !== mode && !allowed.includes(flag));
    refuse(other !== undefined, 'not-together', () => {
      return `${mode} and ${other}: with ${mode} go only ${allowed.join(', ')}`;
    });
  }
  refuse(given.includes('--seed') && !given.includes('--selftest'), 'seed-of-nothing', () => {
    return '--seed is for --selftest: a search tries everything, and draws nothing';
  });
  refuse(path !== null && ghosts > 0, 'ghosts-of-scenario', () => {
    return '--ghosts: a scenario says itself who is dead';
  });
}

function refuse(isWrong: boolean, code: string, text: () => string): void {
  if (isWrong) throw createFailure(EXIT.usage, `check/${code}`, text());
}
