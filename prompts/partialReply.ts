/**
 * Shows the thought and message of a reply that is still being written, taken from unfinished JSON.
 *
 * It reads each piece once, wherever the pieces are cut, and its output only grows. It decides nothing: `extraction.ts`
 * reads the finished reply. If that picks another object, such as one after an example, this shows the first that looks
 * like a reply.
 */
import { AnswerReader, isAnswerName } from './answerMarks.ts';
import { isLabelOfOther, MOST_ENVELOPES, nameOf } from './extraction.ts';
import { MARKS, readSpoken } from './marks.ts';

/** The visible part so far. '' before a field begins. */
export type PartialWords = { readonly thought: string; readonly message: string };

/** In characters. The rest of a longer text is not shown. */
const MOST_SHOWN = 4000;

const SHOWN = { internal_thought: 'thought', message: 'message' } as const;

/** In characters. Of a longer object no more is shown. */
const MOST_READ = 50_000;

export class PartialReader {
  readonly #names: readonly string[];
  readonly #seat: string | undefined;
  readonly #marks: AnswerReader;
  /** The end of the model's thoughts before its reply. */
  #before = '';
  /** The object that is being written, or the text since the last one. */
  #text = '';
  /** Where the beginning of an object may be in it. */
  #from = 0;
  #isInObject = false;
  #mayBeReply = false;
  #object: ReadObject = NOTHING;
  #isOver = false;

  /** `names` are the fields of a reply, `seat` the player who writes it. */
  constructor(names: readonly string[], seat?: string) {
    this.#names = names;
    this.#seat = seat;
    this.#marks = new AnswerReader(seat);
  }

  add(piece: string): PartialWords {
    if (!this.#isOver) this.#text += piece;
    while (!this.#isOver && (this.#isInObject || this.#findObject()) && this.#readObject());
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
    const { thought, message, open } = this.#object;
    return {
      thought: thought === '' ? this.#before.toWellFormed() : thought,
      message: open === 'message' ? cutUnfinished(message) : readSpoken(message),
    };
  }

  /** Goes to the next object outside of thoughts, if one begins. */
  #findObject(): boolean {
    const marks = this.#marks;
    for (;;) {
      const begin = this.#text.slice(this.#from).search(/\{\s{0,20}"/) + this.#from;
      if (begin < this.#from) {
        this.#from = Math.max(0, this.#text.length - LONGEST_BEGINNING);
        return false;
      }
      const words = this.#text.slice(0, begin);
      let end = 0;
      for (const { 0: mark, index } of words.matchAll(MARKS)) {
        marks.read(mark, 1, words.slice(end, index));
        end = index + mark.length;
      }
      marks.addWords(words.slice(end));
      this.#isOver = marks.isOver;
      this.#isInObject = !marks.isThought && !this.#isOver;
      this.#mayBeReply = !isLabelOfOther(marks.lead, this.#seat);
      this.#text = this.#text.slice(this.#isInObject ? begin : begin + 1);
      this.#from = 0;
      if (this.#isInObject || this.#isOver) return this.#isInObject;
    }
  }

  /** Whether the object has an end, and is no reply. */
  #readObject(): boolean {
    const object = readObject(this.#text, this.#names, this.#mayBeReply);
    this.#object = object;
    this.#isOver = this.#text.length > MOST_READ || (object.isReply && object.end > 0);
    if (object.end === 0) return false;
    this.#marks.hasAnswer = true;
    this.#marks.lead = '';
    this.#text = this.#text.slice(object.end);
    this.#isInObject = false;
    return true;
  }
}

const LONGEST_BEGINNING = 22;

type ReadObject = PartialWords & {
  /** The words that are being written. */
  readonly open: keyof PartialWords | null;
  readonly isReply: boolean;
  /** Where the object or the reply in it ends. 0 if it is unfinished. */
  readonly end: number;
};

const NOTHING: ReadObject = { thought: '', message: '', open: null, isReply: false, end: 0 };

/** A string, possibly unfinished, or a sign. */
const TOKEN = /"([^"\\]*(?:\\(?:.|$)[^"\\]*)*)("|$)|[{}[\],]/gs;

/** Reads the beginning of an object. The first object in it that shows something is the reply. */
function readObject(json: string, names: readonly string[], mayBeReply: boolean): ReadObject {
  const words = { thought: '', message: '' };
  const path: { key: string | null; isObject: boolean; mayBeReply: boolean }[] = [];
  let reply: object | null = null;
  let open: keyof PartialWords | null = null;
  for (const { 0: sign, 1: text = '', 2: quote, index } of json.matchAll(TOKEN)) {
    const inner = path.at(-1);
    if (sign === '{' || sign === '[') {
      const isEnvelope = path.length <= MOST_ENVELOPES && isAnswerName(inner?.key ?? '');
      const isObject = sign === '{';
      const may = isObject && (inner === undefined ? mayBeReply : isEnvelope);
      path.push({ key: null, isObject, mayBeReply: may });
    } else if (inner === undefined) break;
    else if (sign === '}' || sign === ']') {
      path.pop();
      if (inner === reply || path.length === 0)
        return { ...words, open, isReply: reply !== null, end: index + 1 };
    } else if (sign === ',') inner.key = null;
    else if (inner.isObject && inner.key === null) {
      inner.key = decode(text, true);
      const isKnown = nameOf(inner.key, names) !== null || isAnswerName(inner.key);
      inner.mayBeReply &&= isKnown || quote === '';
    } else {
      const name = nameOf(inner.key ?? '', names);
      const shows = name === 'internal_thought' || name === 'message' ? SHOWN[name] : null;
      if (shows === null || !inner.mayBeReply || words[shows] !== '') continue;
      reply ??= inner;
      if (reply !== inner) continue;
      words[shows] = decode(text, quote !== '');
      if (quote === '') open = shows;
    }
  }
  return { ...words, open, isReply: reply !== null, end: 0 };
}

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
  return readSpoken(message, false).replace(UNFINISHED, '');
}
