import { basename, relative } from 'node:path';
import type { Command, CommanderError } from 'commander';
import { suggestWord } from '../actors/engine/suggestion.ts';
import { realProcess } from '../actors/ports/process.ts';
import { createFailure, EXIT, type Failure } from './exit.ts';
import { shorten } from './output.ts';
import { findReplacement } from './removed.ts';

/** Help: how commands are explained beyond the list of their options. */

/** What to type, and what comes of it. */
export type CommandExample = readonly [line: string, does: string];

/** Examples below the options of a command: in two columns where all of them fit, else each over its meaning. */
export function formatExamples(...list: readonly CommandExample[]): string {
  const width = Math.max(...list.map(([line]) => line.length));
  const columns = list.map(([line, does]) => `  glassbox ${line.padEnd(width)}  ${does}`);
  const isNarrow = columns.every((row) => row.length <= COLUMNS);
  const rows = isNarrow ? columns : list.map(([line, does]) => `  glassbox ${line}\n      ${does}`);
  return `\nExamples:\n${rows.join('\n')}`;
}

/** A terminal of ordinary width. */
const COLUMNS = 80;

/** A complaint of commander as a failure. */
function rephraseFailure({ code, message }: CommanderError): Failure {
  const name = code.replace('commander.', '').replace(/[A-Z]/g, (letter) => `-${letter}`);
  return createFailure(EXIT.usage, `usage/${name.toLowerCase()}`, rephrase(message));
}

/** A command line that commander turned down; help that it shows unasked is help with no command, or with none that is there. */
export function toUsageFailure(
  error: CommanderError,
  args: readonly string[],
  program: Command,
): Failure {
  const group = program.commands.find((one) => one.name() === args[0] && one.commands.length > 0);
  const words = args.slice(group === undefined ? 0 : 1).filter((word) => word !== 'help');
  if (error.code === 'commander.unknownCommand' || error.code === 'commander.help')
    return createUnknownCommand(words[0], group ?? program, false);
  const [, flag] = /^error: unknown option '(--?[\w-]+)/.exec(error.message) ?? [];
  const removed = flag === undefined ? null : refuseRemovedFlag(flag, findCommand(args, program));
  return removed ?? rephraseFailure(error);
}

/** The failure of a flag that an older version had; null if it had none of that name. */
function refuseRemovedFlag(flag: string, command: readonly string[]): Failure | null {
  const path = command.length === 0 ? ['run'] : command;
  const instead = findReplacement([...path, flag]);
  if (instead === null) return null;
  const text = `${flag}: "${path.join(' ')}" has no such flag any more: ${instead}`;
  return createFailure(EXIT.usage, 'usage/removed-flag', text);
}

/** A word that is no command, where only one would do or a file would do as well; or no word at all. */
export function createUnknownCommand(
  word: string | undefined,
  group: Command,
  isFile: boolean,
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
  const meant = suggestWord(word, names);
  const help = meant === null ? ` (commands: ${names.join(', ')})` : `; did you mean "${meant}"?`;
  const what = isFile ? 'no command and no file' : 'no command';
  const text = `there is ${what} ${JSON.stringify(shorten(word))}${help}`;
  return createFailure(EXIT.usage, 'usage/unknown-command', text);
}

/** "--seed: expected a whole number, found "abc"", out of what commander says. */
function rephrase(message: string): string {
  const plain = message
    .replace(/^error: /, '')
    .replace(/\s*\(Did you mean (.*)\)$/s, '; did you mean $1')
    .replace(/^option '(--[\w-]+).*' argument missing$/s, '$1: expected a value, found none')
    .replace(/^required option '(.*)' not specified$/s, 'expected $1, found none');
  const { option, argument, value = '', expected } = INVALID.exec(plain)?.groups ?? {};
  if (expected === undefined) return plain.replace(/(?<=')[^']+(?=')/g, shorten);
  const wanted = expected.replace(/^Allowed choices are /, 'expected one of ');
  return `${option ?? argument ?? 'argument'}: ${wanted}, found ${JSON.stringify(shorten(value))}`;
}

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

/** npm runs scripts in the folder of the package; paths are meant from where the user stands. */
export function changeToUserFolder(): void {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = realProcess.environment;
  if (!IS_REPOSITORY || script !== 'start' || folder === undefined) return;
  try {
    process.chdir(folder);
  } catch {
    // The folder is gone; the one of the package is as good as any.
  }
}

/** What to type to run another command of this program. */
export function commandLine(...words: readonly string[]): string {
  return [programName(), ...words.map(quoteWord)].join(' ');
}

/** Whether this is the repository: its sources run as they are, and npm starts them. */
export const IS_REPOSITORY = import.meta.url.endsWith('.ts');

function programName(): string {
  const { npm_lifecycle_event: event, npm_command: command } = realProcess.environment;
  if (IS_REPOSITORY && event === 'start') return 'npm -s start --';
  const [, script = 'glassbox'] = process.argv;
  if (!IS_REPOSITORY) {
    if (command === 'exec') return 'npx glass-box-league';
    return script.includes('node_modules') ? 'npx glassbox' : 'glassbox';
  }
  const isFile = /\.[jt]s$/.test(script);
  return isFile ? `node ${quoteWord(relative(process.cwd(), script))}` : basename(script);
}

/** A word as a shell takes it. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
