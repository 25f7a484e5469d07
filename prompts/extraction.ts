/**
 * Finds the object that a model meant in the text around it.
 *
 * Of several whole answers the last counts, because thoughts and examples come first. A partial answer counts only if
 * it stands alone. Beside other words it is a quotation or a thought. A truncated answer is never completed: a ballot
 * is binding, and half a word may name another player.
 */
import { jsonrepair } from 'jsonrepair';
import { isRecord, parseJson } from '../machines/text.ts';
import { COLOURS, PLACES } from '../machines/types.ts';
import { MarkReader } from './marks.ts';
import { readColour } from './reply.ts';

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
const MOST_READ = 200_000;
/** Of more objects the last ones are read. */
const MOST_OBJECTS = 64;

/** `judge` also receives the text between an object and the one before it. */
export function extractObject(
  text: string,
  judge: (value: object, before?: string) => AnswerFit,
): Extraction {
  const whole = parseObject(() => JSON.parse(text));
  if (whole !== null && judge(whole) !== 'none')
    return { type: 'found', value: whole, isRepaired: false };
  const { spans, gaps, open } = findObjects(unquote(text).slice(-MOST_READ));
  // A truncated answer at the end is no answer, even after a whole example.
  if (open !== null && looksLikeObject(open)) return { type: 'cut' };
  const isAlone = spans.length === 1 && !WORDS.test(gaps.join(' '));
  for (const [index, span] of [...spans.entries()].toReversed()) {
    const [value, isRepaired] = parseSpan(span);
    if (value === null) continue;
    const fit = judge(value, gaps[index]);
    if (fit === 'whole' || (fit === 'part' && isAlone)) return { type: 'found', value, isRepaired };
  }
  return { type: 'none' };
}

/** In a broken object: it was never finished, and another turn follows. */
const TURN_TOKEN = /<\||\|>|<\/s>|_of_turn>|\[\/?INST\]/i;

