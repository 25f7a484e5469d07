import { describeVerdict, type SearchProgress } from 'glass-box-checker';
import {
  listConfigurations,
  type MeetingConfiguration,
} from '../../proofs/checks/meetingConfigurations.ts';
import { type CheckRun, checkConfiguration } from '../../proofs/checks/meetingSearch.ts';
import { type MutantKill, toCheckRun, tryMutant } from '../../proofs/checks/mutation.ts';
import { RULE_MUTANTS } from '../../proofs/models/ruleMutants.ts';
import { listSteps, simulateJournal } from '../../proofs/traces/counterexample.ts';

const MS = 1000;

/** More than a table of three has in either rule set. */
const MOST_STATES = 3_000_000;

export async function proveMeetings(
  players: number,
  now: () => number,
  watch: (subject: MeetingConfiguration, progress: SearchProgress) => void,
) {
  const start = now();
  const runs: CheckRun[] = [];
  const request = { players: [players], ghosts: 0, departures: 0, faults: false };
  for (const subject of listConfigurations(null, request)) {
    runs.push(
      await checkConfiguration(subject, {
        only: null,
        keepsGraph: false,
        isSymmetric: true,
        budget: { states: MOST_STATES, seconds: Infinity, bytes: Infinity },
        now: () => now() / MS,
        memory: () => 0,
        onProgress: (progress) => watch(subject, progress),
      }),
    );
  }
  const searches = runs.flatMap(({ search }) => search ?? []);
  return {
    properties: runs.flatMap(listProved),
    states: searches.reduce((sum, { states }) => sum + states, 0),
    transitions: searches.reduce((sum, { transitions }) => sum + transitions, 0),
    seconds: (now() - start) / MS,
  };
}

function listProved({ subject, judged }: CheckRun) {
  return judged.map((result) => ({
    rules: subject.rules,
    name: result.name,
    sentence: result.sentence,
    /** As people say it: "proved", "violated as declared". */
    said: describeVerdict(result),
    verdict: result.verdict.type,
    asDeclared: result.verdict.type === result.expected,
  }));
}

export function listMistakes(): readonly string[] {
  return RULE_MUTANTS.map(({ name }) => name);
}

export function breakRule(
  mistake: string,
  now: () => number,
  onWorld: (world: string) => void = () => {},
) {
  const start = now();
  const mutant = RULE_MUTANTS.find(({ name }) => name === mistake);
  if (mutant === undefined) return null;
  const { fate } = tryMutant(mutant, '', onWorld);
  const seconds = (now() - start) / MS;
  if (fate === null) return { mistake, noticed: null, seconds };
  const { by: property, world, kill } = fate;
  const sentence = kill?.verdict.sentence ?? '';
  const run = kill === null ? NO_RUN : showRun(kill);
  return { mistake, noticed: { property, sentence, world, ...run }, seconds };
}

function showRun(kill: MutantKill) {
  const { verdict } = kill;
  // What should be seen some time and never is has no run to show.
  if (verdict.verdict.type !== 'violated' || verdict.verdict.trace.events.length === 0)
    return NO_RUN;
  const run = toCheckRun(kill);
  const { trace } = verdict.verdict;
  const { text, ends } = simulateJournal({ run, verdict, trace }, run.subject.match.options);
  const steps = listSteps({ run, verdict, trace }).map(({ happened, at, to, changes }, index) => {
    return { happened, at, to, changes, end: ends[index + 1] ?? 0 };
  });
  return { steps, journal: text };
}

const NO_RUN = { steps: [], journal: null };
