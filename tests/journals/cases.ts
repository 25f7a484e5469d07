/**
 * Cases: what a schema allows, one by one, and which of it some values have.
 *
 * A case is a path with what stands there: a field that is there, or is left out where it may be; null or a value; each
 * member of a list of words; true and false; each kind of a union. Long lists of words that stand in many places, such as
 * colours and rooms, are counted once for all of these places.
 */
import { z } from 'zod';

/** Words of a list that is counted place by place. */
const MOST_WORDS = 10;

type Report = (found: string) => void;

/** All cases of a schema. */
export function listCases(schema: z.ZodType): ReadonlySet<string> {
  const cases = new Set<string>();
  walk(schema, '', (one) => cases.add(one));
  return cases;
}

function walk(schema: unknown, path: string, add: Report): void {
  const part = unwrap(schema);
  if (part instanceof z.ZodObject) {
    for (const [name, field] of Object.entries(part.shape)) {
      const inner = path === '' ? name : `${path}.${name}`;
      add(inner);
      if (canBeLeftOut(field, path)) add(`${inner}: left out`);
      walk(field, inner, add);
    }
  } else if (part instanceof z.ZodDiscriminatedUnion || part instanceof z.ZodUnion) {
    for (const [index, option] of part.def.options.entries()) {
      const name = nameOption(part, option, index);
      add(`${path}${name}`);
      walk(option, `${path}${name}`, add);
    }
  } else if (part instanceof z.ZodNullable) {
    add(`${path}: null`);
    add(`${path}: a value`);
    walk(part.unwrap(), path, add);
  } else if (part instanceof z.ZodArray) walk(part.element, `${path}[]`, add);
  else if (part instanceof z.ZodTuple) {
    for (const [index, item] of part.def.items.entries()) walk(item, `${path}[${index}]`, add);
  } else if (part instanceof z.ZodRecord) {
    walk(part.keyType, `${path}{}`, add);
    walk(part.valueType, `${path}{}`, add);
  } else if (part instanceof z.ZodBoolean)
    for (const word of [true, false]) add(`${path}: ${word}`);
  else if (part instanceof z.ZodEnum) {
    for (const word of part.options) add(nameWord(part, path, String(word)));
  }
}

/** Marks the cases that a value has; the value has to fit the schema. */
export function markCases(schema: unknown, value: unknown, path: string, mark: Report): void {
  const part = unwrap(schema);
  if (part instanceof z.ZodObject && isRecord(value)) {
    for (const [name, field] of Object.entries(part.shape)) {
      const inner = path === '' ? name : `${path}.${name}`;
      if (value[name] === undefined) mark(`${inner}: left out`);
      else {
        mark(inner);
        markCases(field, value[name], inner, mark);
      }
    }
  } else if (part instanceof z.ZodDiscriminatedUnion || part instanceof z.ZodUnion) {
    for (const [index, option] of part.def.options.entries()) {
      if (!z.safeParse(option, value).success) continue;
      const name = nameOption(part, option, index);
      mark(`${path}${name}`);
      markCases(option, value, `${path}${name}`, mark);
    }
  } else if (part instanceof z.ZodNullable) {
    mark(`${path}: ${value === null ? 'null' : 'a value'}`);
    if (value !== null) markCases(part.unwrap(), value, path, mark);
  } else if (part instanceof z.ZodArray && Array.isArray(value)) {
    for (const item of value) markCases(part.element, item, `${path}[]`, mark);
  } else if (part instanceof z.ZodTuple && Array.isArray(value)) {
    for (const [index, item] of part.def.items.entries()) {
      markCases(item, value[index], `${path}[${index}]`, mark);
    }
  } else if (part instanceof z.ZodRecord && isRecord(value)) {
    for (const [name, inner] of Object.entries(value)) {
      markCases(part.keyType, name, `${path}{}`, mark);
      markCases(part.valueType, inner, `${path}{}`, mark);
    }
  } else if (part instanceof z.ZodBoolean) mark(`${path}: ${value}`);
  else if (part instanceof z.ZodEnum) mark(nameWord(part, path, String(value)));
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return unwrap(schema.unwrap());
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodReadonly)
    return unwrap(schema.unwrap());
  return schema;
}

/** Defaults are filled in before a line is written, but for the terms of a score; options are all filled in. */
function canBeLeftOut(field: unknown, path: string): boolean {
  if (field instanceof z.ZodDefault) return path.endsWith('.scores[]');
  return field instanceof z.ZodOptional && !path.includes('.options');
}

/** The name of a kind of a union: its discriminator, where it has one. */
function nameOption(union: z.ZodUnion, option: unknown, index: number): string {
  if (union instanceof z.ZodDiscriminatedUnion && option instanceof z.ZodType) {
    const words = option._zod.propValues?.[union.def.discriminator] ?? [];
    if (option instanceof z.ZodDiscriminatedUnion) return '';
    return ` ${[...words].join()}:`;
  }
  return ` (${index + 1})`;
}

function nameWord({ options }: z.ZodEnum, path: string, word: string): string {
  return options.length > MOST_WORDS ? `word ${word} of ${options.length}` : `${path}: ${word}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
