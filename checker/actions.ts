/**
 * Actions: performs what stands in a chart on a context, by the machine's own functions, and writes down the effects.
 *
 * Only the built-in actions that a plan can foresee are known: assign, raise, cancel, sendTo, emit, log and
 * enqueueActions. Whatever starts or stops actors from within an action is refused by name.
 */
import {
  type AnyEventObject,
  type AnyStateMachine,
  assign,
  cancel,
  createEmptyActor,
  type EventObject,
  emit,
  log,
  raise,
  sendTo,
} from 'xstate';
import { normalised } from './engine.ts';
import { passes } from './guards.ts';
import type { Effect, Place } from './step.ts';
import { Uncompilable } from './uncompilable.ts';

/** A macrostep under way. */
export type Run = {
  readonly machine: AnyStateMachine;
  place: Place;
  context: unknown;
  event: EventObject;
  /** Whether a snapshot of XState would be a new one since the last look. */
  changed: boolean;
  readonly raised: EventObject[];
  readonly effects: Effect[];
};

/** Who a machine is that runs nowhere: a self without a mailbox, under a parent that is nobody. */
export const NOBODY = Object.assign(createEmptyActor(), { _parent: createEmptyActor() });

/** Performs one action as it stands in the chart: a name, a name with parameters, or a function. */
export function perform(run: Run, action: unknown): void {
  const known = resolved(run, action);
  const params = paramsOf(run, action);
  const type: unknown = typeof known === 'function' ? Reflect.get(known, 'type') : undefined;
  const isBuiltIn = typeof known === 'function' && 'resolve' in known;
  if (!isBuiltIn) {
    run.effects.push({ type: nameOf(action), params });
    return;
  }
  const builtIn = BUILT_IN[String(type)];
  if (builtIn === undefined) throw new Uncompilable(`the action ${String(type)}`, run.place.name);
  builtIn(run, known, params);
}

type Function = (...args: never[]) => unknown;
type BuiltIn = (run: Run, action: object, params: unknown) => void;

const BUILT_IN: Readonly<Record<string, BuiltIn>> = {
  'xstate.assign': (run, action, params) => {
    const assignment: unknown = Reflect.get(action, 'assignment');
    const args = { ...argsOf(run), spawn: refuseSpawn(run) };
    run.context = { ...recordOf(run.context), ...assigned(assignment, args, params) };
    run.changed = true;
  },
  'xstate.raise': (run, action, params) => {
    const event = resultOf(Reflect.get(action, 'event'), run, params);
    const delay = delayOf(Reflect.get(action, 'delay'), run, params);
    if (typeof delay === 'number') {
      const id: unknown = Reflect.get(action, 'id');
      run.effects.push({ type: 'xstate.raise', params: { id, event } });
    } else run.raised.push(event as AnyEventObject); // what the chart raises is an event of the machine
  },
  'xstate.cancel': (run, action, params) => {
    run.effects.push({
      type: 'xstate.cancel',
      params: resultOf(Reflect.get(action, 'sendId'), run, params),
    });
  },
  'xstate.sendTo': (run, action, params) => {
    const to = resultOf(Reflect.get(action, 'to'), run, params);
    const event = resultOf(Reflect.get(action, 'event'), run, params);
    const effect = normalised('xstate.sendTo', { to, event });
    if (effect !== null) run.effects.push(effect);
  },
  'xstate.emit': (run, action, params) => {
    run.effects.push({
      type: 'xstate.emit',
      params: resultOf(Reflect.get(action, 'event'), run, params),
    });
  },
  'xstate.log': (run, action, params) => {
    const value = resultOf(Reflect.get(action, 'value'), run, params);
    run.effects.push({
      type: 'xstate.log',
      params: { label: Reflect.get(action, 'label'), value },
    });
  },
  'xstate.enqueueActions': (run, action, params) => {
    const collect: unknown = Reflect.get(action, 'collect');
    const queue: unknown[] = [];
    const args = {
      ...argsOf(run),
      enqueue: enqueuer(queue),
      check: (guard: unknown) => passes(guard, run),
    };
    call(collect, args, params);
    for (const queued of queue) perform(run, queued);
  },
};

/** `enqueue` of enqueueActions: collects what is to be done afterwards. */
function enqueuer(queue: unknown[]) {
  const push = (action: unknown) => void queue.push(action);
  const built =
    (make: Function) =>
    (...args: unknown[]) =>
      push(Reflect.apply(make, undefined, args));
  const refused = (what: string) => () => {
    throw new Uncompilable(`enqueue.${what}`, 'enqueueActions');
  };
  return Object.assign(push, {
    assign: built(assign),
    cancel: built(cancel),
    emit: built(emit),
    log: built(log),
    raise: built(raise),
    sendTo: built(sendTo),
    spawnChild: refused('spawnChild'),
    stopChild: refused('stopChild'),
    sendParent: refused('sendParent'),
  });
}

function resolved({ machine }: Run, action: unknown): unknown {
  if (typeof action === 'function') return action;
  return Reflect.get(machine.implementations.actions, nameOf(action));
}

function nameOf(action: unknown): string {
  if (typeof action === 'string') return action;
  if (typeof action === 'function') return action.name === '' ? '(anonymous)' : action.name;
  return String(
    typeof action === 'object' && action !== null ? Reflect.get(action, 'type') : action,
  );
}

function paramsOf(run: Run, action: unknown): unknown {
  if (typeof action !== 'object' || action === null) return undefined;
  const params: unknown = Reflect.get(action, 'params');
  if (typeof params !== 'function') return params;
  return call(params, { context: run.context, event: run.event });
}

function argsOf({ context, event }: Run) {
  return { context, event, self: NOBODY, system: NOBODY.system };
}

function resultOf(expression: unknown, run: Run, params: unknown): unknown {
  return typeof expression === 'function' ? call(expression, argsOf(run), params) : expression;
}

function delayOf(delay: unknown, run: Run, params: unknown): unknown {
  if (typeof delay !== 'string') return resultOf(delay, run, params);
  return resultOf(Reflect.get(run.machine.implementations.delays, delay), run, params);
}

function assigned(assignment: unknown, args: object, params: unknown): object {
  if (typeof assignment === 'function') return recordOf(call(assignment, args, params));
  const update: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(recordOf(assignment))) {
    update[name] = typeof value === 'function' ? call(value, args, params) : value;
  }
  return update;
}

function refuseSpawn({ place }: Run) {
  return () => {
    throw new Uncompilable('spawn in an assign', place.name);
  };
}

function recordOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function call(fn: unknown, ...args: readonly unknown[]): unknown {
  if (typeof fn !== 'function')
    throw new TypeError(`expected a function in the chart, found ${typeof fn}`);
  return Reflect.apply(fn, undefined, args);
}
