/**
 * Installs the tarballs that it is given in an empty folder and uses them: `node packaging/trial.ts TARBALL...`. It runs
 * on every Node.js that the packages support and needs no package itself.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { install } from './install.ts';

const folder = join(mkdtempSync(join(tmpdir(), 'glassbox-trial-')), 'stranger');
try {
  const { glassbox } = install(
    process.argv.slice(2).map((path) => resolve(path)),
    folder,
  );
  for (const words of [
    ['--version'],
    ['run', '--seed', '7', '--no-live', '--quiet'],
    ['replay', 'journals/game-7.jsonl'],
    ['export', 'journals/game-7.jsonl', '-o', 'game.html'],
    ['check', '--players', '3', '--rules', 'house', '--workers', '2'],
    ['chart', '--format', 'svg', '--out', 'meeting.svg'],
  ]) {
    glassbox(...words);
    console.log(`✓ node ${process.versions.node}: glassbox ${words.join(' ')}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
