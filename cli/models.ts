/** Language models on the command line: their flags, their cost, and why a game paused. */
import { resolve } from 'node:path';
import { readJournal } from '../actors/engine/journal/reader.ts';
import {
  createFailure,
  describeSystemError,
  EXIT,
  Failure,
  nameOf,
  writeOrRefuse,
} from '../actors/files/failure.ts';
import { refuseOverJournal } from '../actors/files/newFiles.ts';
import { findEntry, openText } from '../actors/files/openFiles.ts';
import { type OpenedResources, openResources } from '../actors/league/models.ts';
import type { Permit } from '../actors/league/permit.ts';
import type { BudgetLimits, Spent } from '../actors/minds/openai/budget.ts';
import type { DeadlineLimits, LoadingModel } from '../actors/minds/openai/deadlines.ts';
import type { FailureClass } from '../actors/minds/openai/failures.ts';
import { MatchModels, type PauseReason } from '../actors/minds/openai/matchModels.ts';
import { findStateFolder, ModelMemory } from '../actors/minds/openai/memory.ts';
import { type Prices, readPrices } from '../actors/minds/openai/prices.ts';
import { completePrices, describeTablePrices } from '../actors/minds/openai/priceTable.ts';
import { findBaseUrl } from '../actors/minds/openai/providers.ts';
import {
  findEndpoint,
  findSeatProblems,
  findUnpriced,
  overrideSeats,
} from '../actors/minds/openai/seats.ts';
import {
  isSameEndpoint,
  listForeignEndpoints,
  type NamedEndpoint,
  nameEndpoint,
  openOwnEndpoints,
} from '../actors/minds/openai/trust.ts';
import { remember } from '../actors/minds/remember.ts';
import { isOpenToOthers, realDisk } from '../actors/ports/disk.ts';
import { realProcess } from '../actors/ports/process.ts';
import { realTime } from '../actors/ports/time.ts';
import type { Store } from '../actors/stores/store.ts';
import { counting } from '../analysis/league/tally.ts';
import {
  countRequests,
  type ForecastSample,
  type Forecasts,
  type ForecastTerms,
  forecastGames,
  type ModelPace,
} from '../analysis/models/forecast.ts';
import { isRemote } from '../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../machines/setup/match.ts';
import { formatCount } from '../machines/text.ts';
import type { SeatWords } from '../machines/turnPrompt.ts';
import type { BeliefTimes, Colour, Note } from '../machines/types.ts';
import { clean } from '../visualizer/terminal/layout.ts';
import { describeTroubles } from '../visualizer/terminal/summary.ts';
import { formatWriting } from '../visualizer/terminal/writing.ts';
import type { ModelFlags, WaitFlags } from './flags.ts';
import { cleanLines, printNote } from './output.ts';
import { columnsOf, createProgressLine, type Screen } from './progress.ts';
import { commandLine } from './usage.ts';

/** Prices that were opened: a pipe can be read once, and a command may ask more often. */
const opened = new Map<string, Promise<Prices>>();

export async function openPrices(path: string | undefined): Promise<Prices> {
  return completePrices(await openOwnPrices(path));
}

async function openOwnPrices(path: string | undefined): Promise<Prices> {
  if (path === undefined) return {};
  return await remember(opened, resolve(path), async () => {
    const reading = readPrices(await openText(path, 'prices'));
    if (reading.ok) return reading.prices;
    throw createFailure(EXIT.configuration, 'prices/not-valid', `${nameOf(path)}: ${reading.text}`);
  });
}

/** Names the models that use the built-in prices, and the age of the table. */
export async function notePriceAge(
  seats: readonly Pick<MatchSeat, 'mind' | 'model'>[],
  { prices }: Pick<ModelFlags, 'prices'>,
): Promise<void> {
  const sentence = describeTablePrices(seats, await openOwnPrices(prices), realTime.date());
  if (sentence !== null) printNote(cleanLines(sentence));
}

/** Maximum bytes of the log of own minds. The rest is dropped. */
const LONGEST_MIND_LOG = 10_000_000;

