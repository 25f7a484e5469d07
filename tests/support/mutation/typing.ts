/**
 * Which mutants a compiler refuses: they are dead before any test has run. All of a file are compiled at once, each as a
 * file beside it in a copy of the machines, so only the mutant itself is looked at and none of what imports it. That is
 * done for those that tests let live, one by one.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Mutant } from './mutate.ts';

/** What is left out of a mutant is unused then, or never reached: that is no error of types. */
const LENIENT = {
  noUnusedLocals: false,
  noUnusedParameters: false,
  allowUnreachableCode: true,
  allowUnusedLabels: true,
  verbatimModuleSyntax: false,
};

/** For each mutant, in order, whether it compiles. */
export function checkTypes(path: string, mutants: readonly Mutant[]): readonly boolean[] {
  const files = mutants.map((_, index) => join(dirname(path), `mutant${index}.${basename(path)}`));
  const folder = copyRooms(['machines'], { include: [], files });
  try {
    for (const [index, { source }] of mutants.entries())
      writeFileSync(join(folder, files[index] ?? ''), source);
    const refused = new Set<number>();
    for (const _ of mutants) {
      const { stdout, status } = compile(folder);
      const before = refused.size;
      for (const [, index, name] of stdout.matchAll(
        /^\S*\/mutant(\d+)\.(\S+?)\(\d+,\d+\): error/gm,
      ))
        if (name === basename(path)) refused.add(Number(index));
      if ((status === 0) !== (refused.size === before))
        throw new Error(`the compiler failed, but for no mutant: ${stdout.slice(0, 500)}`);
      // Where one does not even parse, the compiler looks at the types of none.
      if (!/: error TS1\d{3}: /.test(stdout)) break;
      for (const index of refused) writeFileSync(join(folder, files[index] ?? ''), 'export {};');
    }
    return mutants.map((_, index) => !refused.has(index));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Whether what imports a mutant compiles with it: the machines and their proofs. */
export class Importers {
  readonly #folder: string;

  constructor() {
    const include = ['machines', 'proofs'];
    this.#folder = copyRooms([...include, 'actors', 'prompts'], { include });
    // What it has found is kept beside, and looked at again only where a mutant changes it.
    const { status, stdout } = compile(this.#folder, '--incremental', '--tsBuildInfoFile', 'known');
    if (status !== 0) throw new Error(`without a mutant it must compile: ${stdout.slice(0, 500)}`);
  }

  accept(path: string, source: string): boolean {
    const file = join(this.#folder, path);
    const before = readFileSync(file, 'utf8');
    try {
      writeFileSync(file, source);
      // It is compared with what compiles, and not with the mutant before.
      cpSync(join(this.#folder, 'known'), join(this.#folder, 'now'));
      return compile(this.#folder, '--incremental', '--tsBuildInfoFile', 'now').status === 0;
    } finally {
      writeFileSync(file, before);
    }
  }

  close(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

/** A copy of these folders, set up for the compiler. */
function copyRooms(rooms: readonly string[], files: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  for (const room of rooms) cpSync(room, join(folder, room), { recursive: true });
  cpSync('tsconfig.json', join(folder, 'whole.json'));
  cpSync('package.json', join(folder, 'package.json'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const config = { extends: './whole.json', compilerOptions: LENIENT, ...files };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  return folder;
}

function compile(folder: string, ...args: readonly string[]) {
  return spawnSync(resolve('node_modules/.bin/tsc'), ['-p', '.', ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
}
