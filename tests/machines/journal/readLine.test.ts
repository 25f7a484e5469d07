/** A guard reads lines quickly and leaves doubtful ones to the schema. Both give the same result for every input. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { lineSchema } from '../../../machines/journal/lines.ts';
import { DEEPEST, readLine } from '../../../machines/journal/readLine.ts';
import { compileGuard } from '../../../machines/journal/schemaGuard.ts';
import { writeBody } from '../../../machines/journal/writer.ts';
import { law } from '../builders.ts';
import { FACTS_OF } from './arbitraryFacts.ts';

const facts = fc.oneof(...Object.values(FACTS_OF));
const GHOSTLY = ['turn.closed', 'ghost.joined', 'gallery.closed'];
const SHARED = ['scratchpads.consolidated', 'scratchpads.erased'];

/** The row of a fact in its channel, as a journal has it. */
const row = fc
  .tuple(
    facts,
    fc.constantFrom('living', 'ghosts'),
    fc.nat(9999),
    fc.option(fc.dictionary(fc.string(), fc.jsonValue())),
  )
  .map(([fact, either, seq, clock]) => {
    const own = GHOSTLY.includes(fact.type) ? 'ghosts' : 'living';
    const body = writeBody(fact, SHARED.includes(fact.type) ? either : own, seq);
    const time = clock === null ? '' : `,"clock":${JSON.stringify(clock)}`;
    return `${body.slice(0, -1)}${time},"hash":"${'0'.repeat(64)}"}`;
  });

/** The schema's reading of a row. Null if it is no line. */
function readSlowly(text: string): unknown {
  return lineSchema.safeParse(JSON.parse(text)).data ?? null;
}

/** Counts how often the schema of lines is asked. */
function countParses(act: () => void): number {
  const spy = vi.spyOn(lineSchema, 'safeParse');
  act();
  const { length } = spy.mock.calls;
  spy.mockRestore();
  return length;
}

law(
  'a line without the name __proto__ is read without the schema, to the value that the schema gives',
  fc.property(row, (text) => {
    fc.pre(!text.includes('"__proto__"'));
    const parses = countParses(() => expect(readLine(JSON.parse(text))).toEqual(readSlowly(text)));
    expect(parses).toBe(1);
  }),
  600,
);

test('a line whose clock has the name __proto__ is read by the schema', () => {
  const text = `{"channel":"living","seq":0,"type":"scratchpads.erased","clock":{"__proto__":{}},"hash":"${'0'.repeat(64)}"}`;
  const parses = countParses(() => expect(readLine(JSON.parse(text))).toEqual(readSlowly(text)));
  expect(parses).toBe(2);
  expect(readSlowly(text)).not.toBeNull();
});

type Change = (parent: Record<string, unknown>, name: string, value: unknown) => void;

const CHANGES: Readonly<Record<string, Change>> = {
  'a value in the place of another': (parent, name, value) => {
    parent[name] = value;
  },
  'a field less': (parent, name) => {
    if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else delete parent[name];
  },
  'a field more': (parent, name, value) => {
    if (Array.isArray(parent)) parent.push(value);
    else parent[`${name}_`] = value;
  },
  'a field in another place': (parent, name) => {
    const kept = parent[name];
    delete parent[name];
    parent[name] = kept;
  },
  'a name of every object': (parent, _name, value) => {
    Object.defineProperty(parent, '__proto__', { value, enumerable: true });
  },
};

/** Every place in a value that holds something. */
function placesIn(
  value: unknown,
): readonly (readonly [parent: Record<string, unknown>, name: string])[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent: Record<string, unknown> = Object(value);
  return Object.keys(parent).flatMap((name) => [
    [parent, name] as const,
    ...placesIn(parent[name]),
  ]);
}

const foreign = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    'red',
    'skip',
    'SYSTEM',
    '',
    -1,
    0,
    1.5,
    1e300,
    null,
    true,
    [],
    {},
    2 ** 53,
  ),
);

describe('a line that was damaged is one for both or for neither', () => {
  for (const [name, change] of Object.entries(CHANGES)) {
    law(
      `with ${name}`,
      fc.property(row, fc.nat(), foreign, (text, at, value) => {
        const line: unknown = JSON.parse(text);
        const places = placesIn(line);
        const place = places[at % places.length];
        if (place === undefined) throw new Error('a line without a field');
        change(...place, value);
        const damaged = JSON.stringify(line);
        expect(readLine(JSON.parse(damaged))).toEqual(readSlowly(damaged));
      }),
      400,
    );
  }

  law(
    'and so is any other value',
    fc.property(foreign, (value) => {
      const text = JSON.stringify(value);
      expect(readLine(JSON.parse(text))).toEqual(readSlowly(text));
    }),
    200,
  );
});

/** Arrays in arrays. */
function nest(levels: number): unknown {
  return levels === 0 ? 0 : [nest(levels - 1)];
}

test('nested values are read down to the deepest allowed level', () => {
  const lineWith = (levels: number) => ({
    channel: 'living',
    seq: 0,
    type: 'scratchpads.erased',
    clock: { deep: nest(levels) },
    hash: '',
  });
  // The line and its clock are two levels.
  for (const [levels, isLine] of [
    [0, true],
    [64, true],
    [65, true],
    [DEEPEST - 2, true],
    [DEEPEST - 1, false],
  ] as const) {
    expect(readLine(lineWith(levels)) !== null).toBe(isLine);
  }
});

describe('a guard lets nothing through that its schema changes or looks into more closely', () => {
  test.each<[string, z.ZodType, unknown]>([
    ['a shorter text', z.string().max(3), 'abc'],
    ['a text in other letters', z.string().toUpperCase(), 'abc'],
    ['what is refined', z.number().refine((value) => value > 0), 1],
    ['what is transformed', z.string().transform((value) => value.length), 'abc'],
    ['a number above a bound', z.number().gt(0), 1],
    ['a record that drops names', z.object({ a: z.string() }), { a: 'a' }],
    ['a record that wants all names', z.record(z.enum(['a', 'b']), z.string()), { a: 'a', b: 'b' }],
    ['a default in the place of all', z.string().default('a'), undefined],
    ['any of several', z.union([z.string(), z.number()]), 'a'],
  ])('%s', (_name, schema, value) => {
    expect(compileGuard(schema)(value)).toBe(false);
    expect(schema.safeParse(value).success).toBe(true);
  });
});
