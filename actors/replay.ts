/**
 * Replay: runs a recorded meeting again with the recorded replies, and compares every line byte for byte.
 *
 * The journal says everything: the scenario and the seed are in its first line, replies in the lines of the ticks, and
 * what came from outside (somebody left, somebody stopped the run) stands where it happened.
 */

import type { Channel, Line, LineOf, LivingLine, WireBid } from '../machines/journal.ts';
import type { Fact, Moment } from '../machines/rules/facts.ts';
import { type BySeat, COLOURS, type Colour } from '../machines/types.ts';
import type { Body } from '../machines/wire.ts';
import { castOf } from './casting.ts';
import { SimulatedClock } from './clock.ts';
import { type Held, hold } from './hold.ts';
import type { Journal } from './journal/reader.ts';
import { Recorder, type Written } from './journal/recorder.ts';
import type { Answer, Mind, Request } from './minds/port.ts';
import { tapeMind } from './minds/tape.ts';

/** Where a replay differs from the record first. `line` counts the intact lines of the file from 1. */
export type Difference = {
  readonly line: number;
  readonly channel: Channel;
  readonly recorded: string;
  readonly replayed: string;
};

export type Replay =
  | { readonly type: 'same'; readonly lines: number; readonly unfinished: boolean }
  | { readonly type: 'different'; readonly difference: Difference }
  /** The journal has no header that can be played. */
  | { readonly type: 'unplayable'; readonly text: string };

/** Plays an intact journal, or the intact beginning of one, again; `onLine` sees every line that is played. */
export async function replay(
  journal: Journal,
  onLine: (line: Written) => void = () => {},
): Promise<Replay> {
  const header = journal.lines[0];
  if (header?.type !== 'journal.opened') return unplayable('the header is missing');
  const { scenario, seed, meeting } = header;
  // A pause between ticks, in simulated time, is where what came between ticks is put back.
  const paced = { ...scenario, options: { ...scenario.options, beat_ms: 1 } };
  const casting = castOf(paced, { seed, meeting });
  if (!casting.ok) return unplayable(casting.refusals.map(({ text }) => text).join('; '));
  const gallery = journal.lines.find((line) => line.type === 'gallery.opened');
  const clock = new SimulatedClock();
  const run = new Rerun(journal, clock, onLine);
  run.recorder.write('living', [casting.cast.headers.living]);
  if (gallery !== undefined) run.recorder.write('ghosts', [headerOf(gallery)]);
  const held = hold({
    ...casting.cast.laid,
    minds: run.minds,
    ghostBudget: gallery?.present === true ? gallery.budget : null,
    clock,
    recorder: run.recorder,
    onFacts: (facts) => run.onFacts(facts),
  });
  run.steer(held);
  await held.result;
  return run.verdict();
}

/** What the ghosts' channel says first: the living do not know it, so it can't be derived. */
function headerOf({
  seq: _seq,
  hash: _hash,
  clock: _clock,
  channel: _channel,
  ...fields
}: LineOf<'gallery.opened'>): Body {
  return fields;
}

function unplayable(text: string): Replay {
  return { type: 'unplayable', text };
}

type Recorded = { readonly line: Line; readonly body: string; readonly at: number };

/** One run against a record: which line comes next in each channel, and what must be put in from outside. */
class Rerun {
  readonly recorder: Recorder;
  readonly minds: BySeat<Mind>;
  readonly #recorded: Record<Channel, readonly Recorded[]>;
  readonly #next: Record<Channel, number> = { living: 0, ghosts: 0 };
  /** How many lines of the living stood before each turn of the ghosts was over. */
  readonly #turnEnds: ReadonlyMap<number, number>;
  /** Whether the recording of a channel goes to its end. */
  readonly #isFinished: Readonly<Record<Channel, boolean>>;
  readonly #clock: SimulatedClock;
  readonly #waiting: { readonly after: number; readonly go: () => void }[] = [];
  #isTickOpen = false;
  #difference: Difference | null = null;
  #held: Held | null = null;

