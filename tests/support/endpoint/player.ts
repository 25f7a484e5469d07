/**
 * The player behind the fake endpoint: a plausible answer from the text of the request alone. Every answer fits
 * the schema, and uses the facts that it finds in the prompt.
 */
import { z } from 'zod';
import type { Asked } from './asked.ts';
import { actionIn } from './choice.ts';
import { picker } from './pick.ts';
import { talkIn } from './talk.ts';

type Given = Readonly<Record<string, unknown>>;

const fieldSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  enum: z.array(z.unknown()).optional(),
});

/** An object that fits the schema; without one, a reply as the design has it. */
export function played({ text }: Asked, schema: Given | null, seed: number): Given {
  const pick = picker(`${seed} ${text}`);
  const talk = talkIn(text, optionsOf(schema, 'target'), pick);
  const wanted: Given = { ...talk, action: actionIn(text, pick) };
  return schema === null ? talk : objectFor(schema, wanted);
}

function objectFor(schema: unknown, wanted: Given): Given {
  const read = fieldSchema.safeParse(schema);
  const properties = read.success ? (read.data.properties ?? {}) : {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, valueFor(field, wanted[name])]),
  );
}

function valueFor(field: unknown, wanted: unknown): unknown {
  const read = fieldSchema.safeParse(field);
  if (!read.success) return null;
  const types = [read.data.type ?? []].flat();
  const isNullable = types.includes('null');
  if (types.includes('object')) {
    return isNullable && wanted === null
      ? null
      : objectFor(field, z.record(z.string(), z.unknown()).catch({}).parse(wanted));
  }
  const words = read.data.enum;
  if (words !== undefined) {
    if (words.includes(wanted)) return wanted;
    return words.includes(null) ? null : words[0];
  }
  if (wanted === null && isNullable) return null;
  if (types.includes('array')) return Array.isArray(wanted) ? wanted : [];
  if (types.includes('integer') || types.includes('number')) {
    if (typeof wanted === 'number') return wanted;
    return isNullable ? null : 0;
  }
  if (types.includes('boolean')) return wanted === true;
  if (typeof wanted === 'string') return wanted;
  return isNullable ? null : '';
}

function optionsOf(schema: Given | null, name: string): readonly string[] {
  const field = z
    .object({
      properties: z.record(
        z.string(),
        z.object({ enum: z.array(z.unknown()) }).catch({ enum: [] }),
      ),
    })
    .safeParse(schema);
  const words = field.success ? (field.data.properties[name]?.enum ?? []) : [];
  return words.filter((word) => typeof word === 'string');
}
