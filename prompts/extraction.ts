/**
 * Extraction: the object that a model meant, out of whatever it wrote around it.
 *
 * Of several objects the last that can be read is taken: thoughts and examples come before the answer. What breaks
 * off is never mended: a ballot binds, and half a word may name somebody else.
 */
import { jsonrepair } from 'jsonrepair';

export type Extraction =
  | {
      readonly type: 'found';
      readonly value: object;
      /** Whether it was JSON only after some repair. */
      readonly isRepaired: boolean;
    }
  /** The text ends within the last object. */
  | { readonly type: 'cut' }
  | { readonly type: 'none' };

/** Longer answers are read from their end. */
const MOST_READ = 100_000;
/** More objects than this are no answer, and the rest is not looked at. */
const MOST_OBJECTS = 64;

/** The last object of a text that `fits`. */
export function extractObject(text: string, fits: (value: object) => boolean): Extraction {
  const whole = parseObject(() => JSON.parse(text));
  if (whole !== null && fits(whole)) return { type: 'found', value: whole, isRepaired: false };
  const { spans, open, gaps } = findObjects(dropFirstThoughts(unquote(text).slice(-MOST_READ)));
  // An answer that breaks off at its end is no answer, even when a whole example stands before it.
  if (open !== null && looksLikeObject(open)) return { type: 'cut' };
  for (const [index, span] of [...spans.entries()].toReversed()) {
    if (isThought(gaps, index)) continue;
    const strict = parseObject(() => JSON.parse(span));
    const value = strict ?? parseObject(() => JSON.parse(jsonrepair(span)));
    if (value !== null && fits(value)) return { type: 'found', value, isRepaired: strict === null };
  }
  return { type: 'none' };
}

/** What a string in JSON holds, for an object that was written into one. */
function unquote(text: string): string {
  if (!/^\s*"/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}

const THOUGHT = '(?:think|thinking|thought|reasoning)';
const FIRST_THOUGHTS = new RegExp(`^(?:\\s*<${THOUGHT}>[\\s\\S]*?</${THOUGHT}>)+`, 'i');
const ENDLESS_THOUGHT = new RegExp(`^\\s*<${THOUGHT}>[\\s\\S]*$`, 'i');
const TAG = new RegExp(`<(/?)${THOUGHT}>`, 'gi');

/** What a model thinks aloud is not its answer, and a thought may hold braces that never close. */
function dropFirstThoughts(text: string): string {
  return text.replace(FIRST_THOUGHTS, '').replace(ENDLESS_THOUGHT, '');
}

/** Whether an object stands within a thought: a tag closes after it, or opened before it. Tags in strings are text. */
function isThought(gaps: readonly string[], index: number): boolean {
  const before = listTags(gaps.slice(0, index + 1).join('\n')).at(-1);
  const after = listTags(gaps.slice(index + 1).join('\n'))[0];
  return before === 'opens' || after === 'closes';
}

function listTags(text: string): readonly ('opens' | 'closes')[] {
  return [...text.matchAll(TAG)].map(([, slash]) => (slash === '/' ? 'closes' : 'opens'));
}

type Objects = {
  /** Texts of outermost objects. */
  readonly spans: readonly string[];
  /** What stands before, between and after them. */
  readonly gaps: readonly string[];
  /** An object that begins and never ends. */
  readonly open: string | null;
};

/** Braces within strings are text. */
function findObjects(text: string): Objects {
  const spans: string[] = [];
  const gaps: string[] = [];
  let depth = 0;
  let start = 0;
  let end = 0;
  let quote = '';
  for (let at = 0; at < text.length && spans.length < MOST_OBJECTS; at++) {
    const sign = text.charAt(at);
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
    } else if (depth > 0 && isQuote(text, at)) quote = sign;
    else if (sign === '{') {
      if (depth === 0) start = at;
      depth += 1;
    } else if (sign === '}' && depth > 0) {
      depth -= 1;
      if (depth > 0) continue;
      spans.push(text.slice(start, at + 1));
      gaps.push(text.slice(end, start));
      end = at + 1;
    }
  }
  gaps.push(text.slice(end));
  return { spans, gaps, open: depth > 0 ? text.slice(start) : null };
}

/** A quotation mark that opens a string; an apostrophe within a word is none. */
function isQuote(text: string, at: number): boolean {
  const sign = text.charAt(at);
  if (sign === '"') return true;
  return sign === "'" && /[\s{[:,]/.test(text.charAt(at - 1));
}

function looksLikeObject(text: string): boolean {
  return /^\{\s*(?:["']|\w+\s*:|$)/.test(text);
}

/** Whatever a parser makes of it: an object, or nothing. Nesting without end overflows its stack, and is nothing. */
function parseObject(parse: () => unknown): object | null {
  try {
    const value = parse();
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a text that holds no object declines to play. */
export function isRefusal(text: string): boolean {
  return text.length < LONGEST_REFUSAL && REFUSAL.test(text);
}

const LONGEST_REFUSAL = 600;
const REFUSAL =
  /\b(i['’]?m sorry|i am sorry|i apologi[sz]e)\b.{0,80}\b(can['’]?t|cannot|unable|not able|won['’]?t)\b|\b(i (can['’]?t|cannot|won['’]?t)|i['’]?m (unable|not able) to)\b.{0,40}\b(help|assist|comply|participate|continue|engage|do that|fulfil)/i;
