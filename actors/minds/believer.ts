/**
 * The port of a believer: who says what a player believes.
 *
 * It stands beside the mind of the seat, so that nothing which wraps, records or changes a mind meets this question, and the
 * mind keeps nothing of it. Null says that nobody answers such questions for the seat; a failure is a value.
 */
import type { BeliefQuestion } from '../../machines/rules/beliefs.ts';
import type { BeliefSource } from '../../machines/types.ts';
import type { Answer } from './port.ts';

/** What came back, and from whom. */
export type StatedBelief = { readonly source: BeliefSource; readonly answer: Answer };

export type Believer =
  | { readonly pace: 'at-once'; believe(question: BeliefQuestion): StatedBelief | null }
  | {
      readonly pace: 'in-time';
      readonly source: BeliefSource;
      believe(question: BeliefQuestion, signal: AbortSignal): Promise<StatedBelief | null>;
    };
