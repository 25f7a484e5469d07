/** `glassbox verify`: verifies a bundle, a league or journals. */
import { type Command, InvalidArgumentError } from 'commander';
import manifest from '#manifest' with { type: 'json' };
import { createFailure, EXIT, type ExitCode, nameOf } from '../actors/files/failure.ts';
import {
  beginsLikeJournal,
  findEntry,
  openLeague,
  openText,
  readStart,
} from '../actors/files/openFiles.ts';
import { isRedisUrl } from '../actors/stores/open.ts';
import type { SampledVerification } from '../analysis/league/storedLeague.ts';
import { pluralize } from '../machines/text.ts';
import { writeEngineVersion } from '../machines/versions.ts';
import { addOutletFlags, createStoreOption, listTyped, parseCount, parseJobs } from './flags.ts';
import { cleanLines, print, printJson, printNote } from './output.ts';
import { createProgressLine } from './progress.ts';
import { commandLine, type ProgramCommand } from './usage.ts';
import type { JournalFlags } from './verifyJournals.ts';

type VerifyFlags = JournalFlags & {
  readonly jobs?: number;
  readonly store?: string;
  readonly journals?: string;
  readonly seed?: number;
  readonly discard?: boolean;
  readonly quiet?: boolean;
};

type Thing = 'bundle' | 'exam' | 'league' | 'journal';

const FLAGS: Readonly<Record<Thing, readonly string[]>> = {
  bundle: ['--jobs', '--json', '--quiet'],
  exam: ['--json', '--quiet'],
  league: ['--store', '--journals', '--replay', '--seed', '--discard', '--json', '--quiet'],
  journal: ['--replay', '--property', '--junit', '--page', '--explore', '--json', '--quiet'],
};

const MOST_REPLAYS = 1_000_000;
const MOST_SEEDS = 2 ** 32 - 1;
const STANDARD_INPUT = '-';

export function addVerify(program: ProgramCommand): void {
  const command = program
    .command('verify')
    .description(
      'Checks a bundle of "benchmark", an exam, a league or journals without a key and without the network, and names what was edited. Recorded games are played again and compared byte for byte. Meetings are also judged by the properties that "check" proves.',
    )
    .argument(
      '[things...]',
      'a bundle (a folder or its JSON file), the JSON of an exam of "doctor", a league (its name, its YAML file or its store), or journals (files, folders, or - for standard input); without one, the only league of the store',
    );
  addFlags(command)
    .examples(
      ['verify journals/a.jsonl', 'identical, or where it differs'],
      ['verify journals/run-1 --json', 'all games of a run, for a program'],
      ['verify benchmarks/gpt-5-mini', 'is this bundle what it says?'],
      ['verify spring --replay all', 'a league, every game played again'],
    )
    .action(async (things: readonly string[], flags: VerifyFlags) => {
      process.exitCode = await verifyThings(things, flags, listTyped(command));
    });
}

function addFlags<C extends Command>(command: C): C {
  command
    .option('--jobs <n>', 'threads for a bundle (default: one for each processor)', parseJobs)
    .addOption(createStoreOption())
    .option('--journals <folder>', 'the folder with the journals of a league')
    .option(
      '--replay <n>',
      'games of a league to play again, or all (default: 20); 0 judges journals without a replay',
      parseReplays,
    )
    .option('--seed <n>', 'draws the games of a league to play again', parseCount(0, MOST_SEEDS))
    .option('--discard', 'remove wrong results of a league, so that their games are played again')
    .option('--property <name...>', 'judge meetings by these properties only');
  return addOutletFlags(command, 'the meetings', 'the verdicts on meetings')
    .option('--json', 'print the findings as JSON')
    .option('-q, --quiet', 'no progress');
}

function parseReplays(text: string): number | 'all' {
  if (text === 'all') return 'all';
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('expected a whole number, or all.');
  return parseCount(0, MOST_REPLAYS)(text);
}

