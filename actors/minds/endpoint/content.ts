/** The content of a completion: the text that the model has said, wherever the endpoint has put it. */

/** What a completion holds. */
export type Content =
  /** Text that should hold an object, and whether it breaks off. */
  | { readonly type: 'text'; readonly text: string; readonly isCut: boolean }
  /** An object that needs no reading. */
  | { readonly type: 'object'; readonly value: unknown; readonly isCut: boolean }
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'filtered' }
  | { readonly type: 'nothing'; readonly isCut: boolean };

export function contentOf(body: unknown): Content {
  const choice = at(at(body, 'choices'), 0);
  const message = at(choice, 'message');
  const reason = at(choice, 'finish_reason');
  const isCut = reason === 'length' || reason === 'model_context_window_exceeded';
  if (reason === 'content_filter' || reason === 'sensitive') return { type: 'filtered' };
  const refusal = at(message, 'refusal');
  if (typeof refusal === 'string' && refusal.trim() !== '')
    return { type: 'refusal', text: refusal };
  const called = at(at(at(at(message, 'tool_calls'), 0), 'function'), 'arguments');
  const legacy = at(at(message, 'function_call'), 'arguments');
  for (const said of [called, legacy, at(message, 'content'), at(choice, 'text')]) {
    if (isObject(said)) return { type: 'object', value: said, isCut };
    const text = textOf(said);
    if (text.trim() !== '') return { type: 'text', text, isCut };
  }
  return { type: 'nothing', isCut };
}

/** What the endpoint counted, as far as it says. */
export type Usage = {
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly completionTokens: number | null;
  /** In dollars, where the endpoint says so. */
  readonly cost: number | null;
};

export function usageOf(body: unknown): Usage {
  const usage = at(body, 'usage');
  return {
    promptTokens: countOf(at(usage, 'prompt_tokens')),
    cachedTokens: countOf(at(at(usage, 'prompt_tokens_details'), 'cached_tokens')),
    completionTokens: countOf(at(usage, 'completion_tokens')),
    cost: countOf(at(usage, 'cost')),
  };
}

/** A list of parts is the text of its parts; reasoning is nobody's speech and is left out. */
function textOf(said: unknown): string {
  if (typeof said === 'string') return said;
  if (!Array.isArray(said)) return '';
  return said
    .map((part) => {
      if (typeof part === 'string') return part;
      const kind = at(part, 'type');
      const text = at(part, 'text');
      return typeof text === 'string' && kind !== 'reasoning' && kind !== 'thinking' ? text : '';
    })
    .join('');
}

function at(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
