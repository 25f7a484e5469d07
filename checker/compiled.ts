/**
 * The compiled stepper: the machine's own nodes, guards and actions, with the work of finding them done once.
 *
 * For each configuration it remembers which transitions an event could take, and for each set of transitions what it
 * does. Guards and assignments are the machine's own functions. It is cross-checked against XState's engine; a chart
 * with something it does not know is refused by name, and then that engine serves.
 */
import type { AnyStateMachine, AnyStateNode, EventObject, StateValue } from 'xstate';
import { NOBODY, perform, type Run } from './actions.ts';
import { chartOf, isLeaf, placeName } from './chart.ts';
import { type Plan, planned, plannedInitially, withoutConflicts } from './plan.ts';
import {
  type Branch,
  type Candidate,
  type Node,
  nodeOf,
  select,
  selectEventless,
} from './selection.ts';
import { type Leap, type Place, type Point, type Stepper, timersAfter } from './step.ts';
import { Uncompilable } from './uncompilable.ts';

/** Compiles a machine; throws `Uncompilable` where it can't. */
export function compiledStepper<C, E extends EventObject>(
  machine: AnyStateMachine,
  input: unknown,
): Stepper<C, E> {
  for (const { type, id } of chartOf(machine).nodes) {
    if (type === 'history') throw new Uncompilable('a history state', id);
  }
  return new Compiled<C, E>(machine, input);
}

/** A set of active nodes with everything that depends on it alone. */
type Configuration = {
  readonly place: Place;
  readonly root: Branch;
  readonly leaves: readonly Branch[];
  /** What sets of transitions do from here, by the numbers of their edges. */
  readonly plans: Map<string, Destination>;
};
type Destination = { readonly plan: Plan; readonly configuration: Configuration };

class Compiled<C, E extends EventObject> implements Stepper<C, E> {
  readonly engine = 'compiled';
  readonly #machine: AnyStateMachine;
  readonly #input: unknown;
  readonly #nodes: ReadonlyMap<AnyStateNode, Node>;
  readonly #configurations = new Map<string, Configuration>();
  readonly #byPlace = new Map<Place, Configuration>();
  readonly #mostSteps: number;

  constructor(machine: AnyStateMachine, input: unknown) {
    this.#machine = machine;
    this.#input = input;
    this.#nodes = new Map(chartOf(machine).nodes.map((node) => [node, nodeOf(node)]));
    this.#mostSteps = machine.options?.maxIterations ?? Number.POSITIVE_INFINITY;
  }

  initial(): Leap<C> {
    const event = { type: 'xstate.init', input: this.#input };
    const plan = plannedInitially(this.#machine.root);
    const configuration = this.#configuration(plan.nodes);
    const run: Run = {
      machine: this.#machine,
      place: configuration.place,
      context: contextOf(this.#machine, event),
      event,
      changed: true,
      raised: [],
      effects: [],
    };
    const macrostep = { run, configuration, taken: [], isDone: plan.isDone, children: [] };
    this.#enact(macrostep, plan);
    return this.#settled(macrostep, []);
  }

  step(point: Point<C>, event: E | EventObject): Leap<C> {
    const configuration = this.#configurationAt(point.place);
    const run: Run = {
      machine: this.#machine,
      place: configuration.place,
      context: point.context,
      event,
      changed: false,
      raised: [],
      effects: [],
    };
    const macrostep: Macrostep = {
      run,
      configuration,
      taken: [],
      isDone: point.status !== 'active',
      children: point.children,
    };
    const chosen = macrostep.isDone ? [] : select(configuration.root, run);
    this.#take(macrostep, chosen);
    const timers = point.timers.filter((timer) => timer.event !== event);
    return this.#settled(macrostep, timers);
  }

  /** Goes on until nothing is enabled and nothing was raised, and says where that is. */
  #settled(macrostep: Macrostep, timers: Point<C>['timers']): Leap<C> {
    const { run } = macrostep;
    let looksForEventless = true;
    for (let steps = 0; !macrostep.isDone; steps++) {
      if (steps > this.#mostSteps) {
        throw new Error(
          `more than ${this.#mostSteps} microsteps in ${run.place.name}: a circle of always?`,
        );
      }
      let chosen = looksForEventless
        ? selectEventless(macrostep.configuration.leaves, macrostep.configuration.place, run)
        : [];
      const wasEventless = chosen.length > 0;
      if (!wasEventless) {
        const raised = run.raised.shift();
        if (raised === undefined) break;
        run.event = raised;
        chosen = select(macrostep.configuration.root, run);
      }
      run.changed = false;
      this.#take(macrostep, chosen);
      looksForEventless = !wasEventless || run.changed;
    }
    return this.#leap(macrostep, timers);
  }

  #leap(
    { run, configuration, taken, isDone, children }: Macrostep,
    timers: Point<C>['timers'],
  ): Leap<C> {
    if (isDone && taken.length > 0) {
      run.effects.push(...children.map((id) => ({ type: 'xstate.stopChild', params: id })));
    }
    return {
      point: {
        place: configuration.place,
        context: run.context as C, // the machine's own context: C is the caller's word for it
        timers: isDone ? NO_TIMERS : timersAfter(timers, run.effects),
        status: isDone ? 'done' : 'active',
        history: '',
        children,
      },
      effects: run.effects,
      taken,
    };
  }

  #take(macrostep: Macrostep, chosen: readonly Candidate[]): void {
    if (chosen.length === 0) return;
    const { plan, configuration } = this.#destination(macrostep.configuration, chosen);
    for (const { edge } of chosen) macrostep.taken.push(edge);
    if (configuration !== macrostep.configuration) macrostep.run.changed = true;
    macrostep.configuration = configuration;
    this.#enact(macrostep, plan);
    macrostep.run.place = configuration.place;
  }

