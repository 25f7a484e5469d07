/** `glassbox watch`: tells a recorded meeting in the terminal. */
import type { Command } from 'commander';
import type { Journal } from '../actors/journal/reader.ts';
import type { Line } from '../machines/journal.ts';
import { type Lens, lensFor } from '../machines/lens.ts';
import { teller } from '../visualizer/terminal/teller.ts';
import { parseLensArgument } from './arguments.ts';
import { EXIT } from './failure.ts';
import { openJournal } from './files.ts';
import { aside, hasColour, print, printJson, screenWidth } from './output.ts';
import { beatMs, parseSpeed } from './pace.ts';

type WatchOptions = {
  readonly lens: Lens;
  readonly speed?: number;
  readonly json: boolean;
};

/** Lines after which people get time to read. */
const RESTS: readonly Line['type'][] = [
  'tick.closed',
  'ballot.turned',
  'verdict.told',
  'turn.closed',
];

export function addWatch(program: Command): void {
  program
    .command('watch')
    .summary('tell a recorded meeting again')
    .description(
      'Tells a recorded meeting in the terminal, or prints what a lens may see of it as NDJSON.',
    )
    .argument('<journal>', 'a journal file, or - for standard input')
    .option('--lens <lens>', 'what to show: table, glass or player:COLOUR', parseLensArgument, {
      type: 'glass',
    })
    .option(
      '--speed <speed>',
      'slow, normal, fast, max or a factor',
      parseSpeed,
      Number.POSITIVE_INFINITY,
    )
    .option('--json', 'print what the lens shows as NDJSON', false)
    .action(async (path: string, options: WatchOptions) => {
      process.exitCode = await watch(openJournal(path), path, options);
    });
}

async function watch(journal: Journal, path: string, options: WatchOptions): Promise<number> {
  const look = lensFor(options.lens);
  const tell = teller({ lens: options.lens, colour: hasColour(), width: screenWidth() });
  const rest = beatMs(options.speed, process.stdout.isTTY === true);
  for (const line of journal.lines) {
    const seen = options.json ? look(line) : null;
    if (seen !== null) printJson(seen);
    const rows = options.json ? [] : tell(line);
    for (const row of rows) print(row);
    if (rest > 0 && rows.length > 0 && RESTS.includes(line.type)) {
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
  }
  return complainOf(journal, path);
}

/** Says what is damaged, after all that is intact has been shown. */
export function complainOf(journal: Journal, path: string): number {
  for (const { code, text, line } of journal.damages) {
    aside(`glassbox: ${code}: ${path}, line ${line}: ${text}`);
  }
  return journal.damages.length === 0 ? EXIT.done : EXIT.damaged;
}
