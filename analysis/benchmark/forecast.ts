/** The requests, costs and intervals to expect of a benchmark before it starts. */
import { type ForecastTerms, forecastGames } from '../models/forecast.ts';
import { listTables, nameTested, prepareTable, type TestedMind } from './definition.ts';
import { expectReach, expectReliability } from './scores.ts';
import { BENCHMARK } from './sizes.ts';

/** Tables that the forecast plays: each size, rule set and role once. */
const SAMPLE = 12;

export async function forecastBenchmark(
  tested: TestedMind,
  terms: Omit<ForecastTerms, 'games'> & { readonly games: number },
) {
  const { games, concurrency } = terms;
  const samples = listTables(Math.min(games, SAMPLE)).map((table) => prepareTable(table, tested));
  const parallel = Math.min(concurrency, games);
  const forecasts =
    tested.mind === 'openai' ? await forecastGames(samples, { ...terms, parallel }) : null;
  const reach = {
    deception: expectReach('deception', Math.ceil(games / 2)),
    detection: expectReach('detection', Math.floor(games / 2)),
    reliability: expectReliability(games),
  };
  return {
    title: `${BENCHMARK}: ${games} ${games === 1 ? 'game' : 'games'} of ${nameTested(tested)}, and as many of the reference in its seat\n  intervals to expect, in points: deception ${sayReach(reach.deception)}, detection ${sayReach(reach.detection)}, reliability ${sayReach(reach.reliability)} or less`,
    forecasts,
    plain: { benchmark: BENCHMARK, tested, games, ...forecasts, reach },
  };
}

function sayReach(reach: number | null): string {
  return reach === null ? 'too few games' : `±${reach.toFixed(0)}`;
}
