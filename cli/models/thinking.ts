/** Thinking: the language models of one game at work, what they have cost, and why they stopped. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Journal } from '../../actors/engine/journal/reader.ts';
import type { Recorder } from '../../actors/engine/journal/recorder.ts';
import type { ModelMinds } from '../../actors/engine/match.ts';
import { goneMind } from '../../actors/minds/human/gone.ts';
import { Budget, type Spent } from '../../actors/minds/openai/budget.ts';
import { EndpointHealth, ModelClients, type SeatCall } from '../../actors/minds/openai/client.ts';
import type { FailureClass as Trouble } from '../../actors/minds/openai/failures.ts';
import { findPrice, type Prices } from '../../actors/minds/openai/prices.ts';
import { readCalls } from '../../analysis/accounts.ts';
import { personaOf } from '../../machines/setup/prepare.ts';
import type { Colour } from '../../machines/types.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { createFailure, EXIT, type Failure } from '../exit.ts';
import { commandLine } from '../options.ts';
import type { ModelFlags } from './flags.ts';
import { type CostGauge, costGauge } from './gauge.ts';
import { openPrices } from './price-file.ts';
import { endpointOf, modelsIn } from './seats.ts';

/** What can be done to a game whose models can't go on. */
type Game = {
  /** Breaks it off, to be gone on with. */
  pause(): void;
  /** Ends it by the rules: the meeting as unconverged. */
  end(): void;
};

export type Paused = { readonly code: Trouble; readonly text: string };

/** One request may take so long; then it is made once more. A tick waits a minute. */
const ATTEMPT_MS = 30_000;
const WAIT_MS = 60_000;
const SECONDS_PER_MINUTE = 60;
const DEFAULT_TEMPERATURE = 0.8;
/** Endpoints take seeds below 2^31. */
const SEEDS = 2 ** 31;

export class Thinking {
  readonly #budget: Budget;
  readonly #models: ModelClients;
  readonly #seed: number;
  readonly #prices: Prices;
  /** The line on the terminal that says what the game costs. */
  readonly gauge: CostGauge = costGauge();
  /** Hears of requests that failed. */
  onTrouble: ((seat: Colour, code: string) => void) | null = null;
  /** Milliseconds that the game had taken when this process took it up. */
  #before = 0;
  #game: Game | null = null;
  #recorder: Recorder | null = null;
  #paused: Paused | null = null;
  #isSpent: string | null = null;

  constructor(flags: ModelFlags, seed: number, prices: Prices) {
    const { maxCalls = null, maxTokens = null, maxCost = null, maxMinutes = null } = flags;
    const now = () => performance.now() + this.#before;
    this.#seed = seed;
    this.#prices = prices;
    this.#budget = new Budget(
      {
        calls: maxCalls,
        tokens: maxTokens,
        dollars: maxCost,
        seconds: maxMinutes === null ? null : maxMinutes * SECONDS_PER_MINUTE,
      },
      now,
    );
    this.#models = new ModelClients({
      now: () => Date.now(),
      sleep: async (ms, signal) => {
        // Whoever is not waited for any more goes on at once, and finds out.
        await wait(ms, undefined, { signal }).catch(() => {});
      },
      limits: { concurrency: flags.concurrency, perMinute: flags.perMinute ?? null },
      patience: { attemptMs: ATTEMPT_MS, waitMs: WAIT_MS },
      prices,
    });
  }

  /** The minds of the seats that models think for. */
  get minds(): ModelMinds {
    const account = {
      budget: this.#budget,
      health: new EndpointHealth(),
      onCall: (call: SeatCall) => {
        this.#recorder?.noteCall(call);
        const { seat, trouble } = call;
        if (trouble !== null && trouble !== 'aborted') this.onTrouble?.(seat, trouble);
        this.gauge.show(this.#budget.spent);
      },
      onPause: (code: Trouble, text: string) => this.#stop(code, text),
    };
    return (seat, index) => {
      // Whoever played in a game that is gone on with is not here any more.
      if (seat.mind === 'human') return goneMind;
      return this.#models.createMind(
        {
          colour: seat.colour,
          endpoint: endpointOf(seat, process.env),
          temperature: seat.temperature ?? DEFAULT_TEMPERATURE,
          seed: (this.#seed + index) % SEEDS,
          extra: seat.extra_body ?? {},
          identity: pickIdentity(personaOf(seat, index), `game-${this.#seed}`, seat.level),
        },
        account,
      );
    };
  }

  /** The game that they think for is on. */
  attach(game: Game, recorder: Recorder): void {
    this.#game = game;
    this.#recorder = recorder;
  }

  /** Counts what a game has spent by its journal, before it goes on. */
  remember({ lines }: Journal): void {
    const models = modelsIn(lines);
    for (const { seat, usage, estimate } of readCalls(lines)) {
      this.#budget.note(usage, estimate, findPrice(this.#prices, models.get(seat) ?? ''));
    }
    for (const { clock } of lines) {
      const ms = clock?.['ms'];
      if (typeof ms === 'number') this.#before = Math.max(this.#before, ms);
    }
  }

  get spent(): Spent {
    return this.#budget.spent;
  }

  /** Why the game was broken off; null when it was not. */
  get paused(): Paused | null {
    return this.#paused;
  }

  /** Which budget is spent, in words; null when none is. */
  get exhausted(): string | null {
    return this.#isSpent;
  }

  #stop(code: Trouble, text: string): void {
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

export function thinkingFor(flags: ModelFlags, seed: number): Thinking {
  const prices = flags.prices === undefined ? {} : openPrices(flags.prices);
  return new Thinking(flags, seed, prices);
}

/** What is told when a game was broken off. */
export function pausedFailure({ code, text }: Paused, journal: string): Failure {
  const sentence = `the game is paused: ${REASONS[code] ?? 'the endpoint does not answer'} (${text}). Go on when it does: ${commandLine('resume', journal)}`;
  return createFailure(EXIT.unreachable, `endpoint/${code}`, sentence);
}

const REASONS: Readonly<Partial<Record<Trouble, string>>> = {
  auth: 'the endpoint refuses the key',
  'not-found': 'the endpoint does not know the model',
  credits: 'there is no credit left',
  'daily-limit': 'the daily limit is reached',
  timeout: 'nobody got an answer in time',
};
