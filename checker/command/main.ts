#!/usr/bin/env node
/**
 * The command `glass-box-checker`. It checks a module in a process of its own, so that whatever the module prints, keeps
 * running or ends can neither mix with the result nor hide that there is none.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createUnusable, type Verdict, writeFailure } from './failure.ts';

const words = process.argv.slice(2);
const up = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const program = fileURLToPath(new URL(`./checkModule${up}`, import.meta.url));

const child = spawn(process.execPath, [...process.execArgv, program, ...words], {
  // What the module prints goes to the standard error. The child has a group of its own, so that Ctrl-C reaches it once.
  stdio: ['inherit', 2, 2, 'ipc'],
  detached: process.platform !== 'win32',
});
let verdict: Verdict | null = null;
let silence: NodeJS.Timeout | undefined;
/** The longest time that a timer of Node.js can have. */
const LONGEST_TIMER = 2 ** 31 - 1;
child.on('message', (sent) => {
  // The module may send anything, too.
  const message: object = Object(sent);
  if ('mostSilentSeconds' in message) {
    const seconds = Number(message.mostSilentSeconds);
    clearTimeout(silence);
    silence = setTimeout(endSilence, Math.min(seconds * 1000, LONGEST_TIMER), seconds);
  }
  if ('glassBoxChecker' in message) verdict = message.glassBoxChecker as Verdict; // the child's last word
});
let signals = 0;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => child.kill(signals++ === 0 ? signal : 'SIGKILL'));
child.on('error', (error) => conclude(`it could not be started (${error.message})`));
child.on('exit', (code, signal) => {
  clearTimeout(silence);
  conclude(signal === null ? `exit status ${code}` : `signal ${signal}`);
});

function endSilence(seconds: number): void {
  const text = `a function of the module did not return within ${seconds} seconds: look for a loop without an end in its guards, actions, properties or world, or raise --max-seconds`;
  verdict = writeFailure(createUnusable(text, 'model/endless-function'), words);
  child.kill('SIGKILL');
}

function conclude(how: string): void {
  const text = `the module ended the check before its verdict (${how}). It must neither exit nor wait for ever, and the search must fit into the memory of Node.js`;
  const { exit, out, err } = verdict ?? writeFailure(createUnusable(text, 'model/ended'), words);
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = exit;
}
