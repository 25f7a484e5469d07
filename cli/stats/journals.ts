/** The journals that somebody means: files as they are named, and of folders everything that is called a journal. */
import { globSync, statSync } from 'node:fs';
import { createFailure, describeSystemError, EXIT } from '../exit.ts';

export type Meant = {
  readonly files: readonly string[];
  /** One journal was named, and no folder. */
  readonly isOne: boolean;
};

/** The journals at some paths; those of a folder in the order of their names. */
export function journalsAt(paths: readonly string[]): Meant {
  const files = paths.flatMap((path) => (isFolder(path) ? journalsIn(path) : [path]));
  return { files, isOne: files.length === 1 && files[0] === paths[0] };
}

function journalsIn(folder: string): readonly string[] {
  const names = globSync('**/*.jsonl', { cwd: folder }).toSorted();
  if (names.length > 0) return names.map((name) => `${folder.replace(/\/+$/, '')}/${name}`);
  const text = `expected journals (*.jsonl) in ${folder}, found none`;
  throw createFailure(EXIT.noInput, 'input/no-journals', text);
}

function isFolder(path: string): boolean {
  try {
    return path !== '-' && statSync(path).isDirectory();
  } catch (error) {
    const text = `expected a journal or a folder at ${path}, found that ${describeSystemError(error)}`;
    throw createFailure(EXIT.noInput, 'input/cannot-read', text);
  }
}
