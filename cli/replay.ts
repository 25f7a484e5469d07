/** `glassbox replay`: runs recorded meetings and games again and compares them byte for byte. */
import type { Command } from 'commander';
import type { Difference } from '../actors/replay/replay.ts';
import { wrapSentences } from '../visualizer/terminal/table.ts';
import { EXIT, type ExitCode, type Failure, fromPlainFailure } from './exit.ts';
import { nameOf } from './input.ts';
import { findJournals, refuseJournals, workThrough } from './journals.ts';
import type { JournalOutcome } from './journalWork.ts';
import { cleanLines, print, printJson, textWidth } from './output.ts';
import { formatExamples } from './usage.ts';

export function addReplay(program: Command): void {
  program
    .command('replay')
    .description(
      'Runs recorded meetings and games again with the recorded replies. Where a result differs, prints the first difference and exits with 1.',
    )
    .argument('<journals...>', 'journals, folders with journals in them, or - for standard input')
    .option('--json', 'print the verdict as JSON')
    .addHelpText(
      'after',
      formatExamples(
        ['replay journals/a.jsonl', 'identical, or where it differs'],
        ['replay journals/run-1', 'all games of a run, on all processors'],
        ['replay journals/a.jsonl --json', 'the verdict for a program'],
      ),
    )
    .action(async (paths: readonly string[], { json = false }: { readonly json?: boolean }) => {
      process.exitCode = await replayJournals(paths, json);
    });
}

/** Plays journals again; returns the exit status. */
async function replayJournals(paths: readonly string[], json: boolean): Promise<ExitCode> {
  const { files, isOne } = findJournals(paths);
  const refused: Failure[] = [];
  const count = { same: 0, different: 0 };
  await workThrough(files, { type: 'replay' }, (outcome, path) => {
    if (outcome.type === 'refused') refused.push(fromPlainFailure(outcome.failure));
    if (outcome.type !== 'replayed') return;
    const { verdict, torn } = outcome;
    count[verdict.type] += 1;
    const journal = isOne ? {} : { journal: nameOf(path) };
    if (json) printJson({ v: 1, ...verdict, ...journal, type: `replay.${verdict.type}` });
    else if (isOne || verdict.type === 'different')
      print(wrapSentences(cleanLines(sentence(nameOf(path), outcome)), textWidth()));
    if (torn !== null && verdict.type === 'same') refused.push(fromPlainFailure(torn));
  });
  if (!isOne && !json) print(wrapSentences(sum(files.length, count), textWidth()));
  if (refused.length > 0) throw refuseJournals(refused, isOne);
  return count.different > 0 ? EXIT.found : EXIT.done;
}

function sum(journals: number, { same, different }: { same: number; different: number }): string {
  const played = `${same + different} of ${journals} journals were played again`;
  return different === 0
    ? `${played}: all lines are identical to the byte`
    : `${played}: ${same} are the same to the byte, ${different} differ`;
}

function sentence(name: string, { verdict, engine }: ReplayedJournal): string {
  if (verdict.type === 'different') return `${different(name, verdict.difference)}\n${engine}.`;
  const end = verdict.unfinished ? ', up to where the journal ends in mid-meeting' : '';
  return `the same: ${name} was played again, and all ${verdict.lines} lines are identical to the byte${end}`;
}

type ReplayedJournal = Extract<JournalOutcome, { type: 'replayed' }>;

/** Characters of the two texts that are shown before and after the place where they part. */
const BEFORE = 30;
const AFTER = 50;

/** The first difference, with a little of what stands before it. */
function different(name: string, { line, channel, recorded, replayed }: Difference): string {
  let at = 0;
  while (at < recorded.length && recorded[at] === replayed[at]) at += 1;
  const excerpt = (text: string) =>
    JSON.stringify(text.slice(Math.max(0, at - BEFORE), at + AFTER));
  return [
    `different: ${name}, line ${line} (${channel}), from character ${at + 1}`,
    ` recorded ${excerpt(recorded)}`,
    ` replayed ${excerpt(replayed)}`,
  ].join('\n');
}
