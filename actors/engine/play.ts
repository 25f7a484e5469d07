/**
 * Plays a match into its journal: in simulated time if every mind answers at once, in real time if people watch or
 * play, or a mind takes time.
 */
import type { Line } from '../../machines/journal/lines.ts';
import { type BySeat, COLOURS, type Colour } from '../../machines/types.ts';
import { type HumanSeats, NOBODY } from '../minds/human/seats.ts';
import type { Mind } from '../minds/port.ts';
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
  /** When players are asked for beliefs and who answers. Null or absent: nobody is asked. */
  readonly beliefs?: BeliefSettings | null;
  readonly people?: HumanSeats;
  /** Default: this machine's time. */
  readonly time?: TimePort;
};

export type PlayedMatch<R> = RunningMatch<R> & { readonly recorder: Recorder };

/** Whether a match takes real time: it pauses between its beats, or one of its minds takes time. */
export function takesRealTime(ready: ReadyMeeting | ReadyGame): boolean {
  return beatOf(ready) > 0 || hasSlowMinds(ready);
}

export function playMatch(ready: ReadyMeeting, options: PlayOptions): PlayedMatch<MeetingResult>;
export function playMatch(ready: ReadyGame, options: PlayOptions): PlayedMatch<GameFinish>;
export function playMatch(
  ready: ReadyMeeting | ReadyGame,
  options: PlayOptions,
): PlayedMatch<MeetingResult | GameFinish>;
export function playMatch(
  ready: ReadyMeeting | ReadyGame,
  { sink, onLine = null, people = NOBODY, beliefs = null, time = realTime }: PlayOptions,
): PlayedMatch<MeetingResult | GameFinish> {
  const beat = beatOf(ready);
  const isReal = takesRealTime(ready);
  const pace = new ReadingPace(beat, time);
  const recorder = beginJournal(withBeliefs(ready.headers, beliefs), {
    sink,
    // Paid answers must survive a power cut.
    syncEveryStep: hasSlowMinds(ready),
    time: isReal ? time : null,
    onLine: onLine === null ? null : ({ line }) => pace.note(onLine(line)),
  });
  people.begin();
  // A meeting waits between its beats by itself; on the ship its players do.
  const minds =
    ready.type === 'game' && beat > 0 ? slowMinds(ready.minds, pace, people) : ready.minds;
  const clock = isReal ? time : new SimulatedClock();
  const match = startMatch({ ...ready, minds, clock, recorder, beliefs });
  const result = match.result.finally(() => {
    people.close();
    sink.close();
  });
  return { ...match, ...people.with(match), result, recorder };
}

function beatOf(ready: ReadyMeeting | ReadyGame): number {
  return ready.type === 'meeting' ? ready.setting.options.beatMs : ready.ship.meeting.beatMs;
}

function hasSlowMinds({ minds }: ReadyMeeting | ReadyGame): boolean {
  return Object.values(minds).some(({ pace }) => pace === 'in-time');
}

/** How long players wait on the ship, so that people can read the last lines. */
class ReadingPace {
  readonly #beat: number;
  readonly #time: TimePort;
  #until = 0;

  /** `beat` in milliseconds. */
  constructor(beat: number, time: TimePort) {
    this.#beat = beat;
    this.#time = time;
  }

  note(isSeen: boolean): void {
    if (isSeen) this.#until = this.#time.now() + this.#beat;
  }

  /** A game that is stopped is not kept waiting. */
  async rest(): Promise<void> {
    await this.#time.idle(Math.max(0, this.#until - this.#time.now()));
  }
}

/** People read at their own pace. */
function slowMinds(minds: BySeat<Mind>, pace: ReadingPace, { seats }: HumanSeats): BySeat<Mind> {
  const slow: Partial<Record<Colour, Mind>> = {};
  for (const colour of COLOURS) {
    const mind = minds[colour];
    if (mind === undefined) continue;
    slow[colour] = seats.includes(colour) ? mind : delayActions(mind, () => pace.rest());
  }
  return slow;
}
