/** A check from its flags to its exit status. */

import { realProcess } from '../../actors/ports/process.ts';
import { realTime } from '../../actors/ports/time.ts';
import { addExtraChecks, EXTRA_CHECKS } from '../../proofs/checks/extraChecks.ts';
import type { CheckedGame } from '../../proofs/checks/games.ts';
import {
  type CheckRun,
  checkConfiguration,
  createMeetingModel,
  listConfigurations,
  type MeetingConfiguration,
  RefusedConfiguration,
} from '../../proofs/checks/meetingSearch.ts';
import {
  AS_IT_IS,
  isAccountedFor,
  listMutants,
  mutantCase,
  mutantFields,
  mutantLine,
  summarizeMutants,
  type TriedMutant,
  tryMutant,
} from '../../proofs/checks/mutation.ts';
import { type CheckOutcome, judgeRuns, mergeCoverage } from '../../proofs/checks/outcome.ts';
import { createResultLine, createRunLine, listCases } from '../../proofs/report/checkFormats.ts';
import { renderCheck } from '../../proofs/report/renderCheck.ts';
import { findEdgeIds } from '../../visualizer/charts/chart.ts';
import { wrapSentences } from '../../visualizer/terminal/table.ts';
import { createFailure, EXIT, type ExitCode, Failure, toFailure } from '../exit.ts';
import { refuseForeign } from '../files.ts';
import { openMeeting, refuseFile } from '../input.ts';
import { cleanLines, print, printJson, printNote, textWidth } from '../output.ts';
import { listenForStop } from '../stop.ts';
import { commandLine } from '../usage.ts';
import { type CheckFlags, refuseContradictions, refuseUnasked, refuseUnplayed } from './flags.ts';
import {
  createSearchLine,
  type Outlets,
  openExhibition,
  openReports,
  secondPath,
  writeGameTrace,
  writeTrace,
} from './outlets.ts';

/** Searches whole games on the small ship; returns the exit status. */
async function runGames(flags: CheckFlags, { writeReports }: Outlets): Promise<ExitCode> {
  const games = await import('../../proofs/checks/games.ts');
  const { property, json = false } = flags;
  refuseUnplayed(property ?? [], games.listGameProperties());
  let title = 'the game';
  const { show, clear } = createSearchLine(() => title);
  const checked: CheckedGame[] = [];
  const options = { ...searchOptions(flags), onProgress: show };
  for (const game of games.checkGames(property ?? null, options)) {
    clear();
    title = `after ${game.name}`;
    checked.push(game);
    if (json) printJson({ type: 'check.game', v: 1, ...games.gameFields(game) });
    else print(wrapSentences(cleanLines(games.renderCheckedGame(game).join('\n')), textWidth()));
  }
  const exit = exitOfGames(checked);
  writeReports(checked.flatMap(games.listGameCases));
  const text = flags.trace === undefined ? null : games.writeWorstGame(checked);
  if (flags.trace !== undefined) writeGameTrace(flags.trace, text);
  if (json) {
    const trace = text === null ? null : flags.trace;
    const all = checked.map(games.gameFields);
    printJson({ type: 'check.result', v: 1, exit, trace, games: all });
  } else if (flags.trace !== undefined && text !== null)
    printNote(`\nWatch it: ${commandLine('watch', flags.trace)}`);
  return exit;
}

function exitOfGames(checked: readonly CheckedGame[]): ExitCode {
  const verdicts = checked.flatMap(({ found }) =>
    found.results.map(({ verdict, expected }) => (verdict.type === expected ? null : verdict.type)),
  );
  const isBroken = checked.some(({ found }) => found.broken !== null);
  if (isBroken || verdicts.includes('violated') || verdicts.includes('proved')) return EXIT.found;
  if (verdicts.includes('vacuous')) return EXIT.gate;
  return verdicts.includes('incomplete') ? EXIT.incomplete : EXIT.done;
}

/** Tries every mutant and says what became of it; returns the exit status. */
async function runMutants(
  { json = false }: CheckFlags,
  { writeReports, shown }: Outlets,
): Promise<ExitCode> {
  const asItIs = tryMutant(AS_IT_IS);
  const all = asItIs.fate === null ? listMutants() : [];
  const fates = all.map((mutant) => {
    const one = tryMutant(mutant);
    if (json) printJson({ type: 'check.mutant', v: 1, ...mutantFields(one) });
    else print(mutantLine(one));
    return one;
  });
  const exit = exitOfMutants(asItIs, fates);
  writeReports(asItIs.fate === null ? fates.map(mutantCase) : [mutantCase(asItIs)]);
  if (json) {
    const broken = asItIs.fate === null ? null : { by: asItIs.fate.by, in: asItIs.fate.world };
    printJson({ type: 'check.result', v: 1, exit, broken, mutants: fates.map(mutantFields) });
  } else print(summarizeMutants(asItIs, fates));
  if (shown.isWanted) {
    const { createMutantReport } = await import('../../proofs/report/createExplorerReport.ts');
    const all = asItIs.fate === null ? fates : [asItIs];
    await shown.show(
      createMutantReport(all, summarizeMutants(asItIs, fates).trim(), exit, findEdgeIds),
    );
  }
  return exit;
}

function exitOfMutants(asItIs: TriedMutant, fates: readonly TriedMutant[]): ExitCode {
  if (asItIs.fate !== null) return EXIT.found;
  return fates.every(isAccountedFor) ? EXIT.done : EXIT.gate;
}

