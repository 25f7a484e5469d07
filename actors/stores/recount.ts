/** The recount: all careers once more from the results, and which of those that are kept are wrong. */
import { type Career, type Counters, careersIn, sum } from './career.ts';
import type { Result } from './result.ts';

export type Recount = Map<string, Career>;

/** Adds a result to a recount. */
export function recounted(counted: Recount, result: Pick<Result, 'seats'>): void {
  for (const [id, { persona, counters }] of careersIn(result)) {
    counted.set(id, { persona, counters: sum(counted.get(id)?.counters ?? {}, counters) });
  }
}

/** Whether two counts are the same; what is not counted is 0. */
export function isSameCount(one: Counters, other: Counters): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => (one[name] ?? 0) === (other[name] ?? 0));
}
