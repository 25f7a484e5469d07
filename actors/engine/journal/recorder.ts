/**
 * The recorder: puts facts into lines, chains them and writes each step in one piece. Each line carries the hash of
 * itself and of everything before it in its channel. A line is its canonical body, then `clock` if there is one, then
 * `hash`. The hash does not cover the clock, which has real times, late replies and, in the header, the version of this
 * program: two runs that differ only in those have the same hashes.
 */
import { canonical } from '../../../machines/journal/canonical.ts';
import { encode, type LineBody, type LinePlace, lineOf } from '../../../machines/journal/codec.ts';
import { type Channel, type Line, lineSchema } from '../../../machines/journal/lines.ts';
import type { Fact, GhostFact } from '../../../machines/rules/facts.ts';
import type { GameFact } from '../../../machines/rules/ship/game.ts';
import type { BySeat, Colour } from '../../../machines/types.ts';
import { ENGINE } from '../../../machines/versions.ts';
import { hashText } from '../../ports/hash.ts';
import type { TimePort } from '../../ports/ports.ts';
import { noSink, type Sink } from './sink.ts';

export const chainOrigin = (channel: Channel): string => `glassbox journal 1 ${channel}`;

/** The hash of a body that follows a line with the hash `previous`: SHA-256 in hexadecimal. */
export function chainHash(previous: string, body: string): string {
  return hashText(chainLink(previous, body));
}

function chainLink(previous: string, body: string): string {
  return `${previous}\n${body}`;
}

export function joinLine(body: string, clock: string | null, hashed: string): string {
  return `${body.slice(0, -1)}${clock === null ? '' : `,"clock":${clock}`},"hash":"${hashed}"}`;
}

/** A line as it was written: its value, the body that is hashed, and the whole text. */
export type RecordedLine = {
  readonly channel: Channel;
  readonly line: Line;
  readonly body: string;
  readonly text: string;
};

export type RecorderOptions = {
  readonly sink: Sink;
  /** Wall time for lines that close a tick; null in simulated time. May return null for an older line. */
  readonly readClock: ((channel: Channel, seq: number) => WallTime | null) | null;
  /** The version of the program, for the header; null where a match is only played again. */
  readonly engine: string | null;
  /** Rest between two steps, for the header: who draws the charts needs it. 0 if there was none. */
  readonly beatMs: number;
  /** The doors that outside seats came through, for the header; null without any. */
  readonly doors: BySeat<string> | null;
  /** Whether a line is written for the first time; in a replay the notes of requests wait for the first that is. */
  readonly isNew: (channel: Channel, seq: number) => boolean;
  /** Sync to disk with every step, for replies that cost money; otherwise when the journal is closed. */
  readonly syncEveryStep: boolean;
  readonly onLine: ((line: RecordedLine) => void) | null;
};

type WallTime = Readonly<Record<string, unknown>>;

const STAMPED: readonly string[] = [
  'match.opened',
  'round.closed',
  'game.closed',
  'tick.closed',
  'turn.closed',
  'meeting.closed',
];

type CallChannel = 'living' | 'beliefs';

/** The first line of each channel. `beliefs` is present only when beliefs are asked. */
export type JournalHeaders = {
  readonly living: LineBody;
  readonly ghosts: LineBody;
  readonly beliefs?: LineBody;
};

type JournalOptions = Partial<Omit<RecorderOptions, 'readClock' | 'isNew' | 'engine'>> & {
  /** The time that lines are stamped with; without it none are. */
  readonly time?: Pick<TimePort, 'now'> | null;
};

