import { readField } from '../../../machines/text.ts';
import { BOUNDS } from '../../../prompts/block.ts';
import { type AnswerMode, CACHE_KEY, type Capabilities } from './capabilities.ts';

export type Question = {
  /** Rules that are the same for every player. */
  readonly system: string;
  /** The rest, from the least to the most changing part. */
  readonly user: readonly string[];
  readonly schema: Readonly<Record<string, unknown>>;
  readonly schemaNow?: Readonly<Record<string, unknown>>;
  /** Sends no other schema, because the provider caches prompts with their schema in front. */
  readonly keepsSchema?: boolean;
  readonly schemaName: string;
  readonly maxTokens: number;
  /** The colour of the player who is asked, and their locked vote. */
  readonly seat?: string;
  readonly ballot?: string | null;
  /** Groups requests whose prompts begin alike, so that a provider keeps them together. */
  readonly cacheKey?: string;
};

export type RequestParams = {
  readonly model: string;
  readonly temperature: number | null;
  readonly seed: number | null;
  /** Sent as it is, for options of this model only. A null value removes a field. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Whether to ask for a stream. Default: no. `stream` in the extra fields wins. */
  readonly streams?: boolean;
};

export type Feedback = { readonly said: string; readonly text: string };

export function buildBody(
  question: Question,
  params: RequestParams,
  capabilities: Capabilities,
  { mode, maxTokens, feedback }: { mode: AnswerMode; maxTokens: number; feedback: Feedback | null },
): Readonly<Record<string, unknown>> {
  const { temperature, seed, extra } = params;
  const streams = isStreamed(params, capabilities);
  const wanted: Readonly<Record<string, unknown>> = {
    temperature,
    seed,
    [CACHE_KEY]: question.cacheKey ?? null,
    ...(streams ? { [STREAM_OPTIONS]: { include_usage: true } } : {}),
    ...extra,
  };
  const kept = Object.entries(wanted).filter(
    ([name, value]) =>
      value !== null &&
      !capabilities.isBare &&
      !capabilities.dropped.includes(name) &&
      (streams || name !== STREAM_OPTIONS) &&
      (name !== STREAM || value === false),
  );
  return {
    model: params.model,
    messages: buildMessages(question, capabilities, mode, feedback),
    ...(capabilities.tokenName === null ? {} : { [capabilities.tokenName]: maxTokens }),
    ...buildFormat({ ...question, schema: adaptSchema(question, capabilities) }, mode),
    ...Object.fromEntries(kept),
    ...(streams ? { [STREAM]: true } : {}),
  };
}

const STREAM = 'stream';
/** With it, the last piece of a stream reports the tokens. */
const STREAM_OPTIONS = 'stream_options';

export function isStreamed(
  { streams = false, extra }: RequestParams,
  { streaming, isBare }: Capabilities,
): boolean {
  const wish = extra[STREAM] ?? streams;
  return streaming === 'always' || (streaming === 'as-wished' && wish === true && !isBare);
}

/** A model whose answers were cut gets half of each bound: some write signs of three tokens. */
function adaptSchema(
  { schema, schemaNow = schema, keepsSchema = false }: Question,
  { takesBounds, isWordy }: Capabilities,
) {
  const sent = keepsSchema ? schema : schemaNow;
  const adapt = (key: string, value: unknown) => {
    if (!BOUNDS.test(key)) return value;
    if (!takesBounds) return undefined;
    return isWordy && key === 'maxLength' ? Math.floor(Number(value) / 2) : value;
  };
  return takesBounds && !isWordy ? sent : JSON.parse(JSON.stringify(sent, adapt));
}

function buildFormat({ schema, schemaName }: Question, mode: AnswerMode) {
  switch (mode) {
    case 'json_schema':
      return {
        response_format: {
          type: 'json_schema' as const,
          json_schema: { name: schemaName, strict: true, schema },
        },
      };
    case 'json_object':
      return { response_format: { type: 'json_object' as const } };
    case 'tool':
      return {
        tools: [
          {
            type: 'function' as const,
            function: { name: schemaName, description: 'Hands in the answer.', parameters: schema },
          },
        ],
        tool_choice: { type: 'function' as const, function: { name: schemaName } },
      };
    case 'text':
      return {};
  }
}

/** Ends with a user turn: some endpoints require it. */
function buildMessages(
  question: Question,
  capabilities: Capabilities,
  mode: AnswerMode,
  feedback: Feedback | null,
): readonly ChatMessage[] {
  const isHeld = mode === 'json_schema' || mode === 'tool';
  // For models without schema enforcement, the schema is in the words.
  const inWords = `\n\nAnswer with one JSON object and nothing else. Its JSON schema:\n${JSON.stringify(question.schema)}`;
  const rules = question.system + (isHeld ? '' : inWords);
  const choices = isHeld && question.keepsSchema !== true ? '' : spellOutChoices(question);
  const isMerged = capabilities.system === 'merged';
  const told: ChatMessage[] = [
    { role: isMerged ? 'user' : 'system', content: rules },
    ...question.user
      .with(-1, (question.user.at(-1) ?? '') + choices)
      .map((content): ChatMessage => ({ role: 'user', content })),
  ];
  if (capabilities.isWordy)
    told.push({ role: 'user', content: `Write at most ${question.maxTokens} characters.` });
  if (feedback !== null) {
    told.push(
      { role: 'assistant', content: feedback.said },
      { role: 'user', content: feedback.text },
    );
  }
  return capabilities.joinsRoles || isMerged ? joinRoles(told) : told;
}

type ChatMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

function joinRoles(told: readonly ChatMessage[]): ChatMessage[] {
  const found: ChatMessage[] = [];
  for (const one of told) {
    const last = found.at(-1);
    if (last?.role === one.role) {
      found[found.length - 1] = { ...last, content: `${last.content}\n\n${one.content}` };
    } else found.push(one);
  }
  return found;
}

/** The fields for which the rules accept less now than the schema offers. */
function spellOutChoices({ schema, schemaNow = {} }: Question): string {
  const choices = (name: string, of: unknown) =>
    readField(readField(readField(of, 'properties'), name), 'enum');
  const told = Object.keys(Object(schemaNow['properties'])).flatMap((name) => {
    const now = JSON.stringify(choices(name, schemaNow));
    return now === JSON.stringify(choices(name, schema)) ? [] : `"${name}" is one of ${now}`;
  });
  return told.length === 0 ? '' : `\n\nNow ${told.join(', and ')}.`;
}
