/**
 * Screenshots of the page for the documents: `npm run screenshots`. The game is of one seed, so that pictures change only
 * when the page does.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createExplorerPage,
  createExportPage,
  createLeaguePage,
} from '../../../visualizer/page/build/pages.ts';
import { launched, open, type Window } from './browser.ts';
import { exhibited } from './findings.ts';
import { springLeague } from './playedLeague.ts';
import { recordedGame } from './recorded.ts';

const OUT = fileURLToPath(new URL('../../../docs/screenshots/', import.meta.url));
const SEED = 2;

type Shot = Window & {
  readonly name: string;
  readonly at: string;
  /** The page that is shown: the game, where nothing is said. */
  readonly of?: 'game' | 'league' | 'check';
};

const SHOTS: readonly Shot[] = [
  { name: 'meeting-dark', at: '#t=45&lens=glass' },
  { name: 'meeting-light', at: '#t=45&lens=glass', colorScheme: 'light' },
  { name: 'ship-dark', at: '#t=18&lens=glass&player=pink' },
  { name: 'ship-light', at: '#t=18&lens=glass&player=pink', colorScheme: 'light' },
  { name: 'reveal', at: '#t=66&lens=glass' },
  { name: 'table', at: '#t=45&lens=table', colorScheme: 'light' },
  { name: 'phone', at: '#t=45&lens=glass', width: 390, height: 844 },
  { name: 'stream', at: '?stream#t=45&lens=glass', width: 1920, height: 1080 },
  { name: 'league-dark', of: 'league', at: '' },
  { name: 'league-light', of: 'league', at: '', colorScheme: 'light' },
  { name: 'persona', of: 'league', at: '#persona=scripted_castor' },
  { name: 'explorer-dark', of: 'check', at: '#run=mistaken&p=count&s=3&v=space' },
  { name: 'explorer-light', of: 'check', at: '#run=unfair&s=1', colorScheme: 'light' },
];

const folder = mkdtempSync(join(tmpdir(), 'glassbox-shots-'));
const pageFile = (of: string) => join(folder, `${of}.html`);
writeFileSync(
  pageFile('game'),
  await createExportPage(await recordedGame(SEED), { lens: 'glass', name: 'game', damaged: 0 }),
);
writeFileSync(
  pageFile('league'),
  await createLeaguePage({ league: await springLeague(), progress: null }),
);
writeFileSync(pageFile('check'), await createExplorerPage(await exhibited()));
mkdirSync(OUT, { recursive: true });
const browser = await launched();
for (const { name, at, of = 'game', ...look } of SHOTS) {
  const { page } = await open(browser, `file://${pageFile(of)}${at}`, look);
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  await page.screenshot({ path: join(OUT, `${name}.png`) });
  await page.close();
}

await browser.close();
rmSync(folder, { recursive: true });
