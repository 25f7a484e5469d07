/** The language models and the own minds of one match: minds, budget, cost so far, and why the match paused. */

import { isOwn, isPerson } from '../../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../../machines/setup/match.ts';
import { personaOf } from '../../../machines/setup/prepare.ts';
import type { Colour } from '../../../machines/types.ts';
import type { PartialWords } from '../../../prompts/partialReply.ts';
import { type Identity, pickIdentity } from '../../../prompts/personas.ts';
import type { Journal } from '../../engine/journal/reader.ts';
import type { Recorder } from '../../engine/journal/recorder.ts';
import type { EnvironmentVariables, TimePort } from '../../ports/ports.ts';
import { realProcess } from '../../ports/process.ts';
import { realTime } from '../../ports/time.ts';
import { type AheadLog, WriteAhead } from '../ahead.ts';
import type { OutsideBelievers } from '../believers.ts';
import { goneMind, type ModelMinds } from '../kinds.ts';
import { OwnMinds } from '../own/ownMinds.ts';
import type { MindRequest } from '../port.ts';
import { Budget, type BudgetLimits, type Spent } from './budget.ts';
import { readCall, readCalls } from './calls.ts';
import {
  EndpointHealth,
  LineUp,
  ModelClients,
  type ModelSeat,
  type SeatCall,
  type SentRequest,
  type WriterRequest,
} from './client.ts';
import type { Patience } from './conversation.ts';
import {
  DEADLINE_LIMITS,
  type DeadlineLimits,
  GameDeadlines,
  type LoadingModel,
} from './deadlines.ts';
import type { FailureClass } from './failures.ts';
import type { RequestLimits } from './limiter.ts';
import type { ModelMemory } from './memory.ts';
import { createModelBeliever } from './modelBeliever.ts';
import { findPrice, type Prices } from './prices.ts';
import { findEndpoint, listModels } from './seats.ts';
import type { Endpoint, Transport } from './transport.ts';

/** The game, as far as it can be stopped when its models can't go on. */
type PausableGame = {
  /** Stops it such that it can be resumed. */
  pause(): void;
  /** Ends it by the rules: the meeting as unconverged. */
  end(): void;
  /** Settles when it is over. */
  readonly result: Promise<unknown>;
};

export type PauseReason = { readonly code: FailureClass; readonly text: string };

/** Requests that are no move of a player may take so long. */
const ATTEMPT_MS = 30_000;

const WAIT_MS = 60_000;
const PATIENCE: Patience = { attemptMs: ATTEMPT_MS, waitMs: WAIT_MS };

const DEFAULT_TEMPERATURE = 0.8;

/** Endpoints take seeds below 2^31. */
const SEEDS = 2 ** 31;
/** Seeds of one sample, so that no seat has that of another one's. */
const SAMPLE_SEEDS = 64;

export type MatchModelsOptions = {
  /** The seed of the match. */
  readonly seed: number;
  readonly prices: Prices;
  readonly budget: BudgetLimits;
  readonly limits: RequestLimits;
  /** Sees every line that an own mind writes to standard error. */
  readonly onErrorLine?: (seat: Colour, line: string) => void;
  /** How long models are waited for; left out, five minutes each. */
  readonly deadlines?: Partial<DeadlineLimits>;
  /** What earlier processes have learned of models; without it nothing is remembered, and nothing kept. */
  readonly memory?: ModelMemory | null;
  /** Without them those of this machine. */
  readonly time?: TimePort;
  readonly environment?: EnvironmentVariables;
  /** Whether answers are wished as streams; left out, they are not. */
  readonly streams?: boolean;
  readonly open?: (endpoint: Endpoint) => Transport;
};

export class MatchModels {
  readonly #budget: Budget;
  readonly #models: ModelClients;
  readonly #seed: number;
  readonly #prices: Prices;
  readonly #environment: EnvironmentVariables;
  readonly #own: OwnMinds;
  readonly #time: TimePort;
  readonly #deadlines: DeadlineLimits;
  /** Called after each request, with what has been spent by then. */
  onSpent: ((spent: Spent) => void) | null = null;
  /** Called while a model is waited for that has not answered yet. */
  onLoading: ((loading: LoadingModel) => void) | null = null;
  /** Called for each failed request. */
  onFailure: ((seat: Colour, code: string) => void) | null = null;
  /** Called while a model writes, with its words by now; with null where what it wrote is void. */
  onWriting: ((asked: WriterRequest, words: PartialWords | null) => void) | null = null;
  /** Whether answers are wished as streams; it may change while a game is on. */
  streams: boolean;
  /** Milliseconds that the game had taken when this process took it up. */
  #before = 0;
  #game: PausableGame | null = null;
  #recorder: Recorder | null = null;
  readonly #ahead = new WriteAhead();
  /** Requests of an earlier attempt that the journal does not have. */
  #unrecorded: readonly object[] = [];
  #paused: PauseReason | null = null;
  #isSpent: string | null = null;

