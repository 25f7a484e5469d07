import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { promptText } from '../../analysis/models/prompts.ts';
import type { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { anEndpoint, modelOf } from '../support/endpoint/opened.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { SCENARIO } from './matches.ts';
import { aPlace } from './session.ts';
import { contents, expectEnd, glassbox, jsonLines, Running, runInTerminal } from './shell.ts';

const LINK = /http:\/\/127\.0\.0\.1:\d+\//;
const SHORT = `name: Short
options: { max_rounds: 40 }
seats: [{ colour: red }, { colour: blue }, { colour: green }, { colour: pink }]
`;

function linkIn(text: string): string {
  return LINK.exec(text)?.[0] ?? '';
}

async function events(url: string, lens = 'glass'): Promise<string> {
  return await (await fetch(`${url}events?lens=${lens}`)).text();
}

describe('without a terminal', () => {
  test('a bare start plays, names the link and the command to view it, and exits', async () => {
    const { cwd } = aPlace();
    const found = await glassbox('--seed 3', { cwd });
    const link = /^Live: http:\/\/127\.0\.0\.1:\d+\/ \(until it is over\)$/m;
    expectEnd(found, 0, link, /view journals\/game-3\.jsonl$/m);
    expect(found.out).toMatch(/impostors win|crew wins/);
    expect(found.out).not.toMatch(LINK);
    expect(contents(cwd)).toContain('journals/game-3.jsonl');
  });

  testLong('a viewer who comes before the end receives the end of the game, too', async () => {
    const place = aPlace({ 'a.yaml': SHORT });
    const running = new Running('run a.yaml --seed 3 --speed 100 --live', place);
    await running.said('Live: ');
    const text = await events(linkIn(running.err));
    expect(text).toContain('"type":"game.closed"');
    expect(text).toContain('data: over');
    expect((await running.finished).exit).toBe(0);
  });

  testLong.each([
    '--seed 3 --no-live',
    'run --seed 3 --json',
    'run --seed 3 -q',
    'run --seed 3 -n 2',
  ])('%s has no link', async (line) => {
    const { exit, out, err } = await glassbox(line, aPlace());
    expect(exit).toBe(0);
    expect(out + err).not.toMatch(LINK);
  });

  testLong('with --json and --live only results are printed on stdout', async () => {
    const line = 'run a.yaml --seed 3 --json --live --speed 100';
    const found = await glassbox(line, aPlace({ 'a.yaml': SHORT }));
    expectEnd(found, 0, LINK);
    expect(jsonLines(found.out).map(({ type }) => type)).toEqual(['game.result', 'run.result']);
  });
});

describe.runIf(existsSync('/usr/bin/script'))('on a terminal', () => {
  testLong('a bare start keeps serving after the game until it is asked to end', async () => {
    const { cwd, read } = aPlace({ 'a.yaml': SHORT });
    const running = runInTerminal('run a.yaml --seed 3 --speed 100', cwd);
    await running.said('Ctrl-C ends it.');
    const url = linkIn(running.out);
    expect(await (await fetch(url)).text()).toContain('<title>The Glass Box League</title>');
    expect(await events(url, 'table')).toContain('"type":"game.closed"');
    process.kill(Number(read('pid')), 'SIGINT');
    expect((await running.finished).exit).toBe(0);
  });

  test('--no-live ends with the game', async () => {
    const running = runInTerminal('--seed 3 --speed 100 --no-live -q', aPlace().cwd);
    const { exit, out } = await running.finished;
    expect(exit).toBe(0);
    expect(out).not.toMatch(LINK);
  });
});

describe('many games', () => {
  testLong('go on air one after another under one link', async () => {
    const place = aPlace({ 'a.yaml': SHORT });
    const running = new Running('run a.yaml --seed 3 -n 2 --live --out out --speed 100', place);
    await running.said('Live: ');
    const url = linkIn(running.err);
    const first = await events(url);
    expect(first).toMatch(/event: over\ndata: next/);
    const second = await events(url);
    expect(second).toMatch(/event: over\ndata: over/);
    expect(second).not.toBe(first);
    expect((await running.finished).exit).toBe(0);
    expect(contents(place.path('out'))).toEqual(['0001.jsonl', '0002.jsonl']);
  });

  test('cannot be shown live if several threads play them', async () => {
    expectEnd(await aPlace().run('run -n 2 --jobs 2 --live'), 2, 'one after another');
  });
});

testLong('if the port of --live is in use, the game is served at another one', async () => {
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => {
      const address = other.address();
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
    });
  });
  const line = `run a.yaml --live ${port} --speed 100 -q`;
  const found = await glassbox(line, aPlace({ 'a.yaml': SCENARIO }));
  other.close();
  expectEnd(found, 0, `--live ${port}: the port is in use`);
  expect(linkIn(found.err)).not.toContain(`:${port}/`);
});

