/** The leagues of a store: found by name, or the only one that there is. */
import { fixturesOf, type Plan, readPlan } from '../../actors/league/plan.ts';
import type { Result } from '../../actors/stores/result.ts';
import type { Store } from '../../actors/stores/store.ts';
import { nearest } from '../../actors/suggestion.ts';
import { EXIT, failure } from '../failure.ts';
import { openPrices } from '../models/price-file.ts';
import { LeagueModels } from './models.ts';
import { type Standings, standingsOf } from './standings.ts';

/** The plan of a league that was begun; without a name, of the only one. */
export async function planIn(store: Store, name: string | undefined): Promise<Plan> {
  const leagues = await store.leagues();
  const [only] = leagues;
  const meant = name ?? (leagues.length === 1 ? only : undefined);
  if (meant === undefined) {
    const list = leagues.length === 0 ? 'there is none yet' : leagues.join(', ');
    throw failure(EXIT.usage, 'league/which', `expected the name of a league (${list})`);
  }
  const text = await store.settled(meant, 'plan');
  if (text !== null) return readPlan(text);
  const near = nearest(meant, leagues);
  const help = near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
  const sentence = `there is no league ${JSON.stringify(meant)} in this store${help}`;
  throw failure(EXIT.noInput, 'league/unknown', sentence);
}

async function resultsOf(store: Store, plan: Plan): Promise<readonly Result[]> {
  const results: Result[] = [];
  for await (const result of store.results(plan.league.name)) results.push(result);
  return results;
}

export async function standingsIn(store: Store, plan: Plan): Promise<Standings> {
  return standingsOf(plan, fixturesOf(plan), await resultsOf(store, plan));
}

/** The language models of each league, made when its first game is played: what was spent before counts. */
export function modelsOf(
  store: Store,
  prices: string | undefined,
): (league: string) => Promise<LeagueModels> {
  const known = new Map<string, Promise<LeagueModels>>();
  const made = async (league: string) => {
    const plan = await planIn(store, league);
    const table = prices === undefined ? {} : openPrices(prices);
    return new LeagueModels(plan, await resultsOf(store, plan), table);
  };
  return (league) => {
    const models = known.get(league) ?? made(league);
    known.set(league, models);
    return models;
  };
}
