/** The corpus of old journals: what its manifest names, unpacked. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';

export const CORPUS = fileURLToPath(new URL('./', import.meta.url));

const manifestSchema = z.record(
  z.string(),
  z.strictObject({ shows: z.string(), sha256: z.string() }),
);

export const MANIFEST = manifestSchema.parse(
  JSON.parse(readFileSync(`${CORPUS}manifest.json`, 'utf8')),
);

export const fileOf = (name: string): string => `${CORPUS}${name}.jsonl.zst`;

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

export function readOld(name: string): string {
  return zstdDecompressSync(readFileSync(fileOf(name))).toString('utf8');
}
