import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PartialReader, type PartialWords } from '../../prompts/partialReply.ts';
import { seeds } from '../support/seeds.ts';

const NAMES = [
  ...['internal_thought', 'desire_to_speak', 'message', 'target', 'vote_action'],
  'scratchpad_updates',
];
const RUNS = { numRuns: seeds(300, 20_000) };

function readPieces(pieces: readonly string[]): readonly PartialWords[] {
  const reader = new PartialReader(NAMES, 'red');
  return pieces.map((piece) => reader.add(piece));
}

function readWhole(text: string): PartialWords {
  return readPieces([text]).at(-1) ?? { thought: '', message: '' };
}

test("reasoning before the reply is shown from its end, until the reply's thought begins", () => {
  const reader = new PartialReader(NAMES);
  expect(reader.addThought('Hm.')).toEqual({ thought: 'Hm.', message: '' });
  const long = 'x'.repeat(3_999);
  expect(reader.addThought(`🚀${long}`).thought).toBe(`\uFFFD${long}`);
  expect(reader.add('{"internal_thought": "').thought).toBe(`\uFFFD${long}`);
  expect(reader.add('It ').thought).toBe('It ');
  expect(reader.addThought('later').thought).toBe('It ');
});

/** Texts as models write them, with everything that JSON escapes. */
const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '{', '}', '[', ']', ':', ',', '🚀', '\u2028', 'a', ' '),
    maxLength: 40,
  }),
);
const reply = fc.record({
  internal_thought: words,
  desire_to_speak: fc.nat(10),
  message: words,
  target: fc.option(fc.constant('red')),
  scratchpad_updates: fc.record({ meeting_scratch: words }),
});
/** JSON may be written with all that is beyond ASCII escaped, and with spaces. */
const written = fc
  .tuple(reply, fc.boolean(), fc.constantFrom(0, 2))
  .map(([value, isAscii, indent]) => {
    const json = JSON.stringify(value, null, indent);
    const text = isAscii ? json.replace(/[\u0080-\uFFFF]/g, escapeUnit) : json;
    return { value, text };
  });

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function cutInto(text: string, cuts: readonly number[]): readonly string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
}

const around = fc.constantFrom(
  (text: string) => text,
  (text: string) => `Sure! Here it is:\n\`\`\`json\n${text}\n\`\`\``,
  (text: string) => `<think>Maybe {"message": "decoy"} or { so</think>${text}`,
  (text: string) =>
    `<THINKING>{"internal_thought": "no"</THINKING>\n${text} and {"message": "later"}`,
  (text: string) => `{"response": ${text}}`,
  (text: string) => `{"name": "meeting_reply", "arguments": ${text}}`,
);

describe('words that are picked out of a text', () => {
  test('the visible words are the fields, whatever surrounds them', () => {
    fc.assert(
      fc.property(written, around, ({ value, text }, wrap) => {
        expect(readWhole(wrap(text))).toEqual({
          thought: value.internal_thought.toWellFormed(),
          message: value.message.toWellFormed(),
        });
      }),
      RUNS,
    );
  });

  test('only grow, and do not depend on where the text is cut', () => {
    const cuts = fc.array(fc.nat(10_000), { maxLength: 30 });
    fc.assert(
      fc.property(written, around, cuts, ({ text }, wrap, places) => {
        const whole = wrap(text);
        const shown = readPieces(cutInto(whole, places));
        for (const [index, { thought, message }] of shown.entries()) {
          expect(thought.startsWith(shown[index - 1]?.thought ?? '')).toBe(true);
          expect(message.startsWith(shown[index - 1]?.message ?? '')).toBe(true);
          expect(`${thought}${message}`.isWellFormed()).toBe(true);
        }
        expect(shown.at(-1)).toEqual(readWhole(whole));
      }),
      RUNS,
    );
  });

  test('are never longer than the text, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const { thought, message } = readWhole(text);
        expect(thought.length + message.length).toBeLessThanOrEqual(text.length);
      }),
      RUNS,
    );
  });

  test.each<readonly [why: string, text: string, thought: string, message: string]>([
    ['has begun', '{"internal_thought": "Red is', 'Red is', ''],
    ['stands in an escape', String.raw`{"message": "a\u00e`, '', 'a'],
    ['stands in half a character', String.raw`{"message": "a\ud83d`, '', 'a'],
    ['has half a character only', String.raw`{"message": "a\ud83d."}`, '', 'a\uFFFD.'],
    ['names its fields otherwise', '{"internalThought": "hm", "Message": "Hi', 'hm', 'Hi'],
    ['has no words', '{"internal_thought": null, "message": 7', '', ''],
    ['says a field twice', '{"message": "one", "message": "two"}', '', 'one'],
    ['quotes a line of another', '{"speaker": "blue", "message": "I did it', '', ''],
    ['quotes a transcript', '{"internal_thought": "a", "x": [{"message": "b"}]', 'a', ''],
    ['has a field within a field', '{"mood": {"message": "b"}, "message": "c"', '', ''],
    ['is over', '{"message": "a"} {"internal_thought": "b"}', '', 'a'],
    ['thinks in a mark of another name', '<M2_7think>{"message": "no', '', ''],
    ['thinks in a channel', '<|channel|>analysis<|message|>{"message": "no', '', ''],
    ['is the turn of another', '{"a": 1}<|im_end|>{"message": "no', '', ''],
    ['is labelled by another', '**Blue:** {"message": "no', '', ''],
    ['is labelled by its player', 'Red: {"message": "yes', '', 'yes'],
    ['has a thought in its message', '{"message": "So <think>no</think>yes', '', 'So yes'],
    ['has a thought without end in its message', '{"message": "So <think>no"}', '', 'So '],
    ['may begin a thought in its message', '{"message": "So <thin', '', 'So '],
    ['begins no thought in its message', '{"message": "So <thin"}', '', 'So <thin'],
    ['is prose', 'I think Red is "message": "it"', '', ''],
    ['is a list', '[{"message": "a"}]', '', 'a'],
  ])('of a text that %s', (_, text, thought, message) => {
    expect(readWhole(text)).toEqual({ thought, message });
  });

  test('endlessly nested text shows no words', () => {
    expect(readWhole(`${'{"response":'.repeat(1_000)}{"message": "a`)).toEqual({
      thought: '',
      message: '',
    });
  });

  test('are cut to 4,000 characters if they have no end', () => {
    const { message } = readWhole(`{"message": "${'a'.repeat(50_000)}`);
    expect(message).toHaveLength(4000);
  });
});
