/**
 * Compiles a machine for XState's actors, by the plans of the `ConfigurationTable` that the checker uses. All functions
 * run through the actor's scope in XState's order, so snapshots, effects and inspection events are the same.
 */
import {
  type AnyActorRef,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type AnyTransitionDefinition,
  assign as assignAction,
  type EventObject,
  StateMachine,
  sendParent,
  spawnChild,
  stopChild,
} from 'xstate';
import {
  type ActionQueue,
  createQueue,
  type Guard,
  QueuedAssignment,
  readActionName,
  resolveGuard,
  splitAction,
} from './actions.ts';
import { readChart } from './chart.ts';
import {
  type Candidate,
  type Choosing,
  type Configuration,
  ConfigurationTable,
  chooseByEvent,
  chooseEventless,
} from './configurations.ts';
import { isHistory, NO_HISTORY } from './history.ts';
import { type CompletedNode, type MicrostepPlan, type PlannedAction, planInitial } from './plan.ts';
import { describeError, type GuardCounts, type MachinePlace, Uncompilable } from './stepper.ts';
import { remember } from './values.ts';

const compiledMachines = new WeakMap<AnyStateMachine, AnyStateMachine>();

/**
 * Returns an equivalent, faster machine with compiled machine actors. Use it wherever an actor is created from the
 * original. A machine derived with `provide` is not compiled. Throws `Uncompilable` for a machine with history states.
 */
export function compile<M extends AnyStateMachine>(machine: M): M {
  const known = compiledMachines.get(machine);
  if (known !== undefined) return known as M; // made of it below
  const history = readChart(machine).nodes.find(isHistory);
  if (history !== undefined) throw new Uncompilable('a history state', history.id);
  const actors = Object.entries(machine.implementations.actors).map(
    ([name, logic]) => [name, logic instanceof StateMachine ? compile(logic) : logic] as const,
  );
  const compiled = machine.provide({ actors: Object.fromEntries(actors) });
  const { transition, getInitialSnapshot } = new ActorStepper(compiled);
  compiledMachines.set(machine, Object.assign(compiled, { transition, getInitialSnapshot }));
  return compiled as M; // what `provide` makes is of the machine's own type
}

/** A built-in action of XState. `resolve` computes it, and `execute` performs its effect. */
type BuiltIn = {
  readonly type: string;
  readonly resolve: (
    scope: AnyActorScope,
    snapshot: AnyMachineSnapshot,
    args: object,
    params: unknown,
    action: unknown,
    extra: object,
  ) => readonly [AnyMachineSnapshot, unknown, readonly unknown[] | undefined];
  readonly retryResolve?: (
    scope: AnyActorScope,
    snapshot: AnyMachineSnapshot,
    params: unknown,
  ) => void;
  readonly execute?: (scope: AnyActorScope, params: unknown) => void;
};

/** A system reports each microstep to inspectors. XState's types do not declare this method. */
type InspectedSystem = AnyActorScope['system'] & { _sendInspectionEvent(inspected: object): void };

type ActorRun = Choosing & {
  readonly scope: AnyActorScope;
  configuration: Configuration;
  /** The place at the start of the microstep, which guards see. */
  place: MachinePlace;
  context: unknown;
  event: EventObject;
  snapshot: AnyMachineSnapshot;
  readonly raised: EventObject[];
  expected: readonly string[] | undefined;
  /** Sends to resolve again after these children have started. */
  retries: { readonly action: BuiltIn; readonly params: unknown }[] | undefined;
};

type PreparedAction = (run: ActorRun) => void;

