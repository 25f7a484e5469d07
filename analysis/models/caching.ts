/**
 * What a provider takes from its cache, counted as providers count.
 *
 * A provider caches the beginning of a prompt, in steps of 128 tokens and from 1,024 tokens on. OpenAI puts the schema of
 * the reply in front of the prompt, so another schema is another beginning; without it the first block comes first. A
 * token is taken as four bytes, as everywhere in the project until an endpoint gives its own count.
 */
import { createHash } from 'node:crypto';
import { joinBlocks } from '../../prompts/block.ts';
import type { Prompt } from '../../prompts/prompt.ts';

export const BYTES_PER_TOKEN = 4;
export const LEAST_CACHED = 1024;
export const CACHE_STEP = 128;

/** Tokens of one prompt: all of them, and those that the provider has. */
export type CachedTokens = { readonly prompt: number; readonly cached: number };

/** Where a provider puts the schema of the reply. */
export type SchemaPlace = 'in-front' | 'elsewhere';

/** The beginnings that one model has been sent. */
export class PrefixCache {
  readonly #schema: SchemaPlace;
  readonly #known = new Set<string>();

  constructor(schema: SchemaPlace) {
    this.#schema = schema;
  }

  /**
   * Counts prompts that are sent at one moment, as the players of a tick are asked: none of them can use what only another
   * of them has brought.
   */
  count(prompts: readonly Prompt[]): readonly CachedTokens[] {
    const sent = prompts.map((prompt) => this.#read(prompt));
    for (const { keys } of sent) for (const key of keys) this.#known.add(key);
    return sent.map(({ prompt, cached }) => ({ prompt, cached }));
  }

  #read(prompt: Prompt): CachedTokens & { readonly keys: readonly string[] } {
    const text = joinBlocks([...prompt.system, ...prompt.user]);
    const schema = this.#schema === 'in-front' ? JSON.stringify(prompt.schema) : '';
    const bytes = Buffer.from(schema + text);
    const keys = hashPrefixes(bytes);
    const steps = keys.findLastIndex((key) => this.#known.has(key));
    return {
      prompt: estimateTokens(bytes),
      cached: steps < 0 ? 0 : LEAST_CACHED + steps * CACHE_STEP,
      keys,
    };
  }
}

/** A name for each beginning that can be cached, the shortest first. */
function hashPrefixes(bytes: Buffer): readonly string[] {
  const keys: string[] = [];
  const hash = createHash('sha256');
  let from = 0;
  for (let tokens = LEAST_CACHED; tokens * BYTES_PER_TOKEN <= bytes.length; tokens += CACHE_STEP) {
    hash.update(bytes.subarray(from, tokens * BYTES_PER_TOKEN));
    from = tokens * BYTES_PER_TOKEN;
    keys.push(hash.copy().digest('base64'));
  }
  return keys;
}

function estimateTokens(text: Uint8Array): number {
  return Math.ceil(text.length / BYTES_PER_TOKEN);
}
