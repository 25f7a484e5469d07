/**
 * Ending a meeting early: Ctrl-C, a signal, a reader who has gone, a full disk.
 *
 * Once ends the meeting after its tick, so that its journal is whole; twice ends the program at once. The handlers stay
 * until the program ends: a second Ctrl-C may come when the meeting is just over.
 */
import type { Held } from '../actors/hold.ts';
import type { FileSink } from '../actors/journal/sink.ts';
import { EXIT } from './failure.ts';
import { aside, whenClosed } from './output.ts';

/** Ctrl-C, and what others send to end a program that may tidy up. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Listens for the end before there is a meeting; the function that is returned takes it as soon as it is held. */
export function listenForTheEnd(sink: FileSink, isReal: boolean): (meeting: Held) => void {
  let meeting: Held | null = null;
  let isAsked = false;
  const stop = () => meeting?.stop();
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (isAsked) {
        sink.close();
        process.exit(EXIT.interrupted);
      }
      isAsked = true;
      aside('\nThe meeting ends after this tick. Press Ctrl-C again to stop at once.');
      stop();
    });
  }
  // In real time there is no point in going on unseen; otherwise the meeting is over in a moment.
  whenClosed(isReal ? stop : () => {});
  sink.onFailure = stop;
  return (held) => {
    meeting = held;
    if (isAsked || sink.failure !== null) stop();
  };
}
