/** The folder of a run: a new one, or one with nothing in it but journals that this run writes anew. */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { journalName } from '../actors/jobs/gameJob.ts';
import { createFailure, describeSystemError, EXIT, type Failure } from './exit.ts';
import { foldersMade, isForeign } from './journalFile.ts';

/** A new folder in a folder, with -2, -3 … behind its name when others have it already. */
export function newRunFolder(folder: string, name: string): string {
  for (let copy = 1; ; copy++) {
    const path = `${folder}/${name}${copy === 1 ? '' : `-${copy}`}`;
    try {
      foldersMade(dirname(path));
      mkdirSync(path);
      return path;
    } catch (error) {
      if (!isThere(path)) throw cannotWrite(path, error);
    }
  }
}

/** The folder that somebody named. Journals of the same names are written anew; anything else is not mixed with. */
export function namedRunFolder(path: string, games: number): string {
  try {
    foldersMade(path);
    refuseOthers(path, readdirSync(path), games);
  } catch (error) {
    throw error instanceof Error && 'exit' in error ? error : cannotWrite(path, error);
  }
  return path;
}

function refuseOthers(path: string, names: readonly string[], games: number): void {
  const foreign = names.find((name) => !isOurs(path, name, games));
  if (foreign === undefined) return;
  const text = `${path} is there already with ${JSON.stringify(foreign)} in it, which this run would not write: choose another --out, or remove it`;
  throw createFailure(EXIT.cannotWrite, 'output/not-a-run', text);
}

/** Whether this run writes a journal of that name, and no other file is there. */
function isOurs(folder: string, name: string, games: number): boolean {
  const game = Number.parseInt(name, 10);
  if (!(game >= 1 && game <= games) || name !== journalName(game, games)) return false;
  const path = `${folder}/${name}`;
  return statSync(path).isFile() && !isForeign(path);
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** What a journal that can't be written is told as. */
export function cannotWrite(path: string, error: unknown): Failure {
  const text = `the journals can't be written to ${path}: ${describeSystemError(error)}`;
  return createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
}
