/** Progress of a league: how many games are over, how fast, what they have cost, and what is left. */
import { printNote } from '../output.ts';

const CLEAR = '\r\u001B[K';
const WIDTH = 80;
const MICRO = 1e6;
const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;

export class Progress {
  readonly #games: number;
  readonly #before: number;
  readonly #started = performance.now();
  readonly #isTerminal = process.stderr.isTTY === true;
  readonly #isQuiet: boolean;
  #done: number;
  #lost = 0;
  #microdollars = 0;
  #told = -1;

  /** `before` games were over when it began. */
  constructor(games: number, before: number, isQuiet: boolean) {
    this.#games = games;
    this.#before = before;
    this.#done = before;
    this.#isQuiet = isQuiet;
  }

  /** One more game is over. */
  played(microdollars: number): void {
    this.#done += 1;
    this.#microdollars += microdollars;
    this.#show();
  }

  lost(text: string): void {
    this.#lost += 1;
    this.clear();
    if (!this.#isQuiet) printNote(`Not played for now: ${text.split('\n')[0] ?? ''}`);
    this.#show();
  }

  clear(): void {
    if (this.#isTerminal && !this.#isQuiet) process.stderr.write(CLEAR);
  }

  /** On a terminal one line that is written over; elsewhere a line for each tenth. */
  #show(): void {
    if (this.#isQuiet) return;
    const text = this.#text();
    if (this.#isTerminal) {
      process.stderr.write(`${CLEAR}${text.slice(0, (process.stderr.columns || WIDTH) - 1)}`);
      return;
    }
    const tenth = Math.floor((TENTHS * this.#done) / this.#games);
    if (tenth === this.#told) return;
    this.#told = tenth;
    printNote(text);
  }

  #text(): string {
    const seconds = (performance.now() - this.#started) / 1000;
    const rate = (this.#done - this.#before) / seconds;
    const left = rate === 0 ? '' : `, ${spoken((this.#games - this.#done) / rate)} left`;
    const cost = this.#microdollars === 0 ? '' : `, $${(this.#microdollars / MICRO).toFixed(2)}`;
    const lost = this.#lost === 0 ? '' : `, ${this.#lost} not played`;
    return `${this.#done} of ${this.#games} games, ${pace(rate)}${cost}${lost}${left}`;
  }
}

const TENTHS = 10;
/** Games a second below which nobody reads games a second. */
const SLOW = 0.5;

function pace(rate: number): string {
  if (rate >= SLOW) return `${rate.toFixed(1)} a second`;
  return `${(rate * SECONDS_PER_MINUTE).toFixed(1)} a minute`;
}

function spoken(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < SECONDS_PER_MINUTE) return `${whole} s`;
  const minutes = Math.floor(whole / SECONDS_PER_MINUTE);
  if (minutes < MINUTES_PER_HOUR) return `${minutes} min ${whole % SECONDS_PER_MINUTE} s`;
  return `${Math.floor(minutes / MINUTES_PER_HOUR)} h ${minutes % MINUTES_PER_HOUR} min`;
}
