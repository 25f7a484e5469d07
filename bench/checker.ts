/**
 * The checker against others: the same machine, the same events, in one run.
 *
 * `xstate/graph` is only asked about three players, and as fast as it goes: it filters events that are not accepted.
 * Run alone with `node bench/checker.ts`; it prints moves per second, ratios and bytes per state.
 */
import type { AnyStateMachine, EventObject } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import { check } from '../checker/check.ts';
import { compiledStepper } from '../checker/compiled.ts';
import { xstateStepper } from '../checker/engine.ts';
import { explore } from '../checker/explore.ts';
import { checkedPlainly } from './plain-check.ts';
import { type Timing, timed } from './rounds.ts';
import { smallTable } from './small-table.ts';

type Small = ReturnType<typeof smallTable>;

const ROUNDS = 3;
/** `xstate/graph` gives up when it has looked at this many moves. */
const MOST_LOOKS = 400_000;

/** Timers are events as well; these are all that the meeting has. */
const TIMERS: Readonly<Record<string, string>> = {
  'interrupt.gathering': 'xstate.after.beat.meeting.interrupt.gathering',
  'voting.counting': 'poll.counted',
  'reveal.turning': 'xstate.after.beat.meeting.reveal.turning',
  'reveal.telling': 'xstate.after.beat.meeting.reveal.telling',
};

function pathOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const [entry] = Object.entries(Object(value));
  return entry === undefined ? '' : `${entry[0]}.${pathOf(entry[1])}`;
}

/** Moves of the graph that `xstate/graph` builds; events that a state ignores are no moves there. */
function adjacency({ machine, input, world }: Small): number {
  const graph = getAdjacencyMap(
    machine as AnyStateMachine,
    {
      input,
      limit: MOST_LOOKS,
      events: (snapshot: { value: unknown; context: Small['input'] & never; status: string }) => {
        const at = pathOf(snapshot.value);
        const timer = TIMERS[at];
        const offered: readonly EventObject[] =
          snapshot.status === 'active'
            ? world({ at, context: snapshot.context, tags: new Set(), isDone: false })
            : [];
        return timer === undefined ? [...offered] : [{ type: timer }, ...offered];
      },
    } as never,
  ); // its options are typed for machines whose events are known
  return Object.keys(graph).length;
}

function explored(model: Small, engine: 'compiled' | 'xstate'): number {
  const stepper = engine === 'compiled' ? compiledStepper : xstateStepper;
  return explore(model, stepper(model.machine, model.input)).transitions;
}

export async function checkerBench() {
  const [three, four] = [smallTable(3), smallTable(4)];
  const found = check(four);
  const plain = checkedPlainly(four);
  if (plain.states !== found.states || plain.transitions !== found.transitions) {
    throw new Error(`the plain loop found ${plain.states} states and ${plain.transitions} moves`);
  }
  const { states, transitions } = check(three);
  const reached = adjacency(three);
  const small = await timed(
    [
      { name: 'the same rules in a plain loop', run: () => checkedPlainly(three).transitions },
      { name: 'compiled stepper', run: () => explored(three, 'compiled') },
      { name: "XState's engine as stepper", run: () => explored(three, 'xstate') },
      {
        name: `xstate/graph (${reached} states)`,
        run: () => {
          adjacency(three);
          return transitions;
        },
      },
    ],
    ROUNDS,
  );
  const large = await timed(
    [
      { name: 'the same rules in a plain loop', run: () => checkedPlainly(four).transitions },
      { name: 'compiled stepper', run: () => explored(four, 'compiled') },
    ],
    ROUNDS,
  );
  return {
    three: { states, transitions, timings: small },
    four: { states: found.states, transitions: found.transitions, timings: large },
    bytesPerState: found.bytes / found.states,
  };
}

export function shownChecker({
  three,
  four,
  bytesPerState,
}: Awaited<ReturnType<typeof checkerBench>>): string {
  const table = (title: string, counts: typeof three) =>
    [
      `${title}: ${counts.states} states, ${counts.transitions} moves`,
      ...counts.timings.map(line),
    ].join('\n');
  return [
    table('Checking a meeting of three', three),
    table('Checking a meeting of four', four),
    `${bytesPerState.toFixed(0)} bytes are kept for a state`,
  ].join('\n\n');
}

function line({ name, microseconds, ratio }: Timing): string {
  const rate = Math.round(1e6 / microseconds).toLocaleString('en');
  return `${microseconds.toFixed(2).padStart(10)} µs/move${rate.padStart(12)} moves/s${ratio.toFixed(2).padStart(8)}  ${name}`;
}

if (import.meta.main) {
  console.log(shownChecker(await checkerBench()));
}
