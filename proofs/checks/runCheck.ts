/** Runs a check from its question to its findings: of meetings, whole games or mutants. */
import type { SearchProgress } from 'glass-box-checker';
import type { ReportCase } from 'glass-box-checker/formats';
import { didYouMean } from '../../actors/engine/suggestion.ts';
import { realProcess } from '../../actors/ports/process.ts';
import { realTime } from '../../actors/ports/time.ts';
import type { MeetingMatch } from '../../machines/setup/match.ts';
import { createResultLine, createRunLine, listCases } from '../report/checkFormats.ts';
import type { ExplorerReport } from '../report/explorerReport.ts';
import { type CheckView, renderCheck } from '../report/renderCheck.ts';
import { describeGameScope, renderScope } from '../report/scope.ts';
import { listWorstJournals } from '../traces/counterexample.ts';
import { addExtraChecks, EXTRA_CHECKS } from './extraChecks.ts';
import type { CheckedGame } from './games.ts';
import {
  type CheckRequest,
  createMeetingModel,
  listAllProperties,
  listConfigurations,
  type MeetingConfiguration,
  RefusedConfiguration,
} from './meetingConfigurations.ts';
import { type CheckRun, checkConfiguration } from './meetingSearch.ts';
import {
  AS_IT_IS,
  listMutants,
  mutantCase,
  mutantFields,
  mutantLine,
  summarizeMutants,
  tryMutant,
} from './mutation.ts';
import { type CheckOutcome, judgeRuns, mergeCoverage } from './outcome.ts';

const CHECK_STATUS = { asDeclared: 0, found: 1, gate: 4, incomplete: 5 } as const;
type CheckStatus = (typeof CHECK_STATUS)[keyof typeof CHECK_STATUS];

export type CheckQuestion = CheckRequest & {
  readonly property?: readonly string[];
  readonly maxStates: number;
  readonly maxSeconds?: number;
  /** In megabytes. */
  readonly maxMemory?: number;
  readonly symmetry: boolean;
  readonly interference?: boolean;
  /** Checks whole games or mutants instead of meetings. */
  readonly game?: boolean;
  readonly mutants?: boolean;
};

export type CheckObserver = {
  /** Called for each finished run, game or mutant, with a JSON line and a text (empty for a run). */
  readonly onPart: (line: object, text: string) => void;
  /** Null without an audience. */
  readonly onProgress: ((title: string, progress: SearchProgress) => void) | null;
  readonly signal: AbortSignal;
  readonly keepsGraph: boolean;
};

export type CheckFindings = {
  readonly status: CheckStatus;
  readonly isIncomplete: boolean;
  readonly cases: readonly ReportCase[];
  /** The report as text. Games and mutants have already printed theirs. */
  readonly render: (view: CheckView) => string;
  /** The last JSON line, with the paths of the written journals. */
  readonly resultLine: (traces: readonly string[]) => object;
  /** The journals of the worst violation: one, or two to compare. A string says why there is none. */
  readonly writeJournals: () => Promise<readonly string[] | string>;
  readonly createPage: () => Promise<ExplorerReport>;
};

/** Runs a check. Throws a `RefusedConfiguration` for an invalid question. */
export async function runCheck(
  read: { readonly path: string; readonly match: MeetingMatch } | null,
  question: CheckQuestion,
  watch: CheckObserver,
): Promise<CheckFindings> {
  if (question.game) return await checkGames(question, watch);
  return question.mutants ? checkMutants(watch) : await checkMeetings(read, question, watch);
}

async function checkMeetings(
  read: Parameters<typeof listConfigurations>[0],
  question: CheckQuestion,
  watch: CheckObserver,
): Promise<CheckFindings> {
  const list = listConfigurations(read, question);
  const here = list.flatMap((subject) => createMeetingModel(subject).properties);
  const names = [...here.map(({ name }) => name), ...EXTRA_CHECKS];
  refuseUnasked(question.property ?? [], names);
  const runs: CheckRun[] = [];
  for (const subject of list) runs.push(await checkSubject(subject, question, watch));
  const coverage = mergeCoverage(runs);
  const found = judgeRuns(runs, coverage);
  const status = statusOf(found);
  return {
    status,
    isIncomplete: found.incomplete.length > 0,
    cases: listCases(runs, coverage),
    render: (view) => renderCheck(runs, coverage, found, view).join('\n'),
    resultLine: (traces) => createResultLine(runs, coverage, status, traces),
    writeJournals: () => listWorstJournals(runs),
    createPage: async () => {
      const { createSearchReport } = await import('../report/createExplorerReport.ts');
      return await createSearchReport({ runs, coverage, found, exit: status });
    },
  };
}

async function checkSubject(
  subject: MeetingConfiguration,
  question: CheckQuestion,
  { onPart, onProgress, signal, keepsGraph }: CheckObserver,
): Promise<CheckRun> {
  const title = `${subject.rules}, ${subject.players} players`;
  const options = {
    keepsGraph,
    only: question.property ?? null,
    isSymmetric: question.symmetry,
    ...searchLimits(question),
  };
  const show = onProgress === null ? null : (at: SearchProgress) => onProgress(title, at);
  const found = await checkConfiguration(subject, { ...options, signal, onProgress: show });
  const isInterference = question.interference === true;
  const run = signal.aborted ? found : await addExtraChecks(found, { ...options, isInterference });
  onPart(createRunLine(run), '');
  return run;
}

