import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readText } from '../../actors/ports/reading.ts';
import { SEED } from '../machines/builders.ts';

const MOST = 1_000_000;

async function* inParts(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

async function collect(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}

const row = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('', '\r', 'café', '🦊', '\u0000'),
);
const rows = fc.array(row, { maxLength: 12 }).map((all) => all.join('\n'));
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 });

test.each(['utf8', 'utf16le'] as const)(`%s in any parts (seed ${SEED})`, async (encoding) => {
  await fc.assert(
    fc.asyncProperty(rows, sizes, async (text, cuts) => {
      // Bytes that are no file of another program, and the mark of Windows before UTF-16.
      const bytes = Buffer.from(
        `${encoding === 'utf8' ? '' : '\uFEFF'}{ text: 1234567890 }${text}`,
        encoding,
      );
      const whole = new TextDecoder(encoding === 'utf8' ? 'utf-8' : 'utf-16le').decode(bytes);
      expect(await collect(readText(inParts(bytes, cuts), MOST))).toBe(whole);
    }),
    { seed: SEED, numRuns: 200 },
  );
});

test(`bytes that are no UTF-8 become the same signs as in one piece (seed ${SEED})`, async () => {
  const noise = fc.array(fc.constantFrom(0x0a, 0x41, 0x80, 0xc3, 0xe2, 0x82, 0xf0, 0xff), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(noise, sizes, async (all, cuts) => {
      const bytes = Buffer.concat([Buffer.from('{ text: 1234567890 }'), Uint8Array.from(all)]);
      const whole = new TextDecoder().decode(bytes);
      expect(await collect(readText(inParts(bytes, cuts), MOST))).toBe(whole);
    }),
    { seed: SEED, numRuns: 200 },
  );
});
