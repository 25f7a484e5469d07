/**
 * A child process ends with the test that started it, even if the test is killed. A second process waits at a pipe
 * that closes with this process, and then kills the child. It has its own process group, so signals to the test's
 * group do not reach it.
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
  // It does not keep this process alive.
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  return stdin;
}

export function tieToThisProcess(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  pipe ??= openPipe();
  const guard = pipe;
  guard.write(`+ ${pid}\n`);
  // The system may soon reuse the number of an ended process.
  child.once('exit', () => guard.write(`- ${pid}\n`));
}
