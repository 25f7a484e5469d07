/** Clients from PyPI, each in an environment of its own: they pin different versions of what they share. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const CACHE = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'glass-box-league');

/** The `bin` folder with these packages, installed once; null, with a line that says why, if that cannot be done. */
export function installClient(name: string, ...packages: readonly string[]): string | null {
  const folder = join(CACHE, 'clients', `${name}-${packages.join('-').replace(/[^\w.-]/g, '_')}`);
  const done = join(folder, 'installed');
  if (existsSync(done)) return join(folder, 'bin');
  mkdirSync(folder, { recursive: true });
  // An environment has its own path in it, so it cannot be made elsewhere and moved.
  const steps = [
    ['python3', '-m', 'venv', '--clear', folder],
    [join(folder, 'bin', 'pip'), 'install', '-q', ...packages],
  ];
  for (const [command = '', ...words] of steps) {
    const { status, stderr } = spawnSync(command, words, { encoding: 'utf8' });
    if (status === 0) continue;
    rmSync(folder, { recursive: true, force: true });
    const reason = stderr?.trim().split('\n').at(-1) || `${command} is missing`;
    console.log(`skipped, because ${packages.join(' ')} cannot be installed: ${reason}`);
    return null;
  }
  mkdirSync(`${done}.new`);
  renameSync(`${done}.new`, done);
  return join(folder, 'bin');
}
