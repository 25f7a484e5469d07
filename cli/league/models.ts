/** The language models of a league: shared by all its games, within the budget of the league. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Recorder } from '../../actors/journal/recorder.ts';
import type { AssignedSeat, Assignment } from '../../actors/league/assignment.ts';
import type { Plan } from '../../actors/league/plan.ts';
import type { Thinkers } from '../../actors/league/thinkers.ts';
import type { Prices } from '../../actors/minds/endpoint/prices.ts';
import { Purse } from '../../actors/minds/endpoint/purse.ts';
import { Models } from '../../actors/minds/models.ts';
import { Outages } from '../../actors/minds/outage.ts';
import type { AnySeat } from '../../actors/seating.ts';
import type { Result } from '../../actors/stores/result.ts';
import { personaOf } from '../../machines/setting.ts';
import type { Identity } from '../../prompts/identity.ts';
import { identityOf } from '../../prompts/personas.ts';
import { endpointOf } from '../models/seats.ts';
import { type Asking, reflectionOf } from './reflecting.ts';

const ATTEMPT_MS = 30_000;
const WAIT_MS = 60_000;
const SECONDS_PER_MINUTE = 60;
const MICRO = 1e6;
const DEFAULT_TEMPERATURE = 0.8;
/** Requests under way to one model. */
const CONCURRENCY = 8;
/** Endpoints take seeds below 2^31. */
const SEEDS = 2 ** 31;

export class LeagueModels {
  readonly #purse: Purse;
  readonly #models: Models;
  readonly #asking: Asking;

  /** `results` are those that are there: what they have cost is spent. */
  constructor(plan: Plan, results: readonly Result[], prices: Prices) {
    const sleep = async (ms: number, signal: AbortSignal) => {
      // Whoever is not waited for any more goes on at once, and finds out.
      await wait(ms, undefined, { signal }).catch(() => {});
    };
    this.#purse = new Purse(budgetOf(plan, results), () => performance.now());
    this.#models = new Models({
      now: () => Date.now(),
      sleep,
      limits: { concurrency: CONCURRENCY, perMinute: null },
      patience: { attemptMs: ATTEMPT_MS, waitMs: WAIT_MS },
      prices,
    });
    this.#asking = { purse: this.#purse, sleep, attemptMs: ATTEMPT_MS, waitMs: WAIT_MS, prices };
  }

  /** The models of one game. */
  thinkersFor(game: Assignment): Thinkers {
    let recorder: Recorder | null = null;
    let pause: (() => void) | null = null;
    let reason: string | null = null;
    const account = {
      purse: this.#purse,
      outages: new Outages(),
      onCall: (call: object) => recorder?.noteCall(call),
      onPause: (_code: string, text: string) => {
        reason ??= text;
        pause?.();
      },
    };
    return {
      minds: (seat, index) =>
        this.#models.mind(
          {
            colour: seat.colour,
            endpoint: endpointOf(seat, process.env),
            temperature: seat.temperature ?? DEFAULT_TEMPERATURE,
            seed: (game.seed + index) % SEEDS,
            extra: seat.extra_body ?? {},
            identity: identityIn(game, seat, index),
          },
          account,
        ),
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
        if (seat === undefined) return null;
        return await reflectionOf(seat, view, identityIn(game, seat, index), this.#asking);
      },
    };
  }
}

/** Who a model is told to be: what the league says of the persona, or what its temperament has. */
function identityIn(game: Assignment, seat: AnySeat, index: number): Identity {
  const shipped = identityOf(personaOf(seat, index), `game-${game.game}`, seat.level);
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

function budgetOf({ league: { budget } }: Plan, results: readonly Result[]) {
  const spent = (name: string) =>
    results.reduce(
      (sum, { seats }) => sum + seats.reduce((own, { tally }) => own + (tally[name] ?? 0), 0),
      0,
    );
  const left = (limit: number | undefined, used: number) =>
    limit === undefined ? null : Math.max(0, limit - used);
  return {
    calls: left(budget.calls, spent('requests')),
    tokens: left(budget.tokens, spent('prompt_tokens') + spent('completion_tokens')),
    dollars: left(budget.dollars, spent('microdollars') / MICRO),
    seconds: budget.minutes === undefined ? null : budget.minutes * SECONDS_PER_MINUTE,
  };
}
