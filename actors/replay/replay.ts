/** Replay: runs a recorded meeting or game again with the recorded replies, and compares every body byte for byte. */

import { fieldsOf } from '../../machines/journal/codec.ts';
import {
  CHANNELS,
  type Channel,
  type Line,
  type LivingLine,
} from '../../machines/journal/lines.ts';
import { gameIn } from '../../machines/journal/opening.ts';
import type { Arrival, Fact } from '../../machines/rules/facts.ts';
import { mapSeats } from '../../machines/rules/seats.ts';
import type { GameFact } from '../../machines/rules/ship/game.ts';
import { atPace } from '../../machines/setup/match.ts';
import type { BySeat, Colour } from '../../machines/types.ts';
import { BeliefInquiry, type BeliefSettings, writeBeliefsHeader } from '../engine/beliefs.ts';
import { SimulatedClock } from '../engine/clock.ts';
import type { Journal } from '../engine/journal/reader.ts';
import { type RecordedLine, Recorder } from '../engine/journal/recorder.ts';
import { createMatch, type RunningMatch, startMatch } from '../engine/match.ts';
import { createFailure, EXIT, type Failure } from '../files/failure.ts';
import type { Believer } from '../minds/believer.ts';
import type { ModelMinds } from '../minds/kinds.ts';
import type { LightMind, Mind, MindRequest } from '../minds/port.ts';
import type { TimePort } from '../ports/ports.ts';
import { reach } from '../ports/reach.ts';
import { type ReplyCues, recordedBelievers, recordedReplies } from './recordedReplies.ts';

/** Where a replay differs from the record first. `line` counts the intact lines of the file from 1. */
export type Difference = {
  readonly line: number;
  readonly channel: Channel;
  readonly recorded: string;
  readonly replayed: string;
};

export type ReplayRunOptions = {
  readonly clock: TimePort;
  /** Sees every line, and whether it is beyond the record. */
  readonly onLine: (line: RecordedLine, isNew: boolean) => void;
  readonly onAsked?: ReplyCues['onAsked'];
  /** Minds that continue after the record ends. Without them the run ends there. */
  readonly successors?: BySeat<Mind>;
  /** Minds that think anew and are compared with the record, too; without them every answer is the recorded one. */
  readonly anew?: BySeat<LightMind>;
  /** Stamps lines beyond the record; null where the time is simulated. */
  readonly readClock?: (() => Readonly<Record<string, unknown>>) | null;
};

type OutsideInputs = {
  /** The operator or a limit asked for the end. */
  stop(line: Extract<LivingLine, { type: 'stop.requested' | 'end.requested' }>): void;
  leave(seat: Colour): void;
};

export type Replay =
  | { readonly type: 'same'; readonly lines: number; readonly unfinished: boolean }
  | { readonly type: 'different'; readonly difference: Difference };

type Recorded = { readonly body: string; readonly at: number; readonly line: Line };

/** Compares the lines of a run with those of a record, each channel by itself. */
export class Comparison {
  readonly recorded: Readonly<Record<Channel, readonly Recorded[]>>;
  readonly next: Record<Channel, number> = { living: 0, ghosts: 0, beliefs: 0 };
  difference: Difference | null = null;

  /** `isCompared` chooses lines of the record, by their index in the file. Default: all. */
  constructor(
    { lines, bodies }: Journal,
    isCompared: (line: Line, index: number) => boolean = () => true,
  ) {
    const all = lines.map((line, index) => ({ line, body: bodies[index] ?? '', at: index + 1 }));
    const kept = all.filter(({ line, at }) => isCompared(line, at - 1));
    const ofChannel = (channel: Channel) => kept.filter(({ line }) => line.channel === channel);
    this.recorded = {
      living: ofChannel('living'),
      ghosts: ofChannel('ghosts'),
      beliefs: ofChannel('beliefs'),
    };
  }

  get size(): number {
    return Object.values(this.recorded).flat().length;
  }

  isAtEnd(channel: Channel): boolean {
    return this.next[channel] >= this.recorded[channel].length;
  }

  /** Compares a line. Returns whether it goes on behind a record that is not finished. */
  take({ channel, body }: Pick<RecordedLine, 'channel' | 'body'>, isFinished: boolean): boolean {
    const expected = this.recorded[channel][this.next[channel]];
    this.next[channel] += 1;
    if (this.difference !== null || expected?.body === body) return false;
    if (expected === undefined && !isFinished) return true;
    const [recorded, line] = [expected?.body ?? NO_LINE, expected?.at ?? this.size + 1];
    this.difference = { line, channel, recorded, replayed: body };
    return false;
  }

  end(): Difference | null {
    const due = CHANNELS.map((channel) => this.recorded[channel][this.next[channel]]);
    const missing = due.find((line) => line !== undefined);
    if (this.difference !== null || missing === undefined) return this.difference;
    const { line, body, at } = missing;
    return { line: at, channel: line.channel, recorded: body, replayed: NO_LINE };
  }
}

const NO_LINE = '(no line)';

