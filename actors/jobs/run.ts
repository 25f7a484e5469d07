/**
 * A run: many games of one lobby, on this thread or on several, told in the order of their numbers.
 *
 * What a game is depends on the plan and its number only, so it does not matter how many threads there are or which
 * of them plays what.
 */
import { Bout } from './bout.ts';
import { Crew } from './crew.ts';
import type { Outcome, Plan } from './plan.ts';
import { Supply } from './supply.ts';

export type RunOptions = {
  /** Threads that play, this one among them. */
  readonly jobs: number;
  /** Hears of every game, in order. */
  readonly onOutcome: (outcome: Outcome) => void;
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

/** Plays all games of a plan: here, and on other threads as soon as they are there. */
export function run(plan: Plan, { jobs, onOutcome }: RunOptions): Run {
  const supply = new Supply(plan.games);
  const told = inOrder(onOutcome);
  const crew = new Crew(plan, { threads: jobs - 1, worker: WORKER, supply, onOutcome: told });
  const alone = new Alone(plan, supply, told);
  const result = Promise.all([crew.play(), alone.play()]).then(() => undefined);
  const stop = () => {
    supply.stop();
    crew.stop();
    alone.stop();
  };
  return { result, stop };
}

/** Who plays on this thread: the next game while the journal of the last one goes to the disk. */
class Alone {
  readonly #plan: Plan;
  readonly #supply: Supply;
  readonly #told: (outcome: Outcome) => void;
  readonly #bouts = new Set<Bout>();

  constructor(plan: Plan, supply: Supply, told: (outcome: Outcome) => void) {
    this.#plan = plan;
    this.#supply = supply;
    this.#told = told;
  }

  async play(): Promise<void> {
    let last: Promise<void> = Promise.resolve();
    for (let game = this.#supply.take(); game !== null; game = this.#supply.take()) {
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
