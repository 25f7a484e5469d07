/** Paths: traces in the form that `@xstate/graph` and `xstate/graph` make of them, for what is built upon those. */
import {
  type AnyStateMachine,
  type EventObject,
  initialTransition,
  type SnapshotFrom,
  transition,
} from 'xstate';
import type { Trace } from './model.ts';

/** As `StatePath` of `xstate/graph`: the first step is the beginning, with the event `xstate.init`. */
export type GraphPath<M extends AnyStateMachine> = {
  readonly state: SnapshotFrom<M>;
  readonly steps: { readonly state: SnapshotFrom<M>; readonly event: EventObject }[];
  readonly weight: number;
};

/**
 * The path of a trace, with the machine's own snapshots; of a lasso once round its loop. Timers and ends of children are
 * events of the path like all others.
 */
export function toGraphPath<M extends AnyStateMachine>(
  machine: M,
  { events }: Pick<Trace<EventObject>, 'events'>,
  input?: unknown,
): GraphPath<M> {
  // Both take the types of one machine; `M` stands for any.
  let [state] = initialTransition(machine as AnyStateMachine, input);
  const steps = [{ state, event: { type: 'xstate.init' } as EventObject }];
  for (const event of events) {
    [state] = transition(machine as AnyStateMachine, state, event);
    steps.push({ state, event });
  }
  return { state, steps, weight: events.length } as GraphPath<M>;
}
