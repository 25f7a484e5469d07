/**
 * A server of the tests lives no longer than the test that started it, also when the test is killed.
 *
 * A process that is killed ends nothing. So a second process waits at a pipe which closes with this one, and then ends
 * the server. It has a group of its own: what is sent to the group of the test does not reach it.
 */
import { type ChildProcess, spawn } from 'node:child_process';

/** Ends a server when this process has ended, however it did. */
export function tieToThisProcess(server: ChildProcess): void {
  const { pid } = server;
  if (pid === undefined) return;
  const guard = spawn('/bin/sh', ['-c', `cat >/dev/null; kill -9 ${pid} 2>/dev/null`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  // The number of a process that is gone may be that of another one soon.
  server.once('exit', () => guard.kill('SIGKILL'));
}
