/** Usage: mistakes in the command line itself, in the words of every other failure. */
import type { Command, CommanderError } from 'commander';
import { nearest } from '../actors/suggestion.ts';
import { EXIT, type Failure, failure } from './failure.ts';

/** A complaint of commander as a failure. */
export function usageFailure({ code, message }: CommanderError): Failure {
  const name = code.replace('commander.', '').replace(/[A-Z]/g, (letter) => `-${letter}`);
  return failure(EXIT.usage, `usage/${name.toLowerCase()}`, sentence(message));
}

/** A word that is no command, where only one would do or a file would do as well. */
export function unknownCommand(word: string, program: Command, isFile: boolean): Failure {
  const names = program.commands.map((command) => command.name());
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
    .replace(/^option '(--[\w-]+).*' argument missing$/s, '$1: expected a value, found none');
  const { option, argument, value, expected } = INVALID.exec(plain)?.groups ?? {};
  if (expected === undefined) return plain;
  const wanted = expected.replace(/^Allowed choices are /, 'expected one of ');
  return `${option ?? argument ?? 'argument'}: ${wanted}, found ${JSON.stringify(value)}`;
}

/** How commander says that a value will not do, of an option and of an argument. */
const INVALID =
  /^(?:option '.*?(?<option>--[\w-]+).*?' argument|.*) '(?<value>.*)' is invalid(?: for argument '(?<argument>.*?)')?\. (?<expected>.*?)\.?$/s;

/** The command that the arguments name, or the whole program: where help is to be found. */
export function namedCommand(args: readonly string[], program: Command): readonly string[] {
  const names = program.commands.map((command) => command.name());
  const named = args.find((word) => names.includes(word));
  return named === undefined || named === 'help' ? [] : [named];
}
