/** Usage: mistakes in the command line itself, in the words of every other failure. */
import type { Command, CommanderError } from 'commander';
import { nearest } from '../actors/engine/suggestion.ts';
import { EXIT, type Failure, failure } from './failure.ts';

/** A complaint of commander as a failure. */
function usageFailure({ code, message }: CommanderError): Failure {
  const name = code.replace('commander.', '').replace(/[A-Z]/g, (letter) => `-${letter}`);
  return failure(EXIT.usage, `usage/${name.toLowerCase()}`, sentence(message));
}

/** A command line that commander turned down; help that it shows unasked is help with no command, or with none that is there. */
export function misused(error: CommanderError, args: readonly string[], program: Command): Failure {
  const group = program.commands.find((one) => one.name() === args[0] && one.commands.length > 0);
  const words = args.slice(group === undefined ? 0 : 1).filter((word) => word !== 'help');
  if (error.code === 'commander.unknownCommand' || error.code === 'commander.help')
    return unknownCommand(words[0], group ?? program, false);
  return usageFailure(error);
}

/** A word that is no command, where only one would do or a file would do as well; or no word at all. */
export function unknownCommand(word: string | undefined, group: Command, isFile: boolean): Failure {
  const names = group.commands.map((command) => command.name());
  if (word === undefined) {
    const text = `expected a command of "${group.name()}" (${names.join(', ')}), found none`;
    return failure(EXIT.usage, 'usage/no-command', text);
  }
  const meant = nearest(word, names);
  const help = meant === null ? ` (commands: ${names.join(', ')})` : `; did you mean "${meant}"?`;
  const what = isFile ? 'no command and no file' : 'no command';
  const text = `there is ${what} ${JSON.stringify(word)}${help}`;
  return failure(EXIT.usage, 'usage/unknown-command', text);
}

/** "--seed: expected a whole number, found "abc"", out of what commander says. */
function sentence(message: string): string {
  const plain = message
    .replace(/^error: /, '')
    .replace(/\s*\(Did you mean (.*)\)$/s, '; did you mean $1')
    .replace(/^option '(--[\w-]+).*' argument missing$/s, '$1: expected a value, found none')
    .replace(/^required option '(.*)' not specified$/s, 'expected $1, found none');
  const { option, argument, value, expected } = INVALID.exec(plain)?.groups ?? {};
  if (expected === undefined) return plain;
  const wanted = expected.replace(/^Allowed choices are /, 'expected one of ');
  return `${option ?? argument ?? 'argument'}: ${wanted}, found ${JSON.stringify(value)}`;
}

/** How commander says that a value will not do, of an option and of an argument. */
const INVALID =
  /^(?:option '.*?(?<option>--[\w-]+).*?' argument|.*) '(?<value>.*)' is invalid(?: for argument '(?<argument>.*?)')?\. (?<expected>.*?)\.?$/s;

/** The command that the arguments name, and the one within it, or the whole program: where help is to be found. */
export function namedCommand(args: readonly string[], program: Command): readonly string[] {
  const [word, ...rest] = args;
  if (word === undefined) return [];
  const named = program.commands.find((one) => one.name() === word);
  if (named === undefined) return namedCommand(rest, program);
  return [named.name(), ...namedCommand(rest, named)];
}
