/** Runs of a machine that together take every transition that can be taken, as test cases. */
import type { AnyStateMachine, EventFromLogic, EventObject } from 'xstate';
import { readChart } from './chart.ts';
import { chooseStepper } from './check.ts';
import { listEvents } from './explore.ts';
import { type MachineQuestion, prepareMachine } from './machine.ts';
import { WatchedStepper } from './purity.ts';
import { describeSteps, type TraceStep } from './steps.ts';
import { VisitedStates } from './visited.ts';

export type CoveringPath<E> = {
  /** The start, and each event with the state after it. */
  readonly steps: readonly TraceStep<E>[];
  /** The transitions that no earlier path takes, as coverage names them. */
  readonly covers: readonly string[];
};

const MOST_STATES = 100_000;

export function coveringPaths<M extends AnyStateMachine>(
  machine: M,
  question: MachineQuestion<M>,
): readonly CoveringPath<EventFromLogic<M> | EventObject>[] {
  const { model, refuseRead } = prepareMachine(machine, question as never);
  const stepper = new WatchedStepper(chooseStepper(model).stepper, model, 'some-steps');
  const visited = new VisitedStates(model, false, true);
  const first = stepper.initial();
  const queue = [{ point: first.point, events: [] as readonly EventObject[] }];
  visited.number(first.point);
  const covered = new Set(first.taken);
  const begun = { events: [] as readonly EventObject[], edges: first.taken };
  const found = covered.size > 0 ? [begun] : [];
  for (const { point, events } of queue) {
    for (const event of listEvents(model, point)) {
      const { point: next, taken } = stepper.step(point, event);
      const path = [...events, event];
      const edges = taken.filter((edge) => !covered.has(edge));
      for (const edge of edges) covered.add(edge);
      if (edges.length > 0) found.push({ events: path, edges });
      if (visited.number(next) === queue.length && queue.length < MOST_STATES)
        queue.push({ point: next, events: path });
    }
  }
  refuseRead?.();
  const { edges } = readChart(machine);
  const isPrefix = (one: readonly EventObject[], other: readonly EventObject[]) =>
    one.length < other.length && one.every((event, index) => event === other[index]);
  return found
    .filter(({ events }) => !found.some((other) => isPrefix(events, other.events)))
    .map(({ events }) => ({
      steps: describeSteps(stepper, events),
      covers: found
        .filter((one) => one.events === events || isPrefix(one.events, events))
        .flatMap((one) => one.edges.map((edge) => edges[edge]?.label ?? '')),
    }));
}
