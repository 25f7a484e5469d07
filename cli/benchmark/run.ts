/** A run of the benchmark: the tested mind, the forecast and the bundle. */
import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import manifest from '#manifest' with { type: 'json' };
import {
  createFailure,
  describeSystemError,
  EXIT,
  type ExitCode,
  Failure,
  nameOf,
  shorten,
} from '../../actors/files/failure.ts';
import { findEntry, isThere, openBundleText } from '../../actors/files/openFiles.ts';
import { JournalLost, listJournals, prepareFolder } from '../../actors/league/journals.ts';
import type { ModelResources } from '../../actors/league/models.ts';
import type { LeagueTerms } from '../../actors/league/plan.ts';
import { type MindChoice, overrideSeats } from '../../actors/minds/openai/seats.ts';
import { realDisk } from '../../actors/ports/disk.ts';
import { InMemoryStore } from '../../actors/stores/inMemory.ts';
import { lockFile } from '../../actors/stores/sqlite.ts';
import {
  BUNDLE_FILE,
  type Bundle,
  type BundleFile,
  type BundleGame,
  JOURNALS,
  type OpenBundle,
  readBundle,
  sealBundle,
  toCompact,
  writeBundle,
} from '../../analysis/benchmark/bundle.ts';
import {
  describeTested,
  hashPlan,
  isOffline,
  makeTable,
  nameTested,
  type TestedMind,
} from '../../analysis/benchmark/definition.ts';
import { type BenchmarkForecast, forecastBenchmark } from '../../analysis/benchmark/forecast.ts';
import { openInspectors } from '../../analysis/benchmark/inspectors.ts';
import { type LostBenchmarkGame, playBenchmark } from '../../analysis/benchmark/play.ts';
import { scoreTables } from '../../analysis/benchmark/scores.ts';
import { BENCHMARK, MOST_TABLES } from '../../analysis/benchmark/sizes.ts';
import { counting } from '../../analysis/league/tally.ts';
import { isOwn, isSlow } from '../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import { TEMPERAMENTS, type Temperament } from '../../machines/types.ts';
import { writeEngineVersion } from '../../machines/versions.ts';
import { PERSONAS } from '../../prompts/personas.ts';
import { renderScores } from '../../visualizer/terminal/benchmark.ts';
import type { ModelFlags } from '../flags.ts';
import {
  createLoadingNotes,
  findModelProblems,
  notePriceAge,
  openMemory,
  openPrices,
} from '../models.ts';
import { cleanLines, print, printJson, printNote } from '../output.ts';
import { createCountProgress } from '../progress.ts';
import { listenForStop } from '../stop.ts';
import { commandLine } from '../usage.ts';
import { writeBundleFiles } from './files.ts';

export type BenchmarkFlags = ModelFlags & {
  readonly games: number;
  /** A temperament of the pool, or the name of its persona. */
  readonly persona?: string;
  readonly mind?: MindChoice;
  readonly name?: string;
  readonly out?: string;
  readonly compact?: boolean;
  readonly jobs?: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
};

/** The tested mind, and its seat with the endpoint, which no bundle has. */
type TestedSeat = { readonly tested: TestedMind; readonly seat: MatchSeat | null };

/** Plays the missing games and writes the bundle; returns the exit status. */
export async function runBenchmark(flags: BenchmarkFlags): Promise<ExitCode> {
  const candidate = chooseCandidate(flags);
  const { tested, seat } = candidate;
  if (seat !== null) await refuseProblems(seat, flags);
  const forecast = await forecastBenchmark(tested, {
    ...flags,
    prices: await openPrices(flags.prices),
  });
  if (flags.dryRun === true) {
    if (flags.json === true) printJson({ type: 'benchmark.forecast', v: 1, ...forecast.plain });
    else print(cleanLines(forecast.words));
    return EXIT.done;
  }
  if (flags.quiet !== true && flags.json !== true) printNote(`${cleanLines(forecast.words)}\n`);
  if (flags.compact === true) return await runIn(null, candidate, { flags, forecast });
  const folder = flags.out ?? `benchmarks/${nameFolder(nameTested(tested))}`;
  const unlock = openFolder(folder);
  try {
    return await runIn(folder, candidate, { flags, forecast });
  } catch (error) {
    if (!(error instanceof JournalLost)) throw error;
    const text = `cannot write the bundle to ${nameOf(error.path)}: ${describeSystemError(error.cause)}`;
    throw createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
  } finally {
    unlock();
  }
}