class ActorStepper {
  readonly #machine: AnyStateMachine;
  readonly #xstateTransition: AnyStateMachine['transition'];
  readonly #configurations: ConfigurationTable;
  readonly #byNodes = new WeakMap<readonly AnyStateNode[], Configuration>();
  readonly #steps = new WeakMap<MicrostepPlan, readonly PreparedAction[]>();
  readonly #performer: Performer;
  readonly #guards: GuardCounts;
  readonly #mostSteps: number;
  /** Computed for the first actor, because its references may not exist yet during compilation. */
  #beginning: ReturnType<typeof beginAt> | null = null;

  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
    this.#xstateTransition = machine.transition;
    this.#configurations = new ConfigurationTable(machine);
    this.#performer = new Performer(machine);
    const none = readChart(machine).edges.map(() => 0);
    this.#guards = { passed: [...none], failed: none };
    this.#mostSteps = machine.options?.maxIterations ?? Number.POSITIVE_INFINITY;
  }

  readonly getInitialSnapshot = (scope: AnyActorScope, input?: unknown): AnyMachineSnapshot => {
    this.#beginning ??= beginAt(this.#machine, this.#configurations);
    const { configuration, plan, snapshot: blank, root } = this.#beginning;
    const event = { type: 'xstate.init', input };
    const { context } = this.#machine.config;
    const isWorkedOut = typeof context === 'function';
    const first = rebuild(blank, { context: isWorkedOut ? {} : (context ?? {}), children: {} });
    const run = this.#run(first, configuration, event, scope);
    // As in XState, entry actions see only the root as active.
    run.place = root;
    let before = first;
    try {
      if (isWorkedOut) {
        const create: Assignment = ({ spawn, self }) =>
          Object(resolveArg(context, { spawn, input, self }));
        assign(run, create, undefined);
        before = run.snapshot;
      }
      for (const step of this.#stepsOf(plan)) step(run);
      run.place = configuration.place;
      if (configuration.place.nodes.length > 1)
        run.snapshot = rebuild(run.snapshot, { place: run.place });
      this.#settle(run);
    } catch (error) {
      return rebuild(before, { status: 'error', error });
    }
    return this.#end(run);
  };

  #run(
    snapshot: AnyMachineSnapshot,
    configuration: Configuration,
    event: EventObject,
    scope: AnyActorScope,
  ): ActorRun {
    return {
      machine: this.#machine,
      scope,
      guards: this.#guards,
      asked: -1,
      configuration,
      place: configuration.place,
      history: NO_HISTORY,
      context: snapshot.context,
      event,
      snapshot,
      raised: [],
      expected: undefined,
      retries: undefined,
    };
  }

  readonly transition = (
    snapshot: AnyMachineSnapshot,
    event: EventObject,
    scope: AnyActorScope,
  ): AnyMachineSnapshot => {
    const { type } = event;
    if (type === '*' || (snapshot.status !== 'active' && type !== 'xstate.stop'))
      return this.#xstateTransition(snapshot, event, scope);
    const { _nodes: nodes } = snapshot;
    const configuration = remember(this.#byNodes, nodes, () => this.#configurations.of(nodes));
    const run = this.#run(snapshot, configuration, event, scope);
    if (type === 'xstate.stop') {
      this.#stopChildren(run);
      run.snapshot = rebuild(run.snapshot, { status: 'stopped' });
      inspectMicrostep(run, NONE);
      return run.snapshot;
    }
    const chosen = this.#chooseByEvent(run);
    if (chosen.length === 0 && type.startsWith('xstate.error.actor')) {
      // Nothing has happened yet. The machine ends with its child's error.
      return this.#xstateTransition(snapshot, event, scope);
    }
    this.#take(run, chosen);
    this.#settle(run);
    return this.#end(run);
  };

  #settle(run: ActorRun): void {
    let looksForEventless = true;
    for (let steps = 1; run.snapshot.status === 'active'; steps++) {
      if (steps > this.#mostSteps) throw createLoopError(this.#mostSteps);
      let chosen: readonly Candidate[] = looksForEventless ? chooseEventless(run) : NONE;
      // A step that an event causes is always followed by another check.
      const before = chosen.length > 0 ? run.snapshot : undefined;
      if (chosen.length === 0) {
        const raised = run.raised.shift();
        if (raised === undefined) return;
        run.event = raised;
        chosen = this.#chooseByEvent(run);
      }
      this.#take(run, chosen);
      looksForEventless = run.snapshot !== before;
    }
  }

  /** XState stops the children of a finished machine and leaves them in its last snapshot. */
  #end(run: ActorRun): AnyMachineSnapshot {
    const last = run.snapshot;
    if (last.status !== 'active') this.#stopChildren(run);
    return last;
  }

  #stopChildren(run: ActorRun): void {
    for (const child of Object.values(run.snapshot.children))
      this.#performer.perform(run, stopChild(child as AnyActorRef)); // by type it may be anything
  }

  #chooseByEvent(run: ActorRun): readonly Candidate[] {
    try {
      return chooseByEvent(run);
    } catch (error) {
      throw createGuardError(run, error);
    }
  }

  #take(run: ActorRun, chosen: readonly Candidate[]): void {
    let transitions: readonly AnyTransitionDefinition[] = NONE;
    if (chosen.length > 0) {
      const { configuration, history } = run;
      const to = this.#configurations.destination(configuration, chosen, history);
      transitions = to.definitions;
      for (const step of this.#stepsOf(to.plan)) step(run);
      if (to.configuration !== configuration) {
        run.configuration = to.configuration;
        run.place = to.configuration.place;
        run.snapshot = rebuild(run.snapshot, { place: run.place });
      }
    }
    inspectMicrostep(run, transitions);
  }

  #stepsOf(plan: MicrostepPlan): readonly PreparedAction[] {
    return remember(this.#steps, plan, () => plan.actions.map((one) => this.#prepare(one)));
  }

  #prepare(planned: PlannedAction): PreparedAction {
    const performer = this.#performer;
    switch (planned.type) {
      case 'action':
        return performer.prepare(planned.action);
      case 'spawn':
        return performer.prepare(
          spawnChild(planned.invoke.src, {
            ...planned.invoke,
            syncSnapshot: planned.invoke.onSnapshot !== undefined,
          } as never), // XState itself passes the whole definition
        );
      case 'stop':
        return performer.prepare(stopChild(planned.id));
      case 'expect':
        if (planned.ids.length === 0) return retrySends;
        return (run) => {
          run.expected = planned.ids;
          run.retries = [];
        };
      case 'complete':
        return (run) => void run.raised.push(createDoneEvent(run, planned));
      default:
        return (run) => {
          const { root } = run.machine;
          const event = root.output === undefined ? run.event : createDoneEvent(run, planned.by);
          const result = resolveValue(root.output, run, event);
          run.snapshot = rebuild(run.snapshot, { status: 'done', output: result });
        };
    }
  }
}

