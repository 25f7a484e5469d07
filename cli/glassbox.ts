/**
 * The command `glassbox`: reads the command line, runs one command, and turns failures into sentences.
 *
 * Only the command that was asked for is loaded, and it loads what it needs when it runs, so that help comes at once.
 */

import { Command, CommanderError } from 'commander';
import { realProcess } from '../actors/ports/process.ts';
import manifest from '../package.json' with { type: 'json' };
import { EXIT, type Failure, toFailure } from './exit.ts';
import { listenToOutput, printFailure, printNote } from './output.ts';
import {
  changeToUserFolder,
  commandLine,
  findCommand,
  formatExamples,
  toUsageFailure,
} from './usage.ts';

type AddCommand = (program: Command) => void;

/** Every command under its heading in the help, and how it is loaded. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, () => Promise<AddCommand>>>>> = {
  'Play:': {
    run: async () => (await import('./run.ts')).addRun,
    meet: async () => (await import('./meet.ts')).addMeet,
    league: async () => (await import('./league.ts')).addLeague,
    persona: async () => (await import('./persona.ts')).addPersona,
    resume: async () => (await import('./resume.ts')).addResume,
    fork: async () => (await import('./fork.ts')).addFork,
  },
  'Watch:': {
    watch: async () => (await import('./watch.ts')).addWatch,
    view: async () => (await import('./view.ts')).addView,
    export: async () => (await import('./export.ts')).addExport,
    transcript: async () => (await import('./transcript.ts')).addTranscript,
    stats: async () => (await import('./stats.ts')).addStats,
  },
  'Prove:': {
    check: async () => (await import('./check.ts')).addCheck,
    replay: async () => (await import('./replay.ts')).addReplay,
    chart: async () => (await import('./chart.ts')).addChart,
  },
  'Set up:': {
    doctor: async () => (await import('./doctor.ts')).addDoctor,
    prompt: async () => (await import('./prompt.ts')).addPrompt,
    schema: async () => (await import('./schema.ts')).addSchema,
    complete: async () => (await import('./completion.ts')).addCompletion,
  },
};

/** The program for a command line that begins with this word. Where the word is a command, the others are only names. */
async function glassbox(word: string | undefined): Promise<Command> {
  const program = new Command('glassbox')
    .description('Whole games of Among Us on The Skeld, and single meetings, inside a glass box.')
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .configureHelp({ subcommandTerm: (one) => `${one.name()} ${one.usage()}` })
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeErr: () => {} });
  // Completion is about all commands.
  const names = Object.values(COMMANDS).flatMap(Object.keys);
  const only = word !== 'complete' && names.includes(word ?? '') ? word : null;
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const [name, load] of Object.entries(commands)) {
      if (only === null || only === name) (await load())(program);
      else program.command(name);
    }
  }
  program.helpCommand('help [command]', 'show help');
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
  const program = await glassbox(args[0]);
  listenToOutput();
  // Thrown where nobody waits for it, as in a timer.
  realProcess.onFailure((error) => realProcess.exit(end(toFailure(error), args, program)));
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
