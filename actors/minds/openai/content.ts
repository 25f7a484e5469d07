/** The content of a completion: what the model has said, wherever the endpoint has put it. */
import { at } from './response.ts';

/** What a completion holds. */
export type Content =
  /** Texts that should hold an object, or objects that need no reading, the likeliest first. */
  | { readonly type: 'said'; readonly said: readonly unknown[]; readonly isCut: boolean }
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'filtered' }
  /** The endpoint fell ill while the model was speaking. */
  | { readonly type: 'broken'; readonly reason: string }
  | { readonly type: 'nothing'; readonly isCut: boolean };

export function contentOf(body: unknown): Content {
  const root: unknown = Array.isArray(body) ? body[0] : body;
  const choice = at(at(root, 'choices'), 0) ?? root;
  const message = at(choice, 'message') ?? at(choice, 'delta') ?? choice;
  const reason = reasonOf(choice);
  if (FILTERED.test(reason)) return { type: 'filtered' };
  if (BROKEN.test(reason)) return { type: 'broken', reason };
  const refusal = refusalIn(message);
  if (refusal !== null) return { type: 'refusal', text: refusal };
  const places = [
    ...callsOf(message),
    ...TEXTS.map((name) => at(message, name)),
    at(choice, 'text'),
  ];
  const said = places.map(textOrObject).filter((one) => one !== null);
  const isCut = CUT.test(reason);
  return said.length === 0 ? { type: 'nothing', isCut } : { type: 'said', said, isCut };
}

/** Where models are quoted outside the protocol. */
const TEXTS = ['content', 'output_text', 'generated_text', 'response'];

const FILTERED = /filter|sensitive|safety|prohibit|blocklist|guardrail|moderat|recitation/i;
const CUT = /length|max_?(output_?)?tokens|context_window|truncat|token_limit|incomplete/i;
const BROKEN = /error|insufficient_system_resource|abort|cancel/i;

function reasonOf(choice: unknown): string {
  const reason = at(choice, 'finish_reason') ?? at(choice, 'stop_reason');
  return typeof reason === 'string' ? reason : '';
}

function refusalIn(message: unknown): string | null {
  const content = at(message, 'content');
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const found = [message, ...parts]
    .map((one) => at(one, 'refusal'))
    .find((one) => typeof one === 'string' && one.trim() !== '');
  return typeof found === 'string' ? found : null;
}

/** Arguments of the tools that were called; of several calls the last counts. */
function callsOf(message: unknown): readonly unknown[] {
  const calls = at(message, 'tool_calls');
  const list: readonly unknown[] = Array.isArray(calls) ? calls.toReversed() : [];
  return [...list.map((call) => at(call, 'function') ?? call), at(message, 'function_call')].map(
    (call) => at(call, 'arguments'),
  );
}

function textOrObject(said: unknown): unknown {
  if (typeof said === 'object' && said !== null && !Array.isArray(said)) return said;
  const text = textOf(said);
  return text.trim() === '' ? null : text;
}

/** A list of parts is the text of its parts; reasoning is nobody's speech and is left out. */
function textOf(said: unknown): string {
  if (typeof said === 'string') return said;
  if (!Array.isArray(said)) return '';
  return said
    .map((part: unknown) => {
      if (typeof part === 'string') return part;
      const kind = at(part, 'type');
      if (kind === 'reasoning' || kind === 'thinking') return '';
      const text = at(at(part, 'text'), 'value') ?? at(part, 'text');
      return typeof text === 'string' ? text : '';
    })
    .join('');
}

/** What the endpoint counted, as far as it says. */
export type Usage = {
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly completionTokens: number | null;
  /** In dollars, where the endpoint says so. */
  readonly cost: number | null;
};

/** Of a request that nobody has worked on. */
export const UNUSED: Usage = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, cost: 0 };

export function usageOf(body: unknown): Usage {
  const usage = at(body, 'usage');
  return {
    promptTokens: countOf(at(usage, 'prompt_tokens')),
    cachedTokens: countOf(at(at(usage, 'prompt_tokens_details'), 'cached_tokens')),
    completionTokens: countOf(at(usage, 'completion_tokens')),
    cost: countOf(at(usage, 'cost')),
  };
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