export function statusOf(found: CheckOutcome): CheckStatus {
  const { broken, kept, crashed, vacuous, unreached, incomplete } = found;
  const isFound = broken.length + kept.length + crashed.length > 0;
  return chooseStatus(isFound, vacuous.length + unreached.length > 0, incomplete.length > 0);
}

/** Violations decide first, then vacuous and unreached parts, then undecided properties. */
function chooseStatus(isFound: boolean, isGap: boolean, isIncomplete: boolean): CheckStatus {
  if (isFound) return CHECK_STATUS.found;
  if (isGap) return CHECK_STATUS.gate;
  return isIncomplete ? CHECK_STATUS.incomplete : CHECK_STATUS.asDeclared;
}

async function checkGames(
  question: CheckQuestion,
  { onPart, onProgress, keepsGraph }: CheckObserver,
): Promise<CheckFindings> {
  const games = await import('./games.ts');
  const { property } = question;
  for (const name of property ?? []) refuseUnknown(name, games.listGameProperties());
  let title = 'the game';
  const show = onProgress === null ? null : (at: SearchProgress) => onProgress(title, at);
  const checked: CheckedGame[] = [];
  const options = { ...searchLimits(question), onProgress: show, keepsGraph };
  for (const game of games.checkGames(property ?? null, options)) {
    title = `after ${game.name}`;
    checked.push(game);
    const line = { type: 'check.game', v: 1, ...games.gameFields(game) };
    onPart(line, games.renderCheckedGame(game).join('\n'));
  }
  const verdicts = checked.flatMap(({ found }) =>
    found.results.map(({ verdict, expected }) => (verdict.type === expected ? null : verdict.type)),
  );
  const isBroken = checked.some(({ found }) => found.broken !== null);
  const isFound = isBroken || verdicts.includes('violated') || verdicts.includes('proved');
  const isIncomplete = verdicts.includes('incomplete');
  const status = chooseStatus(isFound, verdicts.includes('vacuous'), isIncomplete);
  const fields = checked.map(games.gameFields);
  const scope = describeGameScope(checked);
  return {
    status,
    isIncomplete,
    cases: checked.flatMap(games.listGameCases),
    render: () => renderScope(scope).join('\n'),
    resultLine: ([trace = null]) => {
      return { type: 'check.result', v: 1, exit: status, scope, trace, games: fields };
    },
    writeJournals: async () => {
      const text = games.writeWorstGame(checked);
      return text === null ? NOTHING_VIOLATED : [text];
    },
    createPage: async () => {
      const { createGameReport } = await import('../report/createExplorerReport.ts');
      return createGameReport(checked, status);
    },
  };
}

const NOTHING_VIOLATED = 'No property is violated';

function checkMutants({ onPart }: CheckObserver): CheckFindings {
  const asItIs = tryMutant(AS_IT_IS);
  const { fate } = asItIs;
  const fates = (fate === null ? listMutants() : []).map((mutant) => {
    const one = tryMutant(mutant);
    onPart({ type: 'check.mutant', v: 1, ...mutantFields(one) }, mutantLine(one));
    return one;
  });
  const shown = fate === null ? fates : [asItIs];
  const isSurvived = fates.some((one) => one.fate === null);
  const status = chooseStatus(fate !== null, isSurvived, false);
  const sum = summarizeMutants(asItIs, fates);
  return {
    status,
    isIncomplete: false,
    cases: shown.map(mutantCase),
    render: () => sum,
    resultLine: () => {
      const broken = fate === null ? null : { by: fate.by, in: fate.world };
      const mutants = fates.map(mutantFields);
      return { type: 'check.result', v: 1, exit: status, broken, mutants };
    },
    writeJournals: async () => NOTHING_VIOLATED,
    createPage: async () => {
      const { createMutantReport } = await import('../report/createExplorerReport.ts');
      return createMutantReport(shown, sum.trim(), status);
    },
  };
}

function searchLimits({ maxStates, maxSeconds, maxMemory }: CheckQuestion) {
  // A process without memory dies without output, so the search ends earlier and reports its coverage.
  const safeBytes = Math.floor(realProcess.mostMemory() * SAFE_SHARE);
  return {
    budget: {
      states: maxStates,
      seconds: maxSeconds ?? Number.POSITIVE_INFINITY,
      bytes: maxMemory === undefined ? safeBytes : maxMemory * MEGABYTE,
    },
    now: () => realTime.now() / MS,
    memory: () => realProcess.memory(),
  };
}

/** Tables grow by doubling, which needs room for a copy. */
const SAFE_SHARE = 0.7;
const MS = 1000;
const MEGABYTE = 1_000_000;

function refuseUnasked(wanted: readonly string[], here: readonly string[]): void {
  const all = [...listAllProperties().map(({ name }) => name), ...EXTRA_CHECKS];
  for (const name of wanted) {
    if (here.includes(name)) continue;
    refuseUnknown(name, all);
    const text = `--property: ${name} never applies in this world. It needs --faults, --departures, --stops, a ghost or other rules`;
    throw new RefusedConfiguration(null, [{ code: 'check/not-in-this-world', text }]);
  }
}

function refuseUnknown(name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  const help = didYouMean(name, names, ` (properties: ${names.join(', ')})`);
  const text = `--property: there is no property ${JSON.stringify(name)}${help}`;
  throw new RefusedConfiguration(null, [{ code: 'check/unknown-property', text }]);
}
