/** How often the reader of claims is right, as measured on speech that it was not fitted to: docs/claims.md. */
import { rate } from '../counts/numeric.ts';
import { CORPUS, COUNTS } from './counts.ts';

/** What is measured apart: kinds of claims, and of those of places the ones that tell a time. */
export type MeasuredKind = keyof (typeof COUNTS)['held-out']['kept'];

function accuracyOf(kind: MeasuredKind) {
  const { kept, recorded } = COUNTS['held-out'];
  const sum = (name: 'right' | 'wrong' | 'missed') => kept[kind][name] + recorded[kind][name];
  const right = sum('right');
  return {
    precision: rate(right, right + sum('wrong')),
    recall: rate(right, right + sum('missed')),
  };
}

export function reportReader() {
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
