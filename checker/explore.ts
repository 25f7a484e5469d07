/**
 * Exploration: visits every reachable state once, breadth first, and looks at every step on the way.
 *
 * Breadth first makes the first counterexample a shortest one. A state is kept only until it has been expanded; after
 * that its number, its parent and the event that led to it are enough to walk there again.
 */
import type { EventObject } from 'xstate';
import { type Budget, UNLIMITED } from './budget.ts';
import { Coverage } from './coverage.ts';
import { Identity } from './identity.ts';
import { type Model, type Move, type State, stateOf } from './model.ts';
import type { Leap, Point, Stepper } from './step.ts';

/** Somebody who looks at states and moves as they are found. */
export type Observer<C, E> = {
  /** A state that is new. */
  readonly onState?: (state: State<C>, number: number) => void;
  /** Every move, also into states that are known. `to` is the number of the state after it. */
  readonly onMove?: (move: Move<C, E>, from: number, to: number) => void;
  /** A state from which nothing can happen. */
  readonly onEnd?: (state: State<C>, number: number) => void;
};

export type ExploreOptions = {
  readonly budget: Budget;
  readonly isSymmetric: boolean;
  /** Keeps all moves, for questions about what happens for ever. */
  readonly keepsMoves: boolean;
  /** Seconds since some moment, for the budget of seconds. */
  readonly now: () => number;
  readonly onProgress: ((progress: Progress) => void) | null;
};

export type Progress = {
  readonly states: number;
  readonly transitions: number;
  readonly frontier: number;
  readonly depth: number;
  readonly seconds: number;
};

/** Where the search has been. */
export type Exploration<E> = {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  /** States that were found and not expanded; 0 when the search is closed. */
  readonly frontier: number;
  /** Why the search ended early; null when it is closed. */
  readonly ended: string | null;
  readonly seconds: number;
  readonly coverage: Coverage;
  /** The moves out of each state, by its number; empty unless they were to be kept. */
  readonly moves: readonly (readonly Outgoing[])[];
  /** The states on the way to a state by which it was found first, the beginning and itself included. */
  readonly wayTo: (state: number) => Way;
  /** The events of a way from the beginning. */
  readonly eventsOf: (way: Way) => readonly E[];
};

/** A way through the states that were found: each with the place of the event that led to it; -1 for the first. */
export type Way = readonly { readonly state: number; readonly via: number }[];

/** A move that was kept: the place of its event among those of its state, and the state it leads to. */
export type Outgoing = { readonly event: number; readonly to: number };

const PROGRESS_EVERY = 50_000;

export const DEFAULTS: ExploreOptions = {
  budget: UNLIMITED,
  isSymmetric: false,
  keepsMoves: false,
  now: () => 0,
  onProgress: null,
};

/** What may happen at a point: its timers, then what the world does. */
export function eventsAt<C, E extends EventObject>(
  model: Model<C, E>,
  point: Point<C>,
): readonly (E | EventObject)[] {
  if (point.status !== 'active') return [];
  const world = model.world(stateOf(point));
  return point.timers.length === 0 ? world : [...point.timers.map(({ event }) => event), ...world];
}

export function explore<C, E extends EventObject>(
  model: Model<C, E>,
  stepper: Stepper<C, E>,
  observer: Observer<C, E | EventObject> = {},
  options: Partial<ExploreOptions> = {},
): Exploration<E | EventObject> {
  return new Search(model, stepper, observer, { ...DEFAULTS, ...options }).run();
}

class Search<C, E extends EventObject> {
  readonly #model: Model<C, E>;
  readonly #stepper: Stepper<C, E>;
  readonly #observer: Observer<C, E | EventObject>;
  readonly #options: ExploreOptions;
  readonly #identity: Identity;
  readonly #numbers = new Map<string | number, number>();
  readonly #parents: number[] = [];
  readonly #viaEvents: number[] = [];
  readonly #depths: number[] = [];
  readonly #points: (Point<C> | null)[] = [];
  readonly #moves: Outgoing[][] = [];
  readonly #coverage: Coverage;
  readonly #rests = new Map<number, number>();
  #transitions = 0;

  constructor(
    model: Model<C, E>,
    stepper: Stepper<C, E>,
    observer: Observer<C, E | EventObject>,
    options: ExploreOptions,
  ) {
    this.#model = model;
    this.#stepper = stepper;
    this.#observer = observer;
    this.#options = options;
    this.#identity = new Identity(model.codec ?? null);
    this.#coverage = new Coverage(model.machine);
  }

