import { expect, test } from 'vitest';
import { hashText as hashTextInNode } from '../../../actors/ports/hash.ts';
import { hashText } from '../../../visualizer/playground/ports/hash.ts';

const BLOCK = 64;

test('a tab hashes as Node does, at every length around a block, and whatever the characters', () => {
  for (let length = 0; length <= 2 * BLOCK + 1; length++) {
    const text = 'a'.repeat(length);
    expect(hashText(text), `${length} bytes`).toBe(hashTextInNode(text));
  }
  for (const text of ['„Who?“ – red …', '🚀\u0000', '\ud800', '{"channel":"living"}'.repeat(500)]) {
    expect(hashText(text), JSON.stringify(text)).toBe(hashTextInNode(text));
  }
});
