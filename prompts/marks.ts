/**
 * Marks in a model's text. Thoughts in marks are not addressed to us, nor is anything after the end of the turn. Every
 * chat format has its own marks, so a mark is known by its kind: brackets around a telling name.
 */
import { isRecord, parseJson } from '../machines/text.ts';

/** A mark around thoughts has one of these in its name. */
const THOUGHT =
  /channel|think|thought|reason|analy|reflect|scratch|monolog|ponder|deliberat|contempl|rumin|brainstorm|rationale|plan|internal|private|hidden|details|(?:^|_)(?:cot|inner|self_talk)(?:$|_)|introspect|hypothe|denk|gedank|überleg|tanke|pensa|pensée|réfle|rifless|raison|razona|ragiona|myśl|düşün|suy_ngh|мысл|мышл|дум|思|推[理論论]|考|생각|คิด|विचार|تفكير|חשיבה/;
const CLOSING = /^\W*[/\\]|^[\W_]*end|[_▁ -](?:end|stop|close)[\W_]*$|^channel\|/;
const ANSWER = /(?:^|_)(?:final|answer|output|respon[sd]|result|reply)/;
/** Tokens of formats and tools, which may stand before an answer. */
const NEUTRAL = /tool|func|python|constrain|message|sep$|json|code|begin|box/;
const TURN =
  /^(?:s|[be]o[stm]|inst|sys|im_(?:start|end)|(?:start|end)_?of_?\w+|(?:reserved|extra_id)_\w+|turn|user|human|system|assistant|model)$/;
