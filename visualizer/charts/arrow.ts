/**
 * Arrow: the transitions that lead from the same state to the same states, drawn as one line with one label.
 */
import { label, staysInside, type Written } from './box.ts';
import type { Chart, ChartEdge } from './graph.ts';

export interface Arrow {
  readonly id: string;
  readonly edges: readonly [ChartEdge, ...ChartEdge[]];
  readonly source: string;
  readonly targets: readonly string[];
  /** Into its own source an arrow leads from within: below the heading, or from a dot. */
  readonly start: 'border' | 'heading' | 'dot';
  readonly text: Written;
}

export function arrowsOf(chart: Chart): readonly Arrow[] {
  const leaving = chart.edges.filter((edge) => !staysInside(edge));
  const groups = Map.groupBy(leaving, ({ type, source, targets }) =>
    JSON.stringify([type, source, targets]),
  );
  return [...groups].flatMap(([id, [first, ...rest]]) =>
    first === undefined ? [] : [arrow(chart, id, [first, ...rest])],
  );
}

/** The state of the layout in which an arrow starts that starts inside its source. */
export function dotId(arrow: Arrow): string {
  return `dot ${arrow.id}`;
}

function arrow(chart: Chart, id: string, edges: Arrow['edges']): Arrow {
  const [{ source, targets }] = edges;
  return { id, edges, source, targets, start: startOf(chart, edges[0]), text: label(edges) };
}

function startOf(chart: Chart, { type, source, targets }: ChartEdge): Arrow['start'] {
  const inward = targets.some((target) => ancestors(chart, target).includes(source));
  if (!inward) return 'border';
  return type === 'default' ? 'heading' : 'dot';
}

function ancestors(chart: Chart, id: string): readonly string[] {
  const parent = chart.nodes.find((node) => node.id === id)?.parent ?? null;
  return parent === null ? [] : [parent, ...ancestors(chart, parent)];
}