  #enact(macrostep: Macrostep, plan: Plan): void {
    const { run } = macrostep;
    for (const step of plan.actions) {
      if (step.type === 'action') perform(run, step.action);
      else if (step.type === 'spawn') {
        run.effects.push({ type: 'xstate.spawnChild', params: step.id });
        run.changed = true;
        macrostep.children = [...macrostep.children, step.id].sort();
      } else {
        run.effects.push({ type: 'xstate.stopChild', params: step.id });
        run.changed = true;
        macrostep.children = macrostep.children.filter((id) => id !== step.id);
      }
    }
    for (const id of plan.completed) run.raised.push({ type: `xstate.done.state.${id}` });
    if (plan.isDone) macrostep.isDone = true;
  }

  #destination(from: Configuration, chosen: readonly Candidate[]): Destination {
    const key = chosen.length === 1 ? `${chosen[0]?.edge}` : chosen.map(({ edge }) => edge).join();
    const known = from.plans.get(key);
    if (known !== undefined) return known;
    const definitions = chosen.map(({ definition }) => definition);
    const plan = planned(from.place.nodes, withoutConflicts(definitions, from.place.nodes));
    const destination = { plan, configuration: this.#configuration(plan.nodes) };
    from.plans.set(key, destination);
    return destination;
  }

  #configuration(nodes: readonly AnyStateNode[]): Configuration {
    const key = nodes.map(({ order }) => order).join();
    const known = this.#configurations.get(key);
    if (known !== undefined) return known;
    const root = this.#branch(this.#machine.root, null, new Set(nodes));
    const place: Place = {
      number: this.#configurations.size,
      name: placeName(nodes),
      value: stateValue(root),
      nodes,
      tags: new Set(nodes.flatMap(({ tags }) => tags)),
      invoked: nodes.flatMap(({ invoke }) => invoke.map(({ id }) => id)).sort(),
    };
    const leaves = nodes.filter(isLeaf).map((leaf) => branchOf(root, leaf));
    const configuration = { place, root, leaves, plans: new Map() };
    this.#configurations.set(key, configuration);
    this.#byPlace.set(place, configuration);
    return configuration;
  }

  /** The configuration of a place; one of another stepper is looked up by its nodes. */
  #configurationAt(place: Place): Configuration {
    const known = this.#byPlace.get(place);
    if (known !== undefined) return known;
    const configuration = this.#configuration(place.nodes);
    this.#byPlace.set(place, configuration);
    return configuration;
  }

  #branch(node: AnyStateNode, above: Branch | null, active: ReadonlySet<AnyStateNode>): Branch {
    const own = this.#nodes.get(node);
    if (own === undefined) throw new Error(`${node.id} is no node of this machine`);
    const branch: Branch = { node: own, above, inner: [] };
    for (const child of Object.values(node.states)) {
      if (active.has(child)) branch.inner.push(this.#branch(child, branch, active));
    }
    return branch;
  }
}

type Macrostep = {
  readonly run: Run;
  configuration: Configuration;
  readonly taken: number[];
  isDone: boolean;
  children: readonly string[];
};

const NO_TIMERS: readonly never[] = [];

function branchOf(root: Branch, leaf: AnyStateNode): Branch {
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

function stateValue(branch: Branch): StateValue {
  const [only] = branch.inner;
  if (branch.node.node.type === 'compound') {
    if (only === undefined) return {};
    return isLeaf(only.node.node) ? only.node.node.key : { [only.node.node.key]: stateValue(only) };
  }
  return Object.fromEntries(branch.inner.map((inner) => [inner.node.node.key, stateValue(inner)]));
}

function contextOf({ config }: AnyStateMachine, event: { readonly input: unknown }): unknown {
  const { context } = config;
  if (typeof context !== 'function') return context ?? {};
  const refuse = () => {
    throw new Uncompilable('spawn in the first context', '(root)');
  };
  return Reflect.apply(context, undefined, [{ input: event.input, spawn: refuse, self: NOBODY }]);
}
