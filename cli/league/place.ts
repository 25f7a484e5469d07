/** Where personas and leagues are kept: what the flags say, what the environment says, or a file beside the journals. */
import { isUrl, openStore } from '../../actors/stores/open.ts';
import { type Store, StoreLost } from '../../actors/stores/store.ts';
import { EXIT, Failure, failure } from '../failure.ts';
import { aside, cleanLines } from '../output.ts';

/** The file that serves where nobody says anything. */
const FILE = 'journals/glassbox.db';

export type PlaceFlags = {
  readonly store?: string;
  readonly requireDurable?: boolean;
};

function placeOf({ store }: PlaceFlags): string {
  // An empty variable is none.
  return store ?? (process.env['REDIS_URL'] || FILE);
}

/** Opens the store; one that is not there is a failure with what to do. */
async function openPlace(
  address: string,
  manners: { readonly isPatient: boolean },
): Promise<Store> {
  const onAway = (isAway: boolean) => {
    if (!manners.isPatient) return;
    aside(isAway ? 'Redis has gone away: waiting until it is back.' : 'Redis is back.');
  };
  const opening = await openStore(address, { ...manners, onAway });
  if (opening.ok) return opening.store;
  const { code, text } = opening.note;
  if (code === 'store/bad-url') throw failure(EXIT.usage, code, text);
  throw failure(isUrl(address) ? EXIT.unreachable : EXIT.cannotWrite, code, text);
}

/** Says what of a store can lose results; refuses where only a sound one will do. */
export async function checkDurable(
  store: Store,
  { requireDurable = false }: PlaceFlags,
): Promise<void> {
  const { warnings } = await store.health();
  if (warnings.length === 0) return;
  if (requireDurable) throw new Failure(EXIT.configuration, warnings);
  for (const { text } of warnings) aside(cleanLines(`Warning: ${text}`));
}

/** Does something with the store and closes it, whatever happens. */
export async function withPlace<T>(
  flags: PlaceFlags,
  manners: { readonly isPatient: boolean },
  act: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openPlace(placeOf(flags), manners);
  try {
    return await act(store);
  } catch (error) {
    if (!(error instanceof StoreLost)) throw error;
    throw failure(EXIT.unreachable, error.code, `${error.message}; is it still running?`);
  } finally {
    await store.close();
  }
}
