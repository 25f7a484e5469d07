/** Letting time pass: starts an actor and waits until it is done, in real time or in a simulated one. */
import type { Actor, AnyStateMachine } from 'xstate';
import { type Clock, SimulatedClock } from './clock.ts';

/**
 * Starts an actor; kept when it is done. With minds that answer at once and a simulated clock it is over before this
 * returns to its caller.
 */
export function finished(root: Actor<AnyStateMachine>, clock: Clock): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  root.subscribe({ error: reject, complete: resolve });
  root.start();
  if (clock instanceof SimulatedClock) letTimePass(root, clock).catch(reject);
  return promise;
}

/**
 * Turns the simulated clock until the actor is done. Between two timers the promises that are ready are kept, so a
 * mind that has answered is heard before the next deadline.
 */
async function letTimePass(root: Actor<AnyStateMachine>, clock: SimulatedClock): Promise<void> {
  const isOn = () => root.getSnapshot().status === 'active';
  const players: readonly { readonly light: boolean }[] = root.getSnapshot().context.players;
  const isQuick = players.every(({ light }) => light);
  while (isOn()) {
    if (isQuick) {
      if (!clock.next()) throw new Error('everybody waits for nobody, and it is not over');
      continue;
    }
    await new Promise((resolve) => setImmediate(resolve));
    if (isOn()) clock.next();
  }
}
