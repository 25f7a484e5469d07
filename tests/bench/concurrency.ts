/** A tick whose minds take 5 to 50 real milliseconds, against the sum of their delays: what asking in turn costs. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SlowMind } from '../../actors/minds/port.ts';
import { realTime } from '../../actors/ports/time.ts';
import { meetingMatchSchema } from '../../machines/setup/match.ts';
import { meet } from './meetings.ts';
import { delayMs, mindsOf, replyTo, TEN, tableOfTen } from './table-of-ten.ts';

const TICKS = 20;

export type Concurrency = {
  readonly ticks: number;
  /** Real milliseconds of a tick, all of it included. */
  readonly tickMs: number;
  /** The slowest mind of a tick: no tick can be faster. */
  readonly slowestMs: number;
  /** All minds of a tick one after the other. */
  readonly inTurnMs: number;
};

export async function concurrency(): Promise<Concurrency> {
  const match = meetingMatchSchema.parse({ ...tableOfTen, options: { max_ticks: TICKS } });
  const minds = mindsOf(
    (seat): SlowMind => ({
      pace: 'in-time',
      answer: async (request, signal) => {
        await sleep(request.index < TICKS ? delayMs(request.index, seat) : 0, undefined, {
          signal,
        });
        return replyTo(request, seat);
      },
    }),
  );
  const start = performance.now();
  const { ticks } = await meet({ seed: 1, minds, clock: realTime, sink: null, match });
  const delays = Array.from({ length: ticks }, (_, tick) => TEN.map((seat) => delayMs(tick, seat)));
  return {
    ticks,
    tickMs: (performance.now() - start) / ticks,
    slowestMs: mean(delays.map((tick) => Math.max(...tick))),
    inTurnMs: mean(delays.map((tick) => tick.reduce((sum, delay) => sum + delay, 0))),
  };
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
