/** Memory: what a meeting holds while it waits for its minds, and whether many meetings leave anything behind. */
import { SimulatedClock } from '../../actors/engine/clock.ts';
import type { Answer, SlowMind } from '../../actors/minds/port.ts';
import { meet } from './meetings.ts';
import { lightMindOf, mindsOf } from './table-of-ten.ts';

const IDLE = 1000;
const MANY = 2000;
const KIB = 1024;

export type Memory = {
  /** KiB of heap that one meeting of ten holds while it waits. */
  readonly idleKib: number;
  /** KiB by which the heap has grown after so many whole meetings. */
  readonly leftKib: number;
  readonly meetings: number;
};

/** Needs a run with --expose-gc; null without. */
export async function memory(): Promise<Memory | null> {
  const { gc } = globalThis;
  if (gc === undefined) return null;
  const heap = () => {
    gc();
    return process.memoryUsage().heapUsed / KIB;
  };
  await wholeMeetings(MANY / 10); // fills the caches of the libraries
  const before = heap();
  await wholeMeetings(MANY);
  const leftKib = heap() - before;
  return { idleKib: await idle(heap), leftKib, meetings: MANY };
}

async function wholeMeetings(count: number): Promise<void> {
  for (let seed = 0; seed < count; seed++) {
    await meet({ seed, minds: mindsOf(lightMindOf), clock: new SimulatedClock(), sink: null });
  }
}

/** Meetings whose minds never answer, all waiting at once; then time is called on all of them. */
async function idle(heap: () => number): Promise<number> {
  const before = heap();
  const thinking: (() => void)[] = [];
  const mind: SlowMind = {
    pace: 'in-time',
    answer: () =>
      new Promise<Answer>((resolve) => {
        thinking.push(() => resolve({ ok: false, code: 'mind/silent', text: 'the bench is over' }));
      }),
  };
  const timers: (() => void)[] = [];
  const stopped = { setTimeout: (fn: () => void) => timers.push(fn), clearTimeout: () => {} };
  const meetings = Array.from({ length: IDLE }, (_, seed) =>
    meet({ seed, minds: mindsOf(() => mind), clock: stopped, sink: null }),
  );
  // A match begins once its caller has returned.
  await null;
  for (const begin of timers.splice(0)) begin();
  const held = (heap() - before) / IDLE;
  if (thinking.length !== IDLE * 10) {
    throw new Error(`expected ${IDLE * 10} minds at work, found ${thinking.length}`);
  }
  void Promise.allSettled(meetings);
  return held;
}