/** Checks a match or a plain table, or journals; returns the exit status. */
export async function runCheck(path: string | null, flags: CheckFlags): Promise<ExitCode> {
  refuseContradictions(path, flags);
  if (flags.trace !== undefined) {
    for (const place of [flags.trace, secondPath(flags.trace)]) refuseForeign(place, '--trace');
  }
  const writeReports = openReports(flags);
  const shown = await openExhibition(flags);
  try {
    if (flags.game) return await runGames(flags, { writeReports, shown });
    if (flags.mutants) return await runMutants(flags, { writeReports, shown });
    return await search(path, flags, { writeReports, shown });
  } finally {
    shown.close();
  }
}

async function search(
  path: string | null,
  flags: CheckFlags,
  { writeReports, shown }: Outlets,
): Promise<ExitCode> {
  const match = path === null ? null : { path, match: await openMeeting(path) };
  const list = configurationsFor(match, flags);
  refuseUnasked(flags.property ?? [], list.flatMap(listPropertyNames));
  const runs = await runAll(list, flags, shown.isWanted);
  const coverage = mergeCoverage(runs);
  const found = judgeRuns(runs, coverage);
  const exit = exitOf(found);
  writeReports(listCases(runs, coverage));
  if (!flags.json) {
    const { verbose: isVerbose = false, property } = flags;
    const view = { isVerbose, isNamed: property !== undefined, width: textWidth() };
    const lines = renderCheck(runs, coverage, found, view);
    print(wrapSentences(lines.join('\n'), textWidth()));
    if (!isVerbose && !view.isNamed) {
      printNote(found.incomplete.length > 0 ? `${GO_ON}\n${NEXT}` : NEXT);
    }
  }
  const traces = flags.trace === undefined ? [] : await writeTrace(flags.trace, runs);
  if (flags.json) printJson(createResultLine(runs, coverage, exit, traces));
  else if (traces.length > 0)
    printNote(
      `\nWatch it: ${traces.map((path) => commandLine('watch', path)).join('\nand:      ')}`,
    );
  if (shown.isWanted) {
    const { createSearchReport } = await import('../../proofs/report/createExplorerReport.ts');
    await shown.show(await createSearchReport({ runs, coverage, found, exit }, findEdgeIds));
  }
  return exit;
}

/** What was found decides first, then what says too little, then what was not decided. */
export function exitOf({
  broken,
  kept,
  crashed,
  vacuous,
  unreached,
  incomplete,
}: CheckOutcome): ExitCode {
  if (broken.length > 0 || kept.length > 0 || crashed.length > 0) return EXIT.found;
  if (vacuous.length > 0 || unreached.length > 0) return EXIT.gate;
  return incomplete.length > 0 ? EXIT.incomplete : EXIT.done;
}

function configurationsFor(...request: Parameters<typeof listConfigurations>) {
  try {
    return listConfigurations(...request);
  } catch (error) {
    if (!(error instanceof RefusedConfiguration)) throw error;
    if (error.place === null) throw new Failure(EXIT.usage, error.notes);
    throw refuseFile(error.place, error.notes);
  }
}

function listPropertyNames(subject: MeetingConfiguration): readonly string[] {
  return [...createMeetingModel(subject).properties.map(({ name }) => name), ...EXTRA_CHECKS];
}

async function runAll(
  list: readonly MeetingConfiguration[],
  flags: CheckFlags,
  keepsGraph: boolean,
): Promise<readonly CheckRun[]> {
  const interruption = new AbortController();
  const { signal } = interruption;
  const options = {
    keepsGraph,
    only: flags.property ?? null,
    isSymmetric: flags.symmetry,
    ...searchOptions(flags),
  };
  let title = '';
  const { show, clear } = createSearchLine(() => title);
  listenForStop({ sink: null, isReal: false, words: STOPPING })({
    stop: () => interruption.abort(),
  });
  try {
    const runs: CheckRun[] = [];
    for (const subject of list) {
      title = `${subject.rules}, ${subject.players} players`;
      const found = await checkConfiguration(subject, { ...options, signal, onProgress: show });
      const isInterference = flags.interference === true;
      const done = signal.aborted ? found : addExtraChecks(found, { ...options, isInterference });
      clear();
      if (flags.json) printJson(createRunLine(done));
      runs.push(done);
    }
    return runs;
  } catch (error) {
    throw refuseModel(error);
  }
}

const GO_ON = 'To decide more, allow more states: --max-states.';

const NEXT = 'More: --verbose lists every property, --explore shows them in the browser.';

const STOPPING = 'The search ends here and says what it has covered';

/** How far a search may go, and by which clock. */
function searchOptions(flags: CheckFlags) {
  return {
    budget: {
      states: flags.maxStates,
      seconds: flags.maxSeconds ?? Number.POSITIVE_INFINITY,
      bytes: flags.maxMemory === undefined ? safeMemory() : flags.maxMemory * MEGABYTE,
    },
    now: () => realTime.now() / MS,
    memory: () => realProcess.memory(),
  };
}

/** A process that runs out of memory dies without a word; a search that ends before says what it has covered. */
function safeMemory(): number {
  const megabytes = Math.floor((realProcess.mostMemory() * SAFE_SHARE) / MEGABYTE);
  return megabytes * MEGABYTE;
}

/** What is kept grows by doubling, and is copied as it does. */
const SAFE_SHARE = 0.7;
const MS = 1000;
const MEGABYTE = 1_000_000;

/** What the checker refuses has a code of its own; all else is a mistake of this program. */
function refuseModel(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!(error instanceof Error) || !code.startsWith('model/')) return toFailure(error);
  return createFailure(EXIT.unusable, code, `this meeting can't be checked: ${error.message}`);
}
