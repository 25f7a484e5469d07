/**
 * Actions: performs what stands in a chart on a context, by the machine's own functions, and writes down the effects.
 *
 * Only the built-in actions that a plan can foresee are known: assign, raise, cancel, sendTo, emit, log and
 * enqueueActions. Whatever starts or stops actors from within an action is refused by name.
 */
import type { AnyEventObject, AnyStateMachine, EventObject } from 'xstate';
import { Assigned, type Queue, queueOf } from './enqueue.ts';
import { guardOf } from './guards.ts';
import { NOBODY, recipientOf } from './nobody.ts';
import { type Effect, type Place, SELF } from './step.ts';
import { Uncompilable } from './uncompilable.ts';

/** A macrostep under way. */
export type Run = {
  readonly machine: AnyStateMachine;
  place: Place;
  context: unknown;
  event: EventObject;
  /** Whether a snapshot of XState would be a new one since the last look. */
  changed: boolean;
  /** Whether one of the effects may set or cancel a timer. */
  setsTimers: boolean;
  /** Children that run, by id. */
  children: readonly string[];
  /** Children that the node which is being entered starts after its entry actions. */
  expected: readonly string[];
  readonly raised: EventObject[];
  readonly effects: Effect[];
};

/** What an action does, once its parameters are known. */
type Deed = (run: Run, params: unknown) => void;
/** A function of the chart; what it takes beyond this is known to XState's types only. */
type Called = (args: object, params?: unknown) => unknown;

/** The actions of one machine, each found once. */
export class Actions {
  readonly #machine: AnyStateMachine;
  readonly #deeds = new Map<unknown, Deed>();
  /** Actions as they stand in the chart, with the parameters that stand there. */
  readonly #standing = new Map<unknown, (run: Run) => void>();

  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
  }

  /** Performs one action as it stands in the chart: a name, a name with parameters, or a function. */
  perform(run: Run, action: unknown): void {
    let perform = this.#standing.get(action);
    if (perform === undefined) {
      perform = this.#prepared(action);
      this.#standing.set(action, perform);
    }
    perform(run);
  }

  #prepared(action: unknown): (run: Run) => void {
    const { type, params } = partsOf(action);
    const deed = this.#deed(type);
    if (!isCallable(params)) return (run) => deed(run, params);
    return (run) => deed(run, params({ context: run.context, event: run.event }));
  }

  /** Performs what was enqueued: there it is written anew each time. */
  #performQueued(run: Run, action: unknown): void {
    if (action instanceof Assigned) {
      assign(run, action.assignment, undefined);
      return;
    }
    const { type, params } = partsOf(action);
    const { context, event } = run;
    this.#deed(type)(run, isCallable(params) ? params({ context, event }) : params);
  }

  /** Looks an action up without performing it, so that what can't be compiled is refused before anything runs. */
  foresee(action: unknown): void {
    this.#deed(partsOf(action).type);
  }

  #deed(key: unknown): Deed {
    const known = this.#deeds.get(key);
    if (known !== undefined) return known;
    const action: unknown =
      typeof key === 'function'
        ? key
        : Reflect.get(this.#machine.implementations.actions, String(key));
    const deed = this.#found(action, nameOf(key));
    this.#deeds.set(key, deed);
    return deed;
  }

  #found(action: unknown, name: string): Deed {
    if (typeof action !== 'function' || !('resolve' in action)) {
      return ({ effects }, params) => void effects.push({ type: name, params });
    }
    const type = String(Reflect.get(action, 'type'));
    if (type === 'xstate.enqueueActions') return this.#enqueueing(Reflect.get(action, 'collect'));
    const found = BUILT_IN[type];
    if (found === undefined) throw new Uncompilable(`the action ${type}`, this.#machine.id);
    return found(action);
  }

  #enqueueing(collect: unknown): Deed {
    if (!isCallable(collect)) throw new Uncompilable('enqueueActions', this.#machine.id);
    const free: Queue[] = [];
    return (run, params) => {
      const queue = free.pop() ?? queueOf();
      const { context, event } = run;
      const check = (guard: unknown) => guardOf(run.machine, guard)(run);
      const { enqueue, queued } = queue;
      const args = { context, event, enqueue, check, self: NOBODY, system: NOBODY.system };
      collect(args, params);
      for (const action of queued) this.#performQueued(run, action);
      while (queued.length > 0) queued.pop();
      free.push(queue);
    };
  }
}

