import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packJournal, unpackJournal } from '../../../actors/stores/journal.ts';

test('every text comes back as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 3000 }), async (text) => {
      expect(await unpackJournal(await packJournal(text))).toBe(text);
    }),
  );
});

test('a journal with any changed bit is damaged', async () => {
  const kept = await packJournal('{"a":1}\n{"b":2}\n');
  for (let bit = 0; bit < 8 * kept.packed.length; bit++) {
    const packed = Uint8Array.from(kept.packed);
    packed[bit >> 3] = (packed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const text = await unpackJournal({ ...kept, packed });
    // The last bits of the last byte may belong to nothing.
    if (text !== null) expect(text).toBe('{"a":1}\n{"b":2}\n');
  }
  const [first = '', ...others] = kept.digest;
  const digest = [first === '0' ? '1' : '0', ...others].join('');
  expect(await unpackJournal({ ...kept, digest })).toBeNull();
  expect(await unpackJournal({ ...kept, packed: new Uint8Array() })).toBeNull();
});
