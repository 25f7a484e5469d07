import { describe, expect, test } from 'vitest';
import { hasNeighbours, hasSystem } from '../../../support/endpoint/asked.ts';
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
  [
    'unsupported parameter, pointed at by param alone',
    [
      whenever(
        inMode('json_schema'),
        refusal(400, '不支持的参数', { param: 'response_format.json_schema' }),
      ),
    ],
    'answer in json_object, 2 calls',
  ],
  [
    'response_format: unsupported parameter',
    [whenever(formats, refusal(400, 'unsupported parameter: response_format'))],
    'answer in tool, 3 calls',
  ],
  [
    'a keyword of the schema',
    [
      whenever(
        inMode('json_schema', 'tool'),
        refusal(
          400,
          'Invalid JSON payload received. Unknown name "additionalProperties": Cannot find field.',
        ),
      ),
    ],
    'answer in json_object, 2 calls',
  ],
  [
    'strict',
    [
      whenever(
        inMode('json_schema'),
        json(422, {
          detail: [
            {
              loc: ['body', 'response_format', 'json_schema', 'strict'],
              msg: 'extra fields not permitted',
            },
          ],
        }),
      ),
    ],
    'answer in json_object, 2 calls',
  ],
  [
    'a router that finds nobody for all of it',
    [
      whenever(
        inMode('json_schema'),
        refusal(404, 'No endpoints found that can handle the requested parameters.'),
      ),
    ],
    'answer in json_object, 2 calls',
  ],
  [
    'role developer unknown, in a message about JSON',
    [
      whenever(
        hasSystem,
        refusal(
          422,
          'Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected `user` or `assistant`',
        ),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'a template that raises, with 500',
    [
      whenever(
        hasSystem,
        json(500, { error: { code: 500, message: 'Jinja Exception: System role not supported' } }),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'alternating roles in the words of another vendor',
    [
      whenever(
        hasNeighbours,
        refusal(
          400,
          'After the (optional) system message(s), user and assistant roles should be alternating.',
        ),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'grammar that cannot be built, with 500',
    [
      whenever(
        formats,
        json(500, { error: 'Failed to initialize samplers: failed to parse grammar' }),
      ),
    ],
    'answer in tool, 3 calls',
  ],
  [
    'tool_choice of another type, in a string',
    [
      whenever(formats, json(400, { error: "'response_format.type' must be 'text'" })),
      whenever(
        inMode('tool'),
        json(400, {
          error:
            "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
        }),
      ),
    ],
    'answer in text, 4 calls',
  ],
  [
    'a wrapper with an error within a string within an error',
    [
      whenever(
        hasSystem,
        refusal(
          400,
          'litellm.BadRequestError: VertexAIException BadRequestError - {"error":{"message":"[{\\"error\\":{\\"message\\":\\"Developer instruction is not enabled\\"}}]"}}',
        ),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'a cause within metadata.raw',
    [
      without(
        'temperature',
        refusal(400, 'Provider returned error', {
          metadata: { raw: '{"error":{"message":"temperature is deprecated for this model"}}' },
        }),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'max_tokens unknown under either name',
    [
      without('max_tokens', refusal(400, 'Unrecognized request argument supplied: max_tokens')),
      without(
        'max_completion_tokens',
        refusal(400, 'Unrecognized request argument supplied: max_completion_tokens'),
      ),
    ],
    'answer in json_schema, 3 calls',
  ],
  [
    'max_tokens too large',
    [
      without(
        'max_tokens',
        refusal(
          400,
          '`max_tokens` must be less than or equal to `256`, the maximum value for `max_tokens` is less than the `context_window` for this model',
        ),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'a parameter that only this model was sent',
    [without('top_k', refusal(400, 'property top_k is unsupported'))],
    'answer in json_schema, 2 calls',
  ],
  [
    'an error within 200 that names the format',
    [
      whenever(
        inMode('json_schema'),
        json(200, { error: "'response_format.type' must be 'json_object' or 'text'" }),
      ),
    ],
    'answer in json_object, 2 calls',
  ],
];

describe('what is refused', () => {
  test.each(REFUSING)('%s', async (_, steps, expected) => {
    const params = { ...PARAMS, extra: { top_k: 40 } };
    expect(summary(await ask(steps, { params }))).toBe(expected);
  });

  test.each(REFUSING)(
    '%s: the next question is asked as it was learned',
    async (_, steps, expected) => {
      const params = { ...PARAMS, extra: { top_k: 40 } };
      const { known, reply } = await ask(steps, { params });
      if (!reply.ok) return;
      const next = await ask(steps, { params, known });
      expect(summary(next)).toBe(`${expected.split(',')[0]}, 1 call`);
    },
  );
});
