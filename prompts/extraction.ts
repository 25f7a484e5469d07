/**
 * Finds the object that a model meant in the text around it.
 *
 * Of several whole answers the last counts, because thoughts and examples come first. A partial answer counts only if
 * it stands alone. Beside other words it is a quotation or a thought. A truncated answer is never completed: a ballot
 * is binding, and half a word may name another player.
 */
import { jsonrepair } from 'jsonrepair';

export type Extraction =
  | {
      readonly type: 'found';
      readonly value: object;
      /** It was valid JSON only after a repair. */
      readonly isRepaired: boolean;
    }
  /** The text ends within the last object. */
  | { readonly type: 'cut' }
  | { readonly type: 'none' };

/** `whole`: an answer with every field that matters. `part`: some of them. `none`: no answer. */
export type AnswerFit = 'whole' | 'part' | 'none';

/** Longer answers are read from their end. */
const MOST_READ = 100_000;
/** A text with more objects is not read any further. */
const MOST_OBJECTS = 64;

export function extractObject(text: string, judge: (value: object) => AnswerFit): Extraction {
  const whole = parseObject(() => JSON.parse(text));
  if (whole !== null && judge(whole) !== 'none')
    return { type: 'found', value: whole, isRepaired: false };
  const { spans, open, gaps } = findObjects(dropFirstThoughts(unquote(text).slice(-MOST_READ)));
  // A truncated answer at the end is no answer, even after a whole example.
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
 * Prose: the end of one word and the beginning of the next. Fences, tags and template marks have one word at a time.
 * The pattern visits a long word once.
 */
const WORDS = /\p{L}['’]*[\s,]+\p{L}/u;

/** The content of a JSON string, for an object that was written as a string. */
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

/** Thoughts are not the answer, and may hold unclosed braces. */
function dropFirstThoughts(text: string): string {
  return text.replace(FIRST_THOUGHTS, '').replace(ENDLESS_THOUGHT, '');
}

/** Whether a tag closes after the object or opened before it. Tags in strings are text. */
function isThought(gaps: readonly string[], index: number): boolean {
  const before = listTags(gaps.slice(0, index + 1).join('\n')).at(-1);
  const after = listTags(gaps.slice(index + 1).join('\n'))[0];
  return before === 'opens' || after === 'closes';
}

function listTags(text: string): readonly ('opens' | 'closes')[] {
  return [...text.matchAll(TAG)].map(([, slash]) => (slash === '/' ? 'closes' : 'opens'));
}

type Objects = {
  /** Texts of the outermost objects. */
  readonly spans: readonly string[];
  /** The texts before, between and after them. */
  readonly gaps: readonly string[];
  /** An object that begins but never ends. */
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

/** An apostrophe within a word opens no string. */
function isQuote(text: string, at: number): boolean {
  const sign = text.charAt(at);
  if (sign === '"') return true;
  return sign === "'" && /[\s{[:,]/.test(text.charAt(at - 1));
}

function looksLikeObject(text: string): boolean {
  return /^\{\s*(?:["']|\w+\s*:|$)/.test(text);
}

/** An object or null. Endless nesting overflows the parser's stack and gives null. */
function parseObject(parse: () => unknown): object | null {
  try {
    const value = parse();
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a text without an object declines to play. */
export function isRefusal(text: string): boolean {
  return text.length < LONGEST_REFUSAL && REFUSAL.test(text);
}

const LONGEST_REFUSAL = 600;
const REFUSAL =
  /\b(i['’]?m sorry|i am sorry|i apologi[sz]e)\b.{0,80}\b(can['’]?t|cannot|unable|not able|won['’]?t)\b|\b(i (can['’]?t|cannot|won['’]?t)|i['’]?m (unable|not able) to)\b.{0,40}\b(help|assist|comply|participate|continue|engage|do that|fulfil)/i;

/** Fields in which endpoints and models wrap the answer. */
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

/** The intended fields, with a note for each one that was misplaced or misnamed. */
export type MeantFields = { readonly fields: object; readonly notes: readonly string[] };

/** Unwraps the fields and corrects their names: `voteAction` becomes `vote_action`. */
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

/** The field that a key spells differently. */
export function nameOf(key: string, names: readonly string[]): string | null {
  if (names.includes(key)) return key;
  const plain = (word: string) => word.toLowerCase().replaceAll(/[^a-z]/g, '');
  return names.find((name) => plain(name) === plain(key)) ?? null;
}

/** The object in an envelope or in the only field, possibly as text. */
function openEnvelope(value: object): readonly [string, object] | null {
  const entries: [string, unknown][] = Object.entries(value);
  const found = entries.find(([key]) => ENVELOPES.includes(key.toLowerCase()));
  const [key, content] = found ?? (entries.length === 1 ? entries[0] : undefined) ?? [];
  if (key === undefined) return null;
  const object = parseObject(() => (typeof content === 'string' ? JSON.parse(content) : content));
  return object === null ? null : [key, object];
}
