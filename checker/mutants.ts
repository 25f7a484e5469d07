/**
 * Mutants: a machine with one thing broken, to find out whether the properties about it would notice.
 *
 * What can be broken is read off the chart: a guard is turned round, an action is left out, a transition is never
 * taken, or runs its actions without changing the state. A mutant that every property survives shows a property that is missing, or
 * a part of the chart that decides nothing.
 */
import type { AnyStateMachine } from 'xstate';
import { type MachineEdge, readChart } from './chart.ts';

export type MachineMutant = {
  /** What is broken, as the chart names it. */
  readonly name: string;
  readonly machine: AnyStateMachine;
};

type Implementation = (...args: readonly unknown[]) => unknown;

/** Every mutant of a machine that can be made of its chart. */
export function createMutants(machine: AnyStateMachine): readonly MachineMutant[] {
  const { guards, actions } = machine.implementations;
  return [
    ...Object.entries(guards).flatMap(([name, guard]) =>
      isPlain(guard)
        ? [
            createMutant(`the guard ${name} is turned round`, machine, {
              guards: { [name]: (...args: readonly unknown[]) => !guard(...args) },
            }),
          ]
        : [],
    ),
    ...listUsedActions(machine)
      .filter((name) => isBuiltIn(actions[name]))
      .map((name) =>
        createMutant(`the action ${name} is left out`, machine, { actions: { [name]: () => {} } }),
      ),
    ...readChart(machine).edges.flatMap((edge) => createEdgeMutants(machine, edge)),
  ];
}

function createMutant(
  name: string,
  machine: AnyStateMachine,
  broken: Parameters<AnyStateMachine['provide']>[0],
): MachineMutant {
  return { name, machine: machine.provide(broken) };
}

/** A transition that is never taken, and one that runs its actions and leads nowhere. */
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

/** A machine of its own whose transition of this number is changed before anything has looked at it. */
function changeEdge(machine: AnyStateMachine, number: number, change: object): AnyStateMachine {
  const copy = machine.provide({});
  const edge = readChart(copy).edges[number];
  if (edge === undefined) throw new Error(`the chart has no transition number ${number}`);
  Object.assign(edge.definition, change);
  return copy;
}

/** The named actions that stand in the chart; effects of the outside world are left to their own tests. */
function listUsedActions(machine: AnyStateMachine): readonly string[] {
  const { nodes, edges } = readChart(machine);
  const written = [
    ...nodes.flatMap(({ entry, exit }) => [...entry, ...exit]),
    ...edges.flatMap(({ definition }) => definition.actions),
  ];
  return [...new Set(written.map(readActionName))].filter((name) => name !== '');
}

function readActionName(action: unknown): string {
  if (typeof action === 'string') return action;
  const type: unknown =
    typeof action === 'object' && action !== null ? Reflect.get(action, 'type') : '';
  return typeof type === 'string' ? type : '';
}

/** Effects of the outside world have no code here that could be left out. */
function isBuiltIn(action: unknown): boolean {
  return typeof action === 'function' && 'resolve' in action;
}

function isPlain(guard: unknown): guard is Implementation {
  return typeof guard === 'function' && !('check' in guard);
}
