/**
 * Blocks: the pieces of a prompt, in the order in which they are sent. A provider caches a prompt up to the first byte
 * that differs, so long-lived blocks come first: rules and record, which all players share, then the player's knowledge
 * for the meeting, the transcript with a block for each line, and the part of one tick. A sent block never changes.
 */
import { LONGEST_MESSAGE } from './clean.ts';

export type Block = {
  readonly text: string;
  /** The player's next request of this kind has the same block, so a provider may cache up to here. */
  readonly stable: boolean;
};

export type PromptParts = {
  readonly system: readonly Block[];
  readonly user: readonly Block[];
  /** The same in the whole game: some providers put it before the prompt, and a second one would break their cache. */
  readonly schema: WireSchema;
  /** Offers only what the rules accept in this request, for servers that put no schema into the prompt. */
  readonly schemaNow?: WireSchema;
  readonly schemaName: string;
  /** Most tokens of the reply. A model that reasons aloud needs more. */
  readonly maxTokens: number;
};

export type WireSchema = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, WireField>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
};

export type WireField =
  | WireSchema
  | ({
      readonly type: WireType | readonly [WireType, 'null'];
      readonly enum?: readonly (string | null)[];
      readonly description?: string;
    } & SchemaBounds)
  | ({
      readonly type: 'array';
      readonly items: { readonly type: 'string' } & SchemaBounds;
      readonly description?: string;
    } & SchemaBounds);

/** Keywords that end the answer of a model that writes without end. An endpoint may refuse them. */
export const BOUNDS = /^(?:maxLength|minimum|maximum)$/;
type SchemaBounds = Readonly<{ maxLength?: number; minimum?: number; maximum?: number }>;

type WireType = 'string' | 'integer' | 'number';

export function createStableBlock(text: string): Block {
  return { text, stable: true };
}

export function createPassingBlock(text: string): Block {
  return { text, stable: false };
}

/** Writes a text once for each object and variant. Views share most of their objects from request to request. */
export function remember<K extends object, V, A extends readonly unknown[]>(
  write: (key: K, ...rest: A) => V,
): (key: K, ...rest: A) => V {
  const known = new WeakMap<K, { readonly rest: A; readonly text: V }>();
  return (key, ...rest) => {
    const last = known.get(key);
    const isSame =
      last?.rest.length === rest.length && rest.every((one, at) => one === last.rest[at]);
    if (last !== undefined && isSame) return last.text;
    const text = write(key, ...rest);
    known.set(key, { rest, text });
    return text;
  };
}

export function joinSections(...texts: readonly string[]): string {
  let joined = '';
  for (const text of texts) if (text !== '') joined += joined === '' ? text : `\n\n${text}`;
  return joined;
}

/** Empty lines are left out, and a section without lines too. */
export function writeSection(heading: string, lines: readonly string[]): string {
  let written = '';
  for (const line of lines) if (line !== '') written += `\n${line}`;
  return written === '' ? '' : `# ${heading}${written}`;
}

export function joinBlocks(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join('');
}

/*
 * Schemas of replies, in a dialect that all endpoints accept: every key required, null for nothing, `enum` instead of
 * `const`, and no patterns or references. The thought comes first, so that a model thinks before it decides.
 */

export function record(properties: Readonly<Record<string, WireField>>): WireSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/* In characters. llama.cpp refuses more than 2,000. */
export const thought: WireField = { type: 'string', maxLength: 400 };
export const message: WireField = { type: 'string', maxLength: LONGEST_MESSAGE };
export const LONGEST_NOTE = 1500;

export const desire: WireField = { type: 'integer', minimum: 0, maximum: 10 };
/** From 0 to 1. The schema does not say so. */
export const probability: WireField = { type: 'number' };

export function oneOf(words: Iterable<string>): WireField {
  return { type: ['string', 'null'], enum: [...words, null] };
}

export function notes(...pads: readonly ('main_scratch' | 'meeting_scratch')[]): WireSchema {
  const page: WireField = { type: ['string', 'null'], maxLength: LONGEST_NOTE };
  return record(Object.fromEntries(pads.map((pad) => [pad, page])));
}

/** The six fields of the design, with those who can be addressed and what can be voted for. */
export function buildTalkSchema(
  targets: readonly string[],
  votes: readonly string[] = [...targets, 'skip'],
): WireSchema {
  return record({
    internal_thought: thought,
    desire_to_speak: desire,
    message,
    target: oneOf(targets),
    vote_action: oneOf(votes),
    scratchpad_updates: notes('meeting_scratch'),
  });
}
