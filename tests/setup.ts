/**
 * Prepares a run. Every property is tried on the examples of one seed, and the run prints it.
 *
 * `npm test` always has the same seed, `npm run test:long` draws a new one, and FC_SEED repeats a run. Vitest loads this
 * file once for the whole run, to settle the seed, and once in each worker, to hand it to fast-check.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configureGlobal, readConfigureGlobal } from 'fast-check';

const GIVEN = process.env.FC_SEED;
const USUAL = '1';

/** Called once, before any worker starts; workers inherit the environment. What it returns is called after the last. */
export function setup(): () => void {
  const isLong = process.env['TEST_LONG'] === '1';
  const seed = GIVEN ?? (isLong ? String(randomInt(2 ** 31)) : USUAL);
  if (!/^-?\d+$/.test(seed)) throw new Error(`FC_SEED: expected a whole number, found "${seed}"`);
  process.env.FC_SEED = seed;
  // Tests share no learned model traits, and write none into the user's folder.
  process.env['GLASSBOX_STATE'] = 'none';
  // With a compile cache, the many commands that tests run start in half the time.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-tests-'));
  process.env['TEST_FOLDER'] = folder;
  installMissing();
  console.log(`seed ${seed} (repeat this run with FC_SEED=${seed})`);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Programs that tests start, with the package of Debian that brings each. */
const PROGRAMS = {
  'redis-server': ['/usr/bin/redis-server', '/usr/local/bin/redis-server'],
  python3: ['/usr/bin/python3', '/usr/local/bin/python3'],
  zsh: ['/usr/bin/zsh', '/bin/zsh'],
  fish: ['/usr/bin/fish', '/usr/local/bin/fish'],
  chromium: [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'],
};

/**
 * Installs missing programs if this is root on Debian. Elsewhere the tests that need one are skipped and print the
 * command that installs it. With CI=true they fail instead.
 */
function installMissing(): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const missing = Object.entries(PROGRAMS).flatMap(([name, paths]) =>
    paths.some((path) => path !== '' && existsSync(path)) ? [] : [name],
  );
  if (missing.length === 0) return;
  console.log(`installing ${missing.join(' and ')} with apt-get`);
  const wait = ['-o', 'DPkg::Lock::Timeout=600'];
  spawnSync('apt-get', ['update', '-qq', ...wait]);
  spawnSync('apt-get', ['install', '-y', '-qq', ...wait, ...missing]);
}

if (GIVEN !== undefined) configureGlobal({ ...readConfigureGlobal(), seed: Number(GIVEN) });
