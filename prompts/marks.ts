/** Marks of thoughts in a model's text. Each chat format has its own, so a telling name in brackets is one. */
import { isRecord, parseJson, wordOf } from '../machines/text.ts';

/** Names of thoughts. The last one has letters of two alphabets. */
export const THOUGHT =
  /think|thought|reason|reflect|scratch|monolog|ponder|deliberat|contempl|rumin|brainstorm|rationale|introspect|(?:^|[_ ])(?:cot|self_talk)(?:$|[_ ])|denk|gedank|überleg|tanke|pens[aié]|réfle|rifless|raison|razona|ragiona|myśl|düşün|suy_ngh|мысл|мышл|дум|思|推[理론論]|考|생각|คิด|विचार|تفكير|חשיבה|心|(?=.*[a-z])(?=.*[\u0370-\u04ff])/;
/** Names that mean thoughts around a text, but may be said in one. */
const PRIVATE =
  /analy|plan|note|draft|working|memo|aside|secret|strateg|consider|intern|inner|private|hidden|details|example|hypothe|musing|debug|spoiler|critique/;
const FILLER = /^(?:my|the|own|begin|start|end|stop|of|process|block|section|mode|step|\d+)$/;
const CLOSING = /^\W*[/\\]|^[\W_]*end|[_▁ -](?:end|stop|close|suffix)[\W_]*$/;
const ANSWER_CHANNEL = /channel\|?>\s*(?:final|answer|[\w ]*to=)|channel\|>$|^assistant/i;

/* Brackets, as content of a class, and how HTML and JSON escape them. */
const ANGLES = '<＜◁〈《⟨‹«';
const LEFT = `${ANGLES}\\[［【`;
const RIGHT = '>＞▷〉》⟩›»\\]］】';
const ESCAPED = '&[lg]t;|&#6[02];|&#x3[ce];|%3[ce]|\\\\u003[ce]';
/** A mark. Comments and channels include what they say. */
export const MARK = [
  '<!--[\\s\\S]*?(?:-->|$)|(?<!\\S)/\\*[\\s\\S]*?(?:\\*/|$)',
  '(?:`{3,}|~{3,})[ \\t]*[\\w-]*(?:[ \\t]+[\\w-]+(?=\\n))?',
  '(?<=^|\\n)[-=~*]{3,} *(?:\\w+ ){0,2}\\w+ *[-=~*]{3,}(?=\\s*\\n)',
  '<\\|?channel\\|?>\\s*(?:[\\w.]+(?: to=[\\w.]+)?)?(?:<\\|message\\|>)?',
  '^\\s*analysis(?=[^\\s\\p{P}]|\\{)|assistant(?:final|commentary to=)',
  '\\{{1,2}[%#/\\s]*[\\p{L}_]{1,30}[\\s%]*\\}{1,2}|\\([/\\s]*[\\p{L}_]{1,30}\\)|\\\\(?:begin|end)\\{\\w+\\}',
  `(?:[${LEFT}]|${ESCAPED}){1,3}[^${LEFT}${RIGHT}{}&]{1,60}?(?:[${RIGHT}]|${ESCAPED}){1,3}`,
].join('|');
const MARKS = new RegExp(MARK, 'giu');
const TAG = new RegExp(`^(?:[${ANGLES}]|${ESCAPED})`, 'i');
const ESCAPES = new RegExp(ESCAPED, 'gi');

export function isPrivateName(name: string): boolean {
  return THOUGHT.test(name) || PRIVATE.test(name);
}

export function isThoughtName(name: string): boolean {
  return THOUGHT.test(name);
}

