/** The regular expressions of a module: the literals in it, and those created while it loads. */
import { readFileSync } from 'node:fs';
import { parseAst } from 'vite';

export async function findRegexes(path: string): Promise<readonly RegExp[]> {
  const file = new URL(`../../${path}`, import.meta.url);
  const found: RegExp[] = [];
  collect(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }), found);
  // Loads the imports of the module first, so that only the module itself is recorded.
  await import(file.pathname);
  const ordinary = globalThis.RegExp;
  globalThis.RegExp = new Proxy(ordinary, {
    construct(target, given: [string, string?]) {
      const made = new target(...given);
      found.push(made);
      return made;
    },
  });
  try {
    await import(`${file.pathname}?heard`);
  } finally {
    globalThis.RegExp = ordinary;
  }
  return found;
}

function collect(node: unknown, found: RegExp[]): void {
  if (typeof node !== 'object' || node === null) return;
  if ('regex' in node && typeof node.regex === 'object' && node.regex !== null) {
    const { pattern, flags } = { pattern: '', flags: '', ...node.regex };
    found.push(new RegExp(pattern, flags));
  }
  for (const part of Object.values(node)) collect(part, found);
}