const MEET = 'run a.yaml --seed 7 -q --speed max --out a.jsonl';

describeLong('a meeting of models', () => {
  test('the page shows who is thinking, and the prompts that were sent', async () => {
    const held = Promise.withResolvers<void>();
    const endpoint = await anEndpoint({
      thought: (asked) => (asked > 6 ? held.promise : Promise.resolve()),
    });
    const place = aPlace({ 'a.yaml': SCENARIO });
    const running = new Running(`${MEET} --live ${modelOf(endpoint).join(' ')}`, place);
    await running.said('Live: ');
    const url = linkIn(running.err);
    await expect.poll(() => endpoint.asked.length).toBeGreaterThan(6);
    const [glass, table] = await Promise.all([statusOf(url, 'glass'), statusOf(url, 'table')]);
    expect(glass).toMatch(/"thinking":\[\{"seat":"\w+","ms":\d+\}/);
    expect(table).toMatch(/"thinking":\[\],"failures":\[\],"tableMs":\d+/);
    const asked = `${url}prompt?player=red&channel=living&seq=2`;
    expect((await fetch(asked)).headers.get('content-type')).toMatch(/json|text/);
    held.resolve();
    expect((await running.finished).exit).toBe(0);
    await sentAsMade(place.read('a.jsonl'), endpoint);
  });
});

testLong('the prompt of a journal is the one that its match would have given', async () => {
  const { run, done } = aPlace({ 'a.yaml': SCENARIO });
  await done('run a.yaml --seed 7 --out a.jsonl -q');
  const at = '--player red --tick 2 --json';
  const prompt = async (words: string) => ({
    ...jsonLines(await done(`prompt ${words} ${at}`))[0],
    cacheKey: '',
  });
  expect(await prompt('a.jsonl --meeting 1')).toEqual(await prompt('a.yaml --seed 7'));
  expectEnd(await run('prompt a.jsonl --player red --tick 999'), 2, 'prompt/not-asked');
  expectEnd(await run(`prompt a.jsonl ${at} --level none`), 2);
});

test('the prompt of a ghost is found where a slow turn is over after the vote', async () => {
  const isChat = (text: string) => /^Turn \d+ of the ghosts/m.test(text);
  const gone = Promise.withResolvers<void>();
  let said = Promise.withResolvers<void>();
  const endpoint: FakeEndpoint = await anEndpoint({
    // A ghost's answer waits until the living have been asked again, and the last one until after the verdict.
    thought: async (asked) => {
      const text = textsIn(endpoint.asked[asked - 1]?.body['messages']).join('\n');
      if (isChat(text)) await Promise.race([said.promise, gone.promise]);
      else if (text.includes('Process the result')) gone.resolve();
      else {
        said.resolve();
        said = Promise.withResolvers();
      }
    },
  });
  const { done, read } = aPlace({ 'a.yaml': SCENARIO });
  await done(`${MEET} ${modelOf(endpoint).join(' ')}`);
  await sentAsMade(read('a.jsonl'), endpoint);
});

async function statusOf(url: string, lens: string): Promise<string> {
  const response = await fetch(`${url}events?lens=${lens}`);
  let text = '';
  for await (const part of response.body ?? []) {
    text += Buffer.from(part).toString('utf8');
    const [, status] = /event: status\ndata: (.*)\n/.exec(text) ?? [];
    if (status !== undefined) return status;
  }
  return '';
}

/** Every prompt rebuilt from a journal equals one that the endpoint received. */
async function sentAsMade(text: string, { asked }: FakeEndpoint): Promise<void> {
  const sent = new Set(asked.map(({ body }) => textsIn(body['messages']).join('\n')));
  const journal = readJournal(text);
  let made = 0;
  for (const line of journal.lines) {
    if (line.type !== 'tick.closed' && line.type !== 'turn.closed') continue;
    for (const { seat } of line.bids) {
      const prompt = await promptText(journal, { seat, channel: line.channel, seq: line.seq });
      const { system, user } = { system: '', user: '', ...prompt };
      expect(sent).toContain(`${system}\n${user}`);
      made += 1;
    }
  }
  expect(made).toBeGreaterThan(10);
}

function textsIn(messages: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(messages) ? messages : [];
  return all.map((message) => String(Reflect.get(Object(message), 'content')));
}