const NONE: readonly never[] = [];

/** The start of a machine. At `root` only the root is active, but the value already describes the initial states. */
function beginAt(machine: AnyStateMachine, configurations: ConfigurationTable) {
  const plan = planInitial(machine.root);
  const configuration = configurations.of(plan.nodes);
  const { place } = configuration;
  const root = { ...place, nodes: [machine.root], tags: new Set(machine.root.tags) };
  const resolved: AnyMachineSnapshot = machine.resolveState({ value: place.value, context: {} });
  return { configuration, plan, root, snapshot: rebuild(resolved, { place: root }) };
}

function inspectMicrostep(
  { event, snapshot, scope: { self, system } }: ActorRun,
  transitions: readonly AnyTransitionDefinition[],
): void {
  (system as InspectedSystem)._sendInspectionEvent({
    type: '@xstate.microstep',
    actorRef: self,
    event,
    snapshot,
    _transitions: transitions,
  });
}

function retrySends(run: ActorRun): void {
  for (const { action, params } of run.retries ?? [])
    action.retryResolve?.(run.scope, run.snapshot, params);
  run.expected = undefined;
  run.retries = undefined;
}

function createDoneEvent(run: ActorRun, { id, output }: CompletedNode) {
  return { type: `xstate.done.state.${id}`, output: resolveValue(output, run, run.event) };
}

