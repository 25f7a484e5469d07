import { describe, expect, test } from 'vitest';
import { ACCUSING_WORDS, findAccusingWord, findHits } from '../../../machines/rules/mentions.ts';
import { COLOURS } from '../../../machines/types.ts';

describe.each(ACCUSING_WORDS)('ruling 31: the published word "%s"', (word) => {
  test.each([word, word.toUpperCase(), `${word}!`, `(${word})`, `is ${word}, I say`])(
    'accuses as "%s"',
    (found) => {
      expect(findAccusingWord(found)?.toLowerCase()).toBe(word);
      const hits = findHits(`Red ${found}`, 'blue', null, COLOURS);
      expect(hits.map(({ kind }) => kind)).toEqual(['mention', 'accusation']);
    },
  );

  test.each([`x${word}`, `${word}x`, `${word}é`, `_${word}`, `${word}2`, `non-${word}`])(
    'does not in "%s"',
    (hidden) => {
      expect(findAccusingWord(hidden)).not.toBe(word);
      expect(
        findHits(`Red ${hidden}`, 'blue', null, COLOURS).some(({ word: found }) => found === word),
      ).toBe(false);
    },
  );
});

test('no word is published twice, and none is a colour', () => {
  expect(new Set(ACCUSING_WORDS).size).toBe(ACCUSING_WORDS.length);
  for (const colour of COLOURS) expect(findAccusingWord(colour)).toBeNull();
});
