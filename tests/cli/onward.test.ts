/** Continuing with other minds from some moment on, and budgets that cover all runs of a game. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { readCalls } from '../../actors/minds/openai/calls.ts';
import { CHANNELS } from '../../machines/journal/lines.ts';
import type { Asked } from '../support/endpoint/asked.ts';
import { anEndpoint, modelOf } from '../support/endpoint/opened.ts';
import { describeLong } from '../support/seeds.ts';
import { SCENARIO } from './matches.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, jsonLines, Running } from './shell.ts';

const read = (cwd: string, path: string) => readFileSync(join(cwd, path), 'utf8');

describe('a fork gives a player another mind', () => {
  async function aMeeting(): Promise<string> {
    const cwd = aFolder({ 'five.yaml': SCENARIO });
    await warmGlassbox('run five.yaml -q --seed 7 --out a.jsonl', { cwd });
    return cwd;
  }
  const red = ['fork', 'a.jsonl', '--at', '1', '--player', 'red', '--json', '--out', 'b.jsonl'];

  /** The messages of a player from tick 1 on, heard or not. */
  function messages(text: string, seat: string): readonly unknown[] {
    return readJournal(text).lines.flatMap((line) =>
      line.type === 'tick.closed' && line.tick >= 1
        ? line.bids.flatMap((bid) => (bid.seat === seat ? [bid.received] : []))
        : [],
    );
  }

  test('that says nothing', async () => {
    const cwd = await aMeeting();
    expect(await warmGlassbox([...red, '--mind', 'silent'], { cwd })).toMatchObject({ exit: 0 });
    expect(messages(read(cwd, 'b.jsonl'), 'red').every((one) => one === undefined)).toBe(true);
  });

  test('that thinks offline, and plays as it would have', async () => {
    const cwd = await aMeeting();
    expect(await warmGlassbox([...red, '--mind', 'scripted'], { cwd })).toMatchObject({ exit: 0 });
    for (const channel of CHANNELS) {
      const lines = (path: string) =>
        jsonLines(read(cwd, path)).filter((line) => line['channel'] === channel);
      expect(lines('b.jsonl')).toEqual(lines('a.jsonl'));
    }
  });

  test('and is compared with its original', async () => {
    const cwd = await aMeeting();
    const plain = red.filter((word) => word !== '--json');
    const same = await warmGlassbox([...plain, '--mind', 'scripted'], { cwd });
    expect(same.out).toMatch(/^Beside the original: all came out alike$/m);
    const silent = await warmGlassbox([...plain, '--mind', 'silent'], { cwd });
    expect(silent.out).toMatch(/^Beside the original: meeting 1: .*\d other ballots?/m);
    const asData = await warmGlassbox([...red, '--mind', 'scripted'], { cwd });
    const { original, fork } = JSON.parse(asData.out);
    expect(fork).toEqual(original);
    expect(original.meetings).toHaveLength(1);
    const unkept = ['fork', 'a.jsonl', '--at', '1', '--out', '/dev/null'];
    expect(await warmGlassbox(unkept, { cwd })).toMatchObject({ exit: 0 });
  });

  test('that is a model: asked for that player alone, in the same past', async () => {
    const endpoint = await anEndpoint();
    const cwd = await aMeeting();
    const mind = ['--mind', 'openai', ...modelOf(endpoint)];
    const forked = await warmGlassbox([...red, ...mind], { cwd });
    expect(forked).toMatchObject({ exit: 0, err: '' });
    const { lines } = readJournal(read(cwd, 'b.jsonl'));
    const asked = readCalls(lines);
    expect(asked.length).toBe(endpoint.asked.length);
    expect(new Set(asked.map(({ seat }) => seat))).toEqual(new Set(['red']));
    const { recorded = 0 } = JSON.parse(forked.out);
    const past = (path: string) => read(cwd, path).split('\n').slice(0, recorded);
    expect(past('b.jsonl')).toEqual(past('a.jsonl'));
    const again = await warmGlassbox('verify b.jsonl', { cwd });
    expect(again.out).toMatch(/^the same/);
  });

  test.each([
    ['a model without a name', ['--mind', 'openai'], 78, 'model/no-name'],
    ['a key that is not there', ['--mind', 'openai', '--model', 'm', '--key', 'NO'], 78, 'no-key'],
    ['another kind', ['--mind', 'human'], 2, 'scripted, silent, openai'],
  ])('but not %s', async (_, flags, exit, words) => {
    const cwd = await aMeeting();
    const forked = await warmGlassbox([...red, ...flags], { cwd });
    expect(forked.exit).toBe(exit);
    expect(forked.err).toContain(words);
    expect(existsSync(join(cwd, 'b.jsonl'))).toBe(false);
  });
});

