import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { CommandEnd, Commands } from './ports.ts';
import { realProcess } from './process.ts';
import { realTime } from './time.ts';

type Child = ChildProcessWithoutNullStreams;

/** Commands that run now. They are killed when this process exits, and when a stop signal ends it. */
const running = new Set<Child>();
let isExitWatched = false;
/** Stops listening for signals; null when nothing runs. */
let forgetSignals: (() => void) | null = null;

/** Milliseconds that output may still come after the exit of a command. */
const DRAIN_MS = 200;

export const realCommands: Commands = {
  start: (words, folder, { onOutput, onErrorOutput, onEnd }) => {
    let child: Child | null = null;
    let hasEnded = false;
    const end = (how: CommandEnd) => {
      if (child !== null) forget(child);
      if (hasEnded) return;
      hasEnded = true;
      onEnd(how);
    };
    try {
      child = spawnGroup(words, folder);
      watch(child);
      child.on('error', (error) => {
        if (child?.pid === undefined) end({ type: 'not-started', reason: readReason(error) });
      });
      child.stdout.on('data', onOutput);
      child.stderr.on('data', onErrorOutput);
      for (const stream of child.stdio) stream?.on('error', () => {});
      // Its child processes hold its output open, and would outlive it.
      child.on('exit', () => endGroup(child));
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
      kill: () => endGroup(child),
    };
  },
};

function spawnGroup([program = '', ...rest]: readonly string[], folder: string): Child {
  return spawn(program, rest, {
    cwd: folder,
    // Without it Python keeps lines back when its output is a pipe.
    env: { ...realProcess.environment, PYTHONUNBUFFERED: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Its own process group: its children end with it, and Ctrl-C ends the match by its rules instead of killing the mind.
    detached: HAS_GROUPS,
    windowsHide: true,
  });
}

const HAS_GROUPS = !realProcess.isWindows;

function watch(child: Child): void {
  running.add(child);
  forgetSignals ??= realProcess.onFatalSignal(killAll);
  if (isExitWatched) return;
  isExitWatched = true;
  realProcess.onExit(killAll);
}

function forget(child: Child): void {
  running.delete(child);
  if (running.size > 0) return;
  forgetSignals?.();
  forgetSignals = null;
}

function killAll(): void {
  for (const child of running) kill(child);
}

/** Kills a command with its group, and stops reading soon: a program in a group of its own may hold the output open. */
function endGroup(child: Child | null): void {
  kill(child);
  if (child !== null) void drain(child);
}

async function drain({ stdout, stderr }: Child): Promise<void> {
  await realTime.idle(DRAIN_MS);
  // On a busy machine the timer may be the first to run: what waits in the pipes is read before this resolves.
  await new Promise((resolve) => setImmediate(resolve));
  stdout.destroy();
  stderr.destroy();
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
