/** The floor is an auction and not a queue: the players' wishes decide often, and yet everybody is heard. */
import { expect } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { addCounters, type Counters } from '../../actors/stores/result.ts';
import { countGame } from '../../analysis/counts/statistics.ts';
import { plainGame } from '../../machines/setup/prepare.ts';
import { play } from '../journals/offline.ts';
import { SEED, testLong } from '../support/seeds.ts';

testLong(
  'in 201 games of 6, 8 and 10 no silence wins most ticks, and nearly all are heard',
  async () => {
    let sum: Counters = {};
    for (const players of [6, 8, 10]) {
      for (let game = 0; game < 67; game++) {
        const { lines } = readJournal(await play(plainGame(players), SEED + game));
        const counted = countGame(lines);
        if (counted === null) throw new Error('expected a whole game');
        sum = addCounters(sum, counted.floor);
        for (const { meetings, unheard } of counted.players)
          sum = addCounters(sum, { meetings, unheard });
      }
    }
    const {
      ticks = 0,
      longest_silent: won = 0,
      not_longest_silent: lost = 0,
      desire = 0,
      meetings = 0,
      unheard = 0,
    } = sum;
    expect(won / (won + lost)).toBeLessThanOrEqual(0.5);
    expect(desire / ticks).toBeGreaterThanOrEqual(0.14);
    expect(unheard / meetings).toBeLessThanOrEqual(0.01);
  },
);
