import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
