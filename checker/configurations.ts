/** What an event asks and does in each configuration, computed once for the checker's stepper and compiled actors. */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition, StateValue } from 'xstate';
import { type Guard, type GuardContext, resolveGuard } from './actions.ts';
import { isLeaf, nameConfiguration, readChart, sortNodes } from './chart.ts';
import { type HistoryMemory, isHistory, NO_HISTORY, readHistory } from './history.ts';
import { type MicrostepPlan, planMicrostep, removeConflicts } from './plan.ts';
import { type GuardCounts, type MachinePlace, Uncompilable } from './stepper.ts';
import { remember } from './values.ts';

/** A node in the tree of active nodes. Its children are in XState's evaluation order. */
type Branch = {
  readonly node: ActiveNode;
  readonly above: Branch | null;
  readonly inner: Branch[];
};
type ActiveNode = {
  readonly node: AnyStateNode;
  readonly always: readonly Candidate[];
  readonly byEvent: Map<string, readonly Candidate[]>;
};
export type Candidate = {
  readonly alone: readonly Candidate[];
  readonly edge: number;
  readonly definition: AnyTransitionDefinition;
  readonly guard: Guard | null;
};

export type Choosing = GuardContext & {
  readonly configuration: Configuration;
  readonly history: HistoryMemory;
  readonly guards: GuardCounts;
  /** The number of the transition whose guard is being evaluated, or -1. */
  asked: number;
};

const NO_CANDIDATES: readonly Candidate[] = [];

function createNode(node: AnyStateNode): ActiveNode {
  return { node, always: (node.always ?? []).map(createCandidate), byEvent: new Map() };
}

function createCandidate(definition: AnyTransitionDefinition): Candidate {
  const { machine } = definition.source;
  const edge = readChart(machine).edgeOf.get(definition);
  if (edge === undefined)
    throw new Error(`a transition of ${definition.source.id} is not in the chart`);
  // XState ignores an empty guard, except on an eventless transition.
  const isFree = edge.event === '' ? definition.guard === undefined : !definition.guard;
  const guard = isFree ? null : resolveGuard(machine, definition.guard);
  const alone: Candidate[] = [];
  const candidate = { edge: edge.number, definition, guard, alone };
  alone.push(candidate);
  return candidate;
}

/** The transitions that an event takes, innermost first. Each parallel region takes its own. */
function select(branch: Branch, run: Choosing): readonly Candidate[] {
  let inner: readonly Candidate[] = NO_CANDIDATES;
  for (const child of branch.inner) {
    const chosen = select(child, run);
    if (chosen.length > 0) inner = inner.length === 0 ? chosen : [...inner, ...chosen];
  }
  if (inner.length > 0) return inner;
  return selectFirst(listCandidates(branch.node, run.event.type), run);
}

/** The candidates for an event from the innermost outwards, or null if more than one region has some. */
function collectInLine({ node, inner }: Branch, type: string): readonly Candidate[] | null {
  let found: readonly Candidate[] = NO_CANDIDATES;
  for (const child of inner) {
    const own = collectInLine(child, type);
    if (own === null || (own.length > 0 && found.length > 0)) return null;
    if (own.length > 0) found = own;
  }
  return [...found, ...listCandidates(node, type)];
}

function hasEventless({ node, inner }: Branch): boolean {
  return node.always.length > 0 || inner.some(hasEventless);
}

/** The eventless transitions: for each leaf the nearest that passes. */
export function chooseEventless(run: Choosing): readonly Candidate[] {
  const { leaves, place, hasEventless: mayFind } = run.configuration;
  if (!mayFind) return NO_CANDIDATES;
  let chosen: readonly Candidate[] = NO_CANDIDATES;
  for (const leaf of leaves) {
    for (let branch: Branch | null = leaf; branch !== null; branch = branch.above) {
      const own = selectFirst(branch.node.always, run);
      const [first] = own;
      if (first === undefined) continue;
      if (chosen.length === 0) chosen = own;
      else if (!chosen.includes(first)) chosen = [...chosen, first];
      break;
    }
  }
  if (chosen.length < 2) return chosen;
  const definitions = chosen.map(({ definition }) => definition);
  const kept = removeConflicts(definitions, place.nodes, run.history);
  return chosen.filter(({ definition }) => kept.includes(definition));
}

