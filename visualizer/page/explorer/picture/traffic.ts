/** Traffic: how often each state and each line of the drawn chart was come through. */

import type { ExplorerEdge, ExplorerRun } from '../../../../proofs/explorer/report.ts';
import type { DrawnChart } from '../../game/story/pageData.ts';

export type Traffic = {
  /** Distinct states of the search that rest in a state of the chart, or inside it. */
  readonly rests: ReadonlyMap<string, number>;
  /** How often each transition was taken, by its name in the drawing. */
  readonly taken: ReadonlyMap<string, number>;
  /** States that were entered or left, also those in which nothing rests. */
  readonly seen: ReadonlySet<string>;
};

export function trafficOf(
  { space, coverage }: ExplorerRun,
  edges: readonly ExplorerEdge[],
  { id: root }: DrawnChart,
): Traffic {
  const rests = new Map<string, number>();
  for (const [place, at] of (space?.places ?? []).entries()) {
    const states = space?.counts[place] ?? 0;
    for (const state of around(`${root}.${at}`)) rests.set(state, (rests.get(state) ?? 0) + states);
  }
  const taken = new Map(edges.map(({ id }, index) => [id, coverage?.taken[index] ?? 0]));
  const passed = edges
    .filter(({ id }) => (taken.get(id) ?? 0) > 0)
    .flatMap(({ source, targets }) => [source, ...targets])
    .flatMap((at) => around(`${root}.${at}`));
  return { rests, taken, seen: new Set([...rests.keys(), ...passed]) };
}

/** A state and all that it lies in, the innermost first. */
export function around(state: string): readonly string[] {
  const words = state.split('.');
  return words.map((_, index) => words.slice(0, words.length - index).join('.'));
}
