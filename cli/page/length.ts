/** Lengths: journals that a browser can't be asked to hold. */
import { statSync } from 'node:fs';
import {
  describeTooLong,
  LONGEST_JOURNAL_BYTES,
} from '../../visualizer/page/game/state/journal.ts';
import { createFailure, EXIT } from '../exit.ts';
import { nameOf } from '../input.ts';

export function refuseLong(path: string): void {
  const size = path === '-' ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  if (size <= LONGEST_JOURNAL_BYTES) return;
  throw createFailure(
    EXIT.damaged,
    'journal/too-long',
    `${nameOf(path)}: ${describeTooLong(size)}`,
  );
}
