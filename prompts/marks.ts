/**
 * Marks in a model's text. Thoughts in marks are not addressed to us, nor is anything after the end of the turn. Every
 * chat format has its own marks, so a mark is known by its kind: brackets around a telling name.
 */

/** A mark around thoughts has one of these in its name. */
const THOUGHT =
  /think|thought|reason|analy|reflect|reflex|scratch|monolog|ponder|deliberat|contempl|rumin|brainstorm|rationale|internal|private|hidden|denk|pensam|pensée|мысл|дум|思|推理|생각/;
const CLOSING = /^\W*[/\\]|^\W*end|[_▁ -](?:end|stop|close)\W*$/;
const ANSWER = /^(?:final|answer|output|respon[sd]|result|reply)/;
/** Marks of formats and tools, which may stand before an answer. */
const NEUTRAL = /tool|func|python|constrain|message|sep$|json|code|begin|box/;
const TURN =
  /^(?:s|[be]o[stm]|inst|sys|im_(?:start|end)|(?:start|end)_?of_?\w+|turn|user|human|system|assistant|model)$|tool_?(?:response|result|output)|observation/;
/** The heading of another turn, where its marks are lost. */
const HEADING = /(?:^|\n)[\s#*]*(?:user|human|assistant|system|player|model)[\s*]*[:\n]$/i;
const OWN_TURN = /^[^\p{L}]*(?:assistant|model)?[^\p{L}]*$/iu;
/** Channels of answers and calls. All others hold thoughts. */
const ANSWER_CHANNEL = /final|answer|response|to=|json/i;
/** The first channel and the last one, where their marks are lost. */
const BARE_CHANNEL = /^\s*analysis(?:[^\s\p{P}]|\{)$/u;
const BARE_ANSWER = /assistant(?:final|commentary to=)$/;

const MARK = /[<[◁〈《【«‹⟨＜［][^<[◁〈《【«‹⟨＜［]{1,60}$/;
const CLOSERS = '>]▷〉》】»›⟩＞］';
/** Thoughts within one bracket, such as "(thinking: it was me)". */
const INLINE =
  /[<[(*]{1,2}(?:(?:my|inner|own|internal|private|silent)[ _])?(?:think|thought|monolog|ponder)\w*\s*[:：][^>\])*]*(?:[>\])*]{1,2}|$)/gi;
/** The beginning of what may become a mark. */
const UNFINISHED = /[<[◁〈《【«‹⟨＜［(*][^>\]▷〉》】»›⟩＞］)*]{0,60}$/;
const LONGEST_TAIL = 80;

export function isThoughtName(name: string): boolean {
  return THOUGHT.test(name);
}

/** Reads the text around objects, sign by sign. */
export class MarkReader {
  /** The turn is over. */
  isOver = false;
  /** The last sign ended thoughts whose beginning is missing, so all text before it was a thought. */
  isOrphan = false;
  /** An object came before. */
  hasAnswer = false;
  #hadThought = false;
  #tail = '';
  /** The text so far, without marks and thoughts, as far as it tells whether the turn has begun. */
  #text = '';
  /** Kinds of open thoughts. */
  readonly #open = new Set<string>();
  /** The name of a channel that is being read. */
  #channel: string | null = null;

  get isThought(): boolean {
    return this.#open.size > 0;
  }

  /** Reads the next sign, and returns the length of the mark that it completes, or 0. */
  take(sign: string): number {
    this.isOrphan = false;
    this.#tail = (this.#tail + sign).slice(-LONGEST_TAIL);
    const [mark] = CLOSERS.includes(sign) ? (MARK.exec(this.#tail) ?? []) : [];
    if (this.#channel !== null) this.#nameChannel(sign, mark);
    if (mark !== undefined && this.#readMark(mark)) {
      this.#text = this.#text.slice(0, 1 - mark.length);
      this.#tail = '';
      return mark.length;
    }
    if (this.isThought) {
      if (this.#open.has('channel') && BARE_ANSWER.test(this.#tail)) this.#open.clear();
      return 0;
    }
    if (this.#text.length < LONGEST_TAIL) this.#text += sign;
    if (BARE_CHANNEL.test(this.#text)) {
      this.#begin('channel');
      return this.#text.length;
    }
    this.isOver ||= this.hasAnswer && HEADING.test(this.#tail);
    return 0;
  }

  #begin(kind: string): void {
    this.#open.add(kind);
    this.#hadThought = true;
  }

  #nameChannel(sign: string, mark: string | undefined): void {
    this.#channel += sign;
    const isNamed = /\w/.test(this.#channel ?? '') && (sign === '\n' || sign === '{');
    if (!isNamed && mark?.includes('message') !== true) return;
    if (ANSWER_CHANNEL.test(this.#channel ?? '')) this.#open.clear();
    this.#channel = null;
  }

  /** Whether it is a mark that means something. */
  #readMark(mark: string): boolean {
    const inner = mark
      .slice(1, -1)
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .toLowerCase();
    const isToken = /^\W?\||\|\W?$/.test(inner);
    const [name = '', ...more] = inner.replaceAll(/^[\s|/\\]+|[\s|/\\]+$/g, '').split(/[\s=]/);
    if (more.length > 0 && !isToken && !mark.startsWith('<')) return false;
    const isClosing = CLOSING.test(inner) || inner === 'channel|';
    const kind = name === 'channel' ? name : THOUGHT.exec(name)?.[0];
    if (kind !== undefined) {
      if (isClosing) this.#close(kind);
      else if (!inner.endsWith('/')) this.#begin(kind);
      this.#channel = kind === 'channel' && !isClosing ? '' : null;
    } else if (ANSWER.test(name)) {
      if (!isClosing) this.#open.clear();
    } else if (TURN.test(name) || (isToken && !NEUTRAL.test(name))) {
      const isFirst = OWN_TURN.test(this.#text.slice(0, 1 - mark.length));
      // A channel ends before the next one begins.
      const isOwn = this.#open.has('channel') || (isFirst && !this.#hadThought && !this.hasAnswer);
      this.isOver ||= !isOwn;
    } else return NEUTRAL.test(name) && isToken;
    return true;
  }

  #close(kind: string): void {
    if (this.#open.delete(kind)) return;
    this.#open.clear();
    this.isOrphan = true;
  }
}

/** A text without the thoughts in it. `isWhole` is false while more of the text may follow. */
export function cutThoughts(text: string, isWhole = true): string {
  if (!/[<[(*◁〈《【«‹⟨＜［]|^\s*analysis/.test(text)) return text;
  const marks = new MarkReader();
  const outer = text.replaceAll(INLINE, '');
  let kept = '';
  let from = 0;
  for (let at = 0; at < outer.length; at++) {
    const wasThought = marks.isThought;
    const length = marks.take(outer.charAt(at));
    if (marks.isOrphan) kept = '';
    else if (!wasThought && marks.isThought) kept += outer.slice(from, at + 1 - length);
    if (marks.isOrphan || (wasThought && !marks.isThought)) from = at + 1;
  }
  if (!marks.isThought) kept += outer.slice(from);
  return isWhole ? kept : kept.replace(UNFINISHED, '');
}
