/**
 * The hash chain: each line carries the hash of itself and of everything before it in its channel.
 *
 * A line is its canonical body, then `clock` where there is one, then `hash`. The hash covers the body and not the
 * clock, so two runs that differ only in time have the same hashes.
 */
import { hash } from 'node:crypto';
import type { Channel } from '../../../machines/journal/lines.ts';

/** What the first line of a channel is chained to. */
export const origin = (channel: Channel): string => `glassbox journal 1 ${channel}`;

/** The hash of a body that follows a line with the hash `previous`: SHA-256 in hexadecimal. */
export function chained(previous: string, body: string): string {
  return hash('sha256', `${previous}\n${body}`, 'hex');
}

/** A whole line out of its parts, without the line break. */
export function lineText(body: string, clock: string | null, hashed: string): string {
  return `${body.slice(0, -1)}${clock === null ? '' : `,"clock":${clock}`},"hash":"${hashed}"}`;
}