function selectFirst(candidates: readonly Candidate[], run: Choosing): readonly Candidate[] {
  for (const candidate of candidates) {
    const { guard, edge } = candidate;
    if (guard === null) return candidate.alone;
    run.asked = edge;
    const hasPassed = guard(run);
    run.asked = -1;
    const counts = hasPassed ? run.guards.passed : run.guards.failed;
    counts[edge] = (counts[edge] ?? 0) + 1;
    if (hasPassed) return candidate.alone;
  }
  return NO_CANDIDATES;
}

/** The transitions of a node for an event: first the exact type, then wildcards, longest first. */
function listCandidates(own: ActiveNode, type: string): readonly Candidate[] {
  return remember(own.byEvent, type, () => {
    const { transitions } = own.node;
    const wild = [...transitions.keys()]
      .filter((descriptor) => descriptor !== type && canMatch(descriptor, type))
      .sort((one, other) => other.length - one.length);
    return [type, ...wild]
      .flatMap((descriptor) => transitions.get(descriptor) ?? [])
      .map(createCandidate);
  });
}

/** "*" matches every event. "mouse.*" matches "mouse" and every type that begins with "mouse.". */
export function canMatch(descriptor: string, type: string): boolean {
  if (descriptor === '*' || descriptor === type) return true;
  if (!descriptor.endsWith('.*')) return false;
  const wanted = descriptor.slice(0, -2).split('.');
  const found = type.split('.');
  return wanted.every((part, index) => part !== '*' && found[index] === part);
}

/** A set of active nodes with everything that depends on it alone. */
export type Configuration = {
  readonly place: MachinePlace;
  readonly root: Branch;
  readonly leaves: readonly Branch[];
  readonly hasEventless: boolean;
  /** The candidates for an event in evaluation order, from the leaf upwards. Null if it concerns several regions. */
  readonly byEvent: Map<string, readonly Candidate[] | null>;
  /** Destinations by edge number, or by several edge numbers and the history memory. */
  readonly plans: Map<number | string, Destination>;
};
type Destination = {
  readonly definitions: readonly AnyTransitionDefinition[];
  readonly plan: MicrostepPlan;
  readonly configuration: Configuration;
  readonly history: HistoryMemory;
  /** Whether the active nodes or the history change. XState then makes a new snapshot, even without an action. */
  readonly isChanged: boolean;
};

