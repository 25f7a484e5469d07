/** Reports for other programs, in files of their own. */
import { closeSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type ReportCase, renderJunit, sarif } from '../../proofs/formats.ts';
import { createFailure, describeSystemError, EXIT } from '../exit.ts';
import type { CheckFlags } from './flags.ts';

/** Makes sure that the files can be written, before anything runs; the function that is returned writes them. */
export function openReports({
  junit: xml,
  sarif: json,
  page,
}: Pick<CheckFlags, 'junit' | 'sarif' | 'page'>): (cases: readonly ReportCase[]) => void {
  for (const path of [xml, json, page]) if (path !== undefined) touch(path);
  return (cases) => {
    if (xml !== undefined) write(xml, renderJunit(cases));
    if (json !== undefined) write(json, `${JSON.stringify(sarif(cases), null, 2)}\n`);
  };
}

function touch(path: string): void {
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  writing(path, () => closeSync(openSync(path, 'a')));
  if (!isThere) rmSync(path, { force: true });
}

function write(path: string, text: string): void {
  writing(path, () => writeFileSync(path, text));
}

function writing(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    const text = `the report can't be written to ${path}: ${describeSystemError(error)}`;
    throw createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
  }
}
