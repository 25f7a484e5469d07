/** The journals of a league: one file for each game, in one folder for each league. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { journalName } from '../../actors/jobs/plan.ts';
import type { JournalKeeper } from '../../actors/league/gameQueue.ts';
import { createFailure, describeSystemError, EXIT } from '../exit.ts';

/** Characters of the longest name that every file system takes. */
const LONGEST = 180;
const HASH_LETTERS = 12;

/** The folder of a league: no two leagues share one. */
export function folderOf(league: string): string {
  const name = encodeURIComponent(league).replaceAll('.', '%2E');
  if (name.length <= LONGEST) return `journals/league-${name}`;
  const hash = createHash('sha256').update(league).digest('hex').slice(0, HASH_LETTERS);
  return `journals/league-${name.slice(0, LONGEST)}-${hash}`;
}

/** The file of the game in a slot. */
export function journalIn(folder: string, slot: number, games: number): string {
  return `${folder}/${journalName(slot + 1, games)}`;
}

/** Keeps journals in a folder. What is there under a name is a whole journal at any moment. */
export function keeperIn(folder: string, games: number): JournalKeeper {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw cannotWrite(folder, error);
  }
  return async (slot, text) => {
    const path = journalIn(folder, slot, games);
    // Somebody else may be writing the same game.
    const part = `${path}.${process.pid}.part`;
    try {
      const file = await open(part, 'w');
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, path);
    } catch (error) {
      throw cannotWrite(path, error);
    }
  };
}

/** Sweeps away what killed runs have left half written; for who has the folder alone. */
export function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.part')) rmSync(`${folder}/${name}`, { force: true });
  }
}

function cannotWrite(path: string, error: unknown) {
  const text = `the journal can't be written to ${path}: ${describeSystemError(error)}`;
  return createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
}
