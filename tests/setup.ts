/**
 * The seed of the suite: every property is tried on the examples of one seed, and the seed is printed.
 *
 * It changes with the day, so that in time many examples are seen, and stays the same within a run. FC_SEED repeats a
 * run. This file is loaded twice over: once for the whole run, where it settles and prints the seed, and once in each
 * worker, where it hands the seed to fast-check.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configureGlobal, readConfigureGlobal } from 'fast-check';

const GIVEN = process.env.FC_SEED;

/** Called once, before any worker starts; workers inherit the environment. */
export function setup(): void {
  const seed = GIVEN ?? dayNumber(new Date());
  if (!/^-?\d+$/.test(seed)) throw new Error(`FC_SEED: expected a whole number, found "${seed}"`);
  process.env.FC_SEED = seed;
  // What is learned of models is no test's before it, and never lands in the folder of the user.
  process.env['GLASSBOX_STATE'] = 'none';
  // Where Node keeps what it has compiled: with it each of the many commands that tests run starts in half the time.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
  installMissing();
  console.log(`seed ${seed} (repeat this run with FC_SEED=${seed})`);
}

/** Programs that tests start, with the package of Debian that brings each. */
const PROGRAMS = {
  'redis-server': ['/usr/bin/redis-server', '/usr/local/bin/redis-server'],
  python3: ['/usr/bin/python3', '/usr/local/bin/python3'],
  chromium: [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'],
};

/**
 * Installs what is missing, where this is root on Debian. Elsewhere the tests that need it are skipped and print how to
 * install it; with CI=true they fail instead.
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

/** The day as a number that a person can read, such as 20261121. */
function dayNumber(day: Date): string {
  return day.toISOString().slice(0, 10).replaceAll('-', '');
}

if (GIVEN !== undefined) configureGlobal({ ...readConfigureGlobal(), seed: Number(GIVEN) });
