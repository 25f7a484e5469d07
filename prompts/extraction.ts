/**
 * Finds the object that a model meant in the text around it.
 *
 * Thoughts, other turns, and what a label or the words behind call something else do not count. Of several whole
 * answers one counts if it is called better; none counts if nothing tells them apart. A partial answer counts only if it
 * stands alone. A truncated answer is never completed: a ballot is binding, and half a word may name another player.
 */
import { jsonrepair } from 'jsonrepair';
import { isRecord, parseJson, wordOf } from '../machines/text.ts';
import { COLOURS, PLACES } from '../machines/types.ts';
import { AnswerReader, isAnswerName } from './answerMarks.ts';
import { isPrivateName, listWords, MARK, THOUGHT } from './marks.ts';
import { readColour } from './reply.ts';

export type Extraction =
  | {
      readonly type: 'found';
      readonly value: object;
      readonly isRepaired: boolean;
      /** Nothing else is said, apart from thoughts. */
      readonly isAlone: boolean;
    }
  /** The text ends within the last object. */
  | { readonly type: 'cut' }
  | { readonly type: 'none' };

/** `whole`: an answer with every field that matters. `part`: some of them. `none`: no answer. */
export type AnswerFit = 'whole' | 'part' | 'none';

const MOST_READ = 200_000;
const MOST_OBJECTS = 64;

export function extractObject(
  text: string,
  judge: (value: object) => AnswerFit,
  seat?: string,
): Extraction {
  const isHeadless = HEADLESS.test(text);
  const whole = parseObject(() => JSON.parse(isHeadless ? `{${text}` : text));
  if (whole !== null && judge(whole) !== 'none')
    return { type: 'found', value: whole, isRepaired: isHeadless, isAlone: true };
  const { objects, rest, open } = findObjects(unquote(text).slice(-MOST_READ), seat);
  // A truncated answer at the end is no answer, even after a whole example.
  if (open !== null) return { type: 'cut' };
  const isAlone = objects.length === 1 && !WORDS.test(rest);
  let best: Extraction = { type: 'none' };
  let most = 1;
  for (const { span, weight } of objects.toReversed()) {
    if (weight < most) continue;
    const [value, isRepaired] = parseSpan(span);
    const fit = value === null ? 'none' : judge(value);
    if (value === null || fit === 'none' || (fit === 'part' && !isAlone)) continue;
    const isRival = weight === most && best.type === 'found' && !isSame(best.value, value);
    if (isRival) return { type: 'none' };
    if (weight > most || best.type === 'none') best = { type: 'found', value, isRepaired, isAlone };
    most = weight;
  }
  return best;
}

/** An object whose first brace was written for the model. */
const HEADLESS = /^\s*"\w+"\s*:/;
const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
/** Words in a string that was never closed, before the answer begins again. */
const TORN = /^.*\b(?:again|cut off|interrupted|start over)\b[^"{}]{0,200}\n\s{0,9}(?=\{\s*")/is;

/** In a broken object: it was never finished, and another turn follows. */
const TURN_TOKEN = /<\||\|>|<\/s>|_of_turn>|\[\/?INST\]/i;

/** A call as XML: `<parameter=message>`, `<parameter name="message">`, or `<arg_key>message</arg_key><arg_value>`. */
const CALL =
  '<(?:\\w+:)?(?:tool_call|function|invoke)\\b[^<>]*>[^<>{}]*(?=<(?:\\w+:)?(?:parameter|arg_key)\\b)';
const CALL_END =
  /(?<=<\/(?:\w+:)?(?:tool_call|function|invoke)>|<\/(?:parameter|arg_value)>(?=\s*$))/;