/** An object as written, without the braces of \boxed{}, or repaired. */
function parseSpan(span: string): readonly [object | null, isRepaired: boolean] {
  const inner = /^\{\s*\\?\{/.test(span) ? span.slice(1, -1).replaceAll(/\\([{}])/g, '$1') : span;
  const strict = parseObject(() => JSON.parse(inner));
  if (strict !== null || TURN_TOKEN.test(inner)) return [strict, false];
  return [parseObject(() => JSON.parse(jsonrepair(inner))), true];
}

/**
 * Prose: the end of one word and the beginning of the next. Fences, tags and template marks have one word at a time.
 * The pattern visits a long word once.
 */
const WORDS = /\p{L}['’]*[\s,]+\p{L}/u;

/** The content of a JSON string, for an object that was written as a string. */
function unquote(text: string): string {
  if (!/^\s*"/.test(text)) return text;
  const value = parseJson(text);
  return typeof value === 'string' ? unquote(value) : text;
}

type Objects = {
  /** Texts of the outermost objects. */
  readonly spans: readonly string[];
  /** The texts before, between and after them, without thoughts. */
  readonly gaps: readonly string[];
  /** An object that begins but never ends. */
  readonly open: string | null;
};

/** The objects outside of thoughts, up to the end of the turn. Braces within strings are text. */
function findObjects(text: string): Objects {
  const marks = new MarkReader();
  const spans: string[] = [];
  const gaps = [''];
  let depth = 0;
  let start = 0;
  let quote = '';
  const forget = () => {
    spans.length = 0;
    gaps.splice(0, Infinity, '');
  };
  for (let at = 0; at < text.length && !marks.isOver; at++) {
    const sign = text.charAt(at);
    if (depth === 0) {
      marks.take(sign);
      if (marks.isOrphan) forget();
      if (marks.isThought) continue;
      if (sign === '{') {
        start = at;
        depth = 1;
      } else gaps[gaps.length - 1] += sign;
    } else if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
    } else if (isQuote(text, at)) quote = sign;
    else if (sign === '{') depth += 1;
    else if (sign === '}') {
      depth -= 1;
      if (depth > 0) continue;
      const span = text.slice(start, at + 1);
      // A mark in braces, such as {/thinking}.
      if (/^\{\s*\//.test(span)) for (const one of span) marks.take(one);
      if (marks.isOrphan) forget();
      spans.push(span);
      gaps.push('');
      if (spans.length > MOST_OBJECTS) {
        spans.shift();
        gaps.shift();
      }
      marks.hasAnswer = true;
    }
  }
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

/**
 * What a text without an object is. `refusal`: it declines to play. `aside`: it names no player, place or field, so it
 * may decline in words that nobody listed. `error`: a failure's text in place of an answer.
 */
export type ProseKind = 'refusal' | 'aside' | 'error' | 'play';

export function judgeProse(text: string, names: readonly string[]): ProseKind {
  if (PAGE.test(text)) return 'error';
  if (text.length > LONGEST_ASIDE || NO_PROSE.test(text)) return 'play';
  const isPlay =
    GAME.test(text) || new RegExp(`(?:${names.join('|')})\\W{0,3}[:=]`, 'i').test(text);
  if (!isPlay && ERROR.test(text)) return 'error';
  if (REFUSAL.test(text)) return 'refusal';
  return isPlay ? 'play' : 'aside';
}

const LONGEST_ASIDE = 3_000;
/** Nothing, a value of JSON or Python, or a part of an object. */
const NO_PROSE = /^[^\p{L}]*(?:null|none|undefined|nan|true|false)?[^\p{L}]*$|\{/iu;
/** The same for an object that is no whole answer: a report in place of one, a refusal in a field, or its texts. */
export function judgeObject(value: object, names: readonly string[]): ProseKind {
  const has = (pattern: RegExp) =>
    Object.entries(value).some(([key, content]) => pattern.test(key) && content);
  if (has(/^errors?$/i) || (has(/^(?:message|detail|msg)$/i) && has(REPORT))) return 'error';
  if (has(/^refusal$/i)) return 'refusal';
  const texts = Object.values(value).filter((content) => typeof content === 'string');
  return judgeProse(texts.join('\n'), names);
}

const REPORT = /^(?:code|status|status_?code|error_?\w+|request_?id|trace_?id)$/i;
const GAME = new RegExp(`\\b(?:${[...COLOURS, ...PLACES].join('|')})\\b`, 'i');
const PAGE = /^\s*<(?:!doctype|html|\?xml)/i;
const ERROR =
  /^\W*(?:[\w.]+ ){0,2}[\w.]*(?:error|exception|traceback)\b\s*(?:[:([\]\-\d]|$)|^\W*(?:http\S* )?[45]\d\d\b|bad gateway|gateway time-?out|(?:temporarily|service) unavailable|internal (?:server )?error|too many requests|upstream (?:connect|request|error|time)|connection (?:refused|reset|error|closed|timed? ?out)|timed? ?out\b|rate limit|overloaded|(?:try again|retry) (?:later|in \d|shortly)|something went wrong|error (?:has )?occurred|status code [45]\d\d/i;
const REFUSAL =
  /\b(i['’]?m sorry|i am sorry|i apologi[sz]e)\b.{0,80}\b(can['’]?t|cannot|unable|not able|won['’]?t)\b|\b(i (can['’]?t|cannot|won['’]?t)|i['’]?m (unable|not able) to)\b.{0,40}\b(help(?! but)|assist|comply|participate|continue|engage|do that|fulfil)|\bas an? (ai|artificial|large language|language model)\b|\bi ((must|have to|need to|will|would) (\w+ )?)?(decline|refuse)\b|\bnot (comfortable|appropriate|permitted|able to (help|assist|participate|comply))\b|\b(against|violat\w+|breach\w*)\b.{0,20}\b(guidelines|polic\w+|principles|programming)/i;

/** Fields in which endpoints and models wrap the answer. */
export const ENVELOPE =
  /^(?:response|answer|reply|result|output|arguments|args|parameters|input|function|properties|data|json|content)$/i;
export const MOST_ENVELOPES = 4;

/** The intended fields, with a note for each one that was misplaced or misnamed. */
export type MeantFields = { readonly fields: object; readonly notes: readonly string[] };

/**
 * Unwraps the fields and corrects their names: `voteAction` becomes `vote_action`. Of answers by seat, it takes the one
 * of `seat`. An answer that another seat has signed has no fields.
 */
export function findFields(value: object, names: readonly string[], seat?: string): MeantFields {
  const notes: string[] = [];
  let inner = value;
  for (let depth = 0; depth < MOST_ENVELOPES && !hasField(inner, names); depth++) {
    const [key, content] = isSignedByOther(inner, seat) ? [] : (openEnvelope(inner, seat) ?? []);
    if (key === undefined || content === undefined) break;
    notes.push(`your fields were read within "${key}": write them at the top`);
    inner = content;
  }
  if (isSignedByOther(inner, seat)) return { fields: {}, notes: [] };
  if (!hasField(inner, names)) return { fields: value, notes: [] };
  const fields = Object.entries(inner).map(([key, field]: [string, unknown]) => {
    const name = nameOf(key, names);
    if (name === null || name === key || name in inner) return [key, field];
    notes.push(`"${key}" was read as ${name}`);
    return [name, field];
  });
  return { fields: notes.length === 0 ? value : Object.fromEntries(fields), notes };
}

const AUTHOR =
  /^(?:my_?)?(?:speaker|player|seat|author|sender|agent|actor|voter|user|role|turn|identity|character|name|colou?r|from|by|on_behalf_of|who|as|i_?am|me|self)(?:_?(?:name|id|colou?r|am_?i))?$/i;
const OTHER_ROLE = /^(?:user|human|system|tool)$/i;

function isSignedByOther(value: object, seat: string | undefined): boolean {
  return Object.entries(value).some(([key, name]: [string, unknown]) => {
    const told = isRecord(name) ? Object.values(name).join(' ') : String(name);
    if (key === 'role' && OTHER_ROLE.test(told)) return true;
    return AUTHOR.test(key) && isOther(readColour(told), seat);
  });
}

function isOther(colour: string | null, seat: string | undefined): boolean {
  return colour !== null && seat !== undefined && colour !== seat;
}

/** Whether words before an object say that it is a thought or another seat's: "**Thinking:**", "<blue>", "Blue's reply:". */
export function isLabelOfOther(before: string, seat: string | undefined): boolean {
  const words = before.replace(/```\w*\s*$/, '').trimEnd();
  const [last = ''] = words.split('\n').slice(-1);
  const label = /<[^<>/]+>$/.exec(last)?.[0] ?? last;
  if (THOUGHT_LABEL.test(last)) return true;
  if (!/[:*#<[(>→—|]/.test(label) || /vot|eject|suspect|impost/i.test(label)) return false;
  return isOther(readColour(label.replaceAll(LABEL, ' ')), seat);
}

const LABEL =
  /['’]s\b|\b(?:answers?|reply|replies|responses?|message|turn|output|speaker|says?|said|thinks?|if|were|from|of|by|as|i|am|would|will|my|is|here|now)\b/gi;
const THOUGHT_LABEL =
  /^(?=.*[\s#*~(%@:：])[\s#*_~(%@]{0,9}(?:(?:my|begin|inner|internal)[ _])?(?:think|thought|reason|analy|reflect)\w{0,9}[\s*_~)%@:：]{0,9}$/i;

function hasField(value: object, names: readonly string[]): boolean {
  return Object.keys(value).some((key) => nameOf(key, names) !== null);
}

/** The field that a key spells differently. */
export function nameOf(key: string, names: readonly string[]): string | null {
  if (names.includes(key)) return key;
  const plain = (word: string) => word.toLowerCase().replaceAll(/[^a-z]/g, '');
  return names.find((name) => plain(name) === plain(key)) ?? null;
}

/** The object in an envelope or in the only field, possibly as text or in a list. Of keys that are seats, the own one. */
function openEnvelope(value: object, seat: string | undefined): readonly [string, object] | null {
  const entries: [string, unknown][] = Object.entries(value);
  const bySeat = entries.filter(([key]) => readColour(key) !== null);
  const found =
    bySeat.length > 0 && seat !== undefined
      ? bySeat.find(([key]) => readColour(key) === seat)
      : (entries.find(([key]) => ENVELOPE.test(key)) ??
        (entries.length === 1 ? entries[0] : undefined));
  if (found === undefined) return null;
  const [key, content] = found;
  const inner = typeof content === 'string' ? parseJson(content) : content;
  const own = [inner].flat().findLast((one) => isRecord(one) && !isSignedByOther(one, seat));
  return isRecord(own) ? [key, own] : null;
}
