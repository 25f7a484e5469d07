/** `glassbox play`: a game, or the match of a file, with a person in one of the seats. */

import type { Command } from 'commander';
import type { Colour } from '../machines/types.ts';
import { addModelFlags, addSeatFlags, addShowFlags } from './flags.ts';
import type { MatchFlags } from './match.ts';
import { addMatchFlags, MATCH_WORDS } from './run.ts';
import { formatExamples } from './usage.ts';

type PlayCommandFlags = Omit<MatchFlags, 'games' | 'jobs' | 'play'> & { readonly as?: Colour };

export function addPlay(program: Command): void {
  const play = program
    .command('play')
    .description('Plays a game, or the match of a file, with you in one of the seats.')
    .argument('[match]', MATCH_WORDS);
  addMatchFlags(addSeatFlags(play));
  addModelFlags(addShowFlags(play), 'language model for the other seats; a,b,c take turns')
    .addHelpText(
      'after',
      formatExamples(
        ['play', 'a game of eight, in the browser'],
        ['play --as red --terminal', 'as Red, in this terminal'],
        ['play electrical --model gemma3 --provider ollama', 'a meeting with models'],
      ),
    )
    .action(async (match: string | undefined, { as, ...flags }: PlayCommandFlags) => {
      const { runMatches } = await import('./match.ts');
      process.exitCode = await runMatches(match, {
        ...flags,
        play: as ?? true,
        games: 1,
        jobs: 1,
        isAsked: false,
      });
    });
}
