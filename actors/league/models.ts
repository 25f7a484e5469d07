/** The language models of a league, shared by all its games in this process, within the league's budget and limits. */

import { z } from 'zod';
import { type PlayerCall, readCall, readCalls } from '../../machines/journal/calls.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { isOwn } from '../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import { personaOf } from '../../machines/setup/prepare.ts';
import type { BySeat, Colour, Note } from '../../machines/types.ts';
import { type Identity, pickIdentity } from '../../prompts/personas.ts';
import { type ReflectionView, readReflection } from '../../prompts/reflection.ts';
import { readJournal } from '../engine/journal/reader.ts';
import type { Recorder } from '../engine/journal/recorder.ts';
import { splitAhead, WriteAhead } from '../minds/ahead.ts';
import type { ModelMinds } from '../minds/kinds.ts';
import { Budget } from '../minds/openai/budget.ts';
import { buildQuestion, type GameAccount, ModelClients } from '../minds/openai/client.ts';
import {
  DEADLINE_LIMITS,
  type DeadlineLimits,
  type LoadingModel,
} from '../minds/openai/deadlines.ts';
import type { RequestGate, RequestLimits } from '../minds/openai/limiter.ts';
import type { ModelMemory } from '../minds/openai/memory.ts';
import { computeCost, findPrice, type Prices } from '../minds/openai/prices.ts';
import { findEndpoint, listModels, toModelSeat } from '../minds/openai/seats.ts';
import type { Endpoint, Transport } from '../minds/openai/transport.ts';
import { OwnMinds, type OwnMindsOptions } from '../minds/own/ownMinds.ts';
import type { Answer, MindRequest } from '../minds/port.ts';
import { remember } from '../minds/remember.ts';
import { settleIdle, wrapMind } from '../minds/wrap.ts';
import type { EnvironmentVariables, TimePort } from '../ports/ports.ts';
import { realProcess } from '../ports/process.ts';
import { realTime } from '../ports/time.ts';
import { isRedisUrl } from '../stores/open.ts';
import { type Counters, MICRODOLLARS } from '../stores/result.ts';
import type { Store } from '../stores/store.ts';
import type { GameModels, OpenJournal, ReflectionOutcome } from './game.ts';
import { type Permit, placeSeat } from './permit.ts';
import type { LeagueGame, LeagueSeat, LeagueTerms } from './plan.ts';

/** How journals are counted. This room plays games; statistics are computed elsewhere. */
export type JournalCounting = {
  readonly tally: (lines: readonly Line[], prices: Prices) => BySeat<Counters>;
  /** The file of a worker that plays offline games and counts them in the same way. */
  readonly worker: URL;
};

export type ModelResources = {
  readonly store: Store;
  readonly prices: Prices;
  readonly counting: JournalCounting;
  /** Capabilities learned by earlier processes. Without it nothing is remembered or kept. */
  readonly memory?: ModelMemory | null;
  readonly onLoading?: (loading: LoadingModel) => void;
  /** Where a seat's mind is, for journals that hide it. The words of failures, which may name it, are hidden too. */
  readonly findSeat?: (seat: MatchSeat) => MatchSeat;
  /** The minds and hosts that leagues may use here. Absent for the operator's own leagues, which may use all they name. */
  readonly permit?: Permit;
  readonly time?: TimePort;
  readonly environment?: EnvironmentVariables;
  /** How endpoints and own minds are reached. Default: the network and this machine. */
  readonly open?: (endpoint: Endpoint) => Transport;
  readonly own?: OwnMindsOptions;
  readonly gateTo?: (endpoint: Endpoint, limits: RequestLimits) => RequestGate;
};

export type OpenedResources = { readonly models: ModelResources; readonly close: () => void };

/** Milliseconds to wait for a store's server that has just answered. */
const STORE_WAIT_MS = 60_000;

/** Opens what models share. With a store on a Redis, all processes that play there share the limits of a model. */
export async function openResources(
  address: string,
  shared: Pick<ModelResources, 'store' | 'prices' | 'counting' | 'memory' | 'onLoading' | 'permit'>,
): Promise<OpenedResources> {
  if (!isRedisUrl(address)) return { models: shared, close: () => {} };
  const [{ connectRedis }, { SharedLimiter }] = await Promise.all([
    import('../stores/redis.ts'),
    import('../stores/limiter.ts'),
  ]);
  const link = await connectRedis(address, { isPatient: true, waitMs: STORE_WAIT_MS });
  const gates = new Map<string, RequestGate>();
  const gateTo = ({ baseUrl, model }: Endpoint, limits: RequestLimits): RequestGate => {
    const key = JSON.stringify([baseUrl, model, limits]);
    return remember(gates, key, () => new SharedLimiter(link, { baseUrl, model }, limits));
  };
  return { models: { ...shared, gateTo }, close: () => link.close() };
}

export function shareModels(resources: ModelResources): (game: LeagueGame) => LeagueModels {
  const known = new Map<string, LeagueModels>();
  return ({ league, terms }) =>
    remember(known, canonical([league, terms]), () => new LeagueModels(terms, resources));
}

