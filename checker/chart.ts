/**
 * Chart: what can be read off a constructed machine, its places, transitions and guards, in the order of the document.
 *
 * Everything comes from the machine's own state nodes, so there is no second description that could differ.
 */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';

/** One transition of the chart, as coverage and traces name it. */
export type MachineEdge = {
  readonly number: number;
  readonly definition: AnyTransitionDefinition;
  /** Event type, or '' for an eventless transition. */
  readonly event: string;
  readonly source: string;
  readonly targets: readonly string[];
  /** The guard as it is written; null where there is none. */
  readonly guard: string | null;
  /** "discussion.bidding ─tick.closed→ discussion.listening [isStopped]" */
  readonly label: string;
};

export type MachineChart = {
  readonly machine: AnyStateMachine;
  /** All nodes, parents before children. */
  readonly nodes: readonly AnyStateNode[];
  readonly edges: readonly MachineEdge[];
  readonly edgeOf: ReadonlyMap<AnyTransitionDefinition, MachineEdge>;
  /**
   * Whether the order in which nodes were entered can matter. XState asks the leaves for eventless transitions in that
   * order, where SCXML takes the order of the document; so the order is part of the state. It decides something only
   * where two leaves can find different transitions. Regions themselves are always entered together, in the order of
   * the chart.
   */
  readonly isOrdered: boolean;
};

const charts = new WeakMap<AnyStateMachine, MachineChart>();

/** The chart of a machine; read once. */
export function readChart(machine: AnyStateMachine): MachineChart {
  const known = charts.get(machine);
  if (known !== undefined) return known;
  const nodes = listDescendants(machine.root);
  const edges = nodes.flatMap(listTransitions).map(createEdge);
  const chart = {
    machine,
    nodes,
    edges,
    edgeOf: new Map(edges.map((edge) => [edge.definition, edge])),
    isOrdered: nodes.some(hasRivals),
  };
  charts.set(machine, chart);
  return chart;
}

/** Active nodes in the order that counts: as they were entered, or as they stand in the chart. */
export function sortNodes(
  { isOrdered }: MachineChart,
  nodes: readonly AnyStateNode[],
): readonly AnyStateNode[] {
  return isOrdered ? nodes : nodes.toSorted((one, other) => one.order - other.order);
}

/**
 * Whether two leaves of a parallel state may find different eventless transitions: of two regions, or one of a region
 * and one of a state around all of them.
 */
function hasRivals(node: AnyStateNode): boolean {
  if (node.type !== 'parallel') return false;
  const regions = Object.values(node.states).map(listDescendants);
  const restless = regions.filter((region) => region.some(hasEventless)).length;
  return restless > 1 || (restless === 1 && regions.length > 1 && isUnderEventless(node));
}

function isUnderEventless(node: AnyStateNode): boolean {
  return hasEventless(node) || (node.parent !== undefined && isUnderEventless(node.parent));
}

function hasEventless({ always }: AnyStateNode): boolean {
  return (always ?? []).length > 0;
}

/** A node as people name it: its path without the machine; "(root)" for the machine itself. */
export function nameNode(node: AnyStateNode): string {
  return node.path.length === 0 ? '(root)' : node.path.join('.');
}

/** Leaves of a set of nodes as one name. */
export function nameConfiguration(nodes: readonly AnyStateNode[]): string {
  return nodes.filter(isLeaf).map(nameNode).sort().join(' & ');
}

export function isLeaf({ type }: AnyStateNode): boolean {
  return type === 'atomic' || type === 'final';
}

/** Whether a node is a proper descendant of another one. */
export function isInside(node: AnyStateNode, outer: AnyStateNode): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at === outer) return true;
  return false;
}

/** How a guard is written: its name, or what is composed of names. */
function nameGuard(guard: unknown): string {
  if (typeof guard === 'string') return guard;
  if (typeof guard === 'function') {
    const parts: unknown = Reflect.get(guard, 'guards');
    if (Array.isArray(parts)) return `${guard.name}(${parts.map(nameGuard).join(', ')})`;
    // A function that stands in the chart itself is named after the field in which it stands.
    return guard.name === '' || guard.name === 'guard' ? '(inline)' : guard.name;
  }
  const name: unknown =
    typeof guard === 'object' && guard !== null ? Reflect.get(guard, 'type') : null;
  return typeof name === 'string' ? name : '(inline)';
}

function listDescendants(node: AnyStateNode): readonly AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(listDescendants)].sort(
    (one, other) => one.order - other.order,
  );
}

function listTransitions(node: AnyStateNode): readonly AnyTransitionDefinition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

function createEdge(definition: AnyTransitionDefinition, number: number): MachineEdge {
  const source = nameNode(definition.source);
  const targets = (definition.target ?? []).map(nameNode);
  const guard = definition.guard === undefined ? null : nameGuard(definition.guard);
  const event = definition.eventType;
  const arrow = `${source} ─${event === '' ? 'always' : event}→ ${targets.length === 0 ? '·' : targets.join(' & ')}`;
  return {
    number,
    definition,
    event,
    source,
    targets,
    guard,
    label: guard === null ? arrow : `${arrow} [${guard}]`,
  };
}