/** The mind that flags name; refuses none, and more than one. */
function chooseCandidate(flags: BenchmarkFlags): TestedSeat {
  const { persona, mind, model = [], name } = flags;
  const refuse = (text: string) => createFailure(EXIT.usage, 'benchmark/which-mind', text);
  const named = [persona, mind, model[0]].filter((one) => one !== undefined);
  if (named.length !== 1 || model.length > 1) {
    const found = named.length === 0 ? 'found none' : 'found more than one';
    throw refuse(`expected one mind to be tested, by --model, --mind or --persona, ${found}`);
  }
  if (persona !== undefined)
    return { tested: { mind: 'scripted', temperament: findPersona(persona) }, seat: null };
  if (flags.compact === true) {
    throw refuse('--compact is for --persona: only offline minds play the same games again');
  }
  if (mind !== undefined && !isOwn(mind)) {
    throw refuse(
      `--mind ${mind.mind}: expected a mind of your own; offline minds are named by --persona`,
    );
  }
  const [seat = EMPTY_SEAT] = overrideSeats([EMPTY_SEAT], flags);
  return { tested: describeTested(seat, name ?? 'own mind'), seat };
}

/** A persona of the pool, by its temperament or by its name. */
function findPersona(text: string): Temperament {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/^scripted_/, '');
  const found = TEMPERAMENTS.find((one) => one === word || PERSONAS[one].name === word);
  if (found !== undefined) return found;
  const sentence = `--persona: expected one of ${TEMPERAMENTS.join(', ')}, found ${JSON.stringify(shorten(text))}`;
  throw createFailure(EXIT.usage, 'benchmark/no-such-persona', sentence);
}

/** What flags are laid over. */
const EMPTY_SEAT: MatchSeat = { colour: 'red', mind: 'scripted', votes: 'freely', notes: '' };

async function refuseProblems(seat: MatchSeat, flags: BenchmarkFlags): Promise<void> {
  const problems = [...(await findModelProblems([seat], flags))].filter(
    ({ code }) => flags.dryRun !== true || code !== 'model/no-key',
  );
  if (problems.length > 0) throw new Failure(EXIT.configuration, problems);
  await notePriceAge([seat], flags);
}

/** A name as a folder: letters and digits of any script stay. */
function nameFolder(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '');
  return plain.slice(0, LONGEST_FOLDER) || 'mind';
}

const LONGEST_FOLDER = 80;

/** Takes the folder for this process alone; the function that is returned lets go. */
function openFolder(folder: string): () => void {
  const entry = findEntry(folder);
  if (entry !== 'nothing' && entry !== 'folder') {
    const text = `expected a folder for the bundle at ${nameOf(folder)}, found something else: choose another --out`;
    throw createFailure(EXIT.cannotWrite, 'benchmark/no-folder', text);
  }
  if (entry === 'folder' && !isThere(`${folder}/${BUNDLE_FILE}`)) {
    const [other] = realDisk.list(folder).filter((name) => !name.startsWith(LOCK));
    if (other !== undefined) {
      const text = `${nameOf(folder)} is there already with ${JSON.stringify(other)} in it, and is no bundle: choose another --out`;
      throw createFailure(EXIT.cannotWrite, 'benchmark/no-folder', text);
    }
  }
  try {
    prepareFolder(`${folder}/${JOURNALS}`);
    const unlock = lockFile(`${folder}/${LOCK}`);
    if (unlock !== null) return unlock;
  } catch (error) {
    const cause = error instanceof JournalLost ? error.cause : error;
    const text = `cannot write the bundle to ${nameOf(folder)}: ${describeSystemError(cause)}`;
    throw createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
  }
  const text = `a benchmark is being played in ${nameOf(folder)} already: wait until it is over, or stop it`;
  throw createFailure(EXIT.cannotWrite, 'benchmark/running', text);
}

