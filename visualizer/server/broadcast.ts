/**
 * Sends a growing journal to live viewers, each through their own lens. Hidden fields are removed here before sending,
 * and lines are numbered per lens, so that numbers reveal nothing. A slow viewer gets nothing until they have read:
 * lines are stored once for all viewers, the status only in its latest form.
 */
import { formatLens, isFollowed, type Lens, lensFor } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import {
  AT_TABLE,
  type GameStatus,
  type RequestFailure,
  type SeatWords,
  type Thinker,
} from '../../machines/turnPrompt.ts';
import type { Colour } from '../../machines/types.ts';
import type { MovesAlone, SteppedLine } from '../charts/moves.ts';

/** Where events go to. `write` says whether more may be written at once; if not, `pump` is called once it may. */
export type Viewer = { write(text: string): boolean; end(): void };

type StreamEnd = 'over' | 'next';

type ViewerPosition = { next: number; isFree: boolean; sentStatus: string };

/** Makes a lens. The one that steps the machines loads them, so it is passed in. */
export type LensMaker = (lens: Lens) => LineCutter;

type LineCutter = ((line: Line) => SteppedLine | null) & {
  readonly follow?: (thinkers: readonly Thinker[]) => MovesAlone | null;
};

/** A line, or between two of them who is thinking now. */
type LiveNews = Line | readonly Thinker[];

const LINES_PER_EVENT = 400;

export class LensStream {
  /** Tells viewers who come back whether it is still the same journal. */
  readonly name = crypto.randomUUID();
  readonly #lens: Lens;
  readonly #see: LineCutter;
  readonly #rows: string[] = [];
  readonly #viewers = new Map<Viewer, ViewerPosition>();
  #status: StatusForLens | null = null;
  #ending: StreamEnd | null = null;

  constructor(lens: Lens, cutWith: LensMaker = lensFor) {
    this.#lens = lens;
    this.#see = cutWith(lens);
  }

  add(news: LiveNews): void {
    const row = isThinkers(news) ? this.#see.follow?.(news) : this.#see(news);
    if (row == null) return;
    this.#rows.push(JSON.stringify(row));
    this.#pumpAll();
  }

  setStatus(status: StatusForLens): void {
    this.#status = status;
    this.#pumpAll();
  }

  end(ending: StreamEnd = 'over'): void {
    this.#ending = ending;
    this.#pumpAll();
  }

  join(viewer: Viewer, after: number): void {
    const next = Math.min(after, this.#rows.length - 1) + 1;
    this.#viewers.set(viewer, { next, isFree: true, sentStatus: '' });
    this.pump(viewer);
  }

  leave(viewer: Viewer): void {
    this.#viewers.delete(viewer);
  }

  get size(): number {
    return this.#viewers.size;
  }

  pump(viewer: Viewer): void {
    const position = this.#viewers.get(viewer);
    if (position === undefined) return;
    position.isFree = true;
    this.#send(viewer, position);
  }

  #pumpAll(): void {
    for (const [viewer, position] of [...this.#viewers]) this.#send(viewer, position);
  }

  #send(viewer: Viewer, position: ViewerPosition): void {
    while (position.isFree && position.next < this.#rows.length) {
      const rows = this.#rows.slice(position.next, position.next + LINES_PER_EVENT);
      position.next += rows.length;
      const data = rows.map((row) => `data: ${row}\n`).join('');
      position.isFree = viewer.write(`id: ${position.next - 1}\n${data}\n`);
    }
    if (!position.isFree) return;
    if (this.#ending !== null) {
      this.#viewers.delete(viewer);
      viewer.write(`event: over\ndata: ${this.#ending}\n\n`);
      viewer.end();
    } else this.#inform(viewer, position);
  }

  /** A hidden status sends nothing, because even a change would reveal others. */
  #inform(viewer: Viewer, position: ViewerPosition): void {
    if (this.#status === null) return;
    const status = this.#status(this.#lens);
    const gist = summarizeStatus(status);
    if (position.sentStatus === gist) return;
    position.sentStatus = gist;
    position.isFree = viewer.write(`event: status\ndata: ${JSON.stringify(status)}\n\n`);
  }
}

export type StatusForLens = (lens: Lens) => LensStatus;

export class Broadcast {
  readonly widest: Lens;
  readonly #cutWith: LensMaker;
  #told: LiveNews[] = [];
  #streams = new Map<string, LensStream>();
  #former: LensStream[] = [];
  #status: StatusForLens | null = null;
  #isOver = false;

