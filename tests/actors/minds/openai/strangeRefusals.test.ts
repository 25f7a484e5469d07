import { expect, test } from 'vitest';
import { hasSystem } from '../../../support/endpoint/asked.ts';
import { always, type Step, whenever, without } from '../../../support/endpoint/case.ts';
import { json, page, refusal } from '../../../support/endpoint/sent.ts';
import { inMode } from '../../../support/endpoint/words.ts';
import { ask, PARAMS, summary } from './asking.ts';

type Row = readonly [name: string, steps: readonly Step[], expected: string];

const formats = inMode('json_schema', 'json_object');

const REFUSING: readonly Row[] = [
  [
    'German: a 400 that names nothing, for the format',
    [whenever(formats, refusal(400, 'Die Anfrage ist ungültig.'))],
    'answer in tool, 3 calls',
  ],
  [
    'Chinese: a 422 that names nothing, for everything but text',
    [
      whenever(
        inMode('json_schema', 'json_object', 'tool'),
        json(422, { code: 1210, msg: '参数有误' }),
      ),
    ],
    'answer in text, 4 calls',
  ],
  [
    'a 400 that names nothing, for the system message',
    [whenever(hasSystem, json(400, { detail: 'bad request' }))],
    'answer in json_schema, 5 calls',
  ],
  [
    'a 400 that names nothing, for a parameter',
    [without('seed', page(400, 'no'))],
    'answer in json_schema, 6 calls',
  ],
  [
    'a 400 that names nothing, for all of these',
    [
      whenever(formats, page(400, 'nein')),
      whenever(inMode('tool'), page(400, 'nein')),
      whenever(hasSystem, page(400, 'nein')),
      without('seed', page(400, 'nein')),
    ],
    'answer in text, 7 calls',
  ],
  ['a 400 that names nothing and never ends', [always(page(400, 'nein'))], 'upstream, 7 calls'],
];

test.each(REFUSING)('%s', async (_, steps, expected) => {
  const params = { ...PARAMS, extra: { top_k: 40 } };
  const { known, ...outcome } = await ask(steps, { params });
  expect(summary(outcome)).toBe(expected);
  if (!outcome.reply.ok) return;
  // The next question is asked as it was learned.
  expect(summary(await ask(steps, { params, known }))).toBe(`${expected.split(',')[0]}, 1 call`);
});
