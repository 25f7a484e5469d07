/** Running a league on the command line: in this process, or by workers on any number of machines. */
import { begin } from '../../actors/league/beginning.ts';
import { conduct } from '../../actors/league/conductor.ts';
import type { GameQueue } from '../../actors/league/gameQueue.ts';
import { type Plan, planOf, planRefusals } from '../../actors/league/plan.ts';
import type { LostSlot, SlotOutcome } from '../../actors/league/playing.ts';
import { isRedisUrl } from '../../actors/stores/open.ts';
import type { Store } from '../../actors/stores/store.ts';
import manifest from '../../package.json' with { type: 'json' };
import { createFailure, EXIT, type ExitCode, Failure } from '../exit.ts';
import { openLeague } from '../input.ts';
import { commandLine } from '../options.ts';
import { cleanLines, isOutputClosed, print, printJson, printNote } from '../output.ts';
import { listenForStop } from '../stop.ts';
import { firstRefusals, keyNotes } from './firstGame.ts';
import { folderOf } from './journals.ts';
import { standingsIn } from './leagues.ts';
import { checkDurable, PLAYING, type PlaceFlags, placeOf, withPlace } from './place.ts';
import { Progress } from './progress.ts';
import { leaderboard } from './table.ts';

export type RunFlags = PlaceFlags & {
  readonly redis?: string;
  readonly jobs: number;
  readonly mirror?: boolean;
  readonly out?: string;
  readonly prices?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
};

/** Plays all that is open in a league; returns the exit status. */
export async function runLeague(path: string, flags: RunFlags): Promise<ExitCode> {
  const file = await openLeague(path);
  const plan = planOf(flags.mirror === true ? { ...file, mirror: true } : file, manifest.version);
  // Workers have keys of their own.
  const lacks = flags.redis === undefined ? keyNotes(plan) : [];
  const refusals = [...planRefusals(plan), ...firstRefusals(plan), ...lacks];
  if (refusals.length > 0) throw new Failure(EXIT.configuration, refusals);
  const place = flags.redis === undefined ? flags : { ...flags, store: flags.redis };
  return await withPlace(place, PLAYING, async (store) => {
    await checkDurable(store, flags);
    const conflict = await begin(store, plan);
    if (conflict !== null) throw createFailure(EXIT.configuration, conflict.code, conflict.text);
    return await played(plan, store, flags);
  });
}

async function played(plan: Plan, store: Store, flags: RunFlags): Promise<ExitCode> {
  const { league } = plan;
  const { quiet = false, json = false } = flags;
  const folder = flags.out ?? folderOf(league.name);
  const queue = await queueFor(plan, store, flags, folder);
  const isHeld = listenForStop({
    sink: null,
    isReal: true,
    words:
      'The league stops after the games that are on; what is open is played when it is run again',
  });
  const before = await store.slots(league.name);
  const progress = new Progress(league.games, before.length, quiet || json);
  let isStopped = false;
  isHeld({
    stop: () => {
      isStopped = true;
      queue.stop();
    },
  });
  const heard = (outcome: SlotOutcome) => {
    if (outcome.type === 'played') progress.played(costOf(outcome.result));
    else progress.lost(`game ${outcome.slot + 1}: ${outcome.text}`);
  };
  try {
    const { open, lost } = await conduct({ plan, store, queue, heard });
    progress.clear();
    const standings = await standingsIn(store, plan);
    if (!isOutputClosed()) {
      if (json) printJson({ type: 'league.standings', v: 1, ...standings, journals: folder });
      else print(leaderboard(standings));
    }
    if (!json && !quiet) {
      const words = commandLine('league', 'show', league.name, '--stats', ...elsewhere(flags));
      printNote(`\nHow they play:  ${cleanLines(words)}`);
      printNote(`The games:      ${cleanLines(commandLine('stats', folder))}`);
    }
    if (open === 0) return EXIT.done;
    if (isStopped) return EXIT.interrupted;
    throw lostFailure(lost, open);
  } finally {
    await queue.close();
  }
}

/** What says where the results are; an address may hold a password, which is not repeated. */
function elsewhere({ store, redis }: RunFlags): readonly string[] {
  const place = redis ?? store;
  if (place === undefined) return [];
  return ['--store', isRedisUrl(place) ? 'URL' : place];
}

/** Games that could not be played for now, and what to do about it. */
function lostFailure(lost: readonly LostSlot[], open: number): Failure {
  if (lost.length === 0) {
    const text = `${open} games were played and have no result: the store forgets what it has acknowledged; mend it and run the league again`;
    return createFailure(EXIT.unreachable, 'league/forgotten', text);
  }
  const isPaused = lost.some(({ type }) => type === 'aborted');
  const notes = lost.map(({ slot, type, text }) =>
    type === 'aborted'
      ? { code: 'league/paused', text: `game ${slot + 1}: ${text}; run the league again to go on` }
      : { code: 'league/game-lost', text: `game ${slot + 1} can't be played: ${text}` },
  );
  return new Failure(isPaused ? EXIT.unreachable : EXIT.found, notes);
}

async function queueFor(
  plan: Plan,
  store: Store,
  { redis, jobs, prices, store: place }: RunFlags,
  folder: string,
): Promise<GameQueue> {
  if (redis === undefined) {
    const [{ localQueue }, { openMeans }] = await Promise.all([
      import('./local.ts'),
      import('./means.ts'),
    ]);
    const means = await openMeans(store, placeOf(place), prices);
    try {
      return localQueue(plan, { store, jobs, folder, means });
    } catch (error) {
      means.close();
      throw error;
    }
  }
  const { remoteQueue } = await import('./remote.ts');
  return await remoteQueue(plan, store, { url: redis, folder });
}

function costOf({ seats }: Extract<SlotOutcome, { type: 'played' }>['result']): number {
  return seats.reduce((sum, { tally }) => sum + (tally['microdollars'] ?? 0), 0);
}
