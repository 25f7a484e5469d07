/** How often the reader of claims is right, as measured on speech that it was not fitted to: docs/claims.md. */
import { type Rate, rate } from '../counts/numeric.ts';
import { CORPUS, HELD_OUT } from './counts.ts';

export type ReaderAccuracy = {
  /** Of the claims that it found, those that are there. */
  readonly precision: Rate;
  /** Of the claims that are there, those that it found. */
  readonly recall: Rate;
};

/** What is measured apart: kinds of claims, and of those of places the ones that tell a time. */
export type MeasuredKind = keyof typeof HELD_OUT;

export type ReaderReport = {
  readonly corpus: number;
  /** Utterances of the half that the reader was not fitted to. */
  readonly utterances: number;
  readonly accuracy: Readonly<Record<MeasuredKind, ReaderAccuracy>>;
};

function accuracyOf(kind: MeasuredKind): ReaderAccuracy {
  const { right, wrong, missed } = HELD_OUT[kind];
  return { precision: rate(right, right + wrong), recall: rate(right, right + missed) };
}

export function reportReader(): ReaderReport {
  return {
    corpus: CORPUS.version,
    utterances: CORPUS.heldOut,
    accuracy: {
      place: accuracyOf('place'),
      time: accuracyOf('time'),
      company: accuracyOf('company'),
      task: accuracyOf('task'),
      accusation: accuracyOf('accusation'),
      defence: accuracyOf('defence'),
      vent: accuracyOf('vent'),
      act: accuracyOf('act'),
    },
  };
}
