/** A gauge: one line on the terminal that is written over, and gone when it is cleared. */

const CLEAR = '\r\u001B[K';
/** Columns of a terminal that does not say how many it has. */
const WIDTH = 80;

/** Where it is shown. */
export type Screen = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
};

type ProgressLine = {
  show(text: string): void;
  clear(): void;
};

/** Only for people: without a terminal nothing is shown. */
export function createProgressLine(screen: Screen = process.stderr): ProgressLine {
  if (screen.isTTY !== true) return { show: () => {}, clear: () => {} };
  return {
    show: (text) => {
      screen.write(`${CLEAR}${text.slice(0, (screen.columns || WIDTH) - 1)}`);
    },
    clear: () => {
      screen.write(CLEAR);
    },
  };
}
