/**
 * Replay: runs a recorded meeting or game again with the recorded replies, and compares every line byte for byte.
 *
 * The journal says everything: the scenario or the lobby and the seed are in its first line, replies in the lines of
 * ticks and rounds, and what came from outside (somebody left, somebody stopped the run) stands where it happened.
 */
import type { LineOf } from '../machines/journal.ts';
import type { Note } from '../machines/types.ts';
import type { Body } from '../machines/wire.ts';
import { castOf } from './casting.ts';
import { SimulatedClock } from './clock.ts';
import { manned } from './crewing.ts';
import { hold } from './hold.ts';
import type { Journal } from './journal/reader.ts';
import type { Written } from './journal/recorder.ts';
import { play } from './play.ts';
import { type Outcome, Rerun } from './rerun.ts';

export type { Difference } from './rerun.ts';

export type Replay =
  | Outcome
  /** The journal has no header that can be played. */
  | { readonly type: 'unplayable'; readonly text: string };

/** Plays an intact journal, or the intact beginning of one, again; `onLine` sees every line that is played. */
export function replay(
  journal: Journal,
  onLine: (line: Written) => void = () => {},
): Promise<Replay> {
  const header = journal.lines[0];
  const stage = { journal, onLine, clock: new SimulatedClock() };
  if (header?.type === 'journal.opened') return replayMeeting(header, stage);
  if (header?.type === 'game.opened') return replayGame(header, stage);
  return Promise.resolve({ type: 'unplayable', text: 'the header is missing' });
}

type Stage = {
  readonly journal: Journal;
  readonly onLine: (line: Written) => void;
  readonly clock: SimulatedClock;
};

async function replayMeeting(
  { scenario, seed, meeting }: LineOf<'journal.opened'>,
  { journal, clock, onLine }: Stage,
): Promise<Replay> {
  const casting = castOf(
    { ...scenario, options: { ...scenario.options, ...PACED } },
    { seed, meeting },
  );
  if (!casting.ok) return unplayable(casting.refusals);
  const run = new Rerun(journal, clock, onLine);
  const gallery = opened(run, journal, casting.cast.headers.living);
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
  await held.result;
  return run.verdict();
}

async function replayGame(
  { lobby, seed }: LineOf<'game.opened'>,
  { journal, clock, onLine }: Stage,
): Promise<Replay> {
  const manning = manned({ ...lobby, options: { ...lobby.options, ...PACED } }, seed);
  if (!manning.ok) return unplayable(manning.refusals);
  const run = new Rerun(journal, clock, onLine);
  const gallery = opened(run, journal, manning.manned.headers.living);
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
  await played.result;
  return run.verdict();
}

/** A pause between ticks, in simulated time, is where what came between ticks is put back. */
const PACED = { beat_ms: 1 } as const;

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

function unplayable(refusals: readonly Note[]): Replay {
  return { type: 'unplayable', text: refusals.map(({ text }) => text).join('; ') };
}