const LOCK = '.running';

type RunParts = { readonly flags: BenchmarkFlags; readonly forecast: BenchmarkForecast };

/** Plays into a folder. Without a folder only the scores are kept. */
async function runIn(
  folder: string | null,
  { tested, seat }: TestedSeat,
  { flags }: RunParts,
): Promise<ExitCode> {
  const start: Omit<OpenBundle, 'state'> = {
    type: 'benchmark.bundle',
    v: 1,
    benchmark: BENCHMARK,
    engine: writeEngineVersion(manifest.version),
    tested,
  };
  const path = folder === null ? (flags.out ?? null) : `${folder}/${BUNDLE_FILE}`;
  const known = path === null || !isThere(path) ? null : await openKnown(path, start);
  if (known !== null && known.tables === flags.games) return report(known, path, flags);
  if (folder !== null) refuseLonger(folder, flags.games);
  if (folder !== null) await save(path, JSON.stringify({ ...start, state: 'open' }));
  const inspectors = openInspectors(flags.jobs ?? availableParallelism());
  const stopped = new AbortController();
  listenForStop({
    sink: null,
    isReal: true,
    words: 'The benchmark stops; the same command goes on where it was',
  })({ stop: () => stopped.abort() });
  const line = createCountProgress('games', 2 * flags.games, { isQuiet: flags.quiet === true });
  try {
    const { games, lost } = await playBenchmark({
      tested,
      tables: flags.games,
      folder,
      terms: readTerms(flags),
      resources: await openResources(seat, flags),
      gamesAtOnce: isOffline(tested) ? 1 : flags.concurrency,
      inspectors,
      signal: stopped.signal,
      onProgress: ({ done, microdollars }) => line.show(done, formatCost(microdollars)),
    });
    line.clear();
    if (lost.length > 0) throw describeLost(lost);
    if (games.length < flags.games) {
      printNote('Interrupted: the same command goes on where it was.');
      return EXIT.interrupted;
    }
    const files = folder === null ? null : await writeBundleFiles(folder, games);
    const bundle = makeBundle(start, games, files);
    await save(path, writeBundle(bundle));
    return report(bundle, path, flags);
  } finally {
    line.clear();
    await inspectors.close();
  }
}

/** Games of a longer run would be left over, and belong to no bundle. */
function refuseLonger(folder: string, games: number): void {
  const last = listJournals(`${folder}/${JOURNALS}`, MOST_TABLES).at(-1) ?? -1;
  if (last < games) return;
  const text = `${nameOf(folder)} has games up to table ${last + 1}, and --games ${games} would leave some of them over: ask for ${last + 1} or more, or choose another --out`;
  throw createFailure(EXIT.cannotWrite, 'benchmark/other-run', text);
}

function makeBundle(
  start: Omit<OpenBundle, 'state'>,
  games: readonly BundleGame[],
  files: readonly BundleFile[] | null,
): Bundle {
  const isAlone = files === null;
  const { length: tables } = games;
  const played = games.map(({ table, tested, reference }) => {
    const { role } = makeTable(table);
    return { role, tested: tested.figures, reference: reference.figures };
  });
  return sealBundle({
    ...start,
    state: 'whole',
    tables,
    plan: hashPlan(tables),
    scores: scoreTables(played),
    files: isAlone ? [] : [...files],
    games: isAlone ? games.map(toCompact) : [...games],
  });
}

async function save(path: string | null, text: string): Promise<void> {
  if (path === null) return;
  try {
    await realDisk.save(path, text);
  } catch (error) {
    throw new JournalLost(path, error);
  }
}