  constructor({
    seed,
    prices,
    budget,
    limits,
    onErrorLine = () => {},
    deadlines = {},
    memory = null,
    time = realTime,
    environment = realProcess.environment,
    streams = false,
    open,
  }: MatchModelsOptions) {
    this.streams = streams;
    this.#time = time;
    this.#deadlines = { ...DEADLINE_LIMITS, ...deadlines };
    this.#seed = seed;
    this.#prices = prices;
    this.#environment = environment;
    this.#own = new OwnMinds({ onErrorLine });
    this.#budget = new Budget(budget, () => time.now() + this.#before);
    this.#models = new ModelClients({
      time,
      ...(open === undefined ? {} : { open }),
      limits,
      patience: PATIENCE,
      prices,
      memory,
    });
  }

  /** The minds of the seats for which models or own minds think. */
  get minds(): ModelMinds {
    return this.mindsOfSample(0);
  }

  /** The same for one of several matches that are alike but for the seeds that endpoints are sent. */
  mindsOfSample(sample: number): ModelMinds {
    const onPause = (code: FailureClass, text: string) => this.#stop(code, text);
    const account = {
      budget: this.#budget,
      health: new EndpointHealth(),
      lineUp: new LineUp(),
      deadlines: new GameDeadlines({
        time: this.#time,
        limits: this.#deadlines,
        onPause,
        onLoading: (loading) => this.onLoading?.(loading),
      }),
      streams: () => this.streams,
      onWriting: (asked: WriterRequest, words: PartialWords | null) =>
        this.onWriting?.(asked, words),
      onSend: (request: SentRequest) => this.#ahead.noteSent(request),
      onCall: (call: SeatCall, asked: MindRequest, received: object | null) => {
        this.#recorder?.noteCall(call);
        this.#ahead.noteCall(call, asked, received);
        const { seat, failure } = call;
        if (failure !== null && failure !== 'aborted') this.onFailure?.(seat, failure);
        this.onSpent?.(this.#budget.spent);
      },
      onPause,
    };
    return this.#ahead.keepAnswers((seat, index, times) => {
      // The people of a game that is resumed have left it.
      if (isPerson(seat)) return goneMind;
      if (isOwn(seat)) return this.#own.createMind(seat, times, this.#identify(seat, index));
      return this.#models.createMind({ ...this.#toModelSeat(seat, index, sample), times }, account);
    });
  }

  /** Who says what the players of these seats believe. */
  get believers(): OutsideBelievers {
    return (seat, index) => {
      if (isOwn(seat)) return this.#own.createBeliever(seat);
      const own = this.#toModelSeat(seat, index, 0);
      return createModelBeliever(own, {
        client: this.#models.clientFor(own.endpoint),
        budget: this.#budget,
        prices: this.#prices,
        patience: PATIENCE,
        time: this.#time,
        ahead: this.#ahead,
        onCall: (call) => {
          this.#recorder?.noteCall(call, 'beliefs');
          this.onSpent?.(this.#budget.spent);
        },
      });
    };
  }

  #identify(seat: MatchSeat, index: number): Identity {
    return pickIdentity(personaOf(seat, index), `game-${this.#seed}`, seat.level);
  }

  #toModelSeat(seat: MatchSeat, index: number, sample: number): ModelSeat {
    return {
      colour: seat.colour,
      endpoint: findEndpoint(seat, this.#environment),
      temperature: seat.temperature ?? DEFAULT_TEMPERATURE,
      seed: (this.#seed + index + sample * SAMPLE_SEEDS) % SEEDS,
      extra: seat.extra_body ?? {},
      identity: this.#identify(seat, index),
    };
  }

  /** One of several matches has started: it is what a budget ends, and what is paused. */
  take(game: PausableGame): void {
    this.#game = game;
  }

  /** The game has started. */
  attach(game: PausableGame, recorder: Recorder): void {
    this.#game = game;
    this.#recorder = recorder;
    for (const call of this.#unrecorded) {
      recorder.noteCall(call, readCall(call)?.requestKind === 'belief' ? 'beliefs' : 'living');
    }
    const close = () => this.close();
    void game.result.then(close, close);
  }

  /** Writes what is answered ahead of the journal. Called before the game starts, and before `remember`. */
  writeAhead(log: AheadLog, { lines }: Pick<Journal, 'lines'> = { lines: [] }): void {
    this.#unrecorded = this.#ahead.open(log, lines);
  }

  /** Counts what a game has spent, by its journal and by what was written ahead of it, before it goes on. */
  remember({ lines }: Journal): void {
    const models = listModels(lines);
    const unrecorded = this.#unrecorded.flatMap((call) => readCall(call) ?? []);
    for (const { seat, usage, estimate } of [...readCalls(lines), ...unrecorded]) {
      this.#budget.note(usage, estimate, findPrice(this.#prices, models.get(seat) ?? ''));
    }
    for (const { clock } of lines) {
      const ms = clock?.['ms'];
      if (typeof ms === 'number') this.#before = Math.max(this.#before, ms);
    }
  }

  /** Ends the programs that played seats, as happens when the match is over; resolves when nothing is left of them. */
  async close(): Promise<void> {
    await this.#own.close();
  }

  get spent(): Spent {
    return this.#budget.spent;
  }

  /** Why the game was interrupted; null when it was not. */
  get paused(): PauseReason | null {
    return this.#paused;
  }

  /** Which budget is spent, in words; null when none is. */
  get exhausted(): string | null {
    return this.#isSpent;
  }

  #stop(code: FailureClass, text: string): void {
    if (code === 'budget') {
      this.#isSpent ??= text;
      this.#game?.end();
      return;
    }
    if (this.#paused !== null) return;
    this.#paused = { code, text };
    this.#game?.pause();
  }
}
