/** The meaning of a response without a usable answer, by status, then by words, the most final first. */
import { readField, wordOf } from '../../../machines/text.ts';
import { readWait } from '../../ports/waits.ts';
import type { RequestPart } from './capabilities.ts';
import { parseBody, readContent } from './content.ts';
import type { Delivery } from './transport.ts';

const PAUSING = [
  'auth',
  'credits',
  'daily-limit',
  'not-found',
  'loading',
  'rate-limit',
  'not-endpoint',
  'budget',
  'outage',
  'unusable',
] as const;

export const FAILURE_CLASSES = [
  'refusal',
  'moderation',
  'content-filter',
  'context-overflow',
  'truncated',
  'empty',
  'malformed',
  'upstream',
  'timeout',
  'aborted',
  ...PAUSING,
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

export const PAUSING_FAILURES: readonly FailureClass[] = PAUSING;

export type UnusableReason = 'truncated' | 'empty' | 'malformed';

export type ApiFailure =
  /** The endpoint does not support part of the request: change it and ask again. */
  | {
      readonly type: 'unsupported';
      readonly what: RequestPart;
      readonly parameter: string | null;
      readonly text: string;
      /** No reason given; most likely about streaming. */
      readonly mayBeOfStreams?: true;
    }
  /** The text is unusable: ask in another way. */
  | {
      readonly type: 'unusable';
      readonly why: UnusableReason;
      /** The unusable text, to show to the model; null if there was none. */
      readonly said: string | null;
      /** It says nothing about the game: repeated after a correction, it is a refusal. */
      readonly isAside?: true;
    }
  /** A temporary failure: wait, and ask again. */
  | {
      readonly type: 'temporary';
      readonly why: FailureClass;
      readonly text: string;
      readonly waitMs: number | null;
      readonly isLoading?: true;
      /** The model's text said so, or a proxy in its place. */
      readonly isInWords?: true;
      readonly isCrowded?: true;
      /** No connection was made, so the request is not to blame. */
      readonly isUnreachable?: boolean;
    }
  | {
      readonly type: 'final';
      readonly why: FailureClass;
      readonly text: string;
      /** How many tokens one request is over the limit per minute. */
      readonly excess?: number;
    };

/** Classifies a delivery; null when it has a text to read. */
export function classifyFailure(delivery: Delivery, sent: SentBody): ApiFailure | null {
  if (delivery.type === 'lost') {
    const { isLate, text } = delivery;
    const failure = { type: 'temporary', text, waitMs: null } as const;
    if (isLate) return { ...failure, why: 'timeout' };
    return { ...failure, why: 'upstream', isCrowded: true, isUnreachable: !delivery.wasSent };
  }
  const stranger = describeStranger(delivery);
  if (stranger !== null) return { type: 'final', why: 'not-endpoint', text: stranger };
  const report = readErrorReport(delivery);
  if (report === null) return null;
  const { status, text, waitMs } = report;
  const final = findFinalFailure(report, sent);
  if (final === 'rate-limit') {
    const [, limit, requested] = EXCESS.exec(report.words) ?? [];
    const words = `one request is larger than the limit, so a larger limit or another model is needed: ${text}`;
    return { type: 'final', why: final, text: words, excess: Number(requested) - Number(limit) };
  }
  if (final !== null) return { type: 'final', why: final, text };
  const isCrowded = CROWDED.test(report.words) && ({ isCrowded: true } as const);
  const temporary: ApiFailure = { type: 'temporary', why: 'upstream', text, waitMs, ...isCrowded };
  if (status === 402) return { ...temporary, why: 'credits' };
  if (isLimit(report))
    return { ...temporary, why: DAILY.test(report.words) ? 'daily-limit' : 'rate-limit' };
  if (GENERATION.test(report.words)) return { type: 'unusable', why: 'malformed', said: null };
  const param = isAboutRequest(status) ? findUnsupportedParam(report, sent) : null;
  if (param !== null) return { type: 'unsupported', ...param, text };
  if (isUnknownModel(report)) return { type: 'final', why: 'not-found', text };
  if (status === 403 && PAGE.test(wordOf(delivery.body))) {
    const words = `a web page answers in its place, perhaps a protection against bots: ${text}`;
    return { type: 'final', why: 'not-endpoint', text: words };
  }
  if (status === 403) return { type: 'final', why: 'auth', text };
  const isLoading = LOADING.test(report.words) && !BROKEN.test(report.words);
  if (isTemporary(report)) return isLoading ? { ...temporary, isLoading } : temporary;
  if (!isAboutRequest(status)) return { type: 'final', why: 'upstream', text };
  const unknown = { type: 'unsupported', what: 'unknown', parameter: null, text } as const;
  return status === NOT_ACCEPTABLE ? { ...unknown, mayBeOfStreams: true } : unknown;
}

/** Describes a responder that is no endpoint: a web page, or a server without such a path. Null if one may be there. */
function describeStranger({ status, body }: Extract<Delivery, { type: 'body' }>): string | null {
  const isWell = status >= 200 && status < 300;
  if (!isWell && status !== 404 && status !== 405) return null;
  const advice = 'not an endpoint: most base URLs end in /v1';
  if (typeof body === 'string' && PAGE.test(body)) return `a web page answers, ${advice}`;
  const error = findError(body);
  if (isWell && error === undefined) return null;
  const words = flattenWords(error ?? body);
  const sentence = excerpt(findSentence(error ?? body));
  if (status === 405 && sentence.startsWith('it redirects')) return sentence;
  return status === 405 || WRONG_PATH.test(words.toLowerCase()) ? `${sentence}: ${advice}` : null;
}

const PAGE = /^\s*(?:<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|body)\b/i;
/** How servers report a missing path: LM Studio, Ollama, llama.cpp, Azure, FastAPI, Express, OpenAI. */
const WRONG_PATH =
  /unexpected endpoint or method|^\W*404 page not found|"message": ?"(?:file|resource) not found"|^\W*(?:detail\W+)?not found\W*$|cannot post \/|invalid url \(post/;

/** The reason why no form of the request can succeed; null if one may. */
function findFinalFailure(report: ErrorReport, sent: SentBody): FailureClass | null {
  const { status, words, waitMs } = report;
  if (status !== null && status > 500) return null;
  const isLong = CONTEXT.test(words) || (LENGTH.test(words) && EXCEEDED.test(words));
  const isOverflow = status === 413 || (status !== 429 && (isLong || readContextRoom(words)));
  const isTooLarge =
    TOO_LARGE.test(words) ||
    (isOverflow && findUnsupportedParam(report, sent)?.what !== 'token-limit');
  if (isTooLarge) return OF_A_TIME.test(words) ? 'rate-limit' : 'context-overflow';
  if (status === 401 || status === 407) return 'auth';
  if (status !== 429 && (KEY.test(words) || PLACE.test(words))) return 'auth';
  const isVague = !waitMs || GUESSED.test(words);
  if (DAILY.test(words) && [402, 403, 429, null].includes(status) && isVague) return 'daily-limit';
  // A 402 with a wait: only requests in flight hold the budget, and it comes back.
  if (status === 402) return waitMs === null ? 'credits' : null;
  if (NO_CREDIT.test(words) || (status === 403 && QUOTA.test(words) && waitMs === null))
    return 'credits';
  if (status === 429)
    return waitMs === null && QUOTA.test(words) && !MOMENTARY.test(words) ? 'credits' : null;
  if (status === 451) return 'moderation';
  return status !== 404 && MODERATION.test(words) ? 'moderation' : null;
}

/** One request is too large, perhaps for a limit of tokens in a minute. Waiting does not help. */
const TOO_LARGE = /request too large for/;
const EXCESS = /limit:? (\d+), requested:? (\d+)/;
const OF_A_TIME = /per.?(min|hour|day)|\b[rt]p[mhd]\b/;
const LENGTH = /\b(inputs?|prompt|context|sequence)\b[^{}"]{0,60}\b(tokens?|length|long)\b/;
const EXCEEDED =
  /exceed|(greater|larger|longer|less|more) than|at most|\bmax|\brange of|too (long|large|big|many)/;
const CONTEXT =
  /must be at least 1, got -|context.{0,20}(length|size|window)|maximum context|exceed_context|n_ctx|too many (input )?tokens|(prompt|input|request|message)s?\b(?!["']: ?["']).{0,20} too (long|large)|(input|prompt).{0,10}(length|tokens).{0,20}exceed|上下文|输入.{0,6}(长度|过长)/;
const KEY =
  /(invalid|incorrect|missing|expired|wrong|no|bad).{0,10}api.?key|api.?key.{0,20}(not|invalid|missing|expired|required|incorrect)|no auth credentials|authentication.{0,3}(error|fail|required)|unauthori[sz]ed|invalid.?token\b/;
/** The operator's location is unsupported. Waiting does not help. */
const PLACE = /(location|country|region).{0,30}not supported/;
const DAILY = /per.?day|daily|per 24|\b[rt]pd\b|pro tag|tageslimit|täglich|par jour|每日|每天|今日/;
/** Google states some seconds for limits of a day too. */
const GUESSED = /"quotaid"/;
const NO_CREDIT =
  /billing.{0,20}limit|insufficient.{0,10}(quota|credit|balance|fund)|out of credits|(credit|balance).{0,20}(too low|exhausted|depleted|negative)|payment required|(used all|run out of|have any).{0,12}credits|spending limit|budget.?(has been )?exceeded|exceeded.?budget|(over|crossed) budget|arrear|余额|欠费|guthaben/;
const QUOTA = /exceeded your current quota|billing|quota/;
const MOMENTARY =
  /resource has been exhausted|per.?(minute|second)|\b[rt]pm\b|retry|try again|momentarily|temporar|throttl/;
const MODERATION =
  /moderation|flagged|safety (system|polic|setting)|content.?(management|safety)?.?(polic|filter)|responsible.?ai|inappropriate|content exists risk|data_inspection|guardrail|敏感|违规/;
const GENERATION =
  /reasoning_content.{0,40}passed back|json_validate_failed|failed to generate json|failed_generation|tool_use_failed|failed to call a function/;

/** Limits of requests, whatever the status: GitHub's is 403. */
function isLimit({ status, words, waitMs }: ErrorReport): boolean {
  if (status === 429 || status === 420 || (status === 403 && waitMs !== null)) return true;
  return (status === null || (status >= 400 && status < 500)) && LIMITED.test(words);
}

const LIMITED =
  /rate.?limit|too many (\w+ )?requests|concurrent\w* (request|call|connection)|slow down|request limit|requests? per (sec|min|hour)|throttl|another (request|generation)|still running|already (running|in progress)|\bbusy\b|过于频繁|限流/;
const CROWDED =
  /concurren|parallel|simultan|in.?flight|at (once|the same time)|\bno (\w+ )?slots?\b|pending requests|\bqueue|another (request|generation)|still running|already (running|in progress)|\bbusy\b/;

/** Spring sends it for `accept: application/json` where an answer must be a stream, often without a word. */
const NOT_ACCEPTABLE = 406;

const REFUSING_STATUSES: readonly number[] = [400, 406, 415, 422, 501];

function isAboutRequest(status: number | null): boolean {
  return status === null || status === 404 || status === 500 || REFUSING_STATUSES.includes(status);
}

function isUnknownModel({ status, words }: ErrorReport): boolean {
  if (status === 404 || status === 410 || NO_MODEL.test(words)) return true;
  return status !== null && status < 500 && UNKNOWN_MODEL.test(words);
}

const NO_MODEL = /"code": ?"model_not_found"/;
const UNKNOWN_MODEL =
  /model.{0,60}(not.?found|does not exist|unknown|not available|not exist)|no such model|(unknown|invalid) model|not a valid model|模型.{0,12}不存在/;

function isTemporary({ status, words }: ErrorReport): boolean {
  if (status === null || status >= 500) return status !== 501;
  return TEMPORARY_STATUSES.includes(status) || OVERLOADED.test(words);
}

const LOADING =
  /\bloading (the )?(model|weights)\b|\b(model|weights|engine|server)\b.{0,80}\b(loading|warming up|starting up)\b|\b(model|weights)\b.{0,40}\bnot (yet )?(loaded|ready)\b/;
const BROKEN = /fail|error (while )?loading|unable|cannot|can't|could not|out of memory/;

/** Timeouts, conflicts, locks, "too early", and a client that a proxy considered gone. */
const TEMPORARY_STATUSES: readonly number[] = [408, 409, 423, 425, 499];
const OVERLOADED =
  /overload|try again|temporar|upstream|timed? ?out|provider returned error|throttl|capacity|busy|warming|loading|unloaded|has crashed/;

/** A failure report in any form: a status, an error within a success, JSON within a string, or a page for people. */
type ErrorReport = Readonly<NonNullable<ReturnType<typeof readErrorReport>>>;

/** The complaint; null if there is an answer. */
function readErrorReport(delivery: Extract<Delivery, { type: 'body' }>) {
  const { status, body, retryAfterMs, at = Number.NaN } = delivery;
  const error = findError(body);
  const isWell = status >= 200 && status < 300;
  // A list of choices may be empty; without a list there has to be a text.
  const isCompletion =
    Array.isArray(readField(body, 'choices')) || readContent(body).type !== 'nothing';
  if (isWell && (typeof body === 'string' || (error === undefined && isCompletion))) return null;
  const words = flattenWords(error ?? body)
    .toLowerCase()
    .slice(0, MOST_WORDS);
  return {
    /** The HTTP status, or the one stated in an error within a success; null if none is stated. */
    status: isWell ? readStatedStatus(error) : status,
    /** The whole text in lower case, without quotes of our own request. */
    words,
    text: excerpt(findSentence(error ?? body)) || `status ${status} without a word`,
    /** The request part that it points at, such as `response_format`; empty if none. */
    culprit: findCulprit(error ?? body, words),
    waitMs: retryAfterMs ?? readWait(words, at),
  };
}

export function findError(body: unknown): unknown {
  const top: unknown = Array.isArray(body) ? body[0] : body;
  const inner = readField(readField(readField(top, 'choices'), 0), 'error');
  return [readField(top, 'error'), inner].find(
    (one) => one !== undefined && one !== null && one !== false && one !== '',
  );
}

/** Some patterns take the square of the length. */
const MOST_WORDS = 20_000;

function readStatedStatus(error: unknown): number | null {
  const codes = ['code', 'status', 'status_code'].map((name) =>
    Number(wordOf(readField(error, name))),
  );
  return codes.find((code) => Number.isInteger(code) && code >= 400 && code < 600) ?? null;
}

/** Fields where endpoints quote a request or an answer. Players' talk says nothing about the endpoint. */
const QUOTING = ['failed_generation', 'flagged_input', 'input', 'messages', 'prompt', 'ctx'];

/** All words of a body. A cause may be JSON within a string. */
function flattenWords(body: unknown): string {
  if (typeof body === 'string') return stripMarkup(body);
  try {
    const json = JSON.stringify(body, (key, value) => (QUOTING.includes(key) ? undefined : value));
    return (json ?? '').replaceAll(/\\+"/g, '"').replaceAll(/\\[nrt]/g, ' ');
  } catch {
    return '';
  }
}

/** Tags, and the contents of styles and scripts. Runs in linear time, however many begin and never end. */
const MARKUP = /<(style|script)\b(?:[\s\S]*?<\/\1>|[\s\S]*$)|<[^<>]*>/gi;

function stripMarkup(text: string): string {
  return /^\s*</.test(text) ? text.replaceAll(MARKUP, ' ').replaceAll(/\s+/g, ' ') : text;
}

function findSentence(error: unknown): string {
  const top: unknown = Array.isArray(error) ? error[0] : error;
  const said = ['message', 'detail', 'msg', 'error', 'title'].map((name) => readField(top, name));
  const found = [top, ...said].find((one) => typeof one === 'string' && one.trim() !== '');
  if (typeof found !== 'string') return flattenWords(error);
  const raw = ROUTED.test(found) ? readField(readField(top, 'metadata'), 'raw') : null;
  if (typeof raw !== 'string' || raw.trim() === '') return stripMarkup(found).trim();
  const inner: unknown = parseBody(raw);
  return findSentence(findError(inner) ?? inner);
}

/** A router's phrase for any failure behind it. The cause is beside it. */
const ROUTED = /^\s*provider returned error\s*$/i;

/** `param` of an error, or the location that a validator names: body.seed. */
function findCulprit(error: unknown, words: string): string {
  const param = readField(error, 'param');
  if (typeof param === 'string' && param !== '')
    return param.replace(/^body\./, '').split(/[.[]/)[0] ?? '';
  return /"loc": ?\["body", ?"(\w+)"/.exec(words)?.[1] ?? '';
}

const LONGEST_EXCERPT = 160;

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= LONGEST_EXCERPT ? line : `${line.slice(0, LONGEST_EXCERPT - 1)}…`;
}

/** The request part that an endpoint does not support. Only sent parts can be refused, so other words mean nothing. */
type UnsupportedParam = { readonly what: RequestPart; readonly parameter: string | null };

type SentBody = Readonly<Record<string, unknown>>;

const NEEDED = ['model', 'messages'];

function findUnsupportedParam(report: ErrorReport, sent: SentBody): UnsupportedParam | null {
  const { words, culprit, status } = report;
  const streaming = findStreamRefusal(report, sent);
  if (streaming !== null) return streaming;
  const limit = LIMITS.find((name) => name in sent);
  const room = readContextRoom(words);
  if (limit !== undefined && room !== null && room.prompt < room.most)
    return { what: 'token-limit', parameter: limit };
  if (limit !== undefined && isNamed(limit, words)) {
    if (TOO_MUCH.test(words)) return { what: 'token-limit', parameter: limit };
    if (limit === 'max_tokens') return { what: 'token-name', parameter: null };
  }
  const format = JSON.stringify([sent['response_format'], sent['tools']]);
  if (format.includes('"maxLength"') && NO_BOUNDS.test(words))
    return { what: 'bounds', parameter: null };
  if (culprit in sent && !NEEDED.includes(culprit)) return nameUnsupported(culprit);
  if (ROLES.test(words)) return { what: 'roles', parameter: null };
  if ('tools' in sent && TOOLS.test(words)) return nameUnsupported('tools');
  if ('response_format' in sent && FORMAT.test(words)) return nameUnsupported('response_format');
  const hasSystem = readField(readField(sent['messages'], 0), 'role') === 'system';
  if (hasSystem && SYSTEM.test(words)) return { what: 'system', parameter: null };
  const effort = EFFORTS.find((name) => name in sent);
  if (effort !== undefined && NO_EFFORT.test(words)) return nameUnsupported(effort);
  const parameter = Object.keys(sent).find(
    (name) => !NEEDED.includes(name) && isNamed(name, words),
  );
  if (parameter !== undefined) return nameUnsupported(parameter);
  // A router without a matching provider does not name the part that was too much.
  return status === 404 && PARAMETERS.test(words) ? { what: 'unknown', parameter: null } : null;
}

/** Some endpoints don't stream, or not in this way of asking. Others only stream. */
function findStreamRefusal({ words, culprit }: ErrorReport, { stream }: SentBody) {
  const [what, refusal] =
    stream === true ? (['stream', NO_STREAM] as const) : (['no-stream', ONLY_STREAM] as const);
  return culprit === 'stream' || refusal.test(words) ? { what, parameter: null } : null;
}

const NO_STREAM =
  /(\bnot\b|n't|\bun(able|supported)|disabled|remove|without|only the default|must be (false|verified)).{0,60}\bstream(ing|ed)?\b|\bstream(ing|ed)?\b.{0,60}(\bnot\b|n't|unsupported|unavailable|disabled|only the default|must be false)|(不支持|无法).{0,8}流式/;
/** The wordings of DashScope, Codex relays, and adapters and SDKs in front of Anthropic. */
const ONLY_STREAM =
  /\bnon-?stream|\bunstreamed|非流式|(仅|只)支持.{0,6}流式|\bonly\b.{0,30}\bstream|\bstream(ing|ed)?\b.{0,30}(\bonly\b|\bset to true|must be true|required|mandatory)|\b(requires?|needs?|enable|expected true|must (use|be|set)).{0,30}\bstream(ing|ed)?\b|\bstream\W{0,4}(=|:)\W{0,4}true/;

const LIMITS = ['max_tokens', 'max_completion_tokens'];
const EFFORTS = ['reasoning_effort', 'reasoning', 'thinking', 'think', 'enable_thinking'];
const NO_EFFORT = /(not|n't) support.{0,20}(thinking|reasoning)|think.{0,30}not supported/;

/** The stated lengths of the prompt and of the context: vLLM, DeepSeek, OpenAI and TGI. */
function readContextRoom(words: string): { readonly prompt: number; readonly most: number } | null {
  const [, most, prompt] = IN_MESSAGES.exec(words) ?? GIVEN_INPUTS.exec(words) ?? [];
  return most === undefined ? null : { most: Number(most), prompt: Number(prompt) };
}

const IN_MESSAGES = /maximum context length is (\d+) tokens.{0,80}\((\d+) in the messages/;
const GIVEN_INPUTS = /must be <= (\d+)\. given: (\d+) `inputs`/;
const TOO_MUCH =
  /too (large|high|big|many)|less than|at most|lower than|smaller|maximum value|must be (<|≤|between)|out of range|exceeds/;
const PARAMETERS = /(requested|provided|given|these) parameters/;
const ROLES = /alternat|consecutive.{0,20}(user|message|role)|roles? must/;
const TOOLS = /tool|function/;
const FORMAT =
  /response.?format|json.?(schema|object|mode|output)|structured.?(output|response)|grammar|schema|guided|invalid format|response_?mime|additionalproperties|\bstrict\b|\benum\b/;
const SYSTEM =
  /\b(system|developer)\b.{0,60}\b(role|message|instruction|prompt|turn)|(role|message(?!["']: ?["'])|instruction|prompt|turn).{0,60}\b(system|developer)\b|\bsystem_?(instruction|prompt)/;

function nameUnsupported(part: string): UnsupportedParam {
  if (part === 'response_format') return { what: 'format', parameter: null };
  if (part === 'tools' || part === 'tool_choice') return { what: 'tools', parameter: null };
  return { what: 'parameter', parameter: part };
}

/** Complaints about a keyword of a schema, or about the grammar that a server makes of it. */
const NO_BOUNDS =
  /max_?length|["'`](min|max)imum["'`]|(min|max)imum\b.{0,30}support|(pars|convert|compil)\w*.{0,30}grammar|repetitions|(feature|keyword)s?.{0,30}support/;

function isNamed(name: string, words: string): boolean {
  return words.split(/[^\w]+/).includes(name.toLowerCase());
}
