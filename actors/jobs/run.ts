/**
 * A run: many games of one lobby, on this thread or on several, told in the order of their numbers.
 *
 * What a game is depends on the plan and its number only, so it does not matter how many threads there are or which
 * of them plays what.
 */
import { Bout } from './bout.ts';
import { Crew } from './crew.ts';
import type { Outcome, Plan } from './plan.ts';

export type RunOptions = {
  /** Threads that play; with one it is this one. */
  readonly jobs: number;
  /** Hears of every game, in order. */
  readonly onOutcome: (outcome: Outcome) => void;
  /** The file that a thread runs; tests have others. */
  readonly worker?: URL;
};

export type Run = {
  /** Kept when every game that was begun is over. */
  readonly result: Promise<void>;
  /** Begins no other game, and ends those that are on as soon as their rules allow it. */
  stop(): void;
};

/** A file beside this one keeps its ending when it is built. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js',
  import.meta.url,
);

/** Plays all games of a plan. */
export function run(plan: Plan, { jobs, onOutcome, worker = WORKER }: RunOptions): Run {
  let begun = 0;
  let isStopped = false;
  const next = () => (isStopped || begun === plan.games ? null : ++begun);
  const told = inOrder(onOutcome);
  if (jobs > 1) {
    const crew = new Crew(plan, { jobs, worker, next, onOutcome: told });
    const stop = () => {
      isStopped = true;
      crew.stop();
    };
    return { result: crew.play(), stop };
  }
  const alone = new Alone(plan, next, told);
  const stop = () => {
    isStopped = true;
    alone.stop();
  };
  return { result: alone.play(), stop };
}

/** Plays on this thread: the next game while the journal of the last one goes to the disk. */
class Alone {
  readonly #plan: Plan;
  readonly #next: () => number | null;
  readonly #told: (outcome: Outcome) => void;
  readonly #bouts = new Set<Bout>();

  constructor(plan: Plan, next: () => number | null, told: (outcome: Outcome) => void) {
    this.#plan = plan;
    this.#next = next;
    this.#told = told;
  }

  async play(): Promise<void> {
    let last: Promise<void> = Promise.resolve();
    for (let game = this.#next(); game !== null; game = this.#next()) {
      const bout = new Bout(this.#plan, game);
      this.#bouts.add(bout);
      await bout.over;
      await last;
      last = this.#tell(bout);
      // Whoever wants to end the run is heard between two games.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await last;
  }

  stop(): void {
    for (const bout of this.#bouts) bout.stop();
  }

  async #tell(bout: Bout): Promise<void> {
    const outcome = await bout.outcome;
    this.#bouts.delete(bout);
    this.#told(outcome);
  }
}

/** Tells outcomes in the order of the games, whatever the order in which they come. */
function inOrder(tell: (outcome: Outcome) => void): (outcome: Outcome) => void {
  const early = new Map<number, Outcome>();
  let due = 1;
  return (outcome) => {
    early.set(outcome.game, outcome);
    for (let one = early.get(due); one !== undefined; one = early.get(due)) {
      early.delete(due);
      due += 1;
      tell(one);
    }
  };
}
