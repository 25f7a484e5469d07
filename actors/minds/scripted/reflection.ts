/**
 * The reflection of an offline mind after a game: one more lesson at most, out of those that it understands.
 *
 * It knows what its player went through and nothing else. Who has won has nothing to mend.
 */
import type { Role } from '../../../machines/types.ts';
import { LESSONS, type LessonName } from './lessons.ts';

/** What a player went through. */
export type Experience = {
  readonly role: Role;
  readonly won: boolean;
  /** How the game ended, such as "tasks". */
  readonly reason: string;
  /** What was counted of them, by name. */
  readonly tally: Readonly<Record<string, number>>;
};

/** What could have helped, the most useful first. */
function remedies({ role, reason, tally }: Experience): readonly LessonName[] {
  if (role === 'impostor') {
    const isOut = (tally['ejected'] ?? 0) > 0;
    return isOut ? ['walk', 'errands'] : ['strike', 'sabotage', 'errands'];
  }
  const work: readonly LessonName[] = ['screens', 'company', 'breaks'];
  const judgement: readonly LessonName[] = ['facts', 'hunches'];
  const isMisled = (tally['votes_crewmate'] ?? 0) > 0;
  return isMisled && reason !== 'sabotage' ? [...judgement, ...work] : [...work, ...judgement];
}

/** What is known after the game: all that was known before, and what would have helped. */
export function reflected(known: readonly string[], experience: Experience): readonly string[] {
  if (experience.won) return known;
  const next = remedies(experience).find((name) => !known.includes(LESSONS[name].text));
  return next === undefined ? known : [...known, LESSONS[next].text];
}
