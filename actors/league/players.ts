/** Players: offline games go to other threads; games with models or own minds stay here, where waiting costs nothing. */
import { isSlow } from '../../machines/rules/mindKinds.ts';
import { serveTasks, TaskPool } from '../jobs/pool.ts';
import { findSeatProblems, findUnpriced } from '../minds/openai/seats.ts';
import type { Workers } from '../ports/ports.ts';
import { realProcess } from '../ports/process.ts';
import { realWorkers } from '../ports/threads.ts';
import {
  type GameServices,
  type LeagueGameOutcome,
  type OpenJournal,
  playLeagueGame,
} from './game.ts';
import { type LeagueModels, type ModelResources, shareModels } from './models.ts';
import { findForbidden } from './permit.ts';
import type { LeagueGame } from './plan.ts';

/** Whether a game takes real time: it stays in this process, and its journal is written as it is played. */
export function isSlowGame({ match }: LeagueGame): boolean {
  return match.seats.some(isSlow);
}

export function leagueBudget(dollars: number) {
  const ways = 'name it with --prices, or limit the league with calls or tokens in its budget';
  return { limit: `budget: { dollars: ${dollars} }`, ways };
}

export class Players {
  readonly #resources: ModelResources;
  readonly #models: (game: LeagueGame) => LeagueModels;
  readonly #pool: TaskPool<LeagueGame, LeagueGameOutcome>;

  constructor(threads: number, resources: ModelResources, workers: Workers = realWorkers) {
    this.#resources = resources;
    this.#models = shareModels(resources);
    this.#pool = new TaskPool({ threads, file: resources.counting.worker, workers }, 1);
  }

  async play(
    game: LeagueGame,
    journal: OpenJournal | null,
    onBreak: (breakOff: () => void) => void = () => {},
  ): Promise<LeagueGameOutcome> {
    if (!isSlowGame(game)) return await this.#playOnThread(game);
    const { prices, permit, findSeat = (seat) => seat } = this.#resources;
    const { environment = realProcess.environment } = this.#resources;
    const { dollars } = game.terms.budget;
    const missing = [
      ...findForbidden(game.match.seats, permit),
      ...findSeatProblems(game.match.seats.map(findSeat), environment),
      ...(dollars === undefined
        ? []
        : findUnpriced(game.match.seats, prices, leagueBudget(dollars))),
    ];
    if (missing.length > 0)
      return { type: 'broken', slot: game.slot, text: missing.map(({ text }) => text).join('; ') };
    const models = await this.#models(game).prepareGame(game, journal);
    const services: GameServices = {
      ...(this.#resources.time === undefined ? {} : { time: this.#resources.time }),
      count: (lines) => this.#resources.counting.tally(lines, prices),
      models: {
        ...models,
        attach: (played, recorder) => {
          onBreak(() => played.pause());
          models.attach(played, recorder);
        },
      },
    };
    return await playLeagueGame(game, services, journal);
  }

  async countPast(game: LeagueGame, text: string): Promise<void> {
    await this.#models(game).countPast(game, text);
  }

  async close(): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  /** A game that breaks, or whose thread ends, is an outcome and never an exception. */
  async #playOnThread(game: LeagueGame): Promise<LeagueGameOutcome> {
    try {
      return await this.#pool.run(game);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return { type: 'broken', slot: game.slot, text };
    }
  }
}

export function serveLeagueGames(services: GameServices): void {
  serveTasks((game: LeagueGame) => playLeagueGame(game, services));
}