function parseMark(mark: string, before: string) {
  const inner = mark
    .normalize('NFKC')
    .replaceAll(ESCAPES, '')
    .replaceAll(/\p{Default_Ignorable_Code_Point}|^[^\p{L}\p{N}/|]+|[^\p{L}\p{N}/|_]+$/gu, '')
    .replaceAll(/(?<!\p{L})(\p{L}) (?=\p{L}(?!\p{L}))/gu, '$1')
    .toLowerCase();
  const full = inner.replaceAll(/^[\s|/\\_%#]+|[\s|/\\_%]+$/g, '');
  const [, name = full, values = ''] =
    /^([^\s=]+)(?:\s*=|\s+(?=[^\s=]+\s*=))(.*)$/s.exec(full) ?? [];
  const stem = (THOUGHT.exec(name) ?? PRIVATE.exec(name))?.[0];
  return {
    mark,
    before,
    name,
    stem,
    values: values.replaceAll(/[\w-]+=/g, ''),
    isToken: /^\W?\||\|\W?$/.test(inner),
    isClosing: CLOSING.test(inner),
    isTag: TAG.test(mark),
  };
}

export function listWords(name: string): readonly string[] {
  const apart = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return apart.toLowerCase().match(/\p{L}+|\d+/gu) ?? [];
}

export type ParsedMark = ReturnType<typeof parseMark>;

type OpenMark = {
  readonly kind: string;
  readonly at: number;
  /** The text is a thought even if the mark is never closed. */
  readonly isSure: boolean;
};
const MOST_OPEN = 64;

/** Reads the marks of a speech in order. Only names of thoughts mean anything. */
export class MarkReader {
  protected readonly open: OpenMark[] = [];

  /** Where open thoughts begin, or all marks that may become thoughts. */
  findOpen(isSure: boolean): number {
    return this.open.find((one) => one.isSure || !isSure)?.at ?? Infinity;
  }

  /** Reads a mark with the words before it. Returns the place since which all was a thought, or null. */
  read(mark: string, at: number, before: string): number | null {
    if (/^(?:<!--|\/\*.*(?:think|thought))/is.test(mark)) return at;
    if (/channel|^\s*analysis$|^assistant/i.test(mark)) {
      if (!ANSWER_CHANNEL.test(mark)) return this.begin('channel', at);
      const from = this.#end('channel');
      this.open.length = 0;
      return from;
    }
    const parsed = parseMark(mark, before);
    const { name, stem, isClosing } = parsed;
    if (/^[`~]/.test(mark)) {
      if (name === '') return this.#end('fence');
      return stem === undefined ? null : this.begin('fence', at);
    }
    const kind = stem ?? name;
    if (isClosing && (stem !== undefined || this.open.some((one) => one.kind === kind)))
      return this.#end(kind, THOUGHT.test(kind));
    // Among other words, a name is prose.
    const isProse = !parsed.isToken && /\s/.test(name) && stem !== undefined;
    const isOfThought = (word: string) => isPrivateName(word) || FILLER.test(word);
    if (isProse && !listWords(name).every(isOfThought)) return null;
    const isMeant = stem !== undefined || THOUGHT.test(parsed.values);
    if ((!isMeant && !this.isUnknown(parsed)) || isClosing || mark.endsWith('/>')) return null;
    return this.begin(kind, at, this.isSure(parsed));
  }

  protected isUnknown(_: ParsedMark): boolean {
    return false;
  }

  protected isSure({ mark, before, name, isTag }: ParsedMark): boolean {
    if (isTag && THOUGHT.test(name)) return !/["'“„«]$/.test(before);
    const isFirst = /(?:^|[.!?\n])\s*$/.test(before);
    return isFirst && (isTag || (/^[^({]/.test(mark) && THOUGHT.test(name)));
  }

  protected begin(kind: string, at: number, isSure = true): null {
    this.open.push({ kind, at, isSure });
    if (this.open.length > MOST_OPEN) this.open.shift();
    return null;
  }

  /** An orphan ends thoughts whose beginning is missing. */
  #end(kind: string, isOrphan = false): number | null {
    const index = this.open.findLastIndex((one) => one.kind === kind);
    const from = this.open[index]?.at ?? (isOrphan ? 0 : null);
    if (from !== null) this.open.length = Math.max(0, index);
    return from;
  }
}

/** Thoughts within one bracket, such as "(thinking: it was me)", or before the label of the message. */
const LABELLED = new RegExp(
  [
    '(?<!\\p{L}(?=_))[<[({*~_（【„“|]{1,2}(?:(?:my|inner|own|internal|private|silent)[ _])?(?:(?:i )?think\\w* to (?:my)?self|(?:think|thought|monolog|ponder|(?:note )?to (?:my)?self|intern|privat|silent|secret|思考|心想|内心|мысл|gedank)[\\p{L}_]*)\\s*[:：](?!\\*)[^>\\])}*~_）】“”|]*(?:[>\\])}*~_）】“”|]{1,2}|$)',
    '[*_~]\\((?:think|thought|intern|silent|secret|privat)\\w*\\)[^*_~]*[*_~]?|\\*[^*\\n]*\\b(?:to myself|in my head)[^*\\n]*\\*|\\|\\|[^|]*\\bth(?:ink|ought)[^|]*\\|\\|',
    '\\\\\\w*(?:think|thought|reason)\\w*\\s*\\{[^{}]*\\}?|<\\s*(?:think|thought|reasoning|scratch)\\w*\\s[^<>=]*$',
    '^[\\W_]{0,9}(?:\\w{1,20}[ _])?(?:thoughts?|thinking|reasoning|analysis|monologue|private|internal(?:ly)?)(?: process)?[\\W_]*[:：][\\s\\S]*?(?:\\b|_)(?:message|answer|response|reply|speech|spoken|(?:out )?loud|aloud|public(?:ly)?)[\\W_]*[:：]\\W*',
  ].join('|'),
  'giu',
);
const MAY_HOLD =
  /[<[({*~_%&◁〈《【«‹⟨＜［（„“`|\\]|[-=~]{3}|^[\W_]{0,9}(?:\w{1,20}[ _])?(?:thought|thinking|reasoning|analysis|monologue|private|internal)/i;
const isTold = (key: string) => key === 'message' || key === 'text';
/** A message without thoughts. A whole reply in its place is opened; an object that it quotes stays. */
export function readSpoken(message: string, isWhole = true): string {
  const json = message.replaceAll(/^\s*(?:`{3}\w*\s*)?(?=\{)|(?<=\})[\s`]*$/g, '');
  const inner = json.startsWith('{') && parseJson(json);
  const isReply =
    isRecord(inner) && Object.keys(inner).some((key) => isTold(key) || isThoughtName(key));
  return cutThoughts(isReply ? wordOf(inner['message'] ?? inner['text'] ?? '') : message, isWhole);
}

/** A text without the thoughts in it. `isWhole` is false while more of it may follow. */
export function cutThoughts(text: string, isWhole = true): string {
  if (!MAY_HOLD.test(text)) return text;
  const outer = text.replaceAll(LABELLED, '');
  const marks = new MarkReader();
  const thoughts: { readonly from: number; readonly to: number }[] = [];
  let to = 0;
  for (const { 0: mark, index } of outer.matchAll(MARKS)) {
    const from = marks.read(mark, index, outer.slice(to, index));
    to = index + mark.length;
    if (from !== null) thoughts.push({ from, to });
  }
  thoughts.push({ from: marks.findOpen(isWhole), to: Infinity });
  let spoken = '';
  let end = outer.length;
  for (const one of thoughts.toReversed()) {
    spoken = outer.slice(one.to, end) + spoken;
    end = Math.min(end, one.from);
  }
  return outer.slice(0, end) + spoken;
}