async function verifyThings(
  things: readonly string[],
  flags: VerifyFlags,
  given: readonly string[],
): Promise<ExitCode> {
  const [first, second] = things;
  // Standard input and pipes can be read only once.
  const isStream = first === STANDARD_INPUT || (first && findEntry(first) === 'pipe');
  const text = isStream && second === undefined ? await openText(first, 'journal') : null;
  const thing = first === undefined ? 'league' : await recognise(first, text);
  const other = given.find((flag) => !FLAGS[thing].includes(flag));
  if (other !== undefined) {
    const refusal = `${other} means nothing for a ${thing} (${FLAGS[thing].join(', ')})`;
    throw createFailure(EXIT.usage, 'verify/other-flag', refusal);
  }
  if (thing === 'journal') {
    const { readJournal } = await import('../actors/engine/journal/reader.ts');
    const { verifyJournals } = await import('./verifyJournals.ts');
    return await verifyJournals(things, flags, text === null ? null : readJournal(text));
  }
  if (second !== undefined) {
    const refusal = `expected one ${thing}, found ${things.length} things; several are possible for journals only`;
    throw createFailure(EXIT.usage, 'verify/one-thing', refusal);
  }
  if (thing === 'bundle') return await verifyBundle(first ?? STANDARD_INPUT, text, flags);
  if (thing === 'exam') return await verifyExamOf(first ?? STANDARD_INPUT, flags);
  return await verifyLeague(first, flags);
}

/** The kind of thing that a word names. Anything else counts as a journal. */
async function recognise(word: string, text: string | null): Promise<Thing> {
  if (text !== null) return BUNDLE_START.test(text) ? 'bundle' : 'journal';
  if (word === STANDARD_INPUT) return 'journal';
  if (isRedisUrl(word)) return 'league';
  const entry = findEntry(word);
  if (entry === 'folder')
    return findEntry(`${word}/bundle.json`) === 'nothing' ? 'journal' : 'bundle';
  if (entry === 'nothing' && !/[/.]/.test(word)) return 'league';
  // The error of this kind describes a missing file best.
  if (entry !== 'file') return word.endsWith('.json') ? 'bundle' : 'journal';
  if (/\.jsonl(\.gz|\.zst)?$/.test(word) || (await beginsLikeJournal(word))) return 'journal';
  if (/\.ya?ml$/.test(word) || readStart(word, SQLITE.length) === SQLITE) return 'league';
  if (readStart(word, EXAM.length) === EXAM) return 'exam';
  return readStart(word, 1) === '{' || word.endsWith('.json') ? 'bundle' : 'journal';
}

