/** Forecasts the requests of games to models by playing them with offline minds: as usual, passive and talkative. */
import { createMatch } from '../../actors/engine/match.ts';
import type { EndpointPaceFigures } from '../../actors/minds/openai/memory.ts';
import { computeCost, findPrice, type Prices } from '../../actors/minds/openai/prices.ts';
import type { Mind } from '../../actors/minds/port.ts';
import { createScriptedMind } from '../../actors/minds/scripted/mind.ts';
import { holdVoteBack, settleIdle, wrapMind } from '../../actors/minds/wrap.ts';
import { isRemote } from '../../machines/rules/mindKinds.ts';
import type { Match } from '../../machines/setup/match.ts';
import { personaOf } from '../../machines/setup/prepare.ts';
import type { BeliefTimes, Colour } from '../../machines/types.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { buildPrompt, type Prompt, type PromptRequest } from '../../prompts/prompt.ts';
import { sumOf } from '../counts/numeric.ts';
import { PrefixCache } from './caching.ts';
import { collectBeliefQuestions, collectPrompts, groupByMoment } from './prompts.ts';

export const FORECAST_TABLES = ['usual', 'passive', 'talkative'] as const;

export type ModelPace = Pick<EndpointPaceFigures, 'aloneMs' | 'speedup'>;

/** Assumed for a model that `doctor` has not measured. */
export const ASSUMED_MS = 3000;

/** System says "wrap it up" after 20 ticks, then every five. */
const TALKATIVE_NUDGES = 5;

const STAND_INS: Readonly<Record<(typeof FORECAST_TABLES)[number], (mind: Mind) => Mind>> = {
  usual: (mind) => mind,
  passive: (mind) =>
    settleIdle(
      wrapMind(mind, {
        after: ({ kind }, answer) =>
          answer.ok && typeof answer.received === 'object'
            ? {
                ok: true,
                received: {
                  ...answer.received,
                  message: '',
                  ...(kind === 'action' ? { action: null } : {}),
                },
              }
            : answer,
      }),
    ),
  talkative: (mind) => holdVoteBack(mind, TALKATIVE_NUDGES),
};

export type Forecast = {
  readonly calls: number;
  /** Requests for beliefs among them. */
  readonly beliefs: number;
  /** Prompt tokens: in all, from the cache, and not from the cache. */
  readonly prompt: number;
  readonly cached: number;
  readonly fresh: number;
  /** At most. */
  readonly completion: number;
  /** At most, without a cache; null if a price is unknown. */
  readonly dollars: number | null;
  /** At most, with the price of cached tokens; null if a price is unknown. */
  readonly dollarsCached: number | null;
  readonly minutes: number;
};

export type Forecasts = Readonly<Record<(typeof FORECAST_TABLES)[number], Forecast>> & {
  readonly unpriced: readonly string[];
  /** Models whose pace is assumed. */
  readonly unmeasured: readonly string[];
};

export type ForecastTerms = {
  readonly prices: Prices;
  /** Measured, by model. */
  readonly paces: ReadonlyMap<string, ModelPace>;
  /** Concurrent requests to one model. */
  readonly concurrency: number;
  /** When players are asked for beliefs. */
  readonly times?: BeliefTimes | undefined;
  /** Games to forecast from the samples, and how many of them run at once. Default: the samples, one by one. */
  readonly games?: number;
  readonly parallel?: number;
};

export type ForecastSample = { readonly match: Match; readonly seed: number };

export async function forecastGames(
  samples: readonly ForecastSample[],
  terms: ForecastTerms,
): Promise<Forecasts> {
  const { games = samples.length, parallel = 1, prices, paces } = terms;
  const models = new Set(
    samples.flatMap(({ match }) => match.seats.filter(isRemote).map(({ model = '' }) => model)),
  );
  const unpriced = [...models].filter((model) => findPrice(prices, model) === null);
  const forecast = async (table: (typeof FORECAST_TABLES)[number]): Promise<Forecast> => {
    const each: Awaited<ReturnType<typeof countRequests>>[] = [];
    for (const sample of samples)
      each.push(await countRequests(sample, terms.times, { ...terms, standIn: STAND_INS[table] }));
    const total = (name: keyof (typeof each)[number]) =>
      (games / samples.length) * sumOf(each, (one) => one[name]);
    const whole = (name: keyof (typeof each)[number]) => Math.round(total(name));
    const dollars = (name: 'dollars' | 'dollarsCached') =>
      unpriced.length === 0 ? total(name) : null;
    return {
      ...{ calls: whole('calls'), beliefs: whole('beliefs'), prompt: whole('prompt') },
      ...{ cached: whole('cached'), fresh: whole('prompt') - whole('cached') },
      ...{ completion: whole('completion'), dollars: dollars('dollars') },
      dollarsCached: dollars('dollarsCached'),
      minutes: Math.max(total('momentMs') / parallel, total('workMs')) / MINUTE_MS,
    };
  };
  return {
    usual: await forecast('usual'),
    passive: await forecast('passive'),
    talkative: await forecast('talkative'),
    unpriced,
    unmeasured: [...models].filter((model) => !paces.has(model)),
  };
}

