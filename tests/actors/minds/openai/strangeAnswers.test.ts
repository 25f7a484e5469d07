import { describe, expect, test } from 'vitest';
import { always, atFirst, type Step } from '../../../support/endpoint/case.ts';
import {
  called,
  completion,
  completionBody,
  json,
  page,
  said,
} from '../../../support/endpoint/sent.ts';
import { ask, GOOD, GOOD_TEXT, summary } from './asking.ts';

type Row = readonly [name: string, steps: readonly Step[], expected: string];

const ANSWERING: readonly Row[] = [
  [
    'content in parts',
    [
      always(
        said([
          { type: 'reasoning', text: '{"desire_to_speak": 0}' },
          { type: 'output_text', text: GOOD_TEXT },
        ]),
      ),
    ],
    'answer in json_schema, 1 call',
  ],
  [
    'parts with a value',
    [always(said([{ type: 'text', text: { value: GOOD_TEXT } }]))],
    'answer in json_schema, 1 call',
  ],
  [
    'a tool of another name',
    [always(called(['final_answer', GOOD_TEXT]))],
    'answer in json_schema, 1 call',
  ],
  [
    'arguments with something after them',
    [always(called(['meeting_reply', `${GOOD_TEXT}</tool_call>`]))],
    'answer in json_schema, 1 call',
  ],
  [
    'arguments that are empty, and the answer as content',
    [
      always(
        completion({
          content: GOOD_TEXT,
          tool_calls: [{ function: { name: 'x', arguments: '{}' } }],
        }),
      ),
    ],
    'answer in json_schema, 1 call',
  ],
  [
    'the old way to call',
    [always(completion({ content: null, function_call: { name: 'x', arguments: GOOD_TEXT } }))],
    'answer in json_schema, 1 call',
  ],
  [
    'several choices',
    [
      always(
        json(200, {
          choices: [1, 2, 3].map((index) => ({
            index,
            finish_reason: 'stop',
            message: { content: GOOD_TEXT },
          })),
        }),
      ),
    ],
    'answer in json_schema, 1 call',
  ],
  [
    'no reason to finish',
    [always(json(200, { choices: [{ message: { content: GOOD_TEXT } }] }))],
    'answer in json_schema, 1 call',
  ],
  [
    'another reason to finish',
    [always(said(GOOD_TEXT, 'end_turn'))],
    'answer in json_schema, 1 call',
  ],
  [
    'the text of the old completions',
    [always(json(200, { choices: [{ text: GOOD_TEXT, finish_reason: 'eos_token' }] }))],
    'answer in json_schema, 1 call',
  ],
  [
    'a message without choices',
    [always(json(200, { message: { role: 'assistant', content: GOOD_TEXT }, done: true }))],
    'answer in json_schema, 1 call',
  ],
  [
    'a list around it',
    [always(json(200, [completionBody({ content: GOOD_TEXT }, 'stop')]))],
    'answer in json_schema, 1 call',
  ],
  [
    'a stream that nobody asked for',
    [always(streamed(GOOD_TEXT, true))],
    'answer in json_schema, 1 call',
  ],
  [
    'a stream that never ended',
    [atFirst(streamed(GOOD_TEXT, false))],
    'answer in json_schema, 2 calls',
  ],
  [
    'an error at the end of a stream',
    [atFirst(page(200, `data: ${JSON.stringify({ error: { message: 'upstream' } })}\n\n`))],
    'answer in json_schema, 2 calls',
  ],
  [
    'a refusal among the parts',
    [always(said([{ type: 'refusal', refusal: 'No.' }]))],
    'refusal, 1 call',
  ],
  ['a filter as the reason to finish', [always(said('', 'SAFETY'))], 'content-filter, 1 call'],
  [
    'a guardrail as the reason to finish',
    [always(said('Sorry.', 'guardrail_intervened'))],
    'content-filter, 1 call',
  ],
  [
    'cut, in the words of another vendor',
    [atFirst(said('{"desire_to_speak": 1', 'MAX_TOKENS'))],
    'answer in json_schema, 2 calls',
  ],
  [
    'JSON within a string',
    [always(said(JSON.stringify(GOOD_TEXT)))],
    'answer in json_schema, 1 call',
  ],
  ['a list of one', [always(said(`[${GOOD_TEXT}]`))], 'answer in json_schema, 1 call'],
  [
    'an object that is something else',
    [atFirst(said({ weather: 'fine' }))],
    'answer in json_schema, 2 calls',
  ],
  ['an empty object for ever', [always(said('{}'))], 'malformed, 5 calls'],
];

describe('what is answered', () => {
  test.each(ANSWERING)('%s', async (_, steps, expected) => {
    expect(summary(await ask(steps))).toBe(expected);
  });
});

test('the object is handed over, and what was said around it', async () => {
  const fenced = `\`\`\`json\n${GOOD_TEXT}\n\`\`\``;
  const { reply } = await ask([always(said(fenced))]);
  expect(reply).toMatchObject({ ok: true, received: GOOD, said: fenced });
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
