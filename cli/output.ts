/**
 * Output: results on stdout, everything else on stderr; with --json every line of stdout is one JSON object.
 */
import { styleText } from 'node:util';
import { EXIT, type Failure } from './failure.ts';

export type OutputOptions = { readonly json: boolean; readonly quiet: boolean };

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** For people only: hints, progress, warnings. */
export function aside(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function printJson(value: object): void {
  print(JSON.stringify(value));
}

/** Whether text for people may be coloured: on a terminal, unless NO_COLOR says no. FORCE_COLOR says yes. */
export function hasColour(): boolean {
  return styleText('red', 'x', { stream: process.stdout }) !== 'x';
}

export function screenWidth(): number {
  return process.stdout.columns ?? 100;
}

/** Says what went wrong, to people and, with --json, to programs; the exit status is the caller's to set. */
export function complain(failed: Failure, { json }: Pick<OutputOptions, 'json'>): void {
  for (const { code, text } of failed.notes) aside(`glassbox: ${code}: ${text}`);
  if (json) printJson({ type: 'error', v: 1, exit: failed.exit, problems: failed.notes });
  if (failed.exit === EXIT.internal)
    aside('This is a mistake of the program itself: please report it with the command line.');
}
