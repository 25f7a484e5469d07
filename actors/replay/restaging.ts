/** Restaging: puts a recorded meeting or game on again, to be compared with its record or to go on beyond it. */

import type { Body } from '../../machines/journal/codec.ts';
import type { LineOf } from '../../machines/journal/lines.ts';
import type { BySeat, Note } from '../../machines/types.ts';
import { castOf } from '../engine/casting.ts';
import type { Clock } from '../engine/clock.ts';
import { manned } from '../engine/crewing.ts';
import { hold, type Result } from '../engine/hold.ts';
import type { Journal } from '../engine/journal/reader.ts';
import type { Recorder } from '../engine/journal/recorder.ts';
import { play, type Score } from '../engine/play.ts';
import type { ModelMinds } from '../engine/seating.ts';
import type { Mind } from '../minds/port.ts';
import { type Outcome, Rerun, type RerunOptions } from './rerun.ts';

export type Restaged =
  | {
      readonly type: 'staged';
      readonly result: Promise<Result | Score>;
      /** Takes notes of requests that are made beyond the record. */
      readonly recorder: Recorder;
      /** How it compares with the record, once it is over. */
      readonly verdict: () => Outcome;
      /** Ends it from outside. */
      readonly stop: () => void;
      /** Ends it by its rules, as a limit does: the meeting as unconverged, the game as unfinished. */
      readonly end: () => void;
      /** Breaks it off where it is: nothing more is written, and it can be gone on with. */
      readonly pause: () => void;
    }
  /** The journal has no header that can be played. */
  | { readonly type: 'unplayable'; readonly text: string };

export type Stage = Omit<RerunOptions, 'successors'> & {
  /** Who goes on beyond the record, made of the minds that its header names; nobody without it. */
  readonly successors?: (minds: BySeat<Mind>) => BySeat<Mind>;
  readonly clock: Clock;
  /** Makes the minds of seats that language models think for; null where none is asked. */
  readonly models?: ModelMinds | null;
  /** Pause between two ticks, in milliseconds: where what came between ticks is put back. */
  readonly beatMs?: number;
};

function nobody(): BySeat<Mind> {
  return {};
}

/** Puts a journal on again, from its first line. */
export function restaged(journal: Journal, stage: Stage): Restaged {
  const header = journal.lines[0];
  if (header?.type === 'journal.opened') return meetingAgain(header, journal, stage);
  if (header?.type === 'game.opened') return gameAgain(header, journal, stage);
  return { type: 'unplayable', text: 'the header is missing' };
}

function meetingAgain(
  { scenario, seed, meeting }: LineOf<'journal.opened'>,
  journal: Journal,
  { clock, beatMs = 1, successors = nobody, models = null, ...options }: Stage,
): Restaged {
  const paced = { ...scenario, options: { ...scenario.options, beat_ms: beatMs } };
  const casting = castOf(paced, { seed, meeting }, models);
  if (!casting.ok) return unplayable(casting.refusals);
  const { minds, headers } = casting.cast;
  const run = new Rerun(journal, { ...options, successors: successors(minds) });
  const gallery = opened(run, journal, headers.living);
  const held = hold({
    ...casting.cast.laid,
    minds: run.minds,
    ghostBudget: budgetOf(gallery),
    clock,
    recorder: run.recorder,
    onFacts: (facts) => run.onFacts(facts),
  });
  run.steer({
    stop: ({ type, ...line }) => {
      const isUnconverged = 'outcome' in line && line.outcome === 'unconverged';
      if (type === 'stop.asked') held.stop(isUnconverged ? 'unconverged' : 'interrupted');
    },
    leave: (seat) => held.leave(seat),
  });
  const { result, pause } = held;
  const { recorder } = run;
  const verdict = () => run.verdict();
  const end = () => held.stop('unconverged');
  return { type: 'staged', result, recorder, verdict, stop: () => held.stop(), end, pause };
}

function gameAgain(
  { lobby, seed }: LineOf<'game.opened'>,
  journal: Journal,
  { clock, beatMs = 1, successors = nobody, models = null, ...options }: Stage,
): Restaged {
  const paced = { ...lobby, options: { ...lobby.options, beat_ms: beatMs } };
  const manning = manned(paced, seed, models);
  if (!manning.ok) return unplayable(manning.refusals);
  const { minds, headers } = manning.manned;
  const run = new Rerun(journal, { ...options, successors: successors(minds) });
  const gallery = opened(run, journal, headers.living);
  const played = play({
    ...manning.manned,
    minds: run.minds,
    ghostBudget: budgetOf(gallery),
    clock,
    recorder: run.recorder,
    onFacts: (facts) => run.onFacts(facts),
  });
  run.steer({
    // What a meeting is told of it follows by itself.
    stop: (line) => {
      if (line.type === 'end.asked') played.stop(line.reason);
    },
    leave: () => {},
  });
  const { result, pause } = played;
  const { recorder } = run;
  const verdict = () => run.verdict();
  const end = () => played.stop('unfinished');
  return { type: 'staged', result, recorder, verdict, stop: () => played.stop(), end, pause };
}

/** Writes the header of each channel; what the ghosts' says the living do not know, so it can't be derived. */
function opened(
  run: Rerun,
  { lines }: Journal,
  living: Body,
): LineOf<'gallery.opened'> | undefined {
  run.recorder.write('living', [living]);
  const gallery = lines.find((line) => line.type === 'gallery.opened');
  if (gallery !== undefined) run.recorder.write('ghosts', [headerOf(gallery)]);
  return gallery;
}

function budgetOf(gallery: LineOf<'gallery.opened'> | undefined): number | null {
  return gallery?.present === true ? gallery.budget : null;
}

function headerOf({
  seq: _seq,
  hash: _hash,
  clock: _clock,
  channel: _channel,
  ...fields
}: LineOf<'gallery.opened'>): Body {
  return fields;
}

function unplayable(refusals: readonly Note[]): Restaged {
  return { type: 'unplayable', text: refusals.map(({ text }) => text).join('; ') };
}
