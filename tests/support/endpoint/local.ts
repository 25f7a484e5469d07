/** Rows of the table: servers that people run themselves, with the words of their sources and issues. */
import { hasNeighbours, hasSystem, tokenLimit } from './asked.ts';
import { always, atFirst, rowsOf, type Step, whenever, without } from './case.ts';
import { completion, json, page, refusal, said } from './sent.ts';
import { inMode, WHOLE_TEXT } from './words.ts';

/** An error as vLLM and SGLang send it: at the top of the body. */
function vllm(status: number, message: string, type = 'BadRequestError') {
  return json(status, { object: 'error', message, type, param: null, code: status });
}

function llamaCpp(code: number, message: string, type: string, more: object = {}) {
  return json(code, { error: { code, message, type, ...more } });
}

function tgi(status: number, error: string, type: string) {
  return json(status, { error, error_type: type });
}

function ollama(status: number, message: string, type = 'api_error') {
  return refusal(status, message, { type, param: null, code: null });
}

export const LOCAL: Readonly<Record<string, readonly Step[]>> = {
  ...rowsOf(always, {
    '65': llamaCpp(
      400,
      'request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it',
      'exceed_context_size_error',
      { n_prompt_tokens: 4390, n_ctx: 4096 },
    ),
    '66': llamaCpp(500, 'Context size has been exceeded.', 'server_error'),
    '71': json(400, {
      error: {
        message: 'Prompt tokens (11543) exceeds context size (4096)',
        type: 'context_exceeded',
        n_prompt_tokens: 11_543,
        n_ctx: 4096,
      },
    }),
    '72': vllm(
      400,
      "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
    ),
    '74': vllm(400, 'max_tokens must be at least 1, got -186.'),
    // The answer of a non-thinking model, misread as thoughts.
    '76': completion({ content: null, tool_calls: null, reasoning_content: WHOLE_TEXT }),
    '78': ollama(500, 'model requires more system memory (5.3 GiB) than is available (3.3 GiB)'),
    '83': refusal(400, 'Failed to load model "qwen/qwen3-coder-30b". Error: Operation canceled.', {
      type: 'invalid_request_error',
      param: 'model',
      code: 'model_not_found',
    }),
    '86': json(400, {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 4390>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
    }),
    // LM Studio's reply to a prompt longer than the context: an empty answer.
    '87': completion(
      { content: '' },
      { more: { usage: { prompt_tokens: 36_000, completion_tokens: 0, total_tokens: 36_000 } } },
    ),
    '88': vllm(
      400,
      "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9100 tokens: 8700 tokens from the input messages and 400 tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.",
    ),
    '93': tgi(
      422,
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4200 `inputs` tokens and 400 `max_new_tokens`',
      'validation',
    ),
    '96': json(500, {
      error: {
        code: 500,
        message: 'could not load model - all backends returned error: 24 errors occurred',
        type: '',
      },
    }),
    '97': json(500, {
      error: {
        message: 'Requested tokens (2285) exceed context window of 2048',
        type: 'internal_server_error',
        param: null,
        code: null,
      },
    }),
    // Empty lines keep the connection alive until the answer follows.
    '99': page(
      200,
      `${'\n'.repeat(40)}${JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: WHOLE_TEXT }, finish_reason: 'stop' }] })}`,
    ),
  }),
  ...rowsOf(atFirst, {
    '70': llamaCpp(500, 'Compute error.', 'server_error'),
    '79': ollama(500, 'llama runner process has terminated: exit status 2'),
    '80': ollama(
      503,
      'server busy, please try again.  maximum pending requests exceeded',
      'server_error',
    ),
    '81': json(503, {
      error: 'Server overloaded, please retry shortly (ref: aaa65c70-cfa0-446b-86f1-4ab0e2deb9e4)',
    }),
    '84': json(400, { error: 'Model is unloaded.' }),
    '85': json(400, {
      error:
        'The model has crashed without additional information. (Exit code: 18446744072635812000)',
    }),
    '89': vllm(503, 'The request queue is full.', 'ServiceUnavailableError'),
    '90': said(WHOLE_TEXT.slice(0, 40), 'abort'),
    '91': tgi(429, 'Model is overloaded', 'overloaded'),
    '98': json(503, {
      error: 'Model google/gemma-2-2b is currently loading',
      estimated_time: 20.3,
    }),
  }),
  '67': [
    whenever(
      hasNeighbours,
      llamaCpp(
        500,
        "\n------------\nWhile executing CallExpression at line 47, column 32 in source:\n...== 0) %}↵            {{- raise_exception('After the optional system message, con...\n                                           ^\nError: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
        'server_error',
      ),
    ),
  ],
  '68': [
    whenever(
      inMode('json_schema', 'json_object'),
      llamaCpp(400, 'Failed to parse grammar', 'invalid_request_error'),
    ),
    whenever(inMode('tool'), llamaCpp(500, 'tools param requires --jinja flag', 'server_error')),
  ],
  '69': [atFirst(llamaCpp(503, 'Loading model', 'unavailable_error'), 2)],
  '73': [
    without(
      'max_tokens',
      vllm(
        400,
        "This model's maximum context length is 8192 tokens. However, you requested 8203 tokens (7691 in the messages, 512 in the completion). Please reduce the length of the messages or completion.",
      ),
    ),
  ],
  '75': [
    whenever(
      inMode('json_schema', 'json_object'),
      vllm(400, 'The provided JSON schema contains features not supported by xgrammar.'),
    ),
    whenever(
      inMode('tool'),
      vllm(
        400,
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      ),
    ),
  ],
  '77': [
    whenever(
      (asked) => tokenLimit(asked) <= 1_000,
      completion({ content: '', reasoning: 'The user is asking for' }, { reason: 'length' }),
    ),
  ],
  '82': [without('reasoning_effort', ollama(400, '"llama3.2" does not support thinking'))],
  '92': [
    without(
      'max_tokens',
      tgi(
        422,
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3900 `inputs` tokens and 400 `max_new_tokens`',
        'validation',
      ),
    ),
  ],
  '94': [
    whenever(
      hasSystem,
      tgi(
        422,
        'Template error: syntax error: System role not supported (in <string>:1)',
        'template_error',
      ),
    ),
  ],
  '95': [
    whenever(
      inMode('json_schema', 'json_object'),
      tgi(422, 'Input validation error: `grammar` is not supported', 'validation'),
    ),
  ],
};
