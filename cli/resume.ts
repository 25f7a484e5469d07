/** `glassbox resume`: goes on with a meeting or a game that was interrupted, requesting no reply twice. */

import { basename } from 'node:path';
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
  type ContinueFlags,
  concludeContinued,
  continueGame,
  cutTorn,
  openResumable,
  refuseForeignMinds,
  refuseOver,
} from './continueGame.ts';
import { addModelFlags, addShowFlags, addTrustFlags, THINK } from './flags.ts';
import { openLivePage } from './live.ts';
import { createGameModels, refuseSeatProblems } from './models.ts';
import type { ProgramCommand } from './usage.ts';

export function addResume(program: ProgramCommand): void {
  const resume = program
    .command('resume')
    .description(
      'Continues an interrupted match. Replies in the journal are reused, and its recorded costs count towards budgets. People take their seats again in the browser.',
    )
    .argument('[journal]', JOURNAL_WORDS)
    .option('--without-people', 'let the people leave, and play on without them');
  addModelFlags(addTrustFlags(addShowFlags(resume)), 'language model for all seats of models')
    .examples(
      ['resume', 'continue the latest journal where it stopped'],
      ['resume a.jsonl --max-calls 500', 'spend 500 requests in all'],
      ['resume a.jsonl --without-people', 'play on without the people'],
    )
    .action(async (path: string | undefined, flags: ResumeFlags) => {
      await resumeGame(chooseJournal(path), flags);
    });
}

async function resumeGame(path: string, flags: ResumeFlags): Promise<void> {
  const { live, json = false, quiet = false } = flags;
  const journal = await openResumable(path);
  refuseOver(path, journal);
  refuseForeignMinds(path, listSeats(journal.lines[0]), flags);
  const seats = listSeatsWith(journal, flags);
  await refuseSeatProblems(seats, flags, path);
  const company = seatAgain(journal, flags);
  // Waits until the people are there; nothing has been written before.
  await using host = await openLivePage({
    live,
    lens: { type: 'glass' },
    name: basename(path),
    company,
    past: journal.lines,
  });
  const thinking = await createGameModels(flags, seedOf(journal));
  cutTorn(path, journal);
  const ahead = openAhead(path, true);
  if (ahead !== null) thinking.writeAhead(ahead, journal);
  thinking.remember(journal);
  const onward = await continueGame(path, journal, {
    company,
    host,
    thinking,
    ahead,
    models: overrideModels(thinking.minds, flags),
    believers: createBelievers(seats, seedOf(journal), thinking.believers),
    isShown: !json && !quiet,
  });
  await concludeContinued(onward, flags, { type: 'resumed', thinking, host });
}

type ResumeFlags = ContinueFlags & { readonly withoutPeople?: boolean };

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
