import { basename, relative } from 'node:path';
import { Command, type CommanderError } from 'commander';
import { didYouMean, suggestWord } from '../actors/engine/suggestion.ts';
import { createFailure, EXIT, type Failure, shorten } from '../actors/files/failure.ts';
import { realProcess } from '../actors/ports/process.ts';
import { quoteWord } from '../machines/text.ts';

/** Help: how commands are explained beyond the list of their options. */

export type CommandExample = readonly [line: string, does: string];

export class ProgramCommand extends Command {
  override createCommand(name?: string): ProgramCommand {
    return new ProgramCommand(name);
  }

  examples(...list: readonly CommandExample[]): this {
    return this.addHelpText('after', formatExamples(list));
  }
}

function formatExamples(list: readonly CommandExample[]): string {
  const width = Math.max(...list.map(([line]) => line.length));
  const columns = list.map(([line, does]) => `  glassbox ${line.padEnd(width)}  ${does}`);
  const isNarrow = columns.every((row) => row.length <= COLUMNS);
  const rows = isNarrow ? columns : list.map(([line, does]) => `  glassbox ${line}\n      ${does}`);
  return `\nExamples:\n${rows.join('\n')}`;
}

const COLUMNS = 80;

export function toUsageFailure(
  error: CommanderError,
  args: readonly string[],
  program: Command,
): Failure {
  const group = program.commands.find((one) => one.name() === args[0] && one.commands.length > 0);
  const words = args.slice(group === undefined ? 0 : 1).filter((word) => word !== 'help');
  if (error.code === 'commander.unknownCommand' || error.code === 'commander.help')
    return createUnknownCommand(words[0], group ?? program);
  const [, option, value = ''] = INVALID_CHOICE.exec(error.message) ?? [];
  const named = option === undefined ? null : [...findCommand(args, program), option, value];
  const instead = named === null ? null : findReplacement(named);
  if (instead !== null) {
    const text = `${option} ${value}: there is no such value any more: ${instead}`;
    return createFailure(EXIT.usage, 'usage/removed-flag', text);
  }
  const [, flag] = /^error: unknown option '(--?[^'=]+)/.exec(error.message) ?? [];
  if (flag !== undefined) return refuseFlag(flag, args, program);
  const code = error.code.replace('commander.', '').replace(/[A-Z]/g, (letter) => `-${letter}`);
  return createFailure(EXIT.usage, `usage/${code.toLowerCase()}`, rephrase(error.message));
}

const INVALID_CHOICE = /^error: option '(--[\w-]+).*' argument '(.*)' is invalid/;

function refuseFlag(flag: string, args: readonly string[], program: Command): Failure {
  const path = findCommand(args, program);
  const named = path.length === 0 ? ['run'] : path;
  const instead = findReplacement([...named, flag]);
  if (instead !== null) {
    const text = `${flag}: "${named.join(' ')}" has no such flag any more: ${instead}`;
    return createFailure(EXIT.usage, 'usage/removed-flag', text);
  }
  const command = path.reduce<Command | undefined>(
    (inner, name) => inner?.commands.find((one) => one.name() === name),
    program,
  );
  const own = path.length === 0 ? program.commands.find((one) => one.name() === 'run') : command;
  const flags = [...program.options, ...(own?.options ?? [])].flatMap(({ long }) => long ?? []);
  const meant = suggestWord(flag, [...flags, '--help']);
  const help = meant === null ? '' : `; did you mean ${meant}?`;
  const text = `unknown option '${shorten(flag)}'${help}`;
  return createFailure(EXIT.usage, 'usage/unknown-option', text);
}

/** A word that is no command, or no word at all. A file in the place of a command names the commands that take it. */
export function createUnknownCommand(
  word: string | undefined,
  group: Command,
  fileKind: 'journal' | 'match' | null = null,
): Failure {
  const names = group.commands.map((command) => command.name());
  if (word === undefined) {
    const text = `expected a command of "${group.name()}" (${names.join(', ')}), found none`;
    return createFailure(EXIT.usage, 'usage/no-command', text);
  }
  const path = group.parent === null ? [word] : [group.name(), word];
  const instead = findReplacement(path);
  if (instead !== null) {
    const text = `the command "${path.join(' ')}" was removed: ${instead}`;
    return createFailure(EXIT.usage, 'usage/removed-command', text);
  }
  const quoted = JSON.stringify(shorten(word));
  if (fileKind !== null) {
    const ways =
      fileKind === 'journal' ? '"watch" or "view" shows a journal' : '"run" plays a match file';
    const text = `expected a command before ${quoted}: ${ways}`;
    return createFailure(EXIT.usage, 'usage/no-command', text);
  }
  const help = didYouMean(word, names, ` (commands: ${names.join(', ')})`);
  return createFailure(EXIT.usage, 'usage/unknown-command', `there is no command ${quoted}${help}`);
}