function openMindLog(path: string): (seat: Colour, line: string) => void {
  refuseOverJournal(path);
  const file = writeOrRefuse(path, 'the log', () => realDisk.open(path, 'append'));
  let left = LONGEST_MIND_LOG;
  return (seat, line) => {
    const text = `${seat}: ${cleanLines(line)}\n`;
    left -= text.length;
    if (left < 0) return;
    try {
      file.write(text);
    } catch {
      // A full disk ends no game.
    }
  };
}

export function overrideNamedSeats<S extends MatchSeat>(
  seats: readonly S[],
  flags: ModelFlags,
): readonly S[] {
  const { seat, mind, model } = flags;
  const isBare = seat?.some((one) => one.model === null) === true;
  if (isBare && mind === undefined && model === undefined) {
    const text =
      '--seat says where --mind or --model goes: add one of them, or name a model as in red=gpt-5-mini';
    throw createFailure(EXIT.usage, 'mind/no-mind', text);
  }
  const there = seats.map(({ colour }) => colour);
  const absent = seat?.map(({ colour }) => colour).find((colour) => !there.includes(colour));
  if (absent === undefined) return overrideSeats(seats, flags);
  const text = `--seat ${absent}: ${absent} has no seat (there are: ${there.join(', ')})`;
  throw createFailure(EXIT.usage, 'mind/not-seated', text);
}

/** Refuses endpoints that neither the flags nor an earlier run of this user name, but the journal does. */
function refuseForeignEndpoints(
  path: string,
  seats: readonly MatchSeat[],
  flags: ModelFlags,
): void {
  if (flags.endpointFromJournal === true) return;
  const { model, provider, baseUrl = findBaseUrl(provider ?? '') ?? undefined } = flags;
  const { key, headers = {}, mind = { mind: 'scripted' } } = flags;
  const isChosen = model !== undefined || baseUrl !== undefined || isRemote(mind);
  const chosen = isChosen ? [nameEndpoint({ base_url: baseUrl, key, headers })] : [];
  const own = [...chosen, ...(findOwnEndpoints()?.list() ?? [])];
  const isOwn = (one: NamedEndpoint) => own.some((other) => isSameEndpoint(one, other));
  const foreign = listForeignEndpoints(seats, isOwn).map(cleanLines);
  if (foreign.length === 0) return;
  const text = `${nameOf(path)} names endpoints with which you have started no run (${foreign.join('; ')}): to ask them, add --endpoint-from-journal; to ask others, --model with --base-url and --key`;
  throw createFailure(EXIT.usage, 'model/not-trusted', text);
}

/** Keeps the endpoints of a run that this user starts, so that its journal can be continued. */
export function rememberEndpoints(seats: readonly MatchSeat[]): void {
  try {
    findOwnEndpoints()?.add(seats);
  } catch (error) {
    const text = `the endpoints of this run can't be kept: ${describeSystemError(error)}; its journal is continued with --endpoint-from-journal`;
    printNote(cleanLines(text));
  }
}

function findOwnEndpoints() {
  const folder = openStateFolder();
  return folder === null ? null : openOwnEndpoints(folder, realDisk);
}

/** What keeps models and own minds from being asked, each with what to do about it. A dry run needs no key. */
export async function findModelProblems(
  seats: readonly MatchSeat[],
  flags: ModelFlags & { readonly dryRun?: boolean },
): Promise<readonly Note[]> {
  const isLocalMeant = flags.provider === undefined && flags.baseUrl === undefined;
  const problems = findSeatProblems(seats, realProcess.environment).flatMap(({ code, text }) => {
    if (code !== 'model/no-key') return { code, text };
    if (flags.dryRun === true) return [];
    if (!isLocalMeant) return { code, text };
    const words = ['--model', flags.model?.[0] ?? 'NAME', '--provider', 'ollama'];
    const advice = `For a model on this machine add --provider ollama. To see whether it can play: ${commandLine('doctor', ...words)}`;
    return { code, text: `${text}. ${advice}` };
  });
  return [...problems, ...(await findBudgetProblems(seats, flags))];
}

