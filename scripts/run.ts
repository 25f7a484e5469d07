/** Commands of other programs, such as npm. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';

/** Standard output of a command; its failure is thrown with all that it printed. */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): string {
  const result = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 100_000_000,
  });
  const failure = explainFailure([command, ...args].join(' '), result);
  if (failure === null) return result.stdout;
  // A command that could not be started has printed nothing.
  throw new Error(`${failure}\n${result.stdout ?? ''}${result.stderr ?? ''}`.trimEnd());
}

type CommandResult = Pick<SpawnSyncReturns<string | Buffer>, 'error' | 'status' | 'signal'>;

export function explainFailure(
  command: string,
  { error, status, signal }: CommandResult,
): string | null {
  if (error !== undefined) return `${command} could not be run: ${error.message}`;
  return status === 0 ? null : `${command} ended with ${status ?? signal}`;
}
