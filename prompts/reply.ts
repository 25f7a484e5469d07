/**
 * The reply: a mind's answer in a tick, and how it is read. Small mistakes are corrected and noted (rulings 17 and 38).
 * Anything else is a fault, never a vote.
 */

import { z } from 'zod';
import { isRecord, parseJson, sortNames } from '../machines/text.ts';
import {
  type Ballot,
  COLOURS,
  type Colour,
  type Note,
  type PadUpdates,
  type Reply,
} from '../machines/types.ts';
import { cleanLine, cleanPage } from './clean.ts';
import { readSpoken } from './marks.ts';

const textSchema = z.string().nullish();
const pages = { main_scratch: textSchema, meeting_scratch: textSchema };
/** Pages written beside `scratchpad_updates` instead of in it. */
export const flatPads = {
  ...pages,
  'scratchpad_updates.main_scratch': textSchema,
  'scratchpad_updates.meeting_scratch': textSchema,
};

export const padsSchema = z.object(pages).nullish();

/** Notes of an endpoint's client about misplaced or misnamed fields. */
export const readAs = z.array(z.string()).nullish();

/** Unknown fields are ignored. Missing ones mean that the player has nothing to say. */
const replySchema = z.object({
  internal_thought: textSchema,
  desire_to_speak: z.union([z.number(), z.string()]).nullish(),
  message: textSchema,
  target: textSchema,
  vote_action: textSchema,
  scratchpad_updates: padsSchema,
  read_as: readAs,
  ...flatPads,
});

/** The wire form with every field, in the order of the design. */
export type WireReply = {
  readonly internal_thought: string;
  readonly desire_to_speak: number;
  readonly message: string;
  readonly target: string | null;
  readonly vote_action: string | null;
  readonly scratchpad_updates: {
    readonly main_scratch?: string;
    readonly meeting_scratch?: string;
  };
};

export type Unreadable = { readonly ok: false; readonly code: string; readonly text: string };
export type ReplyReading = { readonly ok: true; readonly reply: Reply } | Unreadable;

export function readReply(received: unknown): ReplyReading {
  const value = typeof received === 'string' ? parseJson(received) : received;
  if (value === undefined) return failReading('reply/not-json', 'expected a JSON object', received);
  if (isPlainReply(value)) return normaliseReply(value, []);
  const notes: Note[] = [];
  const checked = parseFields(replySchema, value, notes);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const where =
      issue === undefined || issue.path.length === 0 ? 'the reply' : issue.path.join('.');
    const expected = `${where}: ${issue?.message ?? 'wrong shape'}`;
    return failReading('reply/not-a-reply', expected, received);
  }
  return normaliseReply(checked.data, notes);
}

type FieldTests = ReadonlyMap<string, (field: unknown) => boolean>;

/** Whether all fields of a record are known and pass their tests, as in most replies. The schema reads all others. */
export function hasOnly(value: unknown, tests: FieldTests): boolean {
  return (
    isRecord(value) && Object.keys(value).every((name) => tests.get(name)?.(value[name]) === true)
  );
}

const isText = (field: unknown) => field == null || typeof field === 'string';
const PAGE_TESTS: FieldTests = new Map(Object.keys(pages).map((name) => [name, isText]));
export const COMMON_TESTS: FieldTests = new Map([
  ['internal_thought', isText],
  ['scratchpad_updates', (field) => field == null || hasOnly(field, PAGE_TESTS)],
]);
const REPLY_TESTS: FieldTests = new Map([
  ...COMMON_TESTS,
  ['desire_to_speak', (field) => isText(field) || Number.isFinite(field)],
  ['message', isText],
  ['target', isText],
  ['vote_action', isText],
]);

const isPlainReply = (value: unknown): value is z.infer<typeof replySchema> =>
  hasOnly(value, REPLY_TESTS);

const NEEDED = ['desire_to_speak', 'action'];

/** Leaves out the fields whose shape is wrong, with notes. */
export function parseFields<S extends z.ZodObject>(schema: S, value: unknown, notes: Note[]) {
  const whole = schema.safeParse(value);
  if (whole.success || !isRecord(value)) return whole;
  const kept = Object.entries(value).filter(([name, field]: [string, unknown]) => {
    const expected = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    if (expected === undefined || NEEDED.includes(name)) return true;
    if (z.safeParse(expected, field).success) return true;
    const found = excerpt(JSON.stringify(copyJson(field)) ?? typeof field);
    const text = `${name} was left out: its shape is wrong (${found})`;
    notes.push({ code: 'reply/field', text });
    return false;
  });
  return schema.safeParse(Object.fromEntries(kept));
}

