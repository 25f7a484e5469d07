/**
 * Extraction: the object that a model meant, out of whatever it wrote around it.
 *
 * Of several objects the last that can be read is taken: thoughts and examples come before the answer. What breaks
 * off is never mended: a ballot binds, and half a word may name somebody else.
 */
import { jsonrepair } from 'jsonrepair';

export type Extraction =
  | { readonly type: 'found'; readonly value: object }
  /** The text ends within the last object. */
  | { readonly type: 'cut' }
  | { readonly type: 'none' };

/** Longer answers are read from their end. */
const MOST_READ = 100_000;
/** More objects than this are no answer. */
const MOST_OBJECTS = 64;

/** The last object of a text that `fits`. */
export function extracted(text: string, fits: (value: object) => boolean): Extraction {
  const bare = withoutThoughts(text.slice(-MOST_READ));
  const { spans, open } = objectsIn(bare);
  // An answer that breaks off at its end is no answer, even when a whole example stands before it.
  if (open !== null && looksLikeObject(bare.slice(open))) return { type: 'cut' };
  for (const span of spans.toReversed()) {
    const value = read(span);
    if (value !== null && fits(value)) return { type: 'found', value };
  }
  return { type: 'none' };
}

/** What a model thinks aloud is not its answer. */
function withoutThoughts(text: string): string {
  const closed = text.replaceAll(/<(think|thinking|reasoning)>[\s\S]*?<\/\1>/gi, '');
  const end = Math.max(
    ...['</think>', '</thinking>', '</reasoning>'].map((tag) => lastEnd(closed, tag)),
  );
  return end < 0 ? closed : closed.slice(end);
}

function lastEnd(text: string, tag: string): number {
  const at = text.toLowerCase().lastIndexOf(tag);
  return at < 0 ? -1 : at + tag.length;
}

/** Texts of outermost objects, and where one begins that never ends. Braces within strings are text. */
function objectsIn(text: string): {
  readonly spans: readonly string[];
  readonly open: number | null;
} {
  const spans: string[] = [];
  let depth = 0;
  let start = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
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
      if (depth === 0) spans.push(text.slice(start, at + 1));
    }
  }
  return { spans: spans.slice(-MOST_OBJECTS), open: depth > 0 ? start : null };
}

/** A quotation mark that opens a string; an apostrophe within a word is none. */
function isQuote(text: string, at: number): boolean {
  const sign = text.charAt(at);
  if (sign === '"') return true;
  return sign === "'" && /[\s{[:,]/.test(text.charAt(at - 1));
}

function looksLikeObject(text: string): boolean {
  return /^\{\s*["'\w}]/.test(text) || /^\{\s*$/.test(text);
}

function read(text: string): object | null {
  return objectOf(() => JSON.parse(text)) ?? objectOf(() => JSON.parse(jsonrepair(text)));
}

/** Whatever a parser makes of it: an object, or nothing. Nesting without end overflows its stack, and is nothing. */
function objectOf(parse: () => unknown): object | null {
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
