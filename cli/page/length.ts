/** Lengths: journals that a browser can't be asked to hold. */
import { statSync } from 'node:fs';
import { LONGEST, tooLong } from '../../visualizer/page/game/source/journal.ts';
import { createFailure, EXIT } from '../exit.ts';
import { nameOf } from '../input.ts';

export function refuseLong(path: string): void {
  const size = path === '-' ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  if (size <= LONGEST) return;
  throw createFailure(EXIT.damaged, 'journal/too-long', `${nameOf(path)}: ${tooLong(size)}`);
}