/** "--seed: expected a whole number, found "abc"", out of what commander says. */
function rephrase(message: string): string {
  const plain = message
    .replace(/^error: /, '')
    .replace(/^option '(--[\w-]+).*' argument missing$/s, '$1: expected a value, found none')
    .replace(/^required option '(.*)' not specified$/s, 'expected $1, found none')
    .replace(/^missing required argument '(.*)'$/s, 'expected an argument <$1>, found none');
  const { option, argument, value = '', expected } = INVALID.exec(plain)?.groups ?? {};
  if (expected === undefined) return plain.replace(/(?<=')[^']+(?=')/g, shorten);
  const wanted = expected.replace(/^Allowed choices are /, 'expected one of ');
  const meant = suggestWord(value, expected.match(/[a-z]{3,}(?::[a-z]+)?/g) ?? []);
  const isNear = meant !== null && value !== '' && !FILLERS.includes(meant);
  const help = isNear ? `; did you mean "${meant}"?` : '';
  return `${option ?? argument ?? 'argument'}: ${wanted}, found ${JSON.stringify(shorten(value))}${help}`;
}

/** Words of the sentences themselves. */
const FILLERS = 'expected one such from and the name number whole factor'.split(' ');

/** How commander says that a value will not do, of an option and of an argument. */
const INVALID =
  /^(?:option '.*?(?<option>--[\w-]+).*?' argument|.*) '(?<value>.*)' is invalid(?: for argument '(?<argument>.*?)')?\. (?<expected>.*?)\.?$/s;

/** The command that the arguments name, and the one within it, or the whole program: where help is to be found. */
export function findCommand(args: readonly string[], program: Command): readonly string[] {
  const [word, ...rest] = args;
  if (word === undefined) return [];
  const named = program.commands.find((one) => one.name() === word);
  if (named === undefined) return findCommand(rest, program);
  return [named.name(), ...findCommand(rest, named)];
}

/** npm runs scripts in the folder of the package, but paths are relative to the user's folder. */
export function changeToUserFolder(): void {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = realProcess.environment;
  if (!IS_REPOSITORY || script !== 'start' || folder === undefined) return;
  try {
    process.chdir(folder);
  } catch {
    // The folder is gone; the one of the package is as good as any.
  }
}

export function commandLine(...words: readonly string[]): string {
  return [programName(), ...words.map(quoteWord)].join(' ');
}

/** Whether this is the repository: its sources run as they are, and npm starts them. */
const IS_REPOSITORY = import.meta.url.endsWith('.ts');

function programName(): string {
  const { npm_lifecycle_event: event, npm_command: command } = realProcess.environment;
  if (IS_REPOSITORY && (event === 'start' || command === 'exec')) return 'npx glassbox';
  const [, script = 'glassbox'] = process.argv;
  if (!IS_REPOSITORY) {
    if (command === 'exec') return 'npx glass-box-league';
    return script.includes('node_modules') ? 'npx glassbox' : 'glassbox';
  }
  const isFile = /\.[jt]s$/.test(script);
  return isFile ? `node ${quoteWord(relative(process.cwd(), script))}` : basename(script);
}

/** Removed commands, flags of commands and values of flags, each with its replacement. The changelog has a line for each. */
export const REMOVED: readonly (readonly [was: string, instead: string])[] = [
  ['meet', 'use "run FILE", or "run electrical" for the demonstration'],
  ['complete', 'use "completion"'],
  ['run --config', 'use "run FILE"'],
  ['run --play', 'use "play", with "--as COLOUR" for a seat'],
  ['run --terminal', 'use "play --terminal"'],
  ['run --think', 'use "play --think SECONDS"'],
  ['replay', 'use "verify JOURNAL"'],
  ['stats', 'use "report --stats JOURNALS"'],
  ['tables', 'use "report --tables JOURNALS --out FOLDER"'],
  ['deduce', 'use "report --deduce JOURNALS"'],
  [
    'export --format inspect',
    'for Inspect run examples/inspect.py on the tables of "report --tables"',
  ],
  ['export --send', 'write the tables with "report --tables"'],
  ['export --start', 'write the tables with "report --tables"'],
  ['export --prices', 'use "report --stats --prices FILE"'],
  ['league verify', 'use "verify LEAGUE"'],
  ['check --journal', 'use "verify JOURNAL"'],
  ['check --selftest', 'the tests of the checker package do it'],
  ['check --workers', 'one thread searches: leave it out, or use "--combinations folded"'],
  ['check --checkpoint', 'search once, with a greater --max-states or --max-seconds'],
  ['check --resume', 'search once, with a greater --max-states or --max-seconds'],
  ['check --sarif', 'use --json or --junit'],
  ['chart --machine sitting', 'use "chart --machine meeting-session"'],
  ['--wait-for-model', 'use "--max-wait", which limits rests as well'],
];

function findReplacement(words: readonly string[]): string | null {
  const was = [words.join(' '), words.at(-1)];
  return REMOVED.find(([name]) => was.includes(name))?.[1] ?? null;
}
