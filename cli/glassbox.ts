/**
 * The command `glassbox`: reads the command line, runs one command, and turns failures into sentences.
 *
 * Only the commands that the command line names are loaded, and they load what they need when they run.
 */

import { Command, CommanderError } from 'commander';
import manifest from '#manifest' with { type: 'json' };
import { realProcess } from '../actors/ports/process.ts';
import { EXIT, type Failure, toFailure } from './exit.ts';
import { listenToOutput, printFailure, printNote } from './output.ts';
import {
  changeToUserFolder,
  commandLine,
  findCommand,
  formatExamples,
  IS_REPOSITORY,
  toUsageFailure,
} from './usage.ts';

type AddCommand = (program: Command) => void;

type CommandEntry = {
  /** What the help of the whole program says. */
  readonly summary: string;
  readonly load: () => Promise<AddCommand>;
};

/** Every command under its heading in the help. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  'Play:': {
    run: {
      summary: 'play whole games on The Skeld',
      load: async () => (await import('./run.ts')).addRun,
    },
    meet: {
      summary: 'hold one meeting and watch it',
      load: async () => (await import('./meet.ts')).addMeet,
    },
    league: {
      summary: 'play leagues and see who leads',
      load: async () => (await import('./league.ts')).addLeague,
    },
    benchmark: {
      summary: 'score a model or mind by the fixed benchmark',
      load: async () => (await import('./benchmark.ts')).addBenchmark,
    },
    persona: {
      summary: 'see what personas have learned',
      load: async () => (await import('./persona.ts')).addPersona,
    },
    resume: {
      summary: 'continue an interrupted game',
      load: async () => (await import('./resume.ts')).addResume,
    },
    fork: {
      summary: 'play on from a moment of a journal',
      load: async () => (await import('./fork.ts')).addFork,
    },
  },
  'Watch:': {
    watch: {
      summary: 'show a recorded meeting or game in the terminal',
      load: async () => (await import('./watch.ts')).addWatch,
    },
    view: {
      summary: 'show a meeting or game in the browser',
      load: async () => (await import('./view.ts')).addView,
    },
    export: {
      summary: 'write a meeting or game as one page, or as a card',
      load: async () => (await import('./export.ts')).addExport,
    },
    transcript: {
      summary: 'print what was said, as JSON',
      load: async () => (await import('./transcript.ts')).addTranscript,
    },
    stats: {
      summary: 'count what happened in recorded games',
      load: async () => (await import('./stats.ts')).addStats,
    },
    why: {
      summary: 'find which words and votes changed the outcome',
      load: async () => (await import('./why.ts')).addWhy,
    },
    deduce: {
      summary: 'judge votes by what each player could have known',
      load: async () => (await import('./deduce.ts')).addDeduce,
    },
    tables: {
      summary: 'write journals as tables: Parquet, CSV or JSON lines',
      load: async () => (await import('./tables.ts')).addTables,
    },
    report: {
      summary: 'write a report of a league or of journals, as for a paper',
      load: async () => (await import('./report.ts')).addReport,
    },
  },
  'Prove:': {
    check: {
      summary: 'prove the meeting, or find what violates a property',
      load: async () => (await import('./check.ts')).addCheck,
    },
    verify: {
      summary: 'check that a bundle of the benchmark is what it says',
      load: async () => (await import('./verify.ts')).addVerify,
    },
    replay: {
      summary: 'run a recorded meeting or game again, byte for byte',
      load: async () => (await import('./replay.ts')).addReplay,
    },
    chart: {
      summary: 'draw the statechart that runs, or the map',
      load: async () => (await import('./chart.ts')).addChart,
    },
  },
  'Set up:': {
    doctor: {
      summary: 'check that a model or your own mind can play, or that a store is sound',
      load: async () => (await import('./doctor.ts')).addDoctor,
    },
    prompt: {
      summary: 'print the prompt a model would get',
      load: async () => (await import('./prompt.ts')).addPrompt,
    },
    schema: {
      summary: 'print the JSON schema of match files',
      load: async () => (await import('./schema.ts')).addSchema,
    },
    complete: {
      summary: 'print completion for a shell',
      load: async () => (await import('./completion.ts')).addCompletion,
    },
  },
};

const COMMAND_NAMES = Object.values(COMMANDS).flatMap(Object.keys);

/** What needs no command: help and the version come at once. */
const ALONE = ['-h', '--help', '-V', '--version'];

/** The commands that a command line names, wherever it does; without one it is about `run`. */
function namedCommands(args: readonly string[]): readonly string[] {
  const [first = ''] = args;
  if (ALONE.includes(first)) return [];
  const named = args.filter((word) => COMMAND_NAMES.includes(word));
  return named.length === 0 ? ['run'] : named;
}

/** The program with the commands that are named, or with all; the others are only in its help. */
export async function createProgram(named: readonly string[] = COMMAND_NAMES): Promise<Command> {
  const program = new Command('glassbox')
    .description('Whole games of Among Us on The Skeld, and single meetings, inside a glass box.')
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeErr: () => {} });
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const [name, { summary, load }] of Object.entries(commands)) {
      if (named.includes(name)) (await load())(program);
      else program.command(name);
      program.commands.find((command) => command.name() === name)?.summary(summary);
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
    )}${IS_REPOSITORY ? '\n\nIn the folder of the project, "glassbox" is "npm -s start --".' : ''}`,
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

/** Runs a command line to its end; returns the exit status. */
export async function runCommandLine(args: readonly string[], program: Command): Promise<number> {
  try {
    await program.parseAsync([...args], { from: 'user' });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const failed =
      error instanceof CommanderError ? toUsageFailure(error, args, program) : toFailure(error);
    return end(failed, args, program);
  }
}

/** What the process does: `args` are the words after its name. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = await createProgram(namedCommands(args));
  listenToOutput();
  // Thrown where no caller waits for it, as in a timer.
  realProcess.onFailure((error) => realProcess.exit(end(toFailure(error), args, program)));
  changeToUserFolder();
  process.exitCode = await runCommandLine(args, program);
}

if (import.meta.main) await runProgram(process.argv.slice(2));
