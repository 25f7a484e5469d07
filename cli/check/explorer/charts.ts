/** Charts: the transitions of the machines that were checked, named as the drawing of the page names them. */

import { readChart } from 'glass-box-checker';
import type { AnyStateMachine } from 'xstate';
import { findEdgeIds } from '../../../visualizer/charts/chart.ts';
import type { Edge } from '../../../visualizer/page/explorer/report.ts';

/** Keeps each chart once: most mutants have the one that runs. */
export class Charts {
  readonly all: (readonly Edge[])[] = [];
  readonly #known = new Map<string, number>();

  /** The place of the chart of a machine in the list. */
  of(machine: AnyStateMachine): number {
    const edges = edgesOf(machine);
    const text = JSON.stringify(edges);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#known.set(text, this.all.length);
    this.all.push(edges);
    return this.all.length - 1;
  }
}

function edgesOf(machine: AnyStateMachine): readonly Edge[] {
  const ids = findEdgeIds(machine);
  return readChart(machine).edges.map(({ definition, event, source, targets, guard }) => ({
    id: ids.get(definition) ?? '',
    event: event === '' ? 'always' : event,
    source,
    targets,
    guard,
  }));
}