/** A complete bundle has one field per line. An incomplete one begins with its benchmark. */
const BUNDLE_START = /^\{(?:\n|"benchmark")/;

/** The beginning of what `doctor --exam --json` prints. */
const EXAM = '{"type":"doctor.exam"';

/** The beginning of a league store, which is an SQLite database. */
const SQLITE = 'SQLite format 3\0';

async function verifyBundle(
  path: string,
  text: string | null,
  { jobs, json = false, quiet = false }: VerifyFlags,
): Promise<ExitCode> {
  const { openBundle, verifyOpenedBundle } = await import('../analysis/benchmark/bundleFolder.ts');
  const { openInspectors } = await import('../analysis/benchmark/inspectors.ts');
  const { abortOnStop } = await import('./stop.ts');
  const opened = await openBundle(path, text, manifest.version);
  using progress = createProgressLine();
  const stopped = abortOnStop('The verification stops');
  await using inspectors = openInspectors(jobs);
  const options = {
    inspectors,
    onProgress: (done: number, of: number) =>
      quiet ? undefined : progress.show(`${done} of ${of} games`),
    isStopped: () => stopped.aborted,
  };
  const { renderReport } = await import('../visualizer/report/files.ts');
  const writer = { engine: writeEngineVersion(manifest.version), renderReport };
  const verification = await verifyOpenedBundle(opened, options, writer);
  progress.clear();
  if (stopped.aborted) {
    printNote('Interrupted: this bundle was not verified.');
    return EXIT.interrupted;
  }
  const { bundle } = opened;
  if (json) {
    const { benchmark, tested, tables } = bundle;
    const { findings, scores, played, followed } = verification;
    const head = { type: 'bundle.verification', v: 1, bundle: path, benchmark, tested };
    printJson({ ...head, tables, played, followed, findings, scores });
  } else {
    const { renderVerification } = await import('../visualizer/terminal/benchmark.ts');
    print(renderVerification({ name: nameOf(path), bundle, verification }));
  }
  return verification.findings.length === 0 ? EXIT.done : EXIT.found;
}

async function verifyExamOf(path: string, { json = false }: VerifyFlags): Promise<ExitCode> {
  const { loadExam, verifyExam } = await import('../analysis/models/exam.ts');
  const exam = verifyExam(await openText(path, 'exam'), await loadExam());
  if (exam === null) {
    const text = `expected ${nameOf(path)} to be what "doctor --exam --json" has printed`;
    throw createFailure(EXIT.damaged, 'exam/not-an-exam', text);
  }
  const { findings, model, answers, samples, shares } = exam;
  if (json) printJson({ type: 'exam.verification', v: 1, exam: path, ...exam });
  else {
    const { renderExam } = await import('../visualizer/terminal/doctor.ts');
    const what = `${nameOf(model)}: ${pluralize(answers, 'answer')}, at most ${samples} to a moment.`;
    print(`${cleanLines(what)}\n${renderExam(shares)}`);
    for (const finding of findings) print(cleanLines(finding));
    const trust = 'Taken on trust: the answers, who gave them, and how many were asked for.';
    const verdict = findings.length === 0 ? 'Everything fits.' : 'These shares are counted anew.';
    print(`${verdict} ${trust}`);
  }
  return findings.length === 0 ? EXIT.done : EXIT.found;
}

async function verifyLeague(thing: string | undefined, given: VerifyFlags): Promise<ExitCode> {
  const { journalFolder } = await import('../actors/league/journals.ts');
  const { describeDiscarded, describeVerification, discardWrong, verifyStoredLeague } =
    await import('../analysis/league/storedLeague.ts');
  const { findPlan, LOOKING, withStore } = await import('../actors/league/leagueStore.ts');
  const { name, store: location } = await findLeague(thing, given.store);
  const flags = location === undefined ? given : { ...given, store: location };
  return await withStore(flags, LOOKING, async (store) => {
    const { replay, seed, quiet = false, json = false } = flags;
    const plan = await findPlan(store, name);
    const stored = { store, plan, folder: flags.journals ?? journalFolder(plan.league.name) };
    const progress = createProgressLine();
    const onProgress = (done: number, of: number) => {
      if (!quiet && !json) progress.show(`${done} of ${of} results verified`);
    };
    const verification = await verifyStoredLeague(stored, { replay, seed, onProgress });
    progress.clear();
    const discarded = flags.discard === true ? await discardWrong(stored, verification) : null;
    const problem = discarded?.problem ?? null;
    if (problem !== null) printNote(cleanLines(problem));
    if (json) {
      const games = (discarded?.slots ?? []).map((slot) => slot + 1);
      printJson({ type: 'league.verified', v: 1, ...verification, discarded: games });
    } else {
      print(cleanLines(describeVerification(verification, stored)));
      if (discarded !== null) print(cleanLines(describeDiscarded(verification, discarded)));
      else await advise(verification, flags);
    }
    return verification.findings.length === 0 ? EXIT.done : EXIT.found;
  });
}

async function findLeague(thing: string | undefined, store: string | undefined) {
  if (thing === undefined) return { name: undefined, store };
  if (isRedisUrl(thing)) return { name: undefined, store: thing };
  if (findEntry(thing) !== 'file') return { name: thing, store };
  if (!/\.ya?ml$/.test(thing)) return { name: undefined, store: thing };
  return { name: (await openLeague(thing)).name, store };
}

async function advise(
  verification: SampledVerification,
  { store, journals }: VerifyFlags,
): Promise<void> {
  const { listRepairs } = await import('../analysis/league/storedLeague.ts');
  const { leagueArguments } = await import('./league/show.ts');
  const place = leagueArguments(verification.league, store);
  const repairs = listRepairs(verification);
  if (repairs.journals) {
    const out = journals === undefined ? [] : ['--out', journals];
    const words = commandLine('league', 'fetch', ...place, ...out);
    printNote(cleanLines(`To write journals again, if the store has them:  ${words}`));
  }
  if (repairs.results) {
    const folder = journals === undefined ? [] : ['--journals', journals];
    const words = commandLine('verify', ...place, ...folder, '--discard');
    printNote(
      cleanLines(`To remove wrong results, so that their games are played again:  ${words}`),
    );
  }
}
