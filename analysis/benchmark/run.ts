/** A run of the benchmark: chooses the tested mind, plays the missing games in a folder, and writes the bundle. */
import { isDeepStrictEqual } from 'node:util';
import {
  createFailure,
  EXIT,
  Failure,
  nameOf,
  refuseToWrite,
  shorten,
} from '../../actors/files/failure.ts';
import { findEntry, isThere, openText } from '../../actors/files/openFiles.ts';
import { JournalLost, listJournals, prepareFolder } from '../../actors/league/journals.ts';
import type { ModelResources } from '../../actors/league/models.ts';
import type { LeagueTerms } from '../../actors/league/plan.ts';
import {
  overrideSeats,
  type RunLimits,
  type SeatOverrides,
} from '../../actors/minds/openai/seats.ts';
import { findLink, realDisk } from '../../actors/ports/disk.ts';
import { openStoreFile } from '../../actors/stores/open.ts';
import { lockFile } from '../../actors/stores/sqlite.ts';
import { isOwn, isSlow } from '../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import { TEMPERAMENTS } from '../../machines/types.ts';
import { PERSONAS } from '../../prompts/personas.ts';
import { counting } from '../league/tally.ts';
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
} from './bundle.ts';
import {
  describeTested,
  hashPlan,
  isOffline,
  makeTable,
  nameTested,
  type TestedMind,
} from './definition.ts';
import { type ReportWriter, writeBundleFiles } from './files.ts';
import { openInspectors } from './inspectors.ts';
import { type BenchmarkProgress, type LostBenchmarkGame, playBenchmark } from './play.ts';
import { scoreTables } from './scores.ts';
import { ANCHORS, BENCHMARK, MOST_TABLES } from './sizes.ts';

export type BenchmarkTerms = SeatOverrides &
  RunLimits & {
    readonly games: number;
    /** A temperament of the pool, the name of its persona, or an anchor. */
    readonly persona?: string;
    readonly name?: string;
    readonly out?: string;
    readonly compact?: boolean;
    readonly jobs?: number;
    readonly stream?: boolean;
  };

/** The tested mind, and its seat with the endpoint, which no bundle has. */
export type BenchmarkCandidate = { readonly tested: TestedMind; readonly seat: MatchSeat | null };

export type BenchmarkMeans = ReportWriter &
  Required<Pick<ModelResources, 'prices' | 'memory' | 'onLoading'>> & {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: BenchmarkProgress) => void;
  };

/** The whole bundle, or null if the run was stopped before. */
export type FinishedBenchmark = {
  readonly bundle: Bundle;
  readonly name: string;
  /** The file of the bundle; null if only the scores are kept. */
  readonly path: string | null;
  /** The folder with that file, or the file where it stands alone. */
  readonly place: string | null;
} | null;

export async function runBenchmark(
  candidate: BenchmarkCandidate,
  terms: BenchmarkTerms,
  means: BenchmarkMeans,
): Promise<FinishedBenchmark> {
  if (terms.compact === true) return await runIn(null, candidate, terms, means);
  const folder = terms.out ?? `benchmarks/${nameFolder(nameTested(candidate.tested))}`;
  const unlock = openFolder(folder);
  try {
    return await runIn(folder, candidate, terms, means);
  } catch (error) {
    if (!(error instanceof JournalLost)) throw error;
    throw refuseToWrite(error.path, error.cause, WHAT);
  } finally {
    unlock();
  }
}

export function chooseCandidate(terms: BenchmarkTerms): BenchmarkCandidate {
  const { persona, mind, model = [], name } = terms;
  const refuse = (text: string) => createFailure(EXIT.usage, 'benchmark/which-mind', text);
  const named = [persona, mind, model[0]].filter((one) => one !== undefined);
  if (named.length !== 1 || model.length > 1) {
    const found = named.length === 0 ? 'found none' : 'found more than one';
    throw refuse(`expected one mind to be tested, by --model, --mind or --persona, ${found}`);
  }
  if (persona !== undefined) return { tested: findPersona(persona), seat: null };
  if (terms.compact === true)
    throw refuse('--compact is for --persona: only offline minds play the same games again');
  if (mind !== undefined && !isOwn(mind)) {
    throw refuse(
      `--mind ${mind.mind}: expected a mind of your own; offline minds are named by --persona`,
    );
  }
  const [seat = EMPTY_SEAT] = overrideSeats([EMPTY_SEAT], terms);
  return { tested: describeTested(seat, name ?? 'own mind'), seat };
}

function findPersona(text: string): TestedMind {
  const plain = text.trim().toLowerCase();
  const word = plain.replace(/^scripted_/, '');
  const found = TEMPERAMENTS.find((one) => one === word || PERSONAS[one].name === word);
  if (found !== undefined) return { mind: 'scripted', temperament: found };
  const anchor = ANCHORS.find((one) => one === word.replace(/^anchor_/, ''));
  if (anchor !== undefined) return { mind: 'anchor', anchor };
  const sentence = `--persona: expected one of ${[...TEMPERAMENTS, ...ANCHORS].join(', ')}, found ${JSON.stringify(shorten(text))}`;
  throw createFailure(EXIT.usage, 'benchmark/no-such-persona', sentence);
}

