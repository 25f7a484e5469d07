/**
 * Generated files, and generated parts of pages, that are kept in the repository. A test compares them. With
 * GOLDEN=write (`npm run golden`) it writes them, and the diff is ready for review.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

export function expectGolden(path: string, text: string): void {
  const file = fileURLToPath(new URL(path, ROOT));
  if (process.env['GOLDEN'] === 'write') writeFileSync(file, text);
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : null;
  expect(kept, `${path} is out of date: run "npm run golden" and review the difference`).toBe(text);
}

/** The text of a page between `<!-- name -->` and `<!-- end -->`, each on its own line. */
export function expectGoldenPart(path: string, name: string, text: string): void {
  const page = readFileSync(new URL(path, ROOT), 'utf8');
  const start = `<!-- ${name} -->\n`;
  const [before, rest] = [page.split(start)[0], page.split(start)[1]];
  const end = rest?.indexOf('<!-- end -->') ?? -1;
  if (rest === undefined || end < 0) throw new Error(`${path} has no part <!-- ${name} -->`);
  expectGolden(path, `${before}${start}${text}${rest.slice(end)}`);
}
