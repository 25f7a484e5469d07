import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MemorySink } from '../../../actors/engine/journal/sink.ts';
import { createMatch } from '../../../actors/engine/match.ts';
import { playMatch } from '../../../actors/engine/play.ts';
import { matchSchema } from '../../../machines/setup/match.ts';
import type { Colour } from '../../../machines/types.ts';
import {
  createMeetingModel,
  listConfigurations,
} from '../../../proofs/checks/meetingConfigurations.ts';
import { RULE_MUTANTS } from '../../../proofs/models/ruleMutants.ts';
import { buildSite, listSiteMatches } from '../../../visualizer/playground/build/site.ts';
import type {
  FromSiteWorker,
  SiteMatch,
  ToSiteWorker,
} from '../../../visualizer/playground/protocol.ts';
import { everyNth, SEED, seeds, testLong } from '../../support/seeds.ts';
import { barriers } from '../page/barriers.ts';
import { hasBrowser, launched, type Opened, open, type Window } from '../page/browser.ts';
import { type ServedFolder, serveFolder } from './serve.ts';

const KILLS = readFileSync(new URL('../../golden/mutants.md', import.meta.url), 'utf8');

function findKiller(mistake: string): string | undefined {
  const row = KILLS.split('\n').find((line) => line.startsWith(`| ${mistake} |`));
  return /`([\w-]+)`/.exec(row ?? '')?.[1];
}

/** Days after which all mistakes have had their turn. */
const TURNS = 20;

function drawFrom<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('expected at least one');
  return item;
}

const folder = mkdtempSync(join(tmpdir(), 'site-'));
let site: ServedFolder;

beforeAll(async () => {
  await buildSite(folder);
  copyFileSync(new URL('../../../docs/game.html', import.meta.url), join(folder, 'game.html'));
  site = await serveFolder(folder, '/somewhere/else/');
});

afterAll(() => {
  site.close();
  rmSync(folder, { recursive: true });
});

const files = () => readdirSync(folder, { recursive: true, encoding: 'utf8' });
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

/** Kilobytes as servers send them. The rest loads when a visitor first asks for it. */
const MOST_SCRIPT = 260;

/** A script with all that it imports before it runs. */
function loadedWith(path: string): readonly string[] {
  const imports = [...read(path).matchAll(/\bfrom\s*["']\.\/([^"']+)["']/g)];
  return [path, ...imports.flatMap(([, name = '']) => loadedWith(`assets/${name}`))];
}

describe('the built playground', () => {
  test(`a first visit that plays loads at most ${MOST_SCRIPT} kB of script`, () => {
    const starts = files().filter((path) => /assets\/(?:index|worker)-[^/]*\.js$/.test(path));
    expect(starts).toHaveLength(2);
    const first = new Set(starts.flatMap(loadedWith));
    const later = [
      'broken',
      'checking',
      'claims',
      'drawer',
      'episode',
      'fork',
      'forking',
      'lanes',
      'nextRows',
      'prove',
      'setup',
      'transcript',
    ];
    expect([...first].filter((path) => later.some((part) => path.includes(`/${part}-`)))).toEqual(
      [],
    );
    const bytes = [...first].reduce((sum, path) => sum + gzipSync(read(path)).length, 0);
    expect(bytes / 1000).toBeLessThan(MOST_SCRIPT);
  });

  test('every address in the page is relative and leads to a file of the site', () => {
    const addresses = [...read('index.html').matchAll(/ (?:href|src)="([^"]*)"/g)]
      .map(([, address = '']) => address)
      .filter((address) => !address.startsWith('data:'));
    expect(addresses.length).toBeGreaterThan(1);
    const all = new Set(files());
    expect(addresses.filter((address) => !all.has(posix.normalize(address)))).toEqual([]);
  });

  test('a folder with something else in it is not emptied', async () => {
    await expect(buildSite(join(import.meta.dirname))).rejects.toThrow('expected an empty folder');
  });
});

async function ask(page: Page, message: ToSiteWorker): Promise<FromSiteWorker> {
  const script = files().find((path) => /assets\/worker-[^/]*\.js$/.test(path)) ?? '';
  return page.evaluate(
    ([path, question]) =>
      new Promise<FromSiteWorker>((resolve, reject) => {
        const known: unknown = Reflect.get(window, 'asked');
        const worker = known instanceof Worker ? known : new Worker(path, { type: 'module' });
        Reflect.set(window, 'asked', worker);
        worker.onerror = ({ message: why }) => reject(new Error(why));
        worker.onmessage = ({ data }) => {
          if (data.type !== 'searching' && data.type !== 'trying') resolve(data);
        };
        worker.postMessage(question);
      }),
    [script, message] as const,
  );
}

async function playInNode({ match }: SiteMatch, seed: number): Promise<string> {
  const creation = createMatch(matchSchema.parse(match), seed);
  if (!creation.ok) throw new Error('an example that can be played');
  const sink = new MemorySink();
  await playMatch(creation.ready, { sink }).result;
  return sink.text;
}

