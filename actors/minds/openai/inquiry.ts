/**
 * How long a context a model has, where its server says so: beside the protocol of completions, each in its own way. No
 * prompt is sent, and the key only to the origin of the endpoint. A server that fails or says nothing has no answer.
 */
import { readField } from '../../../machines/text.ts';
import type { TimePort, Web } from '../../ports/ports.ts';
import { decodeUtf8 } from '../../ports/utf8.ts';
import { realWeb } from '../../ports/web.ts';
import { parseBody } from './content.ts';
import { findKeyVariable } from './providers.ts';
import type { Endpoint } from './transport.ts';

export type StatedContext = {
  readonly tokens: number;
  /** Where it is said: a path, or the failure of a request. */
  readonly source: string;
};

/** Asks a URL and returns the JSON that it answers with; null where it answers with none. `body` is posted. */
export type Inquire = (url: string, body: object | null) => Promise<unknown>;

type InquiryStep = {
  readonly path: string;
  readonly body: object | null;
  readonly read: (answer: unknown, model: string) => number | null;
};

/** Of servers that are asked beside the protocol. The path is seen from the root of the server. */
const STEPS: readonly ((model: string) => InquiryStep)[] = [
  // llama.cpp: of one slot.
  () => ({
    path: '/props',
    body: null,
    read: (answer) =>
      readTokens(readField(readField(answer, 'default_generation_settings'), 'n_ctx')),
  }),
  // Ollama: of the model as it is loaded, else as its file has it.
  () => ({
    path: '/api/ps',
    body: null,
    read: (answer, model) =>
      readTokens(readField(findModel(readField(answer, 'models'), model), 'context_length')),
  }),
  (model) => ({
    path: '/api/show',
    body: { model },
    read: (answer) => {
      const parameters = readField(answer, 'parameters');
      const [, count] =
        /^num_ctx\s+(\d+)/m.exec(typeof parameters === 'string' ? parameters : '') ?? [];
      return readTokens(Number(count));
    },
  }),
];

/** Requests that are made at most. */
export const MOST_INQUIRIES = STEPS.length + 1;

/** Where lists of models have it: as it is loaded before as it could be. */
const LISTED = [
  'loaded_context_length',
  'max_model_len',
  'context_length',
  'context_window',
  'max_context_length',
];

/** Asks a server for the context of a model, in the ways of known servers until one knows; null where none does. */
export async function inquireContext(
  { baseUrl, model }: Pick<Endpoint, 'baseUrl' | 'model'>,
  inquire: Inquire,
): Promise<StatedContext | null> {
  const base = baseUrl.replace(/\/+$/, '');
  const listed = findModel(readField(await inquire(`${base}/models`, null), 'data'), model);
  for (const name of LISTED) {
    const tokens = readTokens(readField(listed, name));
    if (tokens !== null) return { tokens, source: `/models: ${name}` };
  }
  // Providers that are known speak the protocol and nothing else.
  if (findKeyVariable(base) !== null) return null;
  const root = base.replace(/\/v\d+$/, '');
  for (const toStep of STEPS) {
    const { path, body, read } = toStep(model);
    const tokens = read(await inquire(root + path, body), model);
    if (tokens !== null) return { tokens, source: path };
  }
  return null;
}

/** The one of a list that is meant: of that name, with or without a tag, or the only one. */
function findModel(list: unknown, model: string): unknown {
  const all: readonly unknown[] = Array.isArray(list) ? list : [];
  const names = (one: unknown) => ['id', 'name', 'model'].map((key) => readField(one, key));
  const named = all.find((one) => names(one).includes(model));
  const tagged = all.find((one) => names(one).includes(`${model}:latest`));
  return named ?? tagged ?? (all.length === 1 ? all[0] : null);
}

/** More is no context that any model has. */
const MOST_TOKENS = 1_000_000_000;

function readTokens(value: unknown): number | null {
  const tokens = Number.isInteger(value) ? Number(value) : 0;
  return tokens > 0 && tokens < MOST_TOKENS ? tokens : null;
}

/** How servers say it when a request is longer than their context. */
const STATED = [
  /"n_ctx":\s*(\d+)/,
  /context (?:length|size|window)(?: is| of)?(?: only)? \(?(\d+)/i,
];

/** The context that the refusal of a request names; null where it names none. */
export function readStatedContext(body: unknown): StatedContext | null {
  const text = JSON.stringify(body) ?? '';
  for (const pattern of STATED) {
    const tokens = readTokens(Number(pattern.exec(text)?.[1]));
    if (tokens !== null) return { tokens, source: 'the refusal of a request' };
  }
  return null;
}

/** A server that does not answer within so many milliseconds says nothing. */
const WAIT_MS = 5_000;

const MOST_BYTES = 4 * 1024 * 1024;

/** Inquiries over the network, to the origin of an endpoint only. */
export function inquireOverHttp(
  { baseUrl, apiKey }: Endpoint,
  time: TimePort,
  web: Web = realWeb,
): Inquire {
  const key = apiKey?.trim() ?? '';
  const headers = {
    accept: 'application/json',
    ...(/^[\x21-\x7e]+$/.test(key) ? { authorization: `Bearer ${key}` } : {}),
  };
  return async (url, body) => {
    if (URL.parse(url)?.origin !== URL.parse(baseUrl)?.origin) return null;
    const late = new AbortController();
    const options = { signal: late.signal, mostBytes: MOST_BYTES };
    const timer = time.setTimeout(() => late.abort(), WAIT_MS);
    const reply =
      body === null
        ? await web.get(url, headers, options)
        : await web.postBytes(
            url,
            {
              headers: { ...headers, 'content-type': 'application/json' },
              body: new TextEncoder().encode(JSON.stringify(body)),
            },
            options,
          );
    time.clearTimeout(timer);
    if (reply.type !== 'answer' || reply.status >= FIRST_ERROR) return null;
    const answer = parseBody(decodeUtf8(reply.body) ?? '');
    return typeof answer === 'string' ? null : answer;
  };
}

const FIRST_ERROR = 400;
