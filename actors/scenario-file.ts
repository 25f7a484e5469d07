/** Scenario files: YAML from outside becomes a scenario, or a list of what is wrong with it and where. */
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
import { type Scenario, scenarioSchema } from '../machines/scenario.ts';
import type { Note } from '../machines/types.ts';
import { complaints, type Path } from './scenario-complaint.ts';

export type ScenarioReading =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly notes: readonly Note[] };

/** A scenario is a page of text; anything longer is some other file. In characters. */
export const LONGEST = 200_000;

/** Reads the text of a scenario file. */
export function readScenario(text: string): ScenarioReading {
  if (text.length > LONGEST) {
    return refused(
      'too-long',
      `expected at most ${LONGEST} characters, found ${text.length}: is this a scenario?`,
    );
  }
  const bytes = text.search(NO_TEXT);
  if (bytes >= 0) {
    const line = text.slice(0, bytes).split('\n').length;
    return refused('not-text', `line ${line}: expected text in UTF-8, found other bytes`);
  }
  const lines = new LineCounter();
  const opened = open(text, lines);
  if ('refusal' in opened) return opened.refusal;
  const { document, value } = opened;
  const kind = foreignKind(value);
  if (kind !== null) {
    return refused('not-a-scenario', `expected the keys name, call and seats, found ${kind}`);
  }
  const checked = scenarioSchema.safeParse(value);
  if (checked.success) return { ok: true, scenario: checked.data };
  return { ok: false, notes: complaints(value, (path) => placeOf(document, lines, path)) };
}

/** No text has a NUL; the other mark is where bytes were no UTF-8. */
const NO_TEXT = /[\0\uFFFD]/;

function refused(code: string, text: string): { readonly ok: false; notes: readonly Note[] } {
  return { ok: false, notes: [{ code: `scenario/${code}`, text }] };
}

type Opened =
  | { readonly document: Document; readonly value: unknown }
  | { readonly refusal: ScenarioReading };

function open(text: string, lines: LineCounter): Opened {
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      logLevel: 'error',
      prettyErrors: false,
      // The library compares every key with every other: a file full of keys would keep it busy for minutes.
      uniqueKeys: false,
    });
    const [broken] = document.errors;
    if (broken !== undefined) return { refusal: refusedYaml(broken, lines) };
    const twice = keyThereTwice(document, lines);
    if (twice !== null) return { refusal: refused('duplicate-key', twice) };
    return { document, value: document.toJS() };
  } catch (error) {
    // Thrown for references that multiply without end.
    const reason = error instanceof Error ? error.message : String(error);
    return { refusal: refused('not-yaml', `expected plain YAML, found: ${firstLine(reason)}`) };
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

/** Mistakes in YAML that have a sentence of their own. */
const YAML_MISTAKES: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'expected one scenario, found the beginning of a second one (---)',
  TAB_AS_INDENT: 'expected spaces in front of a key, found a tab',
};

function refusedYaml({ code, message, pos }: YAMLError, lines: LineCounter): ScenarioReading {
  const { line, col } = lines.linePos(pos[0]);
  const text = YAML_MISTAKES[code] ?? `expected YAML, found a mistake: ${firstLine(message)}`;
  return refused('not-yaml', `line ${line}, column ${col}: ${text}`);
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
