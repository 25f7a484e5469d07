/** The process of this program. */
import { spawn } from 'node:child_process';
import type { ProcessPort } from './ports.ts';

export const realProcess: ProcessPort = {
  id: process.pid,
  environment: process.env,
  exit: (code) => process.exit(code),
  onFailure: (act) => void process.on('uncaughtException', act),
  onSignal: (signal, act) => void process.on(signal, act),
  forgetSignal: (signal) => void process.removeAllListeners(signal),
  raise: (signal) => void process.emit(signal),
  memory: () => process.memoryUsage.rss(),
  launch: (program, words) => {
    const child = spawn(program, [...words], { stdio: 'ignore', detached: true });
    child.on('error', () => {});
    child.unref();
  },
};
