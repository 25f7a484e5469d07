/** Shares as people read them. */
import type { Interval } from '../analysis/statistics/wilson.ts';

/** A share with what it may be, in percent: "55 %, 48 to 62". */
export function percents({ share, least, most }: Interval): string {
  const percent = (part: number) => Math.round(part * 100);
  return `${percent(share)} %, ${percent(least)} to ${percent(most)}`;
}
