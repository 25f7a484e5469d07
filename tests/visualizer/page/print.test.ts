import { describe, expect, test } from 'vitest';
import { hasBrowser, open } from './browser.ts';
import { desk, exported } from './desk.ts';
import { recordedMeeting } from './recorded.ts';

describe.runIf(hasBrowser())('a page that is printed', () => {
  const browser = desk();

  test.each(['', '&plain'])('from a dark screen is light (#t=20%s)', async (plain) => {
    const url = await exported(await recordedMeeting('ghosts', 7));
    const { page } = await open(browser(), `${url}#t=20${plain}`);
    await page.evaluate(() => {
      document.documentElement.dataset['theme'] = 'dark';
    });
    const inkOf = () => page.evaluate(() => getComputedStyle(document.body).color);
    expect(await inkOf()).toBe('rgb(232, 240, 250)');
    await page.emulateMedia({ media: 'print' });
    expect(await inkOf()).toBe('rgb(19, 28, 40)');
    const pressable = await page.locator('button:visible').allTextContents();
    expect(pressable.filter((text) => /Follow|Print|Back to/.test(text))).toEqual([]);
    expect(await page.locator('.timeline:visible').count()).toBe(0);
  });
});
