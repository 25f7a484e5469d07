import { beforeAll, describe, expect, test } from 'vitest';
import type { Lens } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { seeWithMoves } from '../../../visualizer/charts/machineRun.ts';
import { seeWithClaims } from '../../../visualizer/claims.ts';
import { EPISODE_SECONDS } from '../../../visualizer/page/game/state/episode.ts';
import { cutEpisode, type Episode } from '../../../visualizer/page/game/story/episode.ts';
import type { WhyNotes } from '../../../visualizer/page/game/story/pageData.ts';
import { createStory, NO_CHARTS, type Story } from '../../../visualizer/page/game/story/story.ts';
import { describeLong } from '../../support/seeds.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported } from './desk.ts';
import { playedByModels, recordedGame, recordedMeeting } from './recorded.ts';

const GLASS: Lens = { type: 'glass' };
const TABLE: Lens = { type: 'table' };

let game: readonly Line[];
const journals = new Map<string, readonly Line[]>();

beforeAll(async () => {
  game = playedByModels(await recordedGame(4), ['anthropic/claude-opus-4.5', 'openai/gpt-5.2']);
  const meeting = await recordedMeeting('electrical', 7);
  const called = game.findIndex(({ type }) => type === 'meeting.called');
  const spoken = game.findIndex((line) => line.type === 'tick.closed' && line.said !== null);
  journals.set('a game', game);
  journals.set('a meeting on its own', meeting);
  journals.set('a game without a meeting', game.slice(0, called));
  journals.set('a game that was interrupted in a meeting', game.slice(0, spoken + 5));
  journals.set('a header alone', game.slice(0, 1));
  journals.set('a game of 1,000 lines more', [
    ...game.slice(0, spoken),
    ...Array.from({ length: 1000 }, () => game.slice(spoken, spoken + 1)).flat(),
    ...game.slice(spoken + 1),
  ]);
});

function storyOf(lines: readonly Line[], lens: Lens): Story {
  return createStory(seeWithClaims(lines, lens), NO_CHARTS, lens);
}

const JOURNALS = [
  'a game',
  'a meeting on its own',
  'a game without a meeting',
  'a game that was interrupted in a meeting',
  'a header alone',
  'a game of 1,000 lines more',
];

describe.each(EPISODE_SECONDS)('an episode of %i seconds', (seconds) => {
  describe.each([GLASS, TABLE])('through $type', (lens) => {
    test.each(JOURNALS)(
      'of %s keeps the limit and the order, with an opening and an end',
      (name) => {
        const story = storyOf(journals.get(name) ?? [], lens);
        const { shots, chapters, ms } = cutEpisode(story, seconds, null);
        expect(shots.reduce((sum, shot) => sum + shot.ms, 0)).toBe(ms);
        expect(ms).toBeLessThanOrEqual(seconds * 1000);
        const places = shots.map((shot) => story.feed.findIndex(({ item }) => item === shot.item));
        expect(places).toEqual(places.toSorted((one, other) => one - other));
        expect(new Set(places).size).toBe(places.length);
        expect(shots[0]?.item.type).toBe('opening');
        const end = story.feed.findLast(({ item }) => item.type === 'closing');
        const last = end ?? story.feed.at(-1);
        expect(shots.at(-1)?.item).toBe(last?.item);
        expect(chapters[0]).toEqual({ name: 'Who plays', from: 0 });
        expect(chapters.map(({ from }) => from)).toEqual(
          [...new Set(chapters.map(({ from }) => from))].toSorted((one, other) => one - other),
        );
        expect(chapters.every(({ from }) => from < shots.length)).toBe(true);
      },
    );
  });

  test('is the same to the byte whenever it is cut', () => {
    const cut = () => JSON.stringify(cutEpisode(storyOf(game, GLASS), seconds, null));
    expect(cut()).toBe(cut());
  });

  test('has the time that it has room for, when there is enough to show', () => {
    const long = storyOf(journals.get('a game of 1,000 lines more') ?? [], GLASS);
    expect(cutEpisode(long, seconds, null).ms).toBeGreaterThan(seconds * 1000 * 0.9);
  });

  test('through the table has no thought, and no word that the table does not hear', () => {
    const { shots } = cutEpisode(storyOf(game, TABLE), seconds, null);
    expect(shots.every(({ thought }) => thought === '')).toBe(true);
    expect(shots.map(({ caption }) => caption).join(' ')).not.toContain(' kills ');
    const open = cutEpisode(storyOf(game, GLASS), seconds, null);
    expect(open.shots.some(({ thought }) => thought !== '')).toBe(true);
    expect(open.shots.map(({ caption }) => caption).join(' ')).toContain(' kills ');
  });
});

