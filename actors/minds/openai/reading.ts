/**
 * The reading: whether what was delivered holds an answer to the question, and what is wrong if it doesn't.
 *
 * An answer that breaks off is never used, however much of it is there: a ballot binds.
 */
import { extracted, isRefusal } from '../../../prompts/extraction.ts';
import { contentOf, type Usage, usageOf } from './content.ts';
import { mended } from './mending.ts';
import type { Question } from './messages.ts';
import { type Failure, type Trouble, troubleWith, type Unusable } from './verdict.ts';
import type { Delivery } from './wire.ts';

export type Reading =
  | {
      readonly type: 'answer';
      /** The object that the model meant, in the types of the schema. */
      readonly received: object;
      /** Whether it had to be mended to be one. */
      readonly isMended: boolean;
      /** As it was said: that object, or the text in which it stands. */
      readonly said: unknown;
    }
  | Trouble;

export type Asked = {
  readonly question: Question;
  /** The body of the request. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** Whether an object is an answer at all. */
  readonly fits: (value: object) => boolean;
};

export function readingOf(delivery: Delivery, { question, sent, fits }: Asked): Reading {
  const trouble = troubleWith(delivery, sent);
  if (trouble !== null) return trouble;
  const body: unknown = delivery.type === 'body' ? delivery.body : null;
  if (typeof body === 'string') return passing(pageOf(body));
  const content = contentOf(body);
  switch (content.type) {
    case 'refusal':
      return final('refusal', content.text.trim());
    case 'filtered':
      return final('content-filter', 'the answer was filtered');
    case 'broken':
      return passing(`the answer broke off: ${content.reason}`);
    case 'nothing':
      return unusable(content.isCut ? 'truncated' : 'empty');
    case 'said':
      if (wasPromptCut(question, usageOf(body))) return final('context-overflow', CUT_PROMPT);
      return content.isCut ? unusable('truncated') : answerIn(content.said, question, fits);
  }
}

/** The first of what was said in which there is an answer. */
function answerIn(
  said: readonly unknown[],
  { schema }: Question,
  fits: (value: object) => boolean,
): Reading {
  const isAnswer = (value: object) => fits(mended(value, schema).value);
  const answer = (found: object, one: unknown, isRepaired: boolean): Reading => {
    const { value, isMended } = mended(found, schema);
    return { type: 'answer', received: value, said: one, isMended: isMended || isRepaired };
  };
  const texts: string[] = [];
  for (const one of said) {
    if (typeof one === 'object' && one !== null && isAnswer(one)) return answer(one, one, false);
    if (typeof one !== 'string') continue;
    const found = extracted(one, isAnswer);
    if (found.type === 'found') return answer(found.value, one, found.isRepaired);
    if (found.type === 'cut') return unusable('truncated');
    texts.push(one);
  }
  const text = texts.join('\n').trim();
  if (isRefusal(text)) return final('refusal', text);
  return unusable('malformed', text === '' ? null : text.slice(0, LONGEST_QUOTE));
}

const LONGEST_QUOTE = 2_000;

/** A prompt of which the endpoint has counted less than this share was cut by it. */
const SEEN_SHARE = 0.5;
/** Too short a prompt to judge by. */
const JUDGED_TOKENS = 1_000;
const BYTES_PER_TOKEN = 4;

/** Some servers cut a long prompt from its beginning without a word: rules and roles would be gone. */
function wasPromptCut({ system, user }: Question, { promptTokens, cachedTokens }: Usage): boolean {
  if (promptTokens === null || promptTokens === 0) return false;
  const expected = Buffer.byteLength(system + user.join('')) / BYTES_PER_TOKEN;
  // Some count what was cached by itself.
  const seen = promptTokens + (cachedTokens ?? 0);
  return expected > JUDGED_TOKENS && seen < expected * SEEN_SHARE;
}

const CUT_PROMPT =
  'the endpoint has read only the end of the prompt: give the model a larger context (OLLAMA_CONTEXT_LENGTH for Ollama)';

function unusable(why: Unusable, said: string | null = null): Trouble {
  return { type: 'unusable', why, said };
}

function final(why: Failure, text: string): Trouble {
  return { type: 'final', why, text };
}

function passing(text: string): Trouble {
  return { type: 'passing', why: 'upstream', text, waitMs: null };
}

const LONGEST_SAMPLE = 60;

function pageOf(body: string): string {
  if (body.trim() === '') return 'an empty answer came';
  return /^\s*</.test(body)
    ? 'a web page came instead of an answer: is this the base URL of an API?'
    : `text came instead of JSON: ${body.slice(0, LONGEST_SAMPLE)}`;
}
