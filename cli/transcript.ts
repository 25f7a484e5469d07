/** `glassbox transcript`: what was said, in the JSON that players see. */
import type { Command } from 'commander';
import { readTranscript, readTranscripts } from '../visualizer/transcript.ts';
import { openJournal, tellWhatIsMissing } from './input.ts';
import { formatJson, print } from './output.ts';
import { formatExamples } from './usage.ts';

export function addTranscript(program: Command): void {
  program
    .command('transcript')
    .description(
      'Prints the transcript of a recorded meeting, in the JSON that the players saw; of a recorded game, the transcripts of all its meetings.',
    )
    .argument('<journal>', 'a journal file, or - for standard input')
    .addHelpText('after', formatExamples(['transcript journals/a.jsonl > a.json', 'keep it']))
    .action(async (path: string) => {
      const journal = await openJournal(path);
      print(formatJson(readTranscripts(journal.lines) ?? readTranscript(journal.lines), 2));
      tellWhatIsMissing(path, journal);
    });
}