export function noteReadings(readings: readonly string[] | null | undefined): readonly Note[] {
  return (readings ?? [])
    .slice(0, MOST_READINGS)
    .map((text) => ({ code: 'reply/read-as', text: cleanLine(text).slice(0, LONGEST_READING) }));
}

const MOST_READINGS = 8;
const LONGEST_READING = 200;

function normaliseReply(wire: z.infer<typeof replySchema>, notes: Note[]): ReplyReading {
  notes.push(...noteReadings(wire.read_as));
  const desire = readDesire(wire.desire_to_speak, notes);
  if (desire === null) {
    const expected = 'desire_to_speak: expected a number from 0 to 10';
    return failReading('reply/desire', expected, wire.desire_to_speak);
  }
  const reply: Reply = {
    thought: cleanPage(wire.internal_thought ?? ''),
    desire,
    message: readMessage(wire.message ?? '', notes),
    target: readTarget(wire.target ?? null, notes),
    vote: readVote(wire.vote_action ?? null, notes),
    pads: readPads(wire, notes),
    notes,
  };
  return { ok: true, reply };
}

/** Rounded and clamped to 0..10 with a note. Null if it is not a number (ruling 38). Missing means 0. */
function readDesire(wire: number | string | null | undefined, notes: Note[]): number | null {
  if (wire === null || wire === undefined) return 0;
  const given = typeof wire === 'string' ? readScale(wire.normalize('NFKC')) : wire;
  if (given === null || Number.isNaN(given)) return null;
  const desire = Math.round(Math.min(10, Math.max(0, given)));
  if (desire !== Number(wire)) {
    const advice = Number.isInteger(wire) ? '' : ': write a whole number from 0 to 10';
    const text = `desire_to_speak ${wire} was read as ${desire}${advice}`;
    notes.push({ code: 'reply/desire', text });
  }
  return desire === 0 ? 0 : desire;
}

/** "8", "4/5", "80%" and "high" are 8. Null without a number. */
function readScale(text: string): number | null {
  if (text.trim() !== '' && !Number.isNaN(Number(text))) return Number(text);
  const [, digits, most = 10, percent] = SCALED.exec(text.replace(',', '.')) ?? [];
  if (digits === undefined) return DEGREES.get(text.trim().toLowerCase()) ?? null;
  return (Number(digits) * 10) / (percent === undefined ? Number(most) : 100);
}

