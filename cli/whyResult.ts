/** What `why` has found of a journal, for the commands that show it or write it on. */
import type { Journal } from '../actors/engine/journal/reader.ts';
import { readOwnResult, type WhyResult } from '../analysis/why/result.ts';
import type { Lens } from '../machines/journal/lens.ts';
import type { WhyNotes } from '../visualizer/page/game/story/pageData.ts';
import { resultPathOf } from './files.ts';
import { isThere, nameOf, openWhyText } from './input.ts';
import { cleanLines, printNote } from './output.ts';

/** The result that lies beside a journal; null where there is none, or none of use, which a note explains. */
export async function openOwnResult(path: string, journal: Journal): Promise<WhyResult | null> {
  const file = resultPathOf(path);
  if (file === null || !isThere(file)) return null;
  const reading = readOwnResult(await openWhyText(file), journal);
  if (reading.ok) return reading.result;
  printNote(cleanLines(`${nameOf(file)} is left out: ${reading.text} [${reading.code}]`));
  return null;
}

/** The result as the page shows it through a lens; null where there is none. */
export async function openWhyNotes(
  path: string,
  journal: Journal,
  lens: Lens,
): Promise<WhyNotes | null> {
  const result = await openOwnResult(path, journal);
  if (result === null) return null;
  const { createWhyNotes } = await import('../visualizer/whyNotes.ts');
  return createWhyNotes(result, journal.lines, lens.type === 'glass');
}
