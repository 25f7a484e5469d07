/** The result of `why` beside a journal. */

import type { Journal } from '../actors/engine/journal/reader.ts';
import { nameOf } from '../actors/files/failure.ts';
import { resultPathOf } from '../actors/files/newFiles.ts';
import { isThere, openWhyText } from '../actors/files/openFiles.ts';
import { readOwnResult, type WhyResult } from '../analysis/why/result.ts';
import { cleanLines, printNote } from './output.ts';

/** The result, or null if there is none. A note explains a useless one. */
export async function openOwnResult(path: string, journal: Journal): Promise<WhyResult | null> {
  const file = resultPathOf(path);
  if (file === null || !isThere(file)) return null;
  const reading = readOwnResult(await openWhyText(file), journal);
  if (reading.ok) return reading.result;
  printNote(cleanLines(`${nameOf(file)} is left out: ${reading.text} [${reading.code}]`));
  return null;
}
