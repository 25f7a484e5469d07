/** The store of a command: by its flags, by the environment, or a file beside the journals. */

import { suggestWord } from '../../actors/engine/suggestion.ts';
import {
  createFailure,
  describeSystemError,
  EXIT,
  type ExitCode,
  Failure,
  nameOf,
  shorten,
} from '../../actors/files/failure.ts';
import { isStoreFile } from '../../actors/files/openFiles.ts';
import { JournalLost } from '../../actors/league/journals.ts';
import { type OpenedResources, openResources } from '../../actors/league/models.ts';
import { decodePlan, type LeaguePlan } from '../../actors/league/plan.ts';
import { realProcess } from '../../actors/ports/process.ts';
import { realTime } from '../../actors/ports/time.ts';
import { InMemoryStore } from '../../actors/stores/inMemory.ts';
import { isRedisUrl, openStore } from '../../actors/stores/open.ts';
import { normaliseId } from '../../actors/stores/persona.ts';
import { StoreDamaged } from '../../actors/stores/seal.ts';
import {
  type Store,
  type StoreHealth,
  StoreLost,
  StoreUnreadable,
  StoreUnwritable,
} from '../../actors/stores/store.ts';
import { counting } from '../../analysis/league/tally.ts';
import { checkCareers } from '../../analysis/league/verify.ts';
import { pluralize } from '../../machines/text.ts';
import type { Note } from '../../machines/types.ts';
import { clean } from '../../visualizer/terminal/layout.ts';
import { createLoadingNotes, openMemory, openPrices } from '../models.ts';
import { cleanLines, print, printJson, printNote } from '../output.ts';
import { commandLine } from '../usage.ts';

/** The default store. */
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

/** The address of the store. */
export function storeLocation(store: string | undefined): string {
  // An empty variable is none.
  return store ?? (realProcess.environment['REDIS_URL'] || FILE);
}

/** The default store before its file has been made. */
class EmptyStore extends InMemoryStore {
  override async health(): Promise<StoreHealth> {
    return { what: `the file ${FILE}, which is not there yet`, warnings: [] };
  }
}

/** Opens the store; one that is not there is a failure with what to do. */
async function openStoreAt(address: string, manners: StoreUse, wait: number): Promise<Store> {
  if (!isRedisUrl(address) && !isStoreFile(address) && !manners.makesFile) {
    if (address === FILE) return new EmptyStore();
    const text = `expected a store at ${nameOf(address)}, found no such file`;
    throw createFailure(EXIT.noInput, 'store/no-such-file', text);
  }
  const onAway = (isAway: boolean) => {
    if (!manners.isPatient) return;
    printNote(isAway ? 'Redis has gone away: waiting until it is back.' : 'Redis is back.');
  };
  const onWait = (reason: string) =>
    printNote(cleanLines(`${reason}: waiting up to ${wait} s (--wait).`));
  const isReader = !manners.makesFile;
  const options = { ...manners, isReader, onAway, waitMs: 1000 * wait, onWait };
  const opening = await openStore(address, options).catch((error: unknown) => {
    throw toStoreFailure(error) ?? error;
  });
  if (opening.ok) return opening.store;
  const { code, text } = opening.note;
  throw createFailure(code === 'store/bad-url' ? EXIT.usage : EXIT.unreachable, code, text);
}

/** The failure for an error of a store, or null for any other error. */
function toStoreFailure(error: unknown): Failure | null {
  const exit = storeExit(error);
  return exit === null || !(error instanceof Error) || !('code' in error)
    ? null
    : createFailure(exit, String(error.code), error.message);
}

function storeExit(error: unknown): ExitCode | null {
  if (error instanceof StoreLost) return EXIT.unreachable;
  if (error instanceof StoreDamaged) return EXIT.damaged;
  if (error instanceof StoreUnreadable) return EXIT.noInput;
  return error instanceof StoreUnwritable ? EXIT.cannotWrite : null;
}

/** Warns about a store that can lose results; refuses it with `--require-durable`. */
export async function checkDurable(
  store: Store,
  { requireDurable = false }: StoreFlags,
): Promise<void> {
  const { warnings } = await store.health();
  if (warnings.length === 0) return;
  if (requireDurable) throw new Failure(EXIT.configuration, warnings);
  for (const { text } of warnings) printNote(cleanLines(`Warning: ${text}`));
}

