import { spawnSync } from 'node:child_process';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createExplorerRun } from 'glass-box-checker';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkGames } from '../../../proofs/checks/games.ts';
import type { ExplorerRun } from '../../../proofs/report/explorerReport.ts';
import { writeCheckerPage } from '../../../visualizer/page/build/pages.ts';
import { testLong } from '../../support/seeds.ts';
import { hasBrowser, open } from './browser.ts';
import { desk } from './desk.ts';

const CHECKER = fileURLToPath(new URL('../../../checker/command/main.ts', import.meta.url));
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** A machine with names that would end a script, a string or a path. */
const HOSTILE = `
import { assign, setup } from 'xstate';
export const door = setup({
  guards: { 'is </script> "locked"': ({ context }) => context.locked },
}).createMachine({
  id: '門 "</script>"',
  context: { locked: false, tries: 0, seen: new Map([['a', 1]]), big: 5n },
  initial: 'shut & <b>',
  states: {
    'shut & <b>': {
      on: {
        "OPEN'$&": { target: '#open', guard: 'is </script> "locked"' },
        LOCK: { actions: assign({ locked: true, tries: ({ context }) => (context.tries + 1) % 3 }) },
      },
    },
    '開.x': { id: 'open', after: { 1000: 'end' }, on: { SHUT: 'shut & <b>' } },
    end: { type: 'final' },
  },
});
export const properties = [
  {
    name: 'tries', kind: 'never', sentence: 'It is never tried twice </script><img src=x onerror=alert(1)>.',
    holds: ({ context }) => context.tries === 2,
  },
];
`;

/** Ten thousand states with four events each. */
const LARGE = `
import { assign, createMachine } from 'xstate';
const turn = (name, by) => ({ actions: assign({ [name]: ({ context }) => (context[name] + by) % 100 }) });
export default createMachine({
  id: 'lock', context: { left: 0, right: 0 },
  on: { A: turn('left', 1), B: turn('left', 99), C: turn('right', 1), D: turn('right', 99) },
});
`;

const QUICKLY = { timeout: 60_000 };

describe.runIf(hasBrowser())('the explorer of a machine', () => {
  const browser = desk();
  const folder = mkdtempSync(join(tmpdir(), 'machine-page-'));
  beforeAll(writeCheckerPage, 120_000);

  test('the reader walks from state to state, sees why not, and saves the walk as a test that passes', async () => {
    symlinkSync(MODULES, join(folder, 'node_modules'));
    writeFileSync(join(folder, 'door.ts'), HOSTILE);
    const words = ['check', 'door.ts', '--page', 'page.html'];
    const { status, stderr } = spawnSync(process.execPath, [CHECKER, ...words], { cwd: folder });
    expect({ status, stderr: `${stderr}` }).toEqual({ status: 1, stderr: '' });
    const { page, errors, requests } = await open(browser(), `file://${join(folder, 'page.html')}`);
    expect(await page.textContent('.bar h1')).toContain('門 "</script>"');
    expect(await page.locator('#run .step').count()).toBe(3);
    expect(await page.textContent('#offers [data-refused]')).toContain('is </script> "locked": no');
    expect(await page.textContent('#offers')).not.toContain('cut off');
    for (const type of ['LOCK', "OPEN'$&", 'xstate.after.1000']) {
      await page.click(`#offers [data-offer^=${JSON.stringify(type)}] .event button`, QUICKLY);
    }
    expect(await page.textContent('.step[aria-current] .place')).toContain('end');
    expect(await page.textContent('#offers .quiet')).toBe('Nothing: it stays here.');
    expect(await page.locator('#chart [data-leaf]').getAttribute('data-node')).toContain('end');
    const link = (await page.getAttribute('#run a[download]', 'href')) ?? '';
    const saved = decodeURIComponent(link.slice(link.indexOf(',') + 1));
    await page.keyboard.press('2');
    await page.locator('canvas.space').click({ position: await placeOfDot(page) });
    await expect.poll(() => page.textContent('#run .aside')).toBe('0 steps');
    expect({ errors, requests: requests.length }).toEqual({ errors: [], requests: 1 });
    expect(await page.locator('img').count()).toBe(0);
    // Plain XState takes the saved walk.
    const isolated = saved
      .replace(/^import .* from 'vitest';$/m, "import expect from 'node:assert/strict';")
      .replaceAll(/expect\((.*)\)\.toEqual\((.*)\);$/gm, 'expect.deepEqual($1, $2);')
      .replace(/^test\(.*$/m, '{')
      .replace(/^\}\);$/m, '}');
    writeFileSync(join(folder, 'walk.ts'), isolated);
    const walked = spawnSync(process.execPath, ['walk.ts'], { cwd: folder });
    expect(`${walked.stderr}`).toBe('');
  });

  test('a page that stops before the last state says so, with the number of states and what to do', async () => {
    writeFileSync(join(folder, 'large.ts'), LARGE);
    const words = ['check', 'large.ts', '--page', 'large.html'];
    const { status, stdout } = spawnSync(process.execPath, [CHECKER, ...words], { cwd: folder });
    expect({ status, states: `${stdout}`.split(',')[0] }).toEqual({
      status: 0,
      states: 'lock: 10000 states',
    });
    const { page, errors } = await open(browser(), `file://${join(folder, 'large.html')}`);
    // Each state has four ways, and the page lists ten thousand.
    expect(await page.textContent('#offers .quiet')).toBe(
      'This page is cut off: it shows what can happen next in only 2,501 of its states. For the others, check fewer events or players.',
    );
    expect(errors).toEqual([]);
  });
});

async function placeOfDot(page: Awaited<ReturnType<typeof open>>['page']) {
  const box = await page.locator('canvas.space').boundingBox();
  return { x: (box?.width ?? 0) * 0.045, y: (box?.height ?? 0) / 2 };
}

testLong(
  'a walk through a game numbers the states as the search did, and its runs follow its own offers',
  () => {
    const [game] = checkGames(null, { keepsGraph: true, budget: { states: 300, seconds: 60 } });
    if (game === undefined) expect.fail('there are games');
    const run: ExplorerRun = createExplorerRun(game.model, game.found, { key: 'game' });
    const { depths, parents, placeOf, places } = run.space ?? expect.fail('no space');
    expect(run.dots.length).toBeGreaterThan(50);
    const depthOf = (state: number): number => {
      const from = run.states[state]?.from ?? null;
      return from === null ? 0 : 1 + depthOf(from.state);
    };
    for (const [dot, state] of run.dots.entries()) {
      expect(run.states[state]?.at).toBe(places[placeOf[dot] ?? -1]);
      const parent = run.dots[parents?.[dot] ?? -1];
      if (dot > 0) expect(run.states[state]?.from?.state).toBe(parent);
      expect(depthOf(state)).toBeLessThan(depths.length);
    }
  },
);
