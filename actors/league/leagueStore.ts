import { didYouMean } from '../engine/suggestion.ts';
import {
  createFailure,
  describeSystemError,
  EXIT,
  type ExitCode,
  Failure,
  nameOf,
  noteFile,
  shorten,
} from '../files/failure.ts';
import { isStoreFile } from '../files/openFiles.ts';
import { realProcess } from '../ports/process.ts';
import { StoreDamaged, StoreError, StoreLost, StoreUnreadable } from '../stores/errors.ts';
import { isRedisUrl, openStore, openStoreFile } from '../stores/open.ts';
import { normaliseId } from '../stores/persona.ts';
import type { Store } from '../stores/store.ts';
import { auditLeague } from './impossible.ts';
import { JournalLost } from './journals.ts';
import { describeLeader } from './lead.ts';
import { decodePlan, type LeaguePlan } from './plan.ts';

const FILE = 'journals/glassbox.db';

export type StoreUse = {
  /** Waits for a Redis that goes away; otherwise it is reported at once. */
  readonly isPatient: boolean;
  /** Makes the file where there is none; otherwise that is reported. */
  readonly makesFile: boolean;
};
/** For commands that play, commands that only read, and commands that follow a league while others play it. */
export const PLAYING: StoreUse = { isPatient: true, makesFile: true };
export const LOOKING: StoreUse = { isPatient: false, makesFile: false };
export const FOLLOWING: StoreUse = { isPatient: true, makesFile: false };

export type StoreFlags = {
  readonly store?: string;
  /** Seconds to wait at the start for a Redis that does not answer. */
  readonly wait?: number;
  readonly requireDurable?: boolean;
};

export function storeLocation(store: string | undefined): string {
  // An empty variable is none.
  return store ?? (realProcess.environment['REDIS_URL'] || FILE);
}

async function openEmptyStore(): Promise<Store> {
  const health = { what: `the file ${FILE}, which is not there yet`, warnings: [] };
  return Object.assign(await openStoreFile(':memory:'), { health: async () => health });
}

async function openStoreAt(address: string, manners: StoreUse, wait: number): Promise<Store> {
  if (/^[\w.-]+:\d+(\/\d+)?$/.test(address)) {
    const text = `expected a store as a file or a URL, found ${address}: write redis://${address} for a Redis there, or ./${address} for a file of this name`;
    throw createFailure(EXIT.usage, 'store/bad-url', text);
  }
  if (!isRedisUrl(address) && !isStoreFile(address) && !manners.makesFile) {
    if (address === FILE) return await openEmptyStore();
    const text = `expected a store at ${nameOf(address)}, found no such file`;
    throw createFailure(EXIT.noInput, 'store/no-such-file', text);
  }
  const onAway = (isAway: boolean) => {
    if (!manners.isPatient) return;
    noteFile(isAway ? 'Redis has gone away: waiting until it is back.' : 'Redis is back.');
  };
  const onWait = (reason: string) => noteFile(`${reason}: waiting up to ${wait} s (--wait).`);
  const isReader = !manners.makesFile;
  const options = { ...manners, isReader, onAway, waitMs: 1000 * wait, onWait };
  return await openStore(address, options).catch((error: unknown) => {
    throw toStoreFailure(error);
  });
}

function toStoreFailure(error: unknown): unknown {
  return error instanceof StoreError
    ? createFailure(storeExit(error), error.code, error.message)
    : error;
}

function storeExit(error: StoreError): ExitCode {
  if (error instanceof StoreLost) return EXIT.unreachable;
  if (error instanceof StoreDamaged) return EXIT.damaged;
  return error instanceof StoreUnreadable ? EXIT.noInput : EXIT.cannotWrite;
}

export async function checkDurable(
  store: Store,
  { requireDurable = false }: StoreFlags,
): Promise<void> {
  const { warnings } = await store.health();
  if (warnings.length === 0) return;
  if (requireDurable) throw new Failure(EXIT.configuration, warnings);
  for (const { text } of warnings) noteFile(`Warning: ${text}`);
}

export async function withStore<T>(
  flags: StoreFlags,
  manners: StoreUse,
  act: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStoreAt(storeLocation(flags.store), manners, flags.wait ?? 0);
  try {
    return await act(store);
  } catch (error) {
    if (error instanceof JournalLost) {
      const text = `cannot write the journal to ${nameOf(error.path)}: ${describeSystemError(error.cause)}`;
      throw createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
    }
    throw toStoreFailure(error);
  } finally {
    await store.close();
  }
}

/** The plan of a league that was begun; without a name, of the only one. */
export async function findPlan(store: Store, name: string | undefined): Promise<LeaguePlan> {
  const leagues = await store.leagues();
  const [only] = leagues;
  const meant = name === undefined ? (leagues.length === 1 ? only : name) : normaliseId(name);
  if (meant === undefined) {
    const list = leagues.length === 0 ? 'there is none yet' : leagues.join(', ');
    throw createFailure(EXIT.usage, 'league/which', `expected the name of a league (${list})`);
  }
  const plan = await readPlan(store, meant);
  if (plan !== null) return plan;
  if (leagues.includes(meant)) {
    const lost = `the league ${JSON.stringify(meant)} has no plan: the store was emptied while it was played; run its file again`;
    throw createFailure(EXIT.noInput, 'league/no-plan', lost);
  }
  const help = didYouMean(meant, leagues);
  const sentence = `there is no league ${JSON.stringify(shorten(meant))} in this store${help}`;
  throw createFailure(EXIT.noInput, 'league/unknown', sentence);
}

async function readPlan(store: Store, league: string): Promise<LeaguePlan | null> {
  const text = await store.settled(league, 'plan');
  return text === null ? null : decodePlan(league, text);
}

export type LeagueStatus = Awaited<ReturnType<typeof readStatusOf>>;

/** The status of the named league, or of all. A damaged plan does not hide the other leagues. */
export async function readStatus(
  store: Store,
  name: string | undefined,
): Promise<readonly LeagueStatus[]> {
  const leagues: LeagueStatus[] = [];
  if (name !== undefined) await findPlan(store, name);
  for (const one of name === undefined ? await store.leagues() : [name])
    leagues.push(await readStatusOf(store, one));
  return leagues;
}

/** The number of games is null where the plan is lost or damaged. */
async function readStatusOf(store: Store, name: string) {
  const { plan, damage } = await tryPlan(store, name);
  const done = (await store.slots(name)).length;
  const [wrong = null] = plan === null ? [] : (await auditLeague(store, plan)).damages;
  const lead = await store.leader(name);
  const leader = lead === null ? null : describeLeader(lead);
  return { name, done, games: plan?.league.games ?? null, leader, damage: damage ?? wrong };
}

export async function tryPlan(store: Store, league: string) {
  try {
    return { plan: await readPlan(store, league), damage: null };
  } catch (error) {
    if (!(error instanceof StoreDamaged)) throw error;
    return { plan: null, damage: { code: error.code, text: error.message } };
  }
}

/** The workers on the Redis of a store that are of this version; null where there is no queue, or it can't be asked. */
export async function listWorkersAt(
  address: string,
  engine: string,
): Promise<readonly string[] | null> {
  if (!isRedisUrl(address)) return null;
  const { RedisGameQueue } = await import('./queue.ts');
  const queue = new RedisGameQueue(address, engine, { isReader: true });
  await using _closed = { [Symbol.asyncDispose]: () => queue.close() };
  return await queue.workers();
}