function resolveValue(value: unknown, { context, scope }: ActorRun, event: EventObject): unknown {
  return resolveArg(value, { context, event, self: scope.self });
}

function resolveArg(value: unknown, ...args: readonly unknown[]): unknown {
  return typeof value === 'function' ? Reflect.apply(value, undefined, args) : value;
}

function createLoopError(most: number): Error {
  return new Error(
    `Infinite loop detected: the machine has processed more than ${most} microsteps without reaching a stable state. This usually happens when there's a cycle of transitions (e.g., eventless transitions or raised events causing state A -> B -> C -> A).`,
  );
}

function createGuardError({ machine, asked, event }: ActorRun, error: unknown): unknown {
  const edge = readChart(machine).edges[asked];
  if (edge === undefined) return error;
  const { guard, source } = edge.definition;
  const { type } = splitAction(guard);
  const name = typeof type === 'string' ? `'${type}' ` : '';
  const text = describeError(error);
  return new Error(
    `Unable to evaluate guard ${name}in transition for event '${event.type}' in state node '${source.id}':\n${text}`,
  );
}

/** Writes every field by name so that all snapshots share one hidden class, which is faster to read. */
function rebuild(
  from: AnyMachineSnapshot,
  changes: Partial<Pick<ActorRun, 'context' | 'place'>> &
    Partial<Record<'status' | 'output' | 'error' | 'children', unknown>>,
): AnyMachineSnapshot {
  const { status, context, children, place } = changes;
  const snapshot = {
    status: status ?? from.status,
    // A machine may end with null or undefined as its output or error.
    output: 'output' in changes ? changes.output : from.output,
    error: 'error' in changes ? changes.error : from.error,
    machine: from.machine,
    context: context ?? from.context,
    _nodes: place?.nodes ?? from._nodes,
    value: place?.value ?? from.value,
    tags: place?.tags ?? from.tags,
    children: children ?? from.children,
    historyValue: from.historyValue,
    matches: from.matches,
    hasTag: from.hasTag,
    can: from.can,
    getMeta: from.getMeta,
    toJSON: from.toJSON,
  };
  return snapshot as unknown as AnyMachineSnapshot; // a union by status: no literal is seen to be a member of it
}

/** XState performs most actions. `assign`, `enqueueActions` and the machine's implementations run here. */
class Performer {
  readonly #machine: AnyStateMachine;
  readonly #named = new Map<string, PerformAction>();
  readonly #guards = new Map<unknown, Guard>();

  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
  }

  prepare(action: unknown): PreparedAction {
    const { type, params } = splitAction(action);
    const runner =
      typeof type === 'function'
        ? this.#runnerOf(type, readActionName(type))
        : this.#find(String(type));
    return (run) => {
      const { context, event } = run;
      runner(run, resolveArg(params, { context, event }));
    };
  }

  /** Performs an action that is not in the chart: a new or an enqueued one. */
  perform(run: ActorRun, action: unknown): void {
    if (action instanceof QueuedAssignment) {
      assign(run, readAssignment(action.assignment), undefined);
    } else this.prepare(action)(run);
  }

  #find(type: string): PerformAction {
    return remember(this.#named, type, () =>
      this.#runnerOf(Reflect.get(this.#machine.implementations.actions, type), type),
    );
  }

  #runnerOf(action: unknown, type: string): PerformAction {
    if (typeof action !== 'function' || !isBuiltIn(action)) {
      return (run, params) => {
        const { scope } = run;
        scope.actionExecutor({ type, info: createInfo(run), params, exec: action } as never);
      };
    }
    switch (action.type) {
      case 'xstate.assign': {
        const assignment = readAssignment(Reflect.get(action, 'assignment'));
        return (run, params) => assign(run, assignment, params);
      }
      case 'xstate.enqueueActions':
        return this.#enqueueing(Reflect.get(action, 'collect'));
      default:
        return (run, params) => this.#performBuiltIn(run, action, params);
    }
  }

  #performBuiltIn(run: ActorRun, action: BuiltIn, given: unknown): void {
    const { scope, raised, snapshot: before } = run;
    const info = createInfo(run);
    const extra = { internalQueue: raised, deferredActorIds: run.expected };
    const [snapshot, params, more] = action.resolve(scope, before, info, given, action, extra);
    run.snapshot = snapshot;
    if (action.retryResolve !== undefined) run.retries?.push({ action, params });
    if (action.execute !== undefined) {
      const exec = action.execute.bind(null, scope, params);
      scope.actionExecutor({ type: action.type, info: createInfo(run), params, exec } as never);
    }
    for (const one of more ?? []) this.perform(run, one);
  }

  #enqueueing(collect: unknown): PerformAction {
    const free: ActionQueue[] = [];
    return (run, params) => {
      const queue = free.pop() ?? createQueue({ sendParent, spawnChild, stopChild });
      const { enqueue, queued } = queue;
      const check = (guard: unknown) => this.#guardOf(guard)(run);
      const { context, event } = run;
      const { self, system } = run.scope;
      const args = { context, event, self, system, enqueue, check };
      if (typeof collect === 'function') Reflect.apply(collect, undefined, [args, params]);
      for (const action of queued) this.perform(run, action);
      queued.length = 0;
      free.push(queue);
    };
  }

  #guardOf(guard: unknown): Guard {
    if (typeof guard !== 'string') return resolveGuard(this.#machine, guard);
    return remember(this.#guards, guard, () => resolveGuard(this.#machine, guard));
  }
}

