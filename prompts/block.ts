/**
 * Blocks: the pieces of which a prompt is made, in the order in which they are sent.
 *
 * A provider caches the beginning of a prompt up to the first byte that differs, so the order is by how long a block
 * lasts: rules and record, which all players share; what one player knows for the whole meeting; the transcript, one
 * block for each line, to which lines are only added; and last what belongs to one tick. A block once sent is sent
 * again to the byte.
 */

export type Block = {
  readonly text: string;
  /** The same in this player's next request on the same occasion: a provider may cache up to here. */
  readonly stable: boolean;
};

/** Everything about a prompt but what it is for. */
export type PromptParts = {
  /** Rules that all players share. */
  readonly system: readonly Block[];
  /** The record that all share, what this player knows, the transcript, which only grows, then what is for this tick. */
  readonly user: readonly Block[];
  readonly schema: WireSchema;
  /** A name for the schema, as the endpoints want one. */
  readonly schemaName: string;
  /** Tokens that the reply needs at most; a model that reasons aloud needs more. */
  readonly maxTokens: number;
};

/** The JSON schema of a reply, in the narrow dialect that every endpoint takes. */
export type WireSchema = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, WireField>>;
  /** Every key: what has nothing to say is null. */
  readonly required: readonly string[];
  readonly additionalProperties: false;
};

export type WireField =
  | WireSchema
  | {
      readonly type: WireType | readonly [WireType, 'null'];
      readonly enum?: readonly (string | null)[];
      readonly description?: string;
    }
  | {
      readonly type: 'array';
      readonly items: { readonly type: 'string' };
      readonly description?: string;
    };

type WireType = 'string' | 'integer' | 'number';

/** The same for every player, or the next line of what only grows. */
export function createSharedBlock(text: string): Block {
  return { text, stable: true };
}

/** For one player, and the same for as long as the occasion lasts. */
export function createOwnBlock(text: string): Block {
  return { text, stable: true };
}

/** For one player in one tick or round. */
export function createPrivateBlock(text: string): Block {
  return { text, stable: false };
}

/** Sections with an empty line between them; those that are empty are left out. */
export function joinSections(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Lines under a heading; nothing at all where there are no lines. */
export function writeSection(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`# ${heading}`, ...lines].join('\n');
}

/** The text that a model reads. */
export function joinBlocks(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join('');
}

/*
 * Schemas of replies, as they go over the wire.
 *
 * The dialect is the least that all endpoints share: every key required, null for nothing, `enum` instead of `const`,
 * no lengths, no ranges, no patterns, no references. The thought comes first, so that a model thinks before it decides.
 * What a reply means is checked when it is read.
 */

export function record(properties: Readonly<Record<string, WireField>>): WireSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

export const text: WireField = { type: 'string' };
export const textOrNull: WireField = { type: ['string', 'null'] };
export const wholeOrNull: WireField = { type: ['integer', 'null'] };
export const whole: WireField = { type: 'integer' };
/** From 0 to 1, which the schema does not say. */
export const probability: WireField = { type: 'number' };

/** One of these words, or null. */
export function oneOf(words: readonly string[]): WireField {
  return { type: ['string', 'null'], enum: [...words, null] };
}

/** The private notes that can be written on this occasion. */
export function notes(...pads: readonly ('main_scratch' | 'meeting_scratch')[]): WireSchema {
  return record(Object.fromEntries(pads.map((pad) => [pad, textOrNull])));
}

/** The six fields of the design. All seats stand in it, also the dead ones, so that it is the same in every meeting. */
export function buildTalkSchema(seated: readonly string[]): WireSchema {
  return record({
    internal_thought: text,
    desire_to_speak: whole,
    message: text,
    target: oneOf(seated),
    vote_action: oneOf([...seated, 'skip']),
    scratchpad_updates: notes('meeting_scratch'),
  });
}
