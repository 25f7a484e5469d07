/** Work on one journal, on this thread or on another. */
import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { isPlayable, type Journal } from '../actors/engine/journal/reader.ts';
import {
  createFailure,
  EXIT,
  Failure,
  nameOf,
  type PlainFailure,
  toPlainFailure,
} from '../actors/files/failure.ts';
import { damagedJournal, describeEngine, openJournal } from '../actors/files/openFiles.ts';
import { type FileWork, workElsewhere } from '../actors/jobs/ordered.ts';
import type { Prices } from '../actors/minds/openai/prices.ts';
import { workerBeside } from '../actors/ports/threads.ts';
import type { TableName, TableRow } from '../analysis/tables/columns.ts';
import type { RowSink } from '../analysis/tables/rows.ts';
import { gameIn } from '../machines/journal/opening.ts';

type TabulateTask = {
  readonly type: 'tabulate';
  readonly tables: readonly TableName[];
  /** File names that several of the journals have: a hash of the game tells these apart. */
  readonly shared: readonly string[];
};

type VerifyTask = {
  readonly type: 'verify';
  readonly isReplayed: boolean;
  /** The properties to judge meetings by; null for all. */
  readonly only: readonly string[] | null;
};

export type JournalTask =
  | { readonly type: 'count'; readonly prices: Prices }
  | VerifyTask
  /** Many games need only the sum. */
  | { readonly type: 'deduce'; readonly isOne: boolean }
  | TabulateTask;

/** The outcome of a journal, as plain data for other threads. */
export type JournalOutcome = Readonly<Awaited<ReturnType<typeof workOnJournal>>>;

const WORKER = workerBeside(import.meta.url, 'journalWorker');

export function createJournalWork(task: JournalTask): FileWork<JournalOutcome> {
  return {
    file: WORKER,
    data: task,
    work: (path) => workOnJournal(path, task),
    lose: (path, reason) => {
      const note = { code: 'internal/unexpected', text: `${nameOf(path)}: ${reason}` };
      return { type: 'refused', failure: { exit: EXIT.internal, notes: [note], unlisted: 0 } };
    },
  };
}

/** Judges the game of a journal: of one that was read already, or in another thread. */
export async function deduceGame(path: string, opened: Journal | null): Promise<JournalOutcome> {
  const task = { type: 'deduce', isOne: true } as const;
  if (opened !== null) return await workOnJournal(path, task, opened);
  return await workElsewhere(path, createJournalWork(task));
}

/** Works on a journal; `opened` is it if it was read already. A failure is an outcome, too. */
export async function workOnJournal(path: string, task: JournalTask, opened?: Journal) {
  try {
    const journal = opened ?? (await openJournal(path));
    if (!isPlayable(journal)) throw damagedJournal(path, journal);
    switch (task.type) {
      case 'count':
        return await countJournal(path, journal, task.prices);
      case 'verify':
        return await verifyJournal(path, journal, task);
      case 'deduce':
        return await deduceJournal(path, journal, task.isOne);
      case 'tabulate':
        return await tabulateJournal(path, journal, task);
      default:
        return task satisfies never;
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { type: 'refused', failure: toPlainFailure(error) } as const;
  }
}

function findTear(path: string, journal: Journal): PlainFailure | null {
  return journal.isTorn ? toPlainFailure(damagedJournal(path, journal)) : null;
}

async function countJournal(path: string, journal: Journal, prices: Prices) {
  if (journal.damageCount > 0) throw damagedJournal(path, journal);
  const { lines } = journal;
  const { countGame, countMeeting } = await import('../analysis/counts/statistics.ts');
  const { makePricing } = await import('../analysis/models/pricing.ts');
  const pricing = makePricing(lines, prices);
  const stats = countGame(lines, pricing) ?? countMeeting(lines, pricing);
  if (stats !== null) return { type: 'counted', stats } as const;
  const what = gameIn(lines[0]) !== null ? 'game' : 'meeting';
  const text = `${nameOf(path)}: the journal ends in the middle of the ${what}`;
  throw createFailure(EXIT.damaged, 'stats/unfinished', text);
}

/** A game that goes on, or a torn journal, can be judged as far as it went. */
async function deduceJournal(path: string, journal: Journal, isOne: boolean) {
  const { judgeGame } = await import('../analysis/observer/judgement.ts');
  const judgement = judgeGame(journal.lines);
  if (judgement === null) {
    const text = `${nameOf(path)}: expected the journal of a game, found a meeting on its own: nobody saw a ship`;
    throw createFailure(EXIT.damaged, 'deduce/no-ship', text);
  }
  const lost = judgement.knowledge.find(({ teams }) => teams === 0);
  if (lost !== undefined) {
    const text = `${nameOf(path)}: expected a game by the rules of this version, found that no team of impostors is possible for ${lost.seat} at meeting ${lost.meeting}. ${describeEngine(journal.lines)}: ask the version that played it`;
    throw createFailure(EXIT.damaged, 'deduce/other-rules', text);
  }
  const brief = isOne ? judgement : { ...judgement, knowledge: [], messages: [] };
  return { type: 'deduced', judgement: brief, torn: findTear(path, journal) } as const;
}

/** A torn end leaves a whole beginning that can be played; any other damage leaves holes, and nothing is played. */
async function verifyJournal(path: string, journal: Journal, { isReplayed, only }: VerifyTask) {
  const { replay: playAgain } = await import('../actors/replay/replay.ts');
  const replay = isReplayed ? await playAgain(journal) : null;
  const isOther = replay?.type === 'different';
  const { judged, lines } = await judgeMeeting(path, journal, { only, isOther });
  const engine = describeEngine(journal.lines);
  const torn = findTear(path, journal);
  return { type: 'verified', replay, engine, judged, lines, torn } as const;
}

/** The verdicts of the properties, and the same in sentences; null and none for a whole game. */
async function judgeMeeting(
  path: string,
  journal: Journal,
  { only, isOther }: Pick<VerifyTask, 'only'> & { readonly isOther: boolean },
) {
  if (journal.lines.some((line) => gameIn(line) !== null)) return { judged: null, lines: [] };
  const { judgeJournal } = await import('../proofs/checks/conformance.ts');
  const { renderJudgedJournal } = await import('../proofs/report/renderCheck.ts');
  const judged = judgeJournal(nameOf(path), journal, only);
  return { judged, lines: judged === null ? [] : renderJudgedJournal(judged, isOther) };
}

async function tabulateJournal(path: string, journal: Journal, task: TabulateTask) {
  const answers = task.tables.includes('counterfactuals')
    ? ((await (await import('../analysis/why/keeper.ts')).openOwnResult(path, journal))?.answers ??
      [])
    : [];
  const rows = new Map<TableName, TableRow[]>(task.tables.map((table) => [table, []]));
  // Folders are left out: they differ between machines and may name a person.
  const file = basename(path);
  const digest = hash('sha256', journal.lines.map((line) => line.hash).join(), 'hex').slice(0, 12);
  const name = task.shared.includes(file) ? `${file}#${digest}` : file;
  const { DEDUCED, tabulate, tabulateRequests } = await import('../analysis/tables/rows.ts');
  const deduces = task.tables.some((table) => DEDUCED.includes(table));
  const sink: RowSink = (table, row) => rows.get(table)?.push(row);
  tabulate(journal, { name, answers, deduces }, sink);
  if (task.tables.includes('requests')) await tabulateRequests(journal, name, sink);
  return { type: 'tabulated', name, rows, torn: findTear(path, journal) } as const;
}
