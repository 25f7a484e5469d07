/** How often the reader of claims is right, as measured on speech that it was not fitted to: docs/deduction.md. */
import { rate } from '../counts/numeric.ts';
import counted from './counts.json' with { type: 'json' };

/** The held-out half of the corpus, counted by tests/analysis/claimsCorpus.test.ts: "npm run golden". */
const HELD_OUT = counted.counts['held-out'];

export type MeasuredKind = keyof typeof HELD_OUT.kept;

function accuracyOf(kind: MeasuredKind) {
  const { kept, recorded } = HELD_OUT;
  const sum = (name: 'right' | 'wrong' | 'missed') => kept[kind][name] + recorded[kind][name];
  const right = sum('right');
  return {
    precision: rate(right, right + sum('wrong')),
    recall: rate(right, right + sum('missed')),
  };
}

type Accuracy = Readonly<Record<MeasuredKind, ReturnType<typeof accuracyOf>>>;

export function reportReader() {
  const kinds = Object.keys(HELD_OUT.kept) as MeasuredKind[]; // it has no other fields
  return {
    corpus: counted.version,
    utterances: counted.heldOut,
    accuracy: Object.fromEntries(kinds.map((kind) => [kind, accuracyOf(kind)])) as Accuracy,
  };
}
