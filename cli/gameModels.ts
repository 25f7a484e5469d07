/** The language models of one game of a command: minds, budget, cost so far, and why the game paused. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Journal } from '../actors/engine/journal/reader.ts';
import type { Recorder } from '../actors/engine/journal/recorder.ts';
import { goneMind, type ModelMinds } from '../actors/minds/kinds.ts';
import { Budget, type Spent } from '../actors/minds/openai/budget.ts';
import { EndpointHealth, ModelClients, type SeatCall } from '../actors/minds/openai/client.ts';
import type { FailureClass } from '../actors/minds/openai/failures.ts';
import { findPrice, type Prices } from '../actors/minds/openai/prices.ts';
import { findEndpoint, listModels } from '../actors/minds/openai/seats.ts';
import { readCalls } from '../analysis/accounts.ts';
import { isPerson } from '../machines/rules/mindKinds.ts';
import { personaOf } from '../machines/setup/prepare.ts';
import type { Colour } from '../machines/types.ts';
import { pickIdentity } from '../prompts/personas.ts';
import { createFailure, EXIT, type Failure } from './exit.ts';
import type { ModelFlags } from './modelFlags.ts';
import { openPrices } from './modelSeats.ts';
import { commandLine } from './options.ts';
import { printNote } from './output.ts';
import { createProgressLine, type Screen } from './progress.ts';

/** What models have cost, in a sentence. */
export function describeCost({
  calls,
  promptTokens,
  cachedTokens,
  completionTokens,
  dollars,
  unpriced,
}: Spent): string {
  const count = (number: number) => number.toLocaleString('en-US');
  const cached = cachedTokens === 0 ? '' : ` (${count(cachedTokens)} cached)`;
  const price = unpriced === calls ? '' : `, $${dollars.toFixed(4)}`;
  const requests = calls === 1 ? '1 request' : `${count(calls)} requests`;
  return `${requests}, ${count(promptTokens)} tokens in${cached}, ${count(completionTokens)} out${price}`;
}

/** Tells people what a game has cost, and that a budget has ended it. */
export function printCost({
  spent,
  exhausted,
}: {
  readonly spent: Spent;
  readonly exhausted: string | null;
}): void {
  if (spent.calls > 0) printNote(`\n${describeCost(spent)}`);
  if (exhausted !== null) printNote(`It ended early: ${exhausted}.`);
}

type CostLine = {
  show(spent: Spent): void;
  /** Prints something else above it. */
  above<T>(print: () => T): T;
  /** It is gone, and stays away. */
  end(): void;
};

export function createCostLine(screen: Screen = process.stderr): CostLine {
  const line = createProgressLine(screen);
  let text: string | null = null;
  let isOver = false;
  return {
    show: (spent) => {
      if (isOver) return;
      text = describeCost(spent);
      line.show(text);
    },
    above: (print) => {
      if (text === null || isOver) return print();
      line.clear();
      const printed = print();
      line.show(text);
      return printed;
    },
    end: () => {
      if (text !== null && !isOver) line.clear();
      isOver = true;
    },
  };
}

/** The game, as far as it can be stopped when its models can't go on. */
type PausableGame = {
  /** Stops it such that it can be resumed. */
  pause(): void;
  /** Ends it by the rules: the meeting as unconverged. */
  end(): void;
};

type PauseReason = { readonly code: FailureClass; readonly text: string };

/** One request may take so long; then it is made once more. A tick waits a minute. */
const ATTEMPT_MS = 30_000;
const WAIT_MS = 60_000;
const SECONDS_PER_MINUTE = 60;
const DEFAULT_TEMPERATURE = 0.8;
/** Endpoints take seeds below 2^31. */
const SEEDS = 2 ** 31;

export class MatchModels {
  readonly #budget: Budget;
  readonly #models: ModelClients;
  readonly #seed: number;
  readonly #prices: Prices;
  /** The line on the terminal that shows the cost so far. */
  readonly costLine: CostLine = createCostLine();
  /** Called for each failed request. */
  onFailure: ((seat: Colour, code: string) => void) | null = null;
  /** Milliseconds that the game had taken when this process took it up. */
  #before = 0;
  #game: PausableGame | null = null;
  #recorder: Recorder | null = null;
  #paused: PauseReason | null = null;
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
        // An aborted wait ends at once; the next step looks at the signal.
        await wait(ms, undefined, { signal }).catch(() => {});
      },
      limits: { concurrency: flags.concurrency, perMinute: flags.perMinute ?? null },
      patience: { attemptMs: ATTEMPT_MS, waitMs: WAIT_MS },
      prices,
    });
  }

  /** The minds of the seats for which models think. */
  get minds(): ModelMinds {
    const account = {
      budget: this.#budget,
      health: new EndpointHealth(),
      onCall: (call: SeatCall) => {
        this.#recorder?.noteCall(call);
        const { seat, failure } = call;
        if (failure !== null && failure !== 'aborted') this.onFailure?.(seat, failure);
        this.costLine.show(this.#budget.spent);
      },
      onPause: (code: FailureClass, text: string) => this.#stop(code, text),
    };
    return (seat, index) => {
      // The people of a game that is resumed have left it.
      if (isPerson(seat)) return goneMind;
      return this.#models.createMind(
        {
          colour: seat.colour,
          endpoint: findEndpoint(seat, process.env),
          temperature: seat.temperature ?? DEFAULT_TEMPERATURE,
          seed: (this.#seed + index) % SEEDS,
          extra: seat.extra_body ?? {},
          identity: pickIdentity(personaOf(seat, index), `game-${this.#seed}`, seat.level),
        },
        account,
      );
    };
  }

  /** The game has started. */
  attach(game: PausableGame, recorder: Recorder): void {
    this.#game = game;
    this.#recorder = recorder;
  }

  /** Counts what a game has spent by its journal, before it goes on. */
  remember({ lines }: Journal): void {
    const models = listModels(lines);
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

export function createGameModels(flags: ModelFlags, seed: number): MatchModels {
  const prices = flags.prices === undefined ? {} : openPrices(flags.prices);
  return new MatchModels(flags, seed, prices);
}

/** The failure of a command whose game was paused. */
export function pausedFailure({ code, text }: PauseReason, journal: string): Failure {
  const sentence = `the game is paused: ${REASONS[code] ?? 'the endpoint does not answer'} (${text}). Go on when it does: ${commandLine('resume', journal)}`;
  return createFailure(EXIT.unreachable, `endpoint/${code}`, sentence);
}

const REASONS: Readonly<Partial<Record<FailureClass, string>>> = {
  auth: 'the endpoint refuses the key',
  'not-found': 'the endpoint does not know the model',
  credits: 'there is no credit left',
  'daily-limit': 'the daily limit is reached',
  timeout: 'no request was answered in time',
};
