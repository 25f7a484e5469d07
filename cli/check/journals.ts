/** `glassbox check --journal`: the promises over meetings that were recorded. */

import type { Journal } from '../../actors/engine/journal/reader.ts';
import { type JudgedJournal, judgeJournal } from '../../proofs/conformance.ts';
import type { RecordedJournal } from '../../proofs/explorer/createReport.ts';
import { listJournalCases } from '../../proofs/formats.ts';
import { findEdgeIds } from '../../visualizer/charts/chart.ts';
import { createFailure, EXIT, type ExitCode, Failure } from '../exit.ts';
import { damagedJournal, nameOf, openJournal } from '../input.ts';
import { cleanLines, print, printJson } from '../output.ts';
import type { Outlets } from './explorer/exhibition.ts';
import type { CheckFlags } from './flags.ts';
import { refuseUnjudgeable } from './promised.ts';

/** Judges journals one after the other; returns the exit status. */
export async function checkJournals(
  paths: readonly string[],
  { property, json = false }: CheckFlags,
  { writeReports, shown }: Outlets,
): Promise<ExitCode> {
  refuseUnjudgeable(property ?? []);
  const histories: JudgedJournal[] = [];
  const recorded: RecordedJournal[] = [];
  const damages: Failure[] = [];
  for (const path of paths) {
    const journal = await openJournal(path);
    refuseGame(path, journal);
    if (journal.damages.length > 0) damages.push(damagedJournal(path, journal));
    if (!isPlayable(journal)) continue;
    const history = judgeJournal(nameOf(path), journal, property ?? null);
    if (history === null) continue;
    histories.push(history);
    recorded.push({ history, journal });
    if (json) printJson({ type: 'check.history', v: 1, ...history });
    else print(cleanLines(told(history).join('\n')));
  }
  writeReports(histories.flatMap(listJournalCases));
  const isBroken = histories.some(({ judged }) => judged.some(({ finding }) => finding !== null));
  const exit = isBroken ? EXIT.found : EXIT.done;
  if (shown.isWanted) {
    const { createJournalReport } = await import('../../proofs/explorer/createReport.ts');
    await shown.show(createJournalReport(recorded, exit, findEdgeIds));
  }
  if (damages.length > 0 && !isBroken) {
    throw new Failure(
      EXIT.damaged,
      damages.flatMap(({ notes }) => notes),
    );
  }
  if (json) printJson({ type: 'check.result', v: 1, exit, journals: histories });
  return exit;
}

/** The promises are those of one meeting, held from its own scenario. */
function refuseGame(path: string, { lines }: Journal): void {
  if (lines.every(({ type }) => type !== 'game.opened')) return;
  const text = `${nameOf(path)} is the journal of a whole game, and only journals of single meetings are judged here: compare it with a second run by \`replay\``;
  throw createFailure(EXIT.usage, 'check/whole-game', text);
}

/** A torn end leaves a whole beginning; any other damage leaves holes, and nothing is judged. */
function isPlayable({ damages }: Journal): boolean {
  return damages.every(({ code }) => code === 'journal/torn');
}

function told({ path, steps, isWhole, isFinished, judged }: JudgedJournal): readonly string[] {
  const broken = judged.flatMap(({ name, finding }) =>
    finding === null ? [] : [{ name, ...finding }],
  );
  const spoke = judged.filter(({ applied }) => applied > 0).length;
  const quiet = judged.length - spoke;
  const silent = quiet === 0 ? '' : `, ${quiet} did not apply`;
  const end = isFinished ? '' : ', up to where it ends in mid-meeting';
  if (broken.length === 0) {
    return [`✓ ${path}: ${steps} steps, ${spoke} promises kept${silent}${end}`];
  }
  return [
    ...broken.map(({ name, line, text }) => `✗ ${path}, line ${line}: ${name}: ${text}`),
    ...(isWhole ? [] : [`  ${path} was judged up to there: ${steps} steps`]),
  ];
}
