/** A search that is kept in a file when it ends early, and continued from there. */
import { realDisk } from '../../actors/ports/disk.ts';
import type { CheckRun, MeetingConfiguration } from '../../proofs/run.ts';
import { createFailure, describeSystemError, EXIT } from '../exit.ts';
import { openCheckpoint, readCheckpointName, sizeOf } from '../input.ts';
import { printNote } from '../output.ts';
import { commandLine } from '../usage.ts';
import type { CheckFlags } from './flags.ts';

/** What was kept, where a search is to be continued; the one search that it is about is refused where there are several. */
export async function openResumed(
  list: readonly MeetingConfiguration[],
  { checkpoint, resume }: CheckFlags,
): Promise<Uint8Array | undefined> {
  if (checkpoint === undefined && resume === undefined) return undefined;
  if (list.length > 1) {
    const flag = resume === undefined ? '--checkpoint' : '--resume';
    const text = `${flag} is about one search, and this check makes ${list.length}: choose --rules house or --rules classic, and one number of --players`;
    throw createFailure(EXIT.usage, 'check/one-search', text);
  }
  return resume === undefined ? undefined : await openCheckpoint(resume);
}

/** Refuses to write over what is no search that was kept. */
export function refuseOtherFile(path: string): void {
  if (sizeOf(path) === 0 || readCheckpointName(path)) return;
  const text = `${path} is there already and holds no search: choose another --checkpoint, or remove it`;
  throw createFailure(EXIT.cannotWrite, 'output/not-a-checkpoint', text);
}

/** Keeps what is left of a search; says how to go on. */
export async function keepSearch(runs: readonly CheckRun[], flags: CheckFlags): Promise<void> {
  const path = flags.checkpoint ?? flags.resume ?? null;
  const bytes = runs[0]?.searches[0]?.checkpoint ?? null;
  if (path === null) return;
  if (bytes === null) {
    const isCut = runs.some(({ asides }) => asides.some(({ ended }) => ended !== null));
    if (isCut) printNote(ONLY_THE_MEETING);
    return;
  }
  try {
    await realDisk.save(path, bytes());
  } catch (error) {
    const text = `the search can't be kept in ${path}: ${describeSystemError(error)}`;
    throw createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
  }
  printNote(
    `\nWhat was found is kept in ${path}. Go on: ${commandLine(...withoutLimits(process.argv.slice(2)), '--resume', path)}`,
  );
}

const ONLY_THE_MEETING =
  '\nThe search of the meeting came to its end, so nothing is kept of it; searches beside it did not, and they begin anew each time. Give them more room.';

/** Flags with a value that the next search has others for. */
const LIMITS = ['--max-states', '--max-seconds', '--max-memory', '--checkpoint', '--resume'];

function withoutLimits(words: readonly string[]): readonly string[] {
  return words.filter(
    (word, at) =>
      !LIMITS.includes(word) &&
      !LIMITS.includes(words[at - 1] ?? '') &&
      !LIMITS.some((flag) => word.startsWith(`${flag}=`)),
  );
}
