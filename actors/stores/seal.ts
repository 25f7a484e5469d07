/**
 * Sealed texts: each stored text carries a hash of itself and its place, so reading it detects a change or a move. A
 * forger can hash anew: `verify` checks a result against its journal.
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
