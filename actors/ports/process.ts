/** The process of this program. */
import { spawn } from 'node:child_process';
import type { ProcessPort } from './ports.ts';

export const realProcess: ProcessPort = {
  id: process.pid,
  environment: process.env,
  isWindows: process.platform === 'win32',
  exit: (code) => process.exit(code),
  onFailure: (act) => void process.on('uncaughtException', act),
  onSignal: (signal, act) => void process.on(signal, act),
  forgetSignal: (signal) => void process.removeAllListeners(signal),
  raise: (signal) => void process.emit(signal),
  kill: (id) => void process.kill(id, 'SIGKILL'),
  onExit: (act) => void process.on('exit', act),
  memory: () => process.memoryUsage.rss(),
  launch: (program, words) => {
    const child = spawn(program, [...words], { stdio: 'ignore', detached: true });
    child.on('error', () => {});
    child.unref();
  },
};
