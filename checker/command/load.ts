/** Loads and validates what a module exports. Modules are imported, so TypeScript needs a Node.js that strips types. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyStateMachine, EventObject } from 'xstate';
import { isWildcard, listEventTypes } from '../bareEvents.ts';
import { readChart } from '../chart.ts';
import { addDefaults } from '../machine.ts';
import type { Property, State } from '../model.ts';
import type { Outcomes } from '../outcomes.ts';
import type { Codec } from '../parts.ts';
import { describeError } from '../stepper.ts';
import { CommandFailure, createUnusable, createUsageFailure, EXIT_STATUS } from './failure.ts';

export type LoadedQuestion = Awaited<ReturnType<typeof loadQuestion>>;

export type LoadOptions = {
  /** The name of the exported machine. The default is the default export or the only machine. */
  readonly export?: string | undefined;
  readonly events?: string | undefined;
  readonly input?: string | undefined;
};

type ModuleExports = Readonly<Record<string, unknown>>;
type ListedWorld = (state: State<unknown>) => readonly EventObject[];

export async function loadQuestion(path: string, options: LoadOptions) {
  const found = await importModule(path);
  const { key: exportedAs, value: machine } = pickMachine(path, found, options.export);
  try {
    readChart(machine);
  } catch (error) {
    throw createUnusable(`the machine of ${path} cannot be read: ${describeError(error)}`);
  }
  const properties = readProperties(path, found['properties']);
  const source = options.events === undefined ? found : await readEventsFile(options.events);
  const read = readEvents(options.events ?? path, source, machine);
  const { outcomes, codec, view, snapshots } = found;
  const isByChild = outcomes === undefined || isRecord(outcomes);
  expect(isByChild, `outcomes of ${path} to be an object by the ids of children`, outcomes);
  return {
    machine,
    properties: found['defaults'] === false ? (properties ?? []) : addDefaults(properties ?? []),
    defaults: false as const,
    exportedAs,
    /** Whether the module exports properties. Otherwise only the defaults are asked. */
    hasProperties: properties !== null,
    ...read,
    // Mistakes in these values surface when they are used.
    ...(outcomes === undefined ? {} : { outcomes: outcomes as Outcomes }),
    codec: typeof codec === 'function' ? (codec as Codec) : undefined,
    view: typeof view === 'function' ? (view as (state: State<unknown>) => unknown) : undefined,
    snapshots: isRecord(snapshots) ? snapshots : undefined,
    ...readInput(options.input, found),
  };
}

async function importModule(path: string): Promise<ModuleExports> {
  if (!existsSync(path))
    throw createUnreadable(`cannot read the module ${path}: no such file or directory`);
  try {
    return unwrap(await import(pathToFileURL(resolve(path)).href));
  } catch (error) {
    const [text = ''] = describeError(error).split('\n');
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : null;
    const isOfNode =
      error instanceof SyntaxError || (typeof code === 'string' && /^ERR_/.test(code));
    const advice =
      isOfNode && /\.[cm]?tsx?$/.test(path) && !process.env['NODE_OPTIONS']?.includes('tsx')
        ? `. Node.js ${process.versions.node} runs TypeScript only with whole file names in imports, "import type", and without enums, .tsx and path aliases. For anything else: npm install --save-dev tsx, and NODE_OPTIONS='--import tsx' npx glass-box-checker check ${path}`
        : '';
    throw createUnusable(`${path} cannot be imported: ${text}${advice}`, 'model/cannot-import');
  }
}

/** The exports of a module, whatever format a compiler gave it: CommonJS modules have them in their default export. */
function unwrap(found: ModuleExports): ModuleExports {
  const { default: inner, 'module.exports': _, ...named } = found;
  if (!isRecord(inner) || isMachine(inner) || Array.isArray(inner)) return found;
  return { ...unwrap(inner), ...named };
}

function pickMachine(path: string, found: ModuleExports, name: string | undefined) {
  const machines = Object.entries(found).flatMap(([key, value]) =>
    isMachine(value) ? [{ key, value }] : [],
  );
  const names = machines.map(({ key }) => key).join(', ') || 'none';
  if (name !== undefined) {
    const named = machines.find(({ key }) => key === name);
    if (named !== undefined) return named;
    throw createUsageFailure(
      `expected a machine under the name ${name} in ${path}, found none (machines there: ${names})`,
    );
  }
  const chosen = machines.find(({ key }) => key === 'default') ?? machines[0];
  const different = new Set(machines.map(({ value }) => value)).size;
  if (chosen === undefined) {
    const exported = Object.keys(found).join(', ') || 'nothing';
    const text = `expected a machine of XState among the exports of ${path}, found ${exported}`;
    throw createUnusable(text, 'model/no-machine');
  }
  if (different > 1 && chosen.key !== 'default') {
    throw createUsageFailure(
      `expected one machine in ${path}, found ${different} (${names}): name one with --export`,
    );
  }
  return chosen;
}

