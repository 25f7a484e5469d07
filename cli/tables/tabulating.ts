/** The rows of one journal, as they come from this thread or from another. */
import { relative, resolve } from 'node:path';
import { isPlayable, type Journal } from '../../actors/engine/journal/reader.ts';
import type { TableName, TableRow } from '../../analysis/tables/columns.ts';
import { tabulate } from '../../analysis/tables/rows.ts';
import { readAnswers, type WhyAnswer } from '../../analysis/why/result.ts';
import { type PlainFailure, toPlainFailure } from '../exit.ts';
import { resultPathOf } from '../files.ts';
import { damagedJournal, isThere, nameOf, openJournal, openWhyText } from '../input.ts';

/** Tables that take ten times as long as all others. */
export const DEDUCED: readonly TableName[] = ['deductions', 'judgements', 'information'];

export type TabulateTask = {
  readonly type: 'tabulate';
  readonly tables: readonly TableName[];
  /** The folder that journals are named from in the rows; null for as they were named. */
  readonly root: string | null;
};

export type TabulatedJournal = {
  readonly type: 'tabulated';
  readonly rows: ReadonlyMap<TableName, readonly TableRow[]>;
  /** What is wrong with the end of the journal; null where it is whole. */
  readonly torn: PlainFailure | null;
  /** What an operator should know of it. */
  readonly note: string | null;
};

/** Throws a failure where the journal has holes. */
export async function tabulateJournal(path: string, task: TabulateTask): Promise<TabulatedJournal> {
  const journal = await openJournal(path);
  if (!isPlayable(journal)) throw damagedJournal(path, journal);
  const { answers, note } = task.tables.includes('counterfactuals')
    ? await openAnswers(path, journal)
    : NO_ANSWERS;
  const rows = new Map<TableName, TableRow[]>(task.tables.map((table) => [table, []]));
  const name =
    task.root === null || path === '-'
      ? path
      : relative(task.root, resolve(path)).replaceAll('\\', '/');
  const deduces = task.tables.some((table) => DEDUCED.includes(table));
  tabulate(journal, { name, answers, deduces }, (table, row) => rows.get(table)?.push(row));
  const torn = journal.isTorn ? toPlainFailure(damagedJournal(path, journal)) : null;
  return { type: 'tabulated', rows, torn, note };
}

type FoundAnswers = { readonly answers: readonly WhyAnswer[]; readonly note: string | null };
const NO_ANSWERS: FoundAnswers = { answers: [], note: null };

/** What `why` has found of a journal; says so where the file beside it is none of its own. */
async function openAnswers(path: string, journal: Journal): Promise<FoundAnswers> {
  const file = resultPathOf(path);
  if (file === null || !isThere(file)) return NO_ANSWERS;
  const answers = readAnswers(await openWhyText(file), journal);
  if (answers !== null) return { answers, note: null };
  return { answers: [], note: `${nameOf(file)} is no result of this journal, and is left out` };
}
