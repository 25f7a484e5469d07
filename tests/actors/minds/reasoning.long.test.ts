import { expect, test } from 'vitest';
import { gameSeed } from '../../../actors/jobs/gameJob.ts';
import { playGame } from '../../analysis/observer/games.ts';
import { SEED } from '../../support/seeds.ts';
import { countGame } from './balanceCount.ts';
import { findMisses, sumUp } from './balanceTable.ts';
import { ReasoningCounter } from './reasoningCount.ts';

const GAMES = 84;
const BALANCE_GAMES = 300;
const BALANCED = [0.35, 0.5] as const;

test(`in ${GAMES} games players vote as they must know, answer what they are charged with, and say why`, async () => {
  const counter = new ReasoningCounter();
  for (let game = 0; game < GAMES; game++)
    counter.read(await playGame(gameSeed(SEED, game + 1), { players: 4 + (game % 12) }));
  const { counts } = counter;
  const sure = counts.sureRight + counts.sureSkip + counts.sureWrong;
  // Impostors kill where it is hard to trace, so few are certain.
  expect(sure).toBeGreaterThan(12);
  expect(counts.sureRight / sure).toBeGreaterThanOrEqual(0.9);
  expect(counts.sureWrong / sure).toBeLessThanOrEqual(0.03);
  expect(counts.answered / counts.charges).toBeGreaterThanOrEqual(0.8);
  expect(counts.fitting / counts.defences).toBeGreaterThanOrEqual(0.95);
  expect(counts.unexplained / counts.reports).toBeLessThanOrEqual(0.08);
  expect(counts.untrue).toBe(0);
  expect(counts.unearned).toBe(0);
});

test.each([5, 6, 7, 8, 9, 10, 11, 12])(
  'in house games of %i impostors win 35 to 50 in a hundred',
  async (players) => {
    const counts = [];
    for (let game = 1; game <= BALANCE_GAMES; game++)
      counts.push(await countGame({ players, rules: 'house', seed: gameSeed(SEED, game) }));
    const row = sumUp({ rules: 'house', players }, counts);
    expect(findMisses(row)).toEqual([]);
    expect(row.impostors.high).toBeGreaterThan(BALANCED[0]);
    expect(row.impostors.low).toBeLessThan(BALANCED[1]);
  },
);
