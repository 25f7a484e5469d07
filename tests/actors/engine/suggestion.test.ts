import { expect, test } from 'vitest';
import { suggestWord } from '../../../actors/engine/suggestion.ts';

const KNOWN = ['red', 'rose', 'orange', 'vote_after', 'watch', 'o2'];

test.each([
  ['red', 'red'],
  ['rde', 'red'],
  ['RED', 'red'],
  ['oragne', 'orange'],
  ['vote_afer', 'vote_after'],
  ['votes_after_', 'vote_after'],
  ['wach', 'watch'],
  ['watchhhh', 'watch'],
  ['watchhhhh', null],
  ['xyz', null],
  ['ab', null],
  ['', null],
])('%j may have been %j', (word, meant) => expect(suggestWord(word, KNOWN)).toBe(meant));

test('where nothing is known, nothing was meant', () => expect(suggestWord('red', [])).toBeNull());
