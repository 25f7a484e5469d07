/**
 * The words of a reply that is still being written, for those who look on: the private thought and the message, picked
 * out of JSON that has not ended.
 *
 * It reads what comes once, piece by piece, wherever the pieces are cut, and what it has shown only grows. It decides
 * nothing: what counts is read by `extraction.ts` when the reply is there. Where that may find another object in the end,
 * as behind an example, the first that looks like a reply is shown.
 */
import { ENVELOPES, MOST_ENVELOPES, nameOf, THOUGHT } from './extraction.ts';

/** What can be shown so far; '' for what has not begun. */
export type PartialWords = { readonly thought: string; readonly message: string };

/** Longer words are shown from their beginning, in characters. */
const MOST_SHOWN = 4000;

const SHOWN = { internal_thought: 'thought', message: 'message' } as const;

type Container = {
  readonly opens: '{' | '[';
  /** The key of the value that is read. */
  key: string;
  /** Whether a field of no reply was in it: then it is something else, as a quoted line. */
  isForeign: boolean;
};

/** What is nested deeper is no reply. */
const DEEPEST = 64;

const TAG = new RegExp(`^<(/?)${THOUGHT}>$`, 'i');
const LONGEST_TAG = 16;

export class PartialReader {
  readonly #names: readonly string[];
  readonly #words = { thought: '', message: '' };
  /** The end of what the model thinks before it replies. */
  #before = '';
  readonly #stack: Container[] = [];
  /** The object whose fields are shown, once there is one. */
  #reply: Container | null = null;
  #isOver = false;
  #isThinkingAloud = false;
  #tag = '';
  /** The string that is read: null outside of any. */
  #string: { readonly isKey: boolean; readonly shows: 'thought' | 'message' | null } | null = null;
  #key = '';
  #isKeyNext = false;
  /** An escape that has begun, and the first half of a character that takes two. */
  #escape = '';
  #half = '';

  /** `names` are the fields that a reply may have. */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Takes the next piece of the text; returns what can be shown by now. */
  add(piece: string): PartialWords {
    for (let at = 0; at < piece.length && !this.#isOver; at++) this.#take(piece.charAt(at));
    return this.#shown;
  }

  /**
   * Takes the next piece of what the model thinks before it replies, which comes beside the text; returns what can be shown
   * by now. It is shown from its end, for it may be long, and until the thought of the reply begins.
   */
  addThought(piece: string): PartialWords {
    this.#before = (this.#before + piece).slice(-MOST_SHOWN);
    return this.#shown;
  }

  get #shown(): PartialWords {
    const { thought, message } = this.#words;
    return { thought: thought === '' ? this.#before.toWellFormed() : thought, message };
  }

  #take(sign: string): void {
    if (this.#string !== null) this.#takeInString(sign);
    else if (this.#stack.length === 0) this.#takeOutside(sign);
    else this.#takeInObject(sign);
  }

  /** Before an object: prose, marks, and what the model thinks aloud, which may hold braces. */
  #takeOutside(sign: string): void {
    if (sign === '<') this.#tag = sign;
    else if (this.#tag !== '' && this.#tag.length < LONGEST_TAG) this.#tag += sign;
    if (sign === '>') {
      const [, slash] = TAG.exec(this.#tag) ?? [];
      if (slash !== undefined) this.#isThinkingAloud = slash === '';
      this.#tag = '';
    }
    if (sign === '{' && !this.#isThinkingAloud) this.#open('{', true);
  }

  #takeInObject(sign: string): void {
    const inner = this.#stack.at(-1);
    if (inner === undefined) return;
    switch (sign) {
      case '"':
        this.#beginString(inner);
        return;
      case '{':
      case '[':
        this.#open(sign, sign === '{' && this.#isEnvelope(inner));
        return;
      case '}':
      case ']':
        this.#stack.pop();
        this.#isKeyNext = false;
        if (inner === this.#reply) this.#isOver = true;
        return;
      case ',':
        this.#isKeyNext = inner.opens === '{';
        return;
      default:
    }
  }

  #open(opens: '{' | '[', mayBeReply: boolean): void {
    if (this.#stack.length === DEEPEST) {
      this.#isOver = true;
      return;
    }
    this.#stack.push({ opens, key: '', isForeign: !mayBeReply });
    this.#isKeyNext = opens === '{';
  }

  /** Whether the value that begins now is what a reply may be wrapped in. */
  #isEnvelope({ key }: Container): boolean {
    return this.#stack.length <= MOST_ENVELOPES && ENVELOPES.includes(key.toLowerCase());
  }

  #beginString(inner: Container): void {
    const isKey = this.#isKeyNext;
    this.#key = '';
    this.#string = { isKey, shows: isKey ? null : this.#whatShows(inner) };
  }

  /** What the value of the key shows, where it is of a reply. */
  #whatShows(inner: Container): 'thought' | 'message' | null {
    const name = inner.opens === '{' ? nameOf(inner.key, this.#names) : null;
    const shows = name === 'internal_thought' || name === 'message' ? SHOWN[name] : null;
    if (shows === null || inner.isForeign || this.#words[shows] !== '') return null;
    this.#reply ??= inner;
    return this.#reply === inner ? shows : null;
  }

  #takeInString(sign: string): void {
    if (this.#escape !== '') this.#takeEscaped(sign);
    else if (sign === '\\') this.#escape = sign;
    else if (sign === '"') this.#endString();
    else this.#write(sign);
  }

  #takeEscaped(sign: string): void {
    this.#escape += sign;
    if (this.#escape.startsWith('\\u')) {
      if (this.#escape.length < UNIT_LENGTH) return;
      const unit = Number.parseInt(this.#escape.slice(2), 16);
      this.#write(Number.isNaN(unit) ? '' : String.fromCharCode(unit));
    } else this.#write(ESCAPES[sign] ?? sign);
    this.#escape = '';
  }

  /** Half a character is shown when it is whole. */
  #write(unit: string): void {
    const text = this.#half + unit;
    this.#half = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : '';
    this.#append(text.slice(0, text.length - this.#half.length).toWellFormed());
  }

  #append(text: string): void {
    if (this.#string?.isKey === true) {
      if (this.#key.length < LONGEST_KEY) this.#key += text;
      return;
    }
    const shows = this.#string?.shows ?? null;
    if (shows !== null && this.#words[shows].length + text.length <= MOST_SHOWN)
      this.#words[shows] += text;
  }

  #endString(): void {
    if (this.#half !== '') this.#append('\uFFFD');
    this.#half = '';
    const inner = this.#stack.at(-1);
    if (this.#string?.isKey === true && inner !== undefined) {
      inner.key = this.#key;
      this.#isKeyNext = false;
      const isEnvelope = ENVELOPES.includes(inner.key.toLowerCase());
      if (nameOf(inner.key, this.#names) === null && !isEnvelope) inner.isForeign = true;
    }
    this.#string = null;
  }
}

const UNIT_LENGTH = '\\u0000'.length;
/** Longer keys are of no field. */
const LONGEST_KEY = 100;

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
};
