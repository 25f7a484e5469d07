/** Packing: the leftovers of a killed run are put right, and failures of other programs are named. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../scripts/run.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'glassbox-pack-'));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** What `pack.ts after` makes of a manifest and the kept one; null stands for no file. */
function packAfter(manifest: string | null, kept: string) {
  const folder = mkdtempSync(join(FOLDER, 'package-'));
  const paths = [join(folder, 'package.json'), join(folder, '.package.repository.json')] as const;
  if (manifest !== null) writeFileSync(paths[0], manifest);
  writeFileSync(paths[1], kept);
  const { status, stderr } = spawnSync(process.execPath, [resolve('scripts/pack.ts'), 'after'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return { manifest: readFileSync(paths[0], 'utf8'), isKept: existsSync(paths[1]), stderr };
}

const OURS = '{ "name": "a", "scripts": { "prepack": "b" } }';

describe('after packing', () => {
  test.each([
    ['is the published one', '{ "name": "a" }'],
    ['is half written', '{ "na'],
    ['is missing', null],
  ])('the manifest of the repository comes back when the one in its place %s', (_, manifest) => {
    expect(packAfter(manifest, OURS)).toMatchObject({ manifest: OURS, isKept: false });
  });

  test('a manifest with scripts stays, and the kept one is deleted with a note', () => {
    const edited = OURS.replace('"a"', '"edited"');
    const { stderr, ...after } = packAfter(edited, OURS);
    expect(after).toEqual({ manifest: edited, isKept: false });
    expect(stderr).toContain('.package.repository.json was deleted');
  });
});

describe('a command', () => {
  test('that is not there is named with the error of the system', () => {
    expect(() => run('no-such-program', ['--now'], '.')).toThrow(
      /^no-such-program --now could not be run: .*ENOENT$/,
    );
  });

  test('that fails is named with its exit code and all that it printed', () => {
    const code = 'console.log("one"); console.error("two"); process.exit(3)';
    expect(() => run(process.execPath, ['-e', code], '.')).toThrow(/ ended with 3\none\ntwo$/);
  });
});
