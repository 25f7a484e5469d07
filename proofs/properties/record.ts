/** Laws of what readers find in a journal: damage, and the count of ballots. */
import { isDeepStrictEqual } from 'node:util';
import type { TurnedBallot } from '../../machines/journal/projection.ts';
import { combineChoices } from '../models/closings.ts';

type DamageCase = readonly [how: string, rows: readonly string[], reported: readonly number[]];

/** Damages of a line, with the lines that a reader has to report. `next` is the next line of the channel, if any. */
function listDamages(rows: readonly string[], at: number, next: number[]): readonly DamageCase[] {
  const row = rows[at] ?? '';
  const middle = row.length / 2;
  const put = (...changed: readonly string[]) => rows.toSpliced(at, 1, ...changed);
  const swap = (later: number) => rows.with(at, rows[later] ?? '').with(later, row);
  const changeHash = (_: string, digit: string) => `"hash":"${digit === '0' ? '1' : '0'}`;
  return [
    ['a clock', put(row.replace(',"hash"', ',"clock":{"ms":5},"hash"')), []],
    ['another hash', put(row.replace(/"hash":"(.)/, changeHash)), [at]],
    ['another body', put(row.replace('"channel"', '"also":0,"channel"')), [at]],
    ['no beginning', put(row.slice(middle)), [at]],
    // The hash is gone, so the next line follows nothing known.
    ['no end', put(row.slice(0, middle)), [at, ...next]],
    ['twice', put(row, row), [at + 1]],
    ['missing', put(), next.map((later) => later - 1)],
    ...next.map((later): DamageCase => ['swapped', swap(later), [at]]),
  ];
}

/** Damages each line after the two headers. `read` lists the lines that it reports, from 1. */
function* misreported(rows: readonly string[], read: (text: string) => readonly number[]) {
  const channels = rows.map((row) => /"channel":"(\w+)"/.exec(row)?.[1] ?? '');
  for (let at = 2; at < rows.length; at += 1) {
    const next = channels.indexOf(channels[at] ?? '', at + 1);
    for (const [how, damaged, reported] of listDamages(rows, at, next < 0 ? [] : [next])) {
      const found = read(`${damaged.join('\n')}\n`);
      const expected = reported.map((index) => index + 1);
      if (!isDeepStrictEqual(found, expected)) yield { how, expected, found };
    }
  }
}

const CANDIDATES = ['red', 'blue', 'skip'] as const;
const MOST_BALLOTS = 6;

/** Of equal candidates the one comes first whose last ballot was turned first. Null is a void ballot. */
function* miscounted(count: (ballots: readonly TurnedBallot[]) => unknown): Generator<unknown> {
  const choices = Array.from({ length: MOST_BALLOTS }, () => [...CANDIDATES, null]);
  for (const cast of combineChoices(choices)) {
    const votes = (one: string) => cast.filter((ballot) => ballot === one).length;
    const expected = CANDIDATES.filter((one) => votes(one) > 0)
      .toSorted((a, b) => votes(b) - votes(a) || cast.lastIndexOf(a) - cast.lastIndexOf(b))
      .map((candidate) => ({ candidate, votes: votes(candidate) }));
    const ballots = cast.map((ballot, index): TurnedBallot => {
      return { index, voter: null, ballot: ballot ?? 'red', isVoid: ballot === null };
    });
    if (!isDeepStrictEqual(count(ballots), expected)) yield cast;
  }
}

export const DAMAGE_LAW = {
  name: 'damage-is-reported-once',
  sentence:
    'A reader reports an edited, torn, doubled or swapped line once, and a missing one at the next of its channel.',
  misreported,
};

export const COUNT_LAW = {
  name: 'turned-ballots-are-counted',
  sentence:
    'The count of turned ballots omits void ones, the most votes come first, and of equal candidates the one who had them first.',
  miscounted,
};