  constructor(journal: Journal, clock: SimulatedClock, onLine: (line: Written) => void) {
    this.#clock = clock;
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
    this.#isFinished = { living: has('meeting.closed'), ghosts: has('gallery.closed') };
    this.recorder = new Recorder({
      onLine: (line) => {
        this.#compare(line);
        onLine(line);
      },
    });
    this.minds = tapes(journal.lines, (request) => this.#cue(request));
  }

  steer(held: Held): void {
    this.#held = held;
  }

  /** After each step of the living: what came from outside before the next one, and which ghosts may end their turn. */
  onFacts(facts: readonly Fact[]): void {
    this.#waiting
      .filter(({ after }) => after <= this.#next.living)
      .forEach(({ go }) => {
        go();
      });
    if (facts.some(({ type }) => type === 'tick.closed')) this.#isTickOpen = false;
    const during = momentOf(this.#upcoming);
    if (during === 'pause' || (during === 'tick' && this.#isTickOpen)) {
      queueMicrotask(() => this.#putIn());
    }
  }

  verdict(): Replay {
    if (this.#difference !== null) return { type: 'different', difference: this.#difference };
    const missing =
      this.#recorded.living[this.#next.living] ?? this.#recorded.ghosts[this.#next.ghosts];
    const lines = this.#recorded.living.length + this.#recorded.ghosts.length;
    if (missing === undefined) return { type: 'same', lines, unfinished: !this.#isFinished.living };
    const { line, body, at } = missing;
    const difference = { line: at, channel: line.channel, recorded: body, replayed: '(no line)' };
    return { type: 'different', difference };
  }

  #compare({ channel, body }: Written): void {
    const expected = this.#recorded[channel][this.#next[channel]];
    this.#next[channel] += 1;
    if (this.#difference !== null || expected?.body === body) return;
    // A record that breaks off has nothing to say about what would have come next.
    if (expected === undefined && !this.#isFinished[channel]) return;
    const recorded = expected?.body ?? '(no line)';
    const line = expected?.at ?? this.#recorded.living.length + this.#recorded.ghosts.length + 1;
    this.#difference = { line, channel, recorded, replayed: body };
  }

  /** A tape was asked: the living answer before any deadline, ghosts when their turn ended in the record. */
  #cue(request: Request): Promise<void> {
    if (request.occasion === 'ghost') {
      const after = this.#turnEnds.get(request.stamp) ?? 0;
      if (after <= this.#next.living) return Promise.resolve();
      return new Promise((go) => {
        this.#waiting.push({ after, go });
      });
    }
    if (!this.#isTickOpen && momentOf(this.#upcoming) === 'tick') {
      queueMicrotask(() => this.#putIn());
    }
    this.#isTickOpen = true;
    return this.#clock.sleep(0);
  }

  get #upcoming(): LivingLine | null {
    const line = this.#recorded.living[this.#next.living]?.line;
    return line?.channel === 'living' ? line : null;
  }

  #putIn(): void {
    const input = this.#upcoming;
    if (input?.type === 'stop.asked' && input.outcome !== 'refused') {
      this.#held?.stop(input.outcome === 'interrupted' ? 'interrupted' : 'unconverged');
    }
    if (input?.type === 'seat.departed' && input.during !== null) this.#held?.leave(input.seat);
  }
}

/** When something came from outside that the recording says next; null where nothing did. */
function momentOf(line: LivingLine | null): Moment | null {
  return line?.type === 'stop.asked' || line?.type === 'seat.departed' ? line.during : null;
}

function turnEnds(lines: readonly Line[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  let living = 0;
  for (const line of lines) {
    if (line.channel === 'living') living += 1;
    if (line.type === 'turn.closed') ends.set(line.turn, living);
  }
  return ends;
}

function tapes(lines: readonly Line[], cue: (request: Request) => Promise<void>): BySeat<Mind> {
  const minds: Partial<Record<Colour, Mind>> = {};
  for (const seat of COLOURS) {
    const living = new Map<number, Answer>();
    const ghostly = new Map<number, Answer>();
    for (const line of lines) {
      if (line.type === 'tick.closed') remember(living, line.tick, seat, line.bids);
      if (line.type === 'turn.closed') remember(ghostly, line.turn, seat, line.bids);
    }
    minds[seat] = tapeMind({ living, ghostly, cue });
  }
  return minds;
}

function remember(
  tape: Map<number, Answer>,
  stamp: number,
  seat: Colour,
  bids: readonly WireBid[],
): void {
  const bid = bids.find((candidate) => candidate.seat === seat);
  if (bid !== undefined) tape.set(stamp, answerOf(bid));
}

/** The answer that led to a bid. A fault with something received is read again, and fails again in the same way. */
function answerOf({ fault, text, received }: WireBid): Answer {
  if (received !== undefined) return { ok: true, received };
  if (fault === undefined) return { ok: true, received: {} };
  return { ok: false, code: fault, text: text ?? '' };
}
