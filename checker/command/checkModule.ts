/** Checks the machine of a module. The command runs it as a child process and prints its last word. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { AnyStateMachine } from 'xstate';
import { MissingEvents } from '../bareEvents.ts';
import type { SearchProgress } from '../explore.ts';
import { createExplorerRun, listChartEdges, outlineChart } from '../explorerRun.ts';
import {
  createCase,
  createFaultCase,
  type ReportCase,
  renderJunit,
  writeVitest,
} from '../formats.ts';
import { Unhashable } from '../identity.ts';
import { checkInTurns, type MachineCheck, prepareMachine } from '../machine.ts';
import { DEFAULT_BUDGET, isAsDeclared, type SearchBudget } from '../model.ts';
import { describeProgress, SearchEstimate } from '../progress.ts';
import { renderReport, renderResult, renderTrace, sortByRun } from '../report.ts';
import { describeError } from '../stepper.ts';
import { writeSource, writeValue } from '../values.ts';
import {
  CommandFailure,
  createUnusable,
  createUsageFailure,
  EXIT_STATUS,
  FORMAT,
  type Verdict,
  writeFailure,
} from './failure.ts';
import { type LoadedQuestion, loadQuestion } from './load.ts';

const HELP = `Usage: glass-box-checker check <module> [options]

Visits every state that the machine of a module can reach, and judges every property that the module exports.

  --events <file>       events from outside: a JSON list of names or objects, or a module that exports "events" or
                        "world" (default: the module of the machine, or every event of the chart without a payload)
  --export <name>       name of the machine if the module exports several
  --input <json>        input of the machine
  --property <name>     check only this property; may be repeated
  --engine <engine>     compiled or xstate (default: compiled if possible)
  --max-states <n>      end the search after this many states (default: 1000000)
  --max-seconds <n>     end the search after this many seconds (default: 120)
  --coverage            exit with 4 if a part of the chart was never reached
  --json                print the result as one line of JSON
  --junit <file>        write the verdicts as JUnit XML
  --page <file>         write a page that explores the states, runs and refused events in a browser
  --test <file>         write the shortest violating run as a vitest test on plain XState
  --help, --version

A module may also export "properties" (a list), "outcomes", "input", "view", "codec", "snapshots", and "defaults" (false:
do not ask if the machine gets stuck or fails).
Ctrl-C ends the search and reports what it has covered. A second Ctrl-C exits at once.
Exit status: 0 as declared, 1 violated, 2 usage, 3 the machine cannot be checked, 4 a property never applied,
5 a budget or Ctrl-C ended the search.
`;

const FLAGS = {
  events: { type: 'string' },
  export: { type: 'string' },
  input: { type: 'string' },
  property: { type: 'string', multiple: true },
  engine: { type: 'string' },
  'max-states': { type: 'string' },
  'max-seconds': { type: 'string' },
  coverage: { type: 'boolean' },
  json: { type: 'boolean' },
  junit: { type: 'string' },
  page: { type: 'string' },
  test: { type: 'string' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const;

type CommandFlags = ReturnType<typeof readFlags>['values'];
type MachineFindings = MachineCheck<AnyStateMachine>;

const REMOVED: Readonly<Record<string, string>> = {
  '--checkpoint': 'search once, with a greater --max-states or --max-seconds',
  '--resume': 'search once, with a greater --max-states or --max-seconds',
  '--sarif': 'use --json or --junit',
};

function readFlags(words: readonly string[]) {
  for (const word of words) {
    const [flag = ''] = word.split('=');
    const instead = REMOVED[flag];
    if (instead === undefined) continue;
    throw new CommandFailure(EXIT_STATUS.usage, 'usage/removed', `${flag} was removed: ${instead}`);
  }
  try {
    return parseArgs({ args: [...words], options: FLAGS, allowPositionals: true });
  } catch (error) {
    const [text = ''] = describeError(error).split('. ');
    throw createUsageFailure(text.replace(/\.$/, ''));
  }
}

async function runCommand(words: readonly string[]): Promise<Verdict> {
  const { values: flags, positionals } = readFlags(words);
  if (flags.help === true) return print(HELP);
  if (flags.version === true) return print(`${readVersion()}\n`);
  const [command, path, ...more] = positionals;
  if (command !== 'check' || path === undefined || more.length > 0) {
    const given = positionals.length === 0 ? 'nothing' : positionals.join(' ');
    throw createUsageFailure(`expected "check" and one module, found ${given}`);
  }
  const budget = {
    ...DEFAULT_BUDGET,
    states: readCount(flags, 'max-states') ?? DEFAULT_BUDGET.states,
    seconds: readCount(flags, 'max-seconds') ?? DEFAULT_BUDGET.seconds,
  };
  await keepTelling({ mostSilentSeconds: budget.seconds + GRACE_SECONDS });
  const question = await loadQuestion(path, flags);
  const found = await checkLoaded(path, question, flags, budget);
  const exit = chooseExit(found, flags);
  if (flags.junit !== undefined)
    writeFile(flags.junit, renderJunit(listCases(found), 'glass-box-checker'));
  if (flags.test !== undefined) writeTest(flags.test, { path, question, found });
  if (flags.page !== undefined) writePage(flags.page, { path, question, found }, exit);
  if (flags.json === true) return print(`${writeValue(createResultLine(found, exit))}\n`, exit);
  return print(`${renderFindings(question, found)}\n`, exit);
}

async function checkLoaded(
  path: string,
  { machine, ...question }: LoadedQuestion,
  flags: CommandFlags,
  budget: SearchBudget,
): Promise<MachineFindings> {
  const { engine, property: only } = flags;
  if (engine !== undefined && engine !== 'compiled' && engine !== 'xstate')
    throw createUsageFailure(`expected --engine compiled or xstate, found ${engine}`);
  const names = question.properties.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw createUsageFailure(
      `expected a property of ${path} (${names.map((name) => `"${name}"`).join(', ')}), found "${unknown}"`,
    );
  }
  const { signal, stop } = listenForInterruption();
  const line = createProgressLine(path);
  try {
    return await checkInTurns(machine, {
      ...{ ...question, budget, signal, onProgress: line.show, only: only ?? null },
      engine: engine ?? 'compiled',
      keepsGraph: flags.page !== undefined,
    });
  } catch (error) {
    if (error instanceof MissingEvents) throw createUsageFailure(error.message);
    if (error instanceof Unhashable) throw createUnusable(error.message, error.code);
    // An error of the machine is a finding. This one comes from the functions around it.
    const text = `a property, the world or the codec of ${path} threw: ${describeError(error)}`;
    throw createUnusable(text, 'model/threw');
  } finally {
    line.clear();
    stop();
  }
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** The first signal ends the search. Later ones have their usual effect. */
function listenForInterruption(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const interruption = new AbortController();
  const stop = () => {
    for (const name of STOP_SIGNALS) process.off(name, abort);
  };
  const abort = () => {
    stop();
    interruption.abort();
  };
  for (const name of STOP_SIGNALS) process.on(name, abort);
  return { signal: interruption.signal, stop };
}

