/** Counts everything in a bundle again. It cannot detect invented answers of the tested mind in its journals. */
import { forEachAtOnce } from '../../actors/jobs/pool.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import { readField } from '../../machines/text.ts';
import {
  BUNDLE_FILE,
  type Bundle,
  type BundleGame,
  type CompactGame,
  type GameRecord,
  isCompact,
  isSealed,
  journalOf,
  type TestedRecord,
} from './bundle.ts';
import type { SeatConduct } from './conduct.ts';
import { hashPlan, isOffline, makeTable, nameTested, SITTERS, type Sitter } from './definition.ts';
import type { GameFinding, InspectedGame } from './inspect.ts';
import type { Inspectors } from './inspectors.ts';
import { type BenchmarkScores, type PlayedTable, SCORES, scoreTables } from './scores.ts';

/** A field is null if no file, line or table applies. Tables count from 1. */
export type BundleFinding = GameFinding & {
  readonly file: string | null;
  readonly table: number | null;
};

export type BundleVerification = {
  readonly findings: readonly BundleFinding[];
  /** Games of offline minds that were played again, and games that were played with the answers of their journal. */
  readonly played: number;
  readonly followed: number;
  /** Null if a game is missing. */
  readonly scores: BenchmarkScores | null;
  readonly figures: readonly PlayedTable[];
  readonly conducts: readonly SeatConduct[];
};

export type VerifyBundleOptions = {
  readonly bundle: Bundle;
  readonly name: string;
  /** Relative paths of the files in the folder; null for a bundle without a folder. */
  readonly files: readonly string[] | null;
  /** Throws if the file cannot be read. */
  readonly readFile: (path: string) => Promise<string>;
  readonly inspectors: Inspectors;
  readonly onProgress?: (done: number, of: number) => void;
  readonly isStopped?: () => boolean;
};

export async function verifyBundle(options: VerifyBundleOptions): Promise<BundleVerification> {
  const { bundle, inspectors, onProgress, isStopped = () => false } = options;
  const check = new BundleCheck(options);
  check.checkWhole();
  const tasks = check.listTasks();
  let done = 0;
  await forEachAtOnce(tasks, inspectors.atOnce, {
    isStopped,
    work: async ({ game, sitter }) => {
      await check.checkGame(game, sitter);
      done += 1;
      onProgress?.(done, tasks.length);
    },
  });
  check.checkScores(bundle);
  return check.result;
}

type NamedGame = BundleGame | CompactGame;
type GameTask = { readonly game: NamedGame; readonly sitter: Sitter };

class BundleCheck {
  readonly #options: VerifyBundleOptions;
  readonly #findings: BundleFinding[] = [];
  readonly #records = new Map<string, GameRecord>();
  #played = 0;
  #followed = 0;
  #scores: BenchmarkScores | null = null;
  #figures: readonly PlayedTable[] = [];
  readonly #conducts: SeatConduct[] = [];

  constructor(options: VerifyBundleOptions) {
    this.#options = options;
  }

  get result(): BundleVerification {
    const order = ({ table, file, line }: BundleFinding) =>
      [file === this.#options.name && table === null ? 0 : 1, table ?? 0, line ?? 0] as const;
    const findings = this.#findings.toSorted((one, other) => {
      const [mine, others] = [order(one), order(other)];
      return mine[0] - others[0] || mine[1] - others[1] || mine[2] - others[2];
    });
    const [played, followed] = [this.#played, this.#followed];
    const [scores, figures, conducts] = [this.#scores, this.#figures, this.#conducts];
    return { findings, played, followed, scores, figures, conducts };
  }

  #add(code: string, text: string, where: Partial<BundleFinding> = {}): void {
    this.#findings.push({ file: null, line: null, table: null, ...where, code, text });
  }

  checkWhole(): void {
    const { bundle, files } = this.#options;
    const { tables, games, plan } = bundle;
    const here = { file: this.#options.name };
    if (!isSealed(bundle))
      this.#add('bundle/seal', 'it was changed after it was written: its seal does not fit', here);
    const expected = hashPlan(tables);
    if (plan !== expected) {
      const text = `expected the plan of ${tables} tables, ${expected}, found ${plan}`;
      this.#add('bundle/other-plan', text, here);
    }
    const numbers = games.map(({ table }) => table);
    for (let table = 1; table <= tables; table++) {
      const times = numbers.filter((one) => one === table).length;
      if (times === 1) continue;
      const code = times === 0 ? 'bundle/missing-game' : 'bundle/double-game';
      const text = `expected the game of table ${table} once, found it ${times === 0 ? 'nowhere' : `${times} times`}`;
      this.#add(code, text, { ...here, table });
    }
    for (const table of new Set(numbers.filter((one) => one > tables))) {
      const text = `expected ${tables} tables, found one with the number ${table}`;
      this.#add('bundle/extra-game', text, { ...here, table });
    }
    if (files !== null || bundle.games.every(isCompact)) this.#checkFiles(files ?? []);
    if (files === null && !isOffline(bundle.tested)) {
      const text = `expected the journals of ${nameTested(bundle.tested)}, whose games nobody can play again, found hashes alone`;
      this.#add('bundle/no-journals', text, here);
    }
  }

  #checkFiles(files: readonly string[]): void {
    const { bundle } = this.#options;
    const journals = bundle.games.map(({ table }) => journalOf(table));
    const named = new Set([BUNDLE_FILE, ...journals, ...bundle.files.map(({ path }) => path)]);
    for (const file of files) {
      const text = 'expected no such file: the bundle does not name it';
      if (!named.has(file)) this.#add('bundle/extra-file', text, { file });
    }
    for (const { path } of bundle.files) {
      const text = 'expected this file, found none';
      if (!files.includes(path)) this.#add('bundle/missing-file', text, { file: path });
    }
  }

