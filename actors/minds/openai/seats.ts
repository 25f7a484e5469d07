import type { Line } from '../../../machines/journal/lines.ts';
import { isPerson, isRemote } from '../../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../../machines/setup/match.ts';
import type { Colour, Level, Note } from '../../../machines/types.ts';
import type { Identity } from '../../../prompts/personas.ts';
import type { EnvironmentVariables } from '../../ports/ports.ts';
import { findOwnMindProblem } from '../own/ownMinds.ts';
import { findSecretsIn } from '../secrets.ts';
import type { ModelSeat } from './client.ts';
import { findPrice, type Prices } from './prices.ts';
import { DEFAULT_URL, findBaseUrl, findKeyVariable, trimUrl } from './providers.ts';
import type { Endpoint } from './transport.ts';

export function listModels([header]: readonly Line[]): ReadonlyMap<Colour, string> {
  return new Map(
    listSeats(header).flatMap(({ colour, model }) =>
      model === undefined ? [] : [[colour, model]],
    ),
  );
}

export function listSeats(header: Line | undefined): readonly MatchSeat[] {
  return header?.type === 'match.opened' ? header.match.seats : [];
}

export function findSeatProblems(
  seats: readonly MatchSeat[],
  env: EnvironmentVariables,
): readonly Note[] {
  const notes = seats.flatMap((seat) => {
    const secrets = findSecretsIn(seat.colour, seat);
    const own = findOwnMindProblem(seat.colour, seat);
    if (secrets.length > 0 || own !== null) return own === null ? secrets : [...secrets, own];
    if (!isRemote(seat)) return [];
    const { colour, model } = seat;
    if (model === undefined) {
      const text = `${colour}: mind openai wants the name of a model (model: …), found none`;
      return [{ code: 'model/no-name', text }];
    }
    const variable = listVariables(seat).find((name) => !env[name]);
    if (variable === undefined) return [];
    const advice = seat.key === undefined ? '; --key names another one' : '';
    const text = `expected a key in the environment variable ${variable}, which is not set${advice}`;
    return [{ code: 'model/no-key', text }];
  });
  return [...new Map(notes.map((note) => [note.text, note])).values()];
}

/** A budget in dollars needs prices. `ways` lists other limits. */
export function findUnpriced(
  seats: readonly Pick<MatchSeat, 'mind' | 'model'>[],
  prices: Prices,
  { limit, ways }: { readonly limit: string; readonly ways: string },
): readonly Note[] {
  const models = seats.filter(isRemote).map(({ model = '' }) => model);
  const unpriced = [...new Set(models)].filter((model) => findPrice(prices, model) === null);
  if (unpriced.length === 0) return [];
  const text = `${limit}: expected the price of ${unpriced.join(', ')}, found none: ${ways}`;
  return [{ code: 'model/no-price', text }];
}

/** The endpoint of a seat. The key and headers are read from the environment and stored nowhere. */
export function findEndpoint(seat: MatchSeat, env: EnvironmentVariables): Endpoint {
  const { model = '', base_url: baseUrl = DEFAULT_URL, headers = {}, key } = seat;
  const variable = key ?? findKeyVariable(baseUrl);
  const values = Object.entries(headers).map(([name, one]) => [name, env[one]?.trim() ?? '']);
  return {
    baseUrl: trimUrl(baseUrl),
    model,
    apiKey: variable === null ? null : (env[variable] ?? null),
    headers: Object.fromEntries(values),
  };
}

const DEFAULT_TEMPERATURE = 0.8;
/** Endpoints take seeds below 2^31. */
const SEEDS = 2 ** 31;

export function toModelSeat(
  { colour, temperature = DEFAULT_TEMPERATURE, extra_body: extra = {} }: MatchSeat,
  endpoint: Endpoint,
  seed: number,
  identity: Identity,
): ModelSeat {
  return { colour, endpoint, temperature, seed: seed % SEEDS, extra, identity };
}

export type SeatSecrets = Pick<MatchSeat, 'base_url' | 'key' | 'headers'>;

export function listVariables({ base_url: url = DEFAULT_URL, key, headers = {} }: SeatSecrets) {
  return [key ?? findKeyVariable(url) ?? [], Object.values(headers)].flat();
}

export type MindChoice = Pick<MatchSeat, 'mind' | 'command' | 'url' | 'module' | 'folder'>;

/** Overrides for all seats, over the values of a file. */
export type SeatOverrides = {
  readonly mind?: MindChoice;
  readonly seat?: readonly SeatChoice[];
  /** Models for all seats except people's, dealt in turn. */
  readonly model?: readonly string[];
  /** An endpoint's short name. It overrides the base URL of a file. */
  readonly provider?: string;
  readonly baseUrl?: string;
  /** Name of the environment variable that holds the key. */
  readonly key?: string;
  readonly level?: Level;
  readonly temperature?: number;
  /** Names of headers, with the environment variables that hold their values. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `reasoning_effort` of the request. */
  readonly effort?: string;
  readonly extraBody?: Readonly<Record<string, unknown>>;
};

/** Limits of a run: calls, tokens, dollars and minutes of all, and the seconds that a tick waits for models. */
export type RunLimits = {
  readonly concurrency: number;
  readonly perMinute?: number;
  readonly maxCalls?: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly maxMinutes?: number;
  readonly maxTick?: number;
  readonly maxWait?: number;
};

export type SeatChoice = { readonly colour: Colour; readonly model: string | null };

export function overrideSeats<S extends MatchSeat>(
  seats: readonly S[],
  overrides: SeatOverrides,
  first = 0,
): readonly S[] {
  const { model: models = [], mind, seat: only, provider, key, level } = overrides;
  const { temperature, effort, extraBody, headers } = overrides;
  const baseUrl = overrides.baseUrl ?? findBaseUrl(provider ?? '') ?? undefined;
  let dealt = first;
  return seats.map((seat) => {
    const named = only?.find(({ colour }) => colour === seat.colour);
    if (only !== undefined && named === undefined) return seat;
    const model = isPerson(seat) ? undefined : (named?.model ?? models[dealt++ % models.length]);
    const extra = {
      ...seat.extra_body,
      ...(effort === undefined ? {} : { reasoning_effort: effort }),
      ...extraBody,
    };
    return {
      ...seat,
      ...(model === undefined ? {} : { mind: 'openai' as const, model }),
      ...(mind === undefined || isPerson(seat) ? {} : mind),
      ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
      ...(key === undefined ? {} : { key }),
      ...(headers === undefined ? {} : { headers }),
      ...(level === undefined ? {} : { level }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(Object.keys(extra).length === 0 ? {} : { extra_body: extra }),
    };
  });
}
