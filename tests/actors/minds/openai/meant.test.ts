import { describe, expect, test } from 'vitest';
import { readReply } from '../../../../prompts/reply.ts';
import { always } from '../../../support/endpoint/case.ts';
import { said } from '../../../support/endpoint/sent.ts';
import { GOOD, GOOD_TEXT } from '../../../support/endpoint/words.ts';
import { ask } from './asking.ts';

async function readOf(words: string | object) {
  const { reply, calls } = await ask([always(said(words))]);
  if (!reply.ok) return { code: reply.code, requests: calls.length };
  const reading = readReply(reply.received);
  if (!reading.ok) return { code: reading.code, requests: calls.length };
  const { message, vote, notes } = reading.reply;
  return { message, vote, notes: notes.map(({ code }) => code), requests: calls.length };
}

const MEANT = { message: GOOD.message, vote: null, notes: [], requests: 1 };
const READ = { ...MEANT, notes: ['reply/read-as'] };

describe('a whole answer is what counts', () => {
  test.each([
    [
      'before a vote that is only thought of',
      `${GOOD_TEXT} If I had to vote now it would be {"vote_action":"blue"}`,
    ],
    ['before a vote on a line of its own', `${GOOD_TEXT}\n\n{"vote_action":"blue"}`],
    [
      'before a line of the transcript',
      `${GOOD_TEXT} Blue said {"speaker":"blue","message":"I was in MedBay"}`,
    ],
    [
      'after a line of the transcript',
      `{"speaker":"blue","message":"I was in MedBay"} is a lie. ${GOOD_TEXT}`,
    ],
    ['after a part of it', `{"desire_to_speak": 9} hm, rather ${GOOD_TEXT}`],
  ])('%s', async (_, words) => expect(await readOf(words)).toEqual(MEANT));
});

describe('a part of an answer', () => {
  test.each([
    ['a vote that is only thought of', 'If I had to vote now it would be {"vote_action":"blue"}'],
    ['a quoted line', '{"speaker":"blue","message":"I was in MedBay"}'],
    ['a quoted line in prose', 'Blue: {"speaker":"blue","message":"I was in MedBay"}'],
  ])('that is no answer: %s', async (_, words) => {
    expect(await readOf(words)).toMatchObject({ code: 'malformed' });
  });

  test('without a vote has nothing withheld', async () => {
    const words = '{"desire_to_speak": 3, "message": "hi"}';
    expect(await readOf(words)).toEqual({ message: 'hi', vote: null, notes: [], requests: 1 });
  });

  test('with all but the side fields has its vote counted', async () => {
    const words = '{"desire_to_speak": 0, "message": "", "vote_action": "blue"}';
    expect(await readOf(words)).toEqual({ message: '', vote: 'blue', notes: [], requests: 1 });
  });
});

describe('an answer with something around it is read, with a note', () => {
  const { desire_to_speak, vote_action, scratchpad_updates, ...others } = GOOD;
  const camel = {
    ...others,
    desireToSpeak: desire_to_speak,
    voteAction: 'blue',
    scratchpadUpdates: scratchpad_updates,
  };
  test.each<[string, string | object, readonly string[]]>([
    ['in an envelope', { response: GOOD }, ['reply/read-as']],
    ['in a key of its own', { meeting_reply: GOOD }, ['reply/read-as']],
    ['as text in an envelope', { answer: GOOD_TEXT }, ['reply/read-as']],
    [
      'as a tool call of Llama',
      `<|python_tag|>{"name": "meeting_reply", "parameters": ${GOOD_TEXT}}`,
      ['reply/read-as'],
    ],
    [
      'as a tool call of Hermes and Qwen',
      `<tool_call>\n{"name": "meeting_reply", "arguments": ${GOOD_TEXT}}\n</tool_call>`,
      ['reply/read-as'],
    ],
  ])('%s', async (_, words, notes) => expect(await readOf(words)).toEqual({ ...READ, notes }));

  test('in camel case', async () => {
    expect(await readOf(camel)).toEqual({
      ...READ,
      vote: 'blue',
      notes: ['reply/read-as', 'reply/read-as', 'reply/read-as'],
    });
  });

  test.each([
    ['scratchpad_updates', []],
    ['vote_action', false],
    ['message', ['Red, where were you?']],
  ])('a %s of %j costs that field', async (name, field) => {
    const found = await readOf({ ...GOOD, [name]: field });
    expect(found).toEqual({
      ...MEANT,
      message: name === 'message' ? '' : GOOD.message,
      notes: ['reply/field'],
    });
  });
});
