/** Laws of the count of ballots that viewers see, and of chance for every seat. */
import { isDeepStrictEqual } from 'node:util';
import type { TurnedBallot } from '../../machines/journal/projection.ts';
import { type BySeat, COLOURS, type Colour } from '../../machines/types.ts';
import { combineChoices } from '../models/closings.ts';

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

const SEATS = COLOURS.slice(0, 4);

function* misdrawn(draw: (round: number, asked: readonly Colour[]) => BySeat<number>) {
  const draws = [0, 1, 2].map((round) => draw(round, SEATS));
  const known = new Set(draws.flatMap((all) => SEATS.flatMap((seat) => all[seat] ?? [])));
  if (known.size !== draws.length * SEATS.length) yield 'a draw is missing or there twice';
  for (const [round, all] of draws.entries())
    for (const some of combineChoices<Colour | null>(SEATS.map((seat) => [seat, null]))) {
      const asked = some.filter((seat) => seat !== null);
      if (!isDeepStrictEqual(draw(round, asked), all)) yield { round, asked };
    }
}

export const COUNT_LAW = {
  name: 'turned-ballots-are-counted',
  sentence:
    'The count of turned ballots omits void ones, the most votes come first, and of equal candidates the one who had them first.',
  miscounted,
};

export const DRAW_LAW = {
  name: 'chance-knows-every-seat',
  sentence: 'In every round each seat has a draw of its own, the same whoever is asked.',
  misdrawn,
};
