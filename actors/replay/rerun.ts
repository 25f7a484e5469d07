/**
 * A rerun: one run against a record, which line comes next in each channel, and what must be put in from outside.
 */
import type { Channel, Line, LivingLine } from '../../machines/journal/lines.ts';
import type { Fact, Moment } from '../../machines/rules/facts.ts';
import type { GameFact } from '../../machines/rules/ship/game.ts';
import type { BySeat, Colour } from '../../machines/types.ts';
import type { Journal } from '../engine/journal/reader.ts';
import { type RecordedLine, Recorder } from '../engine/journal/recorder.ts';
import type { Mind, Request } from '../minds/port.ts';
import { tapesOf } from './tapes.ts';

/** Where a replay differs from the record first. `line` counts the intact lines of the file from 1. */
export type Difference = {
  readonly line: number;
  readonly channel: Channel;
  readonly recorded: string;
  readonly replayed: string;
};

export type RerunOptions = {
  /** Kept after so many milliseconds of the clock by which the run goes. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Sees every line, and whether it is beyond the record. */
  readonly onLine: (line: RecordedLine, isNew: boolean) => void;
  /** Who goes on where the record has ended; without them nobody does. */
  readonly successors?: BySeat<Mind>;
};

/** What can be put into a run from outside. */
export type Helm = {
  /** The operator or a limit asked for the end. */
  stop(line: Extract<LivingLine, { type: 'stop.asked' | 'end.asked' }>): void;
  leave(seat: Colour): void;
};

/** How a run compares with its record. */
export type Outcome =
  | { readonly type: 'same'; readonly lines: number; readonly unfinished: boolean }
  | { readonly type: 'different'; readonly difference: Difference };

type Recorded = { readonly line: Line; readonly body: string; readonly at: number };

/** One run against a record: which line comes next in each channel, and what must be put in from outside. */
export class Rerun {
  readonly recorder: Recorder;
  readonly minds: BySeat<Mind>;
  readonly #recorded: Record<Channel, readonly Recorded[]>;
  readonly #next: Record<Channel, number> = { living: 0, ghosts: 0 };
  /** How many lines of the living stood before each turn of the ghosts was over, by meeting and turn. */
  readonly #turnEnds: ReadonlyMap<string, number>;
  /** Whether the recording of a channel goes to its end. */
  readonly #isFinished: Readonly<Record<Channel, boolean>>;
  readonly #sleep: RerunOptions['sleep'];
  readonly #waiting: { readonly after: number; readonly go: () => void }[] = [];
  #isTickOpen = false;
  /** Meetings that were called so far. */
  #meetings = 0;
  #difference: Difference | null = null;
  #helm: Helm | null = null;