/** Opens the store, acts on it, and closes it in any case. */
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
    throw toStoreFailure(error) ?? error;
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
  const near = suggestWord(meant, leagues);
  const help = near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
  const sentence = `there is no league ${JSON.stringify(shorten(meant))} in this store${help}`;
  throw createFailure(EXIT.noInput, 'league/unknown', sentence);
}

/** The plan of a league; null where the store has lost it. */
export async function readPlan(store: Store, league: string): Promise<LeaguePlan | null> {
  const text = await store.settled(league, 'plan');
  return text === null ? null : decodePlan(league, text);
}

/** The arguments that name the store; an address may hold a password, which is not repeated. */
export function storeArguments(store: string | undefined): readonly string[] {
  return store === undefined ? [] : ['--store', isRedisUrl(store) ? 'URL' : store];
}

/** The failure for results that differ from their records. `done` says how the command went on. */
export function damagedLeague(
  { league }: LeaguePlan,
  damages: readonly Note[],
  { done, store }: { readonly done: string; readonly store: string | undefined },
): Failure {
  const { length } = damages;
  const verify = commandLine('verify', league.name, ...storeArguments(store));
  const text = `${pluralize(length, 'damage')} in the results of the league, and ${done}: ${verify} names everything that does not fit`;
  const shown = damages.slice(0, SHOWN_DAMAGES);
  return new Failure(EXIT.damaged, [...shown, { code: 'league/damaged', text }]);
}

/** Damages that are named one by one. */
const SHOWN_DAMAGES = 10;

/** For `doctor`: whether the store answers, how fast, and whether it can lose results, which is something found. */
export async function checkStore(
  flags: StoreFlags & { readonly json?: boolean },
): Promise<ExitCode> {
  const started = realTime.now();
  return await withStore(flags, LOOKING, async (store) => {
    const { what, warnings } = await store.health();
    const ms = Math.round(realTime.now() - started);
    const personas = (await store.personas()).length;
    const names = await store.leagues();
    const leagues = names.length;
    const damages: string[] = [];
    for (const name of names) {
      // A plan that is damaged is named like a result.
      await readPlan(store, name).catch((error: unknown) => {
        if (!(error instanceof StoreDamaged)) throw error;
        damages.push(`${JSON.stringify(name)}: ${error.message}`);
      });
      const audit = await store.audit(name);
      const count = audit.damages.length + Math.abs(audit.missing ?? 1);
      if (count === 0) continue;
      const words = commandLine('verify', name, ...storeArguments(flags.store));
      damages.push(
        `${pluralize(count, 'damage')} in the results of ${JSON.stringify(name)}: ${words}`,
      );
    }
    if (damages.length === 0) damages.push(...(await checkCareers(store)).map(({ text }) => text));
    if (flags.json) {
      const found = { personas, leagues, warnings, damages };
      printJson({ type: 'doctor.store', v: 1, store: what, ms, ...found });
    } else {
      print(
        `${clean(what)} answers in ${ms} ms: ${pluralize(leagues, 'league')}, ${pluralize(personas, 'persona')}`,
      );
      for (const { text } of warnings) print(`  ${clean(text)}`);
      if (warnings.length === 0) print('  It keeps every acknowledged result when it ends.');
      for (const text of damages) print(`  ${clean(text)}`);
      if (damages.length === 0)
        print('  All results fit their hashes, and all careers the results.');
    }
    return warnings.length + damages.length === 0 ? EXIT.done : EXIT.found;
  });
}

type OpenModelsOptions = {
  /** Of the store. */
  readonly address: string;
  readonly prices: string | undefined;
  readonly say: (text: string) => void;
};

/** Opens prices and request queues, which the models of a league share. */
export async function openModels(
  store: Store,
  { address, prices, say }: OpenModelsOptions,
): Promise<OpenedResources> {
  const opening = await openResources(address, {
    store,
    prices: await openPrices(prices),
    counting,
    memory: openMemory(say),
    onLoading: createLoadingNotes(say),
  });
  if (opening.ok) return opening.opened;
  throw createFailure(EXIT.unreachable, opening.note.code, opening.note.text);
}
