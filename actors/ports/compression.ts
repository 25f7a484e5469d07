import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Compression } from './ports.ts';

const deflate = promisify<string, Buffer>(deflateRaw);
const inflate = promisify<Uint8Array, { readonly maxOutputLength: number }, Buffer>(inflateRaw);

export const realCompression: Compression = {
  pack: (text) => deflate(text),
  unpack: (packed, mostBytes) => inflate(packed, { maxOutputLength: mostBytes }).catch(() => null),
};
