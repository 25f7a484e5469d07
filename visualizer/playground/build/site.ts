/**
 * Builds the site: the playground and the documents, as static files in visualizer/playground/dist/ or in the folder that is named.
 *
 * `npm run site`, or `npm run site -- FOLDER`; the folder is emptied first.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleSite } from './bundle.ts';
import { writeDocuments } from './documents.ts';
import { ROOT } from './ports.ts';

/** What a site that was built here has, and hardly anything else. */
const MARK = 'docs/search.json';

/** Builds into a folder; returns how many documents there are. Throws where the folder holds something else. */
export async function buildSite(folder: string): Promise<number> {
  const isOurs = existsSync(join(folder, MARK));
  if (existsSync(folder) && !isOurs && readdirSync(folder).length > 0) {
    throw new Error(`expected an empty folder, or one with a site in it, found ${folder}`);
  }
  return writeDocuments(folder, await bundleSite(folder));
}

if (import.meta.main) {
  try {
    const { positionals } = parseArgs({ allowPositionals: true });
    if (positionals.length > 1) throw new Error(`expected one folder, found ${positionals.length}`);
    const folder = resolve(positionals[0] ?? join(ROOT, 'visualizer/playground/dist'));
    const pages = await buildSite(folder);
    console.log(`The playground and ${pages} documents are in ${folder}.`);
    console.log(`See them: python3 -m http.server --directory ${JSON.stringify(folder)}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
