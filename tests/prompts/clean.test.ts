import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanLine, cleanPage, LONGEST_MESSAGE } from '../../prompts/clean.ts';
import { law } from '../machines/builders.ts';

/** Pieces that can join into something else when one of them goes. */
const pieces = fc.constantFrom(
  ...['<', '|', '>', '[', ']', '/', 'INST', 'im_end', 'a', 'A', '7', ' ', '\n', '…', '\u0301'],
  ...['\u200b', '\u200d', '\ud83d', '\u1100', '\u1161', '\u11a8', '\u3164', '＜', '｜', 'ﬁ', '🔥'],
);
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
);

/** Texts mostly of characters that cleaning keeps, and of ones that it removes. */
const plainTexts = fc.string({
  unit: fc.constantFrom(
    ...['a', 'A', '9', '0', ' ', '!', '.', '’', '\n', '<', '[', '…'],
    ...['\u001f', ';', '=', 'Z', '\\', '~', '\u007f', '\u2018', '\u201a', '[INST]'],
  ),
  maxLength: 40,
});
/** A letter that is as clean as any other, and makes a text go all the way through the cleaning. */
const FOREIGN = 'é';

describe('a line', () => {
  test.each([
    ['plain words stay', 'I was in Admin.', 'I was in Admin.'],
    ['spaces at the ends go', '  hi  ', 'hi'],
    ['breaks become spaces', 'one\r\ntwo\n\nthree', 'one two three'],
    ['three in a row stay', 'Nooo!!!', 'Nooo!!!'],
    ['four become three', 'Noooo!!!!', 'Nooo!!!'],
    ['figures are left alone', '100000 times', '100000 times'],
    ['an ellipsis stays one character', 'Well…', 'Well…'],
    ['a heart is no tag', 'I <3 wires', 'I <3 wires'],
    ['a comparison is no tag', '3 < 4', '3 < 4'],
    ['a tag is defused', '<b>red</b>', '< b>red< /b>'],
    ['two marks on a letter stay', 'e\u0323\u0302', '\u1ec7'],
    ['nothing is nothing', '\u200b\u200b', ''],
    ['joined emoji stay', '👩🏽‍🚀 🏳️‍🌈 ❤️ 1️⃣', '👩🏽‍🚀 🏳️‍🌈 ❤️ 1️⃣'],
    ['joiners of Persian and Hindi stay', 'می‌دانم क्‍ष', 'می‌دانم क्‍ष'],
    ['other joiners go', 're\u200dd \u200c🔥\u200d x\ufe0f', 'red 🔥 x'],
  ])('%s', (_, text, line) => {
    expect(cleanLine(text)).toBe(line);
  });

  test('has at most 600 characters as a reader counts them, and never half of one', () => {
    const flags = '🇩🇪🇫🇷'.repeat(400);
    expect(cleanLine(flags)).toBe('🇩🇪🇫🇷'.repeat(LONGEST_MESSAGE / 2));
    expect(cleanLine('ab'.repeat(300))).toHaveLength(600);
    expect(cleanLine('ab'.repeat(301))).toHaveLength(600);
  });

  law(
    'that is clean stays as it is, whatever it was made of',
    fc.property(texts, (text) => {
      const once = cleanLine(text);
      expect(cleanLine(once)).toBe(once);
      expect(once).not.toMatch(/[\n\r\u2028\u2029]/);
    }),
    2000,
  );
});

describe('a page', () => {
  test('keeps its lines', () => {
    expect(cleanPage('- Red: liar\n- Blue\u200b: ok\r\n')).toBe('- Red: liar\n- Blue: ok\n');
  });

  law(
    'of plain lines is cleaned as it is beside a foreign one',
    fc.property(plainTexts, (text) => {
      expect(`${cleanPage(text)}\n${FOREIGN}`).toBe(cleanPage(`${text}\n${FOREIGN}`));
    }),
    2000,
  );

  law(
    'that is clean stays as it is',
    fc.property(texts, (text) => {
      const once = cleanPage(text);
      expect(cleanPage(once)).toBe(once);
    }),
    2000,
  );
});

test.each([
  ['two spaces become one', 'a  b', 'a b'],
  ['a cut behind a word leaves no space', `${'ab'.repeat(299)}c de`, `${'ab'.repeat(299)}c`],
])('%s', (_, text, clean) => {
  expect(cleanLine(text)).toBe(clean);
});
