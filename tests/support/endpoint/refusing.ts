/** Rows of the table: how endpoints refuse a part of a request. */
import { hasNeighbours, hasSystem } from './asked.ts';
import { type Step, whenever, without } from './case.ts';
import { json, refusal } from './sent.ts';
import { gemini, INVALID, inMode } from './words.ts';

export const REFUSING: Readonly<Record<string, readonly Step[]>> = {
  '01': [],
  '02': [
    whenever(
      inMode('json_schema'),
      refusal(400, 'This response_format type is unavailable now', {
        ...INVALID,
        code: 'invalid_request_error',
      }),
    ),
  ],
  '03': [
    whenever(
      inMode('json_schema'),
      refusal(
        422,
        "Failed to deserialize the JSON body into the target type: response_format: response_format.type 'json_schema' is unavailable now at line 1 column 12440",
      ),
    ),
  ],
  '05': [
    whenever(
      hasSystem,
      gemini(400, 'Developer instruction is not enabled for models/gemma-3-27b-it'),
    ),
    whenever(
      inMode('json_schema', 'json_object'),
      gemini(400, 'JSON mode is not enabled for models/gemma-3-27b-it'),
    ),
    whenever(
      inMode('tool'),
      gemini(400, 'Function calling is not enabled for models/gemma-3-27b-it'),
    ),
  ],
  '07': [
    whenever(
      hasNeighbours,
      json(400, {
        object: 'error',
        message:
          'Conversation roles must alternate user/assistant/user/assistant/... Conversation roles must alternate user/assistant/user/assistant/...',
        type: 'BadRequestError',
        param: null,
        code: 400,
      }),
    ),
  ],
  '08': [
    without(
      'max_tokens',
      refusal(
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        { type: 'invalid_request_error', param: 'max_tokens', code: 'unsupported_parameter' },
      ),
    ),
    without(
      'temperature',
      refusal(
        400,
        "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
        { type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value' },
      ),
    ),
  ],
  '10': [
    whenever(
      inMode('json_schema', 'json_object'),
      refusal(400, 'invalid format: response_format', INVALID),
    ),
    whenever(
      inMode('tool'),
      refusal(400, 'registry.ollama.ai/library/gemma3:12b does not support tools', INVALID),
    ),
  ],
  '12': [
    whenever(
      inMode('json_schema'),
      refusal(
        400,
        "Invalid schema for response_format 'tick': In context=('properties', 'target'), schema must have a 'type' key.",
        { ...INVALID, param: 'response_format' },
      ),
    ),
  ],
  '64': [
    without(
      'seed',
      json(422, {
        object: 'error',
        message: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'seed'],
              msg: 'Extra inputs are not permitted',
              input: 7,
            },
          ],
        },
        type: 'invalid_request_error',
        code: null,
      }),
    ),
  ],
};
