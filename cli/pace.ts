/** Pace: how fast a meeting is told. Watching is for people; on a pipe nobody waits. */
import { InvalidArgumentError } from 'commander';

/** Milliseconds between two steps at speed 1: time to read a sentence. */
const BEAT_MS = 1400;
export const NAMED = { slow: 0.5, normal: 1, fast: 3, max: Number.POSITIVE_INFINITY } as const;

/** Reads --speed: a name, or a factor from 0.1 to 100. */
export function parseSpeed(text: string): number {
  const named = Object.entries(NAMED).find(([name]) => name === text)?.[1];
  const factor = named ?? Number(text);
  if (Number.isNaN(factor) || factor < 0.1 || (factor > 100 && factor !== NAMED.max)) {
    throw new InvalidArgumentError(
      `expected ${Object.keys(NAMED).join(', ')} or a factor from 0.1 to 100.`,
    );
  }
  return factor;
}

/** Milliseconds of rest between steps. Without a choice people get speed 1 and pipes do not wait. */
export function beatMs(speed: number | undefined, isTerminal: boolean): number {
  const factor = speed ?? (isTerminal ? NAMED.normal : NAMED.max);
  return Math.round(BEAT_MS / factor);
}
