/** `glassbox report --stats` and `--deduce`: statistics of journals in the terminal. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '#manifest' with { type: 'json' };
import { EXIT, type ExitCode, Failure, fromPlainFailure } from '../../actors/files/failure.ts';
import {
  type FoundJournals,
  findJournals,
  refuseJournals,
} from '../../actors/files/foundJournals.ts';
import { findFiles } from '../../actors/files/openFiles.ts';
import { workThroughFiles } from '../../actors/jobs/ordered.ts';
import type { Prices } from '../../actors/minds/openai/prices.ts';
import { readStamp } from '../../actors/ports/disk.ts';
import { summarizeBeliefs } from '../../analysis/beliefs/beliefs.ts';
import { reportReader } from '../../analysis/claims/accuracy.ts';
import { type JournalStats, openCountMemory } from '../../analysis/counts/countMemory.ts';
import type { GameStats, SingleMeetingStats } from '../../analysis/counts/statistics.ts';
import { sumStats } from '../../analysis/counts/totals.ts';
import { type GameJudgement, sumJudgements } from '../../analysis/observer/judgement.ts';
import { renderBeliefs } from '../../visualizer/terminal/beliefs.ts';
import { renderDeduction, renderReasoning } from '../../visualizer/terminal/deduction.ts';
import {
  renderGameStats,
  renderMeetingStats,
  renderTotals,
} from '../../visualizer/terminal/statistics.ts';
import { createJournalWork } from '../journalWork.ts';
import { openPrices, openStateFolder } from '../models.ts';
import { cleanLines, print, printJson, printNote, textWidth } from '../output.ts';

export type PrintFlags = {
  readonly json?: boolean;
  readonly prices?: string;
  readonly recount?: boolean;
  readonly wide?: boolean;
};

export async function countJournals(
  paths: readonly string[],
  { json = false, prices: priceFile, recount = false, wide }: PrintFlags,
): Promise<ExitCode> {
  const prices = await openPrices(priceFile);
  const journals = findJournals(paths);
  const { files, isOne } = journals;
  const games: GameStats[] = [];
  const meetings: SingleMeetingStats[] = [];
  const skipped: Failure[] = [];
  for (const found of await countAll(journals, prices, recount)) {
    if ('notes' in found) skipped.push(found);
    else if ('rounds' in found) games.push(found);
    else meetings.push(found);
  }
  const width = textWidth({ wide });
  const one = games[0] ?? meetings[0];
  if (isOne && one !== undefined) printOne(one, { json, width });
  else if (one !== undefined || skipped.length === 0) {
    const totals = sumStats(games, meetings);
    const beliefs = summarizeBeliefs([...games, ...meetings].map((one) => one.beliefs));
    const believed = beliefs.length === 0 ? {} : { beliefs };
    const rest = { ...believed, reader: reportReader(), skipped: skipped.length };
    if (json) printJson(toSnakeCase({ type: 'stats.games', v: 1, ...totals, ...rest }));
    else print([renderTotals(totals, width), ...renderBeliefs(beliefs, width)].join('\n'));
  }
  return finish(skipped, { isOne, all: files.length, what: 'counted' });
}

function finish(
  refused: readonly Failure[],
  { isOne, all, what }: { readonly isOne: boolean; readonly all: number; readonly what: string },
): ExitCode {
  if (refused.length === 0) return EXIT.done;
  const journals = refused.length === 1 ? '1 journal is' : `${refused.length} journals are`;
  if (!isOne) printNote(cleanLines(`Of ${all} journals, ${journals} not ${what}:`));
  throw refuseJournals(refused, isOne);
}

/** The statistics of each journal, or one sentence about its damage. */
async function countAll(
  { files, folders }: FoundJournals,
  prices: Prices,
  recounts: boolean,
): Promise<readonly (JournalStats | Failure)[]> {
  const options = { stateFolder: openStateFolder(), prices, code: describeCode(), recounts };
  const memories = [...folders].map(
    ([folder, inside]) => [openCountMemory({ ...options, folder }), new Set(inside)] as const,
  );
  const memoryOf = (path: string) => memories.find(([, inside]) => inside.has(path))?.[0] ?? null;
  const counted = new Map<string, JournalStats | Failure>();
  for (const path of files) {
    const known = memoryOf(path)?.recall(path) ?? null;
    if (known !== null) counted.set(path, known);
  }
  const unread = files.filter((path) => !counted.has(path));
  const work = createJournalWork({ type: 'count', prices });
  await workThroughFiles(unread, work, (outcome, path) => {
    if (outcome.type === 'counted') {
      memoryOf(path)?.note(path, outcome.stats);
      counted.set(path, outcome.stats);
    }
    if (outcome.type === 'refused')
      counted.set(path, firstNoteOf(fromPlainFailure(outcome.failure)));
  });
  for (const [memory] of memories) await memory.save();
  return files.flatMap((path) => counted.get(path) ?? []);
}

