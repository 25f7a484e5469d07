/** The seats for which language models think: what flags make of them, what they lack, and the file of prices. */
import { readFileSync } from 'node:fs';
import { type Prices, readPrices } from '../actors/minds/openai/prices.ts';
import { isPerson, isRemote } from '../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../machines/setup/match.ts';
import type { Note } from '../machines/types.ts';
import { createFailure, describeSystemError, EXIT } from './exit.ts';
import type { ModelFlags } from './modelFlags.ts';

export function openPrices(path: string): Prices {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw createFailure(
      EXIT.noInput,
      'input/cannot-read',
      `${path} can't be read: ${describeSystemError(error)}`,
    );
  }
  const reading = readPrices(text);
  if (reading.ok) return reading.prices;
  throw createFailure(EXIT.configuration, 'prices/not-valid', `${path}: ${reading.text}`);
}

/** The seats with the model of the flags in each but those of people; flags win over the file. */
export function applyModelFlags<S extends MatchSeat>(
  seats: readonly S[],
  flags: ModelFlags,
): readonly S[] {
  const { model, baseUrl, key, level } = flags;
  return seats.map((seat) => ({
    ...seat,
    ...(model === undefined || isPerson(seat) ? {} : { mind: 'openai' as const, model }),
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(key === undefined ? {} : { key }),
    ...(level === undefined ? {} : { level }),
  }));
}

export function hasModels(seats: readonly MatchSeat[]): boolean {
  return seats.some(isRemote);
}

/** Budgets out of which not a single request could be paid. */
export function findBudgetProblems(
  seats: readonly MatchSeat[],
  flags: ModelFlags,
): readonly Note[] {
  if (!hasModels(seats)) return [];
  const { maxCalls, maxTokens, maxCost, maxMinutes } = flags;
  const limits = { '--max-calls': maxCalls, '--max-tokens': maxTokens, '--max-cost': maxCost };
  return Object.entries({ ...limits, '--max-minutes': maxMinutes }).flatMap(([flag, limit]) => {
    if (limit !== 0) return [];
    const text = `${flag} 0: expected a budget out of which a model can be asked once, found nothing`;
    return [{ code: 'model/no-budget', text }];
  });
}
