/** Continuing with other minds from some moment on, and budgets that cover all runs of a game. */
import { existsSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { readCalls } from '../../machines/journal/calls.ts';
import type { Asked } from '../support/endpoint/asked.ts';
import { anEndpoint, modelOf } from '../support/endpoint/opened.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { SCENARIO } from './matches.ts';
import { aPlace } from './session.ts';
import { expectEnd, expectQuiet, jsonLines, Running } from './shell.ts';

const HOME = aPlace({ 'five.yaml': SCENARIO });
await HOME.done('run five.yaml -q --seed 7 --out a.jsonl');
const aMeeting = () => aPlace({ 'a.jsonl': HOME.read('a.jsonl') });

describe('a fork gives a player another mind', () => {
  const plain = 'fork a.jsonl --at 1 --player red --out b.jsonl';
  const red = `${plain} --json`;

  /** The messages of a player from tick 1 on, heard or not. */
  function messages(text: string, seat: string): readonly unknown[] {
    return readJournal(text).lines.flatMap((line) =>
      line.type === 'tick.closed' && line.tick >= 1
        ? line.bids.flatMap((bid) => (bid.seat === seat ? [bid.received] : []))
        : [],
    );
  }

  test('that says nothing', async () => {
    const { done, read } = aMeeting();
    await done(`${red} --mind silent`);
    expect(messages(read('b.jsonl'), 'red').every((one) => one === undefined)).toBe(true);
  });

  test('that thinks offline, and plays as it would have', async () => {
    const { done, read } = aMeeting();
    await done(`${red} --mind scripted`);
    expect(read('b.jsonl')).toBe(read('a.jsonl'));
  });

  test('and is compared with its original', async () => {
    const same = await aMeeting().done(`${plain} --mind scripted`);
    expect(same).toMatch(/^Beside the original: all came out alike$/m);
    const silent = await aMeeting().done(`${plain} --mind silent`);
    expect(silent).toMatch(/^Beside the original: meeting 1: .*\d other ballots?/m);
    const { done } = aMeeting();
    const { original, fork } = JSON.parse(await done(`${red} --mind scripted`));
    expect(fork).toEqual(original);
    expect(original.meetings).toHaveLength(1);
    await done('fork a.jsonl --at 1 --out /dev/null');
  });

  test('that is a model: asked for that player alone, in the same past', async () => {
    const endpoint = await anEndpoint();
    const { run, done, read } = aMeeting();
    const model = modelOf(endpoint).join(' ');
    const forked = expectQuiet(await run(`${red} --mind openai ${model}`));
    const asked = readCalls(readJournal(read('b.jsonl')).lines);
    expect(asked.length).toBe(endpoint.asked.length);
    expect(new Set(asked.map(({ seat }) => seat))).toEqual(new Set(['red']));
    const { recorded = 0 } = JSON.parse(forked);
    const past = (path: string) => read(path).split('\n').slice(0, recorded);
    expect(past('b.jsonl')).toEqual(past('a.jsonl'));
    expect(await done('verify b.jsonl')).toMatch(/^the same/);
  });

  test.each([
    ['openai', 78, 'model/no-name'],
    ['openai --model m --key NO', 78, 'no-key'],
    ['human', 2, 'scripted, silent, openai'],
  ])('but not --mind %s', async (words, exit, sentence) => {
    const { path, run } = aMeeting();
    expectEnd(await run(`${red} --mind ${words}`), exit, sentence);
    expect(existsSync(path('b.jsonl'))).toBe(false);
  });
});

describe('words that a fork gives to a player', () => {
  const say = (more: string) => `fork a.jsonl --player ${more} --out b.jsonl`;
  const words = ['--say', 'Blue did it.'];

  test('are reported as not spoken without the floor, and spoken with --floor', async () => {
    const { lines } = readJournal(HOME.read('a.jsonl'));
    const first = lines.find((line) => line.type === 'tick.closed');
    const seat = first?.scores.find(({ seat }) => seat !== first.floor)?.seat ?? '';
    const spoken = async (more: readonly string[]) => {
      const { run, read } = aMeeting();
      const { out } = await run([...say(`${seat} --at 0`).split(' '), ...words, ...more]);
      const [said] = readJournal(read('b.jsonl')).lines.flatMap((line) =>
        line.type === 'tick.closed' ? [line.said?.message] : [],
      );
      return { out, isSaid: said === 'Blue did it.' };
    };
    const heard = await spoken(['--floor']);
    expect(heard.isSaid).toBe(true);
    expect(heard.out).toMatch(/ had the floor \(\d+\) and said these words$/m);
    const plain = await spoken([]);
    expect(plain.out).toMatch(
      plain.isSaid ? / had the floor/ : / did not get the floor \(\d+ against \d+ of \w+\), so/,
    );
  });

  test.each([
    ['--say', 'red --at 99', [...words], 'fork/no-such-moment'],
    ['--floor without words', 'red --at 1 --mind silent --floor', [], 'fork/no-change'],
    ['blank words', 'red --at 1', ['--say', '  '], 'fork/no-change'],
    ['words after the vote', 'red --at 1000', [...words], 'fork/no-effect'],
    ['a model without a seat', '', [], 'fork/no-effect'],
  ])('%s are refused', async (_, more, own, code) => {
    const { run, path } = aMeeting();
    const reaction = readJournal(HOME.read('a.jsonl')).lines.find(
      (line) => line.type === 'tick.closed' && line.requestKind === 'reaction',
    );
    const tick = reaction?.type === 'tick.closed' ? reaction.tick : 0;
    const line =
      more === ''
        ? 'fork a.jsonl --at 1 --model m --out b.jsonl'
        : say(more.replace('1000', `${tick}`));
    expectEnd(await run([...line.split(' '), ...own]), 2, code);
    expect(existsSync(path('b.jsonl'))).toBe(false);
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
    const place = aPlace({}, { GLASSBOX_STATE: 'state' });
    const { path, run, read } = place;
    const journal = 'out/0001.jsonl';
    const spentIn = () => readCalls(readJournal(read(journal)).lines).length;
    const game = `run --seed 6 --players 5 --json --out out --max-calls ${BUDGET}`;
    const running = new Running([...game.split(' '), ...modelOf(first)], place);
    const isBegun = () => existsSync(path(journal)) && spentIn() > 10;
    await vi.waitUntil(isBegun, { timeout: 300_000 });
    running.process.kill('SIGKILL');
    await running.finished;
    // Interrupted requests count, too.
    const spent = read(`${journal}.ahead`).split('{"ahead":"sent"').length - 1;
    expect(spent).toBeGreaterThanOrEqual(spentIn());
    expect(spent).toBeLessThan(BUDGET);
    const port = Number(new URL(first.baseUrl).port);
    await first.close();
    const second = await anEndpoint({ port });
    const resumed = expectQuiet(await run(`resume ${journal} --json --max-calls ${BUDGET}`));
    expect(jsonLines(resumed).at(-1)?.['limit']).toBe(`the budget of ${BUDGET} calls is spent`);
    expect(second.asked.length).toBe(BUDGET - spent);
    expect(jsonLines(read(journal)).at(-1)).toMatchObject({ reason: 'unfinished' });
    const { players }: { players: readonly { account: { requests: number } }[] } = JSON.parse(
      await place.done(`report --stats ${journal} --json`),
    );
    const asked = players.reduce((sum, { account }) => sum + account.requests, 0);
    expect(asked).toBe(spentIn());
  });
});

describe('a dry run', () => {
  const dry = 'run --dry-run --seed 1 --players 5';
  const { path, run, done } = aPlace({
    'prices.json': '{"gemma": {"input": 2, "cached": 0.5, "output": 10}}',
  });

  test('--dry-run prints the expected requests and cost, and asks no model', async () => {
    const endpoint = await anEndpoint();
    const model = modelOf(endpoint).join(' ');
    const all = JSON.parse(expectQuiet(await run(`${dry} ${model} --json --prices prices.json`)));
    expect(endpoint.asked).toEqual([]);
    const unmeasured = ['gemma'];
    expect(all).toMatchObject({ type: 'run.forecast', v: 1, seed: 1, unpriced: [], unmeasured });
    const found = all.usual;
    expect(found.calls).toBeGreaterThan(50);
    expect(found.fresh).toBe(found.prompt - found.cached);
    expect(found.cached).toBeGreaterThan(found.fresh);
    // The cache works in steps of 128 tokens from 1,024 on.
    expect(found.cached % 128).toBe(0);
    const answers = 10 * found.completion;
    expect(found.dollars).toBeCloseTo((2 * found.prompt + answers) / 1e6, 6);
    const cheaper = (2 * found.fresh + 0.5 * found.cached + answers) / 1e6;
    expect(found.dollarsCached).toBeCloseTo(cheaper, 6);
    expect(existsSync(path('journals'))).toBe(false);
  });

  test('says whose price is not known', async () => {
    const other = `${dry} --model other --prices prices.json`;
    expect(await done(other)).toContain('The price of other is not known (--prices)');
    expect(JSON.parse(await done(`${other} --json`))).toMatchObject({
      ...{ usual: { dollars: null, dollarsCached: null }, unpriced: ['other'] },
    });
  });

  test('needs no key', async () => {
    const out = await done(`${dry} --model m --key NO_SUCH_KEY`);
    expect(out).toMatch(/^usual +\d+ .*\npassive +\d+ .*\ntalkative +\d+ /m);
    expect(out).toContain('3 s an answer is assumed; "doctor" measures the pace of m.');
  });

  test('of a league counts all its games, and of a meeting its ticks', async () => {
    const persona = (name: string) =>
      `{ name: ${name}, mind: openai, model: m, base_url: 'http://a.test/v1' }`;
    const cup = `name: cup\ngames: 40\nplayers: 5\npersonas: [${[...'abcde'].map(persona).join(', ')}]\n`;
    const place = aPlace({ 'cup.yaml': cup });
    const league = JSON.parse(await place.done('league run cup.yaml --dry-run --json'));
    expect(league).toMatchObject({ type: 'league.forecast', games: 40, unpriced: ['m'] });
    expect(league.usual.calls).toBeGreaterThan(40 * 50);
    const table = `run electrical --seed 1 --model m --base-url http://a.test/v1 --dry-run --json`;
    const meeting = JSON.parse(await place.done(table));
    expect(meeting.usual.calls).toBeLessThan(200);
    expect(meeting.talkative.calls).toBeGreaterThan(1.5 * meeting.usual.calls);
  });

  testLong('takes the pace that doctor has measured', async () => {
    const endpoint = await anEndpoint();
    const place = aPlace({}, { GLASSBOX_STATE: 'state' });
    const model = modelOf(endpoint).join(' ');
    const found = JSON.parse(await place.done(`doctor ${model} --json`));
    expect(found.forecast.unmeasured).toEqual([]);
    const text = await place.done(`${dry} ${model}`);
    expect(text).toContain('at the pace that "doctor" has measured');
    const { usual } = JSON.parse(await place.done(`${dry} ${model} --json`));
    expect(usual.minutes).toBeLessThan((usual.calls * found.aloneMs) / 60_000 + 1);
  });

  test('of a game without models asks nobody anything', async () => {
    const found = JSON.parse(await done(`${dry} --json`));
    expect(found.usual).toMatchObject({ calls: 0, prompt: 0, cached: 0, dollars: 0, minutes: 0 });
  });
});
