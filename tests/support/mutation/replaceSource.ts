/**
 * Loaded before a program (`node --import`): one source is read with one of its texts replaced, and nothing is changed on
 * disk. The environment says which: PLANTED is a list, in JSON, of its path and both texts.
 */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const [path = '', find = '', replace = ''] = JSON.parse(process.env['PLANTED'] ?? '[]') as string[]; // as `planted.ts` writes it
const target = pathToFileURL(path).href;

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (url !== target) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString(); // a file of ours is read as bytes
    return { ...loaded, source: replaceOnce(source) };
  },
});

/** A text that is not there, or not alone, would plant nothing or more than one thing. */
function replaceOnce(source: string): string {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`expected ${JSON.stringify(find)} once in ${path}`);
  return `${before}${replace}${after}`;
}
