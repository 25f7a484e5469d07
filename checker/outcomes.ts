/** Adds the ends of running children to the events of a machine. A warning names every assumption or omission. */
import type { AnyStateMachine, AnyStateNode, EventObject } from 'xstate';
import { isInside, isPromise, readChart } from './chart.ts';
import { canMatch } from './configurations.ts';
import type { State } from './model.ts';
import { cutValue, readField, remember } from './values.ts';

const ENDS = ['done', 'error'] as const;
/** The field of each kind of event. A child may send a snapshot any number of times. */
const FIELDS = { done: 'output', error: 'error', snapshot: 'snapshot' } as const;
type OutcomeKind = keyof typeof FIELDS;
const KINDS = [...ENDS, 'snapshot'] as const;

/**
 * The possible outputs, errors and snapshots of a child. An empty list means that it never ends this way. Without a
 * list it is done without an output, and fails with an Error. `world`: the world lists its events.
 */
export type ChildOutcomes = 'world' | Readonly<Partial<Record<OutcomeKind, readonly unknown[]>>>;

export type Outcomes = Readonly<Record<string, ChildOutcomes>>;

export function createOutcomeEvents<C>(
  machine: AnyStateMachine,
  outcomes: Outcomes,
  world: (state: State<C>) => readonly EventObject[],
) {
  const known = new Map<string, readonly EventObject[]>();
  /** Children that ran, and the kinds of ends that the world listed. */
  const listed = new Map<string, Set<OutcomeKind>>();
  const endsOf = (id: string) =>
    remember(known, id, () => KINDS.flatMap((kind) => createEnds(machine, kind, id, outcomes[id])));
  return {
    /** The possible next events: the events of the world, and the ends of children that it does not list. */
    at(state: State<C>): readonly EventObject[] {
      const events = readEvents('world', world(state));
      if (state.children.length === 0) return events;
      const ends = state.children.flatMap((id) => {
        const own = ENDS.filter((kind) => events.some(({ type }) => type === nameEnd(kind, id)));
        const before = remember(listed, id, () => new Set());
        for (const kind of own) before.add(kind);
        return own.length > 0 ? [] : endsOf(id);
      });
      return ends.length === 0 ? events : [...events, ...ends];
    },
    warnings: () => [...listed].flatMap(([id, own]) => warnOf(machine, id, own, outcomes[id])),
  };
}

function createEnds(
  machine: AnyStateMachine,
  kind: OutcomeKind,
  id: string,
  outcomes: ChildOutcomes | undefined,
): readonly EventObject[] {
  if (outcomes === 'world') return [];
  const given = outcomes?.[kind];
  if (given === undefined && !isAssumed(machine, kind, id)) return [];
  const values = given ?? [kind === 'error' ? new Error(`${id} failed`) : undefined];
  const sender = kind === 'snapshot' ? {} : { actorId: id };
  return values.map((value) => ({ type: nameEnd(kind, id), ...sender, [FIELDS[kind]]: value }));
}

/** A promise may end without a transition for it. A function that reads a snapshot needs a real one. */
function isAssumed(machine: AnyStateMachine, kind: OutcomeKind, id: string): boolean {
  const isHandled = listEdges(machine, kind, id).length > 0;
  if (kind === 'snapshot') return isHandled && !canBeRead(machine, kind, id);
  return isHandled || isPromise(machine, id);
}

function warnOf(
  machine: AnyStateMachine,
  id: string,
  listed: ReadonlySet<OutcomeKind>,
  outcomes: ChildOutcomes | undefined,
): readonly string[] {
  const [only = 'done'] = listed;
  const isOpen = (kind: OutcomeKind) => outcomes !== 'world' && outcomes?.[kind] === undefined;
  const isAsked = (kind: OutcomeKind) => listed.size === 0 && isOpen(kind);
  const key = /^[A-Za-z_$][\w$]*$/.test(id) ? id : `'${id}'`;
  const advise = (what: string) => `outcomes: { ${key}: { ${what} } }`;
  const effect = isPromise(machine, id)
    ? 'so the machine fails with it'
    : 'XState ends the machine with it, and the search did not cover it';
  const warnings: readonly (readonly [isDue: boolean, text: string])[] = [
    [
      listed.size === 1,
      `the world lists ${nameEnd(only, id)} and never ${nameEnd(only === 'done' ? 'error' : 'done', id)}, so the search did not cover it: list it too, or list neither`,
    ],
    [
      isAsked('done') && canBeRead(machine, 'done', id),
      `the search assumed that ${id} is done without an output: if the output matters, list its values, as in ${advise('done: [output, ...]')}`,
    ],
    [
      isAsked('error') && listEdges(machine, 'error', id).length === 0,
      `the chart has no transition for an error of ${id}: ${effect}. Add onError, or set ${advise('error: []')} if it never fails`,
    ],
    [
      isOpen('snapshot') && canBeRead(machine, 'snapshot', id),
      `the chart waits for snapshots of ${id}, and the search did not cover any: list them, as in ${advise("snapshot: [{ status: 'active', context: ... }]")}`,
    ],
  ];
  return warnings.filter(([isDue]) => isDue).map(([, text]) => text);
}

function canBeRead(machine: AnyStateMachine, kind: OutcomeKind, id: string): boolean {
  const { nodes } = readChart(machine);
  return listEdges(machine, kind, id).some(({ definition }) => {
    const { source, guard, actions, target = [] } = definition;
    if (guard !== undefined || actions.length > 0) return true;
    return nodes.some((node) => {
      const { entry, exit, invoke, always = [], output } = node;
      const isWithin = (end: AnyStateNode) => node === end || isInside(node, end);
      if (!target.some(isWithin)) return target.length > 0 && isWithin(source) && exit.length > 0;
      return [...entry, ...invoke, ...always].length > 0 || typeof output === 'function';
    });
  });
}

function listEdges(machine: AnyStateMachine, kind: OutcomeKind, id: string) {
  return readChart(machine).edges.filter(({ event }) => canMatch(event, nameEnd(kind, id)));
}

function nameEnd(kind: OutcomeKind, id: string): string {
  return kind === 'snapshot' ? `xstate.snapshot.${id}` : `xstate.${kind}.actor.${id}`;
}

/** Refuses texts, a promise and whatever else is no list of events. */
export function readEvents<E extends EventObject>(name: string, given: readonly E[]): readonly E[] {
  const isList = Array.isArray(given);
  const odd = isList ? given.findIndex((one) => typeof readField(one, 'type') !== 'string') : 0;
  if (odd < 0) return given;
  const found = given instanceof Promise ? 'a promise' : cutValue(isList ? given[odd] : given);
  throw new TypeError(
    `expected "${name}" to give a list of events such as { type: 'OPEN' }, found ${found}. Write each event as an object with a type, and let "world" return the list itself`,
  );
}
