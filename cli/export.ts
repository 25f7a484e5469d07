/** `glassbox export`: writes a journal and the page that shows it into one file. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import { formatLens, type Lens, lensFor, type SeenLine } from '../machines/journal/lens.ts';
import { writeText } from './files.ts';
import { createLensOption, parseDestination, refuseAbsentLens } from './flags.ts';
import { nameOf, seatedIn, tellWhatIsMissing } from './input.ts';
import { openShownJournal } from './live.ts';
import { cleanLines, print } from './output.ts';
import { formatExamples } from './usage.ts';

type ExportOptions = { readonly out: string; readonly lens: Lens; readonly thoughts: boolean };

export function addExport(program: Command): void {
  program
    .command('export')
    .description(
      'Writes a recorded meeting or game and its page into one HTML file, which opens from disk and needs no network.',
    )
    .argument('<journal>', 'a journal file, or - for standard input')
    .requiredOption('-o, --out <file>', 'the file to write', parseDestination)
    .addOption(createLensOption())
    .option('--no-thoughts', 'leave thoughts and scratchpads out of the file')
    .addHelpText(
      'after',
      formatExamples(
        ['export journals/a.jsonl -o game.html', 'everything, for every lens'],
        ['export journals/a.jsonl -o game.html --lens table', 'without secrets'],
      ),
    )
    .action(exportJournal);
}

async function exportJournal(path: string, { out, lens, thoughts }: ExportOptions): Promise<void> {
  const journal = await openShownJournal(path);
  refuseAbsentLens(lens, seatedIn(journal.lines));
  const see = lensFor(lens);
  const { removeThoughts } = await import('../visualizer/page/build/pages.ts');
  const { createExportPage } = await import('../visualizer/page/build/pages.ts');
  const lines = journal.lines.flatMap((line): readonly SeenLine[] => {
    const seen = see(line);
    const kept = seen === null || thoughts ? seen : removeThoughts(seen);
    return kept === null ? [] : [kept];
  });
  const page = await createExportPage(lines, {
    lens: formatLens(lens),
    name: path === '-' ? 'a journal' : basename(path),
    damaged: journal.damageCount,
  });
  writeText(out, page, 'the page');
  print(cleanLines(`${nameOf(path)}: ${Math.ceil(page.length / 1024)} kB in ${out}`));
  tellWhatIsMissing(path, journal);
}
