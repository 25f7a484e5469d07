import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { completion } from '../support/endpoint/sent.ts';
import { installClient } from '../support/python.ts';

let server: ChildProcess;
let url = '';

beforeAll(async () => {
  const glassbox = new URL('../../cli/glassbox.ts', import.meta.url).pathname;
  server = spawn(process.execPath, [glassbox, 'serve', '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: server.stderr ?? process.stdin })) {
    url = /http:\S+(?=\/ )/.exec(line)?.[0] ?? '';
    if (url !== '') break;
  }
});
afterAll(() => server.kill());

const run = (command: string, ...words: readonly string[]) => {
  const { stdout, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  return { stdout, stderr };
};

describe.each([
  ['0.10', 'openenv==0.10.0'],
  ['0.3', 'openenv-core==0.3.0'],
])('OpenEnv %s', (_, wanted) => {
  const bin = installClient('openenv', wanted);

  test.each([
    { seed: 7 },
    {},
    { seed: 3, players: 5, credit: true },
    { seed: 4, seats: ['red', 'blue'] },
  ])('plays a whole game after reset(%j)', (terms) => {
    const script = new URL('play_openenv.py', import.meta.url).pathname;
    const { stdout, stderr } = run(join(bin ?? '', 'python'), script, url, JSON.stringify(terms));
    expect(stdout, stderr).not.toBe('');
    const { steps, state } = JSON.parse(stdout);
    expect(steps).toBeGreaterThan(0);
    expect(state).toMatchObject({ done: true, asked: [] });
  });
});

test('the validation of OpenEnv passes', () => {
  const bin = installClient('openenv', 'openenv==0.10.0');
  const { stdout, stderr } = run(join(bin ?? '', 'openenv'), 'validate', '--url', url);
  expect(stdout + stderr).toContain('Verdict: PASS');
  expect(stdout.match(/PASS {2}/g)).toHaveLength(6);
});

const REPLY = { action: { type: 'wait', rounds: 24 }, desire_to_speak: 0, vote_action: 'skip' };

test('the evaluation of verifiers has a model play a whole game', async () => {
  const bin = installClient('verifiers', 'verifiers[openenv]==0.4.0');
  const content = JSON.stringify(REPLY);
  const model = await FakeEndpoint.open({
    hasOddStreams: false,
    answer: () => completion({ content }),
  });
  const cwd = mkdtempSync(join(tmpdir(), 'verifiers-'));
  const config = `
model = "fake"
push = false
[client]
type = "eval"
base_url = "${model.baseUrl}"
api_key_var = "GLASSBOX_TEST_KEY"
[env.taskset]
id = "openenv"
base_url = "${url}"
resets = [{ seed = 7, players = 4, parts = ["prompt"] }]
[env.player.harness]
id = "null"
[env.player.runtime]
type = "subprocess"
`;
  writeFileSync(join(cwd, 'game.toml'), config);
  const env = { ...process.env, GLASSBOX_TEST_KEY: 'none', NO_COLOR: '1' };
  const words = ['@', 'game.toml'];
  const { stdout, stderr } = await promisify(execFile)(join(bin ?? '', 'vf-eval'), words, {
    cwd,
    env,
  });
  expect(stdout, stderr).toContain('[success ]');
  expect(stdout).toMatch(/ err 0\.00$/m);
  expect(stdout).toMatch(/openenv_reward -?1\.00/);
  expect(model.asked.length).toBeGreaterThan(5);
  await model.close();
});