/** Refuses what keeps models from being asked; `journal` is the file that names them, where it is one. */
export async function refuseSeatProblems(
  seats: readonly MatchSeat[],
  flags: ModelFlags & { readonly dryRun?: boolean },
  journal?: string,
): Promise<void> {
  if (journal !== undefined) refuseForeignEndpoints(journal, seats, flags);
  const notes = await findModelProblems(seats, flags);
  if (notes.length > 0) throw new Failure(EXIT.configuration, notes);
  await notePriceAge(seats, flags);
}

async function findBudgetProblems(
  seats: readonly MatchSeat[],
  flags: ModelFlags,
): Promise<readonly Note[]> {
  if (!seats.some(isRemote)) return [];
  const { maxCalls, maxTokens, maxCost, maxMinutes } = flags;
  const limits = { '--max-calls': maxCalls, '--max-tokens': maxTokens, '--max-cost': maxCost };
  const spent = Object.entries({ ...limits, '--max-minutes': maxMinutes }).filter(
    ([, limit]) => limit === 0,
  );
  const empty = spent.map(([flag]) => ({
    code: 'model/no-budget',
    text: `${flag}: expected a budget for at least one request, found 0`,
  }));
  if (maxCost === undefined) return empty;
  const ways = 'name it with --prices, or limit the game with --max-calls or --max-tokens';
  const prices = await openPrices(flags.prices);
  return [...empty, ...findUnpriced(seats, prices, { limit: `--max-cost ${maxCost}`, ways })];
}

export async function forecastFor(
  samples: readonly ForecastSample[],
  file: string | undefined,
  terms: Omit<ForecastTerms, 'paces' | 'prices'>,
): Promise<Forecasts> {
  const prices = await openPrices(file);
  const paces = recallPaces(samples.flatMap(({ match }): readonly MatchSeat[] => match.seats));
  return await forecastGames(samples, { ...terms, prices, paces });
}

export function recallPaces(seats: readonly MatchSeat[]): ReadonlyMap<string, ModelPace> {
  const memory = openMemory();
  const paces = new Map<string, ModelPace>();
  for (const seat of seats.filter(isRemote)) {
    const known = memory?.recall(findEndpoint(seat, realProcess.environment));
    if (known?.measured) paces.set(seat.model ?? '', known.measured);
  }
  return paces;
}

export function describeCost(spent: Spent): string {
  const { calls, promptTokens, cachedTokens, completionTokens, estimatedTokens } = spent;
  const { dollars, unpriced } = spent;
  const requests = calls === 1 ? '1 request' : `${formatCount(calls)} requests`;
  return [
    `${requests}, ${formatCount(promptTokens)} tokens in`,
    cachedTokens === 0 ? '' : ` (${formatCount(cachedTokens)} cached)`,
    `, ${formatCount(completionTokens)} out`,
    estimatedTokens === 0 ? '' : `, about ${formatCount(estimatedTokens)} that were never counted`,
    unpriced > 0 && dollars === 0 ? ', price unknown' : '',
    dollars > 0 || (unpriced === 0 && promptTokens > 0) ? `, $${dollars.toFixed(4)}` : '',
    unpriced > 0 && dollars > 0 ? ` and ${formatCount(unpriced)} of unknown price` : '',
  ].join('');
}

export function limitOf({ exhausted }: Pick<MatchModels, 'exhausted'>): object {
  return exhausted === null ? {} : { limit: exhausted };
}

export async function printCost(
  { spent, exhausted }: Pick<MatchModels, 'spent' | 'exhausted'>,
  journal: string | null,
): Promise<void> {
  if (spent.calls > 0) {
    const isKept = journal !== null && findEntry(journal) === 'file';
    const { lines } = readJournal(isKept ? await openText(journal, 'journal') : '');
    printNote(`\n${[describeCost(spent), ...describeTroubles(lines).map(clean)].join('\n')}`);
  }
  if (exhausted !== null) printNote(`It ended early: ${exhausted}.`);
}

