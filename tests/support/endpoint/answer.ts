/** A good answer: a completion in the form that was asked for, with an object that fits the schema of the request. */
import { type Asked, modeOf, schemaIn } from './asked.ts';
import { played } from './player.ts';
import { completion, type Sent } from './sent.ts';

const BYTES_PER_TOKEN = 4;

export function answerTo(asked: Asked, seed: number): Sent {
  const object = played(asked, schemaIn(asked), seed);
  const text = JSON.stringify(object);
  const usage = usageOf(Buffer.byteLength(asked.text), Buffer.byteLength(text));
  const tool = asked.body.tools?.[0];
  if (modeOf(asked) !== 'tool' || tool === undefined) {
    return completion({ content: text }, { more: { usage } });
  }
  const call = {
    id: 'call-1',
    type: 'function',
    function: { name: tool.function.name, arguments: text },
  };
  return completion(
    { content: null, tool_calls: [call] },
    { reason: 'tool_calls', more: { usage } },
  );
}

function usageOf(promptBytes: number, answerBytes: number) {
  const prompt = Math.ceil(promptBytes / BYTES_PER_TOKEN);
  const completed = Math.ceil(answerBytes / BYTES_PER_TOKEN);
  return { prompt_tokens: prompt, completion_tokens: completed, total_tokens: prompt + completed };
}
