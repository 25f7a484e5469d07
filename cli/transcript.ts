/** `glassbox transcript`: what was said, in the JSON that players see. */
import type { Command } from 'commander';
import { transcriptOf } from '../visualizer/transcript.ts';
import { openJournal } from './files.ts';
import { print } from './output.ts';
import { complainOf } from './watch.ts';

export function addTranscript(program: Command): void {
  program
    .command('transcript')
    .summary('print what was said, as JSON')
    .description('Prints the transcript of a recorded meeting, in the JSON that the players saw.')
    .argument('<journal>', 'a journal file, or - for standard input')
    .action((path: string) => {
      const journal = openJournal(path);
      print(JSON.stringify(transcriptOf(journal.lines), null, 2));
      process.exitCode = complainOf(journal, path);
    });
}