type PerformAction = (run: ActorRun, params: unknown) => void;

function isBuiltIn(action: object): action is BuiltIn {
  return 'resolve' in action;
}

function createInfo({ context, event, scope: { self, system } }: ActorRun) {
  return { context, event, self, system };
}

function assign(run: ActorRun, assignment: Assignment, params: unknown): void {
  const { context, event, scope } = run;
  if (typeof context !== 'object' || context === null) {
    throw new Error(
      'Cannot assign to undefined `context`. Ensure that `context` is defined in the machine config.',
    );
  }
  let spawner: Spawner | null = null;
  const spawned: AnyActorRef[] = [];
  const spawn: Spawner = (source, options) => {
    spawner ??= createSpawner(run);
    const child = spawner(source, options);
    spawned.push(child);
    return child;
  };
  const { self, system } = scope;
  const args = { context, event, spawn, self, system };
  // A spread is slower here because the contexts of all machines pass through this line.
  run.context = Object.assign({}, context, assignment(args, params));
  const { children } = run.snapshot;
  const more = spawned.map((child) => [child.id, child] as const);
  run.snapshot = rebuild(run.snapshot, {
    context: run.context,
    children: more.length === 0 ? children : { ...children, ...Object.fromEntries(more) },
  });
}

type Assignment = (
  args: { readonly spawn: Spawner; readonly self: unknown },
  params: unknown,
) => object;

function readAssignment(assignment: unknown): Assignment {
  // Only XState's types know the parameters of a chart's function.
  if (typeof assignment === 'function') return assignment as Assignment;
  const entries = Object.entries(assignment ?? {});
  if (entries.every(([, value]) => typeof value !== 'function')) return () => Object(assignment);
  return (args, params) => {
    const update: Record<string, unknown> = {};
    for (const [name, value] of entries) update[name] = resolveArg(value, args, params);
    return update;
  };
}

type Spawner = (source: unknown, options?: unknown) => AnyActorRef;

/** XState's own spawner, as it passes it to an assignment. */
function createSpawner({ scope, snapshot, event }: ActorRun): Spawner {
  let found: Spawner | null = null;
  const assignment = ({ spawn }: { readonly spawn: Spawner }) => {
    found = spawn;
    return {};
  };
  const builtIn: unknown = assignAction({});
  if (typeof builtIn === 'function' && isBuiltIn(builtIn))
    builtIn.resolve(scope, snapshot, { event }, undefined, { assignment }, {});
  if (found === null) throw new Error('XState hands its assignments no spawn');
  return found;
}
