/**
 * Scenario files: YAML from outside becomes a scenario, or a list of what is wrong with it and where.
 *
 * Every complaint says what was expected, what was found and in which line, with a stable code.
 */
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { type Scenario, scenarioSchema } from '../machines/scenario.ts';
import { COLOURS, type Note } from '../machines/types.ts';

export type ScenarioReading =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly notes: readonly Note[] };

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue;

/** A scenario is a page of text; anything longer is some other file. */
const LONGEST = 1_000_000;
/** Names of options are at most this many letters from a typo of them. */
const TYPO = 3;

/** Reads the text of a scenario file. */
export function readScenario(text: string): ScenarioReading {
  if (text.length > LONGEST) {
    return refused(
      'too-long',
      `expected at most ${LONGEST} characters, found ${text.length}: is this a scenario?`,
    );
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken !== undefined) return refused('not-yaml', broken.message.trim());
  const value: unknown = document.toJS();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refused('not-a-scenario', 'expected name, call and seats, found no such keys');
  }
  const checked = scenarioSchema.safeParse(value);
  if (checked.success) return { ok: true, scenario: checked.data };
  const place = (path: Path) => placeOf(document, lines, path);
  return { ok: false, notes: checked.error.issues.flatMap((issue) => notesOf(issue, place)) };
}

function refused(code: string, text: string): ScenarioReading {
  return { ok: false, notes: [{ code: `scenario/${code}`, text }] };
}

/** Where a path is in the file: "line 12, seats.0.colour". */
function placeOf(document: Document, lines: LineCounter, path: Path): string {
  const name = path.map(String).join('.');
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return `line ${lines.linePos(node.range[0]).line}, ${name}`;
  }
  return name === '' ? 'the file' : name;
}

function notesOf(issue: Issue, place: (path: Path) => string): readonly Note[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      code: 'scenario/unknown-key',
      text: `${place([...issue.path, key])}: there is no "${key}"${suggestion(key, knownKeys(issue.path))}`,
    }));
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    const isColour = COLOURS.every((colour) => values.includes(colour));
    const code = isColour ? 'scenario/unknown-colour' : 'scenario/unknown-value';
    const found = 'input' in issue ? `, found ${String(issue.input)}` : '';
    return [{ code, text: `${place(issue.path)}: expected one of ${values.join(', ')}${found}` }];
  }
  if (issue.code === 'invalid_union') {
    return [
      {
        code: 'scenario/unknown-value',
        text: `${place(issue.path)}: expected a temperament, or a persona with name and temperament`,
      },
    ];
  }
  const code =
    issue.code === 'too_big' || issue.code === 'too_small' || issue.code === 'not_multiple_of'
      ? 'range'
      : 'type';
  return [{ code: `scenario/${code}`, text: `${place(issue.path)}: ${lowered(issue.message)}` }];
}

function lowered(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/** The keys that the schema knows at a path, for suggestions. */
function knownKeys(path: Path): readonly string[] {
  let schema: unknown = scenarioSchema;
  for (const key of path)
    schema = typeof key === 'number' ? elementOf(schema) : shapeOf(schema)[String(key)];
  return Object.keys(shapeOf(schema));
}

/** The object schema inside defaults and optionals. */
function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  const inner = unwrapped(schema);
  if (isRecord(inner) && isRecord(inner['shape'])) return inner['shape'];
  return {};
}

function elementOf(schema: unknown): unknown {
  const inner = unwrapped(schema);
  return isRecord(inner) ? inner['element'] : undefined;
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

function suggestion(key: string, known: readonly string[]): string {
  const nearest = known
    .map((name) => ({ name, distance: distance(key, name) }))
    .toSorted((one, other) => one.distance - other.distance)[0];
  if (nearest !== undefined && nearest.distance <= TYPO) return `; did you mean "${nearest.name}"?`;
  return known.length === 0 ? '' : ` (there are: ${known.join(', ')})`;
}

/** Letters to add, drop or change to get from one word to another. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [index, target] of [...other].entries()) {
      const changed = (row[index] ?? 0) + (letter === target ? 0 : 1);
      next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
