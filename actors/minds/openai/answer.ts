/** Reads an answer out of a delivery. A field of a wrong type is repaired only if one meaning is possible. */
import { isRecord, isTooDeep, parseJson, readField, wordOf } from '../../../machines/text.ts';
import {
  type AnswerFit,
  extractObject,
  findFields,
  judgeMessage,
  judgeObject,
  judgeProse,
  type ProseKind,
  unescapeHtml,
} from '../../../prompts/extraction.ts';
import { cutThoughts } from '../../../prompts/marks.ts';
import { readOrder } from '../../../prompts/order.ts';
import { readReply } from '../../../prompts/reply.ts';
import type { MindRequest } from '../port.ts';
import { parseBody, readContent } from './content.ts';
import {
  type ApiFailure,
  classifyFailure,
  type FailureClass,
  type UnusableReason,
} from './failures.ts';
import type { Question } from './request.ts';
import type { Delivery } from './transport.ts';

export type AnswerReading =
  | {
      readonly type: 'answer';
      readonly received: object;
      readonly isRepaired: boolean;
      readonly said: unknown;
    }
  | ApiFailure;

type Sought = Pick<Question, 'schema' | 'seat' | 'ballot'>;
type Fits = (value: object) => boolean;

type SentQuestion = {
  readonly question: Question;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly fits: Fits;
};

export function readAnswer(
  delivery: Delivery,
  { question, sent, fits }: SentQuestion,
): AnswerReading {
  const failure = classifyFailure(delivery, sent);
  if (failure !== null) return failure;
  const body: unknown = delivery.type === 'body' ? delivery.body : null;
  if (typeof body === 'string') return failForNow(describePage(body));
  const content = readContent(body);
  if (content.type === 'refusal') return failFinally('refusal', content.text.trim());
  if (content.type === 'filtered') return failFinally('content-filter', 'the answer was filtered');
  if (content.type === 'broken') return failForNow(`the answer broke off: ${content.reason}`);
  const { isCut } = content;
  if (content.type === 'nothing')
    return isCut
      ? failUnusable('truncated')
      : findAnswerInThoughts(content.thoughts, question, fits);
  const reading = findAnswer(content.said, question, fits, isCut);
  if (!isCut || reading.type === 'answer') return reading;
  const texts = content.said.filter((one) => typeof one === 'string');
  return failUnusable('truncated', texts.join('\n'));
}

/** The object in the text of a model; the text where there is none. */
export function readSaid(said: string, request: MindRequest, question: Sought): unknown {
  const fits = (value: object) => isAnswerTo(value, request, question);
  const reading = findAnswer([said], question, fits, false);
  return reading.type === 'answer' ? reading.received : said;
}

export function isAnswerTo(value: object, request: MindRequest, { schema }: Sought): boolean {
  if (!listFields(schema).some((name) => name in value)) return false;
  return request.kind === 'action' ? readOrder(value, request.view).ok : readReply(value).ok;
}

const CLOSED = /[}>`\])][\s`]*$/;

function findAnswer(
  said: readonly (string | object)[],
  question: Sought,
  fits: Fits,
  isCut: boolean,
): AnswerReading {
  const names = listFields(question.schema);
  let report: ProseKind | null = null;
  const judge = (value: object): AnswerFit => {
    if (isTooDeep(value)) return 'none';
    const fit = judgeAnswer(value, question, fits);
    const { fields } = findFields(value, names, question.seat);
    const told = judgeMessage(wordOf(readField(fields, 'message')));
    const kind = fit === 'whole' || told !== 'play' ? told : judgeObject(value, names);
    if (kind === 'play') return fit;
    report = kind;
    return 'none';
  };
  const answer = (found: object, one: unknown, wasBroken: boolean): AnswerReading => {
    const { value, isRepaired } = mendAnswer(found, question);
    return { type: 'answer', received: value, said: one, isRepaired: isRepaired || wasBroken };
  };
  const texts: string[] = [];
  for (const one of said) {
    if (typeof one === 'object') {
      if (!isCut && judge(one) !== 'none') return answer(one, one, false);
      texts.push(JSON.stringify(one));
      continue;
    }
    const found = extractObject(one, judge, question.seat);
    if (found.type === 'found' && (!isCut || (found.isAlone && CLOSED.test(one))))
      return answer(found.value, one, found.isRepaired);
    if (found.type === 'cut') return failUnusable('truncated', one);
    texts.push(one);
  }
  const text = texts.join('\n').trim();
  // Thoughts are quoted to the model, but say nothing to us.
  const words = (text.startsWith('{') ? text : cutThoughts(text)).trim();
  const kind = report ?? judgeProse(words, names);
  if (kind === 'error')
    return { ...failForNow(ERROR_CAME + words.slice(0, LONGEST_SAMPLE)), isInWords: true };
  if (kind === 'refusal') return failFinally('refusal', words);
  return { ...failUnusable('malformed', text), ...(kind === 'aside' ? { isAside: true } : {}) };
}

