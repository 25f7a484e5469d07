/**
 * Sealed texts: each stored text carries a hash of itself and its place, so reading it detects a change or a move.
 *
 * A seal finds damage and careless edits. It does not stop a forger, who can hash anew: a result is checked against its
 * journal by `verify`.
 */
import { canonical } from '../../machines/journal/canonical.ts';
import { hashText } from '../ports/hash.ts';

/** The kind and the subject of a text: ["result", "spring", 17]. */
export type SealPlace = readonly (string | number)[];

/** Hexadecimal digits of SHA-256. */
const DIGITS = 64;

/** The text behind its hash and a space. */
export function seal(place: SealPlace, text: string): string {
  return `${hashText(`${canonical(place)}\n${text}`)} ${text}`;
}

/** The words for a text whose seal does not fit, or that this program can't have sealed. */
export const UNFIT = 'does not fit its hash, or was never written by this program';

/** A number that counts something; null where the text is none. */
export function readCount(text: string | null): number | null {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : null;
}

/** Null where the seal does not fit. */
export function unseal(place: SealPlace, sealed: string): string | null {
  const text = sealed.slice(DIGITS + 1);
  return sealed === seal(place, text) ? text : null;
}
