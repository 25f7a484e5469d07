/**
 * Complaints about a scenario or a lobby: each says where, what was expected and what was found, with a stable code.
 *
 * They are made from what the schema finds, in the words of the people who write such files.
 */
import type { z } from 'zod';
import { COLOURS, type Note } from '../../machines/types.ts';
import { nearest } from './suggestion.ts';

export type Path = readonly PropertyKey[];
/** Says where a path is in the file. */
export type Place = (path: Path) => string;
/** What is complained about: the schema that it should follow, and what the codes begin with. */
export type Subject = {
  readonly schema: z.ZodType;
  readonly area: 'scenario' | 'game' | 'league' | 'persona';
};
type Read = Subject & { readonly place: Place };
type Issue = z.core.$ZodIssue;

/** Nobody mends more mistakes at once; a file with more of them is another kind of file. */
const MOST = 200;

/** What is wrong with a value that was read from a file; empty when nothing is. */
export function complaints(value: unknown, subject: Subject, place: Place): readonly Note[] {
  const read = { ...subject, place };
  const { error } = subject.schema.safeParse(value, { reportInput: true });
  const issues = (error?.issues ?? []).flatMap(chosen);
  const misspelt = issues.flatMap((issue) => misspeltKeys(issue, read));
  return (
    issues
      .slice(0, MOST)
      // A key that is missing because it is misspelt is told once, with the spelling.
      .filter(({ path, input }) => input !== undefined || !misspelt.includes(path.join('.')))
      .flatMap((issue) => notesOf(issue, read))
      .slice(0, MOST)
      .map(({ code, text }) => ({ code: `${subject.area}/${code}`, text }))
  );
}

/** The keys, as paths, that were meant by unknown ones. */
function misspeltKeys(issue: Issue, { schema }: Read): readonly string[] {
  if (issue.code !== 'unrecognized_keys') return [];
  return issue.keys.slice(0, MOST).flatMap((key) => {
    const meant = nearest(key, knownKeys(schema, issue.path));
    return meant === null ? [] : [[...issue.path, meant].join('.')];
  });
}

/** Notes whose codes have no area yet. */
function notesOf(issue: Issue, read: Read): readonly Note[] {
  const at = read.place(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, MOST).map((key) => unknownKey(key, issue.path, read));
    case 'invalid_value':
      return [unknownValue(issue.values.map(String), issue.input, at)];
    case 'invalid_type':
      return [wrongType(issue, at)];
    case 'too_small':
    case 'too_big':
    case 'not_multiple_of':
      return [note('range', `${at}: expected ${limitOf(issue)}, found ${foundBeyond(issue)}`)];
    default:
      return [note('type', `${at}: ${issue.message}, found ${foundAt(issue)}`)];
  }
}

function note(code: string, text: string): Note {
  return { code, text };
}

function unknownKey(key: string, path: Path, { schema, place }: Read): Note {
  const known = knownKeys(schema, path);
  const meant = nearest(key, known);
  const help = meant === null ? ` (there are: ${known.join(', ')})` : `; did you mean "${meant}"?`;
  return note('unknown-key', `${place([...path, key])}: there is no ${found(key)}${help}`);
}

function unknownValue(values: readonly string[], input: unknown, at: string): Note {
  const isColour = COLOURS.every((colour) => values.includes(colour));
  const meant = typeof input === 'string' ? nearest(input, values) : null;
  const help = meant === null ? '' : `; did you mean "${meant}"?`;
  return note(
    input === undefined ? 'missing-key' : isColour ? 'unknown-colour' : 'unknown-value',
    `${at}: expected one of ${values.join(', ')}, found ${found(input)}${help}`,
  );
}

/** A value that may be a word or a map of keys: complain of the one that was tried. */
function chosen(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const { errors, path, input } = issue;
  const isMap = typeof input === 'object' && input !== null;
  const tried = errors.find((issues) => isMap !== issues.some(isAtTop)) ?? errors[0] ?? [];
  return tried.flatMap((one) => chosen({ ...one, path: [...path, ...one.path] }));
}

