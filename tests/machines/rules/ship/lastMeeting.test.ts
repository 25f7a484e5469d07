/** Ruling 47: the default weights follow the living, so that the bound on silence holds in the last meeting too. */
import { expect, test } from 'vitest';
import { defaultOptions } from '../../../../machines/rules/options.ts';
import { meetingSetupFor, startGame } from '../../../../machines/rules/ship/game.ts';
import { SKELD } from '../../../../machines/rules/ship/map.ts';
import {
  defaultWeights,
  longestSilence,
  type Weights,
} from '../../../../machines/rules/weights.ts';
import { gameMatchSchema } from '../../../../machines/setup/match.ts';
import { prepare } from '../../../../machines/setup/prepare.ts';
import { COLOURS } from '../../../../machines/types.ts';
import { aButton } from '../../builders.ts';

function weightsAt(seats: number, living: number, weights?: object): Weights {
  const match = gameMatchSchema.parse({
    name: 'bound',
    options: weights === undefined ? {} : { weights },
    seats: COLOURS.slice(0, seats).map((colour) => ({ colour })),
  });
  const preparation = prepare(match, 1);
  if (!preparation.ok || preparation.prepared.type !== 'game') throw new Error('expected a game');
  const { ship } = preparation.prepared;
  expect(ship.map).toBe(SKELD);
  const course = startGame(1, ship);
  const dead = COLOURS.slice(living, seats);
  const standings = Object.fromEntries(
    COLOURS.slice(0, seats).map((seat) => [seat, dead.includes(seat) ? 'dead' : 'living']),
  );
  const world = { ...course.world, standings } as const;
  const setting = meetingSetupFor({ ...course, world, call: aButton() });
  if (setting === null) throw new Error('expected a meeting');
  return setting.options.weights;
}

const SEATS = Array.from({ length: 12 }, (_, index) => index + 4);
const TABLES = SEATS.flatMap((seats) =>
  Array.from({ length: seats - 1 }, (_, index) => [seats, index + 2] as const),
);

test.each(TABLES)('%i seats, %i living: silent for at most 3N − 1 ticks', (seats, living) => {
  const weights = weightsAt(seats, living);
  expect(longestSilence(weights, living)).toBeLessThanOrEqual(3 * Math.max(living, 3) - 1);
  expect(weights).toEqual(defaultWeights(living));
});

test('a slope and a grace that the operator chose stay as they are, each by itself', () => {
  const { slope, grace } = defaultOptions(10).weights.silence;
  const computed = defaultWeights(3).silence;
  for (const written of [
    { slope: slope + 5 },
    { slope },
    { grace: 0 },
    { grace },
    { slope, grace },
  ]) {
    expect(weightsAt(10, 3, { silence: written }).silence).toEqual({ ...computed, ...written });
  }
  expect(computed.slope).toBeGreaterThan(slope);
});

test('the slope of every meeting follows the weights of the file: Δ = 15 + 9 + 8 + 1 = 33', () => {
  const weights = { mention: 9, accusation: 8 };
  expect(weightsAt(10, 10, weights).silence).toMatchObject({ slope: 4, grace: 10 });
  expect(weightsAt(10, 3, weights).silence).toMatchObject({ slope: 9, grace: 3 });
});