/** Requests of a match before its forecast is worth the time. */
const MANY = 100;

export function warnOfLength(
  models: ShownModels,
  sample: ForecastSample,
  times: BeliefTimes | undefined,
): void {
  const { onSpent, costLine } = models;
  let most = MANY;
  let forecast: Promise<number> | null = null;
  models.onSpent = (spent) => {
    onSpent?.(spent);
    if (spent.calls <= most) return;
    if (forecast === null) {
      const terms = { prices: {}, paces: new Map(), concurrency: 1, times };
      forecast = countRequests([sample], terms).then(({ calls }) => (most = 2 * calls));
      most = Number.POSITIVE_INFINITY;
      return;
    }
    const text = `The match has asked models more than ${formatCount(most)} times, twice the forecast: --max-calls, --max-tokens or --max-cost limit it.`;
    most = Number.POSITIVE_INFINITY;
    costLine.above(() => printNote(text));
  };
}

type CostLine = ReturnType<typeof createCostLine>;

export function createCostLine(screen: Screen = process.stderr) {
  const line = createProgressLine(screen);
  let text: string | null = null;
  let writing: readonly string[] = [];
  let pinned: string | null = null;
  let isOver = false;
  const listRows = () => [...writing, text, pinned].filter((row) => row !== null);
  const isShown = () => !isOver && listRows().length > 0;
  const draw = () => {
    if (!isOver) line.show(...listRows());
  };
  const wait = (words: string) => {
    text = words;
    draw();
  };
  return {
    show: (spent: Spent) => wait(describeCost(spent)),
    wait,
    write: (words: readonly SeatWords[]) => {
      const wasShown = isShown();
      writing = formatWriting(words, columnsOf(screen));
      if (isShown()) draw();
      else if (wasShown) line.clear();
    },
    pin: (words: string) => {
      pinned = words;
      draw();
    },
    above: <T>(print: () => T): T => {
      if (!isShown()) return print();
      line.clear();
      const printed = print();
      draw();
      return printed;
    },
    end: () => {
      if (isShown()) line.clear();
      isOver = true;
    },
  };
}

export type ShownModels = MatchModels & {
  readonly costLine: CostLine;
  /** Whether the user has said if answers are to be streamed; else they are where somebody looks on. */
  readonly isStreamChosen: boolean;
};

const SECONDS_PER_MINUTE = 60;
const MS = 1000;

export function readDeadlines({ maxTick, maxWait }: WaitFlags): Partial<DeadlineLimits> {
  return {
    ...(maxTick === undefined ? {} : { tickMs: Math.round(maxTick * MS) }),
    ...(maxWait === undefined ? {} : { waitMs: Math.round(maxWait * MS) }),
  };
}

/** Milliseconds between two lines about a model that loads, where they are not written one over the other. */
const LOADING_EVERY_MS = 30_000;

/** Tells people that a model is waited for: in the line of the cost, and without a terminal now and then. */
export function createLoadingReport(line: Pick<CostLine, 'wait'>): (loading: LoadingModel) => void {
  const note = createLoadingNotes(printNote);
  return (loading) => {
    line.wait(describeLoading(loading));
    if (process.stderr.isTTY !== true) note(loading);
  };
}

export function createLoadingNotes(say: (text: string) => void): (loading: LoadingModel) => void {
  /** The wait in milliseconds at the last note, by model. */
  const printed = new Map<string, number>();
  return (loading) => {
    const { baseUrl, model, ms } = loading;
    const key = `${model} ${baseUrl}`;
    const before = printed.get(key);
    if (before !== undefined && ms >= before && ms - before < LOADING_EVERY_MS) return;
    printed.set(key, ms);
    say(describeLoading(loading));
  };
}