class ReplayRun {
  readonly recorder: Recorder;
  readonly minds: BySeat<Mind>;
  readonly #comparison: Comparison;
  /** How many lines of the living stood before each turn of the ghosts was over, by meeting and turn. */
  readonly #turnEnds: ReadonlyMap<string, number>;
  readonly #isFinished: Readonly<Record<Channel, boolean>>;
  readonly #clock: TimePort;
  readonly #waiting: { readonly after: number; readonly go: () => void }[] = [];
  #isTickOpen = false;
  #meetings = 0;
  #helm: OutsideInputs | null = null;

  constructor(
    journal: Journal,
    { clock, onLine, onAsked, successors = {}, anew = {}, readClock = null }: ReplayRunOptions,
  ) {
    this.#clock = clock;
    const comparison = new Comparison(journal);
    this.#comparison = comparison;
    this.#turnEnds = turnEnds(journal.lines);
    const has = (wanted: Line['type']) => journal.lines.some(({ type }) => type === wanted);
    const isGame = gameIn(journal.lines[0]) !== null;
    this.#isFinished = {
      living: has(isGame ? 'game.closed' : 'meeting.closed'),
      ghosts: has(isGame ? 'game.closed' : 'gallery.closed'),
      // No line says that they are over.
      beliefs: false,
    };
    const isNew = (channel: Channel, seq: number) => seq >= comparison.recorded[channel].length;
    this.recorder = new Recorder({
      readClock: readClock && ((channel, seq) => (isNew(channel, seq) ? readClock() : null)),
      isNew,
      onLine: (line) => onLine(line, this.#compare(line)),
    });
    this.minds = recordedReplies(journal.lines, {
      meeting: () => this.#meeting,
      cue: (request) => this.#cue(request),
      onAsked,
      isOver: ({ kind }) => comparison.isAtEnd(kind === 'ghost' ? 'ghosts' : 'living'),
      successors,
      anew,
      // Then the lines of both channels come in the order in which a match of such minds wrote them.
      isAtOnce:
        Object.values(successors).every(({ pace }) => pace === 'at-once') &&
        journal.lines.every((line) => !isFromOutside(line)),
    });
  }

  steer(helm: OutsideInputs): void {
    this.#helm = helm;
  }

