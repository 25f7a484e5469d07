/** Where the journals of matches go: files and folders of --out, and names without it. */
import { createFailure, EXIT } from '../actors/files/failure.ts';
import {
  claimRunFolder,
  createJournal,
  createJournalIn,
  type JournalFile,
  namedRunFolder,
  newRunFolder,
} from '../actors/files/newFiles.ts';
import { findEntry } from '../actors/files/openFiles.ts';
import { journalName } from '../actors/jobs/gameJob.ts';
import { isSlow } from '../machines/rules/mindKinds.ts';
import type { GameMatch, MeetingMatch } from '../machines/setup/match.ts';

export type AnyMatch = GameMatch | MeetingMatch;
type MatchOut = { readonly out?: string; readonly games: number; readonly seed: number };

/** Folder of journals without --out. */
export const FOLDER = 'journals';

export function isMeeting(match: AnyMatch): match is MeetingMatch {
  return 'call' in match;
}

export function openRunFolder({ out, games, seed }: MatchOut): string {
  return out === undefined ? newRunFolder(FOLDER, `run-${seed}`) : namedRunFolder(out, games);
}

/** Whether --out names the file of one journal, and no folder. */
function namesFile(out: string): boolean {
  return /\.jsonl$/.test(out) || !['nothing', 'folder', 'hidden'].includes(findEntry(out));
}

/** Takes the folder of --out for this run; the function that is returned lets go. */
export async function claimOut({ out, games, seed }: MatchOut): Promise<() => void> {
  if (out === undefined) return () => {};
  if (!namesFile(out)) return await claimRunFolder(out, { games, seed });
  if (games === 1) return () => {};
  const text = `--out ${out}: expected a folder for ${games} games, found the name of a file`;
  throw createFailure(EXIT.usage, 'usage/out', text);
}

export function openMatchJournal(match: AnyMatch, flags: MatchOut, game: number): JournalFile {
  const { out, seed, games } = flags;
  if (out === undefined) {
    const name = isMeeting(match) ? nameFile(match.name) : 'game';
    return createJournalIn(FOLDER, `${name}-${seed}`);
  }
  if (namesFile(out)) return createJournal(out);
  // Offline, the same seed plays the same game.
  const isSame = !match.seats.some(isSlow);
  return createJournal(`${namedRunFolder(out, games)}/${journalName(game, games)}`, isSame);
}

/** The longest name of a file that people like to read. */
const NAME_LENGTH = 40;

function nameFile(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const joined = (words ?? ['meeting']).join('-').slice(0, NAME_LENGTH);
  return joined.replace(/-$/, '');
}
