/** `glassbox check --mutants`: breaks the meeting in every way there is, and says which promise notices. */

import type { ReportCase } from '../../proofs/formats.ts';
import {
  AS_IT_IS,
  countKilled,
  isAccountedFor,
  listMutants,
  type TriedMutant,
  tryMutant,
} from '../../proofs/mutation.ts';
import { findEdgeIds } from '../../visualizer/charts/chart.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { print, printJson } from '../output.ts';
import type { Outlets } from './explorer/exhibition.ts';
import type { CheckFlags } from './flags.ts';

/** Tries every mutant and says what became of it; returns the exit status. */
export async function runMutants(
  { json = false }: CheckFlags,
  { writeReports, shown }: Outlets,
): Promise<ExitCode> {
  const asItIs = tryMutant(AS_IT_IS);
  const all = asItIs.fate === null ? listMutants() : [];
  const fates = all.map((mutant) => {
    const one = tryMutant(mutant);
    if (json) printJson({ type: 'check.mutant', v: 1, ...fieldsOf(one) });
    else print(line(one));
    return one;
  });
  const exit = exitOf(asItIs, fates);
  writeReports(asItIs.fate === null ? fates.map(caseOf) : [caseOf(asItIs)]);
  if (json) {
    const broken = asItIs.fate === null ? null : { by: asItIs.fate.by, in: asItIs.fate.world };
    printJson({ type: 'check.result', v: 1, exit, broken, mutants: fates.map(fieldsOf) });
  } else print(conclusion(asItIs, fates));
  if (shown.isWanted) {
    const { createMutantReport } = await import('../../proofs/explorer/createReport.ts');
    const all = asItIs.fate === null ? fates : [asItIs];
    await shown.show(createMutantReport(all, conclusion(asItIs, fates).trim(), exit, findEdgeIds));
  }
  return exit;
}

function exitOf(asItIs: TriedMutant, fates: readonly TriedMutant[]): ExitCode {
  if (asItIs.fate !== null) return EXIT.found;
  return fates.every(isAccountedFor) ? EXIT.done : EXIT.gate;
}

function line(one: TriedMutant): string {
  const { name, fate, excuse } = one;
  const mark = isAccountedFor(one) ? '✓' : '✗';
  if (fate === null) return `${mark} ${name}: lives: ${excuse ?? 'nobody noticed'}`;
  const lie = excuse === null ? '' : `, though it is said to live: ${excuse}`;
  return `${mark} ${name}: ${fate.by}, ${fate.world}${lie}`;
}

function conclusion({ fate }: TriedMutant, fates: readonly TriedMutant[]): string {
  if (fate !== null) {
    return `✗ the meeting breaks ${fate.by} as it is (${fate.world}): no mutant would show anything`;
  }
  const open = fates.filter((one) => !isAccountedFor(one)).length;
  const alive = fates.filter((one) => one.fate === null && one.excuse !== null).length;
  const excused = alive === 0 ? '' : `, ${alive} live${alive === 1 ? 's' : ''} for a reason`;
  return `\n${countKilled(fates)} mutants are killed${excused}${open === 0 ? '' : `, ${open} unaccounted for`}`;
}

function fieldsOf({ kind, name, fate, excuse }: TriedMutant): object {
  return { kind, broken: name, by: fate?.by ?? null, in: fate?.world ?? null, excuse };
}

function caseOf(one: TriedMutant): ReportCase {
  return {
    suite: `mutants of the ${one.kind}`,
    name: one.name,
    sentence: 'Some promise notices it.',
    result: isAccountedFor(one) ? 'kept' : 'broken',
    text: line(one),
    place: {
      path: one.kind === 'rule' ? 'proofs/models/ruleMutants.ts' : 'machines/charts/meeting.ts',
      line: 1,
    },
  };
}
