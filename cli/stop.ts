/**
 * Ending early: Ctrl-C, a signal, a reader who has gone, a full disk. The first Ctrl-C breaks the match off, so that it
 * can be continued. The second ends the program at once, and may come late, so the handlers stay.
 */
import type { FileSink } from '../actors/engine/journal/sink.ts';
import { EXIT } from '../actors/files/failure.ts';
import { STOP_SIGNALS } from '../actors/ports/ports.ts';
import { realProcess } from '../actors/ports/process.ts';
import { onOutputClosed, printNote } from './output.ts';

type Stoppable = { stop(): void };

type StopOptions = {
  /** The journal that is being written; null where each game looks after its own. */
  readonly sink: FileSink | null;
  /** Whether it runs in real time: then it stops when its reader has gone. */
  readonly isReal: boolean;
  /** What happens now, such as "The league stops after the games that are being played". */
  readonly words: string;
  /** Says it; left out, on standard error. */
  readonly note?: (text: string) => void;
};

/** A signal for work without a journal of its own, which is aborted when the operator wants the end. */
export function abortOnStop(words: string, isReal = false): AbortSignal {
  const stopped = new AbortController();
  listenForStop({ sink: null, isReal, words })({ stop: () => stopped.abort() });
  return stopped.signal;
}

/** Listens for the end before there is anything to end; the function that is returned takes it as soon as it is on. */
export function listenForStop(options: StopOptions): (held: Stoppable) => void {
  const { sink, isReal, words, note = printNote } = options;
  let held: Stoppable | null = null;
  let isAsked = false;
  const stop = () => held?.stop();
  for (const signal of STOP_SIGNALS) {
    // Of several games one after another, the one that is on hears it.
    realProcess.forgetSignal(signal);
    realProcess.onSignal(signal, () => {
      if (isAsked) {
        sink?.close();
        realProcess.exit(EXIT.interrupted);
      }
      isAsked = true;
      note(`\n${words}. Press Ctrl-C again to stop at once.`);
      stop();
    });
  }
  // In real time there is no point in going on unseen; otherwise it is over in a moment.
  onOutputClosed(isReal ? stop : () => {});
  if (sink !== null) sink.onFailure = stop;
  return (begun) => {
    held = begun;
    if (isAsked || (sink !== null && sink.failure !== null)) stop();
  };
}
