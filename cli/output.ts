/** Results on stdout, everything else on stderr. Text is cleaned and JSON escaped, so no file can steer the terminal. */
import { styleText } from 'node:util';
import manifest from '#manifest' with { type: 'json' };
import { createFailure, describeSystemError, EXIT, Failure } from '../actors/files/failure.ts';
import { realProcess } from '../actors/ports/process.ts';
import { clean } from '../visualizer/terminal/layout.ts';

/** More problems than this are counted, not listed. */
const MOST_LISTED = 20;
/** Columns to draw in where standard output reports none. Text on a pipe has no limit (`textWidth`). */
const WIDTH = 100;

/** A result. The text is the caller's: it comes from `clean` or `jsonText`. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: object): void {
  print(formatJson(value));
}

export function formatJson(value: object, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(UNSEEN, (unit) =>
    Array.from({ length: unit.length }, (_, at) => unit.charCodeAt(at))
      .map((word) => `\\u${word.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** What JSON lets through: DEL, the controls above it, marks of direction, breaks of lines, characters without width. */
const UNSEEN = /[\u007F-\u009F\u2028\u2029\u2800]|\p{Cf}|\p{Default_Ignorable_Code_Point}/gu;

/** For people only: hints, progress, warnings. */
export function printNote(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Text of any origin, in lines of visible characters. */
export function cleanLines(text: string): string {
  return text.split('\n').map(clean).join('\n');
}

/** Whether text for people may be coloured: on a terminal, unless NO_COLOR says no. FORCE_COLOR says yes. */
export function hasColour(): boolean {
  return styleText('red', 'x', { stream: process.stdout }) !== 'x';
}

/** Columns of the terminal; some say that they have none. */
export function screenWidth(): number {
  return process.stdout.columns || WIDTH;
}

/** Whether an operator sits at a terminal, who can open a link and press Ctrl-C. */
export function isTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** Columns for tables and sentences. Pipes, files and --wide have no limit. */
export function textWidth({ wide = false }: { readonly wide?: boolean | undefined } = {}): number {
  return isTerminal() && !wide ? screenWidth() : Infinity;
}

export function printFailure(failed: Failure, { json }: { readonly json: boolean }): void {
  const { notes, exit, unlisted } = failed;
  for (const { code, text } of notes.slice(0, MOST_LISTED))
    printNote(cleanLines(`glassbox: ${text} [${code}]`));
  const more = Math.max(0, notes.length - MOST_LISTED) + unlisted;
  if (more > 0) printNote(`glassbox: and ${more} more`);
  if (json)
    printJson({ type: 'error', v: 1, exit, problems: notes, ...(unlisted > 0 && { unlisted }) });
  if (exit === EXIT.internal)
    printNote('This is a bug in glassbox. Please report it together with the command line.');
}

let isClosed = false;
let closedHandler: (() => void) | null = null;

/** Sets what to do when stdout is not read any more, as under `| head`. By default the program ends without a failure. */
export function onOutputClosed(act: (() => void) | null): void {
  closedHandler = act;
}

export function isOutputClosed(): boolean {
  return isClosed;
}

/** A closed pipe is the reader's right, a full disk a failure. In both cases a match still ends or pauses as a whole. */
export function listenToOutput(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isClosed) return;
    isClosed = true;
    if (error.code !== 'EPIPE') {
      const text = `cannot write the output: ${describeSystemError(error)}`;
      printFailure(createFailure(EXIT.cannotWrite, 'output/cannot-write', text), { json: false });
      realProcess.onExit(() => {
        process.exitCode = EXIT.cannotWrite;
      });
    }
    if (closedHandler === null) realProcess.exit(EXIT.done);
    closedHandler();
  });
}

export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const missing = error instanceof Error ? findMissingPackage(error) : null;
  if (missing !== null) return missing;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return createFailure(EXIT.internal, 'internal/unexpected', text);
}

/** Packages that are installed only where leagues use a Redis. */
const FOR_REDIS = ['bullmq', 'ioredis'] as const;

function findMissingPackage({ message }: Error): Failure | null {
  if (!FOR_REDIS.some((name) => message.startsWith(`Cannot find package '${name}'`))) return null;
  const packages = FOR_REDIS.map((name) => `${name}@${manifest.peerDependencies[name]}`).join(' ');
  const text = `a Redis needs packages that are optional and not installed here: npm install ${packages}`;
  return createFailure(EXIT.configuration, 'store/no-redis-package', text);
}
