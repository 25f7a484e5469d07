/** Rows of the table: text around an answer, or instead of one. */
import { isCorrected, tokenLimit } from './asked.ts';
import { always, atFirst, type Step, whenever } from './case.ts';
import { called, completion, refusal, said } from './sent.ts';
import { inMode } from './words.ts';

const OBJECT = {
  internal_thought: 'Red is deflecting',
  desire_to_speak: 7,
  message: 'Red, where were you?',
  target: 'red',
  vote_action: null,
  scratchpad_updates: { meeting_scratch: 'Red vague' },
};
const TEXT = JSON.stringify(OBJECT);
const DECOY = '{"desire_to_speak":0,"message":"decoy","vote_action":"blue"}';
export const WRITING: Readonly<Record<string, readonly Step[]>> = {
  '13': [
    atFirst(
      refusal(
        400,
        "Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details.",
        {
          type: 'invalid_request_error',
          code: 'json_validate_failed',
          failed_generation: '{"message":',
        },
      ),
    ),
  ],
  '14': [always(said(`Sure! Here is my move:\n\`\`\`json\n${TEXT}\n\`\`\`\nGood luck!`))],
  '15': [always(said(`<think>Maybe ${DECOY}</think>${TEXT}`))],
  '18': [
    always(
      said(
        `<|channel|>analysis<|message|>think<|end|><|start|>assistant<|channel|>final<|message|>${TEXT}<|return|>`,
      ),
    ),
  ],
  '19': [
    whenever((asked) => tokenLimit(asked) <= 1_000, said('{"internal_thought":"Red is', 'length')),
  ],
  '21': [whenever(inMode('json_schema'), said(`{ ${' \n'.repeat(400)}`, 'length'))],
  '23': [atFirst(completion({ content: null, reasoning: 'hm' }))],
  '25': [always(said(OBJECT))],
  '27': [always(called(['submit_tick', OBJECT]))],
  '28': [
    always(
      said(JSON.stringify({ ...OBJECT, desire_to_speak: '8/10', scratchpad_updates: 'note' })),
    ),
  ],
  '30': [
    always(
      said(
        "{'internal_thought': 'x', 'desire_to_speak': 4, 'message': \"I'm safe\", 'target': None, 'vote_action': None,}",
      ),
    ),
  ],
  '32': [always(completion({ content: null, refusal: "I'm sorry, I can't help with that." }))],
  '33': [always(said("I'm sorry, but I can't help with deceiving people."))],
  '60': [always(said(TEXT))],
  '62': [
    whenever((asked) => !isCorrected(asked), said('I think Red is suspicious because he vented.')),
  ],
};
