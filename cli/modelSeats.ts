/** The seats for which language models think: what flags make of them, what they lack, and the file of prices. */
import { readFileSync } from 'node:fs';
import { isPerson, isRemote } from '../actors/minds/kinds.ts';
import { type Prices, readPrices } from '../actors/minds/openai/prices.ts';
import type { Line } from '../machines/journal/lines.ts';
import type { MatchSeat } from '../machines/setup/match.ts';
import type { Colour, Note } from '../machines/types.ts';
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

/** The models that the header of a journal has in its seats. */
export function listModels([header]: readonly Line[]): ReadonlyMap<Colour, string> {
  return new Map(
    listSeats(header).flatMap(({ colour, model }) =>
      model === undefined ? [] : [[colour, model]],
    ),
  );
}

/** The seats of a header; none when it is no header. */
export function listSeats(header: Line | undefined): readonly MatchSeat[] {
  if (header?.type === 'game.opened') return header.lobby.seats;
  return header?.type === 'journal.opened' ? header.scenario.seats : [];
}

export function hasModels(seats: readonly MatchSeat[]): boolean {
  return seats.some(isRemote);
}

/** Everything that a seat must have before its model can be asked. */
export function findSeatProblems(
  seats: readonly MatchSeat[],
  env: NodeJS.ProcessEnv,
): readonly Note[] {
  const notes = seats.flatMap((seat) => {
    if (!isRemote(seat)) return [];
    const { colour, model, key } = seat;
    if (model === undefined) {
      const text = `${colour}: mind openai wants the name of a model (model: …), found none`;
      return [{ code: 'model/no-name', text }];
    }
    if (key !== undefined && !env[key]) {
      const text = `expected a key in the environment variable ${key}, which is not set`;
      return [{ code: 'model/no-key', text }];
    }
    return [];
  });
  return [...new Map(notes.map((note) => [note.text, note])).values()];
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

/** Where a seat without a base URL is asked. */
const OPENAI = 'https://api.openai.com/v1';

const OPENAI_KEY = 'OPENAI_API_KEY';

/** The endpoint of a seat; the key is read from the environment and kept nowhere. */
export function findEndpoint(
  { model = '', base_url: baseUrl = OPENAI, key }: MatchSeat,
  env: NodeJS.ProcessEnv,
) {
  const variable = key ?? (baseUrl === OPENAI ? OPENAI_KEY : undefined);
  return { baseUrl, model, apiKey: variable === undefined ? null : (env[variable] ?? null) };
}
