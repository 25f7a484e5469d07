/** Picking: one of several, the same for the same request; and the words of a text to pick from. */
import { createHash } from 'node:crypto';

export type Pick = <T>(from: readonly T[], what: string) => T | undefined;

export function picker(text: string): Pick {
  return (from, what) => {
    const hash = createHash('sha256').update(`${what} ${text}`).digest();
    return from[hash.readUInt32BE(0) % Math.max(1, from.length)];
  };
}

export function namesIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((name) => name !== '' && name !== 'and');
}