/** "waiting for gemma3 at http://localhost:11434/v1: 35 s, at most 300 s (Loading model)". */
function describeLoading({ baseUrl, model, says, ms, mostMs }: LoadingModel): string {
  const why = says === null ? '' : ` (${says})`;
  const times = `${Math.round(ms / MS)} s, at most ${Math.round(mostMs / MS)} s`;
  return cleanLines(`waiting for ${model} at ${baseUrl}: ${times}${why}`);
}

export function readBudget(flags: ModelFlags): BudgetLimits {
  const { maxCalls = null, maxTokens = null, maxCost = null, maxMinutes = null } = flags;
  return {
    calls: maxCalls,
    tokens: maxTokens,
    dollars: maxCost,
    seconds: maxMinutes === null ? null : maxMinutes * SECONDS_PER_MINUTE,
  };
}

let hasWarnedOfState = false;

/** The folder for what runs keep; null where the user has none, wants none, or others can write to it. */
export function openStateFolder(say: (text: string) => void = printNote): string | null {
  const folder = findStateFolder(realProcess.environment, realProcess.isWindows);
  if (folder === null || !isOpenToOthers(folder)) return folder;
  const text = `other users of this machine can write to ${folder}, so nothing is read from it or kept there (GLASSBOX_STATE names another folder)`;
  if (!hasWarnedOfState) say(cleanLines(text));
  hasWarnedOfState = true;
  return null;
}

/** What earlier runs have learned of models; null where nothing is kept. */
export function openMemory(say: (text: string) => void = printNote): ModelMemory | null {
  const folder = openStateFolder(say);
  if (folder === null) return null;
  return new ModelMemory(folder, {
    disk: realDisk,
    now: () => realTime.date(),
    onNote: (text) => say(cleanLines(text).replaceAll('\n', ' ')),
    explain: describeSystemError,
  });
}

export async function createGameModels(flags: ModelFlags, seed: number): Promise<ShownModels> {
  const costLine = createCostLine();
  const models = new MatchModels({
    seed,
    prices: await openPrices(flags.prices),
    budget: readBudget(flags),
    limits: { concurrency: flags.concurrency, perMinute: flags.perMinute ?? null },
    deadlines: readDeadlines(flags),
    streams: flags.stream ?? false,
    memory: openMemory((text) => costLine.above(() => printNote(text))),
    ...(flags.mindLog === undefined ? {} : { onErrorLine: openMindLog(flags.mindLog) }),
  });
  models.onSpent = (spent) => costLine.show(spent);
  models.onLoading = createLoadingReport(costLine);
  return Object.assign(models, { costLine, isStreamChosen: flags.stream !== undefined });
}

export async function pausedFailure(
  models: Pick<MatchModels, 'spent' | 'exhausted'>,
  { code, text }: PauseReason,
  journal: string,
): Promise<Failure> {
  await printCost(models, journal);
  const sentence = `the game is paused: ${REASONS[code] ?? 'the endpoint gives no usable answer'} (${text}). To continue it later: ${commandLine('resume', journal)}`;
  const exit = code === 'unusable' ? EXIT.unusable : EXIT.unreachable;
  return createFailure(exit, `endpoint/${code}`, sentence);
}

const REASONS: Readonly<Partial<Record<FailureClass, string>>> = {
  auth: 'the endpoint refuses the key',
  'not-found': 'the endpoint does not know the model',
  'not-endpoint': 'no endpoint answers at the base URL',
  credits: 'the credit does not suffice',
  'daily-limit': 'the daily limit is reached',
  timeout: 'no request was answered in time',
  loading: 'the model is not ready',
  outage: 'a model gives no usable answer',
  unusable: 'a model cannot play, and "glassbox doctor" shows what it answers',
  'rate-limit': 'a limit of the endpoint does not let the next request through',
};

export async function openLeagueModels(
  store: Store,
  address: string,
  terms: { prices: string | undefined; permit?: Permit; say: (text: string) => void },
): Promise<OpenedResources> {
  const { prices, say, ...rest } = terms;
  return await openResources(address, {
    ...{ store, counting, ...rest },
    prices: await openPrices(prices),
    memory: openMemory(say),
    onLoading: createLoadingNotes(say),
  });
}
