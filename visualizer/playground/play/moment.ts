/** Where a match can be forked: the decision that is shown, or the next one after it. */
import { moment, step, story } from '../../page/game/state/session.ts';

/** The name of that moment, such as "2:12" or "round:30"; null where nothing is decided any more. */
export function findForkMoment(): string | null {
  const { moments } = story.value;
  const now = moment.value;
  if (now === undefined) return null;
  const from = Math.min(step.value, moments.length - 1);
  for (const { line, meeting } of moments.slice(from)) {
    if (line.type === 'round.closed') return `round:${line.round}`;
    if (line.type !== 'tick.closed' || line.requestKind === 'reaction') continue;
    if (line.requestKind === 'consolidation') continue;
    return `${meeting?.number ?? 1}:${line.tick}`;
  }
  return null;
}
