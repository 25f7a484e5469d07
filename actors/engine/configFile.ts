/** Files in YAML: a text becomes a value, or notes that name the place, the expected and the found value. */

import * as yaml from 'yaml';
import type { z } from 'zod';
import {
  type GameMatch,
  gameMatchSchema,
  type MeetingMatch,
  meetingMatchSchema,
} from '../../machines/setup/match.ts';
import { isRecord, pluralize, readField } from '../../machines/text.ts';
import { COLOURS, type Note } from '../../machines/types.ts';
import { didYouMean, suggestWord } from './suggestion.ts';

export type KeyPath = readonly PropertyKey[];
export type FileSubject = {
  readonly schema: z.ZodType;
  readonly area: 'match' | 'league' | 'persona' | 'profile';
  /** The other kind of match: which keys belong there, and what to say of them. */
  readonly other?: {
    readonly schema: z.ZodType;
    readonly misplaced: (key: string) => string;
    readonly missing?: Readonly<Record<string, string>>;
  };
};
type CheckedValue = FileSubject & { readonly place: (path: KeyPath) => string };
type Issue = z.core.$ZodIssue;

/** Nobody mends more mistakes at once; a file with more of them is another kind of file. */
const MOST = 200;

function describeIssues(value: unknown, read: CheckedValue): readonly Note[] {
  const { error } = read.schema.safeParse(value, { reportInput: true });
  const issues = (error?.issues ?? []).flatMap(triedBranch);
  const misspelt = issues.flatMap((issue) => misspeltKeys(issue, read));
  return (
    issues
      .slice(0, MOST)
      // A key that is missing because it is misspelt is reported once, with the right spelling.
      .filter(({ path, input }) => input !== undefined || !misspelt.includes(path.join('.')))
      .flatMap((issue) => notesOf(issue, read))
      .slice(0, MOST)
      .map(({ code, text }) => ({ code: `${read.area}/${code}`, text }))
  );
}

function misspeltKeys(issue: Issue, { schema }: CheckedValue): readonly string[] {
  if (issue.code !== 'unrecognized_keys') return [];
  return issue.keys.slice(0, MOST).flatMap((key) => {
    const meant = suggestWord(key, knownKeys(schema, issue.path));
    return meant === null ? [] : [[...issue.path, meant].join('.')];
  });
}

function notesOf(issue: Issue, read: CheckedValue): readonly Note[] {
  const at = read.place(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, MOST).map((key) => unknownKey(key, issue.path, read));
    case 'invalid_value':
      return [unknownValue(issue.values.map(String), issue.input, at)];
    case 'invalid_type':
      return [missingInMatch(issue, read) ?? wrongType(issue, at)];
    case 'too_small':
    case 'too_big':
    case 'not_multiple_of':
      return [note('range', `${at}: expected ${limitOf(issue)}, found ${foundBeyond(issue)}`)];
    default:
      return [note('type', `${at}: ${issue.message}, found ${foundAt(issue)}`)];
  }
}

const note = (code: string, text: string): Note => ({ code, text });

function missingInMatch({ path, input }: Issue, { other }: CheckedValue): Note | null {
  const [key, ...rest] = path;
  const text = rest.length === 0 && input === undefined ? other?.missing?.[String(key)] : undefined;
  return text === undefined ? null : note('missing-key', text);
}

function unknownKey(key: string, path: KeyPath, { schema, place, other }: CheckedValue): Note {
  const known = knownKeys(schema, path);
  if (other !== undefined && knownKeys(other.schema, path).includes(key))
    return note('misplaced-key', `${place([...path, key])}: ${other.misplaced(key)}`);
  const help = didYouMean(key, known, ` (there are: ${known.join(', ')})`);
  return note('unknown-key', `${place([...path, key])}: there is no ${describeValue(key)}${help}`);
}

function unknownValue(values: readonly string[], input: unknown, at: string): Note {
  const isColour = COLOURS.every((colour) => values.includes(colour));
  const help = typeof input === 'string' ? didYouMean(input, values) : '';
  const code = input === undefined ? 'missing-key' : isColour ? 'unknown-colour' : 'unknown-value';
  const found = `found ${describeValue(input)}${help}`;
  return note(code, `${at}: expected one of ${values.join(', ')}, ${found}`);
}

/** For a value that may be a word or a map of keys, the issues of the branch that was tried. */
function triedBranch(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const { errors, path, input } = issue;
  const isMap = typeof input === 'object' && input !== null;
  // An issue at the top is about the whole value: it should have been something else altogether.
  const isAtTop = ({ path: at, code }: Issue) => at.length === 0 && code !== 'unrecognized_keys';
  const tried = errors.find((issues) => isMap !== issues.some(isAtTop)) ?? errors[0] ?? [];
  return tried.flatMap((one) => triedBranch({ ...one, path: [...path, ...one.path] }));
}

