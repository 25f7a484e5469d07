/** Asks a server about a model, without a prompt. The key goes to the endpoint's origin only. */
import { readField } from '../../../machines/text.ts';
import type { TimePort } from '../../ports/ports.ts';
import { decodeUtf8 } from '../../ports/utf8.ts';
import { realWeb } from '../../ports/web.ts';
import { parseBody } from './content.ts';
import { findKeyVariable } from './providers.ts';
import { type Endpoint, listSecrets, redactBody } from './transport.ts';

export type StatedContext = {
  readonly tokens: number;
  /** The source: a path, or the failure of a request. */
  readonly source: string;
};

/** Requests a URL and returns its JSON answer, or null. `body` is posted. */
export type Inquire = (url: string, body: object | null) => Promise<unknown>;

type InquiryStep = {
  readonly path: string;
  readonly isPosted?: true;
  readonly read: (answer: unknown, model: string) => number | null;
};

const STEPS: readonly InquiryStep[] = [
  // llama.cpp: per slot.
  {
    path: '/props',
    read: (answer) =>
      readTokens(readField(readField(answer, 'default_generation_settings'), 'n_ctx')),
  },
  // Ollama: as loaded, else as in the model file.
  {
    path: '/api/ps',
    read: (answer, model) =>
      readTokens(readField(findModel(readField(answer, 'models'), model), 'context_length')),
  },
  {
    path: '/api/show',
    isPosted: true,
    read: (answer) => {
      const said = readField(answer, 'parameters');
      const [, tokens] = (typeof said === 'string' && /^num_ctx\s+(\d+)/m.exec(said)) || [];
      return readTokens(Number(tokens));
    },
  },
];

export const MOST_INQUIRIES = STEPS.length + 1;

/** Fields of model lists: the loaded length before the possible one. */
const LISTED = [
  'loaded_context_length',
  'max_model_len',
  'context_length',
  'context_window',
  'max_context_length',
];

export type ServerFacts = {
  readonly context: StatedContext | null;
  readonly listed: readonly string[];
  /** Whether the model has a chat template; null if the server does not say. */
  readonly hasTemplate: boolean | null;
};

export async function inquireServer(
  { baseUrl, model }: Pick<Endpoint, 'baseUrl' | 'model'>,
  inquire: Inquire,
): Promise<ServerFacts> {
  const base = baseUrl.replace(/\/+$/, '');
  const list = readField(await inquire(`${base}/models`, null), 'data');
  const entry = findModel(list, model);
  const listed = (Array.isArray(list) ? list : [])
    .map((one: unknown) => readField(one, 'id'))
    .filter((id) => typeof id === 'string');
  const name = LISTED.find((one) => readTokens(readField(entry, one)) !== null) ?? '';
  const tokens = readTokens(readField(entry, name));
  let context = tokens === null ? null : { tokens, source: `/models: ${name}` };
  let hasTemplate: boolean | null = null;
  // Known providers speak the protocol only.
  if (context !== null || findKeyVariable(base) !== null) return { context, listed, hasTemplate };
  const root = base.replace(/\/v\d+$/, '');
  for (const { path, isPosted, read } of STEPS) {
    const answer = await inquire(root + path, isPosted === true ? { model } : null);
    const found = read(answer, model);
    context ??= found === null ? null : { tokens: found, source: path };
    hasTemplate ??= findTemplate(answer);
    if (context !== null && hasTemplate !== null) break;
  }
  return { context, listed, hasTemplate };
}

/** Ollama's template of a model without one, or none. */
const NO_TEMPLATE = /^\s*(?:\{\{-?\s*\.Prompt\s*-?\}\}\s*)?$/;
/** What llama.cpp uses for a model without a template. The turns of such a model do not end with its mark. */
const FALLBACK = "{{- '<|im_start|>' + message.role + '";
const FALLBACK_END = '<|im_end|>';

function findTemplate(answer: unknown): boolean | null {
  const template = readField(answer, 'chat_template') ?? readField(answer, 'template');
  if (typeof template !== 'string') return null;
  const isFallback = template.includes(FALLBACK) && readField(answer, 'eos_token') !== FALLBACK_END;
  return !isFallback && !NO_TEMPLATE.test(template);
}

/** Whether two names mean the same model: one may have a folder before it, or a version or tag after it. */
export function isSameModel(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other]
    .map((name) => name.toLowerCase().replace(/^.*\//, ''))
    .toSorted((first, second) => first.length - second.length);
  return long.startsWith(short) && /^(?:$|[-:@.])/.test(long.slice(short.length));
}

/** The matching entry of a list: by name, with or without a tag, or the only one. */
function findModel(list: unknown, model: string): unknown {
  const all: readonly unknown[] = Array.isArray(list) ? list : [];
  const names = (one: unknown) => ['id', 'name', 'model'].map((key) => readField(one, key));
  const named = all.find((one) => names(one).includes(model));
  const tagged = all.find((one) => names(one).includes(`${model}:latest`));
  return named ?? tagged ?? (all.length === 1 ? all[0] : null);
}

const MOST_TOKENS = 1_000_000_000;

function readTokens(value: unknown): number | null {
  const tokens = Number.isInteger(value) ? Number(value) : 0;
  return tokens > 0 && tokens < MOST_TOKENS ? tokens : null;
}

const STATED = [
  /"n_ctx":\s*(\d+)/,
  /context (?:length|size|window)(?: is| of)?(?: only)? \(?(\d+)/i,
];

export function readStatedContext(body: unknown): StatedContext | null {
  const text = JSON.stringify(body) ?? '';
  const [tokens] = STATED.flatMap((pattern) => readTokens(Number(pattern.exec(text)?.[1])) ?? []);
  return tokens === undefined ? null : { tokens, source: 'the refusal of a request' };
}

const WAIT_MS = 5_000;

const MOST_BYTES = 4 * 1024 * 1024;

export function inquireOverHttp(endpoint: Endpoint, time: TimePort): Inquire {
  const { baseUrl, apiKey, headers: more } = endpoint;
  const key = apiKey?.trim() ?? '';
  const headers = {
    accept: 'application/json',
    ...(/^[\x21-\x7e]+$/.test(key) ? { authorization: `Bearer ${key}` } : {}),
    ...more,
  };
  const toPost = (body: object) => ({
    headers: { ...headers, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  });
  return async (url, body) => {
    if (URL.parse(url)?.origin !== URL.parse(baseUrl)?.origin) return null;
    const late = new AbortController();
    const options = { signal: late.signal, mostBytes: MOST_BYTES };
    const timer = time.setTimeout(() => late.abort(), WAIT_MS);
    const reply =
      body === null
        ? await realWeb.get(url, headers, options)
        : await realWeb.postBytes(url, toPost(body), options);
    time.clearTimeout(timer);
    if (reply.type !== 'answer' || reply.status >= FIRST_ERROR) return null;
    const answer = parseBody(decodeUtf8(reply.body) ?? '');
    return typeof answer === 'string' ? null : redactBody(answer, listSecrets(endpoint));
  };
}

const FIRST_ERROR = 400;
