/**
 * Installs the tarballs that it is given in an empty folder and uses them: `node scripts/trial.ts TARBALL...`. It runs
 * on every Node.js that the packages support and needs no package itself.
 */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CHECK_OF_A_LIGHT, install, readExamples } from './install.ts';

using folder = mkdtempDisposableSync(join(tmpdir(), 'glassbox-trial-'));
const { glassbox, runProgram } = install(
  process.argv.slice(2).map((path) => resolve(path)),
  join(folder.path, 'stranger'),
);
for (const words of [
  ['--version'],
  ['run', '--seed', '7', '--no-live', '--quiet'],
  ['verify', 'journals/game-7.jsonl'],
  ['export', 'journals/game-7.jsonl', '-o', 'game.html'],
  ['check', '--players', '3', '--rules', 'house'],
  ['chart', '--format', 'svg', '--out', 'meeting.svg'],
]) {
  glassbox(...words);
  succeed(`glassbox ${words.join(' ')}`);
}
const examples = readExamples('docs/commands.md');
if (examples.length === 0) throw new Error('expected examples in docs/commands.md, found none');
for (const [index, code] of examples.entries()) {
  runProgram(`example-${index + 1}.mjs`, code);
  succeed(`example ${index + 1} of docs/commands.md`);
}
const verdict = runProgram('check.mjs', CHECK_OF_A_LIGHT).trim();
if (verdict !== 'proved') throw new Error(`expected the verdict proved, found ${verdict}`);
succeed('a machine checked with glass-box-checker');

function succeed(what: string): void {
  console.log(`✓ node ${process.versions.node}: ${what}`);
}
