/**
 * Hashing in a browser, where SHA-256 of the platform is asynchronous and the journal's hash can't be: that of FIPS 180-4,
 * whose names are kept.
 */
import type { hashText as hashTextInNode } from '../../../actors/ports/hash.ts';

/** Bytes of a block, and those of the length at the end of the last one. */
const BLOCK = 64;
const LENGTH = 8;
const ROUNDS = 64;

/** The first 32 bits of the fractional part of a root of each of the first primes. */
function takeRoots(count: number, degree: 2 | 3): Uint32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((p) => n % p > 0)) primes.push(n);
  return Uint32Array.from(primes, (prime) => (prime ** (1 / degree) % 1) * 2 ** 32);
}

const K = takeRoots(ROUNDS, 3);
const START = takeRoots(8, 2);
const encoder = new TextEncoder();
/** The message schedule of the block that is worked on. */
const W = new Uint32Array(ROUNDS);

export const hashText: typeof hashTextInNode = (text) => {
  const message = encoder.encode(text);
  const padded = new Uint8Array(Math.ceil((message.length + 1 + LENGTH) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - LENGTH, BigInt(message.length) * 8n);
  const hash = START.slice();
  for (let at = 0; at < padded.length; at += BLOCK) addBlock(hash, view, at);
  return Array.from(hash, (word) => word.toString(16).padStart(8, '0')).join('');
};

/** Works one block into the hash. Additions are modulo 2^32, which arrays of words see to. */
function addBlock(hash: Uint32Array, view: DataView, at: number): void {
  for (let t = 0; t < ROUNDS; t++) {
    W[t] = t < 16 ? view.getUint32(at + 4 * t) : nextWord(t);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let t = 0; t < ROUNDS; t++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first =
      h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + at32(K, t) + at32(W, t);
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    hash[index] = at32(hash, index) + word;
  }
}

function nextWord(t: number): number {
  const near = at32(W, t - 2);
  const far = at32(W, t - 15);
  const one = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10);
  const other = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3);
  return one + at32(W, t - 7) + other + at32(W, t - 16);
}

function at32(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

/** To the right. */
function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
