/** Forecasts the requests of games to models by playing them with offline minds: as usual, passive and talkative. */
import { createMatch } from '../../actors/engine/match.ts';
import type { EndpointPaceFigures } from '../../actors/minds/openai/memory.ts';
import { computeCost, findPrice, type Prices } from '../../actors/minds/openai/prices.ts';
import type { Mind } from '../../actors/minds/port.ts';
import { remember } from '../../actors/minds/remember.ts';
import { createScriptedMind } from '../../actors/minds/scripted/mind.ts';
import { holdVoteBack, settleIdle, wrapMind } from '../../actors/minds/wrap.ts';
import { isRemote } from '../../machines/rules/mindKinds.ts';
import type { Match } from '../../machines/setup/match.ts';
import { personaOf } from '../../machines/setup/prepare.ts';
import type { BeliefTimes, Colour } from '../../machines/types.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { buildPrompt, type PromptRequest } from '../../prompts/prompt.ts';
import { createPrefixCache, type PrefixCache } from './caching.ts';
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
      wrapMind(mind, ({ kind }, answer) => {
        if (!answer.ok || typeof answer.received !== 'object') return answer;
        const idle = { message: '', ...(kind === 'action' ? { action: null } : {}) };
        return { ok: true, received: { ...answer.received, ...idle } };
      }),
    ),
  talkative: (mind) => holdVoteBack(mind, TALKATIVE_NUDGES),
};

export type Forecasts = Readonly<Awaited<ReturnType<typeof forecastGames>>>;

export type ForecastTerms = {
  readonly prices: Prices;
  readonly paces: ReadonlyMap<string, ModelPace>;
  readonly concurrency: number;
  readonly times?: BeliefTimes | undefined;
  /** Games to forecast from the samples, and how many of them run at once. Default: the samples, one by one. */
  readonly games?: number;
  readonly parallel?: number;
};

export type ForecastSample = { readonly match: Match; readonly seed: number };

export async function forecastGames(samples: readonly ForecastSample[], terms: ForecastTerms) {
  const models = new Set(
    samples.flatMap(({ match }) => match.seats.filter(isRemote).map(({ model = '' }) => model)),
  );
  const unpriced = [...models].filter((model) => findPrice(terms.prices, model) === null);
  const forecast = async (table: (typeof FORECAST_TABLES)[number]) => {
    const { ms, ...counts } = await countRequests(samples, terms, table);
    return {
      ...{ ...counts, fresh: counts.prompt - counts.cached, minutes: ms / MINUTE_MS },
      ...(unpriced.length === 0 ? {} : { dollars: null, dollarsCached: null }),
    };
  };
  return {
    usual: await forecast('usual'),
    passive: await forecast('passive'),
    talkative: await forecast('talkative'),
    unpriced,
    unmeasured: [...models].filter((model) => !terms.paces.has(model)),
  };
}

const MINUTE_MS = 60_000;

export async function countRequests(
  samples: readonly ForecastSample[],
  { prices, paces, concurrency, times, games = samples.length, parallel = 1 }: ForecastTerms,
  table: (typeof FORECAST_TABLES)[number] = 'usual',
) {
  const all = {
    /** Requests, those for beliefs among them, and their tokens, of the completion at most. */
    ...{ calls: 0, beliefs: 0, prompt: 0, cached: 0, completion: 0 },
    /** At most, without a cache and with the price of cached tokens. */
    ...{ dollars: 0, dollarsCached: 0, ms: 0 },
  };
  for (const sample of samples) {
    const caches = new Map<string, PrefixCache>();
    const { moments, beliefs } = await collectMoments(sample, STAND_INS[table], times);
    all.beliefs += beliefs;
    for (const asked of moments) {
      let longestMs = 0;
      for (const [model, prompts] of Map.groupBy(asked, (one) => one.model)) {
        const cache = remember(caches, model, () => createPrefixCache('in-front'));
        const price = findPrice(prices, model);
        const counts = cache(prompts.map(({ prompt }) => prompt));
        for (const [index, { prompt, cached }] of counts.entries()) {
          const completion = prompts[index]?.prompt.maxTokens ?? 0;
          all.calls += 1;
          all.prompt += prompt;
          all.cached += cached;
          all.completion += completion;
          all.dollars += computeCost(price, { prompt, cached: 0, completion }) ?? 0;
          all.dollarsCached += computeCost(price, { prompt, cached, completion }) ?? 0;
        }
        const pace = paces.get(model) ?? { aloneMs: ASSUMED_MS, speedup: concurrency };
        const width = Math.max(1, Math.min(pace.speedup, concurrency));
        // Games that run at once share the throughput.
        const share = Math.max(1 / parallel, prompts.length / width);
        longestMs = Math.max(longestMs, pace.aloneMs * share);
      }
      all.ms += longestMs;
    }
  }
  const scale = games / samples.length;
  for (const name of ['calls', 'beliefs', 'prompt', 'cached', 'completion'] as const)
    all[name] = Math.round(scale * all[name]);
  for (const name of ['dollars', 'dollarsCached', 'ms'] as const) all[name] *= scale;
  return all;
}

/** The prompts of models by moment, those for beliefs last, and how many are for beliefs. */
async function collectMoments(
  { match, seed }: ForecastSample,
  standIn: (mind: Mind) => Mind,
  times: BeliefTimes | undefined,
) {
  const creation = createMatch(match, seed, (seat, index) => {
    const { temperament } = personaOf(seat, index);
    const mind = createScriptedMind(seed, seat.colour, temperament, seat.learned);
    return isRemote(seat) ? standIn(mind) : mind;
  });
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('; '));
  // Empty for a seat without a model.
  const promptOf = (colour: Colour, request: PromptRequest) => {
    const index = match.seats.findIndex((seat) => seat.colour === colour);
    const own = match.seats[index];
    if (own === undefined || !isRemote(own)) return [];
    const identity = pickIdentity(personaOf(own, index), `game-${seed}`, own.level);
    return [{ model: own.model ?? '', prompt: buildPrompt(request, identity) }];
  };
  const game = groupByMoment(await collectPrompts(creation.ready)).map((moment) =>
    moment.flatMap(({ seat, request }) => promptOf(seat, request)),
  );
  const questions = times === undefined ? [] : await collectBeliefQuestions(creation.ready, times);
  const beliefs = questions.map((moment) =>
    moment.flatMap(({ seat, question }) => promptOf(seat, { kind: 'belief', ...question })),
  );
  return { moments: [...game, ...beliefs], beliefs: beliefs.flat().length };
}
