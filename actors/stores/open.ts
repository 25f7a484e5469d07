import type { RedisOptions } from './redis.ts';
import type { Store } from './store.ts';

export type StoreOptions = RedisOptions & { readonly isReader?: boolean };

export function isRedisUrl(address: string): boolean {
  return address.includes('://');
}

/** Throws a store error if the store is damaged, of another program or a newer version, whatever it is opened for. */
export async function openStore(address: string, options: StoreOptions): Promise<Store> {
  if (isRedisUrl(address)) {
    const [{ connectRedis }, { RedisStore }] = await Promise.all([
      import('./redis.ts'),
      import('./redisStore.ts'),
    ]);
    return await RedisStore.open(await connectRedis(address, options));
  }
  return await openStoreFile(address, options.isReader);
}

/** Opens the SQLite file at a path; ":memory:" is one that is gone with its process. */
export async function openStoreFile(path: string, isReader?: boolean): Promise<Store> {
  const [{ SqliteFile }, { SqliteStore }, { STORE_STEPS }] = await Promise.all([
    import('./sqlite.ts'),
    import('./sqliteStore.ts'),
    import('./sqliteVersions.ts'),
  ]);
  return new SqliteStore(new SqliteFile(path, STORE_STEPS, isReader));
}
