/** `glassbox report`: journals, or a league, as the results section of a paper. */

import { join } from 'node:path';
import type { Command } from 'commander';
import { REPORT_VERSION } from '../analysis/report/model.ts';
import { pluralize } from '../machines/text.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { createStoreOption } from './flags.ts';
import { nameOf } from './input.ts';
import { cleanLines, print, printJson, printNote } from './output.ts';
import { createProgressLine } from './progress.ts';
import type { WrittenReport } from './report/write.ts';
import { formatExamples } from './usage.ts';

type ReportFlags = {
  readonly out: string;
  readonly title?: string;
  readonly store?: string;
  readonly journals?: string;
  readonly json?: boolean;
};

export function addReport(program: Command): void {
  program
    .command('report')
    .description(
      'Writes a report of a league or of journals: one page that opens from disk, the same as Markdown and LaTeX tables, figures as SVG, all numbers with their intervals, the tables that they are counted of, and for each number its query.',
    )
    .argument(
      '<journals...>',
      'journals and folders with journals in them, - for standard input, or the name of a league',
    )
    .requiredOption('-o, --out <folder>', 'folder for the report')
    .option('--title <text>', 'what the report is called')
    .addOption(createStoreOption())
    .option('--journals <folder>', 'folder with the journals of the league')
    .option('--json', 'print what was written as JSON')
    .addHelpText(
      'after',
      formatExamples(
        ['report spring -o report', 'a league that was played'],
        ['report journals/run-1 -o report', 'all games of a run'],
      ),
    )
    .action(async (words: readonly string[], flags: ReportFlags) => {
      process.exitCode = await runReport(words, flags);
    });
}

/** Writes the report; returns the exit status. */
async function runReport(words: readonly string[], flags: ReportFlags): Promise<ExitCode> {
  const { findReported } = await import('./report/league.ts');
  const { writeReport } = await import('./report/write.ts');
  const { paths, title, hashes, failure } = await findReported(words, flags);
  const progress = createProgressLine();
  const onNote = (sentence: string) => {
    progress.clear();
    printNote(cleanLines(sentence));
  };
  const onProgress = (done: number, of: number) => progress.show(`${done} of ${of} journals`);
  try {
    const written = await writeReport(paths, flags.out, {
      title: flags.title ?? title ?? undefined,
      hashes,
      onNote,
      onProgress,
    });
    progress.clear();
    announce(written, flags);
    const wrong = written.failure ?? failure;
    if (wrong !== null) throw wrong;
    return EXIT.done;
  } finally {
    progress.clear();
  }
}

function announce({ report, journals, numbers, files }: WrittenReport, flags: ReportFlags): void {
  const { out, json } = flags;
  if (json === true) {
    const { title, data } = report;
    printJson({ type: 'report', v: REPORT_VERSION, out, title, ...data, numbers, files });
    return;
  }
  print(
    cleanLines(
      `${pluralize(numbers, 'number')} of ${pluralize(journals, 'journal')} in ${nameOf(out)}: open ${nameOf(join(out, 'index.html'))}`,
    ),
  );
}
