/** Guess the impostor: what is judged, that nothing is given away, and that it works by keyboard in a real tab. */
import { describe, expect, test } from 'vitest';
import { judgeGame } from '../../../analysis/observer/judgement.ts';
import { lensFor } from '../../../machines/journal/lens.ts';
import { createExportPage } from '../../../visualizer/page/build/pages.ts';
import { type GuessedMeeting, judgeGuesses } from '../../../visualizer/page/game/story/guess.ts';
import { createReasoningNotes } from '../../../visualizer/reasoningNotes.ts';
import { describeLong } from '../../support/seeds.ts';
import { barriers } from './barriers.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, written } from './desk.ts';
import { recordedGame } from './recorded.ts';

const MEETING: GuessedMeeting = {
  number: 1,
  suspects: ['red', 'blue', 'green', 'pink'],
  votes: { blue: 0.75, green: 0.25 },
  isDecided: true,
};
const IMPOSTORS = ['red', 'blue'] as const;

describe('guesses are judged', () => {
  const judge = (named: Parameters<typeof judgeGuesses>[0][number], minds = {}) =>
    judgeGuesses({ 1: named }, [MEETING], {
      impostors: IMPOSTORS,
      listeners: [{ meeting: 1, observer: { red: 0.5, blue: 0.5, green: 0.5 }, minds }],
    })[0];

  test.each([
    [['red'], 1, 1, 2 / 3],
    [['green'], 0, 1, 2 / 3],
    [['red', 'blue'], 2, 1, 4 / 3],
    [['red', 'green', 'pink'], 1, 1.5, 2],
  ] as const)(
    '%j: %i right, against %d of the votes and %d of what could be known',
    (named, right, votes, observer) => {
      const judged = judge([...named]);
      expect(judged?.right).toBe(right);
      expect(judged?.others.votes).toBeCloseTo(votes);
      expect(judged?.others.observer).toBeCloseTo(observer);
    },
  );

  test('without those who said nothing', () => {
    expect(judge(['red'])?.others).not.toHaveProperty('minds');
    expect(judge(['red'], { red: 0.9, blue: 0.2 })?.others.minds).toBe(1);
    expect(judge(['red'], { red: 0.9 })?.shares[0]?.by.minds).toBe(0.9);
  });

  test('none where nobody was named', () => {
    expect(judgeGuesses({ 1: [] }, [MEETING], { impostors: IMPOSTORS, listeners: [] })).toEqual([]);
  });
});

describeLong.runIf(hasBrowser())('in a tab', () => {
  const browser = desk();

  async function exportedThrough(lens: 'table' | 'glass'): Promise<string> {
    const lines = await recordedGame(2);
    const see = lensFor({ type: lens });
    const judgement = judgeGame(lines);
    if (judgement === null) throw new Error('a game');
    const reasoning = createReasoningNotes(judgement, lines);
    const page = await createExportPage(
      lines.flatMap((line) => see(line) ?? []),
      { lens, name: 'a.jsonl', damaged: 0 },
      { stakes: null, credits: [], reasoning },
    );
    return written(page);
  }

  test('a viewer names suspects by keyboard, and is told at the reveal how right that was', async () => {
    const { page, errors } = await open(browser(), await exportedThrough('table'));
    expect(await page.locator('#guess').count()).toBe(0);
    while ((await page.locator('#guess').count()) === 0) await page.keyboard.press(']');
    const buttons = page.locator('#guess button');
    const before = await page.innerText('#guess');
    expect(before).not.toMatch(/impostor\b.*✓|%|known|believes/);
    await buttons.nth(0).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await buttons.evaluateAll((all) => all.map((each) => each.ariaPressed))).toEqual(
      expect.arrayContaining(['true', 'false']),
    );
    expect(await page.locator('#guess button[aria-pressed=true]').count()).toBe(2);
    expect(await barriers(page)).toEqual([]);
    // The ballots are turned: it is too late, and the votes are told beside the names.
    for (let told = ''; !told.includes('of the votes'); told = await page.innerText('#guess')) {
      expect(told).not.toContain('%');
      await page.keyboard.press(']');
    }
    expect(await page.locator('#guess button:enabled').count()).toBe(0);
    expect(await page.innerText('#guess')).not.toMatch(/known|believes/);
    await page.keyboard.press('End');
    const told = await page.innerText('#guess');
    expect(told).toMatch(
      /You were right with \d of 2 names\. With as many names: the votes [\d.]+, what the crew could have known [\d.]+\./,
    );
    expect(told).not.toContain('believes');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('the glass has nothing to guess', async () => {
    const { page } = await open(browser(), await exportedThrough('glass'));
    await page.keyboard.press('End');
    expect(await page.locator('#guess').count()).toBe(0);
    await page.close();
  });
});
