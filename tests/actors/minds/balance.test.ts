import { expect, test } from 'vitest';
import { gameSeed } from '../../../actors/jobs/gameJob.ts';
import { RULE_SETS } from '../../../machines/types.ts';
import { seeds } from '../../support/seeds.ts';
import { countGame, type GameCount } from './balanceCount.ts';
import { findMisses, sumUp } from './balanceTable.ts';

const GAMES = seeds(8, 1000);
const SIZES = seeds(1, 12) === 1 ? [8] : [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

test.each(RULE_SETS.flatMap((rules) => SIZES.map((players) => ({ rules, players }))))(
  `${GAMES} $rules games of $players miss no goal beyond what chance explains`,
  async ({ rules, players }) => {
    const counts: GameCount[] = [];
    for (let game = 1; game <= GAMES; game++)
      counts.push(await countGame({ players, rules, seed: gameSeed(16, game) }));
    expect(findMisses(sumUp({ rules, players }, counts))).toEqual([]);
  },
);

const COUNT = { right: 1, chance: 0.5, denials: 1, deniedClearers: 0, voteless: 0 };
const fill = (count: Partial<GameCount>, games: number) =>
  Array.from(
    { length: games },
    (_, index): GameCount => ({
      ...COUNT,
      winner: index % 2 === 0 ? 'crew' : 'impostors',
      reason: index % 10 === 0 ? 'sabotage' : 'vote',
      messages: [`${index}`],
      ...count,
    }),
  );

test.each([
  ['one side always wins', { winner: 'impostors' }, /impostors win/],
  ['votes are guesses', { right: 0.5 }, /times chance/],
  ['no game ends by a vote', { reason: 'kills' }, /by a vote/],
  ['no game ends by a sabotage', { reason: 'vote' }, /by a sabotage/],
  ['friends are denied', { deniedClearers: 1 }, /answer a defender/],
  ['all say the same', { messages: ['again'] }, /distinct/],
] as const)('a table in which %s misses its goal', (_, flaw, text) => {
  const where = { rules: 'house', players: 8 } as const;
  expect(findMisses(sumUp(where, fill({}, 400)))).toEqual([]);
  expect(findMisses(sumUp(where, fill(flaw, 400)))).toContainEqual(expect.stringMatching(text));
});

test('a meeting of fifteen seconds of voting has ballots', async () => {
  for (let game = 1; game <= 3; game++) {
    const seed = gameSeed(15, game);
    const count = await countGame({ players: 8, rules: 'classic', seed, votingTime: 15 });
    expect(count.voteless).toBe(0);
  }
});
