/**
 * Blocks: the pieces of which a prompt is made, in the order in which they are sent.
 *
 * What everybody shares comes first and never changes: rules, then the transcript, one block for each line. A block
 * once sent is sent again to the byte, so that a provider pays for it once. What belongs to one player or to one tick
 * comes last.
 */

export type Block = {
  readonly text: string;
  /** The same for every player and for every later tick of this occasion: a provider may cache up to here. */
  readonly stable: boolean;
};

/** Everything about a prompt but what it is for. */
export type Parts = {
  /** Rules that all players share. */
  readonly system: readonly Block[];
  /** The transcript, which only grows, then what is for this player and this tick. */
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

export type WireType = 'string' | 'integer';

export function shared(text: string): Block {
  return { text, stable: true };
}

export function own(text: string): Block {
  return { text, stable: false };
}

/** Sections with an empty line between them; those that are empty are left out. */
export function sections(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Lines under a heading; nothing at all where there are no lines. */
export function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`# ${heading}`, ...lines].join('\n');
}

/** The text that a model reads. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join('');
}

/** Words in a row: "red", "red and blue", "red, blue and green". */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
