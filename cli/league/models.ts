/** The language models of a league: shared by all its games here, within the budget and the limits of the league. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Recorder } from '../../actors/engine/journal/recorder.ts';
import type { AssignedSeat, Assignment, Terms } from '../../actors/league/assignment.ts';
import type { Thinkers } from '../../actors/league/thinkers.ts';
import { EndpointHealth, ModelClients } from '../../actors/minds/openai/client.ts';
import type { RequestGate, RequestLimits } from '../../actors/minds/openai/limiter.ts';
import type { Prices } from '../../actors/minds/openai/prices.ts';
import type { Endpoint } from '../../actors/minds/openai/transport.ts';
import type { Store } from '../../actors/stores/store.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import { personaOf } from '../../machines/setup/prepare.ts';
import { type Identity, pickIdentity } from '../../prompts/personas.ts';
import { findEndpoint } from '../modelSeats.ts';
import { Expenses } from './expenses.ts';
import { reflectionOf } from './reflecting.ts';

const PATIENCE = { attemptMs: 30_000, waitMs: 60_000 };
const DEFAULT_TEMPERATURE = 0.8;
/** Endpoints take seeds below 2^31. */
const SEEDS = 2 ** 31;

/** What the models of all leagues are asked with. */
export type Means = {
  readonly store: Store;
  readonly prices: Prices;
  /** Where requests to a model wait, when others on other machines ask it too. */
  readonly gateTo?: (endpoint: Endpoint, limits: RequestLimits) => RequestGate;
};

export class LeagueModels {
  readonly #means: Means;
  readonly #expenses: Expenses;
  readonly #models: ModelClients;

  constructor({ budget, limits: given }: Terms, means: Means) {
    const { store, prices, gateTo } = means;
    const limits = { concurrency: given.concurrency, perMinute: given.per_minute ?? null };
    this.#means = means;
    this.#expenses = new Expenses(store, budget, prices);
    this.#models = new ModelClients({
      now: () => Date.now(),
      sleep,
      limits,
      ...(gateTo === undefined ? {} : { gateTo: (endpoint: Endpoint) => gateTo(endpoint, limits) }),
      patience: PATIENCE,
      prices,
    });
  }

  /** The models of one game; `past` is what an earlier attempt has left of it. */
  async thinkersFor(game: Assignment, past: string): Promise<Thinkers> {
    await this.#expenses.update(game, past);
    let recorder: Recorder | null = null;
    let pause: (() => void) | null = null;
    let reason: string | null = null;
    const account = {
      budget: this.#expenses.purse,
      health: new EndpointHealth(),
      onCall: (call: object) => recorder?.noteCall(call),
      onPause: (_code: string, text: string) => {
        reason ??= text;
        pause?.();
      },
    };
    return {
      minds: (seat, index) => this.#models.createMind(modelSeatOf(game, seat, index), account),
      attach: (played, notes) => {
        recorder = notes;
        pause = () => played.pause();
        // A budget may have been spent before the first round.
        if (reason !== null) played.pause();
      },
      paused: () => reason,
      reflect: async (assigned, view) => {
        const index = game.lobby.seats.findIndex(({ colour }) => colour === assigned.colour);
        const seat = game.lobby.seats[index];
        if (seat === undefined) return { learned: null, cost: {} };
        return await reflectionOf(modelSeatOf(game, seat, index), view, {
          house: this.#models.clientFor(findEndpoint(seat, process.env)),
          purse: this.#expenses.purse,
          prices: this.#means.prices,
          patience: PATIENCE,
          sleep,
        });
      },
    };
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  // Whoever is not waited for any more goes on at once, and finds out.
  await wait(ms, undefined, { signal }).catch(() => {});
}

function modelSeatOf(game: Assignment, seat: MatchSeat, index: number) {
  return {
    colour: seat.colour,
    endpoint: findEndpoint(seat, process.env),
    temperature: seat.temperature ?? DEFAULT_TEMPERATURE,
    seed: (game.seed + index) % SEEDS,
    extra: seat.extra_body ?? {},
    identity: identityIn(game, seat, index),
  };
}

/** Who a model is told to be: what the league says of the persona, or what its temperament has. */
function identityIn(game: Assignment, seat: MatchSeat, index: number): Identity {
  const shipped = pickIdentity(personaOf(seat, index), `game-${game.game}`, seat.level);
  const assigned: AssignedSeat | undefined = game.seats.find(
    ({ colour }) => colour === seat.colour,
  );
  return {
    ...shipped,
    character: assigned?.character ?? shipped.character,
    voice: assigned?.voice ?? shipped.voice,
    learned: seat.learned ?? [],
  };
}
