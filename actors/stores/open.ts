import type { Note } from '../../machines/types.ts';
import type { RedisOptions } from './redis.ts';
import type { Store } from './store.ts';

/** A Redis that does not answer is a note. */
export type StoreOpening =
  | { readonly ok: true; readonly store: Store }
  | { readonly ok: false; readonly note: Note };

export type StoreOptions = RedisOptions & { readonly isReader?: boolean };

export function isRedisUrl(address: string): boolean {
  return address.includes('://');
}

/** Opens the store at an address, a URL or a path. Loads only the driver it needs; throws a store error if it is no store. */
export async function openStore(address: string, options: StoreOptions): Promise<StoreOpening> {
  if (isRedisUrl(address)) {
    const [{ connectRedis }, { RedisStore }] = await Promise.all([
      import('./redis.ts'),
      import('./redisStore.ts'),
    ]);
    const linking = await connectRedis(address, options);
    return linking.ok ? { ok: true, store: new RedisStore(linking.link) } : linking;
  }
  const [{ SqliteFile }, { SqliteStore }, { STORE_LAYOUT }] = await Promise.all([
    import('./sqlite.ts'),
    import('./sqliteStore.ts'),
    import('./sqliteVersions.ts'),
  ]);
  const file = new SqliteFile(address, STORE_LAYOUT, options.isReader);
  return { ok: true, store: new SqliteStore(file) };
}
