/**
 * The memory of a persona: what it has learned, version by version.
 *
 * A version is never changed. Whoever changes the memory says which version they have seen; going back is one more
 * version, so that nothing is lost by it.
 */
import { z } from 'zod';

const lessonSchema = z.strictObject({
  text: z.string(),
  /** Where it came from, in words: a game of a league, or the hand that wrote it. */
  from: z.string(),
});
export type Lesson = z.infer<typeof lessonSchema>;

const WHYS = ['new', 'reflection', 'taught', 'forgotten', 'rollback'] as const;

const changeSchema = z.strictObject({
  lessons: z.array(lessonSchema).readonly(),
  why: z.enum(WHYS),
  /** The barrier at which it was learned, so that none is passed twice; '' where there was none. */
  barrier: z.string(),
});
/** What becomes of a memory. */
export type Change = z.infer<typeof changeSchema>;
export type Memory = Change & { readonly version: number };

/** The memory of whoever has not learned anything yet. */
export const BLANK_MEMORY: Memory = { version: 0, lessons: [], why: 'new', barrier: '' };

/** Versions that are kept of each memory, the latest ones. */
export const KEPT_VERSIONS = 500;

export function memoryText({ lessons, why, barrier }: Change): string {
  return JSON.stringify({ lessons, why, barrier });
}

export function readMemory(version: number, text: string): Memory {
  return { version, ...changeSchema.parse(JSON.parse(text)) };
}