/** Checks the structure, because another copy of XState may have built the machine. */
function isMachine(value: unknown): value is AnyStateMachine {
  return isRecord(value) && 'root' in value && 'implementations' in value && 'transition' in value;
}

const KINDS: readonly string[] = [
  'always',
  'never',
  'sometimes',
  'step',
  'start',
  'deadlock-free',
  'eventually',
  'leads-to',
];

function readProperties(
  path: string,
  found: unknown,
): readonly Property<unknown, EventObject>[] | null {
  if (found === undefined) return null;
  const isList = Array.isArray(found) && found.length > 0;
  expect(isList, `properties of ${path} to be a list with at least one`, found);
  const names = new Set<unknown>();
  for (const [index, property] of found.entries()) {
    const where = `properties[${index}] of ${path}`;
    const isNamed = isRecord(property) && typeof property['name'] === 'string';
    expect(isNamed, `${where} to have a name`, property);
    const { kind, name, holds, from } = property;
    const isKnown = KINDS.includes(String(kind));
    expect(isKnown, `the kind of ${where} to be one of ${KINDS.join(', ')}`, kind);
    const isJudged = kind === 'deadlock-free' || typeof holds === 'function';
    expect(isJudged, `holds of ${where} to be a function`, holds);
    const isDue = kind !== 'leads-to' || typeof from === 'function';
    expect(isDue, `from of ${where} to be a function`, undefined);
    if (names.has(name))
      throw createUnusable(`expected names once, found "${name}" twice in ${path}`);
    names.add(name);
  }
  return found; // looked at, one by one
}

async function readEventsFile(path: string): Promise<ModuleExports> {
  if (!path.endsWith('.json')) return importModule(path);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw createUnreadable(`cannot read ${path}: ${describeError(error)}`);
  }
  return { events: parseJson(text, path) };
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = describeError(error);
    throw createUsageFailure(`expected JSON in ${where}, found something else (${why})`);
  }
}

function readEvents(path: string, found: ModuleExports, machine: AnyStateMachine) {
  const events =
    found['events'] ?? (Array.isArray(found['default']) ? found['default'] : undefined);
  const { world } = found;
  // The checker steps with any event that it lists.
  if (typeof world === 'function') return { world: world as ListedWorld };
  return events === undefined ? {} : { events: readEventList(path, events, machine) };
}

function readEventList(
  path: string,
  events: unknown,
  machine: AnyStateMachine,
): readonly EventObject[] {
  const isList = Array.isArray(events);
  expect(isList, `the events of ${path} to be a list`, events, createUsageFailure);
  const types = listEventTypes(machine);
  return events.map((event: unknown, index) => {
    const read = typeof event === 'string' ? { type: event } : event;
    const what = `event ${index + 1} of ${path} to be a name or an object with a type`;
    expect(isRecord(read) && typeof read['type'] === 'string', what, event, createUsageFailure);
    const { type } = read;
    if (!types.includes(type) && !type.startsWith('xstate.') && !types.some(isWildcard)) {
      throw createUsageFailure(
        `expected events that ${machine.id} takes (${types.join(', ')}), found ${type} in ${path}`,
      );
    }
    return { ...read, type };
  });
}

function readInput(text: string | undefined, { input }: ModuleExports): { input?: unknown } {
  if (text !== undefined) return { input: parseJson(text, '--input') };
  return input === undefined ? {} : { input };
}

function createUnreadable(text: string): CommandFailure {
  return new CommandFailure(EXIT_STATUS.noInput, 'input/cannot-open', text);
}

function expect(
  isSo: boolean,
  what: string,
  found: unknown,
  fail: (text: string) => CommandFailure = createUnusable,
): asserts isSo {
  if (!isSo) throw fail(`expected ${what}, found ${describe(found)}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'function' ? 'a function' : JSON.stringify(value);
  return text === undefined ? typeof value : text.slice(0, 80);
}
