/**
 * Cases of a schema: each optional field present and absent, each null, each member of an enum, both booleans and
 * each branch of a union. Long enums that recur, such as colours and rooms, count once.
 */
import { z } from 'zod';
import { isRecord } from '../../machines/text.ts';

const MOST_WORDS = 10;

/** All cases of a schema, and those that the values have which were marked. Values have to fit the schema. */
export type Cases = {
  readonly all: ReadonlySet<string>;
  readonly found: ReadonlySet<string>;
  readonly mark: (value: unknown) => void;
};

type Mark = (value: unknown) => void;

export function compileCases(schema: z.ZodType): Cases {
  const compiler = new Compiler();
  const mark = compiler.compile(schema, '');
  return { all: compiler.all, found: compiler.found, mark };
}

class Compiler {
  readonly all = new Set<string>();
  readonly found = new Set<string>();

  compile(schema: unknown, path: string): Mark {
    const part = unwrap(schema);
    if (part instanceof z.ZodObject) return this.#compileObject(part, path);
    if (part instanceof z.ZodDiscriminatedUnion || part instanceof z.ZodUnion) {
      return this.#compileUnion(part, path);
    }
    if (part instanceof z.ZodNullable) {
      const [none, some] = [this.#add(`${path}: null`), this.#add(`${path}: a value`)];
      const inner = this.compile(part.unwrap(), path);
      return (value) => {
        (value === null ? none : some)();
        if (value !== null) inner(value);
      };
    }
    if (part instanceof z.ZodArray) {
      const item = this.compile(part.element, `${path}[]`);
      return (value) => {
        if (Array.isArray(value)) value.forEach(item);
      };
    }
    if (part instanceof z.ZodTuple) {
      const items = part.def.items.map((item, index) => this.compile(item, `${path}[${index}]`));
      return (value) => {
        if (Array.isArray(value)) for (const [index, item] of items.entries()) item(value[index]);
      };
    }
    if (part instanceof z.ZodRecord) {
      const key = this.compile(part.keyType, `${path}{}`);
      const inner = this.compile(part.valueType, `${path}{}`);
      return (value) => {
        if (!isRecord(value)) return;
        Object.keys(value).forEach(key);
        Object.values(value).forEach(inner);
      };
    }
    const words = part instanceof z.ZodBoolean ? [true, false] : [];
    const listed = part instanceof z.ZodEnum ? part.options : words;
    const isLong = listed.length > MOST_WORDS;
    const marks = new Map<unknown, () => void>();
    for (const word of listed) {
      const name = isLong ? `word ${word} of ${listed.length}` : `${path}: ${word}`;
      marks.set(word, this.#add(name));
    }
    return (value) => marks.get(value)?.();
  }

  #compileObject(part: z.ZodObject, path: string): Mark {
    const fields = Object.entries(part.shape).map(([name, field]) => {
      const inner = path === '' ? name : `${path}.${name}`;
      const there = this.#add(inner);
      const leftOut = canBeLeftOut(field, path) ? this.#add(`${inner}: left out`) : () => {};
      return { name, there, leftOut, mark: this.compile(field, inner) };
    });
    return (value) => {
      if (!isRecord(value)) return;
      for (const { name, there, leftOut, mark } of fields) {
        if (value[name] === undefined) leftOut();
        else {
          there();
          mark(value[name]);
        }
      }
    };
  }

  #compileUnion(part: z.ZodUnion, path: string): Mark {
    const options = part.def.options.map((option, index) => {
      const name = `${path}${nameOption(part, option, index)}`;
      const words = readDiscriminator(part, option);
      return { option, words, there: this.#add(name), mark: this.compile(option, name) };
    });
    const [field = ''] = part instanceof z.ZodDiscriminatedUnion ? [part.def.discriminator] : [];
    return (value) => {
      for (const { option, words, there, mark } of options) {
        const fits =
          words === null
            ? z.safeParse(option, value).success
            : isRecord(value) && words.has(value[field]);
        if (!fits) continue;
        there();
        mark(value);
      }
    };
  }

  #add(name: string): () => void {
    this.all.add(name);
    return () => this.found.add(name);
  }
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return unwrap(schema.unwrap());
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodReadonly)
    return unwrap(schema.unwrap());
  return schema;
}

/** Defaults are filled in before a line is written, except for the terms of a score. */
function canBeLeftOut(field: unknown, path: string): boolean {
  if (field instanceof z.ZodDefault) return path.endsWith('.scores[]');
  return field instanceof z.ZodOptional;
}

function nameOption(union: z.ZodUnion, option: unknown, index: number): string {
  const words = readDiscriminator(union, option);
  if (words === null) return ` (${index + 1})`;
  return option instanceof z.ZodDiscriminatedUnion ? '' : ` ${[...words].join()}:`;
}

/** What tells an option of a union from the others; null where only its form does. */
function readDiscriminator(union: z.ZodUnion, option: unknown): ReadonlySet<unknown> | null {
  if (!(union instanceof z.ZodDiscriminatedUnion) || !(option instanceof z.ZodType)) return null;
  return option._zod.propValues?.[union.def.discriminator] ?? new Set();
}
