/** The means of models that play in leagues: prices, and where their requests wait. */
import type { RequestGate, RequestLimits } from '../../actors/minds/openai/limiter.ts';
import type { Endpoint } from '../../actors/minds/openai/transport.ts';
import { isRedisUrl } from '../../actors/stores/open.ts';
import type { Store } from '../../actors/stores/store.ts';
import { createFailure, EXIT } from '../exit.ts';
import { openPrices } from '../modelSeats.ts';
import type { Means } from './models.ts';

export type Meant = {
  readonly means: Means;
  readonly close: () => void;
};

/** Opens them. On a Redis all who play there wait for the same room. */
export async function openMeans(
  store: Store,
  address: string,
  prices: string | undefined,
): Promise<Meant> {
  const table = prices === undefined ? {} : openPrices(prices);
  if (!isRedisUrl(address)) return { means: { store, prices: table }, close: () => {} };
  const [{ connectRedis }, { SharedLimiter }] = await Promise.all([
    import('../../actors/stores/redis.ts'),
    import('../../actors/stores/limiter.ts'),
  ]);
  const linking = await connectRedis(address, { isPatient: true });
  if (!linking.ok) throw createFailure(EXIT.unreachable, linking.note.code, linking.note.text);
  const { link } = linking;
  const gates = new Map<string, RequestGate>();
  const gateTo = ({ baseUrl, model }: Endpoint, limits: RequestLimits): RequestGate => {
    const key = JSON.stringify([baseUrl, model, limits]);
    const gate = gates.get(key) ?? new SharedLimiter(link, { baseUrl, model }, limits);
    gates.set(key, gate);
    return gate;
  };
  return { means: { store, prices: table, gateTo }, close: () => link.close() };
}
