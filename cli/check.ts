/** `glassbox check`: proves the properties of the statechart, or finds a violation. */
import { InvalidArgumentError, Option } from 'commander';
import { createFailure, EXIT, type ExitCode, Failure } from '../actors/files/failure.ts';
import { MOST_SEATS } from '../machines/rules/optionRows.ts';
import { RULE_SETS } from '../machines/types.ts';
import type { CheckFindings, CheckQuestion } from '../proofs/checks/runCheck.ts';
import type { Combinations } from '../proofs/models/closings.ts';
import { wrapSentences } from '../visualizer/terminal/table.ts';
import type { OutletFlags } from './checkOutlets.ts';
import { addOutletFlags, listTyped, parseCount, parseDestination } from './flags.ts';
import { print, printJson, printNote, textWidth, toFailure } from './output.ts';
import { commandLine, type ProgramCommand } from './usage.ts';

type CheckFlags = CheckQuestion &
  OutletFlags & {
    readonly verbose?: boolean;
    /** The journal that a counterexample is written to. */
    readonly trace?: string;
    readonly json?: boolean;
  };

const REPORTS = ['--json', '--junit', '--page', '--explore'] as const;

/** Modes that replace the search of meetings, and the flags that each one accepts. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  '--game': ['--property', '--max-states', '--max-seconds', '--max-memory', '--trace', ...REPORTS],
  '--mutants': REPORTS,
};

/** One player alone has no one to vote for. */
const FEWEST_PLAYERS = 2;
const MOST_PLAYERS = 10;
const MOST_GHOSTS = 12;
/** About a gigabyte of states. */
const MAX_STATES = 2_000_000;
const parsePlayer = parseCount(FEWEST_PLAYERS, MOST_PLAYERS);
const parseLimit = parseCount(1, Number.MAX_SAFE_INTEGER);

