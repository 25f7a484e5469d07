/**
 * A replica: the whole of a search as a worker keeps it, to expand portions of its states.
 *
 * It numbers the states that it sees in the order in which it sees them, and learns later which numbers they have in
 * the search. A point that it finds first waits aside until then.
 */
import type { EventObject } from 'xstate';
import { eventsAt } from './explore.ts';
import { Frontier } from './frontier.ts';
import { Kinds } from './kinds.ts';
import { type Model, type Move, stateOf } from './model.ts';
import { Numbers } from './numbers.ts';
import type { Findings, Portion } from './portion.ts';
import { Replays } from './replays.ts';
import type { GuardCounts, Point, Stepper } from './step.ts';
import { Visited } from './visited.ts';
import type { Watch } from './watch.ts';

/** A point that was found here and has no number yet. */
type Aside<C> = { readonly state: number; readonly via: number; readonly point: Point<C> };

type Keeping = { readonly isSymmetric: boolean; readonly keepsMoves: boolean };

export class Replica<C, E extends EventObject> {
  readonly #model: Model<C, E>;
  readonly #stepper: Stepper<C, E>;
  readonly #watch: Watch<C, E | EventObject>;
  readonly #keepsMoves: boolean;
  readonly #visited: Visited<C, E>;
  readonly #frontier = new Frontier<C>();
  readonly #replays: Replays<C, E>;
  readonly #kinds = new Kinds();
  /** What to call each state that was seen here: its number in the search, or the complement of its place in `found`. */
  readonly #names = new Numbers();
  #found = 0;
  #aside: Aside<C>[] = [];
  /** The first point aside that may still be learnt. */
  #next = 0;

  constructor(
    model: Model<C, E>,
    stepper: Stepper<C, E>,
    watch: Watch<C, E | EventObject>,
    { isSymmetric, keepsMoves }: Keeping,
  ) {
    this.#model = model;
    this.#stepper = stepper;
    this.#watch = watch;
    this.#keepsMoves = keepsMoves;
    this.#visited = new Visited(model, isSymmetric);
    this.#replays = new Replays(model, stepper, this.#frontier);
    this.#replays.uncounted(() => this.#learn(stepper.initial().point));
  }

  expand({ first, end, news, done }: Portion): Findings {
    this.#replays.uncounted(() => {
      for (let at = 0; at < news.length; at += 2) {
        this.#learn(this.#pointAt(news[at] ?? 0, news[at + 1] ?? 0));
      }
    });
    this.#frontier.release(done);
    const before = this.#counted();
    const tally = emptyTally();
    let isWhole = true;
    try {
      for (let state = first; state < end; state++) this.#expandState(state, tally);
    } catch {
      // Whatever it is, it comes again where the search itself makes this step.
      isWhole = false;
    }
    return { first, end, isWhole, ...this.#written(tally), ...this.#countedSince(before) };
  }

  #expandState(state: number, tally: Tally): void {
    const point = this.#frontier.at(state);
    const events = eventsAt(this.#model, point);
    const before = this.#watch.looksAtMoves ? stateOf(point) : null;
    for (let via = 0; via < events.length; via++) {
      const event = events[via];
      if (event === undefined) throw new Error('the world lists nothing where it lists an event');
      const leap = this.#stepper.step(point, event);
      if (this.#kinds.note(leap, point.place, event.type)) tally.kinds.push(state, via);
      const own = this.#visited.number(leap.point);
      if (own === this.#names.length) {
        this.#names.push(~this.#found);
        this.#found += 1;
        this.#aside.push({ state, via, point: leap.point });
        tally.found.push(state, via);
      }
      if (this.#keepsMoves) tally.targets.push(this.#names.at(own));
      if (before === null) continue;
      const { effects } = leap;
      this.#show({ before, event, after: stateOf(leap.point), effects }, state, tally);
    }
    tally.degrees.push(events.length);
  }

  #show(move: Move<C, E | EventObject>, state: number, tally: Tally): void {
    const { steps, waits } = this.#watch;
    for (const watcher of steps) watcher.onMove(move, state);
    if (waits.looksAtMoves) tally.helps.push(waits.helpsOf(move));
  }

  /** The point of a new state: one that was found here, or made by the same step. */
  #pointAt(state: number, via: number): Point<C> {
    for (; this.#next < this.#aside.length; this.#next++) {
      const found = this.#aside[this.#next];
      if (found === undefined || found.state > state) break;
      if (found.state < state || found.via < via) continue;
      if (found.via === via) return found.point;
      break;
    }
    return this.#replays.move(state, via).leap.point;
  }

  /** The next state of the search. */
  #learn(point: Point<C>): void {
    const number = this.#frontier.end;
    const own = this.#visited.number(point);
    if (own === this.#names.length) this.#names.push(number);
    else if (this.#names.at(own) < 0) this.#names.set(own, number);
    else throw new Error('the model is not the same in a worker');
    this.#frontier.push(point);
  }

  #counted(): Counted {
    const { guards } = this.#stepper;
    return {
      guards: guards === null ? null : { passed: [...guards.passed], failed: [...guards.failed] },
      antecedents: this.#watch.steps.map(({ antecedents }) => antecedents),
      broken: this.#watch.steps.map(({ isBroken }) => isBroken),
    };
  }

  #countedSince(before: Counted): Pick<Findings, 'antecedents' | 'violated' | 'guards'> {
    const now = this.#counted();
    const { guards } = now;
    return {
      antecedents: increments(now.antecedents, before.antecedents),
      violated: [...now.broken.keys()].filter((one) => now.broken[one] !== before.broken[one]),
      guards:
        guards === null || before.guards === null
          ? null
          : {
              passed: increments(guards.passed, before.guards.passed),
              failed: increments(guards.failed, before.guards.failed),
            },
    };
  }

  #written({ degrees, found, targets, helps, kinds }: Tally) {
    this.#aside = this.#aside.slice(this.#next);
    this.#next = 0;
    return {
      degrees: Int32Array.from(degrees),
      found: Int32Array.from(found),
      targets: this.#keepsMoves ? Int32Array.from(targets) : null,
      helps: this.#watch.waits.looksAtMoves ? Int32Array.from(helps) : null,
      kinds: Int32Array.from(kinds),
      counts: this.#kinds.take(),
    };
  }
}

/** What was counted so far, of all portions together. */
type Counted = {
  readonly guards: GuardCounts | null;
  readonly antecedents: readonly number[];
  readonly broken: readonly boolean[];
};

/** What is written down while a portion is expanded. */
type Tally = Readonly<Record<'degrees' | 'found' | 'targets' | 'helps' | 'kinds', number[]>>;

function emptyTally(): Tally {
  return { degrees: [], found: [], targets: [], helps: [], kinds: [] };
}

function increments(now: readonly number[], before: readonly number[]): Int32Array {
  return Int32Array.from(now, (count, index) => count - (before[index] ?? 0));
}
