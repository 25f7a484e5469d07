/**
 * The command `glassbox`: reads the command line, runs one command, and turns failures into sentences.
 *
 * Only commands that the command line names are loaded. They load other modules when they run.
 */

import { Command, CommanderError } from 'commander';
import manifest from '#manifest' with { type: 'json' };
import { EXIT, type Failure } from '../actors/files/failure.ts';
import { realProcess } from '../actors/ports/process.ts';
import { listenToOutput, print, printFailure, printNote, toFailure } from './output.ts';
import {
  changeToUserFolder,
  commandLine,
  createUnknownCommand,
  findCommand,
  toUsageFailure,
} from './usage.ts';

type AddCommand = (program: Command) => void;

type CommandEntry = {
  /** The line in the help of the program. */
  readonly summary: string;
  readonly load: () => Promise<AddCommand>;
};

const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  play: {
    summary: 'take a seat in a game yourself',
    load: async () => (await import('./run.ts')).addPlay,
  },
  run: {
    summary: 'play a game, a match file, or many games',
    load: async () => (await import('./run.ts')).addRun,
  },
  resume: {
    summary: 'continue an interrupted match',
    load: async () => (await import('./resume.ts')).addResume,
  },
  fork: {
    summary: 'play on from a moment of a journal, with another future',
    load: async () => (await import('./fork.ts')).addFork,
  },
  view: {
    summary: 'show a match in the browser',
    load: async () => (await import('./view.ts')).addView,
  },
  watch: {
    summary: 'show a match in the terminal',
    load: async () => (await import('./watch.ts')).addWatch,
  },
  export: {
    summary: 'write a match as one page, or as a picture',
    load: async () => (await import('./export.ts')).addExport,
  },
  why: {
    summary: 'find which words and votes decided a match',
    load: async () => (await import('./why.ts')).addWhy,
  },
  report: {
    summary: 'count and compare the games of journals or of a league',
    load: async () => (await import('./report.ts')).addReport,
  },
  check: {
    summary: 'prove the rules, or find what violates a property',
    load: async () => (await import('./check.ts')).addCheck,
  },
  verify: {
    summary: 'check a journal, a league or a bundle of the benchmark',
    load: async () => (await import('./verify.ts')).addVerify,
  },
  benchmark: {
    summary: 'score a model or mind by the fixed benchmark',
    load: async () => (await import('./benchmark.ts')).addBenchmark,
  },
  league: {
    summary: 'play leagues of many games and rank the personas',
    load: async () => (await import('./league.ts')).addLeague,
  },
  doctor: {
    summary: 'test whether a model, a mind or a store is ready to play',
    load: async () => (await import('./doctor.ts')).addDoctor,
  },
};

/** Commands that few people need. `help --all` lists them. */
const RARE_COMMANDS: Readonly<Record<string, CommandEntry>> = {
  persona: {
    summary: 'show and change what personas have learned',
    load: async () => (await import('./persona.ts')).addPersona,
  },
  chart: {
    summary: 'draw a statechart that runs, or the map',
    load: async () => (await import('./chart.ts')).addChart,
  },
  transcript: {
    summary: 'print the talk of a match, as JSON',
    load: async () => (await import('./transcript.ts')).addTranscript,
  },
  prompt: {
    summary: 'print the prompt that a model gets',
    load: async () => (await import('./prompt.ts')).addPrompt,
  },
  schema: {
    summary: 'print the JSON schema of match files',
    load: async () => (await import('./schema.ts')).addSchema,
  },
  completion: {
    summary: 'print the completion script of a shell',
    load: async () => (await import('./completion.ts')).addCompletion,
  },
};

const ALL_COMMANDS = { ...COMMANDS, ...RARE_COMMANDS };
const COMMAND_NAMES = Object.keys(ALL_COMMANDS);

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
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeErr: () => {} });
  for (const [name, { summary, load }] of Object.entries(ALL_COMMANDS)) {
    if (named.includes(name)) (await load())(program);
    else program.command(name);
    program.commands.find((command) => command.name() === name)?.summary(summary);
  }
  program.helpCommand(false);
  addHelp(program);
  program.helpInformation = () => describeProgram(COMMANDS);
  return program;
}

/** `glassbox help`: of the program, of a command, or of the group of model options. */
function addHelp(program: Command): void {
  program
    .command('help')
    .summary('show help: help COMMAND, help models, or help --all')
    .argument('[words...]')
    .option('--all', 'list every command, also the rare ones')
    .action(async (words: readonly string[], { all = false }: { readonly all?: boolean }) => {
      if (words[0] === 'models') {
        const { describeModelFlags } = await import('./flags.ts');
        print(describeModelFlags().trimEnd());
        return;
      }
      const command = words.reduce<Command>((group, word) => {
        const found = group.commands.find((one) => one.name() === word);
        if (found === undefined) throw createUnknownCommand(word, group);
        return found;
      }, program);
      if (words.length > 0) command.outputHelp();
      else print(describeProgram(all ? ALL_COMMANDS : COMMANDS).trimEnd());
    });
}

/** The help of the whole program. It fits a terminal of 24 lines. */
function describeProgram(commands: Readonly<Record<string, CommandEntry>>): string {
  const width = Math.max(...COMMAND_NAMES.map((name) => name.length));
  const rows = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return `Usage: glassbox [command] [options]

Games of Among Us between language models, people and scripts, inside a glass
box. Without a command glassbox plays a game of eight and shows it.

${rows.join('\n')}

Help:  glassbox COMMAND --help, glassbox help models, glassbox help --all
`;
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
    await refuseStranger(args, program);
    await program.parseAsync([...args], { from: 'user' });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const failed =
      error instanceof CommanderError ? toUsageFailure(error, args, program) : toFailure(error);
    return end(failed, args, program);
  }
}

/** Refuses a first word that is neither a command nor a flag. */
async function refuseStranger([word]: readonly string[], program: Command): Promise<void> {
  if (word === undefined || word.startsWith('-') || word === 'help') return;
  if (COMMAND_NAMES.includes(word)) return;
  const { isThere } = await import('../actors/files/openFiles.ts');
  const kind = /\.ya?ml$/.test(word) ? 'match' : 'journal';
  throw createUnknownCommand(word, program, isThere(word) ? kind : null);
}

/** Runs the process. `args` are the words after the name of the program. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = await createProgram(namedCommands(args));
  listenToOutput();
  // Thrown where no caller waits for it, as in a timer.
  realProcess.onFailure((error) => realProcess.exit(end(toFailure(error), args, program)));
  changeToUserFolder();
  process.exitCode = await runCommandLine(args, program);
}

if (import.meta.main) await runProgram(process.argv.slice(2));