function createProgressLine(title: string) {
  const { stderr } = process;
  if (stderr.isTTY !== true) return { show: null, clear: () => {} };
  const estimate = new SearchEstimate();
  return {
    show: (progress: SearchProgress) => {
      const text = `${title}: ${describeProgress(progress, estimate)}`;
      stderr.write(`${CLEAR_LINE}${text.slice(0, Math.max(1, (stderr.columns || 80) - 1))}`);
    },
    clear: () => void stderr.write(CLEAR_LINE),
  };
}

const CLEAR_LINE = '\r\u001B[K';

function readCount(flags: CommandFlags, name: 'max-states' | 'max-seconds'): number | null {
  const text = flags[name];
  if (text === undefined) return null;
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count > 0) return count;
  throw createUsageFailure(`expected --${name} to be a whole number above 0, found ${text}`);
}

function chooseExit(
  { results, broken, coverage, ended }: MachineFindings,
  flags: CommandFlags,
): number {
  const open = results.filter((result) => !isAsDeclared(result));
  const isOpen = (type: string) => open.some(({ verdict }) => verdict.type === type);
  if (broken !== null) return EXIT_STATUS.unusable;
  // A property that was expected to be violated but was proved is not as declared either.
  if (isOpen('violated') || isOpen('proved')) return EXIT_STATUS.violated;
  if (isOpen('incomplete') || ended !== null) return EXIT_STATUS.incomplete;
  const isWhole = coverage.unreached.length === 0 && coverage.untaken.length === 0;
  if (isOpen('vacuous') || (flags.coverage === true && !isWhole)) return EXIT_STATUS.gate;
  return EXIT_STATUS.asDeclared;
}

