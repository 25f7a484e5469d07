import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { promptText } from '../../analysis/models/prompts.ts';
import type { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { anEndpoint, modelOf } from '../support/endpoint/opened.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { SCENARIO } from './matches.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, contents, glassbox, jsonLines, Running } from './shell.ts';

const PROGRAM = new URL('../../cli/glassbox.ts', import.meta.url).pathname;
const SCRIPT = '/usr/bin/script';
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
    const cwd = aFolder();
    const { exit, out, err } = await glassbox('--seed 3', { cwd });
    expect(exit).toBe(0);
    expect(out).toMatch(/impostors win|crew wins/);
    expect(out).not.toMatch(LINK);
    expect(err).toMatch(/^Live: http:\/\/127\.0\.0\.1:\d+\/ \(until it is over\)$/m);
    expect(err).toMatch(/view journals\/game-3\.jsonl$/m);
    expect(contents(cwd)).toContain('journals/game-3.jsonl');
  });

  testLong('whoever is there before the end gets all of it', async () => {
    const cwd = aFolder({ 'a.yaml': SHORT });
    const running = new Running('run a.yaml --seed 3 --speed 100', { cwd });
    await running.said('Live: ');
    const text = await events(linkIn(running.err));
    expect(text).toContain('"type":"game.closed"');
    expect(text).toContain('data: over');
    expect((await running.finished).exit).toBe(0);
  });

  testLong.each([
    ['--no-live', ['--seed', '3', '--no-live']],
    ['--json', ['run', '--seed', '3', '--json']],
    ['--quiet', ['run', '--seed', '3', '-q']],
    ['many games', ['run', '--seed', '3', '-n', '2']],
  ])('%s has no link', async (_, args) => {
    const { exit, out, err } = await glassbox(args, { cwd: aFolder() });
    expect(exit).toBe(0);
    expect(out + err).not.toMatch(LINK);
  });

  testLong('with --json the results stay results', async () => {
    const cwd = aFolder({ 'a.yaml': SHORT });
    const args = ['run', 'a.yaml', '--seed', '3', '--json', '--live', '--speed', '100'];
    const { exit, out, err } = await glassbox(args, { cwd });
    expect(exit).toBe(0);
    expect(jsonLines(out).map(({ type }) => type)).toEqual(['game.result', 'run.result']);
    expect(err).toMatch(LINK);
  });
});

describe.runIf(existsSync(SCRIPT))('on a terminal', () => {
  testLong('a bare start keeps serving after the game until it is asked to end', async () => {
    const cwd = aFolder({ 'a.yaml': SHORT });
    const line = `echo $$ > pid; exec ${process.execPath} ${PROGRAM} run a.yaml --seed 3 --speed 100`;
    const running = new Running(['-qec', line, '/dev/null'], { cwd, program: SCRIPT });
    await running.said('Ctrl-C ends it.');
    const url = linkIn(running.out);
    expect(await (await fetch(url)).text()).toContain('<title>The Glass Box League</title>');
    expect(await events(url, 'table')).toContain('"type":"game.closed"');
    process.kill(Number(readFileSync(join(cwd, 'pid'), 'utf8')), 'SIGINT');
    expect((await running.finished).exit).toBe(0);
  });

  test('--no-live ends with the game', async () => {
    const line = `${process.execPath} ${PROGRAM} --seed 3 --speed 100 --no-live -q`;
    const { exit, out } = await new Running(['-qec', line, '/dev/null'], {
      cwd: aFolder(),
      program: SCRIPT,
    }).finished;
    expect(exit).toBe(0);
    expect(out).not.toMatch(LINK);
  });
});

describe('many games', () => {
  testLong('go on air one after another under one link', async () => {
    const cwd = aFolder({ 'a.yaml': SHORT });
    const args = ['run', 'a.yaml', '--seed', '3', '-n', '2', '--live', '--out', 'out'];
    const running = new Running([...args, '--speed', '100'], { cwd });
    await running.said('Live: ');
    const url = linkIn(running.err);
    const first = await events(url);
    expect(first).toMatch(/event: over\ndata: next/);
    const second = await events(url);
    expect(second).toMatch(/event: over\ndata: over/);
    expect(second).not.toBe(first);
    expect((await running.finished).exit).toBe(0);
    expect(contents(join(cwd, 'out'))).toEqual(['0001.jsonl', '0002.jsonl']);
  });

  test('are not shown from several threads at once', async () => {
    const { exit, err } = await glassbox('run -n 2 --jobs 2 --live');
    expect(exit).toBe(2);
    expect(err).toContain('one after another');
  });
});

testLong('a port that is taken stops nothing', async () => {
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => {
      const address = other.address();
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
    });
  });
  const cwd = aFolder({ 'a.yaml': SCENARIO });
  const args = ['run', 'a.yaml', '--live', `${port}`, '--speed', '100', '-q'];
  const { exit, err } = await glassbox(args, { cwd });
  other.close();
  expect(exit).toBe(0);
  expect(err).toContain(`--live ${port}: the port is in use`);
  expect(linkIn(err)).not.toContain(`:${port}/`);
});

describeLong('a meeting of models', () => {
  test('the page shows who is thinking, and the prompts that were sent', async () => {
    const held = Promise.withResolvers<void>();
    const endpoint = await anEndpoint({
      thought: (asked) => (asked > 6 ? held.promise : Promise.resolve()),
    });
    const cwd = aFolder({ 'a.yaml': SCENARIO });
    const models = modelOf(endpoint);
    const args = ['run', 'a.yaml', '--seed', '7', '--live', '-q', '--speed', 'max'];
    const running = new Running([...args, '--out', 'a.jsonl', ...models], { cwd });
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
    await sentAsMade(join(cwd, 'a.jsonl'), endpoint);
  });
});

testLong('the prompt of a journal is the one that its match would have given', async () => {
  const cwd = aFolder({ 'a.yaml': SCENARIO });
  await warmGlassbox('run a.yaml --seed 7 --out a.jsonl -q', { cwd });
  const at = ['--player', 'red', '--tick', '2', '--json'];
  const [planned, sent] = await Promise.all([
    warmGlassbox(['prompt', 'a.yaml', '--seed', '7', ...at], { cwd }),
    warmGlassbox(['prompt', 'a.jsonl', '--meeting', '1', ...at], { cwd }),
  ]);
  const same = ({ out }: { readonly out: string }) => ({ ...jsonLines(out)[0], cacheKey: '' });
  expect(same(sent)).toEqual(same(planned));
  const [late, level] = await Promise.all([
    warmGlassbox('prompt a.jsonl --player red --tick 999', { cwd }),
    warmGlassbox(['prompt', 'a.jsonl', ...at, '--level', 'none'], { cwd }),
  ]);
  expect([late.exit, level.exit]).toEqual([2, 2]);
  expect(late.err).toContain('prompt/not-asked');
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
  const cwd = aFolder({ 'a.yaml': SCENARIO });
  const models = modelOf(endpoint);
  const args = ['run', 'a.yaml', '--seed', '7', '-q', '--speed', 'max', '--out', 'a.jsonl'];
  const played = await warmGlassbox([...args, ...models], { cwd });
  expect(played).toMatchObject({ exit: 0 });
  await sentAsMade(join(cwd, 'a.jsonl'), endpoint);
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
async function sentAsMade(path: string, { asked }: FakeEndpoint): Promise<void> {
  const sent = new Set(asked.map(({ body }) => textsIn(body['messages']).join('\n')));
  const journal = readJournal(readFileSync(path, 'utf8'));
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
