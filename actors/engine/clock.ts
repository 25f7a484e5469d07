/** Simulated time. Timers run in the order of their due time; those that are due together in the order they were set. */
import type { Actor, AnyStateMachine } from 'xstate';
import type { Clock, TimePort } from '../ports/ports.ts';
import { nextTurn } from '../ports/time.ts';

type Timer = { readonly due: number; readonly fn: () => void };

/** Ticks between two turns of the event loop. If time decided, the machine's speed would order the lines. */
const TURN_EVERY = 16;

export class SimulatedClock implements TimePort {
  /** Simulated milliseconds since the clock was made. */
  elapsed = 0;
  #timers: readonly Timer[] = [];
  #turns = 0;
  readonly #turnEvery: number;
  /** Time stands still while events from outside come in. */
  isHeld = false;

  constructor(turnEvery: number = TURN_EVERY) {
    this.#turnEvery = turnEvery;
  }

  setTimeout(fn: (...args: unknown[]) => void, ms: number): Timer {
    const timer = { due: this.elapsed + Math.max(0, ms), fn: () => fn() };
    const at = this.#timers.findLastIndex(({ due }) => due <= timer.due) + 1;
    this.#timers = this.#timers.toSpliced(at, 0, timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#timers = this.#timers.filter((one) => one !== timer);
  }

  turn(): Promise<void> | null {
    this.#turns += 1;
    this.isHeld = this.#turns % this.#turnEvery === 0;
    return this.isHeld ? this.settle().finally(() => (this.isHeld = false)) : null;
  }

  next(): boolean {
    const [timer, ...others] = this.#timers;
    if (timer === undefined) return false;
    this.#timers = others;
    this.elapsed = timer.due;
    timer.fn();
    return true;
  }

  /** Resolves when everything due has run. Until then time stands still. */
  settle(): Promise<void> {
    return nextTurn();
  }

  now(): number {
    return this.elapsed;
  }

  date(): number {
    return this.elapsed;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.setTimeout(() => resolve(), ms);
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  idle(ms: number, signal?: AbortSignal): Promise<void> {
    return this.sleep(ms, signal);
  }
}

/**
 * Starts an actor once its caller has returned, so that it can be stopped from its first line on. `isQuick` says that
 * every mind answers at once. `over` resolves when the actor is done or was stopped.
 */
export function runToEnd(
  root: Actor<AnyStateMachine>,
  clock: Clock,
  { isQuick = false, onStart }: { isQuick?: boolean; onStart?: (() => void) | undefined } = {},
) {
  let isStopped = false;
  const start = async (): Promise<void> => {
    await null;
    // Started now, it would play on, and never say that it is over.
    if (isStopped) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    root.subscribe({ error: reject, complete: resolve });
    root.start();
    onStart?.();
    if (clock instanceof SimulatedClock) letTimePass(root, clock, isQuick).catch(reject);
    await promise;
  };
  const stop = () => {
    isStopped = true;
    root.stop();
  };
  return { over: start(), stop };
}

/** Waits for work outside the actors. A simulated clock keeps running meanwhile. */
export async function waitOut(work: Promise<void>, clock: Clock): Promise<void> {
  if (!(clock instanceof SimulatedClock)) return await work;
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  await null;
  while (!isOver) {
    await nextTurn();
    if (!isOver && !clock.isHeld) clock.next();
  }
  await over;
}

/** Promises that are ready settle between two timers, so a mind that has answered is heard before the next deadline. */
async function letTimePass(
  root: Actor<AnyStateMachine>,
  clock: SimulatedClock,
  isQuick: boolean,
): Promise<void> {
  const isOn = () => root.getSnapshot().status === 'active';
  while (isOn()) {
    if (!isQuick || clock.isHeld) await clock.settle();
    if (!isOn() || clock.isHeld) continue;
    if (!clock.next() && isQuick) throw new Error('no timer is set, and the run is not over');
  }
}
