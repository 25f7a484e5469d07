/** `glassbox transcript`: prints the talk, in the JSON that players see. */
import type { Command } from 'commander';
import { openJournal, tellWhatIsMissing } from '../actors/files/openFiles.ts';
import { readTranscript, readTranscripts } from '../visualizer/transcript.ts';
import { formatJson, print } from './output.ts';
import { formatExamples } from './usage.ts';

export function addTranscript(program: Command): void {
  program
    .command('transcript')
    .description(
      'Prints the transcripts of all meetings of a match, in the JSON that the players saw.',
    )
    .argument('<journal>', 'journal file, or - for standard input')
    .addHelpText(
      'after',
      formatExamples(['transcript journals/a.jsonl > a.json', 'write it to a file']),
    )
    .action(async (path: string) => {
      const journal = await openJournal(path);
      print(formatJson(readTranscripts(journal.lines) ?? readTranscript(journal.lines), 2));
      tellWhatIsMissing(path, journal);
    });
}