const TOOL_TURN = /tool_?(?:response|result|output)|observation/;
/** The heading of another turn, where its marks are lost. */
const HEADING =
  /(?:^|\n)[\s#*=~([-]*(?:user|human|assistant|system|player|model|instruction|input|question|q|game(?: ?master)?|host|narrator|moderator|пользователь|вы|用户|ユーザー|benutzer|usuario|utilisateur|(?:the )?engine[^\n]*|(?:next )?(?:tick|turn|round)(?: \d+[^\n]*)?)[\s*=~)\]-]*[:：>\n]$/i;
const OWN_TURN = /^[^\p{L}]*(?:assistant|model)?[^\p{L}]*$/iu;
/** The name of a channel with an answer or a call. All other channels hold thoughts. */
const ANSWER_CHANNEL = /^\s*(?:final|answer|[\w ]*to=)$|assistant(?:final|commentary to=)$/;
/** A channel of thoughts that has lost its marks. */
const BARE_CHANNEL = /^\s*analysis(?:[^\s\p{P}]|\{)$/u;

const MARK = /[<[({◁〈《【«‹⟨＜［][^<[({◁〈《【«‹⟨＜［]{1,60}$/;
const CLOSERS = '>])}▷〉》】»›⟩＞］';
/** The first line of a fence, and lines such as "--- END THINKING ---". */
const LINE = /```\s*\w+\s*\n$|[-=~]{3,} *(?:\w+ ){0,2}\w+ *[-=~]{3,}\s*\n$/;
const BARE = /<!--$|-->$|```$/;
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
  /** The beginning of the text, without marks and thoughts. */
  #text = '';
  /** Kinds of open thoughts. */
  readonly #open = new Set<string>();

  get isThought(): boolean {
    return this.#open.size > 0;
  }

  /** Reads the next sign, and returns the length of the mark that it completes, or 0. */
  take(sign: string): number {
    this.isOrphan = false;
    this.#tail = (this.#tail + sign).slice(-LONGEST_TAIL);
    const pattern = sign === '\n' ? LINE : CLOSERS.includes(sign) ? MARK : null;
    const [mark = ''] = BARE.exec(this.#tail.slice(-4)) ?? pattern?.exec(this.#tail) ?? [];
    if (mark !== '' && this.#readMark(mark)) {
      this.#text = this.#text.slice(0, 1 - mark.length);
      this.#tail = '';
      return mark.length;
    }
    if (this.isThought) {
      if (this.#open.has('channel') && ANSWER_CHANNEL.test(this.#tail)) this.#open.clear();
      return 0;
    }
    if (this.#text.length < LONGEST_TAIL) this.#text += sign;
    this.isOver ||= this.hasAnswer && HEADING.test(this.#tail);
    return BARE_CHANNEL.test(this.#text) && this.#begin('channel') ? this.#text.length : 0;
  }

  #begin(kind: string): true {
    this.#open.add(kind);
    this.#hadThought = true;
    return true;
  }

  /** Whether it is a mark that means something. */
  #readMark(mark: string): boolean {
    if (mark === '<!--') return this.#begin('-->');
    if (mark === '-->' || mark === '```') return this.#open.delete(mark);
    const isLine = mark.endsWith('\n');
    const inner = (isLine ? mark.replaceAll(/[-=~`\s]+/g, '_') : mark.slice(1, -1))
      .normalize('NFKC')
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
      .toLowerCase();
    const [name = '', ...more] = inner.replaceAll(/^[\s|/\\_]+|[\s|/\\_]+$/g, '').split(/[\s=]/);
    const isToken = /^\W?\||\|\W?$/.test(inner);
    const isClosing = CLOSING.test(inner);
    const [kind] = THOUGHT.exec(name) ?? [];
    if (mark.startsWith('```')) return kind !== undefined && this.#begin('```');
    // In other brackets several words are prose. Only the end of thoughts is plain in braces and parentheses.
    if (more.length > 0 && !isToken && !mark.startsWith('<')) return false;
    if (/^[({]/.test(mark) && !isClosing) return false;
    if (kind !== undefined) {
      if (!isClosing) return inner.endsWith('/') || this.#begin(kind);
      this.isOrphan = !this.#open.delete(kind);
      if (this.isOrphan) this.#open.clear();
    } else if (TOOL_TURN.test(name) || TURN.test(name)) this.#endTurn(mark);
    else if (ANSWER.test(name)) {
      if (!isClosing) this.#open.clear();
    } else if (isToken && !NEUTRAL.test(name)) this.#endTurn(mark);
    else return isToken;
    return true;
  }

  /** The first mark may be the beginning of the own turn. In a channel, it is the end of the channel. */
  #endTurn(mark: string): void {
    const isFirst = OWN_TURN.test(this.#text.slice(0, 1 - mark.length));
    const isOwn = isFirst && !this.#hadThought && !this.hasAnswer;
    this.isOver ||= !isOwn && !this.#open.has('channel');
  }
}

/** Thoughts within one bracket, such as "(thinking: it was me)", or before the label of the message. */
const LABELLED =
  /[<[({*（【]{1,2}(?:(?:my|inner|own|internal|private|silent)[ _])?(?:think|thought|monolog|ponder|to myself|心想|内心|мысл|gedank)[\w\p{L}]*\s*[:：](?!\*)[^>\])}*）】]*(?:[>\])}*）】]{1,2}|$)|^[\W_]{0,9}(?:\w{1,20}[ _])?(?:thought|thinking|reasoning)[\W_]*[:：][\s\S]*?(?:\b|_)(?:message|answer|response|speech)[\W_]*[:：]\W*/giu;
const MAY_HOLD =
  /[<[({*&◁〈《【«‹⟨＜［（`]|[-=~]{3}|^[\W_]{0,9}(?:\w{1,20}[ _])?(?:thought|thinking|reasoning|analysis)/i;
/** The beginning of what may become a mark. */
const UNFINISHED = /[<[◁〈《【«‹⟨＜［(*&][^>\]▷〉》】»›⟩＞］)*]{0,60}$/;

/** A text without the thoughts in it. `isWhole` is false while more of the text may follow. */
export function cutThoughts(text: string, isWhole = true): string {
  if (!MAY_HOLD.test(text)) return text;
  if (/^\s*\{/.test(text)) {
    const inner = parseJson(text);
    if (isRecord(inner) && Object.keys(inner).some(isThoughtName))
      return String(inner['message'] ?? '');
    if (!isWhole) return '';
  }
  const plain = text.replaceAll(/&lt;|&#60;/g, '<').replaceAll(/&gt;|&#62;/g, '>');
  const outer = plain.replaceAll(LABELLED, '');
  const marks = new MarkReader();
  let kept = '';
  let from = 0;
  for (let at = 0; at < outer.length; at++) {
    const wasThought = marks.isThought;
    const length = marks.take(outer.charAt(at));
    if (marks.isOrphan) kept = '';
    else if (!wasThought && marks.isThought) kept += outer.slice(from, at + 1 - length);
    if (marks.isOrphan || (wasThought && !marks.isThought)) from = at + 1;
  }
  if (!marks.isThought) kept += outer.slice(from).replace(/^<\|message\|>/, '');
  const spoken = kept === plain ? text : kept;
  return isWhole ? spoken : spoken.replace(UNFINISHED, '');
}
