/** Guards: asked by the machine's own functions, with what a snapshot would show them. */
import { type AnyStateMachine, type EventObject, matchesState } from 'xstate';
import type { Place } from './step.ts';

/** What a guard may look at. */
export type Asked = {
  readonly machine: AnyStateMachine;
  readonly place: Place;
  readonly context: unknown;
  readonly event: EventObject;
};

/** Whether a guard passes: a name, a name with parameters, a function, or `and`, `or`, `not`, `stateIn`. */
export function passes(guard: unknown, asked: Asked): boolean {
  const isInline = typeof guard === 'function';
  const name = typeof guard === 'string' ? guard : isInline ? '' : String(fieldOf(guard, 'type'));
  const known: unknown = isInline ? guard : Reflect.get(asked.machine.implementations.guards, name);
  if (known === undefined) throw new Error(`the guard ${name} is not implemented`);
  if (typeof known !== 'function') return passes(known, asked);
  const args = { context: asked.context, event: asked.event };
  const check: unknown = Reflect.get(known, 'check');
  if (typeof check === 'function') {
    return Reflect.apply(check, undefined, [snapshotOf(asked), args, known]) === true;
  }
  return Boolean(
    Reflect.apply(known, undefined, [args, isInline ? undefined : paramsOf(guard, args)]),
  );
}

function paramsOf(guard: unknown, args: object): unknown {
  const params = fieldOf(guard, 'params');
  return typeof params === 'function' ? Reflect.apply(params, undefined, [args]) : params;
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