function wrongType({ expected, input }: Extract<Issue, { code: 'invalid_type' }>, at: string) {
  const wanted = `expected ${TYPE_WORDS[expected] ?? expected}`;
  if (input === undefined) return note('missing-key', `${at} is missing: ${wanted}`);
  return note('type', `${at}: ${wanted}, found ${describeValue(input)}`);
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'keys with values',
  string: 'text',
};

type LimitIssue = Extract<Issue, { code: 'too_small' | 'too_big' | 'not_multiple_of' }>;

function limitOf(issue: LimitIssue): string {
  if (issue.code === 'not_multiple_of') return `a multiple of ${issue.divisor}`;
  const [bound, number] =
    issue.code === 'too_small' ? ['at least', issue.minimum] : ['at most', issue.maximum];
  return `${bound} ${issue.origin === 'string' ? pluralize(Number(number), 'character') : number}`;
}

function foundBeyond(issue: LimitIssue): string {
  const { input } = issue;
  const isLength = 'origin' in issue && issue.origin === 'string' && typeof input === 'string';
  return isLength ? pluralize(input.length, 'character') : describeValue(input);
}

const QUOTED = 60;

/** Possible secrets are not quoted: a key in place of its variable's name, and fields that a schema marks as secret. */
function foundAt(issue: Issue): string {
  const { path, input } = issue;
  if (path.at(-1) === 'key' && typeof input === 'string')
    return pluralize(input.length, 'character');
  const isSecret = issue.code === 'custom' && issue.params?.['isSecret'] === true;
  return isSecret ? 'something else' : describeValue(input);
}

function describeValue(input: unknown): string {
  if (input === undefined || input === null) return 'nothing';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object') return 'keys with values';
  if (typeof input !== 'string') return String(input);
  return JSON.stringify(input.length > QUOTED ? `${input.slice(0, QUOTED)}…` : input);
}

function knownKeys(schema: unknown, path: KeyPath): readonly string[] {
  let inner = schema;
  for (const key of path) {
    inner =
      typeof key === 'number'
        ? readField(unwrapped(inner), 'element')
        : shapeOf(inner)[String(key)];
  }
  return Object.keys(shapeOf(inner));
}

function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  const inner = unwrapped(schema);
  if (!isRecord(inner)) return {};
  if (isRecord(inner['shape'])) return inner['shape'];
  if (inner['keyType'] !== undefined) {
    const names = readField(inner['keyType'], 'options');
    const listed = Array.isArray(names) ? names : [];
    return Object.fromEntries(listed.map((name) => [String(name), inner['valueType']]));
  }
  const choices = Array.isArray(inner['options']) ? inner['options'] : [];
  return choices.map(shapeOf).find((shape) => Object.keys(shape).length > 0) ?? {};
}

function unwrapped(schema: unknown): unknown {
  const inner = readField(readField(schema, 'def'), 'innerType');
  return inner === undefined ? schema : unwrapped(inner);
}

/** A file is a page of text; anything longer is some other file. In characters. */
export const LONGEST = 200_000;

export type FileKind<T> = FileSubject & {
  readonly schema: z.ZodType<T>;
  readonly noun: string;
  readonly keys: string;
};

export type FileReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly notes: readonly Note[] };

const MEETING: FileKind<MeetingMatch> = {
  schema: meetingMatchSchema,
  area: 'match',
  noun: 'match',
  keys: 'name, call and seats',
  other: {
    schema: gameMatchSchema,
    misplaced: (key) =>
      `"${key}" belongs to a whole game; this match has "call", so it starts at the table`,
    missing: {
      call: 'call is missing: a match that starts at the table says who called the meeting, as in {by: red}; without call it is a whole game',
    },
  },
};

const GAME: FileKind<GameMatch> = {
  schema: gameMatchSchema,
  area: 'match',
  noun: 'match',
  keys: 'name and seats',
  other: {
    schema: meetingMatchSchema,
    misplaced: (key) =>
      key === 'call'
        ? 'with "call" a match starts at the table; leave "call" out for a whole game'
        : `"${key}" belongs to a match that starts at the table, with "call"; this one is a whole game`,
  },
};

export function readMeeting(text: string): FileReading<MeetingMatch> {
  return readConfig(MEETING, text);
}

export function readGame(text: string): FileReading<GameMatch> {
  return readConfig(GAME, text);
}

export function readMatch(text: string): FileReading<MeetingMatch | GameMatch> {
  const parsed = parseYaml(text.slice(0, LONGEST), MEETING.noun, new yaml.LineCounter());
  const hasCall = 'value' in parsed && isRecord(parsed.value) && 'call' in parsed.value;
  return hasCall ? readMeeting(text) : readGame(text);
}

