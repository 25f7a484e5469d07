/**
 * Scenario files: YAML from outside becomes a scenario, or a list of what is wrong with it and where.
 *
 * Files of other kinds are read in the same way, each with its own schema.
 */
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import type { z } from 'zod';
import { type Scenario, scenarioSchema } from '../../machines/setup/scenario.ts';
import type { Note } from '../../machines/types.ts';
import { complaints, type Path, type Subject } from './scenario-complaint.ts';

export type ScenarioReading =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly notes: readonly Note[] };

/** A file is a page of text; anything longer is some other file. In characters. */
export const LONGEST = 200_000;

/** A kind of file. */
export type Kind<T> = Subject & {
  readonly schema: z.ZodType<T>;
  /** What it holds, in a word. */
  readonly noun: string;
  /** The keys that it can't be without, in words. */
  readonly keys: string;
};

type Refused = { readonly ok: false; readonly notes: readonly Note[] };
export type Reading<T> = { readonly ok: true; readonly value: T } | Refused;

const SCENARIO: Kind<Scenario> = {
  schema: scenarioSchema,
  area: 'scenario',
  noun: 'scenario',
  keys: 'name, call and seats',
};

/** Reads the text of a scenario file. */
export function readScenario(text: string): ScenarioReading {
  const reading = readFileOf(SCENARIO, text);
  return reading.ok ? { ok: true, scenario: reading.value } : reading;
}

/** Reads the text of a file of some kind. */
export function readFileOf<T>(kind: Kind<T>, text: string): Reading<T> {
  const refused = (code: string, words: string): Refused => ({
    ok: false,
    notes: [{ code: `${kind.area}/${code}`, text: words }],
  });
  if (text.length > LONGEST) {
    return refused(
      'too-long',
      `expected at most ${LONGEST} characters, found ${text.length}: is this a ${kind.noun}?`,
    );
  }
  const bytes = text.search(NO_TEXT);
  if (bytes >= 0) {
    const line = text.slice(0, bytes).split('\n').length;
    return refused('not-text', `line ${line}: expected text in UTF-8, found other bytes`);
  }
  const lines = new LineCounter();
  const opened = open(text, kind.noun, lines);
  if ('mistake' in opened) return refused(opened.mistake.code, opened.mistake.text);
  const { document, value } = opened;
  const foreign = foreignKind(value);
  if (foreign !== null) {
    return refused(`not-a-${kind.noun}`, `expected the keys ${kind.keys}, found ${foreign}`);
  }
  const checked = kind.schema.safeParse(value);
  if (checked.success) return { ok: true, value: checked.data };
  return { ok: false, notes: complaints(value, kind, (path) => placeOf(document, lines, path)) };
}

/** No text has a NUL; the other mark is where bytes were no UTF-8. */
const NO_TEXT = /[\0\uFFFD]/;

type Opened =
  | { readonly document: Document; readonly value: unknown }
  /** The code has no area yet. */
  | { readonly mistake: Note };

function open(text: string, noun: string, lines: LineCounter): Opened {
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      logLevel: 'error',
      prettyErrors: false,
      // The library compares every key with every other: a file full of keys would keep it busy for minutes.
      uniqueKeys: false,
    });
    const [broken] = document.errors;
    if (broken !== undefined) return { mistake: yamlMistake(broken, noun, lines) };
    const twice = keyThereTwice(document, lines);
    if (twice !== null) return { mistake: { code: 'duplicate-key', text: twice } };
    return { document, value: document.toJS() };
  } catch (error) {
    // Thrown for references that multiply without end.
    const reason = error instanceof Error ? error.message : String(error);
    const words = `expected plain YAML, found: ${firstLine(reason)}`;
    return { mistake: { code: 'not-yaml', text: words } };
  }
}

/** The first key that a map has twice, in words; null when there is none. */
function keyThereTwice(document: Document, lines: LineCounter): string | null {
  let twice: string | null = null;
  visit(document, {
    Map: (_, { items }) => {
      const places = new Map<unknown, number | null>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const first = places.get(key.value);
        if (first !== undefined) {
          twice = `${lineOf(startOf(key), lines)}: "${key.value}" is there already, in ${lineOf(first, lines)}`;
          return visit.BREAK;
        }
        places.set(key.value, startOf(key));
      }
      return undefined;
    },
  });
  return twice;
}

function lineOf(at: number | null, lines: LineCounter): string {
  return at === null ? 'the file' : `line ${lines.linePos(at).line}`;
}

function yamlMistake({ code, message, pos }: YAMLError, noun: string, lines: LineCounter): Note {
  const { line, col } = lines.linePos(pos[0]);
  // Mistakes that have a sentence of their own.
  const own: Readonly<Record<string, string>> = {
    MULTIPLE_DOCS: `expected one ${noun}, found the beginning of a second one (---)`,
    TAB_AS_INDENT: 'expected spaces in front of a key, found a tab',
  };
  const text = own[code] ?? `expected YAML, found a mistake: ${firstLine(message)}`;
  return { code: 'not-yaml', text: `line ${line}, column ${col}: ${text}` };
}

/** Longer sentences of the YAML library quote the file. */
const LONGEST_REASON = 160;

function firstLine(message: string): string {
  const [line = ''] = message.trim().split('\n');
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}

/** What a file holds that is no map of keys; null when it is one. */
function foreignKind(value: unknown): string | null {
  if (value === null || value === undefined) return 'an empty file';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? null : 'a single value';
}

/** Where a path is in the file: "line 12, seats.0.colour", or the nearest thing above it that is there. */
function placeOf(document: Document, lines: LineCounter, path: Path): string {
  const name = path.map(String).join('.');
  const at = offsetOf(document, path);
  if (at === null) return name === '' ? 'the file' : name;
  return `${lineOf(at, lines)}, ${name}`;
}

/** Where the last key of a path begins, as far as the path can be followed. */
function offsetOf(document: Document, path: Path): number | null {
  let node: unknown = document.contents;
  let at: number | null = null;
  for (const step of path) {
    const next = stepInto(node, step);
    if (next === null) break;
    node = next.value;
    at = next.at ?? at;
  }
  return at;
}

function stepInto(
  node: unknown,
  step: PropertyKey,
): { readonly value: unknown; readonly at: number | null } | null {
  if (isSeq(node) && typeof step === 'number') {
    const value = node.items[step];
    return value === undefined ? null : { value, at: startOf(value) };
  }
  if (!isMap(node)) return null;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step);
  return pair === undefined ? null : { value: pair.value, at: startOf(pair.key) };
}

function startOf(node: unknown): number | null {
  return isNode(node) ? (node.range?.[0] ?? null) : null;
}