describeLong('a budget', () => {
  const BUDGET = 40;

  test('the budget counts spending from before the game was killed', async () => {
    const stalls = {
      when: ({ turn }: Asked) => turn > BUDGET / 2,
      sends: { type: 'silence' },
    } as const;
    const first = await anEndpoint({ steps: [stalls] });
    const cwd = aFolder();
    const path = join(cwd, 'out/0001.jsonl');
    const game = ['run', '--seed', '6', '--players', '5', '--json', '--out', 'out'];
    const budget = ['--max-calls', String(BUDGET)];
    const running = new Running([...game, ...budget, ...modelOf(first)], { cwd });
    await vi.waitUntil(() => existsSync(path) && spentIn(path) > 10, { timeout: 300_000 });
    running.process.kill('SIGKILL');
    await running.finished;
    // Interrupted requests count, too.
    const spent = readFileSync(`${path}.ahead`, 'utf8').split('{"ahead":"sent"').length - 1;
    expect(spent).toBeGreaterThanOrEqual(spentIn(path));
    expect(spent).toBeLessThan(BUDGET);
    const port = Number(new URL(first.baseUrl).port);
    await first.close();
    const second = await anEndpoint({ port });
    const resumed = await warmGlassbox(['resume', 'out/0001.jsonl', '--json', ...budget], { cwd });
    expect(resumed).toMatchObject({ exit: 0, err: '' });
    expect(second.asked.length).toBe(BUDGET - spent);
    expect(jsonLines(read(cwd, 'out/0001.jsonl')).at(-1)).toMatchObject({ reason: 'unfinished' });
    const stats = await warmGlassbox('report --stats out/0001.jsonl --json', { cwd });
    const { players }: { players: readonly { account: { requests: number } }[] } = JSON.parse(
      stats.out,
    );
    const asked = players.reduce((sum, { account }) => sum + account.requests, 0);
    expect(asked).toBe(spentIn(path));
  });

  function spentIn(path: string): number {
    return readCalls(readJournal(readFileSync(path, 'utf8')).lines).length;
  }
});

describe('a dry run', () => {
  const run = ['run', '--dry-run', '--seed', '1', '--players', '5'];
  const PRICES = '{"gemma": {"input": 2, "cached": 0.5, "output": 10}}';

  test('--dry-run prints the expected requests and cost, and asks no model', async () => {
    const endpoint = await anEndpoint();
    const cwd = aFolder({ 'prices.json': PRICES });
    const asked = [...run, ...modelOf(endpoint), '--json', '--prices', 'prices.json'];
    const { exit, out, err } = await warmGlassbox(asked, { cwd });
    expect([exit, err, endpoint.asked.length]).toEqual([0, '', 0]);
    const found = JSON.parse(out);
    expect(found).toMatchObject({ type: 'run.forecast', v: 1, seed: 1, unpriced: [] });
    expect(found.calls).toBeGreaterThan(50);
    expect(found.fresh).toBe(found.prompt - found.cached);
    expect(found.cached).toBeGreaterThan(found.fresh);
    // The cache works in steps of 128 tokens from 1,024 on.
    expect(found.cached % 128).toBe(0);
    const answers = 10 * found.completion;
    expect(found.dollars).toBeCloseTo((2 * found.prompt + answers) / 1e6, 6);
    const cheaper = (2 * found.fresh + 0.5 * found.cached + answers) / 1e6;
    expect(found.dollarsCached).toBeCloseTo(cheaper, 6);
    expect(existsSync(join(cwd, 'journals'))).toBe(false);
  });

  test('says whose price is not known', async () => {
    const cwd = aFolder({ 'prices.json': PRICES });
    const other = [...run, '--model', 'other', '--prices', 'prices.json'];
    const [people, programs] = await Promise.all([
      warmGlassbox(other, { cwd }),
      warmGlassbox([...other, '--json'], { cwd }),
    ]);
    expect(people.out).toContain('the price of other is not known (--prices)');
    expect(JSON.parse(programs.out)).toMatchObject({
      dollars: null,
      dollarsCached: null,
      unpriced: ['other'],
    });
  });

  test('needs no key', async () => {
    const { exit, out } = await warmGlassbox([...run, '--model', 'm', '--key', 'NO_SUCH_KEY']);
    expect(exit).toBe(0);
    expect(out).toMatch(/^A game like this asks models \d+ times:/);
  });

  test('of a game without models asks nobody anything', async () => {
    const { out } = await warmGlassbox([...run, '--json']);
    expect(JSON.parse(out)).toMatchObject({ calls: 0, prompt: 0, cached: 0, dollars: 0 });
  });
});
