/** Completion: what the shell offers when somebody presses the tab key. */

import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { LENSES } from '../machines/journal/lens.ts';
import { COLOURS } from '../machines/types.ts';
import { SPEEDS } from './flags.ts';
import { findFiles } from './input.ts';
import { formatExamples } from './usage.ts';

const LENS_WORDS = LENSES.flatMap((lens) =>
  lens === 'player' ? COLOURS.map((colour) => `player:${colour}`) : [lens],
);

/** What to offer for an option or an argument of this name, in any command. */
const OFFERS: Readonly<Record<string, () => readonly string[]>> = {
  lens: () => LENS_WORDS,
  speed: () => Object.keys(SPEEDS),
  match: () => listFiles('{yaml,yml}'),
  journal: () => listFiles('jsonl{,.gz,.zst}'),
};

/** Call it last: it learns the commands that are there. */
export function addCompletion(program: Command): void {
  const root = tab(program);
  for (const command of root.commands.values()) {
    for (const [name, place] of [...command.options, ...command.arguments]) {
      const offer = OFFERS[name];
      if (offer === undefined) continue;
      place.handler = (complete) => {
        for (const word of offer()) complete(word, '');
      };
    }
  }
  program.commands
    .find((command) => command.name() === 'complete')
    ?.description('Prints what a shell needs to complete commands, options, lenses and files.')
    .addHelpText(
      'after',
      formatExamples(
        ['complete bash >> ~/.bashrc', 'for bash'],
        ['complete zsh > ~/.zfunc/_glassbox', 'for zsh'],
        ['complete fish > ~/.config/fish/completions/glassbox.fish', 'for fish'],
      ),
    );
}

/** Files here or one folder below what has been typed so far. */
function listFiles(ending: string): readonly string[] {
  const typed = process.argv.at(-1) ?? '';
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  return findFiles(`${folder}{*,*/*}.${ending}`, '.');
}
