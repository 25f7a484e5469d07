/** The regular expressions of a module: those that stand in it, and those that it makes when it is loaded. */
import { readFileSync } from 'node:fs';
import { parseAst } from 'vite';

/** `path` begins at the repository. What is made of a message's own words while it is read is not among them. */
export async function findRegexes(path: string): Promise<readonly RegExp[]> {
  const file = new URL(`../../${path}`, import.meta.url);
  const found: RegExp[] = [];
  collect(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }), found);
  // What the module stands on is loaded first, so that it is the module alone that is heard.
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
