/** `glassbox resume`: goes on with a meeting or a game that was interrupted, requesting no reply twice. */
import type { Command } from 'commander';
import { createBelievers } from '../actors/minds/believers.ts';
import { listSeats } from '../actors/minds/openai/seats.ts';
import { listSeatsWith, overrideModels, seedOf } from '../actors/replay/continue.ts';
import {
  continueGame,
  cutTorn,
  describeContinued,
  exitOfContinued,
  openResumable,
  refuseForeignPrograms,
  refuseOver,
  refuseSeatProblems,
} from './continueGame.ts';
import { openAhead } from './files.ts';
import { addJournalMindFlags, addModelFlags, type ModelFlags } from './flags.ts';
import { createGameModels, printCost } from './models.ts';
import { cleanLines, print, printJson, printNote } from './output.ts';
import { findStart, openTelemetry } from './telemetry.ts';
import { commandLine, formatExamples } from './usage.ts';

export function addResume(program: Command): void {
  const resume = program
    .command('resume')
    .description(
      'Continues an interrupted meeting or game. Replies in the journal are reused, not requested again. Budgets are for the whole game: what the journal records as spent counts. With --model, --base-url, --key or --level the seats of models use these from here on.',
    )
    .argument('<journal>', 'a journal file')
    .option('--json', 'print the result as JSON');
  addModelFlags(addJournalMindFlags(resume), 'language model for all seats of models')
    .addHelpText(
      'after',
      formatExamples(
        ['resume journals/a.jsonl', 'continue where it stopped'],
        ['resume journals/a.jsonl --max-calls 500', 'spend 500 requests in all'],
      ),
    )
    .action(async (path: string, flags: ModelFlags & { readonly json?: boolean }) => {
      const { json = false } = flags;
      const journal = await openResumable(path);
      refuseOver(path, journal);
      refuseForeignPrograms(path, listSeats(journal.lines[0]), flags);
      await refuseSeatProblems(listSeatsWith(journal, flags), flags);
      const seats = listSeatsWith(journal, flags);
      const telemetry = await openTelemetry(flags.prices);
      const startedAt = (lengthMs: number) => findStart(path, lengthMs);
      telemetry?.takeUp({ lines: journal.lines, startedAt, seats });
      cutTorn(path, journal);
      const thinking = await createGameModels(flags, seedOf(journal));
      const ahead = openAhead(path, true);
      if (ahead !== null) thinking.writeAhead(ahead, journal);
      thinking.remember(journal);
      const models = overrideModels(thinking.minds, flags);
      const onward = await continueGame(path, journal, {
        thinking,
        ahead,
        telemetry,
        models,
        believers: createBelievers(
          listSeatsWith(journal, flags),
          seedOf(journal),
          thinking.believers,
        ),
        isShown: !json,
      });
      if (json) printJson({ v: 1, type: 'resumed', ...onward, end: onward.end?.type ?? null });
      else print(cleanLines(describeContinued(onward)));
      if (!json) printCost(thinking);
      if (!json) printNote(cleanLines(`\nSee it: ${commandLine('watch', path)}`));
      process.exitCode = exitOfContinued(onward);
    });
}
