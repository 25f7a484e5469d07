/** `glassbox watch` and `glassbox transcript`: a recorded meeting or game in the terminal, or its talk as JSON. */

import {
  chooseJournal,
  JOURNAL_WORDS,
  openJournal,
  seatedIn,
  tellWhatIsMissing,
} from '../actors/files/openFiles.ts';
import { realTime } from '../actors/ports/time.ts';
import type { Lens } from '../machines/journal/lens.ts';
import { readTranscript, readTranscripts } from '../visualizer/transcript.ts';
import {
  createFromOption,
  createGlassOption,
  createSpeedOption,
  type From,
  refuseAbsentLens,
  SPEEDS,
} from './flags.ts';
import { formatJson, print } from './output.ts';
import { createPrinter, restMs } from './printer.ts';
import type { ProgramCommand } from './usage.ts';

type WatchOptions = Readonly<{ lens: Lens; speed: number; from?: From; json?: boolean }>;

export function addWatch(program: ProgramCommand): void {
  program
    .command('watch')
    .description(
      'Shows a recorded match in the terminal, or prints the lines that a lens shows as NDJSON.',
    )
    .argument('[journal]', JOURNAL_WORDS)
    .addOption(createGlassOption())
    .addOption(createSpeedOption().default(SPEEDS.max, 'max'))
    .addOption(createFromOption())
    .option('--json', 'print the lines that the lens shows, as NDJSON')
    .examples(
      ['watch', 'the latest game, with thoughts and ghosts'],
      ['watch journals/a.jsonl --lens table --speed normal', 'as the table saw it'],
      ['watch journals/a.jsonl --lens player:red --json', 'as Red saw it'],
    )
    .action(watch);
}

/** Shows every intact line, then reports damage. */
async function watch(given: string | undefined, options: WatchOptions): Promise<void> {
  const path = chooseJournal(given);
  const journal = await openJournal(path);
  refuseAbsentLens(options.lens, seatedIn(journal.lines));
  let skipsToCall = options.from === 'meeting';
  const show = createPrinter({ ...options, skipsToCall });
  for (const line of journal.lines) {
    if (line.type === 'meeting.called') skipsToCall = false;
    const isSeen = show(line);
    const ms = skipsToCall ? 0 : restMs(line.type, isSeen, options.speed);
    if (ms > 0 && !options.json) await realTime.sleep(ms);
  }
  show.end();
  tellWhatIsMissing(path, journal);
}

export function addTranscript(program: ProgramCommand): void {
  program
    .command('transcript')
    .description(
      'Prints the transcripts of all meetings of a match, in the JSON that the players saw.',
    )
    .argument('<journal>', 'journal file, or - for standard input')
    .examples(['transcript journals/a.jsonl > a.json', 'write it to a file'])
    .action(async (path: string) => {
      const journal = await openJournal(path);
      print(formatJson(readTranscripts(journal.lines) ?? readTranscript(journal.lines), 2));
      tellWhatIsMissing(path, journal);
    });
}
