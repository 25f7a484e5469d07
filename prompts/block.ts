/**
 * Blocks: the pieces of a prompt, in the order in which they are sent.
 *
 * A provider caches a prompt up to the first byte that differs, so long-lived blocks come first: rules and record,
 * which all players share, then the player's knowledge for the whole meeting, then the transcript with one block for
 * each line, and last the part of one tick. A sent block is sent again byte for byte.
 */

export type Block = {
  readonly text: string;
  /** The player's next request of this kind has the same block, so a provider may cache up to here. */
  readonly stable: boolean;
};

export type PromptParts = {
  readonly system: readonly Block[];
  /** The shared record, the player's knowledge, the growing transcript, and the part of this tick. */
  readonly user: readonly Block[];
  readonly schema: WireSchema;
  readonly schemaName: string;
  /** Most tokens of the reply. A model that reasons aloud needs more. */
  readonly maxTokens: number;
};

/** The JSON schema of a reply, in a dialect that every endpoint accepts. */
export type WireSchema = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, WireField>>;
  /** All keys are required. Unused ones are null. */
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

/** The same in every request of the occasion, or the next line of a growing part. */
export function createStableBlock(text: string): Block {
  return { text, stable: true };
}

/** For one player in one tick or round. */
export function createPassingBlock(text: string): Block {
  return { text, stable: false };
}

/** Non-empty sections with an empty line between them. */
export function joinSections(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

export function writeSection(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`# ${heading}`, ...lines].join('\n');
}

export function joinBlocks(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join('');
}

/*
 * Schemas of replies.
 *
 * All endpoints accept this dialect: every key required, null for nothing, `enum` instead of `const`, and no lengths,
 * ranges, patterns or references. The thought comes first, so that a model thinks before it decides. The reader checks
 * the meaning.
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
/** From 0 to 1. The schema does not say so. */
export const probability: WireField = { type: 'number' };

export function oneOf(words: readonly string[]): WireField {
  return { type: ['string', 'null'], enum: [...words, null] };
}

/** The scratchpads that can be written in this reply. */
export function notes(...pads: readonly ('main_scratch' | 'meeting_scratch')[]): WireSchema {
  return record(Object.fromEntries(pads.map((pad) => [pad, textOrNull])));
}

/** The six fields of the design. The schema lists all seats, dead ones too, so it is the same in every meeting. */
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
