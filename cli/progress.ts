/** Progress for people: lines at the end of the terminal that are written over, and gone when they are cleared. */
import { realTime } from '../actors/ports/time.ts';
import { formatDuration, formatRate } from '../machines/text.ts';
import { printNote } from './output.ts';

const CLEAR = '\r\u001B[K';
/** Columns and lines of a terminal that does not say how many it has. */
const TERMINAL_WIDTH = 80;
const TERMINAL_HEIGHT = 24;
/** Lines that progress leaves to others. */
const OTHERS = 4;

export type Screen = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
};

/** Columns that a line may have without being broken. */
export function columnsOf({ columns }: Screen): number {
  return (columns || TERMINAL_WIDTH) - 1;
}

const NOTHING_SHOWN = { show: () => {}, clear: () => {}, [Symbol.dispose]: () => {} };

/** Shows a line, or several one below the other; without a terminal nothing. The line of a `using` is cleared at its end. */
export function createProgressLine(screen: Screen = process.stderr) {
  if (screen.isTTY !== true) return NOTHING_SHOWN;
  /** Lines above the last one. */
  let above = 0;
  const erase = () => (above === 0 ? CLEAR : `\r\u001B[${above}A\u001B[J`);
  const clear = () => {
    screen.write(erase());
    above = 0;
  };
  return {
    clear,
    [Symbol.dispose]: clear,
    show: (...texts: readonly string[]) => {
      const most = Math.max(1, (screen.rows || TERMINAL_HEIGHT) - OTHERS);
      const rows = texts.slice(-most).map((text) => text.slice(0, columnsOf(screen)));
      screen.write(`${erase()}${rows.join('\n')}`);
      above = rows.length - 1;
    },
  };
}

type CountOptions = {
  /** How many were done before this process began. */
  readonly before?: number;
  /** Without a terminal: whether a line tells of each tenth. */
  readonly tellsTenths?: boolean;
  readonly isQuiet?: boolean;
};

const TENTHS = 10;

/** Progress of something that is counted: "37 of 200 games, 12.3 a second, 14 s left". `more` follows the rate. */
export function createCountProgress(
  what: string,
  of: number,
  { before = 0, tellsTenths = false, isQuiet = false }: CountOptions = {},
) {
  if (isQuiet) return NOTHING_SHOWN;
  const line = createProgressLine();
  const started = realTime.now();
  let told = -1;
  const show = (done: number, more = '') => {
    const rate = (done - before) / ((realTime.now() - started) / 1000);
    const pace = done === before ? '' : `, ${formatRate(rate)}`;
    const left = done === before ? '' : `, ${formatDuration((of - done) / rate)} left`;
    const text = `${done} of ${of} ${what}${pace}${more}${left}`;
    line.show(text);
    const tenth = Math.floor((TENTHS * done) / of);
    if (!tellsTenths || process.stderr.isTTY === true || tenth === told) return;
    told = tenth;
    printNote(text);
  };
  return { ...line, show };
}

/** ", $1.25" behind a count; empty without a cost. */
export function formatCost(microdollars: number): string {
  return microdollars === 0 ? '' : `, $${(microdollars / 1e6).toFixed(2)}`;
}
