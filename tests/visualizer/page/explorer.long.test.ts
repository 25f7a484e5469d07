import { join } from 'node:path';
import { createXstateStepper } from 'glass-box-checker';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ToMeeting } from '../../../machines/messages.ts';
import type { Table } from '../../../machines/rules/meeting.ts';
import { capitalize } from '../../../machines/text.ts';
import type { CheckRun } from '../../../proofs/checks/meetingSearch.ts';
import type { ExplorerReport } from '../../../proofs/report/explorerReport.ts';
import { createExplorerPage } from '../../../visualizer/page/build/pages.ts';
import { aFolder, glassbox, jsonLines, Running } from '../../cli/shell.ts';
import { barriers } from './barriers.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, goTo, written } from './desk.ts';
import { loud, mistaken, reported, searched, subject, unfair, withAside } from './findings.ts';

const MISTAKE = 'a second vote replaces the first';
const BROKEN = 'vote-lock';
/** Its run ends after a departure. */
const LEFT = 'can-go-on-without-them';

const result = z.object({
  exit: z.number(),
  runs: z.array(
    z.object({
      rules: z.string(),
      players: z.number(),
      states: z.number(),
      properties: z.array(
        z.object({
          name: z.string(),
          verdict: z.string(),
          counterexample: z
            .object({ steps: z.array(z.object({ changes: z.array(z.string()) })) })
            .nullable(),
        }),
      ),
    }),
  ),
});

const texts = (page: Page, selector: string) => page.locator(selector).allTextContents();