/** Whether an issue is about the whole value: it should have been something else altogether. */
function isAtTop({ path, code }: Issue): boolean {
  return path.length === 0 && code !== 'unrecognized_keys';
}

function wrongType({ expected, input }: Extract<Issue, { code: 'invalid_type' }>, at: string) {
  if (input === undefined)
    return note('missing-key', `${at} is missing: expected ${kind(expected)}`);
  return note('type', `${at}: expected ${kind(expected)}, found ${found(input)}`);
}

/** A type of the schema in words. */
function kind(type: string): string {
  const words: Readonly<Record<string, string>> = {
    array: 'a list',
    boolean: 'true or false',
    int: 'a whole number',
    number: 'a number',
    object: 'keys with values',
    string: 'text',
  };
  return words[type] ?? type;
}

type LimitIssue = Extract<Issue, { code: 'too_small' | 'too_big' | 'not_multiple_of' }>;

function limitOf(issue: LimitIssue): string {
  if (issue.code === 'not_multiple_of') return `a multiple of ${issue.divisor}`;
  const [bound, number] =
    issue.code === 'too_small' ? ['at least', issue.minimum] : ['at most', issue.maximum];
  return `${bound} ${issue.origin === 'string' ? characters(Number(number)) : number}`;
}

/** Of a text that is too long or too short the length matters, not what it says. */
function foundBeyond(issue: LimitIssue): string {
  const { input } = issue;
  const isLength = 'origin' in issue && issue.origin === 'string' && typeof input === 'string';
  return isLength ? characters(input.length) : found(input);
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

/** Characters of a value that are quoted. */
const QUOTED = 60;

/** What stands where the name of a key should may be the key itself, and is not repeated. */
function foundAt({ path, input }: Issue): string {
  const isSecret = path.at(-1) === 'key' && typeof input === 'string';
  return isSecret ? characters(input.length) : found(input);
}

/** A value in words. */
function found(input: unknown): string {
  if (input === undefined || input === null) return 'nothing';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object') return 'keys with values';
  if (typeof input !== 'string') return String(input);
  return JSON.stringify(input.length > QUOTED ? `${input.slice(0, QUOTED)}…` : input);
}

/** The keys that the schema knows at a path, for suggestions. */
function knownKeys(schema: unknown, path: Path): readonly string[] {
  let inner = schema;
  for (const key of path) {
    inner = typeof key === 'number' ? elementOf(inner) : shapeOf(inner)[String(key)];
  }
  return Object.keys(shapeOf(inner));
}

function elementOf(schema: unknown): unknown {
  const inner = unwrapped(schema);
  return isRecord(inner) ? inner['element'] : undefined;
}

/** The fields of the map of keys inside defaults, optionals and choices. */
function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  const inner = unwrapped(schema);
  if (!isRecord(inner)) return {};
  if (isRecord(inner['shape'])) return inner['shape'];
  if (isRecord(inner['keyType'])) return anyOf(inner['keyType'], inner['valueType']);
  const choices = Array.isArray(inner['options']) ? inner['options'] : [];
  return choices.map(shapeOf).find((shape) => Object.keys(shape).length > 0) ?? {};
}

/** The fields of a map that may have any of some keys, all alike. */
function anyOf(keyType: Readonly<Record<string, unknown>>, valueType: unknown) {
  const names = Array.isArray(keyType['options']) ? keyType['options'] : [];
  return Object.fromEntries(names.map((name) => [String(name), valueType]));
}

function unwrapped(schema: unknown): unknown {
  let inner = schema;
  while (isRecord(inner) && isRecord(inner['def']) && inner['def']['innerType'] !== undefined) {
    inner = inner['def']['innerType'];
  }
  return inner;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