function renderFindings(question: LoadedQuestion, found: MachineFindings): string {
  const { hasProperties, input } = question;
  const isStuck = found.results.some(
    (one) => one.kind === 'deadlock-free' && one.verdict.type === 'violated' && !isAsDeclared(one),
  );
  const isUnstarted = found.broken?.code === 'machine/threw' && found.states === 0;
  const notes = [
    hasProperties || 'the module exports no "properties", so only these were checked',
    !isUnstarted ||
      input !== undefined ||
      'if the machine needs an input: --input <json>, or an export "input"',
    !isStuck ||
      'if the machine may end where it gets stuck: give that state the type "final"; if an event is missing: list it',
    !/ states$/.test(found.ended ?? '') ||
      'if a counter or a list grows for ever: bound its events with "world", or leave it out with "view"',
  ].flatMap((note) => (note === true ? [] : `  (${note})`));
  const warnings = found.warnings.map((text) => `  warning: ${text}`);
  return [renderReport(found), ...notes, ...warnings].join('\n');
}

function createResultLine(found: MachineFindings, exit: number): object {
  const { graph: _, results, ...rest } = found;
  const properties = results.map((result) => ({ ...result, asDeclared: isAsDeclared(result) }));
  return { type: 'check.result', v: FORMAT, exit, ...rest, properties };
}

function listCases({ model, results, broken }: MachineFindings): readonly ReportCase[] {
  const judged = results.map((result) =>
    createCase(model, result, renderResult(result).join('\n').trim()),
  );
  if (broken === null) return judged;
  const text = [broken.message, ...renderTrace(broken.trace)].join('\n');
  return [createFaultCase(model, broken.code, text), ...judged];
}

type CheckedModule = {
  readonly path: string;
  readonly question: LoadedQuestion;
  readonly found: MachineFindings;
};

function writeTest(file: string, { path, question, found }: CheckedModule): void {
  const [worst] = sortByRun(found.results.filter((result) => !isAsDeclared(result)));
  const { trace } = worst?.verdict.type === 'violated' ? worst.verdict : { trace: null };
  if (worst === undefined || trace?.steps === undefined) return;
  const run = { title: `a run that violates: ${worst.sentence}`, steps: trace.steps };
  writeFile(file, writeVitest([run], nameModule(file, { path, question })));
}

function nameModule(file: string, { path, question }: Pick<CheckedModule, 'path' | 'question'>) {
  const to = relative(dirname(resolve(file)), resolve(path)).replaceAll('\\', '/');
  const module = to.startsWith('.') ? to : `./${to}`;
  return { module, machine: question.exportedAs, source: writeSource(question.input) };
}