/** The bundle in the file, or null if it is incomplete. Refuses the bundle of another mind, and any other file. */
async function openKnown(path: string, start: Omit<OpenBundle, 'state'>): Promise<Bundle | null> {
  const reading = readBundle(await openBundleText(path), start);
  const refuse = (text: string) => createFailure(EXIT.cannotWrite, 'benchmark/other-run', text);
  if (reading.type === 'none')
    throw refuse(`${nameOf(path)} is there already and is no bundle: choose another --out`);
  if (reading.type === 'other') {
    throw refuse(
      `${nameOf(path)} was begun with ${reading.benchmark} by ${reading.engine}, and this is ${start.benchmark} by ${start.engine}: choose another --out`,
    );
  }
  if (!isDeepStrictEqual(reading.bundle.tested, start.tested)) {
    throw refuse(
      `${nameOf(path)} is of another mind or of other settings (${JSON.stringify(reading.bundle.tested)}): choose another --out`,
    );
  }
  return reading.type === 'whole' ? reading.bundle : null;
}

function readTerms(flags: BenchmarkFlags): LeagueTerms {
  const { maxCalls, maxTokens, maxCost, maxMinutes, concurrency, perMinute } = flags;
  const { maxTick, waitForModel } = flags;
  const ms = (seconds: number) => Math.round(seconds * 1000);
  return {
    budget: {
      ...(maxCalls === undefined ? {} : { calls: maxCalls }),
      ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
      ...(maxCost === undefined ? {} : { dollars: maxCost }),
      ...(maxMinutes === undefined ? {} : { minutes: maxMinutes }),
    },
    limits: {
      concurrency,
      ...(perMinute === undefined ? {} : { per_minute: perMinute }),
      ...(maxTick === undefined ? {} : { max_tick_ms: ms(maxTick) }),
      ...(waitForModel === undefined ? {} : { wait_for_model_ms: ms(waitForModel) }),
    },
  };
}

async function openResources(
  seat: MatchSeat | null,
  flags: BenchmarkFlags,
): Promise<ModelResources> {
  const streams = flags.stream === true ? { stream: true } : {};
  return {
    store: new InMemoryStore(),
    prices: await openPrices(flags.prices),
    counting,
    memory: openMemory(),
    onLoading: createLoadingNotes((text) => printNote(cleanLines(text))),
    findSeat: (written) => {
      if (seat === null || !isSlow(written)) return written;
      const { colour: _colour, mind: _mind, notes: _notes, ...place } = seat;
      const extra = { ...seat.extra_body, ...streams };
      return {
        ...written,
        ...place,
        ...(Object.keys(extra).length === 0 ? {} : { extra_body: extra }),
      };
    },
  };
}

const MICRODOLLARS = 1e6;

function formatCost(microdollars: number): string {
  return microdollars === 0 ? '' : `, $${(microdollars / MICRODOLLARS).toFixed(2)}`;
}

/** Games that could not be played or counted. */
function describeLost(lost: readonly LostBenchmarkGame[]): Failure {
  const has = (why: LostBenchmarkGame['why']) => lost.some((one) => one.why === why);
  const exit = has('foreign') ? EXIT.damaged : has('broken') ? EXIT.found : EXIT.unreachable;
  const notes = lost.map(({ table, why, text }) => {
    if (why === 'foreign') {
      const advice = 'remove it to have the game played again, or choose another --out';
      return { code: 'benchmark/foreign-journal', text: `table ${table}: ${text}: ${advice}` };
    }
    const advice = why === 'paused' ? '; the same command goes on where it was' : '';
    const code = why === 'paused' ? 'benchmark/paused' : 'benchmark/game-lost';
    return { code, text: `table ${table}: ${text}${advice}` };
  });
  return new Failure(exit, notes);
}

function report(bundle: Bundle, path: string | null, flags: BenchmarkFlags): ExitCode {
  const { tested, tables, scores, benchmark } = bundle;
  if (flags.json === true) {
    printJson({ type: 'benchmark.scores', v: 1, benchmark, tested, tables, scores, bundle: path });
    return EXIT.done;
  }
  print(renderScores({ benchmark, name: nameTested(tested), tables, scores }));
  if (path === null || flags.quiet === true) return EXIT.done;
  const place = flags.compact === true ? path : path.slice(0, -BUNDLE_FILE.length - 1);
  printNote(`\nThe bundle:  ${cleanLines(nameOf(place))}`);
  printNote(`Check it:    ${cleanLines(commandLine('verify', place))}`);
  return EXIT.done;
}