const PARAMETER =
  /<(?:\w+:)?(?:parameter(?:=| name=)["']?|arg_key>)\s*(\w+)\s*(?:["']?>|<\/arg_key>\s*<arg_value>)(.*?)<\/(?:\w+:)?(?:parameter|arg_value)>/gs;

function parseSpan(span: string): readonly [object | null, isRepaired: boolean] {
  if (span.startsWith('<')) {
    const fields = [...span.matchAll(PARAMETER)].map(([, name, told = '']) => {
      return [name, parseJson(told) ?? told.trim()] as const;
    });
    return [Object.fromEntries(fields), true];
  }
  const strict = parseObject(() => JSON.parse(span));
  if (strict !== null || TURN_TOKEN.test(span)) return [strict, false];
  return [parseObject(() => JSON.parse(jsonrepair(span.replaceAll(ODD, mendSign)))), true];
}

const SIGNS: Record<string, string> = {
  "'": '’',
  ';': ',',
  '=': ':',
  '=>': ':',
  '：': ':',
  '，': ',',
};
/** A string, a sign of another script or language, a brace escaped in \boxed{}, a comment, or a bare value like 8/10. */
const ODD =
  /(?<=\p{L})'(?=\p{L})|=>?|;|"(?:[^"\\]|\\.)*"(?=\s*[:,}\]：，;=])|[：，]|\\([{}])|(?<=[,{[\d"\]}el]\s*)#[^\n]*|(?<=[:：]\s*)(?!-?\d+(?:\.\d+)?\s*[,}\n])([-+~≈]?\d[^\s,，}\]"'“]*(?: (?:of|out|percent|%)[^,，}\]"\n]*)?)(?=\s*[,，}\n])/gu;

function mendSign(found: string, brace?: string, value?: string): string {
  if (found.startsWith('"')) return found;
  return brace ?? (value === undefined ? (SIGNS[found] ?? '') : `"${value}"`);
}

/** Prose: two words. Fences, tags and template marks have one at a time. The pattern visits a long word once. */
const WORDS = /\p{L}['’]*[\s,]+\p{L}/u;

/** The content of a JSON string, for an object that was written as a string, or as HTML escapes it. */
function unquote(said: string): string {
  const bare = said.replaceAll(/[\u200B\u2060]/g, '');
  const isDoubled = /\{\{\s*"/.test(bare) && !/(?<!\{)\{\s*"/.test(bare);
  const given = isDoubled ? bare.replaceAll(/([{}])\1/g, '$1') : bare;
  const text = /[｛＂]/.test(given) ? given.replaceAll(/[｛｝＂：，［］]/g, toNarrow) : given;
  if (/\{\s*&(?:amp;)*(?:quot|#34|#x22);/i.test(text) && !/\{\s*"/.test(text))
    return unescapeHtml(text);
  if (!/^\s*"/.test(text)) return /\{\s*\\"/.test(text) ? text.replaceAll('\\"', '"') : text;
  const value = parseJson(text);
  return typeof value === 'string' ? unquote(value) : text;
}

const toNarrow = (sign: string) => sign.normalize('NFKC');
export function unescapeHtml(text: string): string {
  return text.replaceAll(
    ENTITY,
    (_, ...found: string[]) => `"'<>`[found.slice(0, 4).findIndex(Boolean)] ?? '&',
  );
}

const ENTITY = /&(?:amp;)*(?:(quot|#34|#x22)|(apos|#39|#x27)|(lt)|(gt)|amp);/gi;

/** A mark, or the beginning of an object or a call. Braces may be text. */
const MARK_OR_OBJECT = new RegExp(
  `(?<call>${CALL})|\\{(?=\\s*(?:["'“”‘’\`}]|\\\\"|/[/*]|#|[\\p{L}_$][\\w$]*\\s*[:=]|$))|${MARK}`,
  'giu',
);

/** The outermost objects outside of thoughts up to the end of the turn, an unfinished one, and the rest of the text. */
export function findObjects(text: string, seat?: string) {
  const marks = new AnswerReader(seat);
  const token = new RegExp(MARK_OR_OBJECT);
  const objects: { span: string; at: number; weight: number; lead: string }[] = [];
  let rest = '';
  let end = 0;
  for (let found = token.exec(text); found !== null && !marks.isOver; found = token.exec(text)) {
    const { 0: sign, index, groups } = found;
    const before = text.slice(end, index);
    end = token.lastIndex;
    if (sign !== '{' && groups?.['call'] === undefined) {
      const from = marks.read(sign, index, before) ?? Infinity;
      while ((objects.at(-1)?.at ?? -1) >= from) objects.pop();
      if (from === 0) rest = '';
      continue;
    }
    marks.addWords(before);
    if (marks.isThought || marks.isOver) continue;
    takeBack(objects, marks);
    const length = findLength(text.slice(index));
    const torn = length < 0 && /\}[\s`]*$/.test(text) ? TORN.exec(text.slice(index)) : null;
    end = torn === null && length < 0 ? text.length : index + (torn?.[0].length ?? length);
    token.lastIndex = end;
    if (torn !== null) continue;
    const after = /^\s*[^\n{]*/.exec(text.slice(end, end + LONGEST_TAIL))?.[0] ?? '';
    const hasRival = objects.some((one) => one.weight > 1);
    const weight = weigh(marks, after, hasRival, seat);
    const object = { span: text.slice(index, end), at: index, weight, lead: marks.lead };
    if (length < 0) return { objects, rest, open: object };
    objects.push(object);
    if (objects.length > MOST_OBJECTS) objects.shift();
    rest += `${marks.lead}\n`;
    marks.hasAnswer ||= weight > 0;
    marks.lead = '';
  }
  if (!marks.isOver) marks.addWords(text.slice(end));
  takeBack(objects, marks);
  doubtLast(objects, marks.lead);
  return { objects, rest: rest + marks.lead, open: null };
}

function takeBack(objects: { weight: number }[], marks: AnswerReader): void {
  if (objects.length === 0 || !TAKEN_BACK.test(marks.lead)) return;
  for (const one of objects) one.weight = 0;
  marks.lead = marks.lead.split(TAKEN_BACK).at(-1) ?? '';
}

/** Between words, an object is the answer only if they call it so. */
function doubtLast(objects: { weight: number; lead: string }[], after: string): void {
  const { lead = '', weight = 3 } = objects.at(-1) ?? {};
  const line = readLastLine(lead);
  const isCalled = (ANNOUNCED.test(line) || EXPLAINED.test(after)) && !/[?？]\W*$/.test(line);
  if (weight === 3 || isCalled || ![lead, after].every((one) => WORDS.test(one))) return;
  for (const one of objects) if (one.weight <= weight) one.weight = 0;
}

/** Strings, possibly unfinished, and braces outside of them. An apostrophe within a word opens no string. */
const BRACES = /"[^"\\]*(?:\\.[^"\\]*)*"?|(?<=[\s{[:,])'[^'\\]*(?:\\.[^'\\]*)*'?|[{}]/gs;

/** The length of the object or call that begins a text; -1 if the text ends before. */
function findLength(text: string): number {
  if (text.startsWith('<')) return text.search(CALL_END);
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(BRACES)) {
    if (sign === '{') depth += 1;
    else if (sign === '}' && --depth === 0) return index + 1;
  }
  return -1;
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

/** The kind of a text without an object. An `aside` does not mention the game, so it may be a refusal in any words. */
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

/* In characters. */
const LONGEST_ASIDE = 3_000;
const SHORTEST_ASIDE = 12;
/** Nothing, a value of JSON or Python, or a part of an object. */
const NO_PROSE = /^[^\p{L}]*(?:null|none|undefined|nan|true|false)?[^\p{L}]*$|\{/iu;
/** The same for the message of a whole answer. Players may be sorry or speak of errors too. */
export function judgeMessage(message: string): ProseKind {
  if (GAME.test(message)) return 'play';
  if (/^\W*(?:[\w.]*(?:error|exception)\s*:|(?:http\S* )?[45]\d\d\s)/i.test(message))
    return 'error';
  return BARE.test(message) ? 'refusal' : 'play';
}

const BARE =
  /^\W*(?:(?:i['’]?m |i am )?(?:very |so )?sorry|i apologi[sz]e|unfortunately)\b.{0,30}\b(?:can['’]?t|cannot|unable|not able|won['’]?t)\b.{0,30}\b(?:assist|help|comply|fulfil|continue|participate|engage|provide)\b/i;

/** The same for an object that is no whole answer: a report in place of one, a refusal in a field, or its texts. */
export function judgeObject(value: object, names: readonly string[]): ProseKind {
  const has = (pattern: RegExp) =>
    Object.entries(value).some(([key, content]) => pattern.test(key) && content);
  const texts = listTexts(value);
  const kind = judgeProse(texts.join('\n'), names);
  const isError = has(/^errors?$/i) || (has(/^(?:message|detail|msg)$/i) && has(REPORT));
  if (
    isError &&
    countFields(value, names) < 2 &&
    (kind !== 'refusal' || !/\bI\b/.test(texts.join()))
  )
    return 'error';
  if (has(/^refusal$/i)) return 'refusal';
  // A word or many fields are no refusal, whatever they say.
  const isAside =
    Math.max(Object.keys(value).length, texts.length) <= 2 && texts.join().length >= SHORTEST_ASIDE;
  return kind === 'aside' && !isAside ? 'play' : kind;
}

function listTexts(value: unknown, depth = MOST_ENVELOPES): readonly string[] {
  if (typeof value === 'string') return [value];
  const inner =
    depth > 0 && typeof value === 'object' && value !== null ? Object.values(value) : [];
  return inner.flatMap((one) => listTexts(one, depth - 1));
}

const REPORT =
  /^(?:code|status|status_?code|error_?\w+|request_?id|trace_?id|t|tick|time|turn|round|step|id|index|version|seed)$/i;
const GAME = new RegExp(`\\b(?:${[...COLOURS, ...PLACES].join('|')})\\b`, 'i');
const PAGE = /^\s*<(?:!doctype|html|\?xml)/i;
const ERROR =
  /^\W*(?:[\w.]+ ){0,2}[\w.]*(?:error|exception|traceback)\b\s*(?:[:([\]\-\d]|$)|^\W*(?:http\S* )?[45]\d\d\b|bad gateway|gateway time-?out|(?:temporarily|service) unavailable|internal (?:server )?error|too many requests|upstream (?:connect|request|error|time)|connection (?:refused|reset|error|closed|timed? ?out)|timed? ?out\b|rate limit|overloaded|(?:try again|retry) (?:later|in \d|shortly)|something went wrong|error (?:has )?occurred|status code [45]\d\d/i;
const REFUSAL =
  /\b(i['’]?m sorry|i am sorry|i apologi[sz]e)\b.{0,80}\b(can['’]?t|cannot|unable|not able|won['’]?t)\b|\b(i (can['’]?t|cannot|won['’]?t)|i['’]?m (unable|not able) to)\b.{0,40}\b(help(?! but)|assist|comply|participate|continue|engage|do that|fulfil)|\bas an? (ai|artificial|large language|language model)\b|\bi ((must|have to|need to|will|would) (\w+ )?)?(decline|refuse)\b|\bnot (comfortable|appropriate|permitted|able to (help|assist|participate|comply))\b|\b(against|violat\w+|breach\w*)\b.{0,20}\b(guidelines|polic\w+|principles|programming)/i;

export const MOST_ENVELOPES = 4;

/** Unwraps the fields and corrects their names, with notes. An answer that another seat has signed has none. */
export function findFields(value: object, names: readonly string[], seat?: string) {
  const { content: inner, keys } = findInner(value, names, seat, MOST_ENVELOPES);
  if (isSignedByOther(inner, names, seat)) return { fields: {}, notes: [] };
  if (countFields(inner, names) === 0) return { fields: value, notes: [] };
  const notes = keys.map((key) => `your fields were read within "${key}": write them at the top`);
  const fields = new Map<string, unknown>();
  for (const [key, field] of Object.entries(inner)) {
    const name = nameOf(key, names);
    const isRenamed = name !== null && name !== key && !(name in inner) && !fields.has(name);
    if (isRenamed) notes.push(`"${key}" was read as ${name}`);
    fields.set(isRenamed ? name : key, field);
  }
  const numbers = [...fields].filter(
    ([key, field]) => typeof field === 'number' && field >= 0 && field <= 10 && !REPORT.test(key),
  );
  const [[key, desire] = ['', 0], ...others] = numbers;
  // The only number is the desire, in any language.
  if (names.includes(DESIRE) && !fields.has(DESIRE) && key !== '' && others.length === 0) {
    fields.set(DESIRE, desire).delete(key);
    notes.push(`"${key}" was read as ${DESIRE}`);
  }
  return { fields: notes.length === 0 ? value : Object.fromEntries(fields), notes };
}

const DESIRE = 'desire_to_speak';
/** A field of any other name whose value is a seat is its signature. */
const ABOUT =
  /suspect|suspic|sus$|accus|impost|kill|vote(?!r)|target|trust|all(?:y|ies)|victim|dead|body|eject|seen|saw|near|with|about|mention|choice|guess|clear|innocent|follow|watch|ask|address|repl|defend|blame|l(?:ie|iar|ying)|against|believ|alibi|partner|whom|message|answer|say|speech|thought|reason|next|last|prior|previous|mood|feel|emotion|tone|witness|evidence|^to$/i;
const IDENTITY = /^(?:name|colou?r|id|seat|player|role|from|by|speaker|sender|author)$/i;
/** Another role, or a field that marks the object as unfinished. */
const OTHER_ROLE =
  /^(?:role: (?:user|human|system|tool)|(?:is_?)?(?:draft|example|template|tentative|hypothetical|placeholder|sample): (?:true|yes)|(?:is_?)?(?:final|ready|submit|send): (?:false|no)|(?:status|type|kind|state|stage): (?:draft|example|template|tentative|hypothetical|placeholder|sample|pending|not[ _]final))$/i;

function isSignedByOther(value: object, names: readonly string[], seat: string | undefined) {
  const signed = Object.entries(value).flatMap(([key, name]: [string, unknown]) => {
    const inner = isRecord(name) ? Object.entries(name).find(([one]) => IDENTITY.test(one)) : null;
    const told = wordOf(inner?.[1] ?? name);
    if (OTHER_ROLE.test(`${key}: ${told}`)) return ['other'];
    return nameOf(key, names) !== null || ABOUT.test(key) ? [] : (readColour(told) ?? []);
  });
  return signed.some((one) => isOther(one, seat)) && !signed.some((one) => one === seat);
}

function isOther(colour: string | null, seat: string | undefined): boolean {
  return colour !== null && seat !== undefined && colour !== seat;
}

/** In the languages that models answer in beside English, from German to Hindi, as alternatives of a pattern. */
const FOREIGN = {
  answer:
    'antwoo?r[dt]|r[ée]ponse|respuesta|r[ei]sposta|odpowied|yanıt|ответ|回[答复覆]|答[案复]|응답|답변|जवाब',
  draft: 'entwurf|brouillon|borrador|bozza|rascunho|черновик|草稿|初稿|下書き|초안',
  example: 'beispiel|exemple|ejemplo|esempio|exemplo|voorbeeld|пример|示例|範例|范例|예시',
  final:
    'endgültig|korrigiert|d[ée]finiti[fv]|corr[ei]g|окончательн|исправл|итогов|最[终終]|修正|更正',
  first: 'premi[eè]re? |перв(?:ый|ая)|初[版步]|第一版',
  forget:
    '(?:vergiss|ignoriere) (?:das|es)|oublie[zr]?|olv[ií]d(?:a|en|alo)|ignora (?:eso|lo|quanto)|lascia perdere',
  if: 'wenn|falls|sonst|würde|wäre|hätte|s[ie](?= [^:：]*,)|если|бы|jeśli|gdyby|eğer',
  stop: '等等|不[对對]|待って',
  suppose: '如果|假如|要是|もし|만약',
  undo: 'забудь|отмен|算了|作[废廢]|撤回|取り消|忘れて',
  wait: 'warte|moment|espera|attend[sz]?|aspetta|подожди|стоп',
};

const pattern = (...alternatives: readonly string[]) => new RegExp(alternatives.join('|'), 'iu');

const LABEL =
  /['’]s\b|\b(?:answers?|reply|replies|responses?|message|turn|output|speaker|says?|said|thinks?|if|were|from|of|by|as|i|am|would|will|my|is|here|now)\b/gi;
const ADDRESSEE = new RegExp(
  `(?:(?<!\\p{L})to\\s+(?:player )?|@)[\\W_]*(?:${COLOURS.join('|')})\\b`,
  'giu',
);
/** Alone on a line, or before words on the same line. */
const THOUGHT_LABEL =
  /^(?:<[^>]*>)?[\W_]*(?:(?:my|begin|inner|internal)[ _])?(?:think|thought|reason|analy|reflect|scratch|intern|plan\b|draft|notes?\b)\w*(?!.*[.…])[\W_]*$|\b(?:thought|thinking|reasoning|analysis|plan|draft|notes?|voice|monologue)(?: process)?[\W_]*[:：](?!.*(?:answer|final|reply|response))[^.!?\n]*$/i;
const REJECTED =
  /hypothetically|\b(?:one|you|someone|somebody|they|we|others?|players?) (?:could|might|may|would|can) (?:\w+ )?(?:say|answer|reply|respond|write|post)|\bnot (?:my |the |yet )*(?:final|finished|ready)|\b(?:not|never|n['’]t) (?:to )?(?:(?:answer|say|send|write|reply|respond|output|post|do|use) (?:like )?(?:this|that|the following|something)|(?:my|the|an?) (?:\w+ )?(?:answer|reply|response))|\b(?:wrong|bad|incorrect|invalid) (?:answer|reply|response|example|output|json|format|turn|way|one)|\bignore\b/i;
/** Labels of objects that are no answer. */
const UNMEANT = pattern(
  String.raw`^(?!.*\bmy (?:answer|reply|response|json)\b).*(?:\b(?:but (?:i )?(?:(?:wo|ca|should)n['’]t|cannot|(?:will|must|should) not)|examples?|e\.g|sample|template|draft|placeholder|possible|potential|tentative|illustrat\w+|previous\w*|earlier|last|old|prior)\b|${FOREIGN.example}|${FOREIGN.draft}|例[子えは]?\W*$)(?!.*[.!?。].).*[:：][^\p{L}]*$`,
);
const DOUBT = pattern(
  String.raw`\b(?:example|e\.g|draft|might|could|maybe|perhaps|if|otherwise|alternative\w*|option|another|other|honest|compar\w+|consider\w*|instead of|like|wish|would love|thinking (?:aloud|out loud)|private\w*|internal\w*|monologue|previous\w*|earlier|later|next|quot\w+|\p{L}+ (?:would|will|may) (?:say|answer|reply|respond)|initially|at first|(?:first|1st|initial|original|old|preliminary|tentative|rough|quick|early|earlier|prior|provisional) (?:\w+ )?(?:version|answer|draft|attempt|try|take|pass|instinct|thought|guess|reply|response|reaction|idea|vote|json|output)|(?:erste|vorläufige|premiere?|primer[ao]?|prima|första) \p{L}+)\b`,
  String.raw`(?<!(?:final|second|third|2nd|new|better|actual|real|ed) )\b(?:attempt|version|try|take|v)[ #.]*(?:[01]|one)?[\W_]*$`,
  FOREIGN.draft,
  FOREIGN.first,
);
/** A second answer counts if it is called so. */
const CALLED =
  /\b(?:my|i (?:will|say|answer|reply)|final|actual\w*|answer|reply|response|output|json|better|rather|instead|correct\w*|revis\w*|improv\w*|updat\w*|fix\w*|so|therefore|here|wait|hm+|no|oops|sorry|again|redo|too|mine)\b/iu;
const ANNOUNCED = pattern(
  String.raw`\b(?:my|final|actual|answer|reply|response|output|json|here)\b`,
  FOREIGN.answer,
);
const EXPLAINED =
  /^[^\p{L}]*(?:(?:this|these|the|my|our) (?:\w+ )?(?:message|reply|response|answer|json|vote|statement|approach|strategy)|this (?:is|way|keeps|shows|should|will|would|aims)|note|explanation|reason\w*|rationale|in this|here|let me know|that(?: is|['’]s) (?:all|it)|i (?:hope|chose|kept|voted|aimed|tried|decided))\b/iu;
/** The sentence before an object makes it one for another case. */
const SUPPOSED = pattern(
  String.raw`(?:(?<!\p{L})(?:if|unless|otherwise|until|once(?! again| more)|whenever|when(?=.*\bwill\b)|provided that|as (?:long|soon) as|suppos(?:e|ing)|imagin(?:e|ing)|assuming|in case|(?:would|could|might) have (?:been|said|sent|written|replied|answered)|${FOREIGN.if})|(?:^|[.!?]\s+)\W*(?:had|were|should) \w+)(?!\p{L})[^:：.!?]*[:：][^\p{L}]*$`,
  String.raw`(?:${FOREIGN.suppose})[^。！？]*[:：][^\p{L}]*$`,
  String.raw`^\W*(?:should|shall) i\b.*\?\W*$`,
);
const RETRACTED =
  /^[\s,;—–-]*(?:but|no\b|wait|hm+|however|which would|that would)|\bgive[sn]? me away\b/;
/** At the beginning of the words behind an object, or of a sentence, or anywhere. */
const TAKEN_BACK = pattern(
  String.raw`^[^\p{L}]*(?:(?:[\p{L}’']+[^\p{L}]+){0,3}(?:that|this|it)(?:['’]s| is| was|) (?:\w+ )?(?:not (?:right|correct|what i)|wrong|incorrect|a mistake|an error|premature|too (?:early|risky)|(?:is|was)n['’]t (?:right|correct|what))|(?:not right|wrong|oops|undo|cancel|not yet|only if|unless|hold (?:this|that|it)|(?:send|use|post|submit|count) (?:this|that|it) (?:\w+ )?(?:if|when|once|unless|until|later|next))\b|(?:${FOREIGN.wait})(?=[\s,.!…—])|${FOREIGN.stop})`,
  String.raw`(?:^|[\n.!?…,;:—–-]\s*|please |\bi )(?:ignore|disregard|forget|discard|cancel|undo|retract|withdraw|take back|(?:do not|don['’]t|never) (?:use|send|submit|post|count)) (?:it\b|that\b|this\b|the (?:above|previous|last|first)|my |everything)(?!\s*[:：])`,
  String.raw`\b(?:this|that|it|above|which) (?:is|was) (?:\w+ ){0,3}(?:example|template|draft|sample|placeholder|illustration)\b`,
  String.raw`\b(?:scra(?:p|tch) (?:that|this|it)|never ?mind(?! (?:that|the|about))|on second thought|(?:wait|hold on|hm+|actually)[^\p{L}]+i (?:should|must)(?: not|n['’]t) |i (?:should|must)(?: not|n['’]t) (?:vote (?:for )?\w+ yet|have voted)|i take (?:it|that|this) back|${FOREIGN.forget})\b`,
  String.raw`\b(?:(?:would|do) you (?:like|want|prefer)|(?:should|shall) i)\b[^.?!\n]{0,60}\b(?:say|send|answer|reply|respond|submit)\b[^.?!\n]{0,60}\?`,
  FOREIGN.undo,
);
/** The last sentence, where it calls what follows final. */
const FINAL = pattern(
  String.raw`[^.!?…。！？\n]*(?:\b(?:final|correct(?:ed|ion)|revised|updated|improved|fixed|second|third|2nd|new|actual|real|better)\b|${FOREIGN.final})[^.!?…。！？]*$`,
);
/* In characters. */
const LONGEST_LEAD = 400;
const LONGEST_TAIL = 80;

/** 0: a thought or another seat's. 1: in doubt. 2: nothing is said of it. 3: marked as the answer, or as a better one. */
function weigh(marks: AnswerReader, after: string, hasRival: boolean, seat?: string): number {
  const { lead } = marks;
  const line = readLastLine(lead);
  const isOther =
    /^\s*(?:user|human|system):|(?<!~)~~\s*$/i.test(lead) || isLineOfOther(line, seat);
  const isUnmeant = [THOUGHT_LABEL, REJECTED, UNMEANT, SUPPOSED].some((one) => one.test(line));
  if (isOther || isUnmeant || RETRACTED.test(after)) return 0;
  if (marks.isInAnswer) return 3;
  const isOwn =
    /\b(?:[Mm]y|I)\b/.test(line) && !namesOther(line.split(/[:：]\s*\S/, 1).join(), seat);
  if (DOUBT.test(line) || (hasRival && namesOther(line, seat) && !isOwn)) return 1;
  if (!hasRival || !/\p{L}/u.test(line)) return 2;
  return FINAL.test(line) || CALLED.test(line) ? 3 : 2;
}

const SAYING =
  /\b(?:say|said|says|answer|respon[ds]|repl[yi]|writ|wrote|claim|post|argue|told|tell|think|thought|object|defen[ds]|sound)/i;

/** Whether words are another seat's: "<blue>", "Blue's reply:", "Red will probably respond with:". */
function isLineOfOther(told: string, seat: string | undefined): boolean {
  const line = told.replaceAll(ADDRESSEE, ' ');
  const label = /<[^<>/]+>\s*$/.exec(line)?.[0] ?? line;
  const isSpeaker = !/vot|eject|suspect|impost|[!?.…]\s*$/i.test(label);
  if (isSpeaker && isOther(readColour(label.replaceAll(LABEL, ' ')), seat)) return true;
  const [subject = ''] = line.split(SAYING, 1);
  return subject !== line && namesOther(subject, seat) && !/\b(?:I|[Mm]y|to|that)\b/.test(told);
}

function namesOther(text: string, seat: string | undefined): boolean {
  const words = listWords(text);
  return COLOURS.some((one) => isOther(one, seat) && words.includes(one));
}

/** The last line with words, and what follows it but the sign of a fence. */
function readLastLine(before: string): string {
  const end = before.slice(-LONGEST_LEAD).replace(/[`~]{3,}\w*\s*$/, '');
  const line = /[^\n]*[\p{L}\p{N}][^\p{L}\p{N}]*$/u.exec(end)?.[0] ?? '';
  return FINAL.exec(line)?.[0] ?? line;
}

/** What else fields are called, in the languages that models answer in. */
const CALLED_FIELDS: Readonly<Record<string, RegExp>> = {
  internal_thought: new RegExp(`^(?!.*scratch)(?:analysis$|plan$|.*(?:${THOUGHT.source}))`, 'u'),
  desire_to_speak:
    /^(?!.*reason)(?:.*desire|urge|eager|wunsch|deseo|envie|desejo|desiderio|желание)/,
  message:
    /^(?:nachricht|mensa[jg]em?|messaggio|сообщение|wiadomość|mesaj|bericht|消息|[訊讯信]息|[发發発]言|msg|メッセージ|메시지|speech|say|statement|utterance|publicmessage)$/,
  target: /^(?:ziel|objetivo|cible|alvo|obiettivo|bersaglio|цель|hedef|目[标標]|対象|대상)/,
  vote_action:
    /^(?:my)?(?:vote|ballot|stimm|abstimm|vot[oae]|votaci|votaç|голос|głos|oy$|stem|投票|투표)(?!.*(?:r|reason)$)/,
  scratchpad_updates: /^(?:scratch|note|notiz|nota|appunti|за[пм]|notat|笔记|筆記|メモ|메모)/,
  action:
    /^(?:aktion|acci[óo]n|ação|azione|действие|eylem|行[动動]|动作|アクション|행동|actions?|order|move|command)$/,
};

export function nameOf(key: string, names: readonly string[]): string | null {
  if (names.includes(key)) return key;
  const plain = (word: string) => word.toLowerCase().replaceAll(/[^\p{L}]/gu, '');
  const is = (name: string) => plain(name) === plain(key);
  return names.find(is) ?? names.findLast((name) => CALLED_FIELDS[name]?.test(plain(key))) ?? null;
}

function countFields(value: object, names: readonly string[]): number {
  return new Set(Object.keys(value).flatMap((key) => nameOf(key, names) ?? [])).size;
}

/** The object with the most fields in this one, as text or in a list too: the seat's, an answer's, or the only one. */
function findInner(
  value: object,
  names: readonly string[],
  seat: string | undefined,
  depth: number,
): { readonly content: object; readonly keys: readonly string[] } {
  const own = { content: value, keys: [] };
  if (depth === 0 || isSignedByOther(value, names, seat)) return own;
  const within = Object.entries(value).flatMap(([key, content]: [string, unknown]) => {
    const found = [typeof content === 'string' ? parseJson(content) : content].flat();
    if (isPrivateName(key) || namesOther(key, seat) || DOUBT.test(listWords(key).join(' ')))
      return [];
    const [inner, ...rivals] = found
      .filter((one) => isRecord(one))
      .filter((one) => !isSignedByOther(one, names, seat))
      .map((one) => findInner(one, names, seat, depth - 1))
      .filter((one) => countFields(one.content, names) > countFields(value, names));
    if (inner === undefined || rivals.length > 0) return [];
    return [{ key, content: inner.content, keys: [key, ...inner.keys] }];
  });
  const named = within.find(({ key }) => isAnswerName(key, seat));
  return named ?? (within.length === 1 ? within[0] : undefined) ?? own;
}
