/**
 * Types the commands for new users in docs/models.md word by word, against a server that behaves like the one in the
 * section. No player is late, and no answer is lost.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { findBaseUrl } from '../../actors/minds/openai/providers.ts';
import { readCalls } from '../../machines/journal/calls.ts';
import { ollama, openRouter, thinking, vllm } from '../support/endpoint/characters.ts';
import type { FakeOptions } from '../support/endpoint/fakeEndpoint.ts';
import { anEndpoint } from '../support/endpoint/opened.ts';
import { describeLong } from '../support/seeds.ts';
import { aFolder, type Finished, Running } from './shell.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PROGRAM = `${process.execPath} ${join(ROOT, 'cli/glassbox.ts')}`;
const REROUTE = new URL('../support/reroute.js', import.meta.url).href;

async function serverOf(provider: string, options: FakeOptions) {
  const endpoint = await anEndpoint(options);
  const routes = { [findBaseUrl(provider) ?? '']: endpoint.baseUrl };
  const cwd = aFolder();
  const env = {
    GLASSBOX: PROGRAM,
    GLASSBOX_STATE: 'state',
    NODE_OPTIONS: `--import ${REROUTE}`,
    REROUTE: JSON.stringify(routes),
    OPENROUTER_API_KEY: 'sk-or-v1-not-a-key-of-anybody',
  };
  const type = (line: string, more = ''): Promise<Finished> =>
    new Running(['-c', `${line.replace(/^glassbox/, '$GLASSBOX')} ${more}`], {
      cwd,
      program: '/bin/sh',
      env,
    }).finished;
  return { endpoint, cwd, type };
}

const HEADINGS: Readonly<Record<string, string>> = {
  ollama: 'Ollama',
  openrouter: "OpenRouter's free tier",
  thinking: 'Models that think',
  vllm: 'vLLM',
};

function linesOf(page: string): readonly string[] {
  const [, section = ''] = read('docs/models.md').split(`### ${HEADINGS[page]}\n`);
  const [, block = ''] = /```sh\n(.*?)```/s.exec(section) ?? [];
  const lines = block.split('\n').flatMap((line) => /^npx (glassbox .*)$/.exec(line)?.[1] ?? []);
  expect(lines.length).toBeGreaterThan(1);
  return lines;
}

/** Expects a complete meeting with an answer of every model to every request. */
function expectWhole(cwd: string, path = 'm.jsonl') {
  const { lines, damageCount } = readJournal(readFileSync(join(cwd, path), 'utf8'));
  expect(damageCount).toBe(0);
  expect(lines.some(({ type }) => type === 'meeting.closed')).toBe(true);
  const bids = lines.flatMap((line) =>
    line.type === 'tick.closed' || line.type === 'turn.closed' ? line.bids : [],
  );
  expect(bids.length).toBeGreaterThan(10);
  expect(bids.filter(({ fault }) => fault !== undefined)).toEqual([]);
  expect(lines.filter(({ type }) => /departed|faulted/.test(type))).toEqual([]);
  expect(lines.filter(({ clock }) => clock?.['late'] !== undefined)).toEqual([]);
  const calls = readCalls(lines);
  const answered = calls.filter(({ failure }) => failure === null).length;
  expect(calls.filter(({ failure }) => failure === 'lost')).toEqual([]);
  return { lines, calls, answered };
}

async function followPage(page: string, provider: string, options: FakeOptions) {
  const { endpoint, cwd, type } = await serverOf(provider, options);
  const meetings: ReturnType<typeof expectWhole>[] = [];
  for (const line of linesOf(page)) {
    const isMeeting = line.startsWith('glassbox run');
    const path = `${meetings.length}.jsonl`;
    const before = endpoint.asked.length;
    const done = await type(line, isMeeting ? `--seed 3 --out ${path} -q` : '');
    expect(done, line).toMatchObject({ exit: 0 });
    if (!isMeeting) continue;
    const meeting = expectWhole(cwd, path);
    // The last answers of ghosts may arrive after the last line of the journal.
    expect(endpoint.asked.length - before - meeting.calls.length).toBeLessThanOrEqual(1);
    meetings.push(meeting);
  }
  return { endpoint, meetings };
}