describe.runIf(hasBrowser())('the explorer', () => {
  const browser = desk();
  let bad: CheckRun;
  let report: ExplorerReport;
  let url = '';
  beforeAll(async () => {
    const good = await searched(subject('house'));
    bad = mistaken(subject('classic', 1), MISTAKE);
    report = await reported([withAside(withAside(good, unfair(good)), loud(good)), bad]);
    url = written(await createExplorerPage(report));
  });

  test('shows the verdicts and counterexamples of check --json', async () => {
    const folder = aFolder();
    const path = join(folder, 'report.html');
    const flags = ['--players', '3', '--rules', 'house', '--json', '--page', path];
    const { exit, out, err } = await glassbox(['check', ...flags]);
    const told = result.parse(jsonLines(out).at(-1));
    expect({ exit, err: err.split('(')[0] }).toEqual({ exit: told.exit, err: `Open it: ${path} ` });
    const { page, requests, errors } = await open(browser(), `file://${path}`);
    for (const { rules, players, states, properties } of told.runs) {
      expect(await texts(page, '.figure')).toContain(
        `states, alike as one${states.toLocaleString('en')}`,
      );
      for (const { name, verdict, counterexample } of properties) {
        const row = page.locator(`[data-property="${name}"]`);
        const said = (await row.locator('.said').textContent()) ?? '';
        const words = { proved: /^(proved|seen)$/, violated: /^violated as declared$/ }[verdict];
        expect(said, `${name}, ${rules}, ${players}`).toMatch(words ?? verdict);
        if (counterexample === null) continue;
        await row.locator('button').click();
        expect(await page.locator('.steps button.number').count()).toBe(
          counterexample.steps.length + 1,
        );
      }
      expect(await page.locator('[data-property]').count()).toBe(properties.length);
    }
    expect({ requests: requests.length, errors }).toEqual({ requests: 1, errors: [] });
  });

  test('changed fields and next events are those of XState itself', async () => {
    const { page } = await open(browser(), `${url}#run=classic-3&p=${BROKEN}`);
    const trace = bad.search?.graph?.runs.get(BROKEN)?.trace ?? expect.fail('not broken');
    const stepper = createXstateStepper<Table, ToMeeting>(bad.model.machine, bad.model.input);
    let { point } = stepper.initial();
    for (const [index, event] of [...trace.events, null].entries()) {
      const state = { at: point.place.name, tags: point.place.tags, context: point.context };
      const world = bad.model.world({
        ...state,
        ...{ status: 'active', isDone: false, nodes: [], children: [] },
      });
      const ways = [...point.timers.map(({ event: timer }) => timer), ...world];
      const accepted = ways.filter((way) => stepper.step(point, way).taken.length > 0);
      expect(await page.getAttribute('[data-moment]', 'data-moment')).toBe(`${index}`);
      expect(await page.textContent('#offers .aside')).toMatch(
        `${accepted.length.toLocaleString('en')} way`,
      );
      const rows = await page
        .locator('#offers [data-offer]:not([data-refused])')
        .evaluateAll((all) =>
          all.map((row) => {
            const many = row.querySelector('.many')?.textContent?.replace(/\D/g, '') ?? '1';
            return `${row.getAttribute('data-offer')} ${many}`;
          }),
        );
      const shown = rows.reduce((sum, row) => sum + Number(row.split(' ')[1]), 0);
      expect(shown).toBe(accepted.length);
      const types = new Set(accepted.map(({ type }) => type));
      expect(new Set(rows.map((row) => row.split(' ')[0]))).toEqual(types);
      expect(await page.locator('#offers [data-next]').count()).toBe(event === null ? 0 : 1);
      if (event === null) break;
      const after = stepper.step(point, event).point;
      await page.keyboard.press('ArrowRight');
      const fields = await texts(page, '.step[aria-current] .changes code');
      expect(fields.toSorted()).toEqual(differing(point.context, after.context));
      point = after;
    }
  });

  test('a guard that refuses is named, and says no when it is asked itself', async () => {
    const { events } = bad.search?.graph?.runs.get(LEFT)?.trace ?? expect.fail('nobody has left');
    const address = `${url}#run=classic-3&p=${LEFT}&s=${events.length}`;
    const { page } = await open(browser(), address);
    const refusals = await texts(page, '#offers [data-refused]');
    const named = refusals.filter((text) => text.includes('The player who leaves is alive: no'));
    expect(named.length).toBeGreaterThan(0);
    const stepper = createXstateStepper<Table, ToMeeting>(bad.model.machine, bad.model.input);
    let { point } = stepper.initial();
    for (const event of events) point = stepper.step(point, event).point;
    const gone = Object.entries(point.context.standings).filter(([, how]) => how !== 'living');
    expect(
      named.every((text) => gone.some(([seat]) => text.includes(`${capitalize(seat)} leaves`))),
    ).toBe(true);
  });

  test('two meetings stand side by side, and differ where their journals do', async () => {
    for (const name of ['no-seat-is-preferred', 'ghosts-do-not-interfere']) {
      const { page } = await open(browser(), `${url}#run=house-3&p=${name}`);
      const trace = report.runs[0]?.properties.find((one) => one.name === name)?.trace;
      const steps = trace?.steps.length ?? 0;
      for (let at = 1; at <= steps; at++) await page.keyboard.press('ArrowRight');
      const [one, other] = await Promise.all(
        ['#meeting', '#other'].map((side) =>
          page.locator(`${side} .item`).evaluateAll((all) =>
            all.map((item) => ({
              text: item.textContent,
              isMarked: item.hasAttribute('data-differs'),
            })),
          ),
        ),
      );
      expect(one?.length).toBeGreaterThan(1);
      for (const [index, { text, isMarked }] of (one ?? []).entries()) {
        if (index > 0) expect(isMarked, text ?? '').toBe(text !== other?.[index]?.text);
      }
      const marked = await page.locator('.steps .step[data-differs]').count();
      const parted = trace?.steps.filter(
        ({ beside, seen }) => beside !== undefined || seen?.isSame === false,
      );
      expect(marked).toBe(parted?.length);
      const isSeen = trace?.steps.at(-1)?.seen?.isSame === false;
      expect(await page.locator('table.seen').count()).toBe(isSeen ? 1 : 0);
      await page.close();
    }
  });

  test('the chart counts taken transitions, and the space has every state', async () => {
    const { page } = await open(browser(), `${url}#run=classic-3&p=${BROKEN}&v=chart`);
    const search = bad.search ?? expect.fail('nothing was searched');
    expect(await page.textContent('.caveats')).toContain('The search is complete');
    expect(await page.locator('#chart tr[data-edge][data-missed]').count()).toBe(
      search.coverage.untaken.length,
    );
    const missed = await page
      .locator('#chart .state[data-missed]')
      .evaluateAll((all) => all.map((node) => node.getAttribute('data-node') ?? ''));
    for (const leaf of search.coverage.unreached) expect(missed).toContain(`meeting.${leaf}`);
    expect(await page.locator('#chart .edge-label').count()).toBe(0);
    await page.keyboard.press('End');
    const named = page.locator('#chart .edge-label[data-hot]');
    await expect.poll(() => named.count()).toBeGreaterThan(0);
    const rows = page.locator('#chart > .recent button');
    expect(await rows.first().getAttribute('aria-current')).toBe('step');
    await page.focus('#chart .picture');
    const scale = () => page.getAttribute('#chart .picture', 'data-scale').then(Number);
    const before = await scale();
    await page.keyboard.press('+');
    expect(await scale()).toBeGreaterThan(before);
    await page.keyboard.press('0');
    expect(await scale()).toBeLessThan(before);
    await page.click('#chart button:text-is("follow")');
    await rows.last().click();
    await expect.poll(() => page.getAttribute('[data-moment]', 'data-moment')).toBe('1');
    await page.keyboard.press('3');
    const bars = await texts(page, '#space .bars .many');
    expect(bars.map(Number)).toEqual(search.graph?.depths);
    const label = (await page.getAttribute('canvas.space', 'aria-label')) ?? '';
    const counts = [...label.matchAll(/(\d+) in [a-z]/g)].map(([, many]) => Number(many));
    expect(counts.reduce((sum, many) => sum + many, 0)).toBe(search.states);
    const countColours = () =>
      page.evaluate(() => {
        const canvas = document.querySelector('canvas');
        const context = canvas?.getContext('2d');
        return new Set(context?.getImageData(0, 0, canvas?.width ?? 1, canvas?.height ?? 1).data)
          .size;
      });
    // The space is painted with the next frame, which a busy machine draws late.
    await expect.poll(countColours).toBeGreaterThan(20);
  });

  test('goes where an address says, and back; keys do what buttons do', async () => {
    const { page } = await open(browser(), `${url}#run=classic-3&p=${BROKEN}&s=2&v=space`);
    const at = () => page.getAttribute('[data-moment]', 'data-moment');
    expect(await at()).toBe('2');
    expect(await page.getAttribute('.views [aria-pressed=true]', 'title')).toContain('space');
    await page.click('[data-property=ends] button');
    await expect.poll(() => page.url()).toContain('p=ends');
    expect(await at()).toBe('0');
    await page.keyboard.press('End');
    expect(await at()).toBe('2');
    await page.keyboard.press('h');
    expect(await at()).toBe('1');
    await page.keyboard.press('Home');
    expect(await at()).toBe('0');
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await expect.poll(() => page.textContent('#run .head b')).toBe(BROKEN);
    await page.keyboard.press('.');
    expect(await page.textContent('#run .head b')).not.toBe(BROKEN);
    await page.keyboard.press('?');
    await page.waitForSelector('dialog.help[open]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog.help', { state: 'hidden' });
    await page.keyboard.press('1');
    expect(await page.locator('#meeting').count()).toBe(1);
  });

  test('what others wrote stays text', async () => {
    const hostile = '</script><img src=x onerror="document.title=1">';
    const [first] = report.runs;
    if (first === undefined) expect.fail('there is a run');
    const properties = first.properties.map((one) => ({ ...one, sentence: hostile, why: hostile }));
    const run = { ...first, name: hostile, world: hostile, properties };
    const html = await createExplorerPage({
      ...report,
      title: hostile,
      runs: [run, ...report.runs],
    });
    const { page, errors, requests } = await open(browser(), written(html));
    expect(await page.textContent('.bar h1')).toContain(hostile);
    expect(await page.textContent('.property')).toBe(hostile);
    expect(await page.locator('img').count()).toBe(0);
    expect({ errors, requests: requests.length }).toEqual({ errors: [], requests: 1 });
  });

  test.each(['dark', 'light'] as const)(
    'is accessible in the %s theme, as a meeting, a chart, a space, two meetings, on a phone',
    async (colorScheme) => {
      const { page } = await open(browser(), url, { colorScheme });
      for (const [hash, width] of [
        [`#run=classic-3&p=${BROKEN}&s=3&v=chart`, 1440],
        [`#run=classic-3&p=ends&s=2&v=space`, 1440],
        ['#run=house-3&p=no-seat-is-preferred&s=1&v=meeting', 1440],
        [`#run=classic-3&p=${BROKEN}&s=3&v=meeting`, 390],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await goTo(page, hash);
        const wanted = new URLSearchParams(hash.slice(1)).get('p');
        await expect.poll(() => page.textContent('#run .head b')).toBe(wanted);
        expect(await barriers(page), `${colorScheme}, ${hash}, ${width} pixels`).toEqual([]);
      }
    },
  );

  test('is served until somebody ends it, with the exit of the check', async () => {
    const checking = new Running(['check', '--players', '2', '--property', BROKEN, '--explore']);
    await checking.said('Ctrl-C ends it.');
    const [link = ''] = /http:\S+/.exec(checking.err) ?? [];
    const { page } = await open(browser(), link);
    expect(await page.textContent('#run .head b')).toBe(BROKEN);
    await page.close();
    checking.process.kill('SIGINT');
    const { exit } = await checking.finished;
    expect(exit).toBe(0);
  });
});

function differing(before: Table, after: Table): readonly string[] {
  const paths = (one: unknown, path: string): readonly (readonly [string, string])[] =>
    typeof one === 'object' && one !== null
      ? Object.entries(one).flatMap(([name, part]) => paths(part, `${path}.${name}`))
      : [[path.slice(1), String(one)]];
  const [old, now] = [new Map(paths(before, '')), new Map(paths(after, ''))];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((path) => old.get(path) !== now.get(path))
    .toSorted();
}
