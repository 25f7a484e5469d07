/** Picks one of several items, always the same for the same request, and the words of a text. */
import { createHash } from 'node:crypto';

export type Pick = <T>(from: readonly T[], what: string) => T | undefined;

export function picker(text: string): Pick {
  return (from, what) => {
    return from[wordOf(`${what} ${text}`) % Math.max(1, from.length)];
  };
}

/** A number from 0 to below 1, the same for the same words. */
export const uniform = (words: string): number => wordOf(words) / 2 ** 32;

function wordOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}

export function namesIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((name) => name !== '' && name !== 'and');
}
