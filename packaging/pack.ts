/**
 * Makes a package ready to be packed, and puts the repository back. npm calls it in the folder of the package around
 * `npm pack` and `npm publish`: `pack.ts before`, then `pack.ts after`.
 *
 * Before, the sources are compiled to `dist/`, next to what the program reads besides its code, and `package.json`
 * becomes the published one. After, it is the one of the repository again.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createPublishedManifest } from './manifest.ts';
import { writeResources } from './resources.ts';

const MANIFEST = 'package.json';
/** The manifest of the repository, while the published one is in its place. */
const KEPT = '.package.repository.json';

const [when] = process.argv.slice(2);
if (when === 'before') await before();
else if (when === 'after') putManifestBack();
else throw new Error(`expected before or after, found ${when ?? 'nothing'}`);

async function before(): Promise<void> {
  // A run that was killed has left the published one.
  putManifestBack();
  const published = createPublishedManifest(readFileSync(MANIFEST, 'utf8'));
  rmSync('dist', { recursive: true, force: true });
  compile();
  if (existsSync('cli')) await writeResources('dist');
  renameSync(MANIFEST, KEPT);
  writeFileSync(MANIFEST, `${JSON.stringify(published, null, 2)}\n`);
}

function putManifestBack(): void {
  if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
}

function compile(): void {
  // Standard output is npm's: with --json it prints the result there.
  const { status } = spawnSync('tsc', ['-p', 'tsconfig.package.json'], {
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('the sources do not compile, see above');
}
