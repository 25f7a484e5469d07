/** Players: offline games go to threads; games with language models stay here, where waiting costs nothing. */

import type { Assignment } from '../../actors/league/assignment.ts';
import { playAssignment, type SlotOutcome } from '../../actors/league/playing.ts';
import type { Tape } from '../../actors/league/thinkers.ts';
import { Threads } from '../../actors/league/threads.ts';
import { isRemote } from '../../actors/minds/kinds.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { findSeatProblems } from '../modelSeats.ts';
import { modelsOf } from './leagues.ts';
import type { LeagueModels, Means } from './models.ts';
import { tallyOf } from './tally.ts';

/** A file beside this one keeps its ending when it is built. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js',
  import.meta.url,
);

export function hasModels({ lobby }: Assignment): boolean {
  return lobby.seats.some(isRemote);
}

export class Players {
  readonly #threads: Threads;
  readonly #means: Means;
  readonly #models: (game: Assignment) => LeagueModels;

  /** `thread` is what a thread runs; tests have others. */
  constructor(jobs: number, means: Means, thread: URL = THREAD) {
    this.#threads = new Threads(thread, jobs);
    this.#means = means;
    this.#models = modelsOf(means);
  }

  async play(
    game: Assignment,
    tape: Tape | null,
    onBreak: (breakOff: () => void) => void = () => {},
  ): Promise<SlotOutcome> {
    if (!hasModels(game)) return await this.#threads.play(game);
    const lacks = findSeatProblems(game.lobby.seats, process.env);
    if (lacks.length > 0) {
      return { type: 'broken', slot: game.slot, text: lacks.map(({ text }) => text).join('; ') };
    }
    const thinkers = await this.#models(game).thinkersFor(game, tape?.past ?? '');
    const edge = {
      count: (lines: readonly Line[]) => tallyOf(lines, this.#means.prices),
      thinkers: {
        ...thinkers,
        attach: (...[played, recorder]: Parameters<typeof thinkers.attach>) => {
          onBreak(() => played.pause());
          thinkers.attach(played, recorder);
        },
      },
    };
    return await playAssignment(game, edge, tape);
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}
