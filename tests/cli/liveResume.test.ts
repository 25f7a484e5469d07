import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { always, whenever } from '../support/endpoint/case.ts';
import { anEndpoint, modelOf } from '../support/endpoint/opened.ts';
import { completionBody, refusal } from '../support/endpoint/sent.ts';
import { streamOf } from '../support/endpoint/streaming.ts';
import { testLong } from '../support/seeds.ts';
import { SCENARIO } from './matches.ts';
import { aFolder, glassbox, Running } from './shell.ts';

const PROGRAM = fileURLToPath(new URL('../../cli/glassbox.ts', import.meta.url));

const HAS_TERMINALS = ((): boolean => {
  try {
    return execFileSync('sh', ['-c', 'script --version'], { encoding: 'utf8' }).includes(
      'util-linux',
    );
  } catch {
    return false;
  }
})();

function inTerminal(args: readonly string[], cwd: string): Running {
  const line = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
  return new Running(['-qec', `exec ${line}`, '/dev/null'], { cwd, program: 'script' });
}

const ANSWER = { internal_thought: 'I saw Blue.', message: 'x'.repeat(200) };

/** Half of an answer without an end: it stays on the screen. */
const HALF = streamOf(completionBody({ content: JSON.stringify(ANSWER) }, 'stop'), {
  seed: 'half',
  share: 0.5,
  ending: 'silence',
});

describe.skipIf(!HAS_TERMINALS)('in a terminal', () => {
  const RED = ['--seat', 'red'];

  /** A meeting that is paused in its first tick, while the endpoint sends an answer that never ends. */
  async function aPausedMeeting() {
    let isPaid = false;
    const asked = Promise.withResolvers<void>();
    const endpoint = await anEndpoint({
      steps: [whenever(() => !isPaid, refusal(402, 'Insufficient credits', {})), always(HALF)],
      thought: async () => void (isPaid && asked.resolve()),
    });
    const cwd = aFolder({ 'five.yaml': SCENARIO });
    const meet = [
      'run',
      'five.yaml',
      '-q',
      '--seed',
      '7',
      '--out',
      'a.jsonl',
      ...RED,
      ...modelOf(endpoint),
    ];
    expect((await glassbox(meet, { cwd })).exit).toBe(69);
    isPaid = true;
    return { cwd, endpoint, before: endpoint.asked.length, asked: asked.promise };
  }

  async function expectWords(running: Running): Promise<void> {
    await running.said('Red     ');
    expect(running.out).toMatch(/Red {5}(thinks: I saw|writes: x)/);
    running.process.kill('SIGKILL');
    await running.finished;
  }

  test('resume shows them through the glass, and asks for streams', async () => {
    const { cwd, endpoint, before } = await aPausedMeeting();
    await expectWords(inTerminal('resume a.jsonl', cwd));
    expect(endpoint.asked.slice(before).map(({ body }) => body['stream'])).toEqual([true]);
  });

  testLong('fork shows them through the glass, and asks for streams', async () => {
    const endpoint = await anEndpoint({ steps: [always(HALF)] });
    const cwd = aFolder({ 'five.yaml': SCENARIO });
    await glassbox('run five.yaml -q --seed 7 --out a.jsonl', { cwd });
    const mind = ['--mind', 'openai', ...modelOf(endpoint)];
    const fork = ['fork', 'a.jsonl', '--at', '1', '--player', 'red', '--out', 'b.jsonl', ...mind];
    await expectWords(inTerminal(fork, cwd));
    expect(endpoint.asked.map(({ body }) => body['stream'])).toEqual([true]);
  });

  testLong.each([
    ['with --no-stream', ['--no-stream']],
    ['as JSON', ['--json']],
  ])('%s nothing is streamed', async (_, flags) => {
    const { cwd, endpoint, before, asked } = await aPausedMeeting();
    const running = inTerminal(['resume', 'a.jsonl', ...flags], cwd);
    await asked;
    running.process.kill('SIGKILL');
    const { out } = await running.finished;
    expect(endpoint.asked[before]?.body).not.toHaveProperty('stream');
    expect(out).not.toContain('thinks: ');
  });
});
