/** Installs both packages in an empty folder, as a new user would. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { run } from './run.ts';

/** Installs tarballs (absolute paths) in a new folder. That of `node` comes first in PATH, so that npx runs it too. */
export function install(
  tarballs: readonly string[],
  folder: string,
  node: string = process.execPath,
) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "stranger", "private": true }\n');
  run('npm', ['install', '--prefer-offline', ...tarballs], folder);
  const PATH = `${dirname(node)}${delimiter}${process.env['PATH']}`;
  return {
    folder,
    /** Standard output of `npx glassbox` with these words. */
    glassbox: (...words: readonly string[]) =>
      run('npx', ['--no-install', 'glassbox', ...words], folder, { PATH }),
    /** Standard output of a program in JavaScript that may import the packages. */
    runProgram: (name: string, code: string) => {
      writeFileSync(join(folder, name), code);
      return run(node, [name], folder, { PATH });
    },
  };
}

/** The examples in JavaScript of a page of the documentation, as they are written there. */
export function readExamples(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^```js\r?\n(.*?)^```/gms)].map(([, code = '']) => code);
}

/** Proves with the checker that a light of two states never stops, and prints `proved`. */
export const CHECK_OF_A_LIGHT = `import { setup } from 'xstate';
import { check } from 'glass-box-checker';
const light = setup({}).createMachine({ initial: 'red', states: { red: { on: { go: 'green' } }, green: { on: { stop: 'red' } } } });
const found = check({ name: 'light', machine: light, world: () => [{ type: 'go' }, { type: 'stop' }], properties: [{ name: 'live', sentence: 'It never stops.', kind: 'deadlock-free' }] });
console.log(found.results[0].verdict.type);
`;
