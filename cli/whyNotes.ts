/** Notes on a journal, for the commands that show or export it. */

import type { Journal } from '../actors/engine/journal/reader.ts';
import { stemOf } from '../actors/files/newFiles.ts';
import { openOwnResult } from '../analysis/why/keeper.ts';
import type { Lens } from '../machines/journal/lens.ts';
import { gameIn } from '../machines/journal/opening.ts';
import type { WhyNotes } from '../visualizer/page/game/story/pageData.ts';

/** The `why` result beside a journal, and the reasoning of the crew of a finished game. Null if there is neither. */
export async function openWhyNotes(
  path: string,
  journal: Journal,
  lens: Lens,
): Promise<WhyNotes | null> {
  const notes = await openResultNotes(path, journal, lens);
  return await addReasoning(notes, path, journal, true);
}

/** The same for a page that is served: another thread judges the game, and the first who asks waits for it. */
export async function deferWhyNotes(
  path: string,
  journal: Journal,
  lens: Lens,
): Promise<(() => Promise<WhyNotes | null>) | null> {
  const notes = await openResultNotes(path, journal, lens);
  if (notes === null && !isJudged(journal)) return null;
  let whole: Promise<WhyNotes | null> | null = null;
  // A pipe cannot be read again.
  return () => (whole ??= addReasoning(notes, path, journal, stemOf(path) === null));
}

export async function openResultNotes(
  path: string,
  journal: Journal,
  lens: Lens,
): Promise<WhyNotes | null> {
  const result = await openOwnResult(path, journal);
  if (result === null) return null;
  const { createWhyNotes } = await import('../visualizer/whyNotes.ts');
  return createWhyNotes(result, journal.lines, lens.type === 'glass');
}

/** Whether it is a game that is over: before that, how its crew reasons would give away who it is. */
function isJudged({ lines }: Journal): boolean {
  return gameIn(lines[0]) !== null && lines.some(({ type }) => type === 'game.closed');
}

async function addReasoning(
  notes: WhyNotes | null,
  path: string,
  journal: Journal,
  judgesHere: boolean,
): Promise<WhyNotes | null> {
  if (!isJudged(journal)) return notes;
  const { deduceGame } = await import('./journalWork.ts');
  const outcome = await deduceGame(path, judgesHere ? journal : null);
  // A journal of other rules, or a damaged one, is shown all the same.
  if (outcome.type !== 'deduced') return notes;
  const { createReasoningNotes } = await import('../visualizer/whyNotes.ts');
  const reasoning = createReasoningNotes(outcome.judgement);
  return { stakes: null, credits: [], ...notes, reasoning };
}
