/**
 * Exploration: visits every reachable state once, breadth first, and looks at every step on the way.
 *
 * Breadth first makes the first counterexample a shortest one. A state is kept only until it has been expanded; after
 * that its number, its parent and the event that led to it are enough to walk there again.
 */
import type { EventObject } from 'xstate';
import { type Budget, UNLIMITED } from './budget.ts';
import { Coverage } from './coverage.ts';
import { type Model, type Move, type State, stateOf } from './model.ts';
import { Moves } from './moves.ts';
import { Numbers } from './numbers.ts';
import type { Leap, Point, Stepper } from './step.ts';
import { Uncompilable } from './uncompilable.ts';
import { Unidentifiable } from './unidentifiable.ts';
import { Visited } from './visited.ts';

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
  /** The step with which the machine broke; null when it did not. */
  readonly broken: Broken<E> | null;
  readonly seconds: number;
  /** Bytes that were kept of the states that were found; what waits to be expanded is not among them. */
  readonly bytes: number;
  readonly coverage: Coverage;
  /** The moves out of each state; empty unless they were to be kept. */
  readonly moves: Moves;
  /** How many steps a state is from the beginning. */
  readonly depthOf: (state: number) => number;
  /** The states on the way to a state by which it was found first, the beginning and itself included. */
  readonly wayTo: (state: number) => Way;
  /** The events of a way from the beginning. */
  readonly eventsOf: (way: Way) => readonly E[];
};

/** A function of the machine threw, or a step never ended. */
export type Broken<E> = {
  readonly state: number;
  readonly event: E | null;
  readonly message: string;
};

/** A way through the states that were found: each with the place of the event that led to it; -1 for the first. */
export type Way = readonly { readonly state: number; readonly via: number }[];

const PROGRESS_EVERY = 50_000;

const DEFAULTS: ExploreOptions = {
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
  readonly #visited: Visited<C, E>;
  readonly #parents = new Numbers();
  readonly #vias = new Numbers();
  readonly #moves = new Moves();
  /** The number of the first state of each depth. */
  readonly #levels: number[] = [];
  /** The points that wait, in the order of their numbers: of this depth and of the next. */
  #waiting: Point<C>[] = [];
  readonly #coverage: Coverage;
  #transitions = 0;
  #expanded = 0;
  #broken: Broken<E | EventObject> | null = null;

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
    this.#visited = new Visited(model, options.isSymmetric);
    this.#coverage = new Coverage(model.machine, stepper.guards);
  }

  run(): Exploration<E | EventObject> {
    const { now } = this.#options;
    const start = now();
    this.#begin();
    let ended: string | null = null;
    for (let level = this.#waiting; level.length > 0 && ended === null; level = this.#waiting) {
      this.#waiting = [];
      this.#levels.push(this.#expanded);
      for (const point of level) {
        ended = this.#reasonToEnd(now() - start);
        if (ended !== null) break;
        this.#expand(point);
        this.#expanded += 1;
      }
    }
    ended ??= this.#reasonToEnd(0);
    return { ...this.#progress(now() - start), ended, ...this.#findings() };
  }

  #begin(): void {
    try {
      const first = this.#stepper.initial();
      this.#coverage.note(first);
      this.#number(first.point, -1, -1);
    } catch (error) {
      this.#break(error, null);
    }
  }

  #reasonToEnd(seconds: number): string | null {
    const { budget, onProgress } = this.#options;
    if (this.#broken !== null) return `an error (${this.#broken.message})`;
    if (this.#expanded === this.#parents.length) return null;
    if (this.#parents.length > budget.states) return `the budget of ${budget.states} states`;
    if (seconds > budget.seconds) return `the budget of ${budget.seconds} seconds`;
    if (onProgress !== null && this.#expanded % PROGRESS_EVERY === 0) {
      onProgress(this.#progress(seconds));
    }
    return null;
  }

  #findings() {
    return {
      broken: this.#broken,
      bytes: this.#visited.bytes + this.#parents.bytes + this.#vias.bytes + this.#moves.bytes,
      coverage: this.#coverage,
      moves: this.#moves,
      depthOf: (state: number) => this.#levels.findLastIndex((first) => first <= state),
      wayTo: (state: number) => this.#wayTo(state),
      eventsOf: (way: Way) => this.#eventsOf(way),
    };
  }

  #progress(seconds: number): Progress {
    const states = this.#parents.length;
    const isDeeper = this.#waiting.length > 0 && this.#expanded > 0;
    return {
      states,
      transitions: this.#transitions,
      frontier: states - this.#expanded,
      depth: Math.max(0, this.#levels.length - 1 + Number(isDeeper)),
      seconds,
    };
  }

  #expand(point: Point<C>): void {
    const number = this.#expanded;
    const events = eventsAt(this.#model, point);
    if (events.length === 0) this.#observer.onEnd?.(stateOf(point), number);
    const before = this.#observer.onMove === undefined ? null : stateOf(point);
    for (let index = 0; index < events.length; index++) {
      const event = events[index];
      if (event === undefined) continue;
      const leap = this.#step(point, event);
      if (leap === null) return;
      this.#transitions += 1;
      this.#coverage.note(leap, point.place, event.type);
      const to = this.#number(leap.point, number, index);
      if (this.#options.keepsMoves) this.#moves.add(to);
      if (before === null) continue;
      const move = { before, event, after: stateOf(leap.point), effects: leap.effects };
      this.#observer.onMove?.(move, number, to);
    }
    if (this.#options.keepsMoves) this.#moves.close();
  }

  #step(point: Point<C>, event: E | EventObject): Leap<C> | null {
    try {
      return this.#stepper.step(point, event);
    } catch (error) {
      return this.#break(error, event);
    }
  }

  /** What the checker refuses is thrown on; anything else is a fault of the machine, and found. */
  #break(error: unknown, event: E | EventObject | null): null {
    if (error instanceof Uncompilable || error instanceof Unidentifiable) throw error;
    const message = error instanceof Error ? error.message : String(error);
    this.#broken = { state: this.#expanded, event, message };
    return null;
  }

  #number(point: Point<C>, parent: number, via: number): number {
    const number = this.#visited.number(point);
    if (number < this.#parents.length) return number;
    this.#parents.push(parent);
    this.#vias.push(via);
    this.#waiting.push(point);
    this.#observer.onState?.(stateOf(point), number);
    return number;
  }

  #wayTo(state: number): Way {
    const way: { state: number; via: number }[] = [];
    for (let at = state; at >= 0; at = this.#parents.at(at)) {
      way.push({ state: at, via: this.#vias.at(at) });
    }
    return way.reverse();
  }

  /**
   * Whether an event leads to the state of that number. Modulo symmetry the state that was expanded may be another one
   * of its orbit than the one that this way has come to, so the event is looked for by where it leads.
   */
  #leadsTo(point: Point<C>, event: E | EventObject | undefined, state: number): boolean {
    if (event === undefined) return false;
    return (
      !this.#options.isSymmetric ||
      this.#visited.number(this.#stepper.step(point, event).point) === state
    );
  }

  #eventsOf(way: Way): readonly (E | EventObject)[] {
    const path: (E | EventObject)[] = [];
    if (way.length < 2) return path;
    let { point } = this.#stepper.initial();
    for (const { state, via } of way.slice(1)) {
      const events = eventsAt(this.#model, point);
      const event = this.#leadsTo(point, events[via], state)
        ? events[via]
        : events.find((other) => this.#leadsTo(point, other, state));
      if (event === undefined) throw new Error('the world is not the same when it is asked again');
      path.push(event);
      point = this.#stepper.step(point, event).point;
    }
    return path;
  }
}
