import type { TimePort } from '../../../actors/ports/ports.ts';
import type { nextTurn as nextTurnInNode } from '../../../actors/ports/time.ts';

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

export const realTime: TimePort = {
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  clearTimeout: (id) => {
    if (typeof id === 'number') clearTimeout(id);
  },
  now: () => performance.now(),
  date: () => Date.now(),
  sleep: wait,
  idle: (ms) => wait(ms),
};

const { port1: sender, port2: receiver } = new MessageChannel();
const waiting: (() => void)[] = [];
receiver.onmessage = () => waiting.shift()?.();

/** A message to oneself comes after all promises that are ready; timers would wait four milliseconds each. */
export const nextTurn: typeof nextTurnInNode = () =>
  new Promise((resolve) => {
    waiting.push(resolve);
    sender.postMessage(null);
  });
