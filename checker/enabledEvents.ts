/** Offers: what happens at a point when each of some events comes, and which guards stood in the way. */
import type { EventObject } from 'xstate';
import { readChart } from './chart.ts';
import type { GuardCounts, MachinePoint, MachineStepper } from './stepper.ts';

export type EnabledEvent<E> = {
  readonly event: E;
  /** Whether the world, or a timer that runs, may bring it now. */
  readonly isEnabled: boolean;
  /** Numbers of the transitions that it takes, in order; none where it is refused. */
  readonly taken: readonly number[];
  /**
   * Numbers of the transitions whose guards said no; null where they can't be watched. Of an event that is refused only
   * those that it asked for: transitions without an event are asked about after every one.
   */
  readonly refused: readonly number[] | null;
  /** Where it leads. */
  readonly to: string;
};

/** Tries on the machine itself what may happen at a point, and other events. */
export function tryEvents<C, E extends EventObject>(
  stepper: MachineStepper<C, E>,
  point: MachinePoint<C>,
  here: readonly E[],
  others: readonly E[],
): readonly EnabledEvent<E>[] {
  return [
    ...here.map((event) => tryEvent(stepper, point, event, true)),
    ...others.map((event) => tryEvent(stepper, point, event, false)),
  ];
}

/** The same event has the same text. */
export function encodeEvent(event: EventObject): string {
  return JSON.stringify(event);
}

function tryEvent<C, E extends EventObject>(
  stepper: MachineStepper<C, E>,
  point: MachinePoint<C>,
  event: E,
  isEnabled: boolean,
): EnabledEvent<E> {
  const before = stepper.guards === null ? null : [...stepper.guards.failed];
  const { taken, point: after } = stepper.step(point, event);
  const failed = before === null ? null : listFailedSince(before, stepper.guards);
  const refused =
    taken.length > 0 ? failed : (failed?.filter((edge) => !isEventless(point, edge)) ?? null);
  return { event, isEnabled, taken, refused, to: after.place.name };
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
