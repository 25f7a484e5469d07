/** Cases: every verdict in one shape, for the reports that other programs read. */
import { isAsDeclared } from 'glass-box-checker';
import { counterexamples, tell } from './counterexample.ts';
import type { Covered } from './coverage.ts';
import type { History } from './history.ts';
import type { Run, Verdict } from './run.ts';

export const RESULTS = ['kept', 'broken', 'vacuous', 'incomplete'] as const;

export type Case = {
  /** What was checked: "house, 3 players", or a journal. */
  readonly suite: string;
  readonly name: string;
  readonly sentence: string;
  readonly result: (typeof RESULTS)[number];
  /** What was found; empty when there is nothing to say. */
  readonly text: string;
  readonly place: { readonly path: string; readonly line: number };
};

/** Where promises are written: a finding about the chart has no place of its own. */
const PROMISES = { path: 'proofs/properties/properties.ts', line: 1 } as const;

export function casesOf(runs: readonly Run[], coverage: Covered | null): readonly Case[] {
  // Where only the arbiter was asked nothing can be said of the meeting's chart.
  const isSearched = runs.some(({ searches }) => searches.length > 0);
  return [...runs.flatMap(runCases), ...(isSearched ? [coverageCase(coverage)] : [])];
}

function runCases(run: Run): readonly Case[] {
  const told = new Map(
    counterexamples(run).map((example) => [example.verdict.name, tell(example).join('\n')]),
  );
  return run.judged.map((verdict) => ({
    suite: run.model.name,
    name: verdict.name,
    sentence: verdict.sentence,
    result: resultOf(verdict),
    text: 'why' in verdict.verdict ? verdict.verdict.why : (told.get(verdict.name) ?? ''),
    place: PROMISES,
  }));
}

function resultOf(judged: Verdict): Case['result'] {
  if (isAsDeclared(judged)) return 'kept';
  const { type } = judged.verdict;
  return type === 'vacuous' || type === 'incomplete' ? type : 'broken';
}

function coverageCase(coverage: Covered | null): Case {
  const open = (coverage?.missing ?? []).filter(({ needs }) => needs === null);
  return {
    suite: 'coverage',
    name: 'chart-is-reached',
    sentence:
      'Every state and every transition of the chart is reached that can be in these worlds.',
    result: coverage === null ? 'incomplete' : open.length > 0 ? 'broken' : 'kept',
    text: coverage === null ? 'no search was closed' : open.map(({ what }) => what).join('\n'),
    place: { path: 'machines/charts/meeting.ts', line: 1 },
  };
}

/** The promises that spoke of a recorded meeting. One that did not speak is no test that was passed. */
export function historyCases(history: History): readonly Case[] {
  return history.judged
    .filter(({ applied }) => applied > 0)
    .map(({ name, sentence, finding }) => ({
      suite: history.path,
      name,
      sentence,
      result: finding === null ? 'kept' : 'broken',
      text: finding?.text ?? '',
      place: { path: history.path, line: finding?.line ?? 1 },
    }));
}
