import { expect, test } from 'vitest';
import { always, atFirst } from '../../../support/endpoint/case.ts';
import {
  called,
  completion,
  completionBody,
  json,
  page,
  type Sent,
  said,
} from '../../../support/endpoint/sent.ts';
import { GOOD, GOOD_TEXT } from '../../../support/endpoint/words.ts';
import { ask, summary } from './asking.ts';

const EMPTY = [{ function: { name: 'x', arguments: '{}' } }];
const ANSWERED: readonly (readonly [name: string, sent: Sent])[] = [
  ['a tool of another name', called(['final_answer', GOOD_TEXT])],
  ['arguments with something after them', called(['meeting_reply', `${GOOD_TEXT}</tool_call>`])],
  ['empty arguments and content', completion({ content: GOOD_TEXT, tool_calls: EMPTY })],
  ['another reason to finish', said(GOOD_TEXT, 'end_turn')],
  ['a list around the body', json(200, [completionBody({ content: GOOD_TEXT }, 'stop')])],
  ['a stream that nobody asked for', streamed(GOOD_TEXT, true)],
  ['JSON within a string', said(JSON.stringify(GOOD_TEXT))],
  ['JSON within a string in a string', said(JSON.stringify(JSON.stringify(GOOD_TEXT)))],
  ['a list of one', said(`[${GOOD_TEXT}]`)],
];

test.each(ANSWERED)('%s is read as an answer', async (_, sent) => {
  expect(summary(await ask([always(sent)]))).toBe('answer in json_schema, 1 call');
});

test.each<[name: string, sent: Sent]>([
  ['a stream that never ended', streamed(GOOD_TEXT, false)],
  ['an error at the end of a stream', page(200, 'data: {"error": {"message": "upstream"}}\n\n')],
  ['an object that is something else', said({ weather: 'fine' })],
])('%s is asked for again', async (_, sent) => {
  expect(summary(await ask([atFirst(sent)]))).toBe('answer in json_schema, 2 calls');
});

test.each<[name: string, sent: Sent, expected: string]>([
  ['a refusal among the parts', said([{ type: 'refusal', refusal: 'No.' }]), 'refusal, 1 call'],
  ['a filter as the reason to finish', said('', 'SAFETY'), 'content-filter, 1 call'],
  ['a guardrail', said('Sorry.', 'guardrail_intervened'), 'content-filter, 1 call'],
  ['an empty object', said('{}'), 'malformed, 5 calls'],
  ['a message that names a method', said('{"message": {"toString": 1}}'), 'malformed, 5 calls'],
  ['a message nested without end', said(`{"message": ${deep(50_000)}}`), 'malformed, 5 calls'],
  [
    'a call that names a method',
    completion({ content: null, tool_calls: [{ function: { name: { toString: 1 } } }] }),
    'empty, 5 calls',
  ],
])('%s is no answer', async (_, sent, expected) => {
  expect(summary(await ask([always(sent)]))).toBe(expected);
});

function deep(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}

test('an answer is passed on with its original text', async () => {
  const fenced = `\`\`\`json\n${GOOD_TEXT}\n\`\`\``;
  const { reply, calls } = await ask([always(said(fenced))]);
  expect([reply, calls]).toMatchObject([{ ok: true, received: GOOD }, [{ reply: fenced }]]);
});

function streamed(text: string, isWhole: boolean) {
  const pieces = [text.slice(0, 20), text.slice(20)].map((content) => ({
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  }));
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const lines = [...pieces, ...(isWhole ? [end] : [])].map(
    (one) => `data: ${JSON.stringify(one)}\n\n`,
  );
  return page(200, `: PROCESSING\n\n${lines.join('')}data: [DONE]\n\n`);
}
