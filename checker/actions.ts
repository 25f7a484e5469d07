/** Performs the actions of a chart on a context and records effects. Those that start or stop actors are refused. */
import {
  type AnyEventObject,
  type AnyStateMachine,
  and,
  cancel,
  type EventObject,
  emit,
  matchesState,
  not,
  or,
  raise,
  sendTo,
} from 'xstate';
import {
  EXTERNAL_RECIPIENT,
  type MachineEffect,
  type MachinePlace,
  nameChild,
  nameRecipient,
  SELF,
  Uncompilable,
} from './stepper.ts';
import { isObject, readField, remember } from './values.ts';

/** A queued `enqueue.assign`. XState would build a function for it on each call. */
export class QueuedAssignment {
  readonly assignment: unknown;

  constructor(assignment: unknown) {
    this.assignment = assignment;
  }
}

export type ActionQueue = { readonly queued: unknown[]; readonly enqueue: unknown };

type MakeAction = (...args: never[]) => unknown;

type ActorActions = Readonly<Record<'sendParent' | 'spawnChild' | 'stopChild', MakeAction>>;

export function createQueue(actorActions: ActorActions): ActionQueue {
  const queued: unknown[] = [];
  const push = (action: unknown) => void queued.push(action);
  const makers = { ...actorActions, cancel, emit, raise, sendTo };
  const building =
    (make: MakeAction) =>
    (...args: unknown[]) =>
      push(Reflect.apply(make, undefined, args));
  const enqueue = Object.assign(
    push,
    Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, building(make)])),
    { assign: (assignment: unknown) => push(new QueuedAssignment(assignment)) },
  );
  return { queued, enqueue };
}

/** The search neither starts nor stops actors inside an action. It knows a parent by name only. */
const SEARCHED: ActorActions = {
  sendParent: (event: never, options: never) => sendTo(EXTERNAL_RECIPIENT._parent, event, options),
  spawnChild: () => refuse('enqueue.spawnChild'),
  stopChild: () => refuse('enqueue.stopChild'),
};

export function refuse(feature: string, where = 'enqueueActions'): never {
  throw new Uncompilable(feature, where);
}

export type GuardContext = {
  readonly machine: AnyStateMachine;
  readonly place: MachinePlace;
  readonly context: unknown;
  readonly event: EventObject;
};

export type Guard = (asked: GuardContext) => boolean;

/** Identify the guards that XState builds from other guards. */
const AND: unknown = Reflect.get(and([]), 'check');
const OR: unknown = Reflect.get(or([]), 'check');
const NOT: unknown = Reflect.get(not(''), 'check');

/** Resolves a name, a name with parameters, a function or a combination of these. */
export function resolveGuard(machine: AnyStateMachine, guard: unknown): Guard {
  const isInline = typeof guard === 'function';
  const name = typeof guard === 'string' ? guard : String(readField(guard, 'type'));
  const known: unknown = isInline ? guard : Reflect.get(machine.implementations.guards, name);
  if (known === undefined)
    return () => {
      throw new Error(`the guard ${name} is not implemented`);
    };
  if (!isCallable(known)) return resolveGuard(machine, known);
  if (typeof Reflect.get(known, 'check') === 'function') return resolveBuiltGuard(machine, known);
  const params = isInline ? undefined : readField(guard, 'params');
  if (!isCallable(params))
    return ({ context, event }) => Boolean(known({ context, event }, params));
  return ({ context, event }) => {
    const args = { context, event };
    return Boolean(known(args, params(args)));
  };
}

/** `and`, `or`, `not` and `stateIn`. XState itself evaluates `stateIn`. */
function resolveBuiltGuard(machine: AnyStateMachine, built: object): Guard {
  const check: unknown = Reflect.get(built, 'check');
  const parts: unknown = Reflect.get(built, 'guards');
  const guards = Array.isArray(parts) ? parts.map((part) => resolveGuard(machine, part)) : [];
  if (check === AND) return (asked) => guards.every((guard) => guard(asked));
  if (check === OR) return (asked) => guards.some((guard) => guard(asked));
  if (check === NOT) return (asked) => guards[0]?.(asked) === false;
  if (typeof check !== 'function') return () => false;
  return ({ place: { value, nodes: _nodes }, context, event }) => {
    const matches = (wanted: string) => matchesState(wanted, value);
    const snapshot = { machine, context, value, _nodes, matches };
    return Boolean(Reflect.apply(check, undefined, [snapshot, { context, event }, built]));
  };
}

