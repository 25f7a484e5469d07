import { openOwnResult } from '../analysis/why/keeper.ts';
/** Notes on a journal, for the commands that show or export it. */

import type { Journal } from '../actors/engine/journal/reader.ts';
import { stemOf } from '../actors/files/newFiles.ts';
import type { Lens } from '../machines/journal/lens.ts';
import { gameIn } from '../machines/journal/opening.ts';
import type { WhyNotes } from '../visualizer/page/game/story/pageData.ts';
import type { JournalOutcome } from './journalWork.ts';

/**
 * The findings about a journal that the page and cards show through a lens: the result beside it, and the reasoning of the
 * crew once a game is over. Null if there is neither.
 */
export async function openWhyNotes(
  path: string,
  journal: Journal,
  lens: Lens,
): Promise<WhyNotes | null> {
  const notes = await openResultNotes(path, journal, lens);
  return await addReasoning(notes, journal, () => judgeGiven(path, journal));
}

async function judgeGiven(path: string, journal: Journal): Promise<JournalOutcome> {
  const { judgeOpened } = await import('./journalWork.ts');
  return await judgeOpened(path, journal);
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
  return () => {
    whole ??= addReasoning(notes, journal, async () => {
      // A pipe cannot be read again.
      if (stemOf(path) === null) return await judgeGiven(path, journal);
      const { judgeElsewhere } = await import('./journalWork.ts');
      return await judgeElsewhere(path);
    });
    return whole;
  };
}

/** The `why` result beside a journal, as the page shows it through a lens, or null. */
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
  journal: Journal,
  judge: () => Promise<JournalOutcome>,
): Promise<WhyNotes | null> {
  if (!isJudged(journal)) return notes;
  const outcome = await judge();
  // A journal of other rules, or a damaged one, is shown all the same.
  if (outcome.type !== 'deduced') return notes;
  const { createReasoningNotes } = await import('../visualizer/whyNotes.ts');
  const reasoning = createReasoningNotes(outcome.judgement);
  return { stakes: null, credits: [], ...notes, reasoning };
}
