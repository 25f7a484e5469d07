/** Progress of a run: one line on the terminal that is written over, and gone when the run is over. */

const CLEAR = '\r\u001B[K';
const WIDTH = 80;
const SECONDS_PER_MINUTE = 60;

export type RunGauge = {
  /** Says how many games are over. */
  show(done: number): void;
  clear(): void;
};

const NO_GAUGE: RunGauge = { show: () => {}, clear: () => {} };

/** Only for people: without a terminal nothing is shown. */
export function runGauge(games: number): RunGauge {
  if (process.stderr.isTTY !== true) return NO_GAUGE;
  const started = performance.now();
  return {
    show: (done) => {
      const seconds = (performance.now() - started) / 1000;
      const text = progressText(done, games, seconds);
      process.stderr.write(`${CLEAR}${text.slice(0, (process.stderr.columns || WIDTH) - 1)}`);
    },
    clear: () => {
      process.stderr.write(CLEAR);
    },
  };
}

/** "37 of 200 games, 12.3 a second, 14 s left". */
function progressText(done: number, games: number, seconds: number): string {
  const rate = done / seconds;
  const left = `${spoken((games - done) / rate)} left`;
  return `${done} of ${games} games${done === 0 ? '' : `, ${rate.toFixed(1)} a second, ${left}`}`;
}

function spoken(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < SECONDS_PER_MINUTE) return `${whole} s`;
  return `${Math.floor(whole / SECONDS_PER_MINUTE)} min ${whole % SECONDS_PER_MINUTE} s`;
}
