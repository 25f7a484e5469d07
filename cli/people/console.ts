/** The console: somebody plays in the terminal that tells the game. */
import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import type { SeatStatus } from '../../machines/turnPrompt.ts';
import { clean } from '../../visualizer/terminal/clean.ts';
import { printNote } from '../output.ts';
import { askingText, HELP } from './asking.ts';
import { readTyped } from './typed.ts';

/** The seat of whoever sits at the terminal. */
export type Seat = {
  readonly seating: SeatStatus;
  watch(look: () => void): () => void;
  come(): () => void;
  answer(id: number, received: unknown): string | null;
  leave(): void;
};

type Asked = NonNullable<SeatStatus['asked']>;

/** Milliseconds between two looks at the time that is left. */
const SECOND = 1000;

export class Console {
  readonly #seat: Seat;
  readonly #lines: Interface;
  readonly #isTerminal = process.stdin.isTTY === true;
  /** Lines that came before they were asked for, as on a pipe. */
  readonly #typed: string[] = [];
  /** Nothing more comes: who has answered all that they have answers for leaves. */
  #isEnded = false;
  /** The number of what was asked last, and when its time is up. */
  #asked: { readonly id: number; readonly until: number } | null = null;
  #ticking: NodeJS.Timeout | null = null;
  #stopWatching: () => void = () => {};
  #go: () => void = () => {};

  constructor(seat: Seat) {
    this.#seat = seat;
    this.#lines = createInterface({
      input: process.stdin,
      output: process.stderr,
      terminal: this.#isTerminal,
    });
  }

  /** Takes the seat; Ctrl-C does what it does anywhere, and the end of the input leaves. */
  open(): void {
    this.#lines.on('line', (line) => this.#take(line));
    this.#lines.on('SIGINT', () => process.emit('SIGINT'));
    this.#lines.on('close', () => {
      this.#isEnded = true;
      if (this.#typed.length === 0) this.#seat.leave();
    });
    this.#stopWatching = this.#seat.watch(() => this.#look());
    this.#go = this.#seat.come();
  }

  close(): void {
    this.#stopWatching();
    this.#rest();
    this.#go();
    this.#lines.close();
  }

  /** Writes something above the line in which somebody types. */
  above<T>(write: () => T): T {
    if (this.#asked === null || !this.#isTerminal) return write();
    cursorTo(process.stderr, 0);
    clearLine(process.stderr, 0);
    const written = write();
    this.#lines.prompt(true);
    return written;
  }

  #look(): void {
    const { asked } = this.#seat.seating;
    if (asked?.id === this.#asked?.id) return;
    if (asked === null) this.#rest();
    else this.#ask(asked);
  }

  #ask({ id, ms, offer }: Asked): void {
    const isFirst = this.#asked === null && id === 1;
    this.#asked = { id, until: performance.now() + ms };
    for (const line of askingText(offer, isFirst)) printNote(indented(line));
    this.#tick();
    if (this.#isTerminal) this.#ticking ??= setInterval(() => this.#tick(), SECOND);
    this.#next();
  }

  /** Goes on with what was typed before; in a moment, because the question may not be out yet. */
  #next(): void {
    const early = this.#typed.shift();
    if (early !== undefined) setImmediate(() => this.#take(early));
    else if (this.#isEnded) setImmediate(() => this.#seat.leave());
  }

  /** Shows the time that is left, and what has been typed. */
  #tick(): void {
    if (this.#asked === null || this.#isEnded) return;
    const seconds = Math.ceil((this.#asked.until - performance.now()) / SECOND);
    this.#lines.setPrompt(`  ${this.#seat.seating.seat}, ${Math.max(0, seconds)} s > `);
    this.#lines.prompt(true);
  }

  /** Nothing is asked any more: answered, or too late. */
  #rest(): void {
    const wasAsked = this.#asked;
    this.#asked = null;
    if (this.#ticking !== null) clearInterval(this.#ticking);
    this.#ticking = null;
    if (wasAsked !== null && performance.now() >= wasAsked.until)
      printNote('\n  Too late: you pass.');
    else if (wasAsked !== null && !this.#isTerminal) printNote('');
  }

  #take(line: string): void {
    const { asked } = this.#seat.seating;
    if (asked === null) {
      if (!this.#isTerminal) this.#typed.push(line);
      else if (line.trim() === '/leave') this.#seat.leave();
      else if (line.trim() !== '') printNote('  Nobody waits for you now.');
      return;
    }
    const typed = readTyped(line, asked.offer);
    switch (typed.type) {
      case 'answer':
        this.#tell(this.#seat.answer(asked.id, typed.answer));
        break;
      case 'sentence':
        this.#tell(typed.text);
        break;
      case 'help':
        for (const row of HELP) printNote(row);
        this.#again();
        break;
      case 'leave':
        this.#seat.leave();
        break;
    }
  }

  #tell(sentence: string | null): void {
    if (sentence === null) return;
    printNote(indented(`  ${sentence}`));
    this.#again();
  }

  #again(): void {
    if (!this.#isEnded) this.#lines.prompt();
    this.#next();
  }
}

/** Cleaned, with the white space in front that lays it out. */
function indented(line: string): string {
  const text = line.trimStart();
  return `${line.slice(0, line.length - text.length)}${clean(text)}`;
}