export function readConfig<T>(kind: FileKind<T>, text: string): FileReading<T> {
  const refused = (code: string, words: string) =>
    ({ ok: false, notes: [note(`${kind.area}/${code}`, words)] }) as const;
  if (text.length > LONGEST) {
    const found = `found ${text.length}: is this a ${kind.noun}?`;
    return refused('too-long', `expected at most ${LONGEST} characters, ${found}`);
  }
  const bytes = text.search(NO_TEXT);
  if (bytes >= 0) {
    const line = text.slice(0, bytes).split('\n').length;
    return refused('not-text', `line ${line}: expected text in UTF-8, found other bytes`);
  }
  const lines = new yaml.LineCounter();
  const opened = parseYaml(text, kind.noun, lines);
  if ('code' in opened) return refused(opened.code, opened.text);
  const { document, value } = opened;
  if (!isRecord(value)) {
    const single = Array.isArray(value) ? 'a list' : 'a single value';
    const found = value === null || value === undefined ? 'an empty file' : single;
    return refused(`not-a-${kind.noun}`, `expected the keys ${kind.keys}, found ${found}`);
  }
  const checked = kind.schema.safeParse(value);
  if (checked.success) return { ok: true, value: checked.data };
  const place = (path: KeyPath) => placeOf(document, lines, path);
  return { ok: false, notes: describeIssues(value, { ...kind, place }) };
}

/** No text has a NUL; the other mark is where bytes were no UTF-8. */
const NO_TEXT = /[\0\uFFFD]/;

type ParsedYaml = { readonly document: yaml.Document; readonly value: unknown };

function parseYaml(text: string, noun: string, lines: yaml.LineCounter): ParsedYaml | Note {
  try {
    const document = yaml.parseDocument(text, {
      lineCounter: lines,
      logLevel: 'error',
      prettyErrors: false,
      // The library compares every key with every other: a file full of keys would keep it busy for minutes.
      uniqueKeys: false,
    });
    const [broken] = document.errors;
    if (broken !== undefined) return yamlMistake(broken, noun, lines);
    const twice = keyThereTwice(document, lines);
    return twice === null ? { document, value: document.toJS() } : note('duplicate-key', twice);
  } catch (error) {
    // Thrown for references that multiply without end.
    const reason = error instanceof Error ? error.message : String(error);
    return note('not-yaml', `expected plain YAML, found: ${firstLine(reason)}`);
  }
}

function keyThereTwice(document: yaml.Document, lines: yaml.LineCounter): string | null {
  let twice: string | null = null;
  const lineOfKey = (key: unknown) => lineOf(startOf(key), lines);
  yaml.visit(document, {
    Map: (_, { items }) => {
      const first = new Map<unknown, unknown>();
      for (const { key } of items) {
        if (!yaml.isScalar(key)) continue;
        if (first.has(key.value)) {
          twice = `${lineOfKey(key)}: "${key.value}" is there already, in ${lineOfKey(first.get(key.value))}`;
          return yaml.visit.BREAK;
        }
        first.set(key.value, key);
      }
      return undefined;
    },
  });
  return twice;
}

function lineOf(at: number | null, lines: yaml.LineCounter): string {
  return at === null ? 'the file' : `line ${lines.linePos(at).line}`;
}

function yamlMistake(
  { code, message, pos }: yaml.YAMLError,
  noun: string,
  lines: yaml.LineCounter,
): Note {
  const { line, col } = lines.linePos(pos[0]);
  const own: Readonly<Record<string, string>> = {
    MULTIPLE_DOCS: `expected one ${noun}, found the beginning of a second one (---)`,
    TAB_AS_INDENT: 'expected spaces in front of a key, found a tab',
  };
  const text = own[code] ?? `expected YAML, found a mistake: ${firstLine(message)}`;
  return note('not-yaml', `line ${line}, column ${col}: ${text}`);
}

/** Longer sentences of the YAML library quote the file. */
const LONGEST_REASON = 160;

function firstLine(message: string): string {
  const [line = ''] = message.trim().split('\n');
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}

/** The place of a path in the file: "line 12, seats.0.colour", or the nearest thing above it that exists. */
function placeOf(document: yaml.Document, lines: yaml.LineCounter, path: KeyPath): string {
  const name = path.map(String).join('.');
  const at = offsetOf(document, path);
  if (at === null) return name === '' ? 'the file' : name;
  return `${lineOf(at, lines)}, ${name}`;
}

function offsetOf(document: yaml.Document, path: KeyPath): number | null {
  let node: unknown = document.contents;
  let at: number | null = null;
  for (const step of path) {
    const [place, value] = stepInto(node, step);
    if (place === undefined) break;
    node = value;
    at = startOf(place) ?? at;
  }
  return at;
}

function stepInto(node: unknown, step: PropertyKey): readonly [place?: unknown, value?: unknown] {
  if (yaml.isSeq(node) && typeof step === 'number') return [node.items[step], node.items[step]];
  if (!yaml.isMap(node)) return [];
  const pair = node.items.find(({ key }) => yaml.isScalar(key) && String(key.value) === step);
  return [pair?.key, pair?.value];
}

function startOf(node: unknown): number | null {
  return yaml.isNode(node) ? (node.range?.[0] ?? null) : null;
}