const SCALED =
  /^[\s"'*~≈]*(?:(?:level|about|around|score|priority)\s+)?(-?\d+(?:\.\d+)?)(?![\w.]|\s*to\s*\d)\s*\(?(?:(?:\/|(?:out )?of)\s*(\d+(?:\.\d+)?)|(%|percent))?/i;

const NUMBERS = 'zero one two three four five six seven eight nine ten'.split(' ');
const DEGREES = new Map([
  ...NUMBERS.map((name, number) => [name, number] as const),
  ...Object.entries({ none: 0, low: 2, medium: 5, high: 8 }),
]);

/** The only player whom a text can mean: "Red", "Player Red", "**red**" or "🔴 red (he vented)". */
export function readColour(text: string): Colour | null {
  return readName(text, COLOURS);
}

function readName<T extends string>(text: string, names: readonly T[]): T | null {
  const exact = names.find((one) => one === text);
  if (exact !== undefined || text.length > LONGEST_NAME) return exact ?? null;
  const plain = text.normalize('NFKC').replaceAll(UNSEEN, '').toLowerCase();
  const [explanation = ''] = EXPLANATION.exec(plain) ?? [];
  const bare: readonly string[] = plain.slice(0, -explanation.length || Infinity).match(WORD) ?? [];
  const isBare = names.some((one) => bare.includes(one));
  if (isBare && HEDGE.test(explanation.replaceAll(NOT_OTHER, ''))) return null;
  const words: readonly string[] = isBare ? bare : (plain.match(WORD) ?? []);
  const name = names.find((one) => words.includes(one)) ?? null;
  return words.every((word) => word === name || DECORATION.includes(word)) ? name : null;
}

const LONGEST_NAME = 200;
const UNSEEN =
  /\p{Default_Ignorable_Code_Point}|<\/?(?:[biu]|em|strong|span|font|mark|code)\b[^<>]*>/giu;
const WORD = /[\p{L}\p{M}]+/gu;
/** A bracket at the end of a text, which explains it unless it holds a `HEDGE`. */
export const EXPLANATION = /[([{【「『《〈〔].*[)\]}】」』》〉〕][\s\p{P}\p{S}]*$/su;
const NOT_OTHER = new RegExp(`not (?:${COLOURS.join('|')})\\b`, 'g');
export const HEDGE =
  /\b(?:(?:except|avoid|any\w* but|or|nope?|maybe|unless|abstain|skip|innocent|clear|safe|unsure|if|cancel\w*|pending|tentativ\w*|next (?:tick|round|turn))\b|not\b(?! (?:enough|proven)))|n['’]t\b|或|^\W*(?:probably|likely|perhaps|possibly|later|soon|wait|draft|vielleicht|später|quizás?|tal vez|forse|talvez|peut-être)\W*$/;
const DECORATION = [
  ...['player', 'the', 'color', 'colour', 'crewmate', 'impostor', 'imposter', 'suspect', 'seat'],
  ...['vote', 'votes', 'voting', 'for', 'eject', 'mr', 'ms', 'i', 'my', 'is', 'to', 'id'],
];

function readMessage(wire: string, notes: Note[]): string {
  // White space alone is no bid and is never published.
  if (wire.trim() === '') return wire;
  if (/^\W*(?:null|nil|undefined|n\/a)\W*$/i.test(wire)) return '';
  const spoken = readSpoken(wire);
  if (spoken !== wire) {
    const text = 'your message held thoughts, which were cut: write them into internal_thought';
    notes.push({ code: CUT_THOUGHT, text });
  }
  let cut: string | undefined;
  const cutFound = (found: string, quotation?: string) => {
    if (quotation !== undefined && quotation !== spoken.trim()) return found;
    cut ??= found;
    return ' ';
  };
  const own = MAY_BE_CUT.test(spoken) ? spoken.replaceAll(NO_SPEECH, cutFound) : spoken;
  if (cut !== undefined) {
    const text = `"${excerpt(cut.trim())}" was cut from your message: it is no speech`;
    notes.push({ code: 'reply/cleaned', text });
  }
  const message = cleanLine(own);
  const plain = (text: string) => text.normalize('NFKC').replaceAll(/\s+/gu, '');
  if (message !== own && plain(message) !== plain(own)) {
    notes.push({
      code: 'reply/cleaned',
      text: 'your message was cleaned: what nobody can see, what floods and what is too long goes',
    });
  }
  return message;
}

const QUOTE = '\\\\{0,9}["\'“”]';
const PRIVATE_FIELD = `\\b(?:internal_thought|\\w{0,20}_(?:scratch|updates))${QUOTE}?\\s{0,9}[:=]`;
/** The end of a torn or whole object, from its last quotation mark on. */
const END = `(?=[\\s\\S]{0,1000}(?:[:：]\\s{0,9}\\\\{0,9}["'“][^"“”]{0,999}|["'”][^\\p{L}]{0,99}(?:(?:null|true|false)[^\\p{L}]{0,99})?)$)`;
/**
 * A quoted object without private fields, which stays, or what goes: the mark before a turn, all from its end or from a
 * private field on, the rest of the answer at the end, and other tokens of a template.
 */
const NO_SPEECH = new RegExp(
  [
    `(\\{(?=\\s*${QUOTE})(?:(?!${PRIVATE_FIELD})[^{}<]|\\{(?:(?!${PRIVATE_FIELD})[^{}<])*\\})*\\})`,
    '^\\s*(?:(?:<[|｜](?:im_start|(?:start|begin)[\\w▁]*|end_header_id|assistant|message)[|｜]>|<start_of_turn>|<(?:s|message|answer|response|output)>)\\s*(?:(?:assistant|model)\\b\\s*)?)+',
    `(?:</(?:s|\\w{0,8}(?:message|tool_call|function|invoke|parameter|arg_value|answer|response|output))>|<(?:start|end)_of_\\w+>|<[|｜](?:eo\\w+|im_\\w+|(?:start|end)[\\w▁]*|turn|return|call|user|system|assistant)[|｜]>|\\[/?INST\\]|\\n\\s{0,9}(?:user|human|assistant)\\s{0,9}:|${QUOTE}\\s{0,9}(?:\\}[^\\p{L}]{0,99}$|[,}\\s]{1,9}${QUOTE}(?:internal_thought|[\\p{L}_]{1,30}${QUOTE}${END}\\s{0,9}:))|["'{\\s]{0,9}\\\\{0,9}${PRIVATE_FIELD}|\\n\\s{0,9}(?:desire_to_speak|vote_action)\\s{0,9}[:=])[\\s\\S]*`,
    '<[|｜][^<>]{1,40}[|｜]>',
  ].join('|'),
  'giu',
);

/** What every match of `NO_SPEECH` has in it. */
const MAY_BE_CUT = /[{}<[\n_"“”]|'[^']*'[^']*'/;

/** The code of the note about thoughts in a message, an attempted leak (ruling 56). */
export const CUT_THOUGHT = 'reply/thought';

function readTarget(wire: string | null, notes: Note[]): Colour | null {
  if (wire === null || NOBODY.test(wire)) return null;
  const target = readColour(wire);
  const text = `target "${excerpt(wire)}" ${isMore(wire) ? SAYS_MORE : 'is no player'} and was ignored`;
  if (target === null) notes.push({ code: 'reply/target', text });
  else noteReadAs('target', wire, target, notes);
  return target;
}

/** A vote that names no candidate is no vote (ruling 17). `VOTE(green)` and `SKIP_VOTE()` of the design are read (48). */
function readVote(wire: string | null, notes: Note[]): Ballot | null {
  if (wire === null || NOBODY.test(wire)) return null;
  const ballot = readName(wire, CANDIDATES);
  const [why, advice] = isMore(wire)
    ? [SAYS_MORE, ': write one name, or skip']
    : ['names no player', ''];
  const text = `your vote for "${excerpt(wire)}" ${why} and was not counted${advice}`;
  if (ballot === null) notes.push({ code: 'vote/unknown', text });
  else noteReadAs('vote_action', wire, ballot, notes);
  return ballot;
}

export const SAYS_MORE = 'says more than a name';
const isMore = (wire: string) =>
  wire.split(/[^a-z]+/i).some((word) => CANDIDATES.some((one) => one === word.toLowerCase()));

/** Null, possibly followed by the words of the request about it. */
const NOBODY = /^\s*(?:(?:null|none)?\W{0,3}keep discussing\W*|(?:null|none)(?:\s*\(.*\))?|)\s*$/is;
const CANDIDATES = [...COLOURS, 'skip'] as const;

function noteReadAs(field: string, wire: string, name: Ballot, notes: Note[]): void {
  if (wire.trim().toLowerCase() === name) return;
  const text = `${field} "${excerpt(wire)}" was read as ${name}: write ${name}`;
  notes.push({ code: field === 'target' ? 'reply/read-as' : 'vote/read-as', text });
}

type WireWithPads = Pick<z.infer<typeof replySchema>, 'scratchpad_updates' | keyof typeof flatPads>;

/** Cleaned updates of the scratchpads. Null leaves a page unchanged. A misplaced page is read with a note. */
export function readPads(wire: WireWithPads, notes: Note[]): PadUpdates {
  const { scratchpad_updates: own } = wire;
  const flatMain = wire['scratchpad_updates.main_scratch'] ?? wire.main_scratch;
  const flatMeeting = wire['scratchpad_updates.meeting_scratch'] ?? wire.meeting_scratch;
  const main = own?.main_scratch ?? flatMain;
  const meeting = own?.meeting_scratch ?? flatMeeting;
  if (typeof flatMain === 'string' || typeof flatMeeting === 'string') {
    const text = 'your notes were read beside scratchpad_updates: write them into it';
    notes.push({ code: 'reply/flat-notes', text });
  }
  return {
    ...(typeof main === 'string' ? { main: cleanPage(main) } : {}),
    ...(typeof meeting === 'string' ? { meeting: cleanPage(meeting) } : {}),
  };
}

function failReading(code: string, expected: string, found: unknown): ReplyReading {
  return { ok: false, code, text: `${expected}, found ${showValue(found)}` };
}

export function showValue(value: unknown): string {
  return excerpt(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'));
}

function excerpt(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
}

/** Deeper nesting is no reply. The limit also ends the walk of a cyclic value. */
const MOST_DEPTH = 20;

/** A copy of a value as the journal returns it, with sorted keys. Undefined if JSON cannot express it. */
export function copyJson(value: unknown, depth = 0): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  // JSON has no negative zero.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined;
  if (typeof value !== 'object' || depth > MOST_DEPTH) return undefined;
  if (Array.isArray(value)) return copyAll(value, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const fields: (readonly [string, unknown])[] = [];
  for (const name of sortNames(Object.keys(value))) {
    const copy = copyJson(Reflect.get(value, name), depth + 1);
    if (copy === undefined) return undefined;
    fields.push([name, copy]);
  }
  return Object.fromEntries(fields);
}

function copyAll(values: readonly unknown[], depth: number): readonly unknown[] | undefined {
  const copies: unknown[] = [];
  for (const value of values) {
    const copy = copyJson(value, depth + 1);
    if (copy === undefined) return undefined;
    copies.push(copy);
  }
  return copies;
}
