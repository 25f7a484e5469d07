/** Start-up: a command loads only the modules that it needs. The counts have a tolerance of a few modules. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testLong } from '../support/seeds.ts';
import { aFolder } from './shell.ts';

const LAUNCHER = fileURLToPath(new URL('../../cli/launcher.js', import.meta.url));
const COUNTER = new URL('../support/countModules.js', import.meta.url).href;

const counts = z.record(z.string(), z.number());

/** The number of modules that a command loads: our own as `own`, and those from each package. */
function loaded(args: readonly string[]): z.infer<typeof counts> {
  const { stderr } = spawnSync(process.execPath, ['--import', COUNTER, LAUNCHER, ...args], {
    cwd: aFolder(),
    encoding: 'utf8',
    env: { ...process.env, npm_lifecycle_event: '' },
  });
  return counts.parse(JSON.parse(stderr.trim().split('\n').at(-1) ?? ''));
}

test.runIf(process.getuid !== undefined)(
  'compiled code is kept only where no other user can put another folder in its place',
  () => {
    const home = aFolder();
    const cache = join(home, '.cache');
    const start = (mode: number) => {
      chmodSync(cache, mode);
      const env = { ...process.env, HOME: home, NODE_COMPILE_CACHE: undefined };
      expect(spawnSync(process.execPath, [LAUNCHER, '--version'], { env }).status).toBe(0);
      return readdirSync(join(cache, 'glassbox')).length;
    };
    mkdirSync(cache);
    expect(start(0o777)).toBe(0);
    expect(start(0o755)).toBe(1);
  },
);

describe('a command loads', () => {
  test.each([
    ['--version', 11],
    ['--help', 11],
    ['run --help', 23],
    ['check --help', 23],
    ['completion --offers -- run --li', 28],
  ])('%s: its own words and commander', (line, most) => {
    const { own = 0, commander, ...others } = loaded(line.split(' '));
    expect(others).toEqual({});
    expect(commander).toBe(7);
    expect(own).toBeLessThanOrEqual(most);
  });

  testLong.each(['run --seed 7 -q --no-live', 'check --players 3 --rules house --property ends'])(
    '%s: no client of models, no store, no builder of pages',
    (line) => {
      const found = Object.keys(loaded(line.split(' ')));
      for (const name of ['openai', 'ioredis', 'bullmq', 'vite', 'elkjs', 'preact', 'yaml']) {
        expect(found).not.toContain(name);
      }
    },
  );

  test('view nowhere.jsonl: no machine and no stream', () => {
    const found = loaded(['view', 'nowhere.jsonl']);
    expect(Object.keys(found).toSorted()).toEqual(['commander', 'own', 'zod']);
    expect(found['own']).toBeLessThanOrEqual(70);
  });
});
