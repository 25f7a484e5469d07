/** Extraction: which object was meant, whatever is written around it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractObject, isRefusal } from '../../prompts/extraction.ts';

const fits = (value: object) => 'vote' in value;
const GOOD = '{"say": "It was Blue.", "vote": "blue"}';
const DECOY = '{"vote": "red"}';

describe('what was meant', () => {
  test.each([
    ['alone', GOOD],
    ['in a fence', `Here:\n\`\`\`json\n${GOOD}\n\`\`\`\nGood luck!`],
    ['after an example', `For example ${DECOY}. My answer: ${GOOD}`],
    ['after a thought', `<think>${DECOY}</think>${GOOD}`],
    ['after a thought with a brace', `<think>{ if x then</think>${GOOD}`],
    ['after several thoughts', `<think>{</think><thinking>${DECOY}</thinking> ${GOOD}`],
    ['after a thought whose beginning is missing', `${DECOY} no…</think>${GOOD}`],
    ['before a thought', `${GOOD}<think>${DECOY}</think>`],
    ['before a thought that never ends', `${GOOD}<think>Or ${DECOY}`],
    ['in a list', `[${GOOD}]`],
    ['in a string', JSON.stringify(GOOD)],
    ['with something after it', `${GOOD}</tool_call> {curly}`],
    ['before an object that is something else', `${GOOD} {"note": 1}`],
    ['with a thought in its words', GOOD.replace('It was', '</think>{\\"vote\\":\\"red\\"}')],
    ['with braces in its words', GOOD.replace('It was', '{"vote": '.replaceAll('"', '\\"'))],
    ['as Python writes it', "{'say': \"I'm safe\", 'vote': 'blue', 'x': None,}"],
    ['with a comment', `{"vote": "blue", // sure\n"say": ""}`],
  ])('%s', (_, text) => {
    expect(extractObject(text, fits)).toMatchObject({ type: 'found', value: { vote: 'blue' } });
  });
});

describe('what breaks off', () => {
  test.each([
    ['within a word', '{"say": "It was Blue.", "vote": "bl'],
    ['before the brace', '{"say": "", "vote": "blue"'],
    ['after an example', `${DECOY} {"say": "`],
    ['with an object in the words that were left', `{"say": "</think>{\\"vote\\":\\"red\\"}`],
    ['right after the brace', '{'],
  ])('%s', (_, text) => {
    expect(extractObject(text, fits)).toEqual({ type: 'cut' });
  });

  test('no beginning of an answer is an answer', () => {
    const lengths = fc.nat({ max: GOOD.length - 1 });
    fc.assert(
      fc.property(lengths, (length) => extractObject(GOOD.slice(0, length), fits).type !== 'found'),
    );
  });
});

describe('what is none', () => {
  test.each([
    ['nothing', ''],
    ['prose', 'I think Red is suspicious because he vented.'],
    ['thoughts alone', `<think>${DECOY}</think>`],
    ['thoughts that never end', `<think>${DECOY}`],
    ['another object', '{"note": 1}'],
    ['brackets without end', '['.repeat(30_000)],
  ])('%s', (_, text) => {
    expect(extractObject(text, fits)).toEqual({ type: 'none' });
  });

  test('no text throws or is taken for an answer without a vote', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '"',
      "'",
      '[',
      '\\',
      '<think>',
      '</think>',
      GOOD,
      'vote',
      ':',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 30 }), (parts) => {
        const found = extractObject(parts.join(''), fits);
        return found.type !== 'found' || fits(found.value);
      }),
    );
  });
});

test.each([
  ["I'm sorry, but I can't help with deceiving people.", true],
  ['I cannot participate in this.', true],
  ['I’m not able to continue with this request.', true],
  ['I think Red is suspicious because he vented.', false],
  ['Sorry, I was in Electrical.', false],
])('%s', (text, refuses) => {
  expect(isRefusal(text)).toBe(refuses);
});
