/** The language models and own minds of one match: minds, budget, cost, and the reason for a pause. */

import { readCall, readCalls } from '../../../machines/journal/calls.ts';
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
import { settleIdle } from '../wrap.ts';
import { Budget, type BudgetLimits, type Spent } from './budget.ts';
import { type GameAccount, ModelClients, type ModelSeat, type WriterRequest } from './client.ts';
import { DEADLINE_LIMITS, type DeadlineLimits, type LoadingModel } from './deadlines.ts';
import type { FailureClass } from './failures.ts';
import type { RequestLimits } from './limiter.ts';
import type { ModelMemory } from './memory.ts';
import { createModelBeliever } from './modelBeliever.ts';
import { findPrice, type Prices } from './prices.ts';
import { findEndpoint, listModels, toModelSeat } from './seats.ts';
import type { Endpoint, Transport } from './transport.ts';

type PausableGame = {
  /** Stops it so that it can be resumed. */
  pause(): void;
  /** Ends it by the rules: a meeting as unconverged. */
  end(): void;
  readonly result: Promise<unknown>;
};

export type PauseReason = { readonly code: FailureClass; readonly text: string };

/** Seeds per sample, so that no two seats share one. */
const SAMPLE_SEEDS = 64;

export type MatchModelsOptions = {
  readonly seed: number;
  readonly prices: Prices;
  readonly budget: BudgetLimits;
  readonly limits: RequestLimits;
  readonly onErrorLine?: (seat: Colour, line: string) => void;
  readonly deadlines?: Partial<DeadlineLimits>;
  readonly memory?: ModelMemory | null;
  readonly time?: TimePort;
  readonly environment?: EnvironmentVariables;
  readonly streams?: boolean;
  readonly open?: (endpoint: Endpoint) => Transport;
};

export class MatchModels {
  readonly #budget: Budget;
  readonly #models: ModelClients;
  readonly #options: MatchModelsOptions;
  readonly #own: OwnMinds;
  onSpent: ((spent: Spent) => void) | null = null;
  onLoading: ((loading: LoadingModel) => void) | null = null;
  onFailure: ((seat: Colour, code: string) => void) | null = null;
  onWriting: ((asked: WriterRequest, words: PartialWords | null) => void) | null = null;
  /** Whether to ask for streams; may change during a game. */
  streams: boolean;
  /** Milliseconds that the game had taken before this process continued it. */
  #before = 0;
  readonly #known = new Set<string>();
  #game: PausableGame | null = null;
  #recorder: Recorder | null = null;
  readonly #ahead = new WriteAhead();
  /** Requests of an earlier attempt that the journal lacks. */
  #unrecorded: readonly object[] = [];
  paused: PauseReason | null = null;
  exhausted: string | null = null;

  constructor(options: MatchModelsOptions) {
    const { prices, budget, limits, open, memory = null, time = realTime } = options;
    const { streams = false, onErrorLine = () => {} } = options;
    this.#options = options;
    this.streams = streams;
    this.#own = new OwnMinds({ onErrorLine });
    this.#budget = new Budget(budget, () => time.now() + this.#before);
    this.#models = new ModelClients({ time, open, limits, prices, memory });
  }

  get minds(): ModelMinds {
    return this.mindsOfSample(0);
  }

  /** The same for one of several matches that differ only in the seeds for endpoints. */
  mindsOfSample(sample: number): ModelMinds {
    const account: GameAccount = {
      budget: this.#budget,
      limits: { ...DEADLINE_LIMITS, ...this.#options.deadlines },
      ahead: this.#ahead,
      known: this.#known,
      onLoading: (loading) => this.onLoading?.(loading),
      streams: () => this.streams,
      onWriting: (asked, words) => this.onWriting?.(asked, words),
      onSend: (request) => this.#ahead.noteSent(request),
      onCall: (call, asked, received) => {
        this.#recorder?.noteCall(call);
        this.#ahead.noteCall(call, asked, received);
        const { seat, failure } = call;
        if (failure !== null && failure !== 'aborted') this.onFailure?.(seat, failure);
        this.onSpent?.(this.#budget.spent);
      },
      onPause: (code, text) => this.#stop(code, text),
    };
    const createMind = this.#models.openGame(account);
    return (seat, index, times) => {
      // The people of a resumed game have left it.
      if (isPerson(seat)) return goneMind;
      if (!isOwn(seat))
        return settleIdle(createMind({ ...this.#toModelSeat(seat, index, sample), times }));
      const own = this.#own.createMind(seat, times, this.#identify(seat, index));
      return settleIdle(this.#ahead.keepAnswersOf(seat.colour, own));
    };
  }

  get believers(): OutsideBelievers {
    return (seat, index) => {
      if (isOwn(seat)) return this.#own.createBeliever(seat);
      return createModelBeliever(this.#toModelSeat(seat, index, 0), {
        clients: this.#models,
        budget: this.#budget,
        ahead: this.#ahead,
        onCall: (call) => {
          this.#recorder?.noteCall(call, 'beliefs');
          this.onSpent?.(this.#budget.spent);
        },
      });
    };
  }

  #identify(seat: MatchSeat, index: number): Identity {
    return pickIdentity(personaOf(seat, index), `game-${this.#options.seed}`, seat.level);
  }

  #toModelSeat(seat: MatchSeat, index: number, sample: number): ModelSeat {
    const { seed, environment = realProcess.environment } = this.#options;
    const own = seed + index + sample * SAMPLE_SEEDS;
    return toModelSeat(seat, findEndpoint(seat, environment), own, this.#identify(seat, index));
  }

  /** One of several matches has started: budgets and pauses apply to it. */
  take(game: PausableGame): void {
    this.#game = game;
  }

  attach(game: PausableGame, recorder: Recorder): void {
    this.#game = game;
    this.#recorder = recorder;
    for (const call of this.#unrecorded)
      recorder.noteCall(call, readCall(call)?.requestKind === 'belief' ? 'beliefs' : 'living');
    const close = () => this.close();
    void game.result.then(close, close);
  }

  /** Writes answers ahead of the journal. Call it before the game starts and before `remember`. */
  writeAhead(log: AheadLog, { lines }: Pick<Journal, 'lines'> = { lines: [] }): void {
    this.#unrecorded = this.#ahead.open(log, lines);
  }

  /** Counts the game's past spending, and notes who has answered, from its journal and the lines written ahead of it. */
  remember({ lines }: Journal): void {
    const models = listModels(lines);
    const unrecorded = this.#unrecorded.flatMap((call) => readCall(call) ?? []);
    for (const { seat, usage, estimate, failure } of [...readCalls(lines), ...unrecorded]) {
      const model = models.get(seat) ?? '';
      if (failure === null) this.#known.add(model);
      this.#budget.count(usage, estimate, findPrice(this.#options.prices, model));
    }
    for (const { clock } of lines) {
      const ms = clock?.['ms'];
      if (typeof ms === 'number') this.#before = Math.max(this.#before, ms);
    }
  }

  /** Ends the programs in seats, as at the end of a match. Resolves when all are gone. */
  async close(): Promise<void> {
    await this.#own.close();
  }

  get spent(): Spent {
    return this.#budget.spent;
  }

  #stop(code: FailureClass, text: string): void {
    if (code === 'budget') {
      this.exhausted ??= text;
      this.#game?.end();
      return;
    }
    if (this.paused !== null) return;
    this.paused = { code, text };
    this.#game?.pause();
  }
}
