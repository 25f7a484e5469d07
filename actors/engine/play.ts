/** Plays a match into its journal: in real time if people watch or play, or a mind takes time; else in simulated. */
import type { Line } from '../../machines/journal/lines.ts';
import { mapSeats } from '../../machines/rules/seats.ts';
import { type HumanSeats, NOBODY } from '../minds/human/seats.ts';
import { delayActions } from '../minds/wrap.ts';
import type { TimePort } from '../ports/ports.ts';
import { realTime } from '../ports/time.ts';
import { type BeliefSettings, withBeliefs } from './beliefs.ts';
import { SimulatedClock } from './clock.ts';
import { beginJournal, type Recorder } from './journal/recorder.ts';
import type { Sink } from './journal/sink.ts';
import {
  type GameFinish,
  type MeetingResult,
  type ReadyGame,
  type ReadyMeeting,
  type RunningMatch,
  startMatch,
} from './match.ts';

export type PlayOptions = {
  /** Where the journal goes; it is closed when the match is over. */
  readonly sink: Sink;
  /** Called with each line. Returns whether people have something to read. */
  readonly onLine?: ((line: Line) => boolean) | null;
  readonly beliefs?: BeliefSettings | null;
  readonly people?: HumanSeats;
  readonly time?: TimePort;
};

export type PlayedMatch<R> = RunningMatch<R> & { readonly recorder: Recorder };

export function takesRealTime(ready: ReadyMeeting | ReadyGame): boolean {
  return beatOf(ready) > 0 || hasSlowMinds(ready);
}

type ResultFor<R> = R extends ReadyMeeting ? MeetingResult : GameFinish;

export function playMatch<R extends ReadyMeeting | ReadyGame>(
  ready: R,
  options: PlayOptions,
): PlayedMatch<ResultFor<R>>;
export function playMatch(
  ready: ReadyMeeting | ReadyGame,
  { sink, onLine = null, people = NOBODY, beliefs = null, time = realTime }: PlayOptions,
): PlayedMatch<MeetingResult | GameFinish> {
  const beat = beatOf(ready);
  const isReal = takesRealTime(ready);
  const pace = createPace(beat, time);
  const recorder = beginJournal(withBeliefs(ready.headers, beliefs), {
    sink,
    syncEveryStep: hasSlowMinds(ready),
    time: isReal ? time : null,
    beatMs: beat,
    doors: people.doors,
    onLine: onLine === null ? null : ({ line }) => pace.note(onLine(line)),
  });
  people.begin();
  // A meeting waits between its beats by itself. On the ship the players do; people read at their own pace.
  const minds =
    ready.type === 'game' && beat > 0
      ? mapSeats(ready.minds, (mind, seat) =>
          people.seats.includes(seat) ? mind : delayActions(mind, pace.rest),
        )
      : ready.minds;
  const clock = isReal ? time : new SimulatedClock();
  const match = startMatch({ ...ready, minds, clock, recorder, beliefs });
  const result = match.result.finally(() => {
    people.close();
    sink.close();
  });
  return { ...match, result, recorder };
}

function beatOf(ready: ReadyMeeting | ReadyGame): number {
  return ready.type === 'meeting' ? ready.setting.options.beatMs : ready.ship.meeting.beatMs;
}

function hasSlowMinds({ minds }: ReadyMeeting | ReadyGame): boolean {
  return Object.values(minds).some(({ pace }) => pace === 'in-time');
}

/** How long players wait on the ship, so that people can read the last lines. `beat` is in milliseconds. */
function createPace(beat: number, time: TimePort) {
  let until = 0;
  return {
    note: (isSeen: boolean) => {
      if (isSeen) until = time.now() + beat;
    },
    /** A game that is stopped is not kept waiting. */
    rest: () => time.idle(Math.max(0, until - time.now())),
  };
}
