/** A check as data for the explorer page: the verdicts, their runs step by step, and a walk through the states. */
import type { AnyStateMachine, EventObject } from 'xstate';
import { readChart } from './chart.ts';
import type { CheckResult, StateGraph } from './check.ts';
import { isAsDeclared, type Model, type PropertyResult } from './model.ts';
import { describeVerdict } from './report.ts';
import { Walk, type WalkOptions } from './walk.ts';

/** The size and cost of a search. `peakBytes` is the most memory that the process used. */
export function describeFigures<E>(
  { engine, slow, states, transitions, depth, frontier, ended, seconds, ...found }: CheckResult<E>,
  symmetry: string | null = null,
  peakBytes: number = found.bytes,
) {
  return {
    ...{ engine, slow, states, transitions, depth, frontier, ended, seconds, peakBytes },
    symmetry: found.isSymmetric ? symmetry : null,
    broken: found.broken?.message ?? null,
    keptBytes: found.bytes,
  };
}

export function describeSpace<E>({ depths, parents, others, places }: StateGraph<E>) {
  const { names, counts, nodes, of } = places;
  const placeOf = parents === null ? [] : of;
  return { ...{ depths, parents, others, counts, nodes, placeOf }, places: names };
}

export type UnreachedPart = {
  /** A leaf or a transition, as the chart names it. */
  readonly what: string;
  readonly nearest: string | null;
  /** The option that no world had, or null without an excuse. */
  readonly needs: string | null;
};

export function describeCoverage<E>(
  { coverage: { states, transitions, guards } }: CheckResult<E>,
  { counts: { taken, guards: outcomes } }: StateGraph<E>,
  missing: readonly UnreachedPart[],
) {
  return {
    ...{ states, transitions, taken, missing },
    guards: guards && { seen: guards.seen, all: guards.all },
    passed: outcomes?.passed ?? null,
    failed: outcomes?.failed ?? null,
  };
}

export function describeProperty<E>(result: PropertyResult<E>) {
  const { name, sentence, kind, verdict } = result;
  return {
    ...{ name, sentence, kind },
    verdict: verdict.type,
    asDeclared: isAsDeclared(result),
    said: describeVerdict(result),
    /** The reason for incomplete and vacuous, otherwise ''. */
    why: 'why' in verdict ? verdict.why : '',
    /** How often it applied, or null if that is not counted. */
    applied: verdict.type === 'proved' ? verdict.antecedents : null,
  };
}

export function listChartEdges(machine: AnyStateMachine) {
  return readChart(machine).edges.map(({ id, event, source, targets, guard }) => ({
    ...{ id, source, targets, guard },
    event: event === '' ? 'always' : event,
  }));
}

/** The states and transitions for a drawing. */
export function outlineChart(machine: AnyStateMachine) {
  const { nodes, edges } = readChart(machine);
  return {
    id: machine.root.id,
    nodes: nodes.map(({ id, key, type, parent, initial, description = '' }) => ({
      ...{ id, key, type, description },
      parent: parent?.id ?? null,
      initial: initial?.target?.map((target) => target.id)[0] ?? null,
    })),
    edges: edges.map(({ id, event, guard, definition: { source, target = [], description } }) => ({
      ...{ id, event, guard, description: description ?? '' },
      source: source.id,
      target: target[0]?.id ?? null,
    })),
  };
}

/** One search as a run of the explorer. The check must have kept its graph. */
export function createExplorerRun<C, E extends EventObject>(
  model: Model<C, E>,
  found: CheckResult<E | EventObject>,
  { key, ...options }: WalkOptions<C> & { readonly key: string },
) {
  const { graph, broken, coverage, engine, isSymmetric } = found;
  const walk = new Walk(model, { engine, isSymmetric, ...options });
  const dots = graph === null || graph.parents === null ? [] : walk.explore(found.states);
  const properties = found.results.map((result) => {
    const run = graph?.runs.get(result.name);
    const isExample = result.verdict.type !== 'violated';
    const trace = run?.trace ?? ('trace' in result.verdict ? result.verdict.trace : undefined);
    return {
      ...describeProperty(result),
      trace: trace === undefined ? null : walk.tell(trace, run?.states ?? null, isExample),
    };
  });
  const fault = broken && {
    ...{ name: broken.code, sentence: broken.message, kind: 'fault', said: 'broken', why: '' },
    ...{ verdict: 'violated' as const, asDeclared: false, applied: null },
    trace: walk.tell(broken.trace, null),
  };
  const missing = [
    ...coverage.unreached.map((what) => ({ what, nearest: null, needs: null })),
    ...coverage.untaken.map(({ edge, nearest }) => ({ what: edge, nearest, needs: null })),
  ];
  return {
    ...{ key, name: model.name, world: '', asides: [], bound: '', chart: 0, dots },
    figures: describeFigures(found, model.symmetry?.name),
    properties: [...(fault === null ? [] : [fault]), ...properties],
    space: graph && describeSpace(graph),
    coverage: graph && describeCoverage(found, graph, missing),
    states: walk.list(),
  };
}