const BUILT_IN: Readonly<Record<string, (action: object) => Deed>> = {
  'xstate.assign': (action) => {
    const assignment: unknown = Reflect.get(action, 'assignment');
    return (run, params) => assign(run, assignment, params);
  },
  'xstate.raise': (action) => {
    const [event, delay, id] = fieldsOf(action, 'event', 'delay', 'id');
    return (run, params) => {
      const raised = resultOf(event, run, params) as AnyEventObject; // what a chart raises is an event
      if (typeof delayOf(delay, run, params) !== 'number') run.raised.push(raised);
      else {
        run.setsTimers = true;
        run.effects.push({ type: 'xstate.raise', params: { id, event: raised } });
      }
    };
  },
  'xstate.cancel': (action) => {
    const [sendId] = fieldsOf(action, 'sendId');
    return (run, params) => {
      run.setsTimers = true;
      run.effects.push({ type: 'xstate.cancel', params: resultOf(sendId, run, params) });
    };
  },
  'xstate.sendTo': (action) => {
    const [target, message, delay] = fieldsOf(action, 'to', 'event', 'delay');
    return (run, params) => {
      const event = resultOf(message, run, params);
      delayOf(delay, run, params);
      const to = addressee(run, resultOf(target, run, params));
      if (to === SELF) run.setsTimers = true;
      run.effects.push({ type: 'xstate.sendTo', params: { to, event } });
    };
  },
  'xstate.emit': (action) => {
    const [event] = fieldsOf(action, 'event');
    return (run, params) =>
      void run.effects.push({ type: 'xstate.emit', params: resultOf(event, run, params) });
  },
  'xstate.log': (action) => {
    const [value, label] = fieldsOf(action, 'value', 'label');
    return (run, params) => {
      const logged = { label, value: resultOf(value, run, params) };
      run.effects.push({ type: 'xstate.log', params: logged });
    };
  },
};

/** A context like the one before in which some names have new values; the very same when they have not. */
function assign(run: Run, assignment: unknown, params: unknown): void {
  const { context, event } = run;
  const self = NOBODY;
  const args = { context, event, self, system: self.system, spawn: refuseSpawn };
  const update = isCallable(assignment)
    ? recordOf(assignment(args, params))
    : evaluated(recordOf(assignment), args, params);
  run.context = Object.assign({ ...recordOf(context) }, update);
  run.changed = true;
}

function evaluated(assignment: object, args: object, params: unknown): object {
  let update: Record<string, unknown> | null = null;
  for (const name in assignment) {
    const value: unknown = assignment[name as keyof typeof assignment]; // a name of its own
    if (!isCallable(value)) continue;
    update ??= { ...assignment };
    update[name] = value(args, params);
  }
  return update ?? assignment;
}

/** Who is written to, by the name that XState would find them by; it throws where XState throws. */
function addressee(run: Run, target: unknown): unknown {
  if (typeof target !== 'string') return recipientOf(target ?? NOBODY, NOBODY);
  if (target === '#_internal') return SELF;
  if (target === '#_parent') return recipientOf(NOBODY._parent, NOBODY);
  const id = target.startsWith('#_') ? target.slice(2) : target;
  if (run.children.includes(id) || (id === target && run.expected.includes(id))) return id;
  throw new Error(`unable to send to '${target}' in ${run.place.name}: no such child runs there`);
}

function refuseSpawn(): never {
  throw new Uncompilable('spawn in an assign', 'an assign');
}

function nameOf(action: unknown): string {
  if (typeof action === 'function') return action.name === '' ? '(anonymous)' : action.name;
  return String(action);
}

/** An action by its key, and the parameters that stand beside it. */
function partsOf(action: unknown): { readonly type?: unknown; readonly params?: unknown } {
  return typeof action === 'object' && action !== null ? action : { type: action };
}

function isCallable(value: unknown): value is Called {
  return typeof value === 'function';
}

function resultOf(expression: unknown, { context, event }: Run, params: unknown): unknown {
  if (!isCallable(expression)) return expression;
  return expression({ context, event, self: NOBODY, system: NOBODY.system }, params);
}

function delayOf(delay: unknown, run: Run, params: unknown): unknown {
  if (typeof delay !== 'string') return resultOf(delay, run, params);
  return resultOf(Reflect.get(run.machine.implementations.delays, delay), run, params);
}

function fieldsOf(action: object, ...names: readonly string[]): readonly unknown[] {
  return names.map((name): unknown => Reflect.get(action, name));
}

function recordOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
