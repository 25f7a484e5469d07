/**
 * What an endpoint lacks: the part of a request that it does not take, judged by what was sent.
 *
 * Only what is in a request can be refused, so that a word that means nothing here, such as "tool" where no tool was
 * sent, is no reason to change anything.
 */
import type { Complaint } from './complaint.ts';
import { at } from './response.ts';
import type { Capability } from './traits.ts';

export type Lack = { readonly what: Capability; readonly parameter: string | null };

type Sent = Readonly<Record<string, unknown>>;

/** Parts of a request that it can't do without, or that have a name of their own here. */
const NAMED = ['model', 'messages', 'response_format', 'tools', 'tool_choice'];

/** What a refusal names of the request; null when it names nothing. */
export function lackOf({ words, culprit, status }: Complaint, sent: Sent): Lack | null {
  const limit = LIMITS.find((name) => name in sent);
  if (limit !== undefined && isNamed(limit, words)) {
    if (TOO_MUCH.test(words)) return { what: 'token-limit', parameter: limit };
    if (limit === 'max_tokens') return { what: 'token-name', parameter: null };
  }
  if (culprit !== null && culprit in sent && culprit !== 'messages' && culprit !== 'model')
    return lacking(culprit);
  if (ROLES.test(words)) return { what: 'roles', parameter: null };
  if ('tools' in sent && TOOLS.test(words)) return lacking('tools');
  if ('response_format' in sent && FORMAT.test(words)) return lacking('response_format');
  if (hasSystem(sent) && SYSTEM.test(words)) return { what: 'system', parameter: null };
  const parameter = Object.keys(sent).find((name) => !NAMED.includes(name) && isNamed(name, words));
  if (parameter !== undefined) return lacking(parameter);
  // A router that found nobody who takes all of it does not say what was too much.
  return status === 404 && PARAMETERS.test(words) ? { what: 'unknown', parameter: null } : null;
}

const LIMITS = ['max_tokens', 'max_completion_tokens'];
const TOO_MUCH =
  /too (large|high|big|many)|less than|at most|lower than|smaller|maximum value|must be (<|≤|between)|out of range|exceeds/;
const PARAMETERS = /(requested|provided|given|these) parameters/;
const ROLES = /alternat|consecutive.{0,20}(user|message|role)|roles? must/;
const TOOLS = /tool|function/;
const FORMAT =
  /response.?format|json.?(schema|object|mode|output)|structured.?(output|response)|grammar|schema|guided|invalid format|response_?mime|additionalproperties|\bstrict\b|\benum\b/;
const SYSTEM =
  /\b(system|developer)\b.{0,60}\b(role|message|instruction|prompt|turn)|(role|message|instruction|prompt|turn).{0,60}\b(system|developer)\b|\bsystem_?(instruction|prompt)/;

function lacking(part: string): Lack {
  if (part === 'response_format') return { what: 'format', parameter: null };
  if (part === 'tools' || part === 'tool_choice') return { what: 'tools', parameter: null };
  return { what: 'parameter', parameter: part };
}

function hasSystem({ messages }: Sent): boolean {
  return at(at(messages, 0), 'role') === 'system';
}

function isNamed(name: string, words: string): boolean {
  return words.split(/[^\w]+/).includes(name.toLowerCase());
}
