import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { type AnyStateMachine, StateMachine } from 'xstate';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { type ChartEngine, machinesFor } from '../../../actors/engine/effects.ts';
import { beginJournal } from '../../../actors/engine/journal/recorder.ts';
import type { Sink } from '../../../actors/engine/journal/sink.ts';
import { startMatch } from '../../../actors/engine/match.ts';
import { realTime } from '../../../actors/ports/time.ts';
import { mapSeats } from '../../../machines/rules/seats.ts';
import { plainGame } from '../../../machines/setup/prepare.ts';
import { overhear, readyMatch } from '../../support/matches.ts';
import { aTable } from '../laws/meetings.ts';

const PLAYERS = 8;
const SEED = 1;

async function workOf(engine: ChartEngine, isForced = true) {
  const ready = readyMatch(plainGame(PLAYERS), SEED);
  const work = { asked: 0, lines: 0, writes: 0, bytes: 0, syncs: 0 };
  const sink: Sink = {
    write: (text) => {
      work.writes += 1;
      work.lines += text.split('\n').length - 1;
      work.bytes += Buffer.byteLength(text);
    },
    sync: () => {
      work.syncs += 1;
    },
    close: () => {},
  };
  const minds = mapSeats(ready.minds, (mind) =>
    overhear(mind, () => {
      work.asked += 1;
    }),
  );
  const recorder = beginJournal(ready.headers, { sink });
  const clock = new SimulatedClock();
  const events = countEvents(machinesFor(engine).game);
  const forced = isForced ? { engine } : {};
  await startMatch({ ...ready, minds, clock, recorder, ...forced }).result;
  return { ...work, events: events() };
}

/** Counts the events that a machine and those that it starts are given, by their ids; stops when it is asked. */
function countEvents(machine: AnyStateMachine): () => Readonly<Record<string, number>> {
  const machines = new Map(listMachines(machine).map((one) => [one, 0]));
  const spies = [...machines.keys()].map((one) => {
    const { transition } = one;
    return vi.spyOn(one, 'transition').mockImplementation((...args) => {
      machines.set(one, (machines.get(one) ?? 0) + 1);
      return transition(...args);
    });
  });
  return () => {
    for (const spy of spies) spy.mockRestore();
    return Object.fromEntries([...machines].map(([{ id }, count]) => [id, count]));
  };
}

function listMachines(machine: AnyStateMachine): readonly AnyStateMachine[] {
  const children = Object.values(machine.implementations.actors).filter(
    (logic) => logic instanceof StateMachine,
  );
  return [...new Set([machine, ...children.flatMap(listMachines)])];
}

/** Each line is one fact, and each write the facts of one step; nothing is synced before the end. */
const WORK = {
  asked: 625,
  lines: 320,
  writes: 248,
  bytes: 285_523,
  syncs: 0,
  events: { game: 74, meetingSession: 6, meeting: 88, arbiter: 117, player: 1515, gallery: 215 },
};

test.each(['compiled', 'xstate'] as const)('the first game of seed 1, on %s', async (engine) => {
  expect(await workOf(engine)).toEqual(WORK);
});

test('where the time is simulated, the compiled charts are run and the others rest', async () => {
  expect(await workOf('compiled', false)).toEqual(WORK);
  const { events } = await workOf('xstate', false);
  expect(Object.values(events)).toEqual(Object.values(WORK.events).map(() => 0));
});

test('where it is not, XState runs its own', async () => {
  const match = aTable({ living: 4 }, { options: { max_ticks: 1 } });
  const counts = (['xstate', 'compiled'] as const).map((engine) =>
    countEvents(machinesFor(engine).meetingSession),
  );
  await startMatch({ ...readyMatch(match, SEED), clock: realTime, recorder: null }).result;
  const [own = {}, compiled = {}] = counts.map((count) => count());
  expect(own.meeting).toBeGreaterThan(0);
  expect(compiled.meeting).toBe(0);
});

test('no schema is asked during a game, and one for each line when its journal is read', async () => {
  // The engine counts in a thread of its own, where no test's coverage is in the way.
  const thread = new Worker(new URL('./callsWorker.ts', import.meta.url));
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  thread.once('message', resolve);
  thread.once('error', reject);
  const counted = await promise;
  await thread.terminate();
  expect(counted).toEqual({ lines: WORK.lines, parses: { playing: 0, reading: WORK.lines } });
});
