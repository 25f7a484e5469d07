/**
 * `xstate/graph` on the same meeting, in two ways.
 *
 * As fast as it goes: a function lists the events of each state, as the world of the checker does. And as its
 * documentation has it: one list of all events that ever occur, which is tried in every state. That explores more than
 * the world allows, and more than there is time for, so it is only sampled.
 */
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate';
import { getAdjacencyMap, serializeSnapshot } from 'xstate/graph';
import type { SmallTable } from './small-table.ts';

/** `xstate/graph` gives up when it has looked at this many moves. */
const MOST_LOOKS = 400_000;
/** So many looks take some seconds with a list of all events. */
const SAMPLED_LOOKS = 2000;

/** Timers are events as well; these are all that the meeting has. */
const TIMERS: Readonly<Record<string, string>> = {
  'interrupt.gathering': 'xstate.after.beat.meeting.interrupt.gathering',
  'voting.counting': 'poll.counted',
  'reveal.turning': 'xstate.after.beat.meeting.reveal.turning',
  'reveal.announcing': 'xstate.after.beat.meeting.reveal.announcing',
};

type Snapshot = {
  readonly value: unknown;
  readonly status: string;
  readonly context: SmallTable['input'] & never;
};

/** How many states the graph has where each state lists its own events; `heard` is told of every event. */
export function adjacency(
  { machine, input, world }: SmallTable,
  heard: (event: EventObject) => void = () => undefined,
): number {
  const events = ({ value, status, context }: Snapshot): readonly EventObject[] => {
    if (status !== 'active') return [];
    const at = pathOf(value);
    const timer = TIMERS[at];
    const offered: readonly EventObject[] = world({
      at,
      context,
      tags: new Set(),
      ...{ status: 'active', isDone: false, nodes: [] },
      children: [],
    });
    const all = timer === undefined ? [...offered] : [{ type: timer }, ...offered];
    for (const event of all) heard(event);
    return all;
  };
  const options = { input, limit: MOST_LOOKS, events };
  // Its options are typed for machines whose events are known.
  return Object.keys(getAdjacencyMap(machine as AnyStateMachine, options as never)).length;
}

/** Every event that ever occurs at this table, once. */
export function everyEvent(table: SmallTable): readonly EventObject[] {
  const known = new Map<string, EventObject>();
  const seen = new WeakSet<EventObject>();
  adjacency(table, (event) => {
    if (seen.has(event)) return;
    seen.add(event);
    known.set(JSON.stringify(event), event);
  });
  return [...known.values()];
}

/** States and moves that `xstate/graph` comes to with one list for all states, until its limit ends it. */
export function sampled({ machine, input }: SmallTable, events: readonly EventObject[]) {
  const states = new Set<string>();
  const serializeState = (snapshot: AnyMachineSnapshot) => {
    const text = serializeSnapshot(snapshot);
    states.add(text);
    return text;
  };
  const options = { input, limit: SAMPLED_LOOKS, events, serializeState };
  try {
    getAdjacencyMap(machine as AnyStateMachine, options as never); // typed as above
  } catch (error) {
    if (!(error instanceof Error) || error.message !== 'Traversal limit exceeded') throw error;
    return { states: states.size, moves: states.size * events.length, isWhole: false };
  }
  return { states: states.size, moves: states.size * events.length, isWhole: true };
}

function pathOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const [entry] = Object.entries(Object(value));
  return entry === undefined ? '' : `${entry[0]}.${pathOf(entry[1])}`;
}
