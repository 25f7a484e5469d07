import { spawn } from 'node:child_process';
import { hostname, totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { type ProcessPort, STOP_SIGNALS } from './ports.ts';

const KILOBYTE = 1024;

export const realProcess: ProcessPort = {
  id: process.pid,
  environment: process.env,
  addVariable: (name, value) => {
    process.env[name] ??= value;
  },
  isWindows: process.platform === 'win32',
  host: hostname(),
  isAlive: (id) => {
    try {
      return process.kill(id, 0);
    } catch (error) {
      // A process of another user is there.
      return error instanceof Error && 'code' in error && error.code === 'EPERM';
    }
  },
  exit: (code) => process.exit(code),
  onFailure: (act) => void process.on('uncaughtException', act),
  onSignal: (signal, act) => void process.on(signal, act),
  forgetSignal: (signal) => void process.removeAllListeners(signal),
  onFatalSignal: (act) => {
    const listeners = STOP_SIGNALS.map((signal) => {
      const listener = () => {
        if (process.listenerCount(signal) > 1) return;
        act();
        forget();
        process.kill(process.pid, signal);
      };
      return { signal, listener };
    });
    const forget = () => {
      for (const { signal, listener } of listeners) process.off(signal, listener);
    };
    // The first one called still counts a listener that was added with `once`.
    for (const { signal, listener } of listeners) process.prependListener(signal, listener);
    return forget;
  },
  raise: (signal) => void process.emit(signal),
  kill: (id) => void process.kill(id, 'SIGKILL'),
  onExit: (act) => void process.on('exit', act),
  memory: () => process.memoryUsage.rss(),
  peakMemory: () => process.resourceUsage().maxRSS * KILOBYTE,
  mostMemory: () => Math.min(getHeapStatistics().heap_size_limit, machineMemory()),
  launch: (program, words) => {
    const child = spawn(program, [...words], { stdio: 'ignore', detached: true });
    child.on('error', () => {});
    child.unref();
  },
};

function machineMemory(): number {
  const given = process.constrainedMemory();
  return given > 0 ? Math.min(given, totalmem()) : totalmem();
}
