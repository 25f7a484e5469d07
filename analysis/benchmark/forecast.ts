/** The requests, costs and intervals to expect of a benchmark before it starts. */
import type { Prices } from '../../actors/minds/openai/prices.ts';
import { isRemote } from '../../machines/rules/mindKinds.ts';
import { sumOf } from '../counts/numeric.ts';
import { type Forecast, forecastCost } from '../models/forecast.ts';
import { listTables, nameTested, prepareTable, type TestedMind } from './definition.ts';
import { expectReach, expectReliability } from './scores.ts';
import { BENCHMARK } from './sizes.ts';

/** Tables that the forecast plays: each size, rule set and role once. */
const SAMPLE = 12;

/** Assumed seconds for an answer. `doctor` measures them for a model. */
const SECONDS_PER_ANSWER = 3;
const SECONDS_PER_MINUTE = 60;

export async function forecastBenchmark(
  tested: TestedMind,
  {
    games,
    prices,
    concurrency,
  }: { readonly games: number; readonly prices: Prices; readonly concurrency: number },
): Promise<{ readonly words: string; readonly plain: object }> {
  const asked = isRemote(tested) ? await forecastCalls(tested, games, prices) : null;
  const minutes =
    asked === null
      ? null
      : (asked.calls * SECONDS_PER_ANSWER) / SECONDS_PER_MINUTE / Math.min(concurrency, games);
  const reach = {
    deception: expectReach('deception', Math.ceil(games / 2)),
    detection: expectReach('detection', Math.floor(games / 2)),
    reliability: expectReliability(games),
  };
  const plain = { benchmark: BENCHMARK, tested, games, ...asked, minutes, reach };
  const lines = [
    `${BENCHMARK}: ${games} ${games === 1 ? 'game' : 'games'} of ${nameTested(tested)}, and as many of the reference in its seat`,
    ...(asked === null ? [] : describeCalls(asked, minutes ?? 0)),
    `  intervals to expect, in points: deception ${sayReach(reach.deception)}, detection ${sayReach(reach.detection)}, reliability ${sayReach(reach.reliability)} or less`,
  ];
  return { words: lines.join('\n'), plain };
}

type CallForecast = Pick<
  Forecast,
  'calls' | 'prompt' | 'completion' | 'dollars' | 'dollarsCached' | 'unpriced'
>;

/** Stand-ins play the first tables, and the forecast scales their requests. */
async function forecastCalls(
  tested: TestedMind,
  games: number,
  prices: Prices,
): Promise<CallForecast> {
  const tables = listTables(Math.min(games, SAMPLE));
  const each: Forecast[] = [];
  for (const table of tables) {
    const { match, seed } = prepareTable(table, tested);
    each.push(await forecastCost(match, seed, prices));
  }
  const scale = games / tables.length;
  const sum = (name: 'calls' | 'prompt' | 'completion') =>
    Math.round(scale * sumOf(each, (one) => one[name]));
  const dollars = (name: 'dollars' | 'dollarsCached') =>
    each.some((one) => one[name] === null) ? null : scale * sumOf(each, (one) => one[name] ?? 0);
  return {
    calls: sum('calls'),
    prompt: sum('prompt'),
    completion: sum('completion'),
    dollars: dollars('dollars'),
    dollarsCached: dollars('dollarsCached'),
    unpriced: each[0]?.unpriced ?? [],
  };
}

function describeCalls(
  { calls, prompt, completion, dollars, dollarsCached, unpriced }: CallForecast,
  minutes: number,
): readonly string[] {
  const count = (number: number) => number.toLocaleString('en-US');
  const cost =
    dollars === null || dollarsCached === null
      ? `the price of ${unpriced.join(', ')} is not known (--prices)`
      : `at most $${dollarsCached.toFixed(2)} with the price of cached tokens, $${dollars.toFixed(2)} without any cache`;
  return [
    `  about ${count(calls)} requests, ${count(prompt)} tokens of prompts, at most ${count(completion)} of answers`,
    `  ${cost}`,
    `  about ${Math.ceil(minutes)} min at ${SECONDS_PER_ANSWER} s an answer; "doctor" measures how long this model takes`,
  ];
}

function sayReach(reach: number | null): string {
  return reach === null ? 'too few games' : `±${reach.toFixed(0)}`;
}