export class ConfigurationTable {
  readonly #machine: AnyStateMachine;
  readonly #nodes: ReadonlyMap<AnyStateNode, ActiveNode>;
  readonly #byNodes = new Map<string, Configuration>();
  readonly #byPlace = new Map<MachinePlace, Configuration>();
  readonly #histories = new Map<string, HistoryMemory>();

  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
    this.#nodes = new Map(readChart(machine).nodes.map((node) => [node, createNode(node)]));
  }

  /** The configuration of a place. A place from another stepper is looked up by its nodes. */
  at(place: MachinePlace): Configuration {
    return remember(this.#byPlace, place, () => this.of(place.nodes));
  }

  /** The key includes the order of the nodes if it matters. */
  of(active: readonly AnyStateNode[]): Configuration {
    const nodes = sortNodes(readChart(this.#machine), active);
    const key = nodes.map(({ order }) => order).join();
    return remember(this.#byNodes, key, () => this.#create(nodes));
  }

  #create(nodes: readonly AnyStateNode[]): Configuration {
    refuseTorn(nodes);
    const root = this.#branch(this.#machine.root, null, nodes);
    const place: MachinePlace = {
      number: this.#byNodes.size,
      name: nameConfiguration(nodes),
      value: readStateValue(root),
      nodes,
      tags: new Set(nodes.flatMap(({ tags }) => tags)),
    };
    const branches = listBranches(root);
    const leaves = nodes
      .filter(isLeaf)
      .flatMap((leaf) => branches.find(({ node }) => node.node === leaf) ?? []);
    const configuration = {
      place,
      root,
      leaves,
      hasEventless: hasEventless(root),
      byEvent: new Map(),
      plans: new Map(),
    };
    this.#byPlace.set(place, configuration);
    return configuration;
  }

  history(text: string): HistoryMemory {
    return remember(this.#histories, text, () => readHistory(this.#machine, text));
  }

  destination(
    from: Configuration,
    chosen: readonly Candidate[],
    history: HistoryMemory,
  ): Destination {
    const [only] = chosen;
    const edges =
      chosen.length === 1 && only !== undefined ? only.edge : chosen.map(({ edge }) => edge).join();
    const key = history === NO_HISTORY ? edges : `${edges} ${history.text}`;
    return remember(from.plans, key, () => this.#plan(from, chosen, history));
  }

  #plan(from: Configuration, chosen: readonly Candidate[], history: HistoryMemory): Destination {
    const { nodes } = from.place;
    const definitions = chosen.map(({ definition }) => definition);
    const plan = planMicrostep(nodes, removeConflicts(definitions, nodes, history), history);
    // XState keeps the old order if the same nodes are active afterwards and no history was recorded.
    const isSame =
      plan.recorded === null &&
      plan.nodes.length === nodes.length &&
      plan.nodes.every((node) => nodes.includes(node));
    return {
      definitions,
      plan,
      configuration: isSame ? from : this.of(plan.nodes),
      history: plan.recorded === null ? history : this.history(plan.recorded.text),
      isChanged: !isSame,
    };
  }

  #branch(node: AnyStateNode, above: Branch | null, active: readonly AnyStateNode[]): Branch {
    const own = this.#nodes.get(node);
    if (own === undefined) throw new Error(`${node.id} is no node of this machine`);
    const branch: Branch = { node: own, above, inner: [] };
    const inner = active.filter(({ parent }) => parent === node);
    for (const child of sortAsKeys(inner)) branch.inner.push(this.#branch(child, branch, active));
    return branch;
  }
}

/** XState exits by the old history memory and enters by the new one, so it may enter a part of a configuration. */
function refuseTorn(active: readonly AnyStateNode[]): void {
  const torn = active.find(({ type, states, parent }) => {
    if (parent !== undefined && !active.includes(parent)) return true;
    const inner = Object.values(states).filter((node) => !isHistory(node));
    const within = inner.filter((node) => active.includes(node)).length;
    return within !== (type === 'parallel' ? inner.length : type === 'compound' ? 1 : 0);
  });
  if (torn !== undefined) throw new Uncompilable('a state that is active only in part', torn.id);
}

/** The order of an object's keys: insertion order, but integers first. */
function sortAsKeys(nodes: readonly AnyStateNode[]): readonly AnyStateNode[] {
  return Object.values(Object.fromEntries(nodes.map((node) => [node.key, node])));
}

function listBranches(branch: Branch): readonly Branch[] {
  return [branch, ...branch.inner.flatMap(listBranches)];
}

function readStateValue({ node: { node }, inner }: Branch): StateValue {
  const [only] = inner;
  if (node.type === 'compound') {
    if (only === undefined) return {};
    const { node: child } = only.node;
    return isLeaf(child) ? child.key : { [child.key]: readStateValue(only) };
  }
  return Object.fromEntries(inner.map((one) => [one.node.node.key, readStateValue(one)]));
}

export function chooseByEvent(macrostep: Choosing): readonly Candidate[] {
  const { root, byEvent } = macrostep.configuration;
  const { type } = macrostep.event;
  const candidates = remember(byEvent, type, () => collectInLine(root, type));
  return candidates === null ? select(root, macrostep) : selectFirst(candidates, macrostep);
}
