/** The rows of one journal, as they come from this thread or from another. */
import { relative, resolve } from 'node:path';
import { isPlayable } from '../../actors/engine/journal/reader.ts';
import type { TableName, TableRow } from '../../analysis/tables/columns.ts';
import { tabulate } from '../../analysis/tables/rows.ts';
import { type PlainFailure, toPlainFailure } from '../exit.ts';
import { damagedJournal, openJournal } from '../input.ts';
import { openOwnResult } from '../whyResult.ts';

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
};

/** Throws a failure where the journal has holes. */
export async function tabulateJournal(path: string, task: TabulateTask): Promise<TabulatedJournal> {
  const journal = await openJournal(path);
  if (!isPlayable(journal)) throw damagedJournal(path, journal);
  const answers = task.tables.includes('counterfactuals')
    ? ((await openOwnResult(path, journal))?.answers ?? [])
    : [];
  const rows = new Map<TableName, TableRow[]>(task.tables.map((table) => [table, []]));
  const name =
    task.root === null || path === '-'
      ? path
      : relative(task.root, resolve(path)).replaceAll('\\', '/');
  const deduces = task.tables.some((table) => DEDUCED.includes(table));
  tabulate(journal, { name, answers, deduces }, (table, row) => rows.get(table)?.push(row));
  const torn = journal.isTorn ? toPlainFailure(damagedJournal(path, journal)) : null;
  return { type: 'tabulated', rows, torn };
}
