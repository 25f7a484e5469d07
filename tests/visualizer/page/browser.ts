/**
 * A real browser for the tests: Chromium of this machine, without a download of its own.
 *
 * tests/setup.ts installs it where it can. Where there is none, the tests are skipped and print how to install it; with
 * CI=true they fail.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const INSTALL = 'apt-get install -y chromium';

const CHROMIUM = found();

/** Prints once how to install a browser if there is none. */
export function hasBrowser(): boolean {
  if (CHROMIUM !== null) return true;
  const text = `no Chromium here: ${INSTALL}, or set CHROMIUM to where it is`;
  if (process.env.CI === 'true') throw new Error(text);
  console.warn(`SKIPPED: ${text}`);
  return false;
}

function found(): string | null {
  return PLACES.find((path) => path !== '' && existsSync(path)) ?? null;
}

/** Whatever the browser would like to fetch for itself is switched off. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Every file of a process uses the same one: to start it costs more than many a page. It ends with the process. */
let shared: Browser | null = null;

export async function launched(): Promise<Browser> {
  if (shared?.isConnected() !== true)
    shared = await chromium.launch({ executablePath: CHROMIUM ?? '', args: FLAGS });
  return shared;
}

export type Opened = {
  readonly page: Page;
  readonly requests: readonly string[];
  readonly errors: readonly string[];
};

export type Window = {
  readonly colorScheme?: 'dark' | 'light';
  readonly width?: number;
  readonly height?: number;
  readonly isPhone?: boolean;
  readonly ready?: string;
};

const READY = '[data-moment], [data-view], .open';

export async function open(browser: Browser, url: string, look: Window = {}): Promise<Opened> {
  const { colorScheme = 'dark', width = 1440, height = 900, isPhone = false, ready = READY } = look;
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
    hasTouch: isPhone,
    isMobile: isPhone,
  });
  // A busy machine takes its time; what hangs is ended by the limit of the test.
  page.setDefaultTimeout(300_000);
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(url);
  await page.waitForSelector(ready);
  return { page, requests, errors };
}
