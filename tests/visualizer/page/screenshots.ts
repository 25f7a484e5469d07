/**
 * Pictures of the page for the documents, and a game as a file of its own: `npm run screenshots`. The game is of one seed, so
 * that pictures change only when the page does. What `why` has found of it takes minutes, and is kept between runs.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createExplorerPage, createLeaguePage } from '../../../visualizer/page/build/pages.ts';
import { launched, open, type Window } from './browser.ts';
import { exhibited } from './findings.ts';
import { springLeague } from './playedLeague.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const OUT = join(ROOT, 'docs/screenshots');
const SEED = '17';
const KEPT = join(ROOT, 'node_modules/.cache/screenshots');

type Shot = Window & {
  readonly name: string;
  readonly at: string;
  readonly of?: 'game' | 'league' | 'check';
};

const LIE = '#t=138';

const SHOTS: readonly Shot[] = [
  { name: 'meeting-dark', at: `${LIE}&lens=glass` },
  { name: 'meeting-light', at: `${LIE}&lens=glass`, colorScheme: 'light' },
  { name: 'ship', at: '#t=122&lens=glass' },
  { name: 'phone', at: `${LIE}&lens=glass`, width: 390, height: 844 },
  { name: 'league', of: 'league', at: '' },
  { name: 'persona', of: 'league', at: '#persona=scripted_castor' },
  { name: 'explorer', of: 'check', at: '#run=mistaken&p=count&s=3&v=space' },
];

const folder = mkdtempSync(join(tmpdir(), 'glassbox-shots-'));
const pageFile = (of: string) => join(folder, `${of}.html`);
exportGame(pageFile('game'));
copyFileSync(pageFile('game'), join(ROOT, 'docs/game.html'));
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

function exportGame(file: string): void {
  const journal = join(KEPT, `journals/game-${SEED}.jsonl`);
  const glassbox = (...words: readonly string[]) => {
    const command = [join(ROOT, 'cli/glassbox.ts'), ...words];
    execFileSync(process.execPath, command, { cwd: KEPT, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  mkdirSync(KEPT, { recursive: true });
  if (!existsSync(journal)) glassbox('run', '--players', '6', '--seed', SEED);
  glassbox('why', journal);
  glassbox('why', journal, '--stakes');
  glassbox('export', journal, '--out', file);
}