type PrintTerms = { readonly json: boolean; readonly width: number };

function printOne(found: GameStats | SingleMeetingStats, { json, width }: PrintTerms): void {
  const isGame = 'rounds' in found;
  const type = isGame ? 'stats.game' : 'stats.meeting';
  const reader = isGame ? { reader: reportReader() } : {};
  const { beliefs: stated, ...counted } = found;
  const beliefs = summarizeBeliefs([stated]);
  const believed = beliefs.length === 0 ? {} : { beliefs };
  if (json) printJson(toSnakeCase({ type, v: 1, ...counted, ...believed, ...reader }));
  else {
    const shown = isGame ? renderGameStats(found, width) : renderMeetingStats(found, width);
    print([shown, ...renderBeliefs(beliefs, width)].join('\n'));
  }
}

/** The rooms whose code affects the counts. */
const COUNTING = ['../../analysis/', '../../machines/journal/', '../../machines/rules/'];

/** The version of the program, and in a checkout the files that count. */
function describeCode(): readonly unknown[] {
  const files = COUNTING.flatMap((room) => {
    const folder = fileURLToPath(new URL(room, import.meta.url));
    return findFiles('**/*.{ts,js}', folder).map((name) => {
      return [room, name, readStamp(join(folder, name))];
    });
  });
  return [manifest.version, ...files];
}

function firstNoteOf({ exit, notes, unlisted }: Failure): Failure {
  const [first] = notes;
  const others = notes.length + unlisted - 1;
  if (first === undefined || others === 0) return new Failure(exit, notes);
  const more = others === 1 ? '1 other damage' : `${others} other damages`;
  return new Failure(exit, [{ ...first, text: `${first.text} (and ${more})` }]);
}

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

export async function judgeJournals(
  paths: readonly string[],
  { json = false, wide }: PrintFlags,
): Promise<ExitCode> {
  const width = textWidth({ wide });
  const { files, isOne } = findJournals(paths);
  const games: GameJudgement[] = [];
  const refused: Failure[] = [];
  await workThroughFiles(files, createJournalWork({ type: 'deduce', isOne }), (outcome) => {
    if (outcome.type === 'deduced') {
      games.push(outcome.judgement);
      if (outcome.torn !== null) refused.push(fromPlainFailure(outcome.torn));
    }
    if (outcome.type === 'refused') refused.push(fromPlainFailure(outcome.failure));
  });
  const [first] = games;
  if (isOne && first !== undefined) printGame(first, { json, width });
  else if (games.length > 0 || refused.length === 0) {
    const sum = sumJudgements(games);
    if (json) printJson({ type: 'deduction.games', v: 1, games: games.length, ...sum });
    else print(renderReasoning(games.length, sum, width));
  }
  return finish(refused, { isOne, all: files.length, what: 'whole' });
}

function printGame(game: GameJudgement, { json, width }: PrintTerms): void {
  const { seed, impostors, knowledge, ballots, accusations, messages } = game;
  if (json)
    printJson({
      ...{ type: 'deduction.game', v: 1, seed, impostors, knowledge },
      ballots: ballots.map(({ isError: error, ...ballot }) => ({ ...ballot, error })),
      accusations: accusations.map(({ isError: error, ...one }) => ({ ...one, error })),
      messages,
    });
  else print(renderDeduction(game, sumJudgements([game]).all, width));
}
