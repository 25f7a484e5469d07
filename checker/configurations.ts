/**
 * Configurations: the sets of nodes that can be active together, each with all that depends on it alone.
 *
 * They are found as the machine comes to them. For each one it is remembered which nodes are asked in which order, and
 * what the sets of transitions that were taken from it do.
 */
import type { AnyStateMachine, AnyStateNode, StateValue } from 'xstate';
import { isLeaf, nameConfiguration, readChart, sortNodes } from './chart.ts';
import { type MicrostepPlan, planMicrostep, removeConflicts } from './plan.ts';
import {
  type ActiveNode,
  type Branch,
  type Candidate,
  collectLeafCandidates,
  createNode,
  type LeafCandidates,
} from './selection.ts';
import type { MachinePlace } from './step.ts';

/** A set of active nodes with everything that depends on it alone. */
export type Configuration = {
  readonly place: MachinePlace;
  readonly root: Branch;
  readonly leaves: readonly Branch[];
  /** The candidates where there is one leaf; null with parallel regions. */
  readonly line: LeafCandidates | null;
  /** What transitions do from here: by the number of the edge, or of several edges. */
  readonly plans: Map<number | string, Destination>;
};
export type Destination = { readonly plan: MicrostepPlan; readonly configuration: Configuration };

export class ConfigurationTable {
  readonly #machine: AnyStateMachine;
  readonly #nodes: ReadonlyMap<AnyStateNode, ActiveNode>;
  readonly #byNodes = new Map<string, Configuration>();
  readonly #byPlace = new Map<MachinePlace, Configuration>();

  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
    this.#nodes = new Map(readChart(machine).nodes.map((node) => [node, createNode(node)]));
  }

  /** The configuration of a place; one of another stepper is looked up by its nodes. */
  at(place: MachinePlace): Configuration {
    const known = this.#byPlace.get(place);
    if (known !== undefined) return known;
    const configuration = this.of(place.nodes);
    this.#byPlace.set(place, configuration);
    return configuration;
  }

  /** The order of the nodes is part of it where it counts. */
  of(active: readonly AnyStateNode[]): Configuration {
    const nodes = sortNodes(readChart(this.#machine), active);
    const key = nodes.map(({ order }) => order).join();
    const known = this.#byNodes.get(key);
    if (known !== undefined) return known;
    const root = this.#branch(this.#machine.root, null, nodes);
    const place: MachinePlace = {
      number: this.#byNodes.size,
      name: nameConfiguration(nodes),
      value: readStateValue(root),
      nodes,
      tags: new Set(nodes.flatMap(({ tags }) => tags)),
      invoked: nodes.flatMap(({ invoke }) => invoke.map(({ id }) => id)).sort(),
    };
    const leaves = nodes.filter(isLeaf).map((leaf) => getBranch(root, leaf));
    const configuration = {
      place,
      root,
      leaves,
      line: collectLeafCandidates(leaves),
      plans: new Map(),
    };
    this.#byNodes.set(key, configuration);
    this.#byPlace.set(place, configuration);
    return configuration;
  }

  /** What transitions do from here, and where they lead. */
  destination(from: Configuration, chosen: readonly Candidate[]): Destination {
    const [only] = chosen;
    const key =
      chosen.length === 1 && only !== undefined ? only.edge : chosen.map(({ edge }) => edge).join();
    const known = from.plans.get(key);
    if (known !== undefined) return known;
    const { nodes } = from.place;
    const definitions = chosen.map(({ definition }) => definition);
    const plan = planMicrostep(nodes, removeConflicts(definitions, nodes));
    // XState keeps the old order when the same nodes are active afterwards.
    const isSame =
      plan.nodes.length === nodes.length && plan.nodes.every((node) => nodes.includes(node));
    const destination = { plan, configuration: isSame ? from : this.of(plan.nodes) };
    from.plans.set(key, destination);
    return destination;
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

/** In the order of the keys of an object: as they come, but whole numbers first. */
function sortAsKeys(nodes: readonly AnyStateNode[]): readonly AnyStateNode[] {
  return Object.values(Object.fromEntries(nodes.map((node) => [node.key, node])));
}

function getBranch(root: Branch, leaf: AnyStateNode): Branch {
  const found = findBranch(root, leaf);
  if (found === null) throw new Error(`${leaf.id} is not active`);
  return found;
}

function findBranch(branch: Branch, leaf: AnyStateNode): Branch | null {
  if (branch.node.node === leaf) return branch;
  for (const inner of branch.inner) {
    const found = findBranch(inner, leaf);
    if (found !== null) return found;
  }
  return null;
}

function readStateValue(branch: Branch): StateValue {
  const [only] = branch.inner;
  if (branch.node.node.type === 'compound') {
    if (only === undefined) return {};
    return isLeaf(only.node.node)
      ? only.node.node.key
      : { [only.node.node.key]: readStateValue(only) };
  }
  return Object.fromEntries(
    branch.inner.map((inner) => [inner.node.node.key, readStateValue(inner)]),
  );
}
