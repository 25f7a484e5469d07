/**
 * Lessons at a barrier: what several games of one round want a persona to keep becomes one memory.
 *
 * The games of a round began with the same lessons. They are gone through in the order of their slots, so that it does
 * not matter which of them was over first.
 */
import { LONGEST_LESSON, MOST_LESSONS } from '../../machines/setup/match.ts';
import { cleanLine } from '../../prompts/clean.ts';
import type { Lesson } from '../stores/persona.ts';

/** Lessons as they may be kept: clean, short, each once, and no more than a prompt holds: the latest of them. */
export function kept(lessons: readonly string[]): readonly string[] {
  const clean = lessons
    .map((text) => cleanLine(cleanLine(text).slice(0, LONGEST_LESSON)))
    .filter((text) => text !== '');
  return [...new Set(clean)].slice(-MOST_LESSONS);
}

/** What one seat of a game wants to be known from now on, and where it learned it. */
export type Wish = { readonly learned: readonly string[]; readonly from: string };

/**
 * The memory after a barrier. What a game gave up of what it was played with goes, what it found comes behind the rest.
 * `known` may be more than that: somebody else may have taught meanwhile.
 */
export function merged(
  known: readonly Lesson[],
  wishes: readonly Wish[],
  playedWith: readonly Lesson[] = known,
): readonly Lesson[] {
  const before = new Set(playedWith.map(({ text }) => text));
  let lessons = [...known];
  for (const { learned, from } of wishes) {
    const wanted = kept(learned);
    const isGivenUp = ({ text }: Lesson) => before.has(text) && !wanted.includes(text);
    const isFresh = (text: string) =>
      !before.has(text) && lessons.every((lesson) => lesson.text !== text);
    const fresh = wanted.filter(isFresh);
    lessons = [
      ...lessons.filter((lesson) => !isGivenUp(lesson)),
      ...fresh.map((text) => ({ text, from })),
    ].slice(-MOST_LESSONS);
  }
  return lessons;
}