describe('the cut of an episode', () => {
  const stepsOf = ({ shots }: Episode) => shots.map(({ step }) => step);

  /** A message that the cut of a minute leaves out, by its place. */
  function findLeftOut(story: Story): { readonly step: number; readonly at: string } {
    const shown = stepsOf(cutEpisode(story, 60, null));
    const left = story.feed.find(
      ({ item, step }) => item.type === 'speech' && !shown.includes(step),
    );
    const at = left === undefined ? undefined : story.moments[left.step]?.name;
    if (left === undefined || at === undefined) throw new Error('a message that is left out');
    return { step: left.step, at };
  }

  const notesOf = (at: string): WhyNotes => ({
    stakes: {
      ...{ continuations: 20, standIns: [], points: [] },
      turns: [
        {
          at,
          when: 'at 0:10',
          from: 0.9,
          to: 0.1,
          grade: 'blunder',
          what: '',
        },
      ],
    },
    credits: [],
  });

  test('has the turning point that why has found, through the glass', () => {
    const story = storyOf(game, GLASS);
    const { step, at } = findLeftOut(story);
    expect(stepsOf(cutEpisode(story, 60, notesOf(at)))).toContain(step);
  });

  test('lenses that hide secrets ignore the findings', () => {
    const story = storyOf(game, TABLE);
    const { at } = findLeftOut(story);
    expect(cutEpisode(story, 60, notesOf(at))).toEqual(cutEpisode(story, 60, null));
  });

  test('takes kills, ejections and lies before small talk', () => {
    const { shots } = cutEpisode(storyOf(game, GLASS), 60, null);
    const kills = game.flatMap((line) =>
      line.type === 'round.closed'
        ? line.events.filter(({ type }) => type === 'player.killed')
        : [],
    );
    const captions = shots.map(({ caption }) => caption);
    expect(captions.filter((caption) => caption.includes(' kills ')).length).toBe(kills.length);
    expect(shots.filter(({ item }) => item.type === 'verdict').length).toBeGreaterThan(0);
    const said = shots.filter(({ item }) => item.type === 'speech');
    expect(said.length).toBeGreaterThan(2);
  });
});

describeLong.runIf(hasBrowser())('an episode in a tab', () => {
  const browser = desk();

  async function watch(lens: string, query: string, size = { width: 1280, height: 720 }) {
    const context = await browser().newContext({ viewport: size, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.goto(`${await exported(game, lens)}${query}`);
    return { page, errors };
  }

  test.each([
    ['glass', { width: 1280, height: 720 }],
    ['table', { width: 540, height: 960 }],
  ] as const)('plays the cut by itself to its end, through %s', async (lens, size) => {
    const { page, errors } = await watch(lens, '?episode=60', size);
    // Frames are drawn by the same clock.
    const STRIDE_MS = 100;
    const through = lens === 'glass' ? GLASS : TABLE;
    // The lines of a page bring what the machines did, and whom a message accuses.
    const story = createStory(seeWithMoves(game, through), NO_CHARTS, through);
    const { shots } = cutEpisode(story, 60, null);
    for (const [index, shot] of shots.entries()) {
      const before = index === 0 ? 0 : (shots[index - 1]?.ms ?? 0);
      await page.clock.runFor(Math.max(0, before - 2 * STRIDE_MS));
      const isShown = () => page.locator(`.episode[data-shot="${index}"]`).count();
      let strides = 0;
      for (; (await isShown()) === 0; strides++) await page.clock.runFor(STRIDE_MS);
      expect(strides).toBeLessThan(8);
      if (index > 0) expect(strides).toBeGreaterThan(0);
      const text = await page.innerText('.episode .shot');
      if (shot.item.type === 'speech') {
        expect(text).toContain(shot.caption);
        expect(text).toMatch(/claude-opus-4.5|gpt-5.2/);
        expect(text.includes(shot.thought)).toBe(true);
      }
      const isCut = await page.$eval(
        '.episode .shot',
        (box) => box.scrollHeight > box.clientHeight,
      );
      expect(isCut, `shot ${index}: ${shot.caption}`).toBe(false);
    }
    expect(await page.getAttribute('.episode', 'data-over')).toBe('true');
    // The last frame stays, so it says who has won.
    expect(await page.innerText('.episode .shot .event')).toMatch(
      /^The (?:crew|impostors) wins?: /,
    );
    expect(await page.locator('.episode :is(button, input, a)').count()).toBe(0);
    expect(await page.$eval('.episode', (stage) => getComputedStyle(stage).cursor)).toBe('none');
    const box = await page.$eval('.episode .screen', (screen) => {
      const { width, height } = screen.getBoundingClientRect();
      return width / height;
    });
    expect(box).toBeCloseTo(size.width > size.height ? 16 / 9 : 9 / 16, 1);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('begins with E, is held by Space and left by Escape, where the page was before', async () => {
    const { page } = await open(browser(), await exported(game));
    await page.keyboard.press('e');
    await page.waitForSelector('.episode[data-shot="0"]');
    await page.keyboard.press(' ');
    await page.waitForSelector('.episode[data-held]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.app[data-moment]');
    expect(await page.locator('.episode').count()).toBe(0);
  });

  test('does not begin where the address asks for another length', async () => {
    const { page } = await watch('glass', '?episode=61');
    await page.clock.runFor(5000);
    await page.waitForSelector('.app[data-moment]');
    expect(await page.locator('.episode').count()).toBe(0);
    await page.context().close();
  });

  test('a link that asks for the removed stream layout opens the ordinary page', async () => {
    const { page } = await watch('glass', '?stream');
    await page.waitForSelector('.app[data-moment]');
    expect(await page.locator('.tools button[aria-label="Episode"]').isVisible()).toBe(true);
    await page.context().close();
  });
});
