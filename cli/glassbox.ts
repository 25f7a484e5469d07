/**
 * The command `glassbox`: reads the command line, runs one command, and turns failures into sentences.
 *
 * A command loads what it needs when it runs, so that help and completion come at once.
 */

import { Command, CommanderError } from 'commander';
import { realProcess } from '../actors/ports/process.ts';
import manifest from '../package.json' with { type: 'json' };
import { addChart } from './chart.ts';
import { addCheck } from './check.ts';
import { addCompletion } from './completion.ts';
import { addDoctor } from './doctor.ts';
import { EXIT, type Failure, toFailure } from './exit.ts';
import { addExport } from './export.ts';
import { addFork } from './fork.ts';
import { addLeague } from './league.ts';
import { addMeet } from './meet.ts';
import {
  changeToUserFolder,
  commandLine,
  findCommand,
  formatExamples,
  toUsageFailure,
} from './options.ts';
import { listenToOutput, printFailure, printNote } from './output.ts';
import { addPersona } from './persona.ts';
import { addPrompt } from './prompt.ts';
import { addReplay } from './replay.ts';
import { addResume } from './resume.ts';
import { addRun } from './run.ts';
import { addSchema } from './schema.ts';
import { addStats } from './stats.ts';
import { addTranscript } from './transcript.ts';
import { addView } from './view.ts';
import { addWatch } from './watch.ts';

function glassbox(): Command {
  const program = new Command('glassbox')
    .description('Whole games of Among Us on The Skeld, and single meetings, inside a glass box.')
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain a command')
    .configureHelp({ subcommandTerm: (one) => `${one.name()} ${one.usage()}` })
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeErr: () => {} });
  program.commandsGroup('Play:');
  addRun(program);
  addMeet(program);
  addLeague(program);
  addPersona(program);
  addResume(program);
  addFork(program);
  program.commandsGroup('Watch:');
  addWatch(program);
  addView(program);
  addExport(program);
  addTranscript(program);
  addStats(program);
  program.commandsGroup('Prove:');
  addCheck(program);
  addReplay(program);
  addChart(program);
  program.commandsGroup('Set up:');
  addDoctor(program);
  addPrompt(program);
  addSchema(program);
  addCompletion(program);
  program.helpCommand('help [command]', 'explain a command');
  program.addHelpText(
    'after',
    `${formatExamples(
      ['', 'play a game of eight, shown in the browser'],
      ['run --play', 'play one with you in it'],
      ['meet my.yaml --seed 7', 'hold a meeting of your own'],
      ['watch journals/a.jsonl', 'see it again'],
    )}\n\nIn the folder of the project, "glassbox" is "npm -s start --".`,
  );
  return program;
}

/** Complains and returns the exit status. */
function end(failed: Failure, args: readonly string[], program: Command): number {
  printFailure(failed, { json: args.includes('--json') });
  if (failed.exit === EXIT.usage) {
    printNote(`For help: ${commandLine(...findCommand(args, program), '--help')}`);
  }
  return failed.exit;
}

async function main(args: readonly string[]): Promise<void> {
  const program = glassbox();
  listenToOutput();
  // Thrown where nobody waits for it, as in a timer.
  process.on('uncaughtException', (error) =>
    realProcess.exit(end(toFailure(error), args, program)),
  );
  changeToUserFolder();
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const failed =
      error instanceof CommanderError ? toUsageFailure(error, args, program) : toFailure(error);
    process.exitCode = end(failed, args, program);
  }
}

await main(process.argv.slice(2));