const MINUTE_MS = 60_000;

type CountTerms = Pick<ForecastTerms, 'prices' | 'paces' | 'concurrency'> & {
  readonly standIn: (mind: Mind) => Mind;
};

const USUAL: CountTerms = {
  ...{ standIn: STAND_INS.usual, prices: {}, paces: new Map(), concurrency: 1 },
};

/** Counts what one match asks of models. Without further terms as usual, and without prices. */
export async function countRequests(
  { match, seed }: ForecastSample,
  times: BeliefTimes | undefined,
  { standIn, prices, paces, concurrency }: CountTerms = USUAL,
) {
  const creation = createMatch(match, seed, (seat, index) => {
    const { temperament } = personaOf(seat, index);
    const mind = createScriptedMind(seed, seat.colour, temperament, seat.learned);
    return isRemote(seat) ? standIn(mind) : mind;
  });
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('; '));
  const { ready } = creation;
  const game = groupByMoment(await collectPrompts(ready)).map((moment) =>
    moment.flatMap(({ seat, request }) => promptOfModel(match, seed, seat, request)),
  );
  const questions = times === undefined ? [] : await collectBeliefQuestions(ready, times);
  const beliefs = questions.map((moment) =>
    moment.flatMap(({ seat, question }) =>
      promptOfModel(match, seed, seat, { kind: 'belief', ...question }),
    ),
  );
  const sum = {
    ...{ calls: 0, beliefs: beliefs.flat().length, prompt: 0, cached: 0, completion: 0 },
    /** Milliseconds of all moments one after the other, and of all requests at the full throughput. */
    ...{ dollars: 0, dollarsCached: 0, momentMs: 0, workMs: 0 },
  };
  const caches = new Map<string, PrefixCache>();
  for (const asked of [...game, ...beliefs]) {
    let [momentMs, workMs] = [0, 0];
    for (const [model, prompts] of Map.groupBy(asked, (one) => one.model)) {
      const cache = caches.get(model) ?? new PrefixCache('in-front');
      caches.set(model, cache);
      const price = findPrice(prices, model);
      const counts = cache.count(prompts.map(({ prompt }) => prompt));
      for (const [index, { prompt, cached }] of counts.entries()) {
        const completion = prompts[index]?.prompt.maxTokens ?? 0;
        sum.calls += 1;
        sum.prompt += prompt;
        sum.cached += cached;
        sum.completion += completion;
        sum.dollars += computeCost(price, { prompt, cached: 0, completion }) ?? 0;
        sum.dollarsCached += computeCost(price, { prompt, cached, completion }) ?? 0;
      }
      const { aloneMs, speedup } = paces.get(model) ?? {
        aloneMs: ASSUMED_MS,
        speedup: concurrency,
      };
      const rounds = prompts.length / Math.max(1, Math.min(speedup, concurrency));
      momentMs = Math.max(momentMs, aloneMs * Math.max(1, rounds));
      workMs = Math.max(workMs, aloneMs * rounds);
    }
    sum.momentMs += momentMs;
    sum.workMs += workMs;
  }
  return sum;
}

/** Empty for a seat without a model. */
function promptOfModel(
  match: Match,
  seed: number,
  seat: Colour,
  request: PromptRequest,
): readonly { readonly model: string; readonly prompt: Prompt }[] {
  const index = match.seats.findIndex(({ colour }) => colour === seat);
  const own = match.seats[index];
  if (own === undefined || !isRemote(own)) return [];
  const identity = pickIdentity(personaOf(own, index), `game-${seed}`, own.level);
  return [{ model: own.model ?? '', prompt: buildPrompt(request, identity) }];
}