export class LeagueModels {
  readonly #resources: ModelResources;
  readonly #expenses: ReturnType<typeof trackExpenses>;
  readonly #models: ModelClients;
  readonly #deadlines: DeadlineLimits;

  constructor({ budget, limits: given }: LeagueTerms, resources: ModelResources) {
    const { prices, gateTo, memory = null, time = realTime, open } = resources;
    const limits = { concurrency: given.concurrency, perMinute: given.per_minute ?? null };
    this.#resources = resources;
    this.#deadlines = {
      tickMs: given.max_tick_ms ?? DEADLINE_LIMITS.tickMs,
      waitMs: given.wait_for_model_ms ?? DEADLINE_LIMITS.waitMs,
    };
    this.#expenses = trackExpenses(resources, budget);
    this.#models = new ModelClients({
      ...{ time, open, limits, prices, memory },
      gateTo: gateTo && ((endpoint) => gateTo(endpoint, limits)),
    });
  }

  async countPast(game: LeagueGame, text: string): Promise<void> {
    const { journal, ahead } = splitAhead(text);
    const { lines } = readJournal(journal);
    const unrecorded = new WriteAhead().open({ past: ahead, write: () => {} }, lines);
    await this.#expenses.update(game, lines, listCalls(lines, unrecorded));
  }

  async prepareGame(game: LeagueGame, opened: OpenJournal | null): Promise<GameModels> {
    const ahead = new WriteAhead();
    const { lines } = readJournal(opened?.past ?? '');
    const unrecorded =
      opened === null
        ? []
        : ahead.open({ past: opened.ahead, write: (line) => opened.write(line) }, lines);
    await this.#expenses.update(game, lines, listCalls(lines, unrecorded));
    const own = new OwnMinds(this.#resources.own);
    let recorder: Recorder | null = null;
    let pause: (() => void) | null = null;
    let reason: Note | null = null;
    const account: GameAccount = {
      budget: this.#expenses.purse,
      limits: this.#deadlines,
      ahead,
      onLoading: this.#resources.onLoading ?? (() => {}),
      onSend: (request) => ahead.noteSent(request),
      onCall: (call, asked, received) => {
        recorder?.noteCall(call);
        ahead.noteCall(call, asked, received);
      },
      onPause: (code, text) => {
        reason ??= { code, text };
        pause?.();
      },
    };
    const createMind = this.#models.openGame(account);
    return {
      minds: this.#hidePlaces((seat, index, times) => {
        if (!isOwn(seat))
          return settleIdle(createMind({ ...this.#toModelSeat(game, seat, index), times }));
        const placed = placeSeat(seat, this.#resources.permit);
        const mind = own.createMind(placed, times, identifySeat(game, seat, index));
        return settleIdle(ahead.keepAnswersOf(seat.colour, mind));
      }),
      attach: (played, notes) => {
        recorder = notes;
        for (const call of unrecorded) notes.noteCall(call);
        pause = () => played.pause();
        // A budget may have been spent before the first round.
        if (reason !== null) played.pause();
      },
      paused: () => reason,
      close: () => own.close(),
      reflect: ({ colour: seat }, view) =>
        this.#reflect(game, { seat, view, own, ahead, earlier: listCalls([], unrecorded) }),
    };
  }

  /** Asks a seat's mind for its lessons once, even if an earlier attempt was killed after the answer. */
  async #reflect(
    game: LeagueGame,
    { seat: colour, view, own, ahead, earlier }: AskedReflection,
  ): Promise<ReflectionOutcome> {
    const index = game.match.seats.findIndex((one) => one.colour === colour);
    const seat = game.match.seats[index];
    if (seat === undefined) return { learned: null, cost: {} };
    const question = { kind: 'reflection', view } as const;
    const known = ahead.takeAnswer(colour, question);
    const kept = known?.ok === true ? reflectionSchema.safeParse(known.received) : null;
    if (kept?.success === true) return kept.data;
    const outcome = isOwn(seat)
      ? { learned: await own.reflect(colour, view), cost: {} }
      : await this.#askForLessons(game, seat, index, { view, ahead, earlier });
    if (outcome.learned !== null)
      ahead.noteAnswer(colour, question, { ok: true, received: outcome });
    return outcome;
  }

  #toModelSeat(game: LeagueGame, seat: MatchSeat, index: number) {
    const { environment = realProcess.environment } = this.#resources;
    const identity = identifySeat(game, seat, index);
    return toModelSeat(seat, findEndpoint(seat, environment), game.seed + index, identity);
  }

  /** Asks a model for its lessons once after a game. A model that does not answer keeps its old ones. */
  async #askForLessons(
    game: LeagueGame,
    seat: MatchSeat,
    index: number,
    { view, ahead, earlier }: Pick<AskedReflection, 'view' | 'ahead' | 'earlier'>,
  ): Promise<ReflectionOutcome> {
    const asked = { kind: 'reflection', view } as const;
    const price = findPrice(this.#resources.prices, seat.model ?? '');
    const cost = { requests: 0, prompt_tokens: 0, completion_tokens: 0, microdollars: 0 };
    const add = (used: PlayerCall['usage']) => {
      const [prompt, completion] = [used.promptTokens ?? 0, used.completionTokens ?? 0];
      const told = computeCost(price, { prompt, completion, cached: used.cachedTokens ?? 0 });
      cost.requests += 1;
      cost.prompt_tokens += prompt;
      cost.completion_tokens += completion;
      cost.microdollars += Math.round(MICRODOLLARS * (used.cost ?? told ?? 0));
    };
    // The journal was whole when a killed attempt asked, so only the result can count these requests.
    for (const { seat: asker, requestKind, usage } of earlier)
      if (asker === seat.colour && requestKind === asked.kind) add(usage);
    const model = { ...this.#toModelSeat(game, seat, index), temperature: null, seed: null };
    const reply = await this.#models.askBeside(model, {
      question: buildQuestion(asked, model.identity),
      requestKind: 'reflection',
      index: 0,
      rank: 'living',
      budget: this.#expenses.purse,
      fits: (value) => readReflection(value).ok,
      onSend: (request) => ahead.noteSent(request),
      onCall: (call, received, charged) => {
        add(charged);
        const read = received === null ? null : readReflection(received);
        const outcome = read?.ok === true ? { learned: read.learned, cost: { ...cost } } : null;
        ahead.noteCall(call, asked, outcome);
      },
    });
    const reflection = reply.ok ? readReflection(reply.received) : reply;
    return { learned: reflection.ok ? reflection.learned : null, cost };
  }

  #hidePlaces(minds: ModelMinds): ModelMinds {
    const { findSeat } = this.#resources;
    if (findSeat === undefined) return minds;
    const after = (_: MindRequest, answer: Answer): Answer =>
      answer.ok ? answer : { ...answer, text: 'the words of this failure are left out' };
    return (seat, index, times) => wrapMind(minds(findSeat(seat), index, times), after);
  }
}