const ERROR_CAME = 'an error came instead of an answer: ';

/** vLLM reports a whole answer as thoughts if a model must answer in JSON. Beside other text it would be a thought. */
function findAnswerInThoughts(
  thoughts: string | null,
  question: Sought,
  fits: Fits,
): AnswerReading {
  const nothing = failUnusable('empty');
  const value: unknown = thoughts === null ? null : parseBody(thoughts);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return nothing;
  if (judgeAnswer(value, question, fits) !== 'whole') return nothing;
  const received = mendAnswer(value, question, true).value;
  return { type: 'answer', received, said: thoughts, isRepaired: true };
}

const IN_THOUGHTS = 'your answer was read out of your thoughts: write it as the answer';

const LONGEST_QUOTE = 2_000;

function failUnusable(why: UnusableReason, text = '') {
  const said = text.trim().slice(0, LONGEST_QUOTE);
  return { type: 'unusable', why, said: said === '' ? null : said } as const;
}

function failFinally(why: FailureClass, text: string): ApiFailure {
  return { type: 'final', why, text };
}

function failForNow(text: string) {
  return { type: 'temporary', why: 'upstream', text, waitMs: null } as const;
}

const LONGEST_SAMPLE = 60;

function describePage(body: string): string {
  if (body.trim() === '') return 'an empty answer came';
  return /^\s*</.test(body)
    ? 'a web page came instead of an answer: is this the base URL of an API?'
    : `text came instead of JSON: ${body.slice(0, LONGEST_SAMPLE)}`;
}

const SIDE_FIELDS = ['internal_thought', 'target', 'vote_action', 'scratchpad_updates'];

function listFields(schema: unknown): readonly string[] {
  return Object.keys(Object(readField(schema, 'properties')));
}

function listMissing(fields: object, schema: unknown): readonly string[] {
  return listFields(schema).filter((name) => !SIDE_FIELDS.includes(name) && !(name in fields));
}

/** Whether an object is the answer or a part of it. A part with other fields is something else, such as a quote. */
function judgeAnswer(value: object, { schema, seat }: Sought, fits: Fits): AnswerFit {
  const { fields } = readFields(value, schema, seat);
  if (
    PLACEHOLDER.test(wordOf(readField(fields, 'message'))) ||
    !fits(repairTypes(fields, schema).value)
  )
    return 'none';
  if (listMissing(fields, schema).length === 0) return 'whole';
  const names = listFields(schema);
  return Object.keys(fields).every((name) => names.includes(name)) ? 'part' : 'none';
}

