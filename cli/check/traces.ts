/** Traces: what is most wrong, written as the journal that `watch` plays. */

import { type Counterexample, listCounterexamples } from '../../proofs/counterexample.ts';
import type { CheckRun } from '../../proofs/run.ts';
import { createFailure, EXIT } from '../exit.ts';
import { createJournal } from '../journal-file.ts';
import { printNote } from '../output.ts';
import { besides } from './beside.ts';

/** Writes what is most wrong; returns where: a journal, two that belong together, or none. */
export async function writeTrace(
  path: string,
  runs: readonly CheckRun[],
): Promise<readonly string[]> {
  const all = runs
    .flatMap(listCounterexamples)
    .filter(({ verdict }) => verdict.kind !== 'sometimes');
  const worst: Counterexample | undefined =
    all.find(({ verdict }) => verdict.expected !== 'violated') ?? all[0];
  if (worst === undefined) {
    printNote(`No promise was broken: nothing is written to ${path}`);
    return [];
  }
  const texts = await journalsOf(worst);
  if (texts.length === 0) {
    printNote(`${worst.verdict.name} can't be played as a meeting: nothing is written to ${path}`);
  }
  return texts.map((text, index) => {
    const place = index === 0 ? path : besides(path);
    writeJournal(place, text);
    return place;
  });
}

async function journalsOf(worst: Counterexample): Promise<readonly string[]> {
  if (worst.verdict.shown !== undefined)
    return worst.verdict.shown.journals().map(({ text }) => text);
  const { createTrace } = await import('../../proofs/counterexample.ts');
  return [await createTrace(worst)];
}

function writeJournal(path: string, text: string): void {
  const { sink } = createJournal(path);
  sink.write(text);
  sink.close();
  if (sink.failure === null) return;
  const reason = `the journal can't be written to ${path}: ${sink.failure}`;
  throw createFailure(EXIT.cannotWrite, 'output/cannot-write', reason);
}
