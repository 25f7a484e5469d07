/** The journal of a finished game, as a store keeps it: compressed to a sixth, with the hash of its text. */
import { realCompression } from '../ports/compression.ts';
import { hashText } from '../ports/hash.ts';
import type { Compression } from '../ports/ports.ts';

export type KeptJournal = { readonly digest: string; readonly packed: Uint8Array };

/** Bytes of the longest journal that is read back: damaged bytes could unpack to any length. */
const LONGEST = 2 ** 26;

export async function packJournal(
  text: string,
  compression: Compression = realCompression,
): Promise<KeptJournal> {
  return { digest: hashText(text), packed: await compression.pack(text) };
}

export async function unpackJournal(
  { digest, packed }: KeptJournal,
  compression: Compression = realCompression,
): Promise<string | null> {
  const bytes = await compression.unpack(packed, LONGEST);
  const text = bytes === null ? null : Buffer.from(bytes).toString('utf8');
  return text !== null && hashText(text) === digest ? text : null;
}