  /** After each step of the living: outside events before the next one, and the ghosts that may end their turn. */
  onFacts(facts: readonly (Fact | GameFact)[]): void {
    if (facts.some(({ type }) => type === 'meeting.called')) this.#meetings += 1;
    for (const { after, go } of this.#waiting) if (after <= this.#comparison.next.living) go();
    if (facts.some(({ type }) => type === 'tick.closed' || type === 'round.closed'))
      this.#isTickOpen = false;
    const during = this.#moment;
    if (during === 'pause' || (during === 'tick' && this.#isTickOpen))
      queueMicrotask(() => this.#putIn());
  }

  verdict(): Replay {
    const difference = this.#comparison.end();
    if (difference !== null) return { type: 'different', difference };
    return { type: 'same', lines: this.#comparison.size, unfinished: !this.#isFinished.living };
  }

  #compare(line: RecordedLine): boolean {
    const isBeyond = this.#comparison.take(line, this.#isFinished[line.channel]);
    if (this.#comparison.difference !== null) {
      // The position in the record that a ghost waits for may never come now.
      for (const { go } of this.#waiting) go();
    }
    return isBeyond;
  }

  /**
   * A recorded reply is due: the living answer before any deadline, ghosts when their turn ended in the record. A turn
   * that the record does not end is behind all of it, so that its lines stand where it ended.
   */
  #cue(request: MindRequest): Promise<void> {
    if (request.kind === 'ghost') {
      const { next, difference, recorded } = this.#comparison;
      const after =
        this.#turnEnds.get(`${this.#meeting} ${request.index}`) ?? recorded.living.length;
      if (after <= next.living || difference !== null) return Promise.resolve();
      return new Promise((go) => {
        this.#waiting.push({ after, go });
      });
    }
    if (!this.#isTickOpen && this.#moment === 'tick') queueMicrotask(() => this.#putIn());
    this.#isTickOpen = true;
    return this.#clock.sleep(0);
  }

  get #meeting(): number {
    return Math.max(0, this.#meetings - 1);
  }

  #ahead(by = 0): LivingLine | null {
    const { recorded, next } = this.#comparison;
    const line = recorded.living[next.living + by]?.line;
    return line?.channel === 'living' ? line : null;
  }

  /** The next outside event of the recording, if it is due; else null. */
  get #moment(): Arrival | null {
    const line = this.#ahead();
    if (line?.type === 'stop.requested' || line?.type === 'seat.departed') return line.during;
    if (line?.type !== 'end.requested') return null;
    // In a meeting the stop is handed on, and says when; in a round it comes while the round is open.
    const handedOn = this.#ahead(1);
    return handedOn?.type === 'stop.requested' ? handedOn.during : 'tick';
  }

  #putIn(): void {
    const input = this.#ahead();
    if (input?.type === 'stop.requested' || input?.type === 'end.requested')
      this.#helm?.stop(input);
    if (input?.type === 'seat.departed' && input.during !== null) this.#helm?.leave(input.seat);
  }
}

/** Whether no mind decided it: the operator, a limit, or a player who left. */
export function isFromOutside(line: Line): boolean {
  return (
    line.type === 'stop.requested' ||
    line.type === 'end.requested' ||
    (line.type === 'seat.departed' && line.during !== null)
  );
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

export type StagedReplay = RunningMatch & {
  readonly recorder: Recorder;
  readonly verdict: () => Replay;
};

export type ReplayOptions = Omit<ReplayRunOptions, 'successors' | 'anew'> & {
  /** Creates the minds that continue beyond the record from the minds in its header. Default: none. */
  readonly successors?: (minds: BySeat<Mind>) => BySeat<Mind>;
  /** Answers belief questions beyond the record, if it has any. Default: nobody is asked. */
  readonly believers?: BySeat<Believer>;
  readonly thinksAnew?: boolean;
  readonly models?: ModelMinds | null;
  /** Milliseconds between two ticks, where late events are restored. */
  readonly beatMs?: number;
};

/** The match of an intact journal. Throws if none can be played, as of a trace with fewer seats than a table has. */
export function openRecorded({ lines }: Journal, models: ModelMinds | null = null, beatMs = 1) {
  const [header] = lines;
  if (header?.type !== 'match.opened')
    throw refuseToPlay('expected the journal to have its header, found none');
  const { match, seed, rulesVersion } = header;
  const creation = createMatch(atPace(match, beatMs), seed, models, rulesVersion);
  if (creation.ok) return { header, ready: creation.ready };
  const reasons = creation.refusals.map(({ text }) => text).join('; ');
  throw refuseToPlay(`the match ${JSON.stringify(match.name)} cannot be played: ${reasons}`);
}

function refuseToPlay(text: string): Failure {
  return createFailure(EXIT.damaged, 'journal/unplayable', text);
}

export function startReplay(journal: Journal, options: ReplayOptions): StagedReplay {
  const { clock, models = null, beatMs = 1, thinksAnew = false } = options;
  const { successors = () => ({}), believers = {} } = options;
  const { ready } = openRecorded(journal, models, beatMs);
  const run = new ReplayRun(journal, {
    ...options,
    successors: successors(ready.minds),
    anew: thinksAnew
      ? mapSeats(ready.minds, (mind) => (mind.pace === 'at-once' ? mind : undefined))
      : {},
  });
  const { recorder } = run;
  recorder.write('living', [ready.headers.living]);
  const gallery = journal.lines.find((line) => line.type === 'gallery.opened');
  // A match that was killed between its headers has the first one only; elsewhere the ghosts were left out.
  const isCut = gallery === undefined && journal.lines.length === 1;
  if (isCut) {
    reach('headers-cut');
    recorder.write('ghosts', [ready.headers.ghosts]);
  }
  // The ghosts' header has secrets of the living, so it can't be derived.
  if (gallery !== undefined) recorder.write('ghosts', [fieldsOf(gallery)]);
  const budget = gallery?.present === true ? gallery.budget : null;
  const started = startMatch({
    ...{ ...ready, minds: run.minds, clock, recorder },
    ghostBudget: isCut ? ready.ghostBudget : budget,
    beliefs: replayBeliefs(run, journal, believers),
    onFacts: (facts) => run.onFacts(facts),
  });
  run.steer({
    // A game tells its meeting by itself.
    stop: (line) => {
      if (line.type !== (ready.type === 'meeting' ? 'stop.requested' : 'end.requested')) return;
      const isByRules =
        line.type === 'stop.requested'
          ? line.outcome === 'unconverged'
          : line.reason === 'unfinished';
      if (isByRules) started.end();
      else started.stopAsRecorded();
    },
    leave: (seat) => started.leave?.(seat),
  });
  return { ...started, recorder, verdict: () => run.verdict() };
}

function replayBeliefs(
  { recorder }: ReplayRun,
  { lines }: Journal,
  successors: BySeat<Believer>,
): BeliefSettings | null {
  const header = lines.find((line) => line.type === 'beliefs.opened');
  if (header === undefined) return null;
  const { times, version } = header;
  recorder.write('beliefs', [writeBeliefsHeader(times, version)]);
  return { times, believers: recordedBelievers(lines, successors), Inquiry: BeliefInquiry };
}

/** Plays an intact journal while its offline minds think anew: a changed answer is found even if all hashes fit. */
export function rethink(journal: Journal): Promise<Replay> {
  return replay(journal, () => {}, true);
}

/** Plays an intact journal, or the intact beginning of one, again; `onLine` sees every line that is played. */
export async function replay(
  journal: Journal,
  onLine: (line: RecordedLine) => void = () => {},
  thinksAnew = false,
): Promise<Replay> {
  const staged = startReplay(journal, { onLine, thinksAnew, clock: new SimulatedClock() });
  await staged.result;
  return staged.verdict();
}
