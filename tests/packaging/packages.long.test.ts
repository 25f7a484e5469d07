/**
 * Both packages, packed and installed in an empty folder, where a stranger uses them. Their dependencies come from the
 * registry of npm; where it cannot be reached the installed part is skipped, and fails with CI=true.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { packAll } from '../../scripts/copy.ts';
import { CHECK_OF_A_LIGHT, install, readExamples } from '../../scripts/install.ts';
import { createPublishedManifest } from '../../scripts/manifest.ts';
import { aFolder, glassbox } from '../cli/shell.ts';
import { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'glassbox-packages-'));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const tarballs = packAll(FOLDER);
const isOnline = spawnSync('npm', ['ping']).status === 0;
if (!isOnline && process.env['CI'] !== 'true') {
  console.log('skipped: the registry of npm cannot be reached, so nothing is installed (npm ping)');
}

describe('a package', () => {
  test.each(tarballs)('$name: has compiled files and their types, and nothing else', (tarball) => {
    const endings = tarball.files.filter((path) => !/\.(?:js|d\.ts)$/.test(path));
    const kinds = new Set(endings.map((path) => path.replace(/^.*[./]/, '')));
    const known = ['LICENSE', 'html', 'json', 'md', 'svg', 'ttf', 'txt', 'yaml'];
    expect([...kinds].filter((kind) => !known.includes(kind))).toEqual([]);
    expect(tarball.files.filter((path) => /(?:^|\/)tests?\//.test(path))).toEqual([]);
    expect(tarball.files).toContain('README.md');
    expect(tarball.size).toBeLessThan(3_000_000);
  });

  test.each(tarballs)('$name: publint and Are the types wrong? find nothing', ({ path }) => {
    const lint = spawnSync('publint', ['run', path, '--strict'], { encoding: 'utf8' });
    expect(lint.stdout).toContain('All good!');
    const types = spawnSync('attw', [path, '--profile', 'esm-only', '--no-color'], {
      encoding: 'utf8',
    });
    expect({ status: types.status, out: types.status === 0 ? '' : types.stdout }).toEqual({
      status: 0,
      out: '',
    });
  });

  test('has exports that lead to files, with types, and does not bring Node.js along', () => {
    for (const [folder, tarball] of [
      ['checker', tarballs[0]],
      ['.', tarballs[1]],
    ] as const) {
      const text = readFileSync(join(folder, 'package.json'), 'utf8');
      const manifest = createPublishedManifest(text);
      expect(manifest).not.toHaveProperty('optionalDependencies');
      expect(manifest).not.toHaveProperty('scripts');
      const { './package.json': _own, ...exported } = manifest['exports'] as Record<string, object>; // made two lines above
      const files = Object.values(exported).flatMap((paths) => Object.values(paths));
      expect(files.length).toBeGreaterThan(0);
      for (const path of files) expect(tarball?.files).toContain(String(path).slice(2));
    }
  });
});

describe.runIf(isOnline || process.env['CI'] === 'true')('a stranger', () => {
  const stranger = install(
    tarballs.map(({ path }) => path),
    join(FOLDER, 'stranger'),
  );

  test('plays a game, replays it, writes it as a page, and checks the meeting', () => {
    expect(stranger.glassbox('--version').trim()).toBe(tarballs[1]?.version);
    expect(stranger.glassbox('run', '--seed', '7', '--no-live', '-q')).toContain('game 1  seed 7');
    expect(stranger.glassbox('verify', 'journals/game-7.jsonl')).toContain('the same:');
    stranger.glassbox('export', 'journals/game-7.jsonl', '-o', 'game.html');
    expect(readFileSync(join(stranger.folder, 'game.html'), 'utf8')).toContain('<script');
    const checked = stranger.glassbox(
      'check',
      '--players',
      '3',
      '--rules',
      'house',
      '--property',
      'ends',
    );
    expect(checked).toContain('all as declared');
    expect(stranger.glassbox('chart', '--format', 'svg')).toContain('<svg');
    expect(stranger.glassbox('run', '-n', '2', '--jobs', '2', '--seed', '3', '-q')).toContain(
      '2 games',
    );
  });

  test.each(readExamples('docs/commands.md').map((code, index) => [index + 1, code] as const))(
    'runs example %i of docs/commands.md as it is written',
    (index, code) => {
      const printed = stranger.runProgram(`example-${index}.mjs`, code);
      expect(printed).toMatch(/^\{\s+type: '(?:game|same)'/m);
    },
  );

  test('finds examples in docs/commands.md', () => {
    expect(readExamples('docs/commands.md').length).toBeGreaterThanOrEqual(2);
  });

  const program = join(stranger.folder, 'node_modules/glass-box-league/cli/launcher.js');

  test('plays a game of language models', async () => {
    const endpoint = await FakeEndpoint.open();
    const flags = ['--model', 'gemma', '--base-url', endpoint.baseUrl, '--players', '5'];
    const line = ['run', '--seed', '6', '-q', '--out', 'out', ...flags];
    const { exit, out } = await glassbox(line, { cwd: aFolder(), program });
    await endpoint.close();
    expect(exit).toBe(0);
    expect(out).toContain('game 1  seed 6');
  });

  test('is told which packages a Redis needs', async () => {
    const line = ['league', 'status', '--store', 'redis://127.0.0.1:1'];
    const { exit, err } = await glassbox(line, { cwd: aFolder(), program });
    expect(exit).toBe(78);
    expect(err).toMatch(/npm install bullmq@[\d.]+ ioredis@[\d.]+ \[store\/no-redis-package\]/);
  });

  test('is told which package a card needs', async () => {
    const line = ['export', 'journals/game-7.jsonl', '--card', 'wide'];
    const { exit, err } = await glassbox(line, { cwd: stranger.folder, program });
    expect(exit).toBe(78);
    expect(err).toMatch(/npm install @resvg\/resvg-js@[\d.]+ \[export\/no-card-package\]/);
  });

  test('reads hints that can be typed there', async () => {
    const { err } = await glassbox(['run', '--sede', '7'], { cwd: aFolder(), program });
    expect(err).toContain('For help: npx glassbox run --help');
    const { out } = await glassbox(['--help'], { cwd: aFolder(), program });
    expect(out).not.toContain('npm -s start');
  });

  test('proves a machine of their own, by import', () => {
    expect(stranger.runProgram('check.mjs', CHECK_OF_A_LIGHT).trim()).toBe('proved');
  });

  test('gets types, also with every declaration checked', () => {
    const code = `import { type Lens, type Mind, meetingMachine, parseLens, startMatch } from 'glass-box-league';
import { floor, statistics } from 'glass-box-league/unstable';
import { check } from 'glass-box-checker';
const mind: Mind = { pace: 'at-once', answer: () => ({ ok: false, code: 'mind/silent', text: '' }) };
const lens: Lens | null = parseLens('table');
startMatch({ minds: { red: mind } }).result.then((result): string => result.type);
// @ts-expect-error there is no such seat
startMatch({ minds: { beige: mind } });
console.log(meetingMachine, lens, statistics, floor, check);
`;
    writeFileSync(join(stranger.folder, 'types.mts'), code);
    const tsc = join(process.cwd(), 'node_modules/.bin/tsc');
    const types = join(process.cwd(), 'node_modules/@types');
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'];
    const { stdout } = spawnSync(
      tsc,
      [...flags, '--typeRoots', types, '--types', 'node', 'types.mts'],
      { cwd: stranger.folder, encoding: 'utf8' },
    );
    expect(stdout).toBe('');
  });
});

describe('the launcher', () => {
  test.each([
    ['in a package', false, 'Install it from https://nodejs.org.'],
    ['in the repository', true, 'On Linux "npm ci" brings one and "npm start" uses it'],
  ])('%s says which Node.js it needs, and what to do', (_, isRepository, advice) => {
    const folder = mkdtempSync(join(FOLDER, 'old-'));
    cpSync('cli/launcher.js', join(folder, 'cli/launcher.js'));
    const manifest = { type: 'module', engines: { node: '^998.2 || >=999.1' } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    if (isRepository) writeFileSync(join(folder, 'cli/glassbox.ts'), 'this is no: code');
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'cli/launcher.js')], {
      encoding: 'utf8',
    });
    expect(status).toBe(78);
    expect(stderr).toContain(
      `glassbox: expected Node.js 998.2 or a later 998.x, or 999.1 or newer, found ${process.versions.node}. ${advice}`,
    );
    expect(stderr.trim()).toMatch(/\[node\/too-old\]$/);
    expect(stderr).not.toContain('at ');
  });
});
