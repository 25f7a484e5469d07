/**
 * npm calls this in the package's folder around packing and publishing. `pack.ts before` compiles the sources to
 * `dist/`, adds the resources that the program reads, and installs the published `package.json`. `pack.ts after`
 * restores the repository's. If npm is killed in between, the published one stays until you run `node scripts/pack.ts
 * after` there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { writeCheckerPage } from '../visualizer/page/build/pages.ts';
import { createPublishedManifest } from './manifest.ts';
import { writeResources } from './resources.ts';
import { explainFailure } from './run.ts';

const MANIFEST = 'package.json';
/** The manifest of the repository, while the published one is in its place. */
const KEPT = '.package.repository.json';

/** Scripts are in the manifest of the repository alone; a manifest that is half written has to be judged, too. */
const SCRIPTS = /"scripts"\s*:/;

const [when] = process.argv.slice(2);
if (when === 'before') await before();
else if (when === 'after') putManifestBack();
else throw new Error(`expected before or after, found ${when ?? 'nothing'}`);

async function before(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      putManifestBack();
      process.exit(1);
    });
  }
  // A run that was killed may have left the published one.
  putManifestBack();
  const published = createPublishedManifest(readFileSync(MANIFEST, 'utf8'));
  rmSync('dist', { recursive: true, force: true });
  compile();
  if (existsSync('cli')) await writeResources('dist');
  else await writeCheckerPage();
  renameSync(MANIFEST, KEPT);
  writeFileSync(MANIFEST, `${JSON.stringify(published, null, 2)}\n`);
  // Signals that came meanwhile are heard now.
  await new Promise((resolve) => setImmediate(resolve));
}

/** Puts the kept manifest back, unless the one in its place has scripts: then it is the repository's, and newer. */
function putManifestBack(): void {
  if (!existsSync(KEPT)) return;
  if (existsSync(MANIFEST) && SCRIPTS.test(readFileSync(MANIFEST, 'utf8'))) {
    rmSync(KEPT);
    console.error(
      `${MANIFEST} has scripts, so it is the one of the repository: it stays, and ${KEPT} was deleted.`,
    );
  } else renameSync(KEPT, MANIFEST);
}

function compile(): void {
  // Standard output is npm's: with --json it prints the result there.
  const result = spawnSync('tsc', ['-p', 'tsconfig.package.json'], {
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  const failure = explainFailure('tsc -p tsconfig.package.json', result);
  if (failure !== null) throw new Error(failure);
}