  constructor(journal: Journal, { sleep, onLine, successors = {} }: RerunOptions) {
    this.#sleep = sleep;
    const all = journal.lines.map((line, index) => ({
      line,
      body: journal.bodies[index] ?? '',
      at: index + 1,
    }));
    this.#recorded = {
      living: all.filter(({ line }) => line.channel === 'living'),
      ghosts: all.filter(({ line }) => line.channel === 'ghosts'),
    };
    this.#turnEnds = turnEnds(journal.lines);
    const has = (wanted: Line['type']) => journal.lines.some(({ type }) => type === wanted);
    const isGame = has('game.opened');
    this.#isFinished = {
      living: has(isGame ? 'game.closed' : 'meeting.closed'),
      ghosts: has(isGame ? 'game.closed' : 'gallery.closed'),
    };
    this.recorder = new Recorder({
      onLine: (line) => {
        onLine(line, this.#compare(line));
      },
    });
    this.minds = tapesOf(journal.lines, {
      meeting: () => this.#meeting,
      cue: (request) => this.#cue(request),
      isOver: ({ occasion }) => this.#isOver(occasion === 'ghost' ? 'ghosts' : 'living'),
      successors,
    });
  }

  steer(helm: Helm): void {
    this.#helm = helm;
  }

  /** After each step of the living: what came from outside before the next one, and which ghosts may end their turn. */
  onFacts(facts: readonly (Fact | GameFact)[]): void {
    if (facts.some(({ type }) => type === 'meeting.called')) this.#meetings += 1;
    this.#waiting
      .filter(({ after }) => after <= this.#next.living)
      .forEach(({ go }) => {
        go();
      });
    if (facts.some(({ type }) => type === 'tick.closed' || type === 'round.closed')) {
      this.#isTickOpen = false;
    }
    const during = this.#moment;
    if (during === 'pause' || (during === 'tick' && this.#isTickOpen)) {
      queueMicrotask(() => this.#putIn());
    }
  }

  verdict(): Outcome {
    if (this.#difference !== null) return { type: 'different', difference: this.#difference };
    const missing =
      this.#recorded.living[this.#next.living] ?? this.#recorded.ghosts[this.#next.ghosts];
    const lines = this.#recorded.living.length + this.#recorded.ghosts.length;
    if (missing === undefined) return { type: 'same', lines, unfinished: !this.#isFinished.living };
    const { line, body, at } = missing;
    const difference = { line: at, channel: line.channel, recorded: body, replayed: '(no line)' };
    return { type: 'different', difference };
  }

  /** Compares a line with the record; whether it is beyond it. */
  #compare({ channel, body }: RecordedLine): boolean {
    const expected = this.#recorded[channel][this.#next[channel]];
    this.#next[channel] += 1;
    if (this.#difference !== null || expected?.body === body) return false;
    // A record that breaks off has nothing to say about what would have come next.
    if (expected === undefined && !this.#isFinished[channel]) return true;
    const recorded = expected?.body ?? '(no line)';
    const line = expected?.at ?? this.#recorded.living.length + this.#recorded.ghosts.length + 1;
    this.#difference = { line, channel, recorded, replayed: body };
    return false;
  }

  #isOver(channel: Channel): boolean {
    return this.#next[channel] >= this.#recorded[channel].length;
  }

  /** A tape was asked: the living answer before any deadline, ghosts when their turn ended in the record. */
  #cue(request: Request): Promise<void> {
    if (request.occasion === 'ghost') {
      const after = this.#turnEnds.get(`${this.#meeting} ${request.stamp}`) ?? 0;
      if (after <= this.#next.living) return Promise.resolve();
      return new Promise((go) => {
        this.#waiting.push({ after, go });
      });
    }
    if (!this.#isTickOpen && this.#moment === 'tick') queueMicrotask(() => this.#putIn());
    this.#isTickOpen = true;
    return this.#sleep(0);
  }

  /** The meeting that is on, from 0. */
  get #meeting(): number {
    return Math.max(0, this.#meetings - 1);
  }

  get #upcoming(): LivingLine | null {
    return this.#ahead(0);
  }

  #ahead(by: number): LivingLine | null {
    const line = this.#recorded.living[this.#next.living + by]?.line;
    return line?.channel === 'living' ? line : null;
  }

  /** When something came from outside that the recording says next; null where nothing did. */
  get #moment(): Moment | null {
    const line = this.#upcoming;
    if (line?.type === 'stop.asked' || line?.type === 'seat.departed') return line.during;
    if (line?.type !== 'end.asked') return null;
    // In a meeting the stop is handed on, and says when; in a round it comes while the round is open.
    const handedOn = this.#ahead(1);
    return handedOn?.type === 'stop.asked' ? handedOn.during : 'tick';
  }

  #putIn(): void {
    const input = this.#upcoming;
    if (input?.type === 'stop.asked' || input?.type === 'end.asked') this.#helm?.stop(input);
    if (input?.type === 'seat.departed' && input.during !== null) this.#helm?.leave(input.seat);
  }
}

function turnEnds(lines: readonly Line[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  let living = 0;
  let called = 0;
  for (const line of lines) {
    if (line.channel === 'living') living += 1;
    if (line.type === 'meeting.called') called += 1;
    if (line.type === 'turn.closed') ends.set(`${Math.max(0, called - 1)} ${line.turn}`, living);
  }
  return ends;
}
