/** SHA-256 in a tab. The platform's own is asynchronous, and the hash of a journal line can't be. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { hashText as hashTextInNode } from '../../../actors/ports/hash.ts';

export const hashText: typeof hashTextInNode = (text) => bytesToHex(sha256(utf8ToBytes(text)));
