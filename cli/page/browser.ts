/** The browser: asked to open a page where there is somebody who can look at it. */
import { spawn } from 'node:child_process';

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** The link is printed anyway, so nothing is lost where there is no browser. */
export function openBrowser(url: string): void {
  if (process.stdout.isTTY !== true) return;
  const [name, ...before] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(name, [...before, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
