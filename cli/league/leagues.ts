/** The leagues of a store: found by name, or the only one that there is. */

import { suggestWord } from '../../actors/engine/suggestion.ts';
import type { Assignment } from '../../actors/league/assignment.ts';
import { fixturesOf, type Plan, readPlan } from '../../actors/league/plan.ts';
import { normaliseId } from '../../actors/stores/persona.ts';
import type { GameResult } from '../../actors/stores/result.ts';
import type { Store } from '../../actors/stores/store.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import { createFailure, EXIT } from '../exit.ts';
import { LeagueModels, type Means } from './models.ts';
import { type Standings, standingsOf } from './standings.ts';

/** The plan of a league that was begun; without a name, of the only one. */
export async function planIn(store: Store, name: string | undefined): Promise<Plan> {
  const leagues = await store.leagues();
  const [only] = leagues;
  const meant = name === undefined ? (leagues.length === 1 ? only : name) : normaliseId(name);
  if (meant === undefined) {
    const list = leagues.length === 0 ? 'there is none yet' : leagues.join(', ');
    throw createFailure(EXIT.usage, 'league/which', `expected the name of a league (${list})`);
  }
  const plan = await keptPlan(store, meant);
  if (plan !== null) return plan;
  if (leagues.includes(meant)) {
    const lost = `the league ${JSON.stringify(meant)} has no plan: the store was emptied while it was played; run its file again`;
    throw createFailure(EXIT.noInput, 'league/no-plan', lost);
  }
  const near = suggestWord(meant, leagues);
  const help = near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
  const sentence = `there is no league ${JSON.stringify(meant)} in this store${help}`;
  throw createFailure(EXIT.noInput, 'league/unknown', sentence);
}

/** The plan of a league; null where the store has lost it. */
export async function keptPlan(store: Store, league: string): Promise<Plan | null> {
  const text = await store.settled(league, 'plan');
  return text === null ? null : readPlan(text);
}

async function resultsOf(store: Store, plan: Plan): Promise<readonly GameResult[]> {
  const results: GameResult[] = [];
  for await (const result of store.results(plan.league.name)) results.push(result);
  return results;
}

export async function standingsIn(store: Store, plan: Plan): Promise<Standings> {
  return standingsOf(plan, fixturesOf(plan), await resultsOf(store, plan));
}

/** The language models of each league and its terms, made when its first game is played. */
export function modelsOf(means: Means): (game: Assignment) => LeagueModels {
  const known = new Map<string, LeagueModels>();
  return ({ league, terms }) => {
    const key = canonical([league, terms]);
    const models = known.get(key) ?? new LeagueModels(terms, means);
    known.set(key, models);
    return models;
  };
}
