/** Versions: what changes how games go raises the version that results carry. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fillGameOptions } from '../machines/rules/options.ts';
import { COLOURS, RULE_SETS } from '../machines/types.ts';
import {
  BELIEFS_VERSION,
  ENGINE,
  OLDEST_RULES,
  VERSIONS,
  writeEngineVersion,
} from '../machines/versions.ts';
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

const KEPT_DEFAULTS = 'tests/golden/defaults.json';

/** The defaults of a version of the rules, or those of new matches, by rule set and number of players. */
function defaultsOf(version?: number): Readonly<Record<string, object>> {
  const tables = RULE_SETS.flatMap((rules) =>
    [4, 7, 9, 10, 15].map((players) => ({ rules, players })),
  );
  return Object.fromEntries(
    tables.map(({ rules, players }) => {
      const match = { options: { rules }, seats: COLOURS.slice(0, players).map(() => ({})) };
      return [`${rules} ${players}`, fillGameOptions(match, version)];
    }),
  );
}

test('a changed default raises the version of the rules and stays known as an earlier one', () => {
  const file = `${ROOT}/${KEPT_DEFAULTS}`;
  const kept: object = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  for (const [rules, defaults] of Object.entries(kept)) {
    if (Number(rules) < OLDEST_RULES) continue;
    const advice = `a default of rules ${rules} changed: raise rules in machines/versions.ts and keep the old default in "earlier"`;
    expect(defaultsOf(Number(rules)), advice).toMatchObject(defaults);
  }
  const advice = 'expected new matches to have the defaults of the current rules: raise rules';
  expect(defaultsOf(), advice).toEqual(defaultsOf(VERSIONS.rules));
  const versions = Array.from(
    { length: VERSIONS.rules - OLDEST_RULES + 1 },
    (_, at) => OLDEST_RULES + at,
  );
  const now = Object.fromEntries(versions.map((version) => [version, defaultsOf(version)]));
  expectGolden(KEPT_DEFAULTS, `${JSON.stringify(now, null, 2)}\n`);
});

test('the engine version names the program, rules, prompts and minds', () => {
  const { rules, prompts, minds } = VERSIONS;
  expect(writeEngineVersion('0.1.0')).toBe(`0.1.0+rules${rules}.prompts${prompts}.minds${minds}`);
});

test('a journal names the package version', () => {
  expect(ENGINE).toBe(writeEngineVersion(manifest.version));
});
