/** The tallies of a league's games, and the worker that counts them. */
import type { JournalCounting } from '../../actors/league/models.ts';
import type { Prices } from '../../actors/minds/openai/prices.ts';
import { workerBeside } from '../../actors/ports/threads.ts';
import type { Counters } from '../../actors/stores/result.ts';
import type { Line } from '../../machines/journal/lines.ts';
import type { BySeat, Colour } from '../../machines/types.ts';
import { countGame } from '../counts/statistics.ts';
import { tallyPlayer } from '../counts/tally.ts';
import { makePricing } from '../models/pricing.ts';

export function tallyGame(lines: readonly Line[], prices: Prices = {}): BySeat<Counters> {
  const tallies: Partial<Record<Colour, Counters>> = {};
  for (const player of countGame(lines, makePricing(lines, prices))?.players ?? []) {
    const counters = Object.entries(tallyPlayer(player)).filter(([, count]) => count !== 0);
    tallies[player.seat] = Object.fromEntries(counters);
  }
  return tallies;
}

export const counting: JournalCounting = {
  tally: tallyGame,
  worker: workerBeside(import.meta.url),
};
