/** Picking: one of several, the same for the same request. */
import { createHash } from 'node:crypto';

export type Pick = <T>(from: readonly T[], what: string) => T | undefined;

export function picker(text: string): Pick {
  return (from, what) => {
    const hash = createHash('sha256').update(`${what} ${text}`).digest();
    return from[hash.readUInt32BE(0) % Math.max(1, from.length)];
  };
}
