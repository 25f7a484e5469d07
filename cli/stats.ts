/** `glassbox stats`: what happened in recorded games, counted. */

import type { Command } from 'commander';
import type { Prices } from '../actors/minds/openai/prices.ts';
import { makePricing } from '../analysis/pricing.ts';
import {
  countGame,
  countMeeting,
  type GameStats,
  type SingleMeetingStats,
  sumStats,
} from '../analysis/statistics.ts';
import { gameIn } from '../machines/journal/opening.ts';
import {
  renderGameStats,
  renderMeetingStats,
  renderTotals,
} from '../visualizer/terminal/statistics.ts';
import { createFailure, EXIT, type ExitCode, Failure } from './exit.ts';
import {
  damagedJournal,
  findEntry,
  findFiles,
  nameOf,
  openJournal,
  refuseAbsent,
} from './input.ts';
import { openPrices } from './models.ts';
import { cleanLines, print, printJson, printNote } from './output.ts';
import { formatExamples } from './usage.ts';

type StatsFlags = { readonly json?: boolean; readonly prices?: string };

export function addStats(program: Command): void {
  program
    .command('stats')
    .description(
      'Counts what happened in recorded games: wins, votes, speaking, survival, and claims that were not true; and how minds behaved: leaks, messages to other machines, votes that did not count, repaired replies, faults, and what models have cost. One journal is shown player by player. Several journals, or those of a folder, are added up: all games, and of meetings on their own how minds behaved.',
    )
    .argument('<journals...>', 'journals, and folders with journals in them')
    .option('--prices <file>', 'JSON file with prices in dollars per million tokens')
    .option('--json', 'print the numbers as JSON')
    .addHelpText(
      'after',
      formatExamples(
        ['stats journals/run-1', 'all games of a run'],
        ['stats journals/game-7.jsonl', 'one game, player by player'],
        ['stats journals/game-7.jsonl --prices prices.json', 'what models have cost'],
      ),
    )
    .action(async (paths: readonly string[], flags: StatsFlags) => {
      process.exitCode = await countJournals(paths, flags);
    });
}

/** Counts the games and meetings of journals and folders; returns the exit status. */
async function countJournals(
  paths: readonly string[],
  { json = false, prices: priceFile }: StatsFlags,
): Promise<ExitCode> {
  const prices = await openPrices(priceFile);
  const { files, isOne } = findJournals(paths);
  const games: GameStats[] = [];
  const meetings: SingleMeetingStats[] = [];
  const skipped: Failure[] = [];
  for (const path of files) {
    const found = await readStats(path, prices);
    if ('notes' in found) skipped.push(found);
    else if ('rounds' in found) games.push(found);
    else meetings.push(found);
  }
  const isCounted = games.length + meetings.length > 0;
  if (isOne && isCounted) printOne(games[0] ?? meetings[0], json);
  else if (isCounted || skipped.length === 0) {
    const totals = sumStats(games, meetings);
    if (json)
      printJson(toSnakeCase({ type: 'stats.games', v: 1, ...totals, skipped: skipped.length }));
    else print(renderTotals(totals));
  }
  if (skipped.length === 0) return EXIT.done;
  const journals = skipped.length === 1 ? '1 journal is' : `${skipped.length} journals are`;
  if (!isOne) printNote(cleanLines(`Of ${files.length} journals, ${journals} not counted:`));
  const isThere = skipped.some(({ exit }) => exit === EXIT.damaged);
  throw new Failure(
    isThere ? EXIT.damaged : EXIT.noInput,
    skipped.flatMap(({ notes }) => notes),
  );
}

function printOne(found: GameStats | SingleMeetingStats | undefined, json: boolean): void {
  if (found === undefined) return;
  const isGame = 'rounds' in found;
  const type = isGame ? 'stats.game' : 'stats.meeting';
  if (json) printJson(toSnakeCase({ type, v: 1, ...found }));
  else print(isGame ? renderGameStats(found) : renderMeetingStats(found));
}

/** The statistics of a journal, or why there are none: one sentence, however much of it is damaged. */
async function readStats(
  path: string,
  prices: Prices,
): Promise<GameStats | SingleMeetingStats | Failure> {
  try {
    const journal = await openJournal(path);
    if (journal.damageCount > 0) return firstNoteOf(damagedJournal(path, journal));
    const { lines } = journal;
    const pricing = makePricing(lines, prices);
    const found = countGame(lines, pricing) ?? countMeeting(lines, pricing);
    if (found !== null) return found;
    const what = gameIn(lines[0]) !== null ? 'game' : 'meeting';
    const text = `${nameOf(path)}: the journal ends in the middle of the ${what}`;
    return new Failure(EXIT.damaged, [{ code: 'stats/unfinished', text }]);
  } catch (error) {
    if (error instanceof Failure) return firstNoteOf(error);
    throw error;
  }
}

function firstNoteOf({ exit, notes, unlisted }: Failure): Failure {
  const [first] = notes;
  const others = notes.length + unlisted - 1;
  if (first === undefined || others === 0) return new Failure(exit, notes);
  const more = others === 1 ? '1 other damage' : `${others} other damages`;
  return new Failure(exit, [{ ...first, text: `${first.text} (and ${more})` }]);
}

/** The same values under names in snake_case, as everywhere on the wire. */
function toSnakeCase(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCaseValue(field),
    ]),
  );
}

function snakeCaseValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCaseValue);
  return typeof value === 'object' && value !== null ? toSnakeCase(value) : value;
}

type FoundJournals = {
  readonly files: readonly string[];
  /** One journal was named, and no folder. */
  readonly isOne: boolean;
};

/** The journals at some paths; those of a folder in the order of their names. */
function findJournals(paths: readonly string[]): FoundJournals {
  const files = paths.flatMap((path) => (isFolder(path) ? journalsInFolder(path) : [path]));
  return { files, isOne: files.length === 1 && files[0] === paths[0] };
}

function journalsInFolder(folder: string): readonly string[] {
  const names = findFiles('**/*.jsonl{,.gz,.zst}', folder);
  if (names.length > 0) return names.map((name) => `${folder.replace(/\/+$/, '')}/${name}`);
  const text = `expected journals (*.jsonl, *.jsonl.gz, *.jsonl.zst) in ${nameOf(folder)}, found none`;
  throw createFailure(EXIT.noInput, 'input/no-journals', text);
}

function isFolder(path: string): boolean {
  if (path === '-') return false;
  refuseAbsent(path, 'a journal or a folder');
  return findEntry(path) === 'folder';
}