export type MacrostepRun = {
  readonly machine: AnyStateMachine;
  place: MachinePlace;
  context: unknown;
  event: EventObject;
  /** Whether XState would have created a new snapshot since the last check. */
  changed: boolean;
  /** Whether one of the effects may set or cancel a timer. */
  setsTimers: boolean;
  children: readonly string[];
  /** Children that the node being entered starts after its entry actions. */
  expected: readonly string[];
  readonly raised: EventObject[];
  readonly effects: MachineEffect[];
};

type ActionRunner = (run: MacrostepRun, params: unknown) => void;

export class Actions {
  readonly #machine: AnyStateMachine;
  readonly #runners = new Map<string, ActionRunner>();
  /** Actions together with the parameters written in the chart. */
  readonly #standing = new Map<unknown, (run: MacrostepRun) => void>();
  #current: unknown = null;

  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
  }

  get current(): string | null {
    return this.#current === null ? null : readActionName(splitAction(this.#current).type);
  }

  perform(run: MacrostepRun, action: unknown): void {
    this.#current = action;
    remember(this.#standing, action, () => this.#prepared(action))(run);
  }

  #prepared(action: unknown): (run: MacrostepRun) => void {
    const { type, params } = splitAction(action);
    const perform = this.#runnerOf(type);
    if (!isCallable(params)) return (run) => perform(run, params);
    return (run) => perform(run, params({ context: run.context, event: run.event }));
  }

  /** Looks up an action so that an unsupported one is refused before anything runs. */
  foresee(action: unknown): void {
    this.#runnerOf(splitAction(action).type);
  }

  #runnerOf(key: unknown): ActionRunner {
    // A chart may build a function for each step, and a cache would keep its event.
    if (typeof key === 'function') return this.#found(key, readActionName(key));
    const { actions } = this.#machine.implementations;
    const name = String(key);
    const known: unknown = Reflect.get(actions, name);
    // XState throws if this is no action, or if a name stands for another name.
    if (typeof key !== 'string' || typeof known === 'string')
      refuse(`the action ${name}`, this.#machine.id);
    return remember(this.#runners, name, () => this.#found(known, name));
  }

  #found(action: unknown, name: string): ActionRunner {
    if (typeof action !== 'function' || !('resolve' in action))
      return ({ effects }, params) => void effects.push({ type: name, params });
    const type = String(Reflect.get(action, 'type'));
    if (type === 'xstate.enqueueActions') return this.#enqueueing(Reflect.get(action, 'collect'));
    const found = BUILT_IN[type];
    if (found === undefined) throw new Uncompilable(`the action ${type}`, this.#machine.id);
    return found(action);
  }

  #enqueueing(collect: unknown): ActionRunner {
    if (!isCallable(collect)) throw new Uncompilable('enqueueActions', this.#machine.id);
    const free: ActionQueue[] = [];
    return (run, params) => {
      const queue = free.pop() ?? createQueue(SEARCHED);
      const { context, event } = run;
      const check = (guard: unknown) => resolveGuard(run.machine, guard)(run);
      const { enqueue, queued } = queue;
      const self = EXTERNAL_RECIPIENT;
      collect({ context, event, enqueue, check, self, system: self.system }, params);
      for (const action of queued) {
        if (action instanceof QueuedAssignment) assign(run, action.assignment, undefined);
        // An enqueued action is a new object each time, so there is nothing to cache.
        else this.#prepared(action)(run);
      }
      queued.length = 0;
      free.push(queue);
    };
  }
}

