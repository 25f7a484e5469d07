/** Simulates a provider's cache of the beginnings of prompts. OpenAI puts the reply schema before the prompt. */
import { createHash } from 'node:crypto';
import { joinBlocks } from '../../prompts/block.ts';
import type { Prompt } from '../../prompts/prompt.ts';

/** An estimate, until an endpoint reports its own count. */
export const BYTES_PER_TOKEN = 4;
export const LEAST_CACHED = 1024;
export const CACHE_STEP = 128;

export type CachedTokens = { readonly prompt: number; readonly cached: number };

export type SchemaPlace = 'in-front' | 'elsewhere';

/** Counts prompts that are sent at the same time and cannot use each other's cache entries. */
export type PrefixCache = (prompts: readonly Prompt[]) => readonly CachedTokens[];

export function createPrefixCache(place: SchemaPlace): PrefixCache {
  const known = new Set<string>();
  return (prompts) => {
    const sent: string[] = [];
    const counts = prompts.map(({ system, user, schema }) => {
      const front = place === 'in-front' ? JSON.stringify(schema) : '';
      const bytes = Buffer.from(front + joinBlocks([...system, ...user]));
      const keys = hashPrefixes(bytes);
      sent.push(...keys);
      const steps = keys.findLastIndex((key) => known.has(key));
      const cached = steps < 0 ? 0 : LEAST_CACHED + steps * CACHE_STEP;
      return { prompt: Math.ceil(bytes.length / BYTES_PER_TOKEN), cached };
    });
    for (const key of sent) known.add(key);
    return counts;
  };
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
