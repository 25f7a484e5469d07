/**
 * Shows the thought and message of a reply that is still being written, taken from unfinished JSON.
 *
 * It reads each piece once, wherever the pieces are cut, and its output only grows. It decides nothing: `extraction.ts`
 * reads the finished reply. If that picks another object, such as one after an example, this shows the first that looks
 * like a reply.
 */
import { ENVELOPE, isLabelOfOther, MOST_ENVELOPES, nameOf } from './extraction.ts';
import { cutThoughts, MarkReader } from './marks.ts';

/** The visible part so far. '' before a field begins. */
export type PartialWords = { readonly thought: string; readonly message: string };

/** In characters. The rest of a longer text is not shown. */
const MOST_SHOWN = 4000;

const SHOWN = { internal_thought: 'thought', message: 'message' } as const;

type Container = {
  readonly opens: '{' | '[';
  key: string;
  /** The object has a field that no reply has, so it is something else. */
  isForeign: boolean;
};

/** Deeper nesting is no reply. */
const DEEPEST = 64;

/** In characters. A label before an object is no longer. */
const LONGEST_LABEL = 80;

export class PartialReader {
  readonly #names: readonly string[];
  readonly #words = { thought: '', message: '' };
  /** The end of the model's thoughts before its reply. */
  #before = '';
  readonly #stack: Container[] = [];
  /** The object whose fields are shown. */
  #reply: Container | null = null;
  #isOver = false;
  readonly #seat: string | undefined;
  readonly #marks = new MarkReader();
  /** The end of the text before an object. */
  #label = '';
  /** The current string. Null outside strings. */
  #string: { readonly isKey: boolean; readonly shows: 'thought' | 'message' | null } | null = null;
  #key = '';
  #isKeyNext = false;
  /** An unfinished escape, and the first half of a surrogate pair. */
  #escape = '';
  #half = '';

  /** `names` are the fields of a reply, `seat` the player who writes it. */
  constructor(names: readonly string[], seat?: string) {
    this.#names = names;
    this.#seat = seat;
  }

  add(piece: string): PartialWords {
    for (let at = 0; at < piece.length && !this.#isOver; at++) this.#take(piece.charAt(at));
    return this.#shown;
  }

  /**
   * Takes the next piece of separate reasoning and returns the visible part so far. Only its end is shown, until the
   * thought of the reply begins.
   */
  addThought(piece: string): PartialWords {
    this.#before = (this.#before + piece).slice(-MOST_SHOWN);
    return this.#shown;
  }

  get #shown(): PartialWords {
    const { thought, message } = this.#words;
    const isWhole = this.#string?.shows !== 'message';
    return {
      thought: thought === '' ? this.#before.toWellFormed() : thought,
      message: cutThoughts(message, isWhole),
    };
  }

  #take(sign: string): void {
    if (this.#string !== null) this.#takeInString(sign);
    else if (this.#stack.length === 0) this.#takeOutside(sign);
    else this.#takeInObject(sign);
  }

  /** Outside objects: prose, marks and thoughts, which may hold braces. */
  #takeOutside(sign: string): void {
    this.#marks.take(sign);
    this.#isOver = this.#marks.isOver;
    if (this.#marks.isThought) return;
    if (sign !== '{') this.#label = (this.#label + sign).slice(-LONGEST_LABEL);
    else if (!this.#isOver) this.#open(sign, !isLabelOfOther(this.#label, this.#seat));
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
        this.#marks.hasAnswer = true;
        this.#label = '';
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

  /** Whether the value may wrap a reply. */
  #isEnvelope({ key }: Container): boolean {
    return this.#stack.length <= MOST_ENVELOPES && ENVELOPE.test(key);
  }

  #beginString(inner: Container): void {
    const isKey = this.#isKeyNext;
    this.#key = '';
    this.#string = { isKey, shows: isKey ? null : this.#whatShows(inner) };
  }

  /** Which visible field the value belongs to. */
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

  /** A surrogate pair is shown once it is complete. */
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
      if (nameOf(inner.key, this.#names) === null && !ENVELOPE.test(inner.key))
        inner.isForeign = true;
    }
    this.#string = null;
  }
}

const UNIT_LENGTH = '\\u0000'.length;
/** No field has a longer key. */
const LONGEST_KEY = 100;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
