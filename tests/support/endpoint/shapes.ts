/** Rows of the table: where completions carry answers, finish reasons and token counts. */
import { always, atFirst, rowsOf, type Step } from './case.ts';
import { called, completion, completionBody, json, page, refusal, said } from './sent.ts';
import { WHOLE, WHOLE_TEXT } from './words.ts';

/** A complete answer inside thoughts. It says something else, and votes. */
const DECOY = JSON.stringify({ ...WHOLE, message: 'decoy', vote_action: 'pink' });

const [HALF, REST] = [WHOLE_TEXT.slice(0, 50), WHOLE_TEXT.slice(50)];

function counted(usage: unknown, more: object = {}): readonly Step[] {
  return [always(completion({ content: WHOLE_TEXT }, { more: { usage, ...more } }))];
}

export const SHAPES: Readonly<Record<string, readonly Step[]>> = {
  ...rowsOf(always, {
    '164': said([
      { type: 'thinking', thinking: [{ type: 'text', text: DECOY }] },
      { type: 'text', text: WHOLE_TEXT },
    ]),
    '165': said([
      { type: 'text', text: HALF },
      { type: 'thinking', thinking: [] },
      { type: 'text', text: REST },
    ]),
    '166': said([
      { type: 'reference', reference_ids: [1] },
      { type: 'text', text: WHOLE_TEXT },
    ]),
    '167': said([{ type: 'thinking', thinking: [{ type: 'text', text: DECOY }] }]),
    '168': completion({ content: WHOLE_TEXT, reasoning: DECOY, refusal: null }),
    '169': completion({ content: WHOLE_TEXT, reasoning_content: DECOY, refusal: '' }),
    '170': said(`Thinking Process:\n\n1. Red or pink? ${DECOY}\n</think>\n\n${WHOLE_TEXT}`),
    '171': said(
      `<|channel|>analysis<|message|>${'I could say it like this.'}<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>${WHOLE_TEXT}`,
    ),
    '172': completion({
      content: null,
      function_call: { name: 'meeting_reply', arguments: WHOLE },
    }),
    '173': called(['meeting_reply', DECOY], ['meeting_reply', WHOLE_TEXT]),
    '174': completion(
      {
        content: 'I will hand in my answer.',
        tool_calls: [
          { id: '1', type: 'function', function: { name: 'meeting_reply', arguments: WHOLE } },
        ],
      },
      { reason: 'stop' },
    ),
    '175': called(['meeting_reply', `{"name": "meeting_reply", "arguments": ${WHOLE_TEXT}}`]),
    '177': said(WHOLE_TEXT, 'COMPLETE'),
    '178': said(WHOLE_TEXT, 'eos'),
    '179': json(200, {
      choices: [{ index: 0, finish_reason: null, message: { content: WHOLE_TEXT } }],
    }),
    '180': said('', 'RECITATION'),
    '181': said('', 'sensitive'),
    '186': said(`\`\`\`json\n${WHOLE_TEXT}`),
    '187': said(`${WHOLE_TEXT}<|eot_id|><|start_header_id|>assistant<|end_header_id|>`),
    '188': said(`[TOOL_CALLS][{"name": "meeting_reply", "arguments": ${WHOLE_TEXT}}]`),
    '189': said(`<function=meeting_reply>${WHOLE_TEXT}</function>`),
    '190': completion({
      content: `I'm sorry, but I can't assist with that request.`,
      refusal: null,
    }),
    '199': json(200, [
      completionBody({ content: WHOLE_TEXT }, 'stop', {
        usage: { prompt_tokens: 900, completion_tokens: 60 },
      }),
    ]),
    // An answer within thoughts does not count as an answer.
    '204': completion({ content: '', reasoning_content: `I might say ${DECOY}` }),
    '205': completion({ content: null, reasoning: '{"vote_action": "pink"}' }),
    '206': said([
      { type: 'text', text: WHOLE_TEXT },
      { type: 'reasoning', text: DECOY },
    ]),
    '207': said([
      { type: 'text', text: WHOLE_TEXT },
      { type: 'thinking', text: DECOY },
    ]),
    '208': completion({ output_text: WHOLE_TEXT }),
    '209': json(200, { generated_text: WHOLE_TEXT }),
  }),
  ...rowsOf(atFirst, {
    '176': called(['meeting_reply', HALF]),
    '182': said(WHOLE_TEXT, 'network_error'),
    '183': said(WHOLE_TEXT, 'cancelled'),
    '184': said(HALF, 'MAX_TOKENS'),
    '185': said(HALF, 'stop'),
    '200': page(429, '{"error":{"message":"Rate limited","retry_after":12.5}}', {
      'content-type': 'application/json',
    }),
    '201': refusal(429, 'Slow down', {}, { 'retry-after': '2.5' }),
    '202': refusal(
      503,
      'Down for maintenance',
      {},
      { 'retry-after': 'Sat, 21 Nov 2026 12:00:09 GMT' },
    ),
    '203': refusal(429, 'Slow down', {}, { 'retry-after-ms': '250.5' }),
  }),
  '191': counted({
    prompt_tokens: 900,
    completion_tokens: 60,
    prompt_tokens_details: { cached_tokens: 512 },
  }),
  '192': counted({
    prompt_tokens: 900,
    completion_tokens: 60,
    prompt_cache_hit_tokens: 512,
    prompt_cache_miss_tokens: 388,
  }),
  '193': counted({
    prompt_tokens: 900,
    completion_tokens: 60,
    total_tokens: 960,
    cached_tokens: 512,
  }),
  '194': counted({ input_tokens: 900, output_tokens: 60, cache_read_input_tokens: 512 }),
  '195': counted({
    input_tokens: 900,
    output_tokens: 60,
    input_tokens_details: { cached_tokens: 512 },
  }),
  '196': counted({
    prompt_tokens: 900,
    completion_tokens: 10,
    total_tokens: 960,
    completion_tokens_details: { reasoning_tokens: 50 },
  }),
  '197': counted({
    prompt_tokens: 900,
    completion_tokens: 60,
    total_tokens: 960,
    cost: 0.00042,
    is_byok: false,
  }),
  '198': counted({ prompt_tokens: -1, completion_tokens: 'many', total_tokens: null }),
};
