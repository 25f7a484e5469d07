/**
 * The journal of a game that is over, as a store keeps it: compressed to a sixth, with the hash of its text.
 *
 * A reader gets the very bytes that were written, or learns that they are damaged.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

export type KeptJournal = {
  /** SHA-256 of the text, as hexadecimal digits. */
  readonly digest: string;
  readonly packed: Uint8Array;
};

const deflate = promisify(deflateRaw);
const inflate = promisify<Uint8Array, { readonly maxOutputLength: number }, Buffer>(inflateRaw);

/** Bytes of the longest journal that is read back: damaged bytes could unpack to any length. */
const LONGEST = 2 ** 30;

export function digestJournal(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export async function packJournal(text: string): Promise<KeptJournal> {
  return { digest: digestJournal(text), packed: await deflate(text) };
}

/** The text; null where the bytes are damaged. */
export async function unpackJournal({ digest, packed }: KeptJournal): Promise<string | null> {
  const bytes = await inflate(packed, { maxOutputLength: LONGEST }).catch(() => null);
  const text = bytes?.toString('utf8') ?? null;
  return text !== null && digestJournal(text) === digest ? text : null;
}