describeLong.concurrent('a new user', () => {
  test('with Ollama from a cold start plays a meeting in which no request fails', async () => {
    const options = ollama({ pulled: ['qwen3:8b'], contextLength: 16_384 });
    const { meetings } = await followPage('ollama', 'ollama', options);
    expect(meetings).toHaveLength(1);
    expect(meetings[0]?.calls.every(({ failure }) => failure === null)).toBe(true);
  });

  test('with OpenRouter, whose minute is nearly used up', async () => {
    const options = openRouter({ perDay: 50, usedThisMinute: 20 });
    const { endpoint, meetings } = await followPage('openrouter', 'openrouter', options);
    expect(options.refusals.length).toBeGreaterThan(0);
    expect(endpoint.asked.length - options.refusals.length).toBeLessThanOrEqual(20);
    expect(meetings[0]?.answered).toBeGreaterThan(8);
    expect(meetings[0]?.answered).toBeLessThanOrEqual(14);
  });

  test('with OpenRouter, at the limit of the day: goes on tomorrow with every answer', async () => {
    const [, line = ''] = linesOf('openrouter');
    const today = await serverOf('openrouter', openRouter({ perDay: 7 }));
    const paused = await today.type(line, '--seed 3 --out m.jsonl -q');
    expect(paused.exit).toBe(69);
    expect(paused.err).toContain('[endpoint/daily-limit]');
    const tomorrow = await serverOf('openrouter', openRouter({ perDay: 50 }));
    const { cwd } = today;
    const { baseUrl } = tomorrow.endpoint;
    const env = {
      GLASSBOX_STATE: 'state',
      NODE_OPTIONS: `--import ${REROUTE}`,
      REROUTE: JSON.stringify({ [findBaseUrl('openrouter') ?? '']: baseUrl }),
      OPENROUTER_API_KEY: 'sk-or-v1-not-a-key-of-anybody',
    };
    const resumed = await new Running('resume m.jsonl', { cwd, env }).finished;
    expect(resumed.exit).toBe(0);
    const { answered } = expectWhole(cwd);
    const answeredToday = 7;
    expect(tomorrow.endpoint.asked.length).toBe(answered - answeredToday);
  });

  test('with a model that thinks: only the first answers are asked for twice', async () => {
    const { meetings } = await followPage('thinking', 'llamacpp', thinking());
    const [low, off, full] = meetings.map(({ calls, answered }) => calls.length - answered);
    expect(low).toBe(0);
    expect(off).toBe(0);
    expect(full).toBeGreaterThan(0);
    expect(full).toBeLessThanOrEqual(3);
  });

  test('with vLLM plays a meeting in which no request fails', async () => {
    const options = vllm({ served: 'Qwen/Qwen3-8B', contextLength: 16_384 });
    const { meetings } = await followPage('vllm', 'vllm', options);
    expect(meetings[0]?.calls.every(({ failure }) => failure === null)).toBe(true);
  });

  test.each([
    {
      who: 'with Ollama who has not pulled the model',
      ...{ page: 'ollama', doctor: 78, code: 'not-found', says: 'try pulling it first' },
      options: ollama({ pulled: [], contextLength: 16_384 }),
    },
    {
      who: 'with OpenRouter and a model that is not free',
      ...{ page: 'openrouter', doctor: 69, code: 'credits', says: 'credit' },
      options: openRouter({ perDay: 50 }),
    },
    {
      who: 'with vLLM under another name',
      ...{ page: 'vllm', doctor: 78, code: 'not-found', says: 'does not exist' },
      options: vllm({ served: 'qwen', contextLength: 16_384 }),
    },
  ])('$who reads what is wrong', async ({ page, doctor, code, says, options }) => {
    const { type } = await serverOf(page, options);
    for (const line of linesOf(page)) {
      const done = await type(line.replace(':free', ''));
      expect(done.exit).toBe(line.includes('doctor') ? doctor : 69);
      expect(done.err).toContain(says);
      expect(done.err).toContain(`[endpoint/${code}]`);
    }
  });

  test('with vLLM and a short context: less room is asked for, and every answer comes', async () => {
    const options = vllm({ served: 'Qwen/Qwen3-8B', contextLength: 2_000 });
    const { cwd, type } = await serverOf('vllm', options);
    const [, line = ''] = linesOf('vllm');
    expect(await type(line, '--seed 3 --out m.jsonl -q')).toMatchObject({ exit: 0 });
    const { calls } = expectWhole(cwd);
    expect(calls.some(({ failure }) => failure === 'unsupported max_tokens')).toBe(true);
  });
});

test('docs/models.md has a section for each of these endpoints', () => {
  for (const heading of Object.values(HEADINGS))
    expect(read('docs/models.md')).toContain(`\n### ${heading}\n`);
});