const BUILT_IN: Readonly<Record<string, (action: object) => ActionRunner>> = {
  'xstate.assign': (action) => {
    const assignment: unknown = Reflect.get(action, 'assignment');
    return (run, params) => assign(run, assignment, params);
  },
  'xstate.raise': (action) => {
    const [event, delay, id] = readFields(action, 'event', 'delay', 'id');
    return (run, params) => {
      const raised = evaluate(event, run, params) as AnyEventObject; // what a chart raises is an event
      if (typeof evaluateDelay(delay, run, params) !== 'number') run.raised.push(raised);
      else {
        run.setsTimers = true;
        run.effects.push({ type: 'xstate.raise', params: { id, event: raised } });
      }
    };
  },
  'xstate.cancel': (action) => {
    const [sendId] = readFields(action, 'sendId');
    return (run, params) => {
      run.setsTimers = true;
      run.effects.push({ type: 'xstate.cancel', params: evaluate(sendId, run, params) });
    };
  },
  'xstate.sendTo': (action) => {
    const [target, message, delay, id] = readFields(action, 'to', 'event', 'delay', 'id');
    return (run, params) => {
      const event = evaluate(message, run, params);
      const isDelayed = typeof evaluateDelay(delay, run, params) === 'number';
      const to = resolveRecipient(run, evaluate(target, run, params));
      if (to === SELF) run.setsTimers = true;
      const sent = isDelayed && id !== undefined ? { to, event, id } : { to, event };
      run.effects.push({ type: 'xstate.sendTo', params: sent });
    };
  },
  'xstate.emit': (action) => {
    const [event] = readFields(action, 'event');
    return (run, params) =>
      void run.effects.push({ type: 'xstate.emit', params: evaluate(event, run, params) });
  },
  'xstate.log': (action) => {
    const [value, label] = readFields(action, 'value', 'label');
    return (run, params) => {
      const logged = { label, value: evaluate(value, run, params) };
      run.effects.push({ type: 'xstate.log', params: logged });
    };
  },
};

function assign(run: MacrostepRun, assignment: unknown, params: unknown): void {
  const { context, event } = run;
  const self = EXTERNAL_RECIPIENT;
  const args = { context, event, self, system: self.system, spawn: refuseSpawn };
  const update: object = isCallable(assignment)
    ? Object(assignment(args, params))
    : evaluateAssignment(Object(assignment), args, params);
  run.context = Object.assign({ ...Object(context) }, update);
  run.changed = true;
}

function evaluateAssignment(assignment: object, args: object, params: unknown): object {
  let update: Record<string, unknown> | null = null;
  for (const name in assignment) {
    const value: unknown = assignment[name as keyof typeof assignment]; // a name of its own
    if (!isCallable(value)) continue;
    update ??= { ...assignment };
    update[name] = value(args, params);
  }
  return update ?? assignment;
}

/** The name under which XState would find the recipient. Throws where XState throws. */
function resolveRecipient(run: MacrostepRun, target: unknown): unknown {
  if (typeof target !== 'string')
    return nameRecipient(target ?? EXTERNAL_RECIPIENT, EXTERNAL_RECIPIENT);
  if (target === '#_internal') return SELF;
  if (target === '#_parent') return nameRecipient(EXTERNAL_RECIPIENT._parent, EXTERNAL_RECIPIENT);
  const id = target.startsWith('#_') ? target.slice(2) : target;
  const isExpected = id === target && run.expected.includes(id);
  if (isExpected || run.children.some((child) => nameChild(child) === id)) return id;
  throw new Error(`unable to send to '${target}' in ${run.place.name}: no such child runs there`);
}

const refuseSpawn = () => refuse('spawn in an assign', 'an assign');

export function readActionName(action: unknown): string {
  if (typeof action === 'function') return action.name === '' ? '(anonymous)' : action.name;
  return String(action);
}

export function splitAction(action: unknown): {
  readonly type?: unknown;
  readonly params?: unknown;
} {
  return isObject(action) ? action : { type: action };
}

/** Only XState's types know the other parameters of a chart's function. */
function isCallable(value: unknown): value is (args: object, params?: unknown) => unknown {
  return typeof value === 'function';
}

function evaluate(expression: unknown, { context, event }: MacrostepRun, params: unknown): unknown {
  const self = EXTERNAL_RECIPIENT;
  if (!isCallable(expression)) return expression;
  return expression({ context, event, self, system: self.system }, params);
}

function evaluateDelay(delay: unknown, run: MacrostepRun, params: unknown): unknown {
  if (typeof delay !== 'string') return evaluate(delay, run, params);
  return evaluate(Reflect.get(run.machine.implementations.delays, delay), run, params);
}

function readFields(action: object, ...names: readonly string[]): readonly unknown[] {
  return names.map((name): unknown => Reflect.get(action, name));
}