  constructor(widest: Lens, cutWith: LensMaker = lensFor) {
    this.widest = widest;
    this.#cutWith = cutWith;
  }

  add(news: LiveNews): void {
    this.#told.push(news);
    for (const stream of this.#streams.values()) stream.add(news);
  }

  /** Takes who is thinking now. The same list again is no news. */
  follow(thinkers: readonly Thinker[]): void {
    const before = this.#told.findLast(isThinkers) ?? [];
    const isKnown = thinkers.every((each) => before.includes(each));
    if (!isKnown || thinkers.length !== before.length) this.add(thinkers);
  }

  setStatus(status: StatusForLens): void {
    this.#status = status;
    for (const stream of this.#streams.values()) stream.setStatus(status);
  }

  end(): void {
    this.#isOver = true;
    for (const stream of this.#streams.values()) stream.end();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Begins another journal. Viewers of the previous one read it to its end. */
  startNext(): void {
    for (const stream of this.#streams.values()) {
      stream.end('next');
      this.#former.push(stream);
    }
    this.#former = this.#former.filter(({ size }) => size > 0);
    this.#told = [];
    this.#status = null;
    this.#streams = new Map();
  }

  get size(): number {
    return [...this.#former, ...this.#streams.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** The stream of a lens; null for a lens that shows more than the widest. */
  streamThrough(lens: Lens): LensStream | null {
    if (this.widest.type !== 'glass' && formatLens(lens) !== formatLens(this.widest)) return null;
    const known = this.#streams.get(formatLens(lens));
    if (known !== undefined) return known;
    const stream = new LensStream(lens, this.#cutWith);
    for (const news of this.#told) stream.add(news);
    if (this.#status !== null) stream.setStatus(this.#status);
    if (this.#isOver) stream.end();
    this.#streams.set(formatLens(lens), stream);
    return stream;
  }
}

function isThinkers(news: LiveNews): news is readonly Thinker[] {
  return Array.isArray(news);
}

/** The status through a lens. `ms` are durations, because clocks differ. */
export type LensStatus = {
  readonly thinking: readonly { readonly seat: Colour; readonly ms: number }[];
  readonly failures: readonly RequestFailure[];
  /** How long the table has been waited for; null if it is not. */
  readonly tableMs: number | null;
  /** The only player who is still waited for; null for several. Only the glass hears who that is on the ship. */
  readonly waitedFor: Colour | null;
  /** The text that models are writing; empty for every lens but the glass. */
  readonly writing: readonly Omit<SeatWords, 'requestKind'>[];
};

export function filterStatus(
  lens: Lens,
  { ms, thinkers, failures, writing }: GameStatus,
): LensStatus {
  const isShown = ({ seat }: { readonly seat: Colour }) => isFollowed(lens, seat);
  const table = thinkers.filter(({ requestKind }) => AT_TABLE.includes(requestKind));
  const living = thinkers.filter(({ requestKind }) => requestKind !== 'ghost');
  const [last, second] = lens.type === 'glass' ? living : table;
  return {
    waitedFor: second === undefined ? (last?.seat ?? null) : null,
    thinking: thinkers
      .filter(isShown)
      .map(({ seat, since }) => ({ seat, ms: Math.round(ms - since) })),
    failures: failures.filter(isShown),
    tableMs:
      table.length === 0 ? null : Math.round(ms - Math.min(...table.map(({ since }) => since))),
    writing:
      lens.type === 'glass'
        ? writing.map(({ seat, thought, message }) => ({ seat, thought, message }))
        : [],
  };
}

/** The parts that count as news. Viewers count seconds themselves. */
function summarizeStatus(status: LensStatus): string {
  const { thinking, failures, tableMs, waitedFor, writing } = status;
  const seats = thinking.map(({ seat }) => seat);
  return JSON.stringify([seats, failures, tableMs !== null, waitedFor, writing]);
}
