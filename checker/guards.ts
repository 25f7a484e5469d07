/** Guards: asked by the machine's own functions, with what a snapshot would show them. */
import { type AnyStateMachine, and, type EventObject, matchesState, not, or } from 'xstate';
import type { Place } from './step.ts';

/** What a guard may look at. */
export type Asked = {
  readonly machine: AnyStateMachine;
  readonly place: Place;
  readonly context: unknown;
  readonly event: EventObject;
};

export type Guard = (asked: Asked) => boolean;

/** How the guards that XState builds from others are told from the machine's own. */
const AND: unknown = Reflect.get(and([]), 'check');
const OR: unknown = Reflect.get(or([]), 'check');
const NOT: unknown = Reflect.get(not(''), 'check');

/** The guard as it stands in the chart, found once: a name, a name with parameters, a function, or what is built of them. */
export function guardOf(machine: AnyStateMachine, guard: unknown): Guard {
  const isInline = typeof guard === 'function';
  const known: unknown = isInline ? guard : implemented(machine, guard);
  if (known === undefined) return () => unknownGuard(guard);
  if (typeof known !== 'function') return guardOf(machine, known);
  if (typeof Reflect.get(known, 'check') === 'function') return builtGuard(machine, known);
  const params = isInline ? undefined : fieldOf(guard, 'params');
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

function implemented({ implementations }: AnyStateMachine, guard: unknown): unknown {
  const name = typeof guard === 'string' ? guard : String(fieldOf(guard, 'type'));
  return Reflect.get(implementations.guards, name);
}

function unknownGuard(guard: unknown): never {
  const name = typeof guard === 'string' ? guard : String(fieldOf(guard, 'type'));
  throw new Error(`the guard ${name} is not implemented`);
}

/** `and`, `or`, `not`, and `stateIn`, which XState itself answers. */
function builtGuard(machine: AnyStateMachine, built: object): Guard {
  const check: unknown = Reflect.get(built, 'check');
  const parts: unknown = Reflect.get(built, 'guards');
  const guards = Array.isArray(parts) ? parts.map((part) => guardOf(machine, part)) : [];
  if (check === AND) return (asked) => firstWith(guards, asked, false) === undefined;
  if (check === OR) return (asked) => firstWith(guards, asked, true) !== undefined;
  if (check === NOT) return (asked) => guards[0]?.(asked) === false;
  return (asked) => {
    const args = { context: asked.context, event: asked.event };
    return Boolean(
      typeof check === 'function' &&
        Reflect.apply(check, undefined, [snapshotOf(asked), args, built]),
    );
  };
}

/** The first of some guards that says this; those after it are not asked. */
function firstWith(guards: readonly Guard[], asked: Asked, answer: boolean): Guard | undefined {
  for (const guard of guards) if (guard(asked) === answer) return guard;
  return undefined;
}

/** As much of a snapshot as the built-in guards look at. */
function snapshotOf({ machine, place, context }: Asked) {
  return {
    machine,
    context,
    value: place.value,
    _nodes: place.nodes,
    matches: (value: string) => matchesState(value, place.value),
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
