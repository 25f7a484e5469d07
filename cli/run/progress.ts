/** Progress of a run: one line on the terminal that is written over, and gone when the run is over. */
import { createProgressLine } from '../progress.ts';

const SECONDS_PER_MINUTE = 60;

export type RunGauge = {
  /** Says how many games are over. */
  show(done: number): void;
  clear(): void;
};

/** Only for people: without a terminal nothing is shown. */
export function runGauge(games: number): RunGauge {
  const line = createProgressLine();
  const started = performance.now();
  return {
    show: (done) => {
      const seconds = (performance.now() - started) / 1000;
      line.show(progressText(done, games, seconds));
    },
    clear: () => line.clear(),
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
