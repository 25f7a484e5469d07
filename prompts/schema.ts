/**
 * Schemas of replies, as they go over the wire.
 *
 * The dialect is the least that all endpoints share: every key required, null for nothing, `enum` instead of `const`,
 * no lengths, no ranges, no patterns, no references. The thought comes first, so that a model thinks before it decides.
 * What a reply means is checked when it is read.
 */
import type { WireField, WireSchema } from './block.ts';

export function record(properties: Readonly<Record<string, WireField>>): WireSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

export const text: WireField = { type: 'string' };
const textOrNull: WireField = { type: ['string', 'null'] };
export const wholeOrNull: WireField = { type: ['integer', 'null'] };
export const whole: WireField = { type: 'integer' };

/** One of these words, or null. */
export function oneOf(words: readonly string[]): WireField {
  return { type: ['string', 'null'], enum: [...words, null] };
}

/** The private notes that can be written on this occasion. */
export function notes(...pads: readonly ('main_scratch' | 'meeting_scratch')[]): WireSchema {
  return record(Object.fromEntries(pads.map((pad) => [pad, textOrNull])));
}

/** The six fields of the design. Whom one can vote for is the same for everybody, so the schema is too. */
export function talkSchema(seated: readonly string[], living: readonly string[]): WireSchema {
  return record({
    internal_thought: text,
    desire_to_speak: whole,
    message: text,
    target: oneOf(seated),
    vote_action: oneOf([...living, 'skip']),
    scratchpad_updates: notes('meeting_scratch'),
  });
}
