/** Whole meetings through the actor system, as `glassbox meet` holds them. */

import { Recorder } from '../../actors/engine/journal/recorder.ts';
import type { Sink } from '../../actors/engine/journal/sink.ts';
import { createMatch, type MeetingResult, startMatch } from '../../actors/engine/match.ts';
import type { Mind } from '../../actors/minds/port.ts';
import type { Clock } from '../../actors/ports/ports.ts';
import type { MeetingMatch } from '../../machines/setup/match.ts';
import type { BySeat } from '../../machines/types.ts';
import { tableOfTen } from './table-of-ten.ts';

export type Run = {
  readonly seed: number;
  /** Null for the minds that the match names. */
  readonly minds: BySeat<Mind> | null;
  readonly clock: Clock;
  /** Null writes no journal: facts are not even put into lines. */
  readonly sink: Sink | null;
  readonly match?: MeetingMatch;
};

/** Holds one meeting. */
export function meet({ seed, minds, clock, sink, match }: Run): Promise<MeetingResult> {
  const creation = createMatch(match ?? tableOfTen, seed);
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('; '));
  const cast = creation.ready;
  const recorder = sink === null ? null : new Recorder({ sink });
  recorder?.write('living', [cast.headers.living]);
  recorder?.write('ghosts', [cast.headers.ghosts]);
  return startMatch({ ...cast, minds: minds ?? cast.minds, clock, recorder }).result;
}
