/** Pace: how fast a meeting is told. Watching is for people; on a pipe nobody waits. */
import { InvalidArgumentError, Option } from 'commander';
import { RANGES } from '../machines/rules/options.ts';

/** Milliseconds between two steps at speed 1: time to read a sentence. */
const BEAT_MS = 1400;
export const SPEEDS = { slow: 0.5, normal: 1, fast: 3, max: Number.POSITIVE_INFINITY } as const;
/** Factors that can be told from no rest at all, and from a standstill. */
const SLOWEST = 0.1;
const FASTEST = 100;

/** Reads --speed: a name, or a factor. */
function parseSpeed(text: string): number {
  const named = Object.entries(SPEEDS).find(([name]) => name === text)?.[1];
  if (named !== undefined) return named;
  const factor = Number(text);
  if (text.trim() === '' || Number.isNaN(factor) || factor < SLOWEST || factor > FASTEST) {
    const names = Object.keys(SPEEDS).join(', ');
    throw new InvalidArgumentError(`expected ${names} or a factor from ${SLOWEST} to ${FASTEST}.`);
  }
  return factor;
}

export function speedOption(more = ''): Option {
  return new Option('--speed <speed>', `slow, normal, fast, max or a factor${more}`).argParser(
    parseSpeed,
  );
}

/** Milliseconds of rest between steps at a speed. `atNormal` is what the scenario wants at speed 1. */
export function beatMs(speed: number, atNormal = BEAT_MS): number {
  return Math.min(RANGES.beatMs.most, Math.round(atNormal / speed));
}
