/** The command `glassbox`. It loads only the commands that a command line names, and turns failures into sentences. */

import { type Command, CommanderError } from 'commander';
import manifest from '#manifest' with { type: 'json' };
import { EXIT, type Failure } from '../actors/files/failure.ts';
import { realProcess } from '../actors/ports/process.ts';
import { listenToOutput, print, printFailure, printNote, toFailure } from './output.ts';
import {
  changeToUserFolder,
  commandLine,
  createUnknownCommand,
  findCommand,
  ProgramCommand,
  toUsageFailure,
} from './usage.ts';

type AddCommand = (program: ProgramCommand) => void;

const COMMANDS = {
  play: 'take a seat in a game yourself',
  run: 'play a game, a match file, or many games',
  resume: 'continue an interrupted match',
  fork: 'play on from a moment of a journal, with another future',
  view: 'show a match in the browser',
  watch: 'show a match in the terminal',
  export: 'write a match as one page, or as a picture',
  why: 'find which words and votes decided a match',
  report: 'count and compare the games of journals or of a league',
  check: 'prove the rules, or find what violates a property',
  verify: 'check a journal, a league or a bundle of the benchmark',
  benchmark: 'score a model or mind by the fixed benchmark',
  league: 'play leagues of many games and rank the personas',
  serve: 'let trainers and agents of this machine play',
  doctor: 'test whether a model, a mind or a store is ready to play',
};

/** Commands that few people need. `help --all` lists them. */
const RARE_COMMANDS = {
  persona: 'show and change what personas have learned',
  chart: 'draw a statechart that runs, or the map',
  transcript: 'print the talk of a match, as JSON',
  prompt: 'print the prompt that a model gets',
  schema: 'print the JSON schema of match files',
  completion: 'print the completion script of a shell',
};

const ALL_COMMANDS = { ...COMMANDS, ...RARE_COMMANDS };
const COMMAND_NAMES = Object.keys(ALL_COMMANDS);

const LOADERS: Readonly<Record<keyof typeof ALL_COMMANDS, () => Promise<AddCommand>>> = {
  play: async () => (await import('./run.ts')).addPlay,
  run: async () => (await import('./run.ts')).addRun,
  resume: async () => (await import('./resume.ts')).addResume,
  fork: async () => (await import('./fork.ts')).addFork,
  view: async () => (await import('./view.ts')).addView,
  watch: async () => (await import('./watch.ts')).addWatch,
  export: async () => (await import('./export.ts')).addExport,
  why: async () => (await import('./why.ts')).addWhy,
  report: async () => (await import('./report.ts')).addReport,
  check: async () => (await import('./check.ts')).addCheck,
  verify: async () => (await import('./verify.ts')).addVerify,
  benchmark: async () => (await import('./benchmark.ts')).addBenchmark,
  league: async () => (await import('./league.ts')).addLeague,
  serve: async () => (await import('./serve.ts')).addServe,
  doctor: async () => (await import('./doctor.ts')).addDoctor,
  persona: async () => (await import('./persona.ts')).addPersona,
  chart: async () => (await import('./chart.ts')).addChart,
  transcript: async () => (await import('./watch.ts')).addTranscript,
  prompt: async () => (await import('./prompt.ts')).addPrompt,
  schema: async () => (await import('./schema.ts')).addSchema,
  completion: async () => (await import('./completion.ts')).addCompletion,
};

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
  const program = new ProgramCommand('glassbox')
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeErr: () => {} });
  for (const [name, load] of Object.entries(LOADERS)) {
    if (named.includes(name)) (await load())(program);
    else program.command(name);
  }
  for (const [name, summary] of Object.entries(ALL_COMMANDS))
    program.commands.find((command) => command.name() === name)?.summary(summary);
  program.helpCommand(false);
  addHelp(program);
  program.helpInformation = () => describeProgram(COMMANDS);
  return program;
}

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
function describeProgram(commands: Readonly<Record<string, string>>): string {
  const width = Math.max(...COMMAND_NAMES.map((name) => name.length));
  const rows = Object.entries(commands).map(
    ([name, summary]) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return `Usage: glassbox [command] [options]

Games of Among Us between language models, people and scripts, inside a glass
box. Without a command glassbox plays a game of eight and shows it.

${rows.join('\n')}

Help:  glassbox COMMAND --help, glassbox help models, glassbox help --all
`;
}

function end(failed: Failure, args: readonly string[], program: Command): number {
  printFailure(failed, { json: args.includes('--json') });
  if (failed.exit === EXIT.usage)
    printNote(`For help: ${commandLine(...findCommand(args, program), '--help')}`);
  return failed.exit;
}

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
