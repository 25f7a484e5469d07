/**
 * A child process lives no longer than the test that started it, also when the test is killed. A second process
 * waits at a pipe that closes with this one, and then ends the rest. It has its own process group, so signals to
 * the test's group do not reach it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

const GUARD = `
live=' '
while read -r sign pid; do
  case $sign in
    +) live="$live$pid " ;;
    -) live="\${live%% $pid *} \${live#* $pid }" ;;
  esac
done
for pid in $live; do kill -9 "$pid" 2>/dev/null; done
`;

let pipe: Writable | null = null;

function openPipe(): Writable {
  const guard = spawn('/bin/sh', ['-c', GUARD], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  const { stdin } = guard;
  // It keeps nobody from ending.
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  return stdin;
}

/** Ends a process when this one has ended, however it did. */
export function tieToThisProcess(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  pipe ??= openPipe();
  const guard = pipe;
  guard.write(`+ ${pid}\n`);
  // The number of an ended process may belong to another one soon.
  child.once('exit', () => guard.write(`- ${pid}\n`));
}