function listCalls(lines: readonly Line[], unrecorded: readonly object[]): readonly PlayerCall[] {
  return [...readCalls(lines), ...unrecorded.flatMap((call) => readCall(call) ?? [])];
}

function identifySeat(game: LeagueGame, seat: MatchSeat, index: number): Identity {
  const shipped = pickIdentity(personaOf(seat, index), `game-${game.game}`, seat.level);
  const assigned: LeagueSeat | undefined = game.seats.find(({ colour }) => colour === seat.colour);
  return {
    ...shipped,
    character: assigned?.character ?? shipped.character,
    voice: assigned?.voice ?? shipped.voice,
    learned: seat.learned ?? [],
  };
}

const SECONDS_PER_MINUTE = 60;

/** Spending of a league: requests made here, results, and journals of earlier attempts. */
function trackExpenses(
  { store, prices, time = realTime }: ModelResources,
  { calls, tokens, dollars, minutes }: LeagueTerms['budget'],
) {
  const budget = {
    calls: calls ?? null,
    tokens: tokens ?? null,
    dollars: dollars ?? null,
    seconds: minutes === undefined ? null : minutes * SECONDS_PER_MINUTE,
  };
  const purse = new Budget(budget, () => time.now());
  /** Slots that are counted: they were played here, or their result was read. */
  const counted = new Set<number>();
  /** Games that begin at once wait for each other: none begins while spending is still being counted. */
  let updated: Promise<unknown> = Promise.resolve();
  const count = async (
    { league, slot: mine }: LeagueGame,
    past: readonly Line[],
    spent: readonly PlayerCall[],
  ) => {
    if (!counted.has(mine)) {
      const models = listModels(past);
      // A request that was cut off may have been answered: it costs its reservation.
      for (const { seat, usage, estimate } of spent)
        purse.count(usage, estimate, findPrice(prices, models.get(seat) ?? ''));
    }
    counted.add(mine);
    for (const slot of await store.slots(league)) {
      if (counted.has(slot)) continue;
      for await (const { seats } of store.results(league, slot, slot + 1)) {
        counted.add(slot);
        for (const { tally } of seats)
          purse.charge({
            calls: tally['requests'] ?? 0,
            promptTokens: tally['prompt_tokens'] ?? 0,
            completionTokens: tally['completion_tokens'] ?? 0,
            dollars: (tally['microdollars'] ?? 0) / MICRODOLLARS,
          });
      }
    }
  };
  /** Other machines' spending on a game is known when that game is over. */
  const update = async (...args: Parameters<typeof count>): Promise<void> => {
    const counting = updated.then(() => count(...args));
    updated = counting.catch(() => {});
    await counting;
  };
  return { purse, update };
}

type AskedReflection = {
  readonly seat: Colour;
  readonly view: ReflectionView;
  readonly own: OwnMinds;
  readonly ahead: WriteAhead;
  /** Requests of a killed attempt that the journal lacks. */
  readonly earlier: readonly PlayerCall[];
};

const reflectionSchema = z.object({
  learned: z.array(z.string()),
  cost: z.record(z.string(), z.number()),
});
