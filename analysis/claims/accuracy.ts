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

type Accuracy = Readonly<Record<MeasuredKind, ReturnType<typeof accuracyOf>>>;

export function reportReader() {
  const kinds = Object.keys(COUNTS['held-out'].kept) as MeasuredKind[]; // it has no other fields
  return {
    corpus: CORPUS.version,
    utterances: CORPUS.heldOut,
    accuracy: Object.fromEntries(kinds.map((kind) => [kind, accuracyOf(kind)])) as Accuracy,
  };
}
