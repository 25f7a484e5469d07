/** Reads states, transitions and guards from a machine's own state nodes, in document order. */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { isObject, readField, remember } from './values.ts';

/** One transition of the chart, as coverage and traces name it. */
export type MachineEdge = {
  readonly number: number;
  /** The source's id, the event and the index among its transitions for the event, joined by "|". */
  readonly id: string;
  readonly definition: AnyTransitionDefinition;
  /** Event type, or '' for an eventless transition. */
  readonly event: string;
  readonly source: string;
  readonly targets: readonly string[];
  /** The guard as written in the chart, or null without one. */
  readonly guard: string | null;
  /** "discussion.bidding ─tick.closed→ discussion.listening [isStopped]" */
  readonly label: string;
};

export type MachineChart = {
  readonly nodes: readonly AnyStateNode[];
  readonly edges: readonly MachineEdge[];
  readonly edgeOf: ReadonlyMap<AnyTransitionDefinition, MachineEdge>;
  /** Whether the order of entry is part of the state: XState asks the leaves for eventless transitions in that order. */
  readonly isOrdered: boolean;
};

const charts = new WeakMap<AnyStateMachine, MachineChart>();

export function readChart(machine: AnyStateMachine): MachineChart {
  return remember(charts, machine, () => {
    const nodes = listDescendants(machine.root);
    for (const { id, config } of nodes) {
      // XState makes it the prototype of its table of states.
      if (Object.hasOwn(config.states ?? {}, '__proto__'))
        throw new TypeError(`expected another name for the state ${id}.__proto__: XState loses it`);
    }
    const edges = nodes.flatMap(listTransitions).map(createEdge);
    const edgeOf = new Map(edges.map((edge) => [edge.definition, edge]));
    return { nodes, edges, edgeOf, isOrdered: nodes.some(hasRivals) };
  });
}

const childKinds = new WeakMap<AnyStateMachine, Map<string, boolean>>();

/** Whether each child is a promise, which sends only its end: invoked children, and those spawned so far. */
function kindsOf(machine: AnyStateMachine): Map<string, boolean> {
  return remember(childKinds, machine, () => {
    const kinds = new Map<string, boolean>();
    for (const { id, logic } of readChart(machine).nodes.flatMap(listInvoked))
      kinds.set(id, settles(logic) && kinds.get(id) !== false);
    return kinds;
  });
}

export function isPromise(machine: AnyStateMachine, id: string): boolean {
  return kindsOf(machine).get(id) === true;
}

/** Notes the logic of a child, which only the step that spawns it can tell. */
export function noteChild(machine: AnyStateMachine, id: string, logic: unknown): void {
  const kinds = kindsOf(machine);
  if (!kinds.has(id)) kinds.set(id, settles(logic));
}

/** The children that a node invokes. XState replaces logic that stands in the chart by a name of its own. */
export function listInvoked({ invoke, config, machine }: AnyStateNode) {
  const written = [config.invoke ?? []].flat();
  return invoke.map(({ id, systemId }, index) => {
    const source: unknown = written[index]?.src;
    const logic: unknown =
      typeof source === 'string' ? machine.implementations.actors[source] : source;
    return { id, systemId, source, logic };
  });
}

/** Whether logic is a promise's: only that is done when XState tells it so. */
function settles(logic: unknown): boolean {
  const [snapshot, event] = [{ status: 'active' }, { type: 'xstate.promise.resolve' }];
  if (!isObject(logic) || 'root' in logic) return false;
  try {
    const transition = readField(logic, 'transition');
    if (typeof transition !== 'function') return false;
    return readField(Reflect.apply(transition, logic, [snapshot, event, {}]), 'status') === 'done';
  } catch {
    return false;
  }
}

export function sortNodes(
  { isOrdered }: MachineChart,
  nodes: readonly AnyStateNode[],
): readonly AnyStateNode[] {
  return isOrdered ? nodes : nodes.toSorted(byOrder);
}

/** Whether two leaves may find different eventless transitions: in two regions, or in a region and an ancestor. */
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

/** The path of a node without the machine, or "(root)" for the machine itself. */
export function nameNode(node: AnyStateNode): string {
  return node.path.length === 0 ? '(root)' : node.path.join('.');
}

export function nameConfiguration(nodes: readonly AnyStateNode[]): string {
  return nodes.filter(isLeaf).map(nameNode).sort().join(' & ');
}

export function isLeaf({ type }: AnyStateNode): boolean {
  return type === 'atomic' || type === 'final';
}

export function isInside(node: AnyStateNode, outer: AnyStateNode): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at === outer) return true;
  return false;
}

function nameGuard(guard: unknown): string {
  if (typeof guard === 'string') return guard;
  if (typeof guard === 'function') {
    const parts: unknown = Reflect.get(guard, 'guards');
    if (Array.isArray(parts)) return `${guard.name}(${parts.map(nameGuard).join(', ')})`;
    // JavaScript names an inline function after the field that holds it.
    return guard.name === '' || guard.name === 'guard' ? '(inline)' : guard.name;
  }
  const name = readField(guard, 'type');
  return typeof name === 'string' ? name : '(inline)';
}

function listDescendants(node: AnyStateNode): readonly AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(listDescendants)].sort(byOrder);
}

export function byOrder(one: AnyStateNode, other: AnyStateNode): number {
  return one.order - other.order;
}

function listTransitions({ id, transitions, always = [] }: AnyStateNode) {
  return [...transitions, ['', always] as const].flatMap(([event, same]) =>
    same.map((definition, index) => ({ id: `${id}|${event}|${index}`, definition })),
  );
}

type EdgeSource = ReturnType<typeof listTransitions>[number];

function createEdge({ id, definition }: EdgeSource, number: number): MachineEdge {
  const source = nameNode(definition.source);
  const odd = (definition.target ?? []).findIndex((target) => !isObject(target));
  if (odd >= 0)
    throw new TypeError(
      `expected the target of ${id} to be the name of a state or a list of names, found ${definition.target?.[odd]}. Leave it out to stay`,
    );
  const targets = (definition.target ?? []).map(nameNode);
  const guard = definition.guard === undefined ? null : nameGuard(definition.guard);
  const event = definition.eventType;
  const arrow = `${source} ─${event === '' ? 'always' : event}→ ${targets.length === 0 ? '·' : targets.join(' & ')}`;
  const label = guard === null ? arrow : `${arrow} [${guard}]`;
  return { number, id, definition, event, source, targets, guard, label };
}
