/** `glassbox view`: serves the page that shows a journal, and what is written to the journal meanwhile. */
import type { Command } from 'commander';
import { createLensOption, formatExamples, parseCount } from './options.ts';
import type { ViewOptions } from './page/view.ts';

const MOST_PORTS = 65_535;

export function addView(program: Command): void {
  program
    .command('view')
    .summary('show a meeting or game in the browser')
    .description(
      'Serves the page that shows a recorded meeting or game, on this machine only, until Ctrl-C. A journal that is still being written is followed.',
    )
    .argument('<journal>', 'a journal file, or - for standard input')
    .addOption(createLensOption())
    .option('-p, --port <n>', 'where to serve; 0 takes a free one', parseCount(0, MOST_PORTS), 0)
    .option('--no-open', 'only print the link')
    .addHelpText(
      'after',
      formatExamples(
        ['view journals/a.jsonl', 'opens the browser'],
        ['view journals/a.jsonl --lens table', 'no secret leaves the server'],
      ),
    )
    .action(async (path: string, options: ViewOptions) => {
      const { view } = await import('./page/view.ts');
      process.exitCode = await view(path, options);
    });
}
