/** Rows of the table: text around an answer, or instead of one. */
import { isCorrected } from './asked.ts';
import { always, atFirst, rowsOf, type Step, whenever } from './case.ts';
import { called, completion, refusal, said } from './sent.ts';
import { GOOD, GOOD_TEXT, inMode } from './words.ts';

const DECOY = '{"desire_to_speak":0,"message":"decoy","vote_action":"blue"}';
export const WRITING: Readonly<Record<string, readonly Step[]>> = {
  ...rowsOf(always, {
    '14': said(`Sure! Here is my move:\n\`\`\`json\n${GOOD_TEXT}\n\`\`\`\nGood luck!`),
    '15': said(`<think>Maybe ${DECOY}</think>${GOOD_TEXT}`),
    '18': said(
      `<|channel|>analysis<|message|>think<|end|><|start|>assistant<|channel|>final<|message|>${GOOD_TEXT}<|return|>`,
    ),
    '25': said(GOOD),
    '27': called(['submit_tick', GOOD]),
    '28': said(JSON.stringify({ ...GOOD, desire_to_speak: '8/10', scratchpad_updates: 'note' })),
    '30': said(
      "{'internal_thought': 'x', 'desire_to_speak': 4, 'message': \"I'm safe\", 'target': None, 'vote_action': None,}",
    ),
    '32': completion({ content: null, refusal: "I'm sorry, I can't help with that." }),
    '33': said("I'm sorry, but I can't help with deceiving people."),
    '60': said(GOOD_TEXT),
  }),
  ...rowsOf(atFirst, {
    '13': refusal(
      400,
      "Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details.",
      {
        type: 'invalid_request_error',
        code: 'json_validate_failed',
        failed_generation: '{"message":',
      },
    ),
    '23': completion({ content: null, reasoning: 'hm' }),
  }),
  '19': [
    whenever(
      ({ text }) => !/Write at most \d+ characters/.test(text),
      said('{"internal_thought":"Red is', 'length'),
    ),
  ],
  '21': [whenever(inMode('json_schema'), said(`{ ${' \n'.repeat(400)}`, 'length'))],
  '62': [
    whenever((asked) => !isCorrected(asked), said('I think Red is suspicious because he vented.')),
  ],
};
