/** Commands of other programs, such as npm. */
import { spawnSync } from 'node:child_process';

/** Standard output of a command; its failure is thrown with all that it printed. */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 100_000_000,
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}
