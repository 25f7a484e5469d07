/** `glassbox meet`: holds one meeting, tells it as it happens, and keeps its journal. */
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import { rangeOf } from '../machines/rules/options.ts';
import { RULE_SETS } from '../machines/types.ts';
import {
  addMindFlags,
  addModelFlags,
  addPlayFlags,
  createBeliefsOption,
  createLensOption,
  createLiveOption,
  createSpeedOption,
  parseCount,
  parseDestination,
  parseRate,
  parseSeed,
} from './flags.ts';
import type { MeetFlags } from './meeting.ts';
import { formatExamples } from './usage.ts';

/** Where journals go by default. */
const FOLDER = 'journals';
const DEMO = fileURLToPath(new URL('../examples/electrical.yaml', import.meta.url));

export function addMeet(program: Command): void {
  const voteAfter = rangeOf('voteAfter');
  const maxTicks = rangeOf('maxTicks');
  const meeting = program
    .command('meet')
    .description(
      'Holds one meeting between offline minds or language models, prints it as it happens and keeps its journal.',
    )
    .argument('[match]', 'a YAML file, or - for standard input; without one, a demonstration')
    .option('--seed <n>', 'seed of all chance; the same seed gives the same meeting', parseSeed)
    .addOption(new Option('--rules <set>', 'rule set').choices(RULE_SETS))
    .addOption(createLensOption())
    .addOption(createBeliefsOption())
    .option('--fault-rate <p>', 'share of replies that go wrong, from 0 to 1', parseRate)
    .option(
      '--vote-after <n>',
      'open timed voting after this many ticks',
      parseCount(voteAfter.least, voteAfter.most),
    )
    .option(
      '--max-ticks <n>',
      'end as unconverged after this many ticks',
      parseCount(maxTicks.least, maxTicks.most),
    )
    .option('--out <file>', `journal file (default: a new file in ${FOLDER}/)`, parseDestination)
    .addOption(createSpeedOption('; normal on a terminal, else max'))
    .addOption(createLiveOption())
    .option('--json', 'print the lines of the journal and the result as NDJSON')
    .option('-q, --quiet', 'print the result only');
  addPlayFlags(meeting);
  addMindFlags(meeting);
  addModelFlags(meeting)
    .addHelpText(
      'after',
      formatExamples(
        ['meet', 'the demonstration, with another seed each time'],
        ['meet my.yaml --seed 7 --lens table', 'only what was public at the table'],
        ['meet my.yaml --rules classic --fault-rate 0.2', 'other rules, bad replies'],
        ['meet --play orange', 'the demonstration with you in it'],
        ['meet my.yaml --seed 7 --json | tail -n 1', 'the outcome, for a program'],
        ['meet --model gemma3 --base-url http://localhost:11434/v1', 'a model in every seat'],
      ),
    )
    .action(async (path: string | undefined, flags: Omit<MeetFlags, 'folder'>) => {
      const { runMeeting } = await import('./meeting.ts');
      process.exitCode = await runMeeting(path ?? DEMO, { folder: FOLDER, ...flags });
    });
}
