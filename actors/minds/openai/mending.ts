/**
 * Mending: an object whose fields have other types than its schema wants, as small models write them.
 *
 * Only what can mean one thing is mended: "8/10" for a number, a number for a text, a text for the notes. A word for a
 * word is never touched, so that no ballot is ever made here.
 */
import { at } from './response.ts';

export type Mended = { readonly value: object; readonly isMended: boolean };

/** The object as its schema wants it, as far as that can be told. */
export function mended(value: object, schema: unknown): Mended {
  let isMended = false;
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => {
    const better = fieldFor(field, at(at(schema, 'properties'), name));
    if (better !== field) isMended = true;
    return [name, better];
  });
  return isMended ? { value: Object.fromEntries(fields), isMended } : { value, isMended };
}

function fieldFor(field: unknown, schema: unknown): unknown {
  const type = at(schema, 'type');
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes('integer') && typeof field === 'string') return numberIn(field);
  if (types.includes('string') && typeof field === 'number') return String(field);
  if (types.includes('array') && typeof field === 'string') return [field];
  if (!types.includes('object')) return field;
  if (typeof field === 'string') return noteIn(field, schema);
  const isObject = typeof field === 'object' && field !== null && !Array.isArray(field);
  return isObject ? mended(field, schema).value : field;
}

/** The number with which a text begins: "8/10", "7 of 10". */
function numberIn(text: string): unknown {
  const digits = /^\s*(-?\d+(?:\.\d+)?)(?![\w.])/.exec(text)?.[1];
  return digits === undefined ? text : Number(digits);
}

/** A text where an object was wanted is what the first of its fields was for. */
function noteIn(text: string, schema: unknown): unknown {
  const [first] = Object.keys(Object(at(schema, 'properties')));
  return first === undefined ? text : { [first]: text };
}
