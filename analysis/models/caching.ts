/**
 * Simulates the prompt cache of a provider, which caches the beginning of a prompt in steps. OpenAI puts the reply
 * schema before the prompt, so another schema changes the beginning.
 */
import { createHash } from 'node:crypto';
import { joinBlocks } from '../../prompts/block.ts';
import type { Prompt } from '../../prompts/prompt.ts';

/** An estimate, until an endpoint reports its own count. */
export const BYTES_PER_TOKEN = 4;
export const LEAST_CACHED = 1024;
export const CACHE_STEP = 128;

export type CachedTokens = { readonly prompt: number; readonly cached: number };

/** Where a provider puts the reply schema. */
export type SchemaPlace = 'in-front' | 'elsewhere';

export class PrefixCache {
  readonly #schema: SchemaPlace;
  readonly #known = new Set<string>();

  constructor(schema: SchemaPlace) {
    this.#schema = schema;
  }

  /** Counts prompts that are sent at the same time and cannot use each other's cache entries. */
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
      prompt: Math.ceil(bytes.length / BYTES_PER_TOKEN),
      cached: steps < 0 ? 0 : LEAST_CACHED + steps * CACHE_STEP,
      keys,
    };
  }
}

/** A key for each beginning that can be cached, the shortest first. */
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
