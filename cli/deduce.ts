/** `glassbox deduce`: what each crewmate could have known in recorded games, and what they made of it. */
import type { Command } from 'commander';
import { type GameJudgement, sumJudgements } from '../analysis/observer/judgement.ts';
import { renderDeduction, renderReasoning } from '../visualizer/terminal/deduction.ts';
import { EXIT, type ExitCode, type Failure, fromPlainFailure } from './exit.ts';
import { WIDE_OPTION } from './flags.ts';
import { findJournals, refuseJournals, workThrough } from './journals.ts';
import { cleanLines, print, printJson, printNote, textWidth } from './output.ts';
import { formatExamples } from './usage.ts';

type DeduceFlags = { readonly wide?: boolean; readonly json?: boolean };

export function addDeduce(program: Command): void {
  program
    .command('deduce')
    .description(
      'Works out what each crewmate could have known at each meeting of recorded games: which teams of impostors were still possible, by what the player saw and the rules of the ship. Votes and accusations are held against it: errors of logic are those aimed at the provably innocent. One journal is shown meeting by meeting; several, or those of a folder, are added up by persona.',
    )
    .argument(
      '<journals...>',
      'journals of games, folders with journals in them, or - for standard input',
    )
    .option(...WIDE_OPTION)
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      formatExamples(
        ['deduce journals/game-7.jsonl', 'who could have known what, meeting by meeting'],
        ['deduce journals/run-1', 'how often each persona erred'],
      ),
    )
    .action(async (paths: readonly string[], flags: DeduceFlags) => {
      process.exitCode = await judgeJournals(paths, flags);
    });
}

/** Judges the games of journals and folders; returns the exit status. */
async function judgeJournals(
  paths: readonly string[],
  { json = false, wide }: DeduceFlags,
): Promise<ExitCode> {
  const width = textWidth({ wide });
  const { files, isOne } = findJournals(paths);
  const games: GameJudgement[] = [];
  const refused: Failure[] = [];
  await workThrough(files, { type: 'deduce', isOne }, (outcome) => {
    if (outcome.type === 'deduced') {
      games.push(outcome.judgement);
      if (outcome.torn !== null) refused.push(fromPlainFailure(outcome.torn));
    }
    if (outcome.type === 'refused') refused.push(fromPlainFailure(outcome.failure));
  });
  const [first] = games;
  if (isOne && first !== undefined) printGame(first, { json, width });
  else if (games.length > 0 || refused.length === 0) {
    const sum = sumJudgements(games);
    if (json) printJson({ type: 'deduction.games', v: 1, games: games.length, ...sum });
    else print(renderReasoning(games.length, sum, width));
  }
  if (refused.length === 0) return EXIT.done;
  if (!isOne) {
    const journals = refused.length === 1 ? '1 journal is' : `${refused.length} journals are`;
    printNote(cleanLines(`Of ${files.length} journals, ${journals} not whole:`));
  }
  throw refuseJournals(refused, isOne);
}

function printGame(
  game: GameJudgement,
  { json, width }: { readonly json: boolean; readonly width: number },
): void {
  if (!json) {
    print(renderDeduction(game, sumJudgements([game]).all, width));
    return;
  }
  const { seed, impostors, knowledge, ballots, accusations, messages } = game;
  printJson({
    type: 'deduction.game',
    v: 1,
    seed,
    impostors,
    knowledge,
    ballots: ballots.map(({ isError: error, ...ballot }) => ({ ...ballot, error })),
    accusations: accusations.map(({ isError: error, ...one }) => ({ ...one, error })),
    messages,
  });
}
