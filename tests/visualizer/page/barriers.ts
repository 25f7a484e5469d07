import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const QUOTED = 120;

const COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * A line for each barrier in a part of the page, and one where the whole page is wider than its window. The themes differ in nothing but colours, so in the light one only the
 * rules about colours are tried.
 */
export async function barriers(page: Page, within = 'html'): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found: unknown = await page.evaluate(
    async ([part, most, colours]) => {
      const isLight = matchMedia('(prefers-color-scheme: light)').matches;
      const { violations } = await Reflect.get(window, 'axe').run(part, {
        resultTypes: ['violations'],
        ...(isLight ? { runOnly: colours } : { rules: { 'target-size': { enabled: true } } }),
      });
      return violations.flatMap(
        ({ id, nodes }: { id: string; nodes: { html: string; any: { message: string }[] }[] }) =>
          nodes.map(({ html, any }) => `${id}: ${html.slice(0, most)} ${any[0]?.message ?? ''}`),
      );
    },
    [within, QUOTED, COLOURS] as const,
  );
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  const isCut = within === 'html' && wide > (page.viewportSize()?.width ?? 0);
  if (!Array.isArray(found)) return ['axe did not run'];
  return [...found.map(String), ...(isCut ? [`${wide} pixels wide`] : [])];
}
