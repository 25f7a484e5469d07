/** Describes a run step by step: the event, the new state, and what changed in the context. */
import type { StateValue } from 'xstate';
import { isPlain } from './parts.ts';
import { findDifference } from './purity.ts';
import type { MachinePoint, MachineStepper, Transition } from './stepper.ts';
import { isObject, joinPath } from './values.ts';

/** A changed part of the context, by its path. A missing part is undefined. */
export type ContextChange = { readonly path: string; readonly from: unknown; readonly to: unknown };

/** A step of a run. The first one is the start, without an event, and changes the context from nothing. */
export type TraceStep<E> = {
  readonly event: E | null;
  readonly at: string;
  readonly value: StateValue;
  readonly status: MachinePoint<unknown>['status'];
  readonly changes: readonly ContextChange[];
};

/** The steps of a run, up to the first one that throws. */
export function describeSteps<C, E extends { readonly type: string }>(
  stepper: Pick<MachineStepper<C, never>, 'initial' | 'step'>,
  events: readonly E[],
): readonly TraceStep<E>[] {
  const steps: TraceStep<E>[] = [];
  let context: unknown = {};
  const add = (event: E | null, { point }: Transition<C>): MachinePoint<C> => {
    const changes = listChanges(context, point.context, '');
    context = point.context;
    const { name, value } = point.place;
    steps.push({ event, at: name, value, status: point.status, changes });
    return point;
  };
  try {
    let point = add(null, stepper.initial());
    for (const event of events) point = add(event, stepper.step(point, event));
  } catch {
    // A broken machine has no further steps.
  }
  return steps;
}

export function listChanges(from: unknown, to: unknown, path: string): readonly ContextChange[] {
  if (findDifference(from, to, null, path) === null) return [];
  const [length, next] = [from, to].map((value) => (Array.isArray(value) ? value.length : null));
  if (!isRecord(from) || !isRecord(to) || length !== next) return [{ path, from, to }];
  return Object.keys({ ...from, ...to }).flatMap((name) => {
    const inner = joinPath(path, name, Array.isArray(to));
    return listChanges(Reflect.get(from, name), Reflect.get(to, name), inner);
  });
}

function isRecord(value: unknown): value is object {
  return isObject(value) && isPlain(value);
}
