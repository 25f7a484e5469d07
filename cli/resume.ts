/** `glassbox resume`: goes on with a meeting or a game that was interrupted, requesting no reply twice. */

import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Journal } from '../actors/engine/journal/reader.ts';
import { createFailure, EXIT } from '../actors/files/failure.ts';
import { openAhead } from '../actors/files/newFiles.ts';
import { chooseJournal, JOURNAL_WORDS } from '../actors/files/openFiles.ts';
import { createBelievers } from '../actors/minds/believers.ts';
import { HumanSeats, listPeopleIn, NOBODY } from '../actors/minds/human/seats.ts';
import { readAnswerTimes } from '../actors/minds/kinds.ts';
import { listSeats } from '../actors/minds/openai/seats.ts';
import { listSeatsWith, overrideModels, seedOf } from '../actors/replay/continue.ts';
import { fillMatch } from '../machines/journal/opening.ts';
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
import {
  addModelFlags,
  addRunMindsFlag,
  addShowFlags,
  type LiveFlag,
  type ModelFlags,
  THINK,
} from './flags.ts';
import { type LivePage, openLivePage } from './live.ts';
import { createGameModels, printCost, type ShownModels } from './models.ts';
import { cleanLines, isOutputClosed, print, printJson } from './output.ts';
import { printNextSteps } from './showMatch.ts';
import { formatExamples } from './usage.ts';

export function addResume(program: Command): void {
  const resume = program
    .command('resume')
    .description(
      'Continues an interrupted match. Replies in the journal are reused, and its recorded costs count towards budgets. People take their seats again in the browser.',
    )
    .argument('[journal]', JOURNAL_WORDS)
    .option('--without-people', 'let the people leave, and play on without them');
  addModelFlags(addRunMindsFlag(addShowFlags(resume)), 'language model for all seats of models')
    .addHelpText(
      'after',
      formatExamples(
        ['resume', 'continue the latest journal where it stopped'],
        ['resume a.jsonl --max-calls 500', 'spend 500 requests in all'],
        ['resume a.jsonl --without-people', 'play on without the people'],
      ),
    )
    .action(async (path: string | undefined, flags: ResumeFlags) => {
      await resumeGame(chooseJournal(path), flags);
    });
}

async function resumeGame(path: string, flags: ResumeFlags): Promise<void> {
  const { json = false, quiet = false } = flags;
  const journal = await openResumable(path);
  refuseOver(path, journal);
  refuseForeignPrograms(path, listSeats(journal.lines[0]), flags);
  await refuseSeatProblems(listSeatsWith(journal, flags), flags);
  const stage = await openStage(path, journal, flags);
  try {
    const thinking = await createGameModels(flags, seedOf(journal));
    const onward = await playOn(path, journal, { ...stage, thinking, flags });
    if (json) printJson({ v: 1, type: 'resumed', ...onward, end: onward.end?.type ?? null });
    else print(cleanLines(describeContinued(onward)));
    if (!json && !quiet) {
      printCost(thinking);
      printNextSteps(path);
    }
    process.exitCode = exitOfContinued(onward);
    if (!isOutputClosed()) await stage.host?.waitForEnd(onward.end === null);
  } finally {
    await stage.host?.close();
  }
}

type ResumeStage = { readonly company: HumanSeats; readonly host: LivePage | null };

/** Waits until the people are there; nothing has been written before. */
async function openStage(path: string, journal: Journal, flags: ResumeFlags): Promise<ResumeStage> {
  const company = seatAgain(journal, flags);
  const { live } = flags;
  const name = basename(path);
  const lens = { type: 'glass' } as const;
  const host = await openLivePage({ live, lens, name, company, past: journal.lines });
  return { company, host };
}

type ResumeMeans = ResumeStage & { readonly thinking: ShownModels; readonly flags: ResumeFlags };

async function playOn(path: string, journal: Journal, { thinking, flags, ...stage }: ResumeMeans) {
  cutTorn(path, journal);
  const ahead = openAhead(path, true);
  if (ahead !== null) thinking.writeAhead(ahead, journal);
  thinking.remember(journal);
  const seats = listSeatsWith(journal, flags);
  return await continueGame(path, journal, {
    ...stage,
    thinking,
    ahead,
    models: overrideModels(thinking.minds, flags),
    believers: createBelievers(seats, seedOf(journal), thinking.believers),
    isShown: flags.json !== true && flags.quiet !== true,
  });
}

type ResumeFlags = ModelFlags & {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly live?: LiveFlag;
  readonly withoutPeople?: boolean;
};

/** The people who have not left by the end of a journal. */
function seatAgain({ lines }: Journal, { live, withoutPeople = false }: ResumeFlags): HumanSeats {
  const people = withoutPeople ? [] : listPeopleIn(listSeats(lines[0]), lines);
  if (people.length === 0) return NOBODY;
  if (live === false) {
    const text =
      '--no-live: people play in the page; to let them leave and play on, add --without-people';
    throw createFailure(EXIT.usage, 'play/no-page', text);
  }
  const [header] = lines;
  const match = header?.type === 'match.opened' ? fillMatch(header) : null;
  const { table, ship } = readAnswerTimes(match);
  return new HumanSeats(people, { table: table ?? THINK_MS, ship: ship ?? THINK_MS });
}

const THINK_MS = THINK * 1000;