describe.runIf(hasBrowser())('in a tab', () => {
  async function visit(path: string, look: Window = {}): Promise<Opened> {
    const browser = await launched();
    return open(browser, `${site.address}${path}`, { ready: '[data-moment]', ...look });
  }

  async function leave({ page, requests, errors }: Opened): Promise<void> {
    expect(errors).toEqual([]);
    expect(
      requests.filter((url) => !/^blob:|^data:/.test(url) && !url.startsWith(site.address)),
    ).toEqual([]);
    await page.close();
  }

  const games = seeds(2, 400);
  test(`the journals of ${games} seeds are those of Node to the byte`, async () => {
    const opened = await visit('');
    const matches = listSiteMatches();
    expect(matches.length).toBeGreaterThan(5);
    for (let seed = 1; seed <= games; seed++) {
      // Most of them short: single meetings come more often than the first, a whole game.
      const match = matches[seed % 10 === 0 ? 0 : seed % matches.length];
      if (match === undefined) throw new Error('a match');
      const choice = { match: match.match, seed, options: {}, forks: [] };
      const answer = await ask(opened.page, { type: 'play', choice });
      const journal = answer.type === 'played' ? answer.played.journal : JSON.stringify(answer);
      expect(journal === (await playInNode(match, seed)), `${match.id}, seed ${seed}`).toBe(true);
    }
    await leave(opened);
  });

  test('a recorded game opens next to the playground, as the published pages have it', async () => {
    const opened = await visit('game.html#t=9');
    await opened.page.waitForSelector('[data-moment="9"]');
    await leave(opened);
  });

  const changes = [
    {},
    { rules: 'classic' },
    { rules: 'house' },
    { max_ticks: 6 },
    { patience: 1 },
    { anonymous_votes: true },
    { beat_ms: 500 },
  ] as const;
  const changed = seeds(2, 400);

  testLong(`${changed} changed matches are played or refused in words`, async () => {
    const opened = await visit('');
    const matches = listSiteMatches();
    const forks: FromSiteWorker['type'][] = [];
    for (let seed = SEED; seed < SEED + changed; seed++) {
      const { match, kind } = drawFrom(matches, seed);
      const options = drawFrom(changes, Math.floor(seed / matches.length));
      const faulty = { ...match, ...(seed % 3 === 0 ? { fault_rate: 0.3 } : {}) };
      const choice = { match: faulty, seed, options, forks: [] };
      const seats: readonly { readonly colour: Colour }[] = matchSchema.parse(match).seats;
      const player = drawFrom(seats, seed).colour;
      const at = kind === 'meeting' ? '3' : 'round:3';
      for (const does of [
        { type: 'say', words: 'I saw red vent.' },
        { type: 'fall-silent' },
        { type: 'turn', temperament: 'joker' },
      ] as const) {
        const forked = { ...choice, forks: [{ at, player, does }] };
        const answer = await ask(opened.page, { type: 'play', choice: forked });
        const told = JSON.stringify({ seed, forked, answer }).slice(0, 4000);
        expect(told).not.toContain('site/internal');
        forks.push(answer.type);
      }
    }
    // Some matches end before the moment, and some options are not theirs.
    expect(forks.filter((type) => type === 'played').length).toBeGreaterThan(changed);
    await leave(opened);
  });

  const mistakes = everyNth(RULE_MUTANTS, TURNS).map(({ name }) => name);
  testLong(`${mistakes.length} mistakes are noticed as on the command line`, async () => {
    const opened = await visit('');
    for (const mistake of mistakes) {
      const answer = await ask(opened.page, { type: 'break', mistake });
      const noticed = answer.type === 'broken' ? answer.result.noticed?.property : answer;
      expect(noticed, mistake).toBe(findKiller(mistake));
    }
    await leave(opened);
  });

  testLong('a link carries a match and its fork to a moment', async () => {
    const opened = await visit('?match=four&seed=7&weights.mention=9#t=9&lens=table');
    const { page } = opened;
    await page.waitForSelector('[data-moment="9"]');
    expect(await page.textContent('.which')).toBe('The last four seed 71 changed');
    expect(await page.getAttribute('.lenses [aria-pressed=true]', 'title')).toContain('spoilers');
    await page.keyboard.press('Space');
    await page.waitForSelector('.play[aria-label*="Pause"]');
    await page.click('text=Change rules');
    await page.waitForSelector('.play[aria-label*="Play"]');
    await page.keyboard.press('Escape');
    await page.evaluate(() => {
      location.hash = '#t=9&lens=table';
    });
    await page.waitForSelector('[data-moment="9"]');
    await page.click('text=Fork here');
    await page.fill('dialog[open] input[type=text]', 'I saw it all.');
    await page.click('dialog[open] button[type=submit]');
    await page.waitForSelector('.sitestrip:has-text("Fork:")');
    expect(await page.textContent('.sitestrip')).toMatch(
      /says “I saw it all\.” from tick \d+ of meeting 1 on\. Beside the original/,
    );
    expect(page.url()).toMatch(
      /match=four&seed=7&weights.mention=9&fork=1:\d+~\w+~say~I\+saw\+it\+all\.#t=9&lens=table/,
    );
    await page.click('text=Back to the original');
    await page.waitForSelector('.sitestrip:has-text("Fork:")', { state: 'detached' });
    await leave(opened);
  });

  testLong.each([
    ['match=nope&seed=1', 'match=nope'],
    ['seed=abc', 'seed=abc'],
    ['kil_cooldown=5', 'kil_cooldown=5'],
    ['__proto__=1&toString=2', '__proto__=1, toString=2'],
    ['fork=1:3~mauve~say~no&seed=2', 'fork=1:3~mauve~say~no'],
  ])('a link with %s plays no other game, but says what is wrong', async (search, unknown) => {
    const opened = await visit(`?${search}`, { ready: '.sitestrip[role=alert]' });
    const { page } = opened;
    expect(await page.textContent('.sitestrip')).toContain(
      `Not played: this link asks for ${unknown}, which is not known here`,
    );
    await page.click('.sitestrip >> text=Rules as they were');
    await page.waitForSelector('[data-moment]');
    await page.goBack();
    await page.waitForSelector('.sitestrip[role=alert]');
    await page.goForward();
    await page.waitForSelector('.sitestrip[role=alert]', { state: 'detached' });
    await leave(opened);
  });

  testLong('a link keeps what others have added to it out of the game', async () => {
    const opened = await visit('?match=four&seed=7&utm_source=mail&fbclid=1#t=9');
    await opened.page.waitForSelector('[data-moment="9"]');
    await leave(opened);
  });

  testLong('rules that can’t be are refused in words, and leave the page as it is', async () => {
    const opened = await visit('?match=skeld&seed=2');
    const { page } = opened;
    await page.click('text=Change rules');
    await page.click('text=Rules of the ship');
    await page.fill('.option:has-text("impostors") input', '3');
    await page.click('dialog[open] button[type=submit]');
    await page.waitForSelector('.sitestrip[role=alert]');
    expect(await page.textContent('.sitestrip')).toContain('impostors');
    await page.click('.sitestrip >> text=Rules as they were');
    await page.waitForSelector('.sitestrip[role=alert]', { state: 'detached' });
    expect(page.url()).not.toContain('impostors');
    await leave(opened);
  });

  test('every meeting of three is proved, and a mistake is found and stepped through', async () => {
    const opened = await visit('?view=prove', { ready: '.mistakes button' });
    const { page } = opened;
    expect(await page.locator('.mistakes button').count()).toBe(RULE_MUTANTS.length);
    await page.click('text=Prove every meeting of three');
    await page.waitForSelector('.proof');
    const asked = listConfigurations(null, {
      players: [3],
      ghosts: 0,
      departures: 0,
      faults: false,
    }).flatMap((subject) => createMeetingModel(subject).properties).length;
    expect(await page.textContent('.proof p')).toContain(
      `${asked} of ${asked} properties hold as declared`,
    );
    const mistake = 'a tie ejects the first';
    await page.click(`.mistakes >> text=${mistake}`);
    await page.waitForSelector('.found h3');
    expect(await page.textContent('.found .hint')).toContain(
      `, ${findKiller(mistake)}, is violated`,
    );
    expect(await barriers(page)).toEqual([]);
    await page.click('text=Step through it');
    await page.waitForSelector('[data-moment]');
    const count = 3;
    for (let step = 1; step <= count; step++) {
      await page.click('[aria-label="The next step"]');
      await page.waitForSelector(`.sitestrip:has-text("Step ${step} of ${count}")`);
    }
    expect(await page.isDisabled('[aria-label="The next step"]')).toBe(true);
    await leave(opened);
  });

  testLong('an address with rules that can’t be says so, and leads on', async () => {
    const opened = await visit('?match=skeld&impostors=3', { ready: '.sitestrip[role=alert]' });
    const { page } = opened;
    expect(await page.textContent('.sitestrip')).toContain('expected 1 to 2 of 8 players');
    await page.click('.sitestrip >> text=Rules as they were');
    await page.waitForSelector('[data-moment]');
    await leave(opened);
  });

  testLong('mistakes in an address are planted at once', async () => {
    const opened = await visit('?view=prove&broken=votes+for+oneself+are+lost', {
      ready: '.found h3',
    });
    expect(await opened.page.textContent('.mistakes [aria-pressed=true]')).toBe(
      'votes for oneself are lost',
    );
    await leave(opened);
  });

  testLong('a phone has all of it without a second scroll bar', async () => {
    const opened = await visit('?seed=3', { width: 390, height: 844, colorScheme: 'light' });
    const { page } = opened;
    expect(await barriers(page)).toEqual([]);
    await leave(opened);
  });
});
