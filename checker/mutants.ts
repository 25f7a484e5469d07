/**
 * Copies of a machine with one defect: a negated guard, an omitted action, a transition that is never taken or does not
 * change the state. If no property detects it, a property is missing or a part of the chart has no effect.
 */
import type { AnyStateMachine } from 'xstate';
import { splitAction } from './actions.ts';
import { type MachineEdge, readChart } from './chart.ts';

export type MachineMutant = {
  readonly name: string;
  readonly machine: AnyStateMachine;
};

export function createMutants(machine: AnyStateMachine): readonly MachineMutant[] {
  const { guards, actions } = machine.implementations;
  const mutate = (name: string, broken: Parameters<AnyStateMachine['provide']>[0]) => ({
    name,
    machine: machine.provide(broken),
  });
  return [
    ...Object.entries(guards).flatMap(([name, guard]) => {
      if (!isPlain(guard)) return [];
      const turned = (...args: readonly unknown[]) => !guard(...args);
      return mutate(`the guard ${name} is turned round`, { guards: { [name]: turned } });
    }),
    ...listUsedActions(machine)
      // Other actions are external effects, which have no code to omit.
      .filter((name) => typeof actions[name] === 'function' && 'resolve' in actions[name])
      .map((name) => mutate(`the action ${name} is left out`, { actions: { [name]: () => {} } })),
    ...readChart(machine).edges.flatMap((edge) => createEdgeMutants(machine, edge)),
  ];
}

function createEdgeMutants(
  machine: AnyStateMachine,
  { number, label, targets }: MachineEdge,
): readonly MachineMutant[] {
  const barred = changeEdge(machine, number, { guard: () => false });
  const stuck = changeEdge(machine, number, { target: undefined, reenter: false });
  return [
    { name: `never taken: ${label}`, machine: barred },
    ...(targets.length === 0 ? [] : [{ name: `leads nowhere: ${label}`, machine: stuck }]),
  ];
}

/** A copy of the machine with one transition changed before anything has read it. */
function changeEdge(machine: AnyStateMachine, number: number, change: object): AnyStateMachine {
  const copy = machine.provide({});
  const edge = readChart(copy).edges[number];
  if (edge === undefined) throw new Error(`the chart has no transition number ${number}`);
  Object.assign(edge.definition, change);
  return copy;
}

function listUsedActions(machine: AnyStateMachine): readonly string[] {
  const { nodes, edges } = readChart(machine);
  const written = [
    ...nodes.flatMap(({ entry, exit }) => [...entry, ...exit]),
    ...edges.flatMap(({ definition }) => definition.actions),
  ];
  const names = written.map((action) => splitAction(action).type);
  return [...new Set(names)].filter((name) => typeof name === 'string');
}

function isPlain(guard: unknown): guard is (...args: readonly unknown[]) => unknown {
  return typeof guard === 'function' && !('check' in guard);
}