/** Reads "4" or "3..6". */
function parsePlayers(text: string): readonly number[] {
  const [least = '', most = least, ...more] = text.split('..');
  const [first, last] = [parsePlayer(least), parsePlayer(most)];
  if (more.length > 0 || last < first) {
    throw new InvalidArgumentError(
      'expected a number of players from 2 to 10, or a range such as 3..6.',
    );
  }
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

export function addCheck(program: ProgramCommand): void {
  const command = program
    .command('check')
    .description(
      'Explores every way a meeting can go, and checks every property of it. With --game it searches whole games; with --mutants it checks the properties.',
    )
    .argument('[match]', 'a YAML file, or - for standard input; without one, a plain table');
  addWorld(command);
  addSearch(command);
  addOutput(command)
    .examples(
      ['check', 'three players, both rule sets'],
      ['check --verbose', 'the same, property by property'],
      ['check --players 6 --faults --departures 1', 'more players; takes minutes'],
      ['check --property ends --trace ends.jsonl', 'a meeting that never ends, to be watched'],
      ['check --explore', 'explore the findings in the browser'],
      ['check my.yaml --players 3', 'options and weights of your own'],
      ['check --interference', 'ghosts, thoughts and roles too'],
      ['check --game', 'whole games on a small ship'],
      ['check --mutants', 'which mutants the properties catch'],
    )
    .action(async (path: string | undefined, flags: CheckFlags) => {
      process.exitCode = await checkOnCommand(path ?? null, flags, listTyped(command));
    });
}

function addWorld(command: ProgramCommand): void {
  command
    .option('--players <n>', 'living players: a number, or a range such as 3..6', parsePlayers)
    .addOption(
      new Option('--rules <set>', 'rule set; without it both, or the one of the match').choices(
        RULE_SETS,
      ),
    )
    .option('--ghosts <n>', 'players who are dead from the start', parseCount(0, MOST_GHOSTS), 0)
    .option(
      '--departures <n>',
      'players who may leave (default: 1 up to 4 players, then 0)',
      parseCount(0, MOST_PLAYERS),
    )
    .option('--faults', 'minds may fail (default: up to 4 players)')
    .option('--no-faults', 'minds never fail')
    .addOption(
      new Option(
        '--combinations <which>',
        'what players hand in at once (default: all up to 3 players, then folded)',
      ).choices(['all', 'folded'] satisfies readonly Combinations[]),
    )
    .option('--stops', 'the operator may stop the run');
}

function addSearch(command: ProgramCommand): void {
  command
    .option('--property <name...>', 'check only these properties')
    .option('--max-states <n>', 'end a search after this many states', parseLimit, MAX_STATES)
    .option('--max-seconds <n>', 'end a search after this many seconds', parseLimit)
    .option('--max-memory <MB>', 'memory of the process at which a search ends', parseLimit)
    .option('--no-symmetry', 'treat players of one role as different')
    .option('--interference', 'check also the actors together, and that views hold no secret')
    .option('--game', 'check whole games on a small ship instead')
    .option('--mutants', 'break the meeting instead, and see which property fails');
}

function addOutput(command: ProgramCommand): ProgramCommand {
  command
    .option('--verbose', 'list every property, every search and every part not reached')
    .option('--trace <file>', 'write a counterexample as a journal', parseDestination);
  return addOutletFlags(command, 'the findings', 'the verdicts').option(
    '--json',
    'print the findings as NDJSON',
  );
}

async function checkOnCommand(
  path: string | null,
  flags: CheckFlags,
  given: readonly string[],
): Promise<ExitCode> {
  refuseContradictions(path, flags, given);
  const { openExhibition, openReports, secondPath, writeTrace } = await import('./checkOutlets.ts');
  const { json = false, trace } = flags;
  for (const place of trace === undefined ? [] : [trace, secondPath(trace)]) {
    const { refuseForeign, refuseOverJournal } = await import('../actors/files/newFiles.ts');
    refuseForeign(place, '--trace');
    refuseOverJournal(place);
  }
  const writeReports = openReports(flags);
  using shown = await openExhibition(flags);
  const findings = await findOut(path, flags, shown.isWanted);
  await writeReports(findings.cases);
  if (!json) printFindings(findings, flags);
  const traces = trace === undefined ? [] : await writeTrace(trace, findings);
  if (json) printJson(findings.resultLine(traces));
  else if (traces.length > 0)
    printNote(
      `\nWatch it: ${traces.map((path) => commandLine('watch', path)).join('\nand:      ')}`,
    );
  if (shown.isWanted) await shown.show(await findings.createPage());
  return findings.status;
}

async function findOut(
  path: string | null,
  flags: CheckFlags,
  keepsGraph: boolean,
): Promise<CheckFindings> {
  const { runCheck } = await import('../proofs/checks/runCheck.ts');
  const read =
    path === null
      ? null
      : { path, match: await (await import('../actors/files/openFiles.ts')).openMeeting(path) };
  const { abortOnStop } = await import('./stop.ts');
  const isSearch = !flags.game && !flags.mutants;
  const signal = isSearch ? abortOnStop(STOPPING) : new AbortController().signal;
  const { createSearchLine } = await import('./checkOutlets.ts');
  const { show, clear } = createSearchLine();
  const onPart = (line: object, text: string) => {
    clear();
    if (flags.json) printJson(line);
    else if (text !== '') print(wrapSentences(text, textWidth()));
  };
  try {
    return await runCheck(read, flags, { onPart, onProgress: show, signal, keepsGraph });
  } catch (error) {
    throw await refuse(error);
  }
}

const STOPPING = 'The search ends here and says what it has covered';
const GO_ON = 'To decide more, allow more states: --max-states.';
const NEXT = 'More: --verbose lists every property, --explore shows them in the browser.';

function printFindings({ render, isIncomplete }: CheckFindings, flags: CheckFlags): void {
  const { verbose: isVerbose = false, property, game, mutants } = flags;
  const isNamed = property !== undefined;
  const text = render({ isVerbose, isNamed, width: textWidth() });
  if (text !== '') print(mutants ? text : wrapSentences(text, textWidth()));
  if (isIncomplete) printNote(GO_ON);
  if (!(isVerbose || isNamed || game || mutants)) printNote(NEXT);
}

/** Refusals of proofs and the checker have their own codes. Any other error is a bug. */
async function refuse(error: unknown): Promise<Error> {
  const { RefusedConfiguration } = await import('../proofs/checks/meetingConfigurations.ts');
  if (error instanceof RefusedConfiguration) {
    return error.place === null
      ? new Failure(EXIT.usage, error.notes)
      : (await import('../actors/files/openFiles.ts')).refuseFile(error.place, error.notes);
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!(error instanceof Error) || !code.startsWith('model/')) return toFailure(error);
  return createFailure(EXIT.unusable, code, `this meeting can't be checked: ${error.message}`);
}

function refuseContradictions(
  path: string | null,
  { ghosts, players = [] }: CheckFlags,
  given: readonly string[],
): void {
  for (const [mode, allowed] of Object.entries(INSTEAD)) {
    if (!given.includes(mode)) continue;
    const other = given.find((flag) => flag !== mode && !allowed.includes(flag));
    refuseIf(
      path !== null,
      'not-together',
      `${mode} brings its own tables: a match says nothing there, found ${JSON.stringify(path)}`,
    );
    refuseIf(
      other !== undefined,
      'not-together',
      `${mode} and ${other}: with ${mode} go only ${allowed.join(', ')}`,
    );
  }
  const most = Math.max(0, ...players) + ghosts;
  const isMatch = path !== null;
  refuseIf(isMatch && ghosts > 0, 'ghosts-of-match', '--ghosts: a match says itself who is dead');
  refuseIf(
    ghosts > 0 && most > MOST_SEATS,
    'too-many-seats',
    `--players and --ghosts: expected at most ${MOST_SEATS} seats together, found ${most}`,
  );
}

function refuseIf(isWrong: boolean, code: string, text: string): void {
  if (isWrong) throw createFailure(EXIT.usage, `check/${code}`, text);
}