export function beginJournal(
  { living, ghosts, beliefs }: JournalHeaders,
  { time = null, ...options }: JournalOptions,
): Recorder {
  const started = time?.now() ?? 0;
  const readClock = time === null ? null : () => ({ ms: Math.round(time.now() - started) });
  const recorder = new Recorder({ ...options, readClock, engine: ENGINE });
  recorder.write('living', [living]);
  recorder.write('ghosts', [ghosts]);
  if (beliefs !== undefined) recorder.write('beliefs', [beliefs]);
  return recorder;
}

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #last: Record<Channel, { hash: string; seq: number }> = {
    living: { hash: chainOrigin('living'), seq: 0 },
    ghosts: { hash: chainOrigin('ghosts'), seq: 0 },
    beliefs: { hash: chainOrigin('beliefs'), seq: 0 },
  };
  #late: object[] = [];
  readonly #calls: Record<CallChannel, object[]> = { living: [], beliefs: [] };
  readonly #arrived: (readonly [Colour, number])[] = [];

  constructor(options: Partial<RecorderOptions> = {}) {
    this.#options = {
      sink: noSink,
      readClock: null,
      engine: null,
      beatMs: 0,
      doors: null,
      isNew: () => true,
      syncEveryStep: false,
      onLine: null,
      ...options,
    };
  }

  record(channel: Channel, facts: readonly (Fact | GhostFact | GameFact)[]): void {
    this.#write(channel, facts.map(encode), lineOf);
  }

  write(channel: Channel, bodies: readonly LineBody[]): void {
    // The schema fills in the defaults of a header.
    this.#write(channel, bodies, (body, place) => lineSchema.parse({ ...body, ...place }));
  }

  #write(
    channel: Channel,
    bodies: readonly LineBody[],
    makeLine: (body: LineBody, place: LinePlace) => Line,
  ): void {
    const { sink, syncEveryStep, onLine } = this.#options;
    const shown: RecordedLine[] = [];
    let step = '';
    for (const item of bodies) {
      const unchained = canonical({ ...item, channel, seq: this.#last[channel].seq });
      const { place, body, text } = this.#chain(channel, item.type, unchained);
      step += `${text}\n`;
      if (onLine !== null) shown.push({ channel, line: makeLine(item, place), body, text });
    }
    sink.write(step);
    if (syncEveryStep) sink.sync();
    for (const line of shown) onLine?.(line);
  }

  noteLate(late: object): void {
    this.#late.push(late);
  }

  noteCall(call: object, channel: CallChannel = 'living'): void {
    this.#calls[channel].push(call);
  }

  /** Milliseconds since the start of the run; null in simulated time, and where a line is only played again. */
  readMs(): number | null {
    const ms = this.#options.readClock?.('living', this.#last.living.seq)?.['ms'];
    return typeof ms === 'number' ? ms : null;
  }

  noteArrival(seat: Colour, askedMs: number | null): void {
    const now = this.readMs();
    if (now !== null && askedMs !== null) this.#arrived.push([seat, now - askedMs]);
  }

  get heads(): Readonly<Record<'living' | 'ghosts', string>> {
    return { living: this.#last.living.hash, ghosts: this.#last.ghosts.hash };
  }

  #chain(
    channel: Channel,
    type: Line['type'],
    unchained: string,
  ): Pick<RecordedLine, 'body' | 'text'> & { readonly place: LinePlace } {
    const last = this.#last[channel];
    const { seq, hash: previous } = last;
    const clock = this.#clock(channel, type, seq);
    const link = chainLink(previous, unchained);
    last.hash = hashText(link);
    last.seq += 1;
    // Hashing has joined the pieces of the text. Cutting it here avoids joining them again.
    const body = link.slice(link.length - unchained.length);
    const text = joinLine(body, clock === null ? null : canonical(clock), last.hash);
    const place = { channel, seq, hash: last.hash, ...(clock === null ? {} : { clock }) };
    return { place, body, text };
  }

  #clock(channel: Channel, type: string, seq: number): WallTime | null {
    const { readClock, isNew, engine, beatMs, doors } = this.#options;
    const time = readClock !== null && STAMPED.includes(type) ? readClock(channel, seq) : null;
    const noted = channel === 'ghosts' ? null : this.#noted(channel, isNew(channel, seq));
    const pace = beatMs === 0 && time === null ? {} : { beat: beatMs };
    const played =
      type === 'match.opened' && engine !== null
        ? { engine, ...pace, ...(doors && { doors }) }
        : null;
    const arrived = channel === 'beliefs' ? [] : this.#arrived.splice(0);
    const clock = { ...played, ...noted, ...time, ...(arrived.length > 0 && { arrived }) };
    return Object.keys(clock).length === 0 ? null : clock;
  }

  #noted(channel: CallChannel, isNew: boolean): object | null {
    const late = channel === 'living' ? this.#late : [];
    const calls = isNew ? this.#calls[channel] : [];
    if (late.length === 0 && calls.length === 0) return null;
    if (channel === 'living') this.#late = [];
    if (isNew) this.#calls[channel] = [];
    return { ...(late.length === 0 ? {} : { late }), ...(calls.length === 0 ? {} : { calls }) };
  }
}
