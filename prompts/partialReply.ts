/**
 * Shows the thought and message of a reply that is still being written. Its output only grows. It decides nothing:
 * `extraction.ts` reads the finished reply, and may pick another object than the first that looks like one.
 */
import { isAnswerName } from './answerMarks.ts';
import { findObjects, MOST_ENVELOPES, nameOf } from './extraction.ts';
import { readSpoken } from './marks.ts';

/** The visible part so far. '' before a field begins. */
export type PartialWords = { readonly thought: string; readonly message: string };

/** In characters. The rest of a longer text is not shown. */
const MOST_SHOWN = 4000;

const SHOWN = { internal_thought: 'thought', message: 'message' } as const;

/** In characters, each as often as it is read. Of a longer text no more is shown. */
const MOST_READ = 2_000_000;

export class PartialReader {
  readonly #names: readonly string[];
  readonly #seat: string | undefined;
  /** The end of the model's thoughts before its reply. */
  #before = '';
  /** From the beginning of an unfinished object on, if there is one. */
  #text = '';
  #isOpen = false;
  #read = 0;
  #object: ReadObject = NOTHING;

  constructor(names: readonly string[], seat?: string) {
    this.#names = names;
    this.#seat = seat;
  }

  add(piece: string): PartialWords {
    if (this.#object.isWhole || this.#read > MOST_READ) return this.#shown;
    this.#text += piece;
    if (this.#isOpen || piece.includes('{')) this.#object = this.#readText();
    return this.#shown;
  }

  /** Takes the next piece of separate reasoning. Its end is shown until the thought of the reply begins. */
  addThought(piece: string): PartialWords {
    this.#before = (this.#before + piece).slice(-MOST_SHOWN);
    return this.#shown;
  }

  get #shown(): PartialWords {
    const { thought, message, open } = this.#object;
    return {
      thought: thought === '' ? this.#before.toWellFormed() : thought,
      message:
        open === 'message'
          ? readSpoken(message, false).replace(UNFINISHED, '')
          : readSpoken(message),
    };
  }

  #readText(): ReadObject {
    this.#read += this.#text.length;
    const { objects, open } = findObjects(this.#text, this.#seat);
    this.#isOpen = open !== null;
    if (open !== null && open.weight > 0) this.#text = open.span;
    for (const { span, weight } of open === null ? objects : [...objects, open]) {
      const object = readObject(span, this.#names, weight > 0);
      if (object.isReply) return object;
    }
    return NOTHING;
  }
}

type ReadObject = PartialWords & {
  readonly open: keyof PartialWords | null;
  readonly isReply: boolean;
  /** The object, or the reply in it, has an end. */
  readonly isWhole: boolean;
};

const NOTHING: ReadObject = {
  ...{ thought: '', message: '', open: null },
  ...{ isReply: false, isWhole: false },
};

/** A string, possibly unfinished, or a sign. */
const TOKEN = /"([^"\\]*(?:\\(?:.|$)[^"\\]*)*)("|$)|[{}[\],]/gs;

/** Reads the beginning of an object. The first object in it that shows something is the reply. */
function readObject(json: string, names: readonly string[], mayBeReply: boolean): ReadObject {
  const words = { thought: '', message: '' };
  const path: { key: string | null; isObject: boolean; mayBeReply: boolean }[] = [];
  let reply: object | null = null;
  let open: keyof PartialWords | null = null;
  for (const [sign, text = '', quote] of json.matchAll(TOKEN)) {
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
        return { ...words, open, isReply: reply !== null, isWhole: true };
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
  return { ...words, open, isReply: reply !== null, isWhole: false };
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