function writePage(file: string, checked: CheckedModule, exit: number): void {
  const { question, found } = checked;
  const { machine } = question;
  const { model } = prepareMachine(machine, question);
  const odd = found.results.filter((result) => !isAsDeclared(result)).length;
  const report = {
    ...{ v: 1, about: 'machine', title: found.model, exit, mutants: [] },
    conclusion: found.broken?.message ?? (odd === 0 ? 'as declared' : `${odd} not as declared`),
    runs: [createExplorerRun(model, found, { key: 'machine', showsContext: true })],
    charts: [listChartEdges(machine)],
    outline: outlineChart(machine),
    module: nameModule(file, checked),
  };
  const packed = gzipSync(writeValue(report)).toString('base64');
  const data = `<script type="application/octet-stream" id="report">${packed}</script>`;
  writeFile(
    file,
    readPage().replace('<!-- source -->', () => data),
  );
}

/** The page that was built when the package was packed. In the repository `npm ci` builds it. */
function readPage(): string {
  try {
    const built = import.meta.url.endsWith('.ts') ? '../dist/explorer.html' : '../explorer.html';
    return readFileSync(new URL(built, import.meta.url), 'utf8');
  } catch (error) {
    const text = `the explorer page of this package is missing: ${describeError(error)}. In the repository, build it with: node visualizer/page/build/prepare.ts`;
    throw new CommandFailure(EXIT_STATUS.internal, 'internal/no-page', text);
  }
}

/** Replaces a file in one step, so a full disk leaves the old one. Devices and pipes are written to directly. */
function writeFile(path: string, content: string): void {
  const part = `${path}.part`;
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    const isFile = there?.isFile() ?? true;
    const old = isFile && there !== undefined ? readFileSync(path, 'utf8') : '';
    if (old !== '' && !old.startsWith(content.slice(0, KIND_LETTERS)))
      throw new Error('it is there and was not written by this command');
    rmSync(part, { force: true });
    writeFileSync(isFile ? part : path, content, { flag: isFile ? 'wx' : 'w', flush: isFile });
    if (isFile) renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    const [why = ''] = describeError(error).split(',');
    const text = `cannot write the output to ${path}: ${why}`;
    throw new CommandFailure(EXIT_STATUS.cannotWrite, 'output/cannot-write', text);
  }
}

/** Enough letters to tell a page, XML and a test apart. */
const KIND_LETTERS = 4;

/** The compiled file is one directory deeper. */
function readVersion(): string {
  const up = import.meta.url.endsWith('.ts') ? '../package.json' : '../../package.json';
  const { version } = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8'));
  return version;
}

function print(out: string, exit: number = EXIT_STATUS.asDeclared): Verdict {
  return { exit, out, err: '' };
}

function fail(error: unknown): Verdict {
  if (error instanceof CommandFailure) return writeFailure(error, words);
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const unexpected = new CommandFailure(EXIT_STATUS.internal, 'internal/unexpected', text);
  return writeFailure(unexpected, words);
}

/** How long a function may run when the search should have ended. */
const GRACE_SECONDS = 5;

/** Tells the parent twice a second that no function of the module runs for ever. */
function keepTelling(message: { readonly mostSilentSeconds: number }): Promise<void> {
  setInterval(() => process.send?.(message), 500).unref();
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(message, () => resolve());
  });
}

/** Hands the last word to the parent and ends, whatever the module keeps running. */
function conclude(verdict: Verdict): void {
  process.send?.({ glassBoxChecker: verdict }, () => process.exit());
}

/** A module may fail on its own after it was imported. */
function refuseStray(error: unknown): void {
  const text = `something in the module threw outside of the machine: ${describeError(error)}`;
  conclude(writeFailure(createUnusable(text, 'model/threw'), words));
}

const words = process.argv.slice(2);
process.on('uncaughtException', refuseStray).on('unhandledRejection', refuseStray);
process.on('disconnect', () => process.exit());
// A module that waits for ever ends when nothing else is left to do.
process.channel?.unref();
runCommand(words).then(conclude, (error: unknown) => conclude(fail(error)));
