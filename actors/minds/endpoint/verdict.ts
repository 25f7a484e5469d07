/**
 * Verdicts: what one answer of an endpoint means, whatever it looks like.
 *
 * Endpoints that speak the same protocol refuse, fail and fall ill in their own words. What is judged here is classes
 * of behaviour: the status, then the words of the whole body, from the most final to the most passing.
 */
import type { Delivery } from './wire.ts';

/** Parts of a request that an endpoint may not take. */
export const CAPABILITIES = [
  'format',
  'tools',
  'system',
  'roles',
  'token-name',
  'parameter',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Why a call has failed for good. The last three pause a game, so that it can be resumed. */
export const FAILURES = [
  'refusal',
  'moderation',
  'content-filter',
  'context-overflow',
  'not-found',
  'truncated',
  'empty',
  'malformed',
  'upstream',
  'timeout',
  'aborted',
  'budget',
  'auth',
  'credits',
  'daily-limit',
] as const;
export type Failure = (typeof FAILURES)[number];

export const PAUSING: readonly Failure[] = ['auth', 'credits', 'daily-limit', 'budget'];

export type Trouble =
  /** Something in the request is not supported here: change it and ask again. */
  | { readonly type: 'unsupported'; readonly what: Capability; readonly parameter: string | null }
  /** The text can't be used: ask in another way. */
  | { readonly type: 'unusable'; readonly why: 'truncated' | 'empty' | 'malformed' }
  /** A passing illness: wait, and ask again. */
  | { readonly type: 'passing'; readonly why: Failure; readonly text: string }
  | { readonly type: 'final'; readonly why: Failure; readonly text: string };

/** What is wrong with what was delivered; null when there is a text to be read. */
export function troubleWith(delivery: Delivery): Trouble | null {
  if (delivery.type === 'lost') {
    return { type: 'passing', why: delivery.isLate ? 'timeout' : 'upstream', text: delivery.text };
  }
  const words = flattened(delivery.body).toLowerCase();
  const { status } = delivery;
  const inner = innerStatus(delivery.body);
  const isError = status >= 400 || inner !== null;
  if (!isError) return null;
  return troubleOf(inner ?? status, words, delivery.retryAfterMs !== null);
}

function troubleOf(status: number, words: string, saysWhen: boolean): Trouble {
  const text = excerpt(words);
  const final = (why: Failure): Trouble => ({ type: 'final', why, text });
  if (CONTEXT.test(words)) return final('context-overflow');
  if (status === 401 || KEY.test(words)) return final('auth');
  // A budget that is only held by requests in flight comes back.
  if (status === 402)
    return saysWhen ? { type: 'passing', why: 'credits', text } : final('credits');
  if (QUOTA.test(words)) return final('credits');
  if (status === 429) {
    return DAILY.test(words) ? final('daily-limit') : { type: 'passing', why: 'upstream', text };
  }
  if (MODERATION.test(words)) return final('moderation');
  const lack = lackOf(status, words);
  if (lack !== null) return lack;
  if (GENERATION.test(words)) return { type: 'unusable', why: 'malformed' };
  if (status === 403) return final('auth');
  if (status === 404 || UNKNOWN_MODEL.test(words)) return final('not-found');
  if (status === 408 || status === 409 || status >= 500 || OVERLOADED.test(words)) {
    return { type: 'passing', why: 'upstream', text };
  }
  return final('upstream');
}

const CONTEXT =
  /context.{0,20}(length|size|window)|maximum context|exceed_context|too many (input )?tokens|prompt is too long|input is too long|context_length_exceeded/;
const KEY =
  /invalid.{0,10}api.?key|no auth credentials|incorrect api key|api key not valid|unauthori[sz]ed/;
const QUOTA =
  /insufficient_quota|exceeded your current quota|insufficient (credit|balance|funds)|out of credits|billing/;
const DAILY = /per.?day|daily|free-models-per-day|per 24/;
const MODERATION = /moderation|flagged|safety (system|polic)|content.?polic/;
const GENERATION = /json_validate_failed|failed to generate json|failed_generation/;
const UNKNOWN_MODEL =
  /model.{0,60}(not found|does not exist|unknown|not available)|no such model|not a valid model/;
const OVERLOADED =
  /overload|try again|temporar|unavailable\b(?!.*response_format)|upstream|timed? ?out|provider returned error/;

/** What a refusal of the request itself names; null when it names nothing that could be changed. */
function lackOf(status: number, words: string): Trouble | null {
  if (status !== 400 && status !== 404 && status !== 422 && status !== 501) return null;
  const lacks = (what: Capability, parameter: string | null = null): Trouble => ({
    type: 'unsupported',
    what,
    parameter,
  });
  if (/max_completion_tokens/.test(words) && /max_tokens/.test(words)) return lacks('token-name');
  if (ROLES.test(words)) return lacks('roles');
  if (SYSTEM.test(words)) return lacks('system');
  if (TOOLS.test(words)) return lacks('tools');
  if (FORMAT.test(words)) return lacks('format');
  const parameter = PARAMETERS.find((name) => new RegExp(`\\b${name}\\b`).test(words));
  return parameter === undefined ? null : lacks('parameter', parameter);
}

const ROLES =
  /roles? must alternate|alternate user\/assistant|consecutive (user|messages)|roles.{0,30}alternat/;
const SYSTEM =
  /developer instruction|system (role|message|prompt|instruction)s?.{0,40}(not|un)|unknown role.{0,5}(developer|system)|role.{0,10}(system|developer).{0,20}not/;
const TOOLS =
  /support.{0,20}tool|tool.{0,30}(not|un)\w*|tool.?choice|function.?call\w*.{0,30}(not|un)|tools? (is|are) not/;
const FORMAT =
  /response_format|json.?schema|json mode|structured.?output|grammar|invalid schema|invalid format|responseschema|response_mime/;
/** Parameters that we send and can do without. */
export const PARAMETERS = [
  'seed',
  'temperature',
  'top_p',
  'reasoning_effort',
  'prompt_cache_key',
  'max_tokens',
  'max_completion_tokens',
] as const;

/** The status that an error inside a body of 200 states; null where there is no error in it. */
function innerStatus(body: unknown): number | null {
  const error = errorIn(body);
  if (error === undefined) return null;
  const code: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : 0;
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : 502;
}

/** The error that a body speaks of: at its top, in a list, or in its first choice; undefined when there is none. */
function errorIn(body: unknown): unknown {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof first !== 'object' || first === null) return undefined;
  const own: unknown = Reflect.get(first, 'error');
  if (own !== undefined && own !== null) return own;
  const choices: unknown = Reflect.get(first, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (typeof choice !== 'object' || choice === null) return undefined;
  const inner: unknown = Reflect.get(choice, 'error');
  return inner === null ? undefined : inner;
}

/** All words of a body: a cause may be written in JSON within a string. */
export function flattened(body: unknown): string {
  if (typeof body === 'string') return body;
  return (JSON.stringify(body) ?? '').replaceAll('\\"', '"');
}

const LONGEST_EXCERPT = 160;

function excerpt(words: string): string {
  return words.length <= LONGEST_EXCERPT ? words : `${words.slice(0, LONGEST_EXCERPT - 1)}…`;
}
