/**
 * Extraction: the object that a model meant, out of whatever it wrote around it.
 *
 * Of several whole answers the last is taken: thoughts and examples come before the answer. A part of an answer counts
 * only where nothing else was said: beside other words it is a quotation, or a model thinking aloud. What breaks off is
 * never mended: a ballot binds, and half a word may name another player.
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

/** What an object is: an answer with every field that matters, a part of one, or no answer. */
export type AnswerFit = 'whole' | 'part' | 'none';

/** Longer answers are read from their end. */
const MOST_READ = 100_000;
/** More objects than this are no answer, and the rest is not looked at. */
const MOST_OBJECTS = 64;

/** The object in a text that is the answer, by what `judge` makes of each. */
export function extractObject(text: string, judge: (value: object) => AnswerFit): Extraction {
  const whole = parseObject(() => JSON.parse(text));
  if (whole !== null && judge(whole) !== 'none')
    return { type: 'found', value: whole, isRepaired: false };
  const { spans, open, gaps } = findObjects(dropFirstThoughts(unquote(text).slice(-MOST_READ)));
  // An answer that breaks off at its end is no answer, even when a whole example stands before it.
  if (open !== null && looksLikeObject(open)) return { type: 'cut' };
  const isAlone = spans.length === 1 && !WORDS.test(gaps.join(' '));
  for (const [index, span] of [...spans.entries()].toReversed()) {
    if (isThought(gaps, index)) continue;
    const strict = parseObject(() => JSON.parse(span));
    const value = strict ?? parseObject(() => JSON.parse(jsonrepair(span)));
    if (value === null) continue;
    const fit = judge(value);
    if (fit === 'whole' || (fit === 'part' && isAlone))
      return { type: 'found', value, isRepaired: strict === null };
  }
  return { type: 'none' };
}

/**
 * Words in prose, by the end of one and the beginning of the next. Fences, tags and marks of templates have one at a time.
 * A word of many letters is gone through once, and not once for each of them.
 */
const WORDS = /\p{L}['’]*[\s,]+\p{L}/u;

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

export const THOUGHT = '(?:think|thinking|thought|reasoning)';
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

/** Where endpoints and models put the fields that were asked for. */
export const ENVELOPES = [
  'response',
  'answer',
  'reply',
  'result',
  'output',
  'arguments',
  'args',
  'parameters',
  'input',
  'function',
  'properties',
  'data',
  'json',
];
export const MOST_ENVELOPES = 4;

/** The fields of an object as they were meant, and in what way each was not where, or not named as, it should be. */
export type MeantFields = { readonly fields: object; readonly notes: readonly string[] };

/** Takes fields out of what is around them, and calls them by their names: `voteAction` is `vote_action`. */
export function findFields(value: object, names: readonly string[]): MeantFields {
  const notes: string[] = [];
  let inner = value;
  for (let depth = 0; depth < MOST_ENVELOPES && !hasField(inner, names); depth++) {
    const [key, content] = openEnvelope(inner) ?? [];
    if (key === undefined || content === undefined) break;
    notes.push(`your fields were read within "${key}": write them at the top`);
    inner = content;
  }
  if (!hasField(inner, names)) return { fields: value, notes: [] };
  const fields = Object.entries(inner).map(([key, field]: [string, unknown]) => {
    const name = nameOf(key, names);
    if (name === null || name === key || name in inner) return [key, field];
    notes.push(`"${key}" was read as ${name}`);
    return [name, field];
  });
  return { fields: notes.length === 0 ? value : Object.fromEntries(fields), notes };
}

function hasField(value: object, names: readonly string[]): boolean {
  return Object.keys(value).some((key) => nameOf(key, names) !== null);
}

/** The name that a key spells in another way. */
export function nameOf(key: string, names: readonly string[]): string | null {
  if (names.includes(key)) return key;
  const plain = (word: string) => word.toLowerCase().replaceAll(/[^a-z]/g, '');
  return names.find((name) => plain(name) === plain(key)) ?? null;
}

/** The object in an envelope, or in the only field that there is; it may stand there as text. */
function openEnvelope(value: object): readonly [string, object] | null {
  const entries: [string, unknown][] = Object.entries(value);
  const found = entries.find(([key]) => ENVELOPES.includes(key.toLowerCase()));
  const [key, content] = found ?? (entries.length === 1 ? entries[0] : undefined) ?? [];
  if (key === undefined) return null;
  const object = parseObject(() => (typeof content === 'string' ? JSON.parse(content) : content));
  return object === null ? null : [key, object];
}
