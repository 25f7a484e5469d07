/** Plays the missing games. A journal with its final name is complete. An open one continues, so no model repeats. */
import { forEachAtOnce } from '../../actors/jobs/pool.ts';
import {
  FileJournal,
  openJournalPath,
  removePartialFiles,
  saveJournalsIn,
} from '../../actors/league/journals.ts';
import type { ModelResources } from '../../actors/league/models.ts';
import type { LeagueTerms } from '../../actors/league/plan.ts';
import { Players } from '../../actors/league/players.ts';
import { realDisk } from '../../actors/ports/disk.ts';
import { type BundleGame, JOURNALS, journalOf, type TestedRecord } from './bundle.ts';
import {
  type BenchmarkTable,
  isOffline,
  listTables,
  prepareTable,
  type TestedMind,
} from './definition.ts';
import type { InspectTask } from './inspect.ts';
import type { Inspectors } from './inspectors.ts';
import { MOST_TABLES } from './sizes.ts';

export type BenchmarkRun = {
  readonly tested: TestedMind;
  readonly tables: number;
  /** The folder of the journals; null keeps none. */
  readonly folder: string | null;
  readonly terms: LeagueTerms;
  readonly resources: ModelResources;
  readonly gamesAtOnce: number;
  readonly inspectors: Inspectors;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BenchmarkProgress) => void;
};

export type BenchmarkProgress = {
  readonly done: number;
  readonly microdollars: number;
};

export type LostBenchmarkGame = {
  readonly table: number;
  /** `paused`: it can continue later; `foreign`: another journal has its name. */
  readonly why: 'paused' | 'broken' | 'foreign';
  readonly text: string;
};

export type PlayedBenchmark = {
  /** In the order of the tables. Some are missing if the run stopped or lost a game. */
  readonly games: readonly BundleGame[];
  readonly lost: readonly LostBenchmarkGame[];
};

/** Plays the missing games. Throws `JournalLost` if a journal cannot be written. */
export async function playBenchmark(run: BenchmarkRun): Promise<PlayedBenchmark> {
  const players = new Players(1, run.resources);
  await using _closed = { [Symbol.asyncDispose]: () => players.close() };
  return await new BenchmarkSession(run, players).play();
}

class BenchmarkSession {
  readonly #run: BenchmarkRun;
  readonly #players: Players;
  readonly #tables: readonly BenchmarkTable[];
  readonly #records = new Map<string, TestedRecord>();
  readonly #lost: LostBenchmarkGame[] = [];
  #microdollars = 0;

  constructor(run: BenchmarkRun, players: Players) {
    this.#run = run;
    this.#tables = listTables(run.tables);
    this.#players = players;
  }

  async play(): Promise<PlayedBenchmark> {
    const { inspectors, gamesAtOnce, signal, tested } = this.#run;
    const open = await this.#countThere();
    const isEnded = () => signal.aborted || this.#lost.length > 0;
    const offline = isOffline(tested);
    const quick = [
      ...(offline ? open.map((table) => ({ table, sitter: 'tested' as const })) : []),
      ...this.#tables.map((table) => ({ table, sitter: 'reference' as const })),
    ];
    await Promise.all([
      forEachAtOnce(offline ? [] : open, gamesAtOnce, {
        isStopped: isEnded,
        work: async (table) => await this.#playSlow(table),
      }),
      forEachAtOnce(quick, inspectors.atOnce, {
        isStopped: isEnded,
        work: async ({ table: { table }, sitter }) => {
          const keepsText = sitter === 'tested' && this.#run.folder !== null;
          await this.#inspect({ table, sitter, text: null, keepsText });
        },
      }),
    ]);
    return { games: this.#listGames(), lost: this.#lost };
  }

  async #countThere(): Promise<readonly BenchmarkTable[]> {
    const { folder, inspectors, signal, tested, terms } = this.#run;
    if (folder === null) return this.#tables;
    const there = this.#tables.filter(({ table }) => realDisk.has(`${folder}/${journalOf(table)}`));
    const slots = there.map(({ table }) => table - 1);
    removePartialFiles(`${folder}/${JOURNALS}`, { slots, games: MOST_TABLES });
    await forEachAtOnce(there, inspectors.atOnce, {
      isStopped: () => signal.aborted,
      work: async (table) => {
        const text = realDisk.read(`${folder}/${journalOf(table.table)}`) ?? '';
        await this.#inspect({ table: table.table, sitter: 'tested', text });
        // The budget includes the costs of earlier runs.
        if (!isOffline(tested))
          await this.#players.countPast(prepareTable(table, tested, terms), text);
      },
    });
    return this.#tables.filter((table) => !there.includes(table));
  }

  async #inspect(given: Omit<InspectTask, 'tested' | 'isChecked'>): Promise<void> {
    const { table, sitter } = given;
    const { inspectors, tested, onProgress } = this.#run;
    const inspected = await inspectors.run({ ...given, tested, isChecked: false });
    if (inspected.text !== undefined) await this.#save(table, inspected.text);
    const [finding] = inspected.findings;
    if (finding !== undefined || inspected.record === null) {
      const line = finding?.line ?? null;
      const where = `${journalOf(table)}${line === null ? '' : `, line ${line}`}`;
      const text = `${where}: ${finding?.text ?? 'expected a whole game, found a part'}`;
      this.#lost.push({ table, why: 'foreign', text });
      return;
    }
    this.#records.set(`${table} ${sitter}`, inspected.record);
    onProgress({ done: this.#records.size, microdollars: this.#microdollars });
  }

  async #playSlow(table: BenchmarkTable): Promise<void> {
    const { folder, tested, terms, signal } = this.#run;
    if (folder === null) throw new Error('expected a folder for the journals of a slow mind');
    const game = prepareTable(table, tested, terms);
    const path = openJournalPath(`${folder}/${JOURNALS}`, game.slot, MOST_TABLES);
    const journal = new FileJournal(path);
    const over = new AbortController();
    try {
      const outcome = await this.#players.play(game, journal, (breakOff) => {
        if (signal.aborted) breakOff();
        else signal.addEventListener('abort', breakOff, { signal: over.signal });
      });
      if (outcome.type !== 'played') {
        const why = outcome.type === 'broken' ? 'broken' : 'paused';
        if (!signal.aborted) this.#lost.push({ table: table.table, why, text: outcome.text });
        return;
      }
      const text = outcome.journal ?? '';
      for (const { tally } of outcome.result.seats)
        this.#microdollars += tally['microdollars'] ?? 0;
      await this.#save(table.table, text);
      await this.#inspect({ table: table.table, sitter: 'tested', text });
    } finally {
      over.abort();
      journal.close();
      if (realDisk.has(`${folder}/${journalOf(table.table)}`)) realDisk.remove(path);
    }
  }

  async #save(table: number, text: string): Promise<void> {
    const { folder } = this.#run;
    await saveJournalsIn(`${folder}/${JOURNALS}`, MOST_TABLES)(table - 1, text);
  }

  #listGames(): readonly BundleGame[] {
    return this.#tables.flatMap(({ table }): readonly BundleGame[] => {
      const tested = this.#records.get(`${table} tested`);
      const mirror = this.#records.get(`${table} reference`);
      if (tested === undefined || mirror === undefined) return [];
      const { digest, winner, reason, rounds, meetings, figures } = mirror;
      const reference = { digest, winner, reason, rounds, meetings, figures };
      return [{ table, journal: journalOf(table), tested, reference }];
    });
  }
}
