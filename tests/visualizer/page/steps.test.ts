import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Line } from '../../../machines/journal/lines.ts';
import { readFacts } from '../../../visualizer/page/build/facts.ts';
import { createPage } from '../../../visualizer/page/build/pages.ts';
import { describeLong, seeds, testLong } from '../../support/seeds.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported, moment } from './desk.ts';
import { bids, blank, litStates, noted, speeches, votes, whereabouts } from './reading.ts';
import { longMeeting, recordedGame, recordedMeeting } from './recorded.ts';
import { screenOf } from './screen.ts';
import { heapOf, stepsWorked } from './work.ts';

describe.runIf(hasBrowser())('the page', () => {
  const browser = desk();
  let game: readonly Line[] = [];
  beforeAll(async () => {
    game = await recordedGame(1, seeds(6, 8));
  });

  describeLong.each(['a game', 'ghosts', 'classic'])('at every step of %s', (name) => {
    test('lit states, bids, transcript, votes and map match the journal', async () => {
      const lines = name === 'a game' ? game : await recordedMeeting(name, 7);
      const { page, errors, requests } = await open(browser(), await exported(lines));
      const lit = litStates(lines);
      let last = '';
      for (;;) {
        const screen = await screenOf(page);
        if (screen.moment === last) break;
        last = screen.moment;
        const [channel, seq] = last.startsWith('g') ? ['ghosts', last.slice(1)] : ['living', last];
        const at = lines.findIndex((line) => line.channel === channel && `${line.seq}` === seq);
        const before = lines.slice(0, at + 1);
        expect(screen.leaf, `lit at ${last}`).toBe(lit[at]);
        expect(screen.bids, `bids at ${last}`).toEqual(bids(before));
        expect(screen.speeches, `transcript at ${last}`).toEqual(
          speeches(before).slice(-Math.max(1, screen.speeches.length)),
        );
        expect(screen.votes, `votes at ${last}`).toEqual(votes(before));
        expect(screen.blank.toSorted(), `nothing to say at ${last}`).toEqual(
          blank(before).toSorted(),
        );
        expect(screen.noted, `note at ${last}`).toEqual(noted(before));
        expect(screen.tokens, `map at ${last}`).toEqual(whereabouts(before));
        await page.keyboard.press('ArrowRight');
      }
      const end = lines.findLast(
        ({ type }) => type.endsWith('.closed') && type !== 'gallery.closed',
      );
      expect(last).toBe(`${end?.seq}`);
      expect(errors).toEqual([]);
      expect(requests).toHaveLength(1);
    });
  });

  testLong('is built from the machines that run', async () => {
    const { page } = await open(browser(), await exported(game));
    const facts = await page.evaluate(() => document.getElementById('facts')?.textContent ?? '');
    expect(JSON.parse(facts)).toEqual(JSON.parse(JSON.stringify(await readFacts())));
  });

  test.each([
    ['page', 84_500],
    ['play', 91_500],
  ] as const)('of the kind "%s" has less than %i bytes of script', async (name, most) => {
    const html = await createPage(name, '');
    const script = /<script type="module">([\s\S]*)<\/script>/.exec(html)?.[1] ?? '';
    expect(script.length).toBeGreaterThan(1000);
    expect(gzipSync(script).length).toBeLessThan(most);
  });

  testLong(
    'ten thousand ticks are stepped through with little work, and held in little memory',
    async () => {
      const lines = await longMeeting(10_000);
      const { page, errors } = await open(browser(), await exported(lines));
      // The page opens with the beginning. The rest changes nothing in view.
      await page.keyboard.press('l');
      const at = await moment(page);
      await page.locator('.bar .now', { hasNotText: 'reading on' }).waitFor();
      expect(await moment(page)).toBe(at);
      await page.keyboard.press('End');
      expect(await moment(page)).toBe(`${lines.at(-1)?.seq}`);
      await page.keyboard.press('Home');
      expect(errors).toEqual([]);
      const work = (await stepsWorked(page, 60)).toSorted((a, b) => a - b);
      const heap = await heapOf(page);
      console.log(`work of a step: ${work[30]?.toFixed(1)} ms, heap ${Math.round(heap / 1e6)} MB`);
      // The goal is 16 ms for 95 % of steps on a calm machine (tests/bench/page.ts).
      expect(work[57]).toBeLessThan(48);
      expect(heap).toBeLessThan(150e6);
    },
  );
});
