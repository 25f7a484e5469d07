/** Other programs on this machine. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { CommandEnd, Commands } from './ports.ts';
import { realProcess } from './process.ts';

type Child = ChildProcessWithoutNullStreams;

/** Commands that run now. They end with this process, whatever ends it but SIGKILL; then their input ends. */
const running = new Set<Child>();
let isWatched = false;

export const realCommands: Commands = {
  start: (words, folder, { onOutput, onErrorOutput, onEnd }) => {
    let child: Child | null = null;
    let hasEnded = false;
    const end = (how: CommandEnd) => {
      if (child !== null) running.delete(child);
      if (hasEnded) return;
      hasEnded = true;
      onEnd(how);
    };
    try {
      child = spawnGroup(words, folder);
      running.add(child);
      watchExit();
      child.on('error', (error) => {
        if (child?.pid === undefined) end({ type: 'not-started', reason: readReason(error) });
      });
      child.stdout.on('data', onOutput);
      child.stderr.on('data', onErrorOutput);
      for (const stream of child.stdio) stream?.on('error', () => {});
      // What it has started holds its output open, and would outlive it.
      child.on('exit', () => kill(child));
      child.on('close', (exit, signal) => end({ type: 'exited', exit, signal }));
    } catch (error) {
      const reason = error instanceof Error ? readReason(error) : String(error);
      queueMicrotask(() => end({ type: 'not-started', reason }));
    }
    const input = child?.stdin;
    return {
      write: (text) => {
        if (input?.writable === true) input.write(text);
      },
      unreadBytes: () => (input?.destroyed === true ? Infinity : (input?.writableLength ?? 0)),
      closeInput: () => void input?.end(),
      kill: () => kill(child),
    };
  },
};

function spawnGroup([program = '', ...rest]: readonly string[], folder: string): Child {
  return spawn(program, rest, {
    cwd: folder,
    // Without it Python keeps lines back when its output is a pipe.
    env: { ...realProcess.environment, PYTHONUNBUFFERED: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: what it starts ends with it, and Ctrl-C ends the match by its rules, not the mind in it.
    detached: HAS_GROUPS,
    windowsHide: true,
  });
}

const HAS_GROUPS = !realProcess.isWindows;

function watchExit(): void {
  if (isWatched) return;
  isWatched = true;
  realProcess.onExit(() => {
    for (const child of running) kill(child);
  });
}

function kill(child: Child | null): void {
  if (child?.pid === undefined) return;
  try {
    if (HAS_GROUPS) realProcess.kill(-child.pid);
    else child.kill('SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** "ENOENT" and not the arguments with it. */
function readReason(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
