/**
 * The port of a believer, which states a player's beliefs. It is separate from the mind, so wrappers and recordings of
 * the mind never see the question, and the mind does not remember it. A failure is a value.
 */
import type { BeliefQuestion } from '../../machines/rules/beliefs.ts';
import type { BeliefSource } from '../../machines/types.ts';
import type { Answer } from './port.ts';

export type StatedBelief = { readonly source: BeliefSource; readonly answer: Answer };

export type Believer =
  | { readonly pace: 'at-once'; believe(question: BeliefQuestion): StatedBelief | null }
  | {
      readonly pace: 'in-time';
      readonly source: BeliefSource;
      believe(question: BeliefQuestion, signal: AbortSignal): Promise<StatedBelief | null>;
    };
