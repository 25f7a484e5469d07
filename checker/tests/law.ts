/** A law is a test over generated cases. Its seed is in its name; set FC_SEED to try another one. */
import fc from 'fast-check';
import { test } from 'vitest';

export const SEED = Number(process.env['FC_SEED'] ?? 1);

export function law<Ts>(name: string, property: fc.IProperty<Ts>, numRuns = 200): void {
  test(`${name} (seed ${SEED})`, () => {
    fc.assert(property, { seed: SEED, numRuns });
  });
}

export function charts(few: number, many: number): number {
  return process.env['TEST_LONG'] === '1' ? many : few;
}
