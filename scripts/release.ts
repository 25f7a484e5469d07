/** `npm run release:dry`: does everything of a release except publishing. The tarballs stay in `release/`. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packAll, type Tarball } from './copy.ts';
import { run } from './run.ts';

/** The most that a tarball may have, in bytes. */
const LARGEST = 3_000_000;
const FOLDER = 'release';

step('the versions agree, and the changelog has an entry', checkVersions);
rmSync(FOLDER, { recursive: true, force: true });
const tarballs = step('both packages are packed', () => packAll(FOLDER));
for (const tarball of tarballs) {
  step(`${tarball.name}: ${tarball.size} bytes, ${tarball.files.length} files`, () =>
    checkContents(tarball),
  );
  step(`${tarball.name}: publint`, () => run('publint', ['run', tarball.path, '--strict'], '.'));
  step(`${tarball.name}: are the types wrong?`, () =>
    run('attw', [tarball.path, '--profile', 'esm-only', '--no-color'], '.'),
  );
}
step('both packages work in an empty folder', () =>
  run('node', ['scripts/trial.ts', ...tarballs.map(({ path }) => path)], '.'),
);
console.log(
  `\nReady to publish:\n${tarballs.map(({ path }) => `  npm publish ${path}`).join('\n')}`,
);

function step<T>(name: string, act: () => T): T {
  try {
    const result = act();
    console.log(`✓ ${name}`);
    return result;
  } catch (error) {
    console.error(`✗ ${name}\n${error instanceof Error ? error.message : error}`);
    return process.exit(1);
  }
}

function checkVersions(): void {
  const [league, checker] = ['.', 'checker'].map((folder) =>
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  const needed = league.dependencies[checker.name];
  if (needed !== checker.version)
    throw new Error(`expected ${checker.name} ${checker.version} in package.json, found ${needed}`);
  if (!new RegExp(`^## ${league.version}\\b`, 'm').test(readFileSync('CHANGELOG.md', 'utf8')))
    throw new Error(`expected "## ${league.version}" in CHANGELOG.md, found no such heading`);
}

function checkContents({ size, files }: Tarball): void {
  if (size > LARGEST) throw new Error(`expected at most ${LARGEST} bytes, found ${size}`);
  const strange = files.filter((path) => /(?:^|\/)tests?\/|\.tsx?$(?<!\.d\.ts)|\.map$/.test(path));
  if (strange.length > 0) throw new Error(`expected no sources and tests, found ${strange}`);
}
