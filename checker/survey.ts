/** A graph: how the states that were found hang together, and runs to look at, for whoever draws a search. */
import type { TransitionCounts } from './coverage.ts';
import type { Exploration } from './exploration.ts';
import type { PropertyResult, Trace } from './verdict.ts';

/** States of more than this are counted by depth and not told one by one. */
export const MOST_GRAPH_STATES = 20_000;
/** More moves than this between them are not told. */
const MOST_GRAPH_MOVES = 60_000;

/** A run, and the numbers of the states that it passes, the beginning included. */
export type GraphRun<E> = { readonly trace: Trace<E>; readonly states: readonly number[] };

export type StateGraph<E> = {
  /** How many states were found at each depth. */
  readonly depths: readonly number[];
  /** The state from which each was found, -1 for the first; null where there are too many. */
  readonly parents: readonly number[] | null;
  /** Moves that found nothing new: from, to, from, to. Null where they were not kept, or are too many. */
  readonly others: readonly number[] | null;
  readonly counts: TransitionCounts;
  /** By the name of the property: what breaks it, or the nearest state that was to be seen sometimes. */
  readonly runs: ReadonlyMap<string, GraphRun<E>>;
};

export function describeGraph<E>(
  exploration: Exploration<E>,
  results: readonly PropertyResult<E>[],
  witnesses: readonly { readonly name: string; readonly state: number }[],
): StateGraph<E> {
  const { paths, states, coverage } = exploration;
  const parents = states > MOST_GRAPH_STATES ? null : paths.parents;
  const runs = new Map<string, GraphRun<E>>();
  for (const { name, state } of witnesses) {
    const events = exploration.eventsOf(exploration.pathTo(state));
    runs.set(name, followRun({ events, loop: null, excludedBy: [] }, exploration));
  }
  for (const { name, verdict, kind } of results) {
    if (verdict.type !== 'violated' || kind === 'sometimes') continue;
    runs.set(name, followRun(verdict.trace, exploration));
  }
  return {
    depths: paths.depths,
    parents,
    others: parents === null ? null : listOtherMoves(exploration, parents),
    counts: coverage.counts(),
    runs,
  };
}

function followRun<E>(trace: Trace<E>, { statesOf }: Exploration<E>): GraphRun<E> {
  return { trace, states: statesOf(trace.events) };
}

/** Each move once, without those by which a state was found and those that stay where they are. */
function listOtherMoves<E>(
  { moves, frontier, states }: Exploration<E>,
  parents: readonly number[],
): readonly number[] | null {
  if (moves.length === 0) return null;
  const found: number[] = [];
  for (let from = 0; from < states - frontier; from++) {
    const targets = new Set<number>();
    for (let move = moves.first(from); move < moves.end(from); move++) {
      const to = moves.target(move);
      if (to !== from && parents[to] !== from) targets.add(to);
    }
    for (const to of targets) found.push(from, to);
    if (found.length > 2 * MOST_GRAPH_MOVES) return null;
  }
  return found;
}
