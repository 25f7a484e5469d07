/** Versions: what changes how games go raises the version that results carry. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BELIEFS_VERSION, ENGINE, VERSIONS, writeEngineVersion } from '../machines/versions.ts';
import manifest from '../package.json' with { type: 'json' };
import { expectGolden } from './support/golden.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const KEPT = 'tests/golden/versions.json';

/** The hash of the files that show a version's behaviour. */
function digest(pattern: string): string {
  const files = globSync(pattern, { cwd: ROOT }).toSorted();
  expect(files.length).toBeGreaterThan(2);
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n${readFileSync(`${ROOT}/${file}`, 'utf8')}\n`);
  return hash.digest('hex');
}

/** Prompts are held by their goldens; rules and minds by whole games that were recorded. */
const SHOWN = {
  prompts: { versions: `prompts${VERSIONS.prompts}`, digest: digest('tests/golden/*.txt') },
  beliefs: { versions: `beliefs${BELIEFS_VERSION}`, digest: digest('tests/golden/beliefs/*.txt') },
  games: {
    versions: `rules${VERSIONS.rules}.minds${VERSIONS.minds}`,
    digest: digest('tests/games/*.txt'),
  },
};

test('changed prompts or games raise their version', () => {
  const file = `${ROOT}/${KEPT}`;
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  for (const [name, { versions, digest: now }] of Object.entries(SHOWN)) {
    const before = kept[name];
    if (before === undefined || before.digest === now) continue;
    const advice = `${name} changed: raise ${name === 'games' ? 'rules or minds' : name} in machines/versions.ts`;
    expect(before.versions, advice).not.toBe(versions);
  }
  expectGolden(KEPT, `${JSON.stringify(SHOWN, null, 2)}\n`);
});

test('the engine version includes every part', () => {
  const { rules, prompts, minds } = VERSIONS;
  expect(writeEngineVersion('0.1.0')).toBe(`0.1.0+rules${rules}.prompts${prompts}.minds${minds}`);
});

test('a journal names the package version', () => {
  expect(ENGINE).toBe(writeEngineVersion(manifest.version));
});
