/** Guards: asked by the machine's own functions, with what a snapshot would show them. */
import { type AnyStateMachine, and, type EventObject, matchesState, not, or } from 'xstate';
import type { MachinePlace } from './step.ts';

/** What a guard may look at. */
export type GuardContext = {
  readonly machine: AnyStateMachine;
  readonly place: MachinePlace;
  readonly context: unknown;
  readonly event: EventObject;
};

export type Guard = (asked: GuardContext) => boolean;

/** How the guards that XState builds from others are told from the machine's own. */
const AND: unknown = Reflect.get(and([]), 'check');
const OR: unknown = Reflect.get(or([]), 'check');
const NOT: unknown = Reflect.get(not(''), 'check');

/** The guard as it stands in the chart, found once: a name, a name with parameters, a function, or what is built of them. */
export function resolveGuard(machine: AnyStateMachine, guard: unknown): Guard {
  const isInline = typeof guard === 'function';
  const known: unknown = isInline ? guard : findImplementation(machine, guard);
  if (known === undefined) return () => refuseUnknownGuard(guard);
  if (typeof known !== 'function') return resolveGuard(machine, known);
  if (typeof Reflect.get(known, 'check') === 'function') return resolveBuiltGuard(machine, known);
  const params = isInline ? undefined : readField(guard, 'params');
  if (typeof params === 'function') {
    return ({ context, event }) => {
      const args = { context, event };
      return Boolean(
        Reflect.apply(known, undefined, [args, Reflect.apply(params, undefined, [args])]),
      );
    };
  }
  // A function of the chart; what it takes is known to XState's types only.
  const ask = known as (args: object, params: unknown) => unknown;
  return ({ context, event }) => Boolean(ask({ context, event }, params));
}

function findImplementation({ implementations }: AnyStateMachine, guard: unknown): unknown {
  const name = typeof guard === 'string' ? guard : String(readField(guard, 'type'));
  return Reflect.get(implementations.guards, name);
}

function refuseUnknownGuard(guard: unknown): never {
  const name = typeof guard === 'string' ? guard : String(readField(guard, 'type'));
  throw new Error(`the guard ${name} is not implemented`);
}

/** `and`, `or`, `not`, and `stateIn`, which XState itself answers. */
function resolveBuiltGuard(machine: AnyStateMachine, built: object): Guard {
  const check: unknown = Reflect.get(built, 'check');
  const parts: unknown = Reflect.get(built, 'guards');
  const guards = Array.isArray(parts) ? parts.map((part) => resolveGuard(machine, part)) : [];
  if (check === AND) return (asked) => findFirstAnswering(guards, asked, false) === undefined;
  if (check === OR) return (asked) => findFirstAnswering(guards, asked, true) !== undefined;
  if (check === NOT) return (asked) => guards[0]?.(asked) === false;
  return (asked) => {
    const args = { context: asked.context, event: asked.event };
    return Boolean(
      typeof check === 'function' &&
        Reflect.apply(check, undefined, [createSnapshot(asked), args, built]),
    );
  };
}

/** The first of some guards that says this; those after it are not asked. */
function findFirstAnswering(
  guards: readonly Guard[],
  asked: GuardContext,
  answer: boolean,
): Guard | undefined {
  for (const guard of guards) if (guard(asked) === answer) return guard;
  return undefined;
}

/** As much of a snapshot as the built-in guards look at. */
function createSnapshot({ machine, place, context }: GuardContext) {
  return {
    machine,
    context,
    value: place.value,
    _nodes: place.nodes,
    matches: (value: string) => matchesState(value, place.value),
  };
}

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
