/** Where personas and leagues are kept: what the flags say, what the environment says, or a file beside the journals. */
import { existsSync } from 'node:fs';
import { InMemoryStore } from '../../actors/stores/inMemory.ts';
import { isRedisUrl, openStore } from '../../actors/stores/open.ts';
import { type Store, type StoreHealth, StoreLost } from '../../actors/stores/store.ts';
import { createFailure, EXIT, Failure } from '../exit.ts';
import { cleanLines, printNote } from '../output.ts';

/** The file that serves where nobody says anything. */
const FILE = 'journals/glassbox.db';

export type Manners = {
  /** Waits for a Redis that goes away; otherwise it is reported at once. */
  readonly isPatient: boolean;
  /** Makes the file where there is none; otherwise that is reported. */
  readonly makesFile: boolean;
};
/** Of whoever plays, of whoever only looks, and of whoever looks on while others play. */
export const PLAYING: Manners = { isPatient: true, makesFile: true };
export const LOOKING: Manners = { isPatient: false, makesFile: false };
export const FOLLOWING: Manners = { isPatient: true, makesFile: false };

export type PlaceFlags = {
  readonly store?: string;
  readonly requireDurable?: boolean;
};

/** The address of what keeps results. */
export function placeOf(store: string | undefined): string {
  // An empty variable is none.
  return store ?? (process.env['REDIS_URL'] || FILE);
}

/** What is in the file that nobody has written yet. */
class Blank extends InMemoryStore {
  override async health(): Promise<StoreHealth> {
    return { what: `the file ${FILE}, which is not there yet`, warnings: [] };
  }
}

/** Opens the store; one that is not there is a createFailure with what to do. */
async function openPlace(address: string, manners: Manners): Promise<Store> {
  if (!manners.makesFile && !isRedisUrl(address) && !existsSync(address)) {
    if (address === FILE) return new Blank();
    const text = `expected a store at ${address}, found no such file`;
    throw createFailure(EXIT.noInput, 'store/no-such-file', text);
  }
  const onAway = (isAway: boolean) => {
    if (!manners.isPatient) return;
    printNote(isAway ? 'Redis has gone away: waiting until it is back.' : 'Redis is back.');
  };
  const opening = await openStore(address, { ...manners, onAway });
  if (opening.ok) return opening.store;
  const { code, text } = opening.note;
  if (code === 'store/bad-url') throw createFailure(EXIT.usage, code, text);
  throw createFailure(isRedisUrl(address) ? EXIT.unreachable : EXIT.cannotWrite, code, text);
}

/** Says what of a store can lose results; refuses where only a sound one will do. */
export async function checkDurable(
  store: Store,
  { requireDurable = false }: PlaceFlags,
): Promise<void> {
  const { warnings } = await store.health();
  if (warnings.length === 0) return;
  if (requireDurable) throw new Failure(EXIT.configuration, warnings);
  for (const { text } of warnings) printNote(cleanLines(`Warning: ${text}`));
}

/** Whether the file of the store is at fault: it is damaged, the disk is full, or somebody holds it for too long. */
function isOfSqlite(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

/** Does something with the store and closes it, whatever happens. */
export async function withPlace<T>(
  flags: PlaceFlags,
  manners: Manners,
  act: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openPlace(placeOf(flags.store), manners);
  try {
    return await act(store);
  } catch (error) {
    if (error instanceof StoreLost)
      throw createFailure(EXIT.unreachable, error.code, error.message);
    if (!isOfSqlite(error)) throw error;
    const text = `the store in ${placeOf(flags.store)} can't be used any more: ${error.message}`;
    throw createFailure(EXIT.cannotWrite, 'store/broken', text);
  } finally {
    await store.close();
  }
}
