/**
 * Liveness: what must come true at last, on every run on which the world is fair.
 *
 * A run that never gets there either ends somewhere else or goes round for ever among states that are not there yet.
 * So the states that are not there are cut out of the explored graph, and their loops are looked at: a loop counts
 * only when it is fair, that is when each assumed move is made in it or is impossible somewhere on it. It is enough to
 * look at whole components, for a run may go round all of one.
 */
import { findLoopingComponents } from './components.ts';
import type { Exploration } from './exploration.ts';
import { type Assumption, buildLasso, LoopRegion } from './lasso.ts';
import type { Trace } from './verdict.ts';
import type { StatePath } from './ways.ts';

/** What is asked of the graph; states and moves are numbers of the exploration. */
export type LivenessQuestion<E> = {
  /** States that were reached when the property became due; for `eventually` the first one. */
  readonly due: readonly number[];
  readonly isThere: (state: number) => boolean;
  readonly fair: readonly Assumption[];
  /** Not assumed; told about a loop when they would rule it out. */
  readonly excuses: readonly Assumption[];
  readonly exploration: Exploration<E>;
};

/** The run that never gets there and whose end or loop is nearest to the beginning; null when there is none. */
export function findUnfulfilledRun<E>(question: LivenessQuestion<E>): Trace<E> | null {
  const { exploration, fair, excuses } = question;
  const { moves } = exploration;
  const waiting = new PendingStates(question);
  const end = waiting.states.find((state) => moves.first(state) === moves.end(state));
  const regions = findLoopingComponents(waiting.states, moves)
    .map((members) => new LoopRegion(members, moves))
    .filter((region) => fair.every(({ helps }) => region.allows(helps)));
  const regionOf = new Map(regions.flatMap((region) => region.states.map((one) => [one, region])));
  const entry = waiting.states.find((state) => regionOf.has(state));
  const region = entry === undefined ? undefined : regionOf.get(entry);
  if (end !== undefined && (entry === undefined || waiting.isNearer(end, entry))) {
    const path = waiting.pathTo(end);
    return { events: exploration.eventsOf(path), loop: null, excludedBy: [] };
  }
  if (entry === undefined || region === undefined) return null;
  const path = waiting.pathTo(entry);
  const loop = buildLasso(region, entry, fair);
  return {
    events: exploration.eventsOf([...path, ...loop]),
    loop: path.length - 1,
    excludedBy: excuses.filter(({ helps }) => !region.allows(helps)).map(({ name }) => name),
  };
}

type ReachedFrom = { readonly from: number; readonly via: number } | null;

/** The states that wait: reached from a due one without getting there, the nearest to the beginning first. */
class PendingStates<E> {
  readonly states: readonly number[];
  readonly #came = new Map<number, ReachedFrom>();
  readonly #exploration: Exploration<E>;

  constructor({ due, isThere, exploration }: LivenessQuestion<E>) {
    this.#exploration = exploration;
    const starts = due.filter((state) => !isThere(state));
    const states: number[] = [];
    let next = 0;
    let level: number[] = [];
    for (let depth = 0; next < starts.length || level.length > 0; depth++) {
      // Numbers grow with depth, so what becomes due at this depth comes next.
      for (; next < starts.length; next++) {
        const start = starts[next] ?? 0;
        if (exploration.depthOf(start) > depth) break;
        if (this.#reach(start, null)) level.push(start);
      }
      for (const state of level) states.push(state);
      level = level.flatMap((from) => this.#successors(from, isThere));
    }
    this.states = states;
  }

  isNearer(one: number, other: number): boolean {
    return this.pathTo(one).length <= this.pathTo(other).length;
  }

  pathTo(state: number): StatePath {
    const tail: { state: number; via: number }[] = [];
    let at = state;
    for (let came = this.#came.get(at); came !== null && came !== undefined; ) {
      tail.push({ state: at, via: came.via });
      at = came.from;
      came = this.#came.get(at);
    }
    return [...this.#exploration.pathTo(at), ...tail.reverse()];
  }

  #successors(from: number, isThere: (state: number) => boolean): number[] {
    const { moves } = this.#exploration;
    const found: number[] = [];
    const first = moves.first(from);
    for (let move = first; move < moves.end(from); move++) {
      const to = moves.target(move);
      if (!isThere(to) && this.#reach(to, { from, via: move - first })) found.push(to);
    }
    return found;
  }

  #reach(state: number, came: ReachedFrom): boolean {
    if (this.#came.has(state)) return false;
    this.#came.set(state, came);
    return true;
  }
}
