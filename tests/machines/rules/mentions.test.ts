import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ACCUSING_WORDS,
  findAccusingWord,
  findHits,
  findNames,
  splitSentences,
} from '../../../machines/rules/mentions.ts';
import { COLOURS, type Colour, type Hit } from '../../../machines/types.ts';
import { law, someColour } from '../builders.ts';

const RED = ['red mention', 'red accusation'] as const;

/** The boosts that a message of blue gives at a full table, as "red mention". */
function hits(
  message: string,
  target: Colour | null = null,
  seated: readonly Colour[] = COLOURS,
): readonly string[] {
  return findHits(message, 'blue', target, seated).map(({ seat, kind }: Hit) => `${seat} ${kind}`);
}

describe('ruling 28: a name is a whole word in any case, possessive and plural allowed', () => {
  test.each([
    ...['red', 'Red', 'RED', 'rEd', "Red's", 'Red’s', 'reds', 'Reds', "Red'", 'red.', '(red)'],
    ...['"red"', 'red,blue', 'red-handed', 'it was red', 'red it was', 'red/pink', 'red…', 'red\n'],
    '«red»',
  ])('"%s" names red', (message) => {
    expect(hits(message)).toContain('red mention');
  });

  test.each([
    ...['covered', 'reddish', 'bored', 'Fred', 'redder', 'réd', 'rèd', 'éred', 'redé', 'red2'],
    ...['2red', 'red_', '_red', 'r ed', 'redss', 'hundreds', 'sacred', ''],
  ])('"%s" names nobody', (message) => {
    expect(hits(message)).toEqual([]);
  });

  test.each(COLOURS)('%s is named by its own name and by no other', (colour) => {
    expect(findNames(`I saw ${colour} there`)).toEqual([{ seat: colour, word: colour }]);
  });

  test('names are found in order, each as often as it comes', () => {
    expect(findNames('Red, pink and Red’s friend').map(({ word }) => word)).toEqual([
      'Red',
      'pink',
      'Red’s',
    ]);
  });
});

test.each([
  ['white', 'the white walls of MedBay'],
  ['black', 'it went black'],
  ['orange', 'an orange light'],
  ['rose', 'smoke rose'],
  ['lime', 'lime juice'],
  ['tan', 'a nice tan'],
  ['pink', 'pink wires'],
] as const)('ruling 29: %s alone counts even where "%s" means no player', (colour, message) => {
  expect(hits(message)).toEqual([`${colour} mention`]);
});

describe('ruling 30: the speaker never boosts himself', () => {
  test.each([
    ['by name', 'I, Blue, was in Admin', null, []],
    ['by accusing himself', 'blue is sus, sure', null, []],
    ['by the target field', 'listen', 'blue', []],
    ['while he names somebody else', 'blue saw red', null, ['red mention']],
  ] as const)('%s', (_, message, target, expected) => {
    expect(hits(message, target)).toEqual(expected);
  });
});

describe('ruling 31: an accusation is the target, or a name and an accusing word in one sentence', () => {
  test.each<[string, string, Colour | null, readonly string[]]>([
    ['the target alone gives A and no M', 'where were you?', 'red', ['red accusation']],
    ['a name alone gives M and no A', 'Red was with me', null, ['red mention']],
    ['an accusing word alone gives nothing', 'somebody is sus', null, []],
    ['both in one sentence give M and A', 'Red is sus', null, RED],
    ['in the other order too', 'the killer is Red', null, RED],
    ['in the next sentence only M', 'Red. Somebody is sus', null, ['red mention']],
    ['in the sentence before only M', 'Somebody is sus! Red?', null, ['red mention']],
    ['a semicolon ends a sentence', 'Red was here; somebody lied', null, ['red mention']],
    ['so does a new line', 'sus\nRed', null, ['red mention']],
    ['a comma does not', 'sus, Red', null, RED],
    [
      'everybody named in that sentence is accused',
      'Red or pink vented',
      null,
      [...RED, 'pink mention', 'pink accusation'],
    ],
    ['A is given once', 'Red lied. Red is sus.', 'red', ['red accusation', 'red mention']],
    ['M is given once however often it was found', 'Red, red, RED', null, ['red mention']],
    ['accused in a later sentence than first named', 'Red spoke. Red lied.', null, RED],
    [
      'the target may be another than who is named',
      'did Red pass?',
      'pink',
      ['pink accusation', 'red mention'],
    ],
    ['a simple string match knows no negation', 'Red is not sus', null, RED],
    [
      'part of an accusing word is none',
      'Red was killing-time in believable trust',
      null,
      ['red mention'],
    ],
  ])('%s', (_, message, target, expected) => {
    expect(hits(message, target)).toEqual(expected);
  });

  test('only who sits at the table is hit', () => {
    expect(hits('Red and pink are sus', 'coral', ['blue', 'pink'])).toEqual([
      'pink mention',
      'pink accusation',
    ]);
  });

  test('every hit has its word and its reason (ruling 29)', () => {
    expect(findHits("Red's story is fake", 'blue', 'pink', COLOURS)).toEqual([
      {
        seat: 'pink',
        kind: 'accusation',
        word: 'target',
        reason: 'the message is directed at them',
      },
      { seat: 'red', kind: 'mention', word: "Red's", reason: 'named as a whole word' },
      { seat: 'red', kind: 'accusation', word: 'fake', reason: 'in the same sentence as "Red\'s"' },
    ]);
  });
});

law(
  'ruling 31: nobody is hit twice in one way, and the speaker and the absent never',
  fc.property(
    fc.array(
      fc.oneof(someColour, fc.constantFrom(...ACCUSING_WORDS, '.', '!', ', ', 'covered', "'s")),
      { maxLength: 40 },
    ),
    someColour,
    fc.option(someColour),
    fc.subarray([...COLOURS]),
    (words, speaker, target, seated) => {
      const found = findHits(words.join(' '), speaker, target, seated);
      const keys = found.map(({ seat, kind }) => `${seat} ${kind}`);
      expect(new Set(keys).size).toBe(keys.length);
      for (const { seat } of found) {
        expect(seat).not.toBe(speaker);
        expect(seated).toContain(seat);
      }
    },
  ),
);

law(
  'ruling 28: a name inside letters is never found, whatever letters they are',
  fc.property(someColour, fc.constantFrom(...'abcxyzéüßñøłжя中0_'), (colour, letter) => {
    expect(findNames(`${letter}${colour}`)).toEqual([]);
    expect(findNames(`${colour}${letter}`)).toEqual([]);
  }),
);

law(
  'ruling 28: a text names the same whatever alphabet it goes on in',
  fc.property(
    fc.array(
      fc.oneof(
        someColour,
        someColour.map((colour) => colour.toUpperCase()),
        fc.constantFrom(...ACCUSING_WORDS),
        fc.constantFrom(..."s'_-.,x0 \n\t\0\x7f"),
      ),
      { maxLength: 12 },
    ),
    (pieces) => {
      const text = pieces.join('');
      expect(findNames(`${text} é`)).toEqual(findNames(text));
    },
  ),
);

test('sentences keep every character', () => {
  const text = 'One. Two! Three? Four; five\nsix';
  expect(splitSentences(text)).toHaveLength(6);
  expect(splitSentences(text).join('')).toBe(text);
  expect(findAccusingWord('nothing here')).toBeNull();
});

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
