/** The words that models are writing, in a terminal where a match goes on. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { always, whenever } from '../support/endpoint/case.ts';
import { anEndpoint, modelOf } from '../support/endpoint/opened.ts';
import { completionBody, refusal } from '../support/endpoint/sent.ts';
import { streamOf } from '../support/endpoint/streaming.ts';
import { testLong } from '../support/seeds.ts';
import { SCENARIO } from './matches.ts';
import { aPlace } from './session.ts';
import { expectEnd, type Running, runInTerminal } from './shell.ts';

const HAS_TERMINALS = ((): boolean => {
  try {
    const command = ['-c', 'script --version'];
    return execFileSync('sh', command, { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
})();

const ANSWER = { internal_thought: 'I saw Blue.', message: 'x'.repeat(200) };

/** Half of an answer without an end: it stays on the screen. */
const HALF = streamOf(completionBody({ content: JSON.stringify(ANSWER) }, 'stop'), {
  seed: 'half',
  share: 0.5,
  ending: 'silence',
});
const MEET = 'run five.yaml -q --seed 7 --out a.jsonl';

describe.skipIf(!HAS_TERMINALS)('in a terminal', () => {
  /** A meeting that is paused in its first tick, while the endpoint sends an answer that never ends. */
  async function aPausedMeeting() {
    let isPaid = false;
    const asked = Promise.withResolvers<void>();
    const endpoint = await anEndpoint({
      steps: [whenever(() => !isPaid, refusal(402, 'Insufficient credits', {})), always(HALF)],
      thought: async () => void (isPaid && asked.resolve()),
    });
    const place = aPlace({ 'five.yaml': SCENARIO });
    expectEnd(await place.run(`${MEET} --seat red ${modelOf(endpoint).join(' ')}`), 69);
    isPaid = true;
    return { place, endpoint, before: endpoint.asked.length, asked: asked.promise };
  }

  async function expectWords(running: Running): Promise<void> {
    await running.said('Red     ');
    expect(running.out).toMatch(/Red {5}(thinks: I saw|writes: x)/);
    running.process.kill('SIGKILL');
    await running.finished;
  }

  test('resume shows them through the glass, and asks for streams', async () => {
    const { place, endpoint, before } = await aPausedMeeting();
    await expectWords(runInTerminal('resume a.jsonl --endpoint-from-journal', place.cwd));
    expect(endpoint.asked.slice(before).map(({ body }) => body['stream'])).toEqual([true]);
  });

  testLong('fork shows them through the glass, and asks for streams', async () => {
    const endpoint = await anEndpoint({ steps: [always(HALF)] });
    const { cwd, done } = aPlace({ 'five.yaml': SCENARIO });
    await done(MEET);
    const mind = `--mind openai ${modelOf(endpoint).join(' ')}`;
    const fork = `fork a.jsonl --at 1 --player red --out b.jsonl ${mind}`;
    await expectWords(runInTerminal(fork, cwd));
    expect(endpoint.asked.map(({ body }) => body['stream'])).toEqual([true]);
  });

  testLong.each(['--no-stream', '--json'])('with %s nothing is streamed', async (flag) => {
    const { place, endpoint, before, asked } = await aPausedMeeting();
    const running = runInTerminal(`resume a.jsonl --endpoint-from-journal ${flag}`, place.cwd);
    await asked;
    running.process.kill('SIGKILL');
    const { out } = await running.finished;
    expect(endpoint.asked[before]?.body).not.toHaveProperty('stream');
    expect(out).not.toContain('thinks: ');
  });
});
