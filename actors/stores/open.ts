/** Opening a store: the one that an address means. A URL is a Redis, anything else is a file. */
import type { Note } from '../../machines/types.ts';
import type { RedisOptions } from './redis.ts';
import type { Store } from './store.ts';

export type StoreOpening =
  | { readonly ok: true; readonly store: Store }
  | { readonly ok: false; readonly note: Note };

export function isRedisUrl(address: string): boolean {
  return address.includes('://');
}

/** Opens the store at an address; what it needs is loaded only now. */
export async function openStore(address: string, manners: RedisOptions): Promise<StoreOpening> {
  if (isRedisUrl(address)) {
    const [{ connectRedis }, { RedisStore }] = await Promise.all([
      import('./redis.ts'),
      import('./redisStore.ts'),
    ]);
    const linking = await connectRedis(address, manners);
    return linking.ok ? { ok: true, store: new RedisStore(linking.link) } : linking;
  }
  const [{ SqliteFile }, { SqliteStore }] = await Promise.all([
    import('./sqlite.ts'),
    import('./sqlite.ts'),
  ]);
  try {
    return { ok: true, store: new SqliteStore(new SqliteFile(address)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const text = `the store in ${address} can't be opened: ${reason}`;
    return { ok: false, note: { code: 'store/cannot-open', text } };
  }
}
