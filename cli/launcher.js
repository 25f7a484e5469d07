#!/usr/bin/env node
/**
 * Starts the program, or says which Node.js it needs. This file is JavaScript that old versions can read: everything it
 * starts is newer, and would end in a stack that names neither the version nor what to do.
 */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname } from 'node:path';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const ranges = manifest.engines.node.split(' || ');
const compiled = new URL('../dist/cli/glassbox.js', import.meta.url);
const sources = new URL('./glassbox.ts', import.meta.url);
const isRepository = existsSync(sources);

if (!ranges.some(accepts)) {
  const advice = isRepository
    ? 'On Linux "npm ci" brings one and "npm start" uses it; elsewhere install it from https://nodejs.org.'
    : 'Install it from https://nodejs.org.';
  process.stderr.write(
    `glassbox: expected Node.js ${ranges.map(describe).join(', or ')}, found ${process.versions.node}. ${advice} [node/too-old]\n`,
  );
  process.exitCode = 78;
} else {
  // Compiled code is kept between runs, so that every start after the first one is faster.
  const cache = cacheFolder();
  if (cache !== null && module.enableCompileCache !== undefined) module.enableCompileCache(cache);
  const { runProgram } = await import((isRepository ? sources : compiled).href);
  await runProgram(process.argv.slice(2));
}

/** A folder that only this user can write to: code in it is run. Null if there is none. */
function cacheFolder() {
  const folder = `${homedir()}/.cache/glassbox`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return process.getuid === undefined || isOwn(folder, process.getuid()) ? folder : null;
  } catch {
    return null;
  }
}

/** Whether no other user can write to a folder or, where they may write but not move entries, above it. */
function isOwn(folder, user, allowed = 0) {
  const { uid, gid, mode } = statSync(folder);
  const isWritable = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid);
  const isSafe = (uid === user || uid === 0) && (!isWritable || (mode & allowed) !== 0);
  return isSafe && (folder === dirname(folder) || isOwn(dirname(folder), user, 0o1000));
}

/** Whether a range such as ">=23.8" or "^22.15" has the running version. */
function accepts(range) {
  const [numbers, least] = [process.versions.node, leastOf(range)].map((text) =>
    text.split('.').map(Number),
  );
  if (range.startsWith('^') && numbers[0] !== least[0]) return false;
  const at = least.findIndex((number, index) => number !== numbers[index]);
  return at < 0 || numbers[at] > least[at];
}

function describe(range) {
  const least = leastOf(range);
  return range.startsWith('^')
    ? `${least} or a later ${parseInt(least, 10)}.x`
    : `${least} or newer`;
}

function leastOf(range) {
  return /[\d.]+/.exec(range)[0];
}