  /** Every game once, and the first one of a repeated table. */
  listTasks(): readonly GameTask[] {
    const { files, bundle } = this.#options;
    const { games, tables, tested } = bundle;
    if (files === null && !isOffline(tested)) return [];
    const seen = new Set<number>();
    return games.flatMap((game: NamedGame): readonly GameTask[] => {
      if (seen.has(game.table) || game.table > tables) return [];
      seen.add(game.table);
      return SITTERS.map((sitter) => ({ game, sitter }));
    });
  }

  async checkGame(game: NamedGame, sitter: Sitter): Promise<void> {
    const { bundle, files, inspectors } = this.#options;
    const { table } = game;
    const isFile = sitter === 'tested' && files !== null;
    const file = isFile ? journalOf(table) : this.#options.name;
    if (isFile && !isCompact(game) && game.journal !== file) {
      const text = `expected the journal ${file}, found the name ${game.journal}`;
      this.#add('bundle/other-name', text, { file: this.#options.name, table });
    }
    const text = isFile ? await this.#readJournal(file, table) : null;
    if (isFile && text === null) return;
    const { tested } = bundle;
    const inspected = await inspectors.run({ table, sitter, tested, text, isChecked: true });
    if (sitter === 'reference' || isOffline(tested)) this.#played += 1;
    else this.#followed += 1;
    for (const finding of inspected.findings)
      this.#add(finding.code, finding.text, { file, line: finding.line, table });
    if (inspected.findings.length > 0) {
      if (inspected.record !== null && inspected.isOf === undefined)
        this.#records.set(`${table} ${sitter}`, inspected.record);
      return;
    }
    this.#compare(game, sitter, inspected);
  }

  async #readJournal(file: string, table: number): Promise<string | null> {
    const { files, readFile } = this.#options;
    if (files?.includes(file) !== true) {
      this.#add('bundle/missing-journal', 'expected this journal, found none', { file, table });
      return null;
    }
    try {
      return await readFile(file);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#add('bundle/unreadable', why, { file, table });
      return null;
    }
  }

  #compare(game: NamedGame, sitter: Sitter, { record, conduct }: InspectedGame): void {
    const { table } = game;
    if (record === null) {
      const where = { file: journalOf(table), table };
      this.#add('bundle/unfinished', 'expected a whole game, found a part', where);
      return;
    }
    this.#records.set(`${table} ${sitter}`, record);
    if (sitter === 'tested' && conduct !== null) this.#conducts.push(conduct);
    if (isCompact(game)) {
      if (game[sitter] !== record.digest) this.#addHash(table, sitter, record, game[sitter]);
      return;
    }
    const said: GameRecord & Partial<TestedRecord> = game[sitter];
    const { digest, figures, ...counts } = record;
    const who = sitter === 'tested' ? '' : ' of the reference';
    const differing = (values: object, from: object) =>
      Object.entries(values).flatMap(([name, expected]) => {
        const found = readField(from, name);
        if (found === undefined || canonical(expected) === canonical(found)) return [];
        return [`${name} ${canonical(expected)}, found ${canonical(found)}`];
      });
    const wrong = [...differing(counts, said), ...differing(figures, said.figures)];
    if (wrong.length > 0) {
      const text = `the result${who} is not what the game comes to: expected ${wrong.join('; expected ')}`;
      this.#add('bundle/other-result', text, { file: this.#options.name, table });
    }
    if (said.digest === digest) return;
    if (said.living === counts.living && said.ghosts === counts.ghosts) {
      const text = `it was changed where no line is hashed (times, requests, line breaks): expected the hash ${said.digest}, found ${digest}`;
      this.#add('bundle/other-journal', text, { file: journalOf(table), table });
      return;
    }
    this.#addHash(table, sitter, record, said.digest);
  }

  #addHash(table: number, sitter: Sitter, { digest }: GameRecord, found: string): void {
    const who = sitter === 'tested' ? '' : ' of the reference';
    const text = `expected the hash${who} ${digest}, found ${found}`;
    this.#add('bundle/other-hash', text, { file: this.#options.name, table });
  }

  checkScores({ tables, scores }: Bundle): void {
    const played: PlayedTable[] = [];
    for (let table = 1; table <= tables; table++) {
      const tested = this.#records.get(`${table} tested`)?.figures;
      const reference = this.#records.get(`${table} reference`)?.figures;
      // The scores of the other tables alone would differ.
      if (tested === undefined || reference === undefined) return;
      played.push({ role: makeTable(table).role, tested, reference });
    }
    this.#figures = played;
    this.#scores = scoreTables(played);
    for (const name of SCORES) {
      const [expected, found] = [canonical(this.#scores[name]), canonical(scores[name])];
      if (expected === found) continue;
      const text = `${name}: expected ${expected}, found ${found}`;
      this.#add('bundle/other-score', text, { file: this.#options.name });
    }
  }
}
