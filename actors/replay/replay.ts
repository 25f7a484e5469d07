/**
 * Replay: runs a recorded meeting or game again with the recorded replies, and compares every line byte for byte.
 *
 * The journal says everything: the scenario or the lobby and the seed are in its first line, replies in the lines of
 * ticks and rounds, and what came from outside (somebody left, somebody stopped the run) stands where it happened.
 */
import { SimulatedClock } from '../engine/clock.ts';
import type { Journal } from '../engine/journal/reader.ts';
import type { RecordedLine } from '../engine/journal/recorder.ts';
import type { Outcome } from './rerun.ts';
import { type Restaged, restaged } from './restaging.ts';

export type { Difference } from './rerun.ts';

export type Replay = Outcome | Extract<Restaged, { type: 'unplayable' }>;

/** Plays an intact journal, or the intact beginning of one, again; `onLine` sees every line that is played. */
export async function replay(
  journal: Journal,
  onLine: (line: RecordedLine) => void = () => {},
): Promise<Replay> {
  const clock = new SimulatedClock();
  const staged = restaged(journal, { clock, sleep: (ms) => clock.sleep(ms), onLine });
  if (staged.type === 'unplayable') return staged;
  await staged.result;
  return staged.verdict();
}
