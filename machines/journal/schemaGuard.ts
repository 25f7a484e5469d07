/**
 * Guards: a schema as a function that says quickly whether a value fits, for text that fits nearly always.
 *
 * A guard is worked out from the schema itself, so that what a value may be stands once. It knows the kinds of schema
 * that lines are made of. A schema of another kind, or one that changes values or checks more than their form, fits
 * nothing: then the schema has to be asked, as it has to for the reason of a refusal.
 */

import { z } from 'zod';
import { isRecord } from '../text.ts';

/** What a value comes to, with its defaults; `MISS` where the guard can't tell that it fits. */
type Read = (value: unknown) => unknown;
type Field = { readonly name: string; readonly read: Read; readonly isRequired: boolean };
type JsonRecord = Record<string, unknown>;

const MISS = Symbol('does not fit, or is not known to');

/** Values without a form of their own are looked through down to here; what is deeper is for the schema. */
const MOST_LEVELS = 64;

/**
 * The guard of a schema, for values that were read from canonical JSON; `last` are fields that stand behind all others of
 * their object, in their order. Defaults that are missing within the value are put into it. What the guard lets through
 * fits the schema and comes to the same; what it does not may fit all the same.
 */
export function compileGuard<S extends z.ZodType>(
  schema: S,
  last: readonly string[] = [],
): (value: unknown) => value is z.output<S> {
  const read = compile(schema, { last });
  // A default in the place of the whole value would be another value.
  return (value): value is z.output<S> => read(value) === value;
}

type Context = { readonly last: readonly string[] };

function compile(schema: unknown, context: Context): Read {
  if (schema instanceof z.ZodNumber) return readNumber(schema);
  if (!(schema instanceof z.ZodType) || (schema.def.checks?.length ?? 0) > 0) return miss;
  if (schema instanceof z.ZodObject) return readObject(schema, context);
  if (schema instanceof z.ZodDiscriminatedUnion) return readUnion(schema, context);
  if (schema instanceof z.ZodArray) return readArray(compile(schema.element, context));
  if (schema instanceof z.ZodTuple) return readTuple(schema, context);
  if (schema instanceof z.ZodRecord) return readRecord(schema, context);
  if (schema instanceof z.ZodEnum) return readOneOf(new Set(schema.options));
  if (schema instanceof z.ZodLiteral) return readOneOf(schema.values);
  if (schema instanceof z.ZodString) return readPlain((value) => typeof value === 'string');
  if (schema instanceof z.ZodBoolean) return readPlain((value) => typeof value === 'boolean');
  if (schema instanceof z.ZodUnknown) return readPlain((value) => isShallow(value, MOST_LEVELS));
  if (!(schema instanceof z.ZodNullable)) return miss;
  const read = compile(schema.unwrap(), context);
  return (value) => (value === null ? value : read(value));
}

function miss(): unknown {
  return MISS;
}

function readPlain(fits: (value: unknown) => boolean): Read {
  return (value) => (fits(value) ? value : MISS);
}

function readOneOf(values: ReadonlySet<unknown>): Read {
  return (value) => (values.has(value) ? value : MISS);
}

function readNumber(schema: z.ZodNumber): Read {
  let isInteger = false;
  let [least, most] = [-Number.MAX_VALUE, Number.MAX_VALUE];
  for (const { _zod: part } of [schema, ...(schema.def.checks ?? [])]) {
    const { check, format, value: bound, inclusive }: JsonRecord = { ...part.def };
    const isBound = typeof bound === 'number' && inclusive === true;
    if (check === 'number_format' && format === 'safeint') isInteger = true;
    else if (isBound && check === 'greater_than') least = Math.max(least, bound);
    else if (isBound && check === 'less_than') most = Math.min(most, bound);
    else if (check !== undefined) return miss;
  }
  return readPlain(
    (value) =>
      typeof value === 'number' &&
      value >= least &&
      value <= most &&
      (!isInteger || Number.isSafeInteger(value)),
  );
}

function readArray(read: Read): Read {
  return (list) => {
    if (!Array.isArray(list)) return MISS;
    for (let at = 0; at < list.length; at += 1) {
      const before: unknown = list[at];
      const after = read(before);
      if (after === MISS) return MISS;
      if (after !== before) list[at] = after;
    }
    return list;
  };
}

function readTuple({ def }: z.ZodTuple, context: Context): Read {
  const reads = def.items.map((item) => compile(item, context));
  if (def.rest !== null) return miss;
  return (list) => {
    if (!Array.isArray(list) || list.length !== reads.length) return MISS;
    return reads.every((read, at) => read(list[at]) === list[at]) ? list : MISS;
  };
}

function readRecord({ def }: z.ZodRecord, context: Context): Read {
  const { keyType } = def;
  // One whose names are listed wants them all, unless it is partial.
  if (keyType._zod.values !== undefined && def.partial !== true) return miss;
  if (def.mode === 'loose') return miss;
  const [readName, read] = [compile(keyType, context), compile(def.valueType, context)];
  return (value) => {
    if (!isRecord(value)) return MISS;
    for (const name of Object.keys(value)) {
      if (name === '__proto__' || readName(name) === MISS) return MISS;
      const before = value[name];
      const after = read(before);
      if (after === MISS) return MISS;
      if (after !== before) Reflect.set(value, name, after);
    }
    return value;
  };
}

/** Names are expected in order, as canonical text has them: none has to be looked for. */
function readObject({ def }: z.ZodObject, context: Context): Read {
  // Others drop or keep what they do not know.
  if (!(def.catchall instanceof z.ZodNever)) return miss;
  const defaults: JsonRecord = {};
  const fields = Object.entries(def.shape).map(([name, field]): Field => {
    const isRequired = !(field instanceof z.ZodOptional || field instanceof z.ZodDefault);
    if (field instanceof z.ZodDefault) defaults[name] = field.def.defaultValue;
    return { name, read: compile(isRequired ? field : field.unwrap(), context), isRequired };
  });
  const rank = ({ name }: Field) => context.last.indexOf(name);
  fields.sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
  const hasDefaults = Object.keys(defaults).length > 0;
  return (value) => {
    if (!isRecord(value)) return MISS;
    const names = Object.keys(value);
    let at = 0;
    for (const { name, read, isRequired } of fields) {
      if (names[at] !== name) {
        if (isRequired) return MISS;
        continue;
      }
      at += 1;
      const before = value[name];
      const after = read(before);
      if (after === MISS) return MISS;
      if (after !== before) Reflect.set(value, name, after);
    }
    if (at < names.length) return MISS;
    return hasDefaults ? { ...defaults, ...value } : value;
  };
}

function readUnion({ def }: z.ZodDiscriminatedUnion, context: Context): Read {
  const { discriminator, options } = def;
  const reads = new Map<unknown, Read>();
  for (const option of options) {
    const read = compile(option, context);
    for (const value of option._zod.propValues?.[discriminator] ?? []) reads.set(value, read);
  }
  return (value) => (isRecord(value) ? (reads.get(value[discriminator]) ?? miss)(value) : MISS);
}

/** Whether a value has no more than so many levels. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((inner) => isShallow(inner, levels - 1));
  for (const name in value) if (!isShallow(Reflect.get(value, name), levels - 1)) return false;
  return true;
}