  run(): Exploration<E | EventObject> {
    const { budget, now, onProgress } = this.#options;
    const start = now();
    const first = this.#stepper.initial();
    this.#coverage.note(first);
    this.#number(first, -1, -1);
    let next = 0;
    let ended: string | null = null;
    for (; next < this.#points.length; next++) {
      const seconds = now() - start;
      if (this.#points.length > budget.states) ended = `the budget of ${budget.states} states`;
      else if (seconds > budget.seconds) ended = `the budget of ${budget.seconds} seconds`;
      if (ended !== null) break;
      if (onProgress !== null && next % PROGRESS_EVERY === 0)
        onProgress(this.#progress(next, seconds));
      this.#expand(next);
      this.#points[next] = null;
    }
    return { ...this.#progress(next, now() - start), ended, ...this.#findings() };
  }

  #findings() {
    return {
      coverage: this.#coverage,
      moves: this.#moves,
      wayTo: (state: number) => this.#wayTo(state),
      eventsOf: (way: Way) => this.#eventsOf(way),
    };
  }

  #progress(next: number, seconds: number): Progress {
    const states = this.#points.length;
    return {
      states,
      transitions: this.#transitions,
      frontier: states - next,
      depth: this.#depths.at(-1) ?? 0,
      seconds,
    };
  }

  #expand(number: number): void {
    const point = this.#points[number];
    if (point === null || point === undefined) return;
    const before = stateOf(point);
    const events = eventsAt(this.#model, point);
    if (events.length === 0) this.#observer.onEnd?.(before, number);
    const kept: Outgoing[] = [];
    for (let index = 0; index < events.length; index++) {
      const event = events[index];
      if (event === undefined) continue;
      const leap = this.#stepper.step(point, event);
      this.#transitions += 1;
      this.#coverage.note(leap, before.at, event.type);
      const to = this.#number(leap, number, index);
      if (this.#options.keepsMoves) kept.push({ event: index, to });
      this.#observer.onMove?.(
        { before, event, after: stateOf(leap.point), effects: leap.effects },
        number,
        to,
      );
    }
    if (this.#options.keepsMoves) this.#moves[number] = kept;
  }

  #number({ point }: Leap<C>, parent: number, via: number): number {
    const key = this.#key(point);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#points.length;
    this.#numbers.set(key, number);
    this.#points.push(point);
    this.#parents.push(parent);
    this.#viaEvents.push(via);
    this.#depths.push(parent < 0 ? 0 : (this.#depths[parent] ?? 0) + 1);
    this.#observer.onState?.(stateOf(point), number);
    return number;
  }

  /** What tells a state from all others: everything, or its orbit, or the declared view of it. */
  #key(point: Point<C>): string | number {
    const { symmetry, view } = this.#model;
    if (this.#options.isSymmetric && symmetry !== undefined) return symmetry.orbit(point);
    const known = view === undefined ? point.context : view(stateOf(point));
    const context = this.#identity.of(known);
    return (context * MOST_PLACES + point.place.number) * MOST_RESTS + this.#rest(point);
  }

  /** All of a point that is neither its place nor its context. There are few of them, so their numbers are small. */
  #rest({ status, history, children, timers }: Point<C>): number {
    const known = this.#identity.of([status, history, children, timers]);
    const number = this.#rests.get(known) ?? this.#rests.size;
    this.#rests.set(known, number);
    if (number >= MOST_RESTS)
      throw new Error(`more than ${MOST_RESTS} combinations of timers and children`);
    return number;
  }

  #wayTo(state: number): Way {
    const way: { state: number; via: number }[] = [];
    for (let at = state; at >= 0; at = this.#parents[at] ?? -1) {
      way.push({ state: at, via: this.#viaEvents[at] ?? -1 });
    }
    return way.reverse();
  }

  #eventsOf(way: Way): readonly (E | EventObject)[] {
    const path: (E | EventObject)[] = [];
    let { point } = this.#stepper.initial();
    for (const { via } of way.slice(1)) {
      const event = eventsAt(this.#model, point)[via];
      if (event === undefined) throw new Error('the world is not the same when it is asked again');
      path.push(event);
      point = this.#stepper.step(point, event).point;
    }
    return path;
  }
}

/** More places than any chart has: the number of a place and of a context fit into one. */
const MOST_PLACES = 2 ** 10;
/** Combinations of timers, children and history, likewise. */
const MOST_RESTS = 2 ** 12;
