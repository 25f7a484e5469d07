/**
 * Liveness: what must come true at last, on every run on which the world is fair.
 *
 * A run that never gets there either ends somewhere else or goes round for ever among states that are not there yet.
 * So the states that are not there are cut out of the explored graph, and their loops are looked at: a loop counts
 * only when it is fair, that is when each assumed move is made in it or is impossible somewhere on it.
 */
import { loopingComponents } from './components.ts';
import type { Exploration, Outgoing, Way } from './explore.ts';
import type { Trace } from './verdict.ts';

/** What is asked of the graph; states and moves are numbers of the exploration. */
export type Question<E> = {
  /** States that were reached when the promise became due; for `eventually` the first one. */
  readonly due: readonly number[];
  readonly isThere: (state: number) => boolean;
  /** For each assumption, whether a move is one of its moves. */
  readonly fair: readonly Assumption[];
  readonly excuses: readonly Assumption[];
  readonly exploration: Exploration<E>;
};

export type Assumption = {
  readonly name: string;
  readonly helps: (state: number, move: Outgoing) => boolean;
};

/** The shortest way that never gets there, as far as this search tells; null when there is none. */
export function unkept<E>(question: Question<E>): Trace<E> | null {
  const { exploration, isThere } = question;
  const waiting = new Waiting(question);
  for (const state of waiting.states) {
    if ((exploration.moves[state]?.length ?? 0) > 0) continue;
    return { events: exploration.eventsOf(waiting.wayTo(state)), loop: null, excludedBy: [] };
  }
  const successors = (state: number) => (exploration.moves[state] ?? []).map(({ to }) => to);
  const components = loopingComponents(waiting.states, successors).map(
    (members) => new Set(members),
  );
  for (const component of components) {
    if (!question.fair.every((assumed) => isFair(component, assumed, exploration.moves))) continue;
    if ([...component].some(isThere)) throw new Error('a state that is there was cut out');
    return lasso(component, waiting, question);
  }
  return null;
}

/** An assumption allows going round in a component: one of its moves is in it, or is impossible somewhere in it. */
function isFair(
  component: ReadonlySet<number>,
  { helps }: Assumption,
  moves: readonly (readonly Outgoing[])[],
): boolean {
  return (
    helpingMove(component, helps, moves) !== null || unhelped(component, helps, moves) !== null
  );
}

type Helps = Assumption['helps'];
type Step = { readonly from: number; readonly move: Outgoing };

function helpingMove(
  component: ReadonlySet<number>,
  helps: Helps,
  moves: readonly (readonly Outgoing[])[],
): Step | null {
  for (const from of component) {
    for (const move of moves[from] ?? []) {
      if (component.has(move.to) && helps(from, move)) return { from, move };
    }
  }
  return null;
}

function unhelped(
  component: ReadonlySet<number>,
  helps: Helps,
  moves: readonly (readonly Outgoing[])[],
): number | null {
  for (const state of component) {
    if (!(moves[state] ?? []).some((move) => helps(state, move))) return state;
  }
  return null;
}

/** The states that wait: reached from a due one without getting there. */
class Waiting<E> {
  readonly states: readonly number[];
  readonly #came = new Map<number, { readonly from: number; readonly via: number } | null>();
  readonly #exploration: Exploration<E>;

  constructor({ due, isThere, exploration }: Question<E>) {
    this.#exploration = exploration;
    const queue = due.filter((state) => !isThere(state));
    for (const state of queue) this.#came.set(state, null);
    for (let at = 0; at < queue.length; at++) {
      const from = queue[at] ?? 0;
      for (const { to, event } of exploration.moves[from] ?? []) {
        if (this.#came.has(to) || isThere(to)) continue;
        this.#came.set(to, { from, via: event });
        queue.push(to);
      }
    }
    this.states = queue;
  }

  wayTo(state: number): Way {
    const tail: { state: number; via: number }[] = [];
    let at = state;
    for (
      let came = this.#came.get(at);
      came !== null && came !== undefined;
      came = this.#came.get(at)
    ) {
      tail.unshift({ state: at, via: came.via });
      at = came.from;
    }
    return [...this.#exploration.wayTo(at), ...tail];
  }
}

/** A run into a component and round it, past everything that makes it fair. */
function lasso<E>(
  component: ReadonlySet<number>,
  waiting: Waiting<E>,
  question: Question<E>,
): Trace<E> {
  const { exploration, fair, excuses } = question;
  const { moves } = exploration;
  const first = waiting.states.find((state) => component.has(state)) ?? 0;
  const loop: { state: number; via: number }[] = [];
  let at = first;
  for (const { helps } of fair) {
    const step = helpingMove(component, helps, moves);
    const target = step?.from ?? unhelped(component, helps, moves) ?? at;
    loop.push(...shortest(component, at, target, moves));
    if (step !== null) loop.push({ state: step.move.to, via: step.move.event });
    at = loop.at(-1)?.state ?? at;
  }
  loop.push(...(loop.length > 0 && at === first ? [] : round(component, at, first, moves)));
  const way = waiting.wayTo(first);
  return {
    events: exploration.eventsOf([...way, ...loop]),
    loop: way.length - 1,
    excludedBy: excuses
      .filter((excuse) => !isFair(component, excuse, moves))
      .map(({ name }) => name),
  };
}

/** The shortest way within a component that makes at least one move. */
function round(
  component: ReadonlySet<number>,
  from: number,
  to: number,
  moves: readonly (readonly Outgoing[])[],
): Way {
  const ways = (moves[from] ?? [])
    .filter((move) => component.has(move.to))
    .map((move) => [
      { state: move.to, via: move.event },
      ...shortest(component, move.to, to, moves),
    ]);
  return ways.reduce((best, way) => (way.length < best.length ? way : best), ways[0] ?? []);
}

function shortest(
  component: ReadonlySet<number>,
  from: number,
  to: number,
  moves: readonly (readonly Outgoing[])[],
): Way {
  const came = new Map<number, { readonly from: number; readonly via: number } | null>([
    [from, null],
  ]);
  const queue = [from];
  for (let at = 0; at < queue.length && !came.has(to); at++) {
    const state = queue[at] ?? from;
    for (const move of moves[state] ?? []) {
      if (came.has(move.to) || !component.has(move.to)) continue;
      came.set(move.to, { from: state, via: move.event });
      queue.push(move.to);
    }
  }
  const way: { state: number; via: number }[] = [];
  for (let at = to; at !== from; ) {
    const step = came.get(at);
    if (step === null || step === undefined) throw new Error('a component hangs together');
    way.unshift({ state: at, via: step.via });
    at = step.from;
  }
  return way;
}