const PLACEHOLDER =
  /^\W*(?:string|text|(?:insert )?your (?:public )?(?:message|speech|statement|words|text)\b[^.!?]*)\W*$|^[<[{(][^<>"]*\b(?:your|message|text|string|speech)\b[^<>]*[>\]})]$/i;

/** The fields of an answer by the names of the schema. Those of an inner object may stand beside it. */
function readFields(value: object, schema: unknown, seat?: string) {
  const { fields: written, notes } = findFields(value, listFields(schema), seat);
  const swallowed = readSwallowed(written, listFields(schema));
  const fields = { ...written, ...swallowed };
  const nested = listFields(schema).flatMap((name) => {
    const inner = listFields(readField(readField(schema, 'properties'), name));
    const given = Object.entries(fields).filter(([key]) => inner.includes(key));
    return name in fields || given.length === 0 ? [] : [[name, Object.fromEntries(given)] as const];
  });
  const read = nested.map(([name]) => `your ${name} was read at the top: write {"${name}": …}`);
  if ('message' in swallowed) read.push('your message held the fields after it: end its string');
  return { fields: { ...fields, ...Object.fromEntries(nested) }, notes: [...notes, ...read] };
}

/** The message and the fields that its string holds too, because its closing quote was escaped. */
function readSwallowed(fields: object, names: readonly string[]): object {
  const message = readField(fields, 'message');
  if (typeof message !== 'string' || !/"\s*,\s*\\?"\w+\\?"\s*:/.test(message)) return {};
  const value = parseJson(`{"message":"${message.replaceAll('\\"', '"')}`);
  const isRest = (name: string) =>
    name === 'message' || (names.includes(name) && !(name in fields));
  return isRecord(value) && Object.keys(value).every(isRest) ? value : {};
}

/** With the schema's names and types. A vote counts only in a whole answer, and a locked one is not cast again. */
function mendAnswer(found: object, asked: Sought, isThought = false) {
  const { schema, seat, ballot = null } = asked;
  const { fields, notes } = readFields(found, schema, seat);
  const missing = listMissing(fields, schema).join(' and ');
  const vote = readField(fields, BALLOT);
  const isWithheld = (isThought || missing !== '') && vote !== undefined && vote !== null;
  const why = isThought ? 'no vote comes from a thought' : `the answer lacks ${missing}`;
  const withheld = `vote_action ${JSON.stringify(vote)} was not counted: ${why}`;
  const readings = [isThought ? IN_THOUGHTS : [], notes, isWithheld ? withheld : []].flat();
  const { value, isRepaired } = repairTypes(fields, schema);
  const reading = readReply({ [BALLOT]: vote });
  const isAgain = ballot !== null && reading.ok && reading.reply.vote === ballot;
  const kept = isWithheld || isAgain ? { ...value, [BALLOT]: null } : value;
  if (readings.length === 0) return { value: kept, isRepaired };
  return { value: { ...kept, read_as: readings }, isRepaired: true };
}

const BALLOT = 'vote_action';

export function repairTypes(value: object, schema: unknown) {
  let isRepaired = false;
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => {
    const better = repairField(field, readField(readField(schema, 'properties'), name));
    if (better !== field) isRepaired = true;
    return [name, better];
  });
  return { value: isRepaired ? Object.fromEntries(fields) : value, isRepaired };
}

function repairField(given: unknown, schema: unknown): unknown {
  const type = readField(schema, 'type');
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const isOnly = Array.isArray(given) && given.length === 1 && !types.includes('array');
  const field: unknown = isOnly ? given[0] : given;
  if (types.includes('integer') && typeof field === 'string') return parseLeadingNumber(field);
  if (types.includes('string') && typeof field === 'number') return String(field);
  if (types.includes('array') && typeof field === 'string') return [field];
  if (types.includes('string') && typeof field === 'string') return unescapeHtml(field);
  if (!types.includes('object')) return field;
  const fields = listFields(schema);
  const [first] = fields;
  if (typeof field === 'string') return first === undefined ? field : { [first]: field };
  return isRecord(field) ? repairTypes(findFields(field, fields).fields, schema).value : field;
}

/** "8" and "3 rounds". A number on another scale is left to the reader of the reply. */
function parseLeadingNumber(text: string): unknown {
  const digits = /^\s*(-?\d+(?:\.\d+)?)(?:\s+(?!percent)[a-z]+)?\s*$/i.exec(text)?.[1];
  return digits === undefined ? text : Number(digits);
}
