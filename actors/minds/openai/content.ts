/** The body of a response, and the content of the completion wherever the endpoint put it. */
import type { CallUsage } from '../../../machines/journal/calls.ts';
import { isRecord, parseJson, readField, wordOf } from '../../../machines/text.ts';
import { cutThoughts, isThoughtName } from '../../../prompts/marks.ts';

/** Parsed JSON, also with something behind it, else the text. */
export function parseBody(text: string): unknown {
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const [line = ''] = bare.trimStart().split('\n', 1);
  const parts = /^\s*[[{]/.test(bare) ? [bare.slice(0, bare.lastIndexOf('}') + 1), line] : [];
  for (const part of [bare, ...parts]) {
    const value = parseJson(part);
    if (value !== undefined) return value;
  }
  return bare;
}

type CompletionContent =
  /** Texts that should contain an object, or objects, the likeliest first. */
  | { readonly type: 'said'; readonly said: readonly (string | object)[]; readonly isCut: boolean }
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'filtered' }
  | { readonly type: 'broken'; readonly reason: string }
  | {
      readonly type: 'nothing';
      readonly isCut: boolean;
      /** The content of the thoughts field, or null. Some servers put an answer there. */
      readonly thoughts: string | null;
    };

export function readContent(body: unknown): CompletionContent {
  const root: unknown = Array.isArray(body) ? body[0] : body;
  const choices = readField(root, 'choices');
  const list: readonly unknown[] = Array.isArray(choices) ? choices : [];
  const choice = list.find((one) => readField(one, 'index') === 0) ?? list[0] ?? root;
  const message = readField(choice, 'message') ?? readField(choice, 'delta') ?? choice;
  const given = readField(choice, 'finish_reason') ?? readField(choice, 'stop_reason');
  const reason = typeof given === 'string' ? given : '';
  if (FILTERED.test(reason) && !MALFORMED.test(reason)) return { type: 'filtered' };
  if (BROKEN.test(reason)) return { type: 'broken', reason };
  const refusal = findRefusal(message);
  if (refusal !== null) return { type: 'refusal', text: refusal };
  const places = [
    ...listToolArguments(message),
    ...TEXTS.map((name) => readField(message, name)),
    readField(choice, 'text'),
  ];
  const said = places.map(textOrObject).filter((one) => one !== null);
  const isCut = CUT.test(reason);
  if (said.length > 0 || MALFORMED.test(reason)) return { type: 'said', said, isCut };
  const thoughts = listThoughts(message).find(isWritten) ?? null;
  return { type: 'nothing', isCut, thoughts };
}

function isWritten(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

const TEXTS = ['content', 'output_text', 'generated_text', 'response'];

const FILTERED = /filter|sensitive|safety|prohibit|blocklist|guardrail|moderat|recitation|refus/i;
/** Gemini could not read its own call, which its filter for calls withholds. */
const MALFORMED = /malformed/i;
const CUT = /length|max_?(output_?)?tokens|context_window|truncat|token_limit|incomplete/i;
const BROKEN = /error|insufficient_system_resource|abort|cancel/i;

function findRefusal(message: unknown): string | null {
  const content = readField(message, 'content');
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return [message, ...parts].map((one) => readField(one, 'refusal')).find(isWritten) ?? null;
}

/** Arguments of the called tools. Those of several calls are one text: nothing tells them apart. */
function listToolArguments(message: unknown): readonly unknown[] {
  const calls = readField(message, 'tool_calls');
  const made = [calls ?? []].flat().map((call) => readField(call, 'function') ?? call);
  const told = made.filter((call) => !isThoughtName(wordOf(readField(call, 'name'))));
  const args = [...told, readField(message, 'function_call')].map((call) =>
    ['arguments', 'input', 'parameters'].map((name) => readField(call, name)).find(Boolean),
  );
  const given = args.filter(Boolean);
  const texts = given.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  return texts.length > 1 ? [texts.join('\n')] : given;
}

function textOrObject(said: unknown): string | object | null {
  if (typeof said === 'object' && !Array.isArray(said)) return said;
  const text = joinParts(said);
  return text.trim() === '' ? null : text;
}

export function joinParts(said: unknown): string {
  if (typeof said === 'string') return said;
  if (!Array.isArray(said)) return '';
  return said
    .filter((part) => !isThoughtPart(part))
    .map((part) => (isObjectPart(part) ? JSON.stringify(part) : readPart(part)))
    .join('');
}

function readPart(part: unknown): string {
  if (typeof part === 'string') return part;
  const text = readField(readField(part, 'text'), 'value') ?? readField(part, 'text');
  return typeof text === 'string' ? text : '';
}

function isObjectPart(part: unknown): boolean {
  const isText = readField(part, 'text') !== undefined;
  return isRecord(part) && !isText && /json|object|tool|call/.test(wordOf(part['type'] ?? 'json'));
}

function isThoughtPart(part: unknown): boolean {
  return readField(part, 'thought') === true || isThoughtName(wordOf(readField(part, 'type')));
}

function listThoughts(message: unknown): readonly unknown[] {
  const names = Object.keys(Object(message)).filter(isThoughtName);
  return names.toSorted().map((name) => readField(message, name));
}

export function hasThoughts(body: unknown): boolean {
  const message = readField(readField(readField(body, 'choices'), 0), 'message');
  const content = readField(message, 'content');
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const [before = ''] = typeof content === 'string' ? content.split('{', 1) : [];
  const details = readField(readField(body, 'usage'), 'completion_tokens_details');
  return (
    listThoughts(message).some((one) => isWritten(one) || (Array.isArray(one) && one.length > 0)) ||
    parts.some(isThoughtPart) ||
    cutThoughts(before) !== before ||
    (readCount(readField(details, 'reasoning_tokens')) ?? 0) > 0
  );
}

/** Some servers send the same thoughts under two names. */
export function readThought(delta: unknown): string {
  const text = listThoughts(delta).find((one) => typeof one === 'string' && one !== '');
  if (typeof text === 'string') return text;
  const content = readField(delta, 'content');
  const parts: readonly unknown[] = Array.isArray(content) ? content.filter(isThoughtPart) : [];
  // The text of a thought is in its part, or in a field of the part as text or parts.
  return parts.map((part) => readPart(part) + joinParts(readField(part, 'thinking'))).join('');
}

export type TokenUsage = Readonly<CallUsage>;

export const UNUSED: TokenUsage = {
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  cost: 0,
};

const PROMPT = ['prompt_tokens', 'input_tokens'];
const COMPLETION = ['completion_tokens', 'output_tokens'];
const CACHED = ['prompt_cache_hit_tokens', 'cached_tokens', 'cache_read_input_tokens'];
const PROMPT_DETAILS = ['prompt_tokens_details', 'input_tokens_details'];

export function readUsage(body: unknown): TokenUsage {
  const usage = readField(Array.isArray(body) ? body[0] : body, 'usage');
  const count = (names: readonly string[]) =>
    findCount(names.map((name) => readField(usage, name)));
  const details = PROMPT_DETAILS.map((name) => readField(readField(usage, name), 'cached_tokens'));
  const prompt = count(PROMPT);
  const cachedTokens = findCount(details) ?? count(CACHED);
  // Some servers leave cached tokens out of the prompt's count.
  const isPart = prompt !== null && cachedTokens !== null && cachedTokens > prompt;
  return {
    promptTokens: isPart ? prompt + cachedTokens : prompt,
    cachedTokens,
    completionTokens: countCompletion(usage, prompt, count(COMPLETION)),
    cost: count(['cost']),
  };
}

function findCount(values: readonly unknown[]): number | null {
  return values.map(readCount).find((one) => one !== null) ?? null;
}

/** Some providers leave thoughts out of the completion count. They are billed, and only the total includes them. */
function countCompletion(usage: unknown, prompt: number | null, completion: number | null) {
  if (completion === null || prompt === null) return completion;
  const details = readField(usage, 'completion_tokens_details');
  const thoughts = readCount(readField(details, 'reasoning_tokens')) ?? 0;
  const rest = (readCount(readField(usage, 'total_tokens')) ?? 0) - prompt;
  if (completion === 0) return Math.max(0, rest);
  return completion + thoughts <= rest ? completion + thoughts : completion;
}

function readCount(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= MOST_TOKENS ? value : null;
}

const MOST_TOKENS = 1e9;
