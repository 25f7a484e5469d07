/** `glassbox resume`: goes on with a meeting or a game that was interrupted, requesting no reply twice. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Journal } from '../actors/engine/journal/reader.ts';
import { createBelievers } from '../actors/minds/believers.ts';
import { HumanSeats, listPeopleIn, NOBODY } from '../actors/minds/human/seats.ts';
import { readAnswerTimes } from '../actors/minds/kinds.ts';
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
import {
  addJournalMindFlags,
  addModelFlags,
  createLiveOption,
  type LiveFlag,
  type ModelFlags,
  THINK,
} from './flags.ts';
import { type LivePage, openLivePage } from './live.ts';
import { createGameModels, printCost, type ShownModels } from './models.ts';
import { cleanLines, isOutputClosed, print, printJson, printNote } from './output.ts';
import { commandLine, formatExamples } from './usage.ts';

export function addResume(program: Command): void {
  const resume = program
    .command('resume')
    .description(
      'Continues an interrupted meeting or game. People take their seats again in the browser. Replies in the journal are reused, not requested again. Budgets are for the whole game: what the journal records as spent counts. With --model, --base-url, --key or --level the seats of models use these from here on.',
    )
    .argument('<journal>', 'a journal file')
    .option('--json', 'print the result as JSON')
    .addOption(createLiveOption())
    .option('--no-live', 'go on without the people: their players have left');
  addModelFlags(addJournalMindFlags(resume), 'language model for all seats of models')
    .addHelpText(
      'after',
      formatExamples(
        ['resume journals/a.jsonl', 'continue where it stopped'],
        ['resume journals/a.jsonl --max-calls 500', 'spend 500 requests in all'],
        ['resume journals/a.jsonl --no-live', 'go on without the people who played'],
      ),
    )
    .action(resumeGame);
}

async function resumeGame(path: string, flags: ResumeFlags): Promise<void> {
  const { json = false } = flags;
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
    if (!json) printCost(thinking);
    if (!json) printNote(cleanLines(`\nSee it: ${commandLine('watch', path)}`));
    process.exitCode = exitOfContinued(onward);
    if (!isOutputClosed()) await stage.host?.waitForEnd(onward.end === null);
  } finally {
    await stage.host?.close();
  }
}

/** Where a game goes on: who plays it in the browser. */
type ResumeStage = {
  readonly company: HumanSeats;
  readonly host: LivePage | null;
};

/** Waits until the people are there; nothing has been written before. */
async function openStage(path: string, journal: Journal, flags: ResumeFlags): Promise<ResumeStage> {
  const company = seatAgain(journal, flags);
  const { live } = flags;
  const name = basename(path);
  const lens = { type: 'glass' } as const;
  const host = await openLivePage({ live, lens, name, company, past: journal.lines });
  return { company, host };
}

type ResumeMeans = ResumeStage & {
  readonly thinking: ShownModels;
  readonly flags: ResumeFlags;
};

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
    isShown: flags.json !== true,
  });
}

type ResumeFlags = ModelFlags & { readonly json?: boolean; readonly live?: LiveFlag };

/** The people who have not left by the end of a journal. */
function seatAgain({ lines }: Journal, { live }: ResumeFlags): HumanSeats {
  const people = live === false ? [] : listPeopleIn(listSeats(lines[0]), lines);
  if (people.length === 0) return NOBODY;
  const [header] = lines;
  const options = header?.type === 'match.opened' ? header.match.options : {};
  const { table, ship } = readAnswerTimes({ options });
  return new HumanSeats(people, { table: table ?? THINK_MS, ship: ship ?? THINK_MS });
}

const THINK_MS = THINK * 1000;
