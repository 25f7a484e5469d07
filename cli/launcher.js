#!/usr/bin/env node
/**
 * Starts the program, or says which Node.js it needs. This file is JavaScript that old versions can read: everything it
 * starts is newer, and would end in a stack that names neither the version nor what to do.
 */
import { existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const needed = /\d+(?:\.\d+)*/.exec(manifest.engines.node)[0];
const compiled = new URL('../dist/cli/glassbox.js', import.meta.url);
const sources = new URL('./glassbox.ts', import.meta.url);
const isRepository = existsSync(sources);

if (isOlder(process.versions.node, needed)) {
  const advice = isRepository
    ? 'On Linux "npm ci" brings one and "npm start" uses it; elsewhere install it from https://nodejs.org.'
    : 'Install it from https://nodejs.org.';
  process.stderr.write(
    `glassbox: expected Node.js ${needed} or newer, found ${process.versions.node}. ${advice} [node/too-old]\n`,
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
    const { uid, mode } = lstatSync(folder);
    const isOwn =
      process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOwn ? folder : null;
  } catch {
    return null;
  }
}

/** Whether a version is older than another one, number by number. */
function isOlder(version, least) {
  const [numbers, others] = [version, least].map((text) => text.split('.').map(Number));
  const at = others.findIndex((other, index) => (numbers[index] || 0) !== other);
  return at >= 0 && (numbers[at] || 0) < others[at];
}
