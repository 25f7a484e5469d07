/** Tries events at a point and reports their transitions and the guards that blocked them. */
import type { EventObject } from 'xstate';
import { readChart } from './chart.ts';
import type { GuardCounts, MachinePoint, MachineStepper } from './stepper.ts';
import { writeValue } from './writeValue.ts';

export type EnabledEvent<E, C = unknown> = {
  readonly event: E;
  /** Whether the world or a running timer may send it now. */
  readonly isEnabled: boolean;
  /** Numbers of the transitions that it takes, in order. Empty if it is refused. */
  readonly taken: readonly number[];
  /**
   * Numbers of the transitions whose guards failed, or null if guards cannot be observed. A refused event lists only
   * its own transitions, because eventless transitions are evaluated after every event.
   */
  readonly refused: readonly number[] | null;
  /** The resulting state, and its name. */
  readonly point: MachinePoint<C>;
  readonly to: string;
};

/** Steps the machine with the events that may happen at a point and with some others. */
export function tryEvents<C, E extends EventObject>(
  stepper: MachineStepper<C, E>,
  point: MachinePoint<C>,
  here: readonly E[],
  others: readonly E[],
): readonly EnabledEvent<E, C>[] {
  return [
    ...here.map((event) => tryEvent(stepper, point, event, true)),
    ...others.map((event) => tryEvent(stepper, point, event, false)),
  ];
}

/** Equal events have equal texts. */
export function encodeEvent(event: EventObject): string {
  return writeValue(event);
}

function tryEvent<C, E extends EventObject>(
  stepper: MachineStepper<C, E>,
  point: MachinePoint<C>,
  event: E,
  isEnabled: boolean,
): EnabledEvent<E, C> {
  const before = stepper.guards === null ? null : [...stepper.guards.failed];
  const { taken, point: after } = stepper.step(point, event);
  const failed = before === null ? null : listFailedSince(before, stepper.guards);
  const refused =
    taken.length > 0 ? failed : (failed?.filter((edge) => !isEventless(point, edge)) ?? null);
  return { event, isEnabled, taken, refused, point: after, to: after.place.name };
}

function isEventless<C>({ place }: MachinePoint<C>, edge: number): boolean {
  const machine = place.nodes[0]?.machine;
  return machine !== undefined && readChart(machine).edges[edge]?.event === '';
}

function listFailedSince(before: readonly number[], guards: GuardCounts | null): readonly number[] {
  return (guards?.failed ?? []).flatMap((count, edge) =>
    count > (before[edge] ?? 0) ? [edge] : [],
  );
}
