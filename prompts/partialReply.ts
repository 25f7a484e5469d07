/**
 * Shows the thought and message of a reply that is still being written, taken from unfinished JSON.
 *
 * It reads each piece once, wherever the pieces are cut, and its output only grows. It decides nothing: `extraction.ts`
 * reads the finished reply. If that picks another object, such as one after an example, this shows the first that looks
 * like a reply.
 */
import { AnswerReader, isAnswerName } from './answerMarks.ts';
import { isLabelOfOther, MOST_ENVELOPES, nameOf } from './extraction.ts';
import { cutThoughts, MARKS } from './marks.ts';

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

export class PartialReader {
  readonly #names: readonly string[];
  /** As written in JSON. */
  readonly #words = { thought: '', message: '' };
  /** The end of the model's thoughts before its reply. */
  #before = '';
  readonly #stack: Container[] = [];
  /** The object whose fields are shown. */
  #reply: Container | null = null;
  #isOver = false;
  readonly #seat: string | undefined;
  readonly #marks: AnswerReader;
  /** The text since the last object. */
  #outside = '';
  #isBrace = false;
  /** The current string. Null outside strings. */
  #string: { readonly isKey: boolean; readonly shows: 'thought' | 'message' | null } | null = null;
  #key = '';
  #isKeyNext = false;
  #isEscaped = false;

  /** `names` are the fields of a reply, `seat` the player who writes it. */
  constructor(names: readonly string[], seat?: string) {
    this.#names = names;
    this.#seat = seat;
    this.#marks = new AnswerReader([seat ?? '', ...names]);
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
    const shows = this.#string?.shows;
    const thought = decode(this.#words.thought, shows !== 'thought');
    const message = decode(this.#words.message, shows !== 'message');
    return {
      thought: thought === '' ? this.#before.toWellFormed() : thought,
      message: shows === 'message' ? cutUnfinished(message) : cutThoughts(message),
    };
  }

  #take(sign: string): void {
    if (this.#string !== null) this.#takeInString(sign);
    else if (this.#stack.length === 0) this.#takeOutside(sign);
    else this.#takeInObject(sign);
  }

  /** Outside objects: prose, marks and thoughts, which may hold braces. They are read when an object begins. */
  #takeOutside(sign: string): void {
    this.#outside += sign;
    if (sign.trim() === '') return;
    const begins = this.#isBrace && sign === '"';
    this.#isBrace = sign === '{';
    if (!begins) return;
    const marks = this.#marks;
    const words = this.#outside.replace(/\{\s*"$/, '');
    this.#outside = '';
    let end = 0;
    for (const { 0: mark, index } of words.matchAll(MARKS)) {
      marks.read(mark, 1, words.slice(end, index));
      end = index + mark.length;
    }
    marks.addWords(words.slice(end));
    this.#isOver = marks.isOver;
    if (marks.isThought || this.#isOver) return;
    this.#open('{', !isLabelOfOther(marks.lead, this.#seat));
    this.#takeInObject(sign);
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
        this.#marks.lead = '';
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
    return this.#stack.length <= MOST_ENVELOPES && isAnswerName(key);
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
    const string = this.#string;
    if (string === null) return;
    if (sign === '"' && !this.#isEscaped) {
      this.#endString(string);
      return;
    }
    this.#isEscaped = sign === '\\' && !this.#isEscaped;
    if (string.isKey) {
      if (this.#key.length < LONGEST_KEY) this.#key += sign;
    } else if (string.shows !== null && this.#words[string.shows].length < MOST_WRITTEN)
      this.#words[string.shows] += sign;
  }

  #endString({ isKey }: { readonly isKey: boolean }): void {
    this.#string = null;
    const inner = this.#stack.at(-1);
    if (!isKey || inner === undefined) return;
    inner.key = decode(this.#key, true);
    this.#isKeyNext = false;
    if (nameOf(inner.key, this.#names) === null && !isAnswerName(inner.key)) inner.isForeign = true;
  }
}

/** No field has a longer key. */
const LONGEST_KEY = 100;
const MOST_WRITTEN = MOST_SHOWN * '\\u0000'.length;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** The text of a JSON string. An unfinished escape or half a character at its end may be followed by the rest. */
function decode(written: string, isWhole: boolean): string {
  const text = written.replaceAll(
    /\\u([0-9a-f]{4})|\\(?:u[0-9a-f]{0,3})?$|\\(.)/gis,
    (_, unit?: string, sign = '') =>
      unit === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(unit, 16)),
  );
  return (isWhole ? text : text.replace(/[\uD800-\uDBFF]$/, ''))
    .slice(0, MOST_SHOWN)
    .toWellFormed();
}

/** The beginning of what may become a mark. */
const UNFINISHED =
  /^\s*(?:```\w*\s*)?\{[\s\S]*|[<[◁〈《【«‹⟨＜［(*&„“|\\][^>\]▷〉》】»›⟩＞］)*“”|]{0,60}$/;

function cutUnfinished(message: string): string {
  return cutThoughts(message, false).replace(UNFINISHED, '');
}