const EMPTY_SEAT: MatchSeat = { colour: 'red', mind: 'scripted', votes: 'freely', notes: '' };

/** A name as a folder: letters and digits of any script stay. */
function nameFolder(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '');
  return plain.slice(0, LONGEST_FOLDER) || 'mind';
}

const LONGEST_FOLDER = 80;

const PARTS = [JOURNALS, 'tables', 'report', 'report/csv'];

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
  const link = findLink(PARTS.map((part) => `${folder}/${part}`));
  if (link !== undefined) {
    const text = `${nameOf(link)} is a link to another folder: choose another --out, or remove it`;
    throw createFailure(EXIT.cannotWrite, 'benchmark/no-folder', text);
  }
  try {
    prepareFolder(`${folder}/${JOURNALS}`);
    const unlock = lockFile(`${folder}/${LOCK}`);
    if (unlock !== null) return unlock;
  } catch (error) {
    const cause = error instanceof JournalLost ? error.cause : error;
    throw refuseToWrite(folder, cause, WHAT);
  }
  const text = `a benchmark is being played in ${nameOf(folder)} already: wait until it is over, or stop it`;
  throw createFailure(EXIT.cannotWrite, 'benchmark/running', text);
}

const LOCK = '.running';
const WHAT = 'the bundle';

async function runIn(
  folder: string | null,
  { tested, seat }: BenchmarkCandidate,
  terms: BenchmarkTerms,
  means: BenchmarkMeans,
): Promise<FinishedBenchmark> {
  const start: Omit<OpenBundle, 'state'> = {
    type: 'benchmark.bundle',
    v: 1,
    benchmark: BENCHMARK,
    engine: means.engine,
    tested,
  };
  const path = folder === null ? (terms.out ?? null) : `${folder}/${BUNDLE_FILE}`;
  const kept = { name: nameTested(tested), path, place: folder ?? path };
  const known = path === null || !isThere(path) ? null : await openKnown(path, start);
  if (known !== null && known.tables === terms.games) return { bundle: known, ...kept };
  if (folder !== null) refuseLonger(folder, terms.games);
  if (folder !== null) await save(path, JSON.stringify({ ...start, state: 'open' }));
  await using inspectors = openInspectors(terms.jobs);
  const { games, lost } = await playBenchmark({
    ...{ tested, tables: terms.games, folder, terms: readTerms(terms), inspectors },
    resources: await openResources(seat, terms, means),
    gamesAtOnce: isOffline(tested) ? 1 : terms.concurrency,
    signal: means.signal,
    onProgress: means.onProgress,
  });
  if (lost.length > 0) throw describeLost(lost);
  if (games.length < terms.games) return null;
  const files = folder === null ? null : await writeBundleFiles(folder, games, means);
  const bundle = makeBundle(start, games, files);
  await save(path, writeBundle(bundle));
  return { bundle, ...kept };
}

/** Games of a longer run would remain, and belong to no bundle. */
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
    throw refuseToWrite(path, error, WHAT);
  }
}

async function openKnown(path: string, start: Omit<OpenBundle, 'state'>): Promise<Bundle | null> {
  const reading = readBundle(await openText(path, 'bundle'), start);
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

function readTerms(terms: BenchmarkTerms): LeagueTerms {
  const { maxCalls, maxTokens, maxCost, maxMinutes, concurrency, perMinute } = terms;
  const ms = (seconds?: number) => (seconds === undefined ? undefined : Math.round(seconds * 1000));
  return {
    budget: { calls: maxCalls, tokens: maxTokens, dollars: maxCost, minutes: maxMinutes },
    limits: {
      concurrency,
      per_minute: perMinute,
      max_tick_ms: ms(terms.maxTick),
      wait_for_model_ms: ms(terms.maxWait),
    },
  };
}

async function openResources(
  seat: MatchSeat | null,
  { stream }: BenchmarkTerms,
  { prices, memory, onLoading }: BenchmarkMeans,
): Promise<ModelResources> {
  const store = await openStoreFile(':memory:');
  const streams = stream === true ? { stream: true } : {};
  return {
    ...{ store, counting, prices, memory, onLoading },
    findSeat: (written) => {
      if (seat === null || !isSlow(written)) return written;
      const { colour: _colour, mind: _mind, notes: _notes, ...place } = seat;
      const extra = { ...seat.extra_body, ...streams };
      const body = Object.keys(extra).length === 0 ? {} : { extra_body: extra };
      return { ...written, ...place, ...body };
    },
  };
}

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
