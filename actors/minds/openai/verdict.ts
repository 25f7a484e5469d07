/**
 * Verdicts: what one answer of an endpoint means, whatever it looks like.
 *
 * Endpoints that speak the same protocol refuse, fail and fall ill in their own words. What is judged here is classes
 * of behaviour: the status, then the words, from the most final to the most passing. A refusal that nobody
 * understands is no end: the request is made plainer until it is taken.
 */
import { type Complaint, complaintIn } from './complaint.ts';
import { lackOf } from './lack.ts';
import type { Capability } from './traits.ts';
import type { Delivery } from './wire.ts';

/** Why a call has failed for good. The last four pause a game, so that it can be resumed. */
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

export const PAUSING: readonly Failure[] = [
  'auth',
  'credits',
  'daily-limit',
  'not-found',
  'budget',
];

export type Unusable = 'truncated' | 'empty' | 'malformed';

export type Trouble =
  /** Something in the request is not supported here: change it and ask again. */
  | {
      readonly type: 'unsupported';
      readonly what: Capability;
      readonly parameter: string | null;
      readonly text: string;
    }
  /** The text can't be used: ask in another way. */
  | {
      readonly type: 'unusable';
      readonly why: Unusable;
      /** What was said instead, to be shown to the model; null when it was nothing. */
      readonly said: string | null;
    }
  /** A passing illness: wait, and ask again. */
  | {
      readonly type: 'passing';
      readonly why: Failure;
      readonly text: string;
      readonly waitMs: number | null;
    }
  | { readonly type: 'final'; readonly why: Failure; readonly text: string };

type Sent = Readonly<Record<string, unknown>>;

/** What is wrong with what was delivered for a request; null when there is a text to be read. */
export function troubleWith(delivery: Delivery, sent: Sent): Trouble | null {
  if (delivery.type === 'lost') {
    const { isLate, text } = delivery;
    return { type: 'passing', why: isLate ? 'timeout' : 'upstream', text, waitMs: null };
  }
  const complaint = complaintIn(delivery);
  if (complaint === null) return null;
  const { status, text, waitMs } = complaint;
  const final = finalOf(complaint, sent);
  if (final !== null) return { type: 'final', why: final, text };
  const passing: Trouble = { type: 'passing', why: 'upstream', text, waitMs };
  if (status === 402) return { ...passing, why: 'credits' };
  if (status === 429) return passing;
  if (GENERATION.test(complaint.words)) return { type: 'unusable', why: 'malformed', said: null };
  const lack = isAboutRequest(status) ? lackOf(complaint, sent) : null;
  if (lack !== null) return { type: 'unsupported', ...lack, text };
  if (isUnknown(complaint)) return { type: 'final', why: 'not-found', text };
  if (status === 403) return { type: 'final', why: 'auth', text };
  if (isPassing(complaint)) return passing;
  return REFUSING.includes(status ?? 0)
    ? { type: 'unsupported', what: 'unknown', parameter: null, text }
    : { type: 'final', why: 'upstream', text };
}

/** Why it is of no use to ask again, in any form; null when it may be. */
function finalOf({ status, words, waitMs, ...rest }: Complaint, sent: Sent): Failure | null {
  if (status !== null && status >= 500 && status !== 500) return null;
  const isOverflow = status === 413 || (status !== 429 && CONTEXT.test(words));
  if (isOverflow && lackOf({ status, words, waitMs, ...rest }, sent)?.what !== 'token-limit')
    return 'context-overflow';
  if (status === 401 || status === 407) return 'auth';
  if (status !== 429 && KEY.test(words)) return 'auth';
  if (DAILY.test(words) && [402, 403, 429, null].includes(status)) return 'daily-limit';
  // A budget that is only held by requests in flight comes back.
  if (status === 402) return waitMs === null ? 'credits' : null;
  if (EMPTY_PURSE.test(words)) return 'credits';
  if (status === 429) {
    if (waitMs !== null) return waitMs >= HOUR_MS ? 'daily-limit' : null;
    return QUOTA.test(words) && !MOMENTARY.test(words) ? 'credits' : null;
  }
  if (status === 451) return 'moderation';
  return status !== 404 && MODERATION.test(words) ? 'moderation' : null;
}

const HOUR_MS = 3_600_000;
const CONTEXT =
  /context.{0,20}(length|size|window)|maximum context|exceed_context|n_ctx|too many (input )?tokens|(prompt|input|request|message)s?\b.{0,20} too (long|large)|(input|prompt).{0,10}(length|tokens).{0,20}exceed|上下文|输入.{0,6}(长度|过长)/;
const KEY =
  /(invalid|incorrect|missing|expired|wrong|no|bad).{0,10}api.?key|api.?key.{0,20}(not|invalid|missing|expired|required|incorrect)|no auth credentials|authentication.{0,3}(error|fail|required)|unauthori[sz]ed|invalid.?token\b/;
const DAILY = /per.?day|daily|per 24|\b[rt]pd\b|pro tag|tageslimit|täglich|par jour|每日|每天|今日/;
const EMPTY_PURSE =
  /insufficient.{0,10}(quota|credit|balance|fund)|out of credits|(credit|balance).{0,20}(too low|exhausted|depleted|negative)|payment required|arrear|余额|欠费|guthaben/;
const QUOTA = /exceeded your current quota|billing|quota/;
const MOMENTARY = /per.?(minute|second)|\b[rt]pm\b|retry|try again|momentarily|temporar/;
const MODERATION =
  /moderation|flagged|safety (system|polic|setting)|content.?(management|safety)?.?(polic|filter)|responsible.?ai|inappropriate|content exists risk|data_inspection|guardrail|敏感|违规/;
const GENERATION =
  /json_validate_failed|failed to generate json|failed_generation|tool_use_failed|failed to call a function/;

/** Refusals that may come from the form of a request. */
const REFUSING: readonly number[] = [400, 406, 415, 422, 501];

function isAboutRequest(status: number | null): boolean {
  return status === null || status === 404 || status === 500 || REFUSING.includes(status);
}

function isUnknown({ status, words }: Complaint): boolean {
  if (status === 404 || status === 405 || status === 410) return true;
  return status !== null && status < 500 && UNKNOWN_MODEL.test(words);
}

const UNKNOWN_MODEL =
  /model.{0,60}(not.?found|does not exist|unknown|not available|not exist)|no such model|(unknown|invalid) model|not a valid model|模型.{0,12}不存在/;

function isPassing({ status, words }: Complaint): boolean {
  if (status === 501) return false;
  if (status === null || status >= 500) return true;
  return PASSING.includes(status) || OVERLOADED.test(words);
}

/** Timeouts, conflicts, locks, "too early", and a client that a proxy took for gone. */
const PASSING: readonly number[] = [408, 409, 423, 425, 499];
const OVERLOADED =
  /overload|try again|temporar|upstream|timed? ?out|provider returned error|throttl|capacity|busy|warming|loading/;
