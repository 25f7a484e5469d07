import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { readOrder } from '../../prompts/order.ts';
import { readReply } from '../../prompts/reply.ts';
import { type Asked, readAsked } from './endpoint/asked.ts';
import { FAULTS, faulty } from './endpoint/faults.ts';
import { played } from './endpoint/player.ts';
import { testLong } from './seeds.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GOLDEN = globSync('tests/golden/*.txt', { cwd: ROOT }).toSorted();

function golden(path: string): { readonly asked: Asked; readonly schema: Record<string, unknown> } {
  const [, ...parts] = readFileSync(join(ROOT, path), 'utf8').split(/^===== .*\n/m);
  const schema = JSON.parse(parts.pop() ?? '{}');
  const body = { model: 'fake', messages: [{ role: 'user', content: parts.join('\n') }] };
  const asked = readAsked(JSON.stringify(body), {}, 0);
  if (asked === null) throw new Error(`${path} is no request`);
  return { asked, schema };
}

describe.each(GOLDEN)('%s', (path) => {
  const { asked, schema } = golden(path);
  const answers = Array.from({ length: 40 }, (_, seed) => played(asked, schema, seed));

  test('every answer has every field, and can be read', () => {
    const names = Object.keys(Object(schema['properties']));
    for (const answer of answers) {
      expect(Object.keys(answer)).toEqual(names);
      const read = names.includes('action') ? readOrder(answer) : readReply(answer);
      expect(read).toMatchObject({ ok: true });
    }
  });

  test('nobody names or votes for themselves, nor for who is not at the table', () => {
    const self = /You are (\w+), an? /.exec(asked.text)?.[1];
    for (const answer of answers) {
      expect(answer['vote_action']).not.toBe(self);
      expect(answer['target']).not.toBe(self);
    }
  });
});

test('an action is one of those that the prompt lists', () => {
  const { asked, schema } = golden('tests/golden/action-impostor.txt');
  expect(played(asked, schema, 1)['action']).toMatchObject({ type: 'kill', whom: 'white' });
  const body = golden('tests/golden/action-crewmate-body.txt');
  expect(played(body.asked, body.schema, 1)['action']).toMatchObject({ type: 'report' });
});

test('who has voted votes no more, and who is pressed votes', () => {
  const votes = (name: string) => {
    const { asked, schema } = golden(`tests/golden/${name}.txt`);
    return Array.from({ length: 20 }, (_, seed) => played(asked, schema, seed)['vote_action']);
  };
  expect(votes('discussion-voted')).toEqual(Array.from({ length: 20 }, () => null));
  expect(votes('discussion-nudged')).not.toContain(null);
  expect(votes('discussion-first-tick')).toEqual(Array.from({ length: 20 }, () => null));
});

testLong.each([0, 0.3, 1])('%d of the requests go wrong when it is told so', (share) => {
  const steps = faulty(share, 1);
  const turns = Array.from({ length: 2_000 }, (_, turn) => turn);
  const { asked } = golden('tests/golden/discussion-nudged.txt');
  const wrong = turns.map((turn) => steps.filter(({ when }) => when({ ...asked, turn })));
  expect(Math.abs(wrong.filter(({ length }) => length > 0).length / 2_000 - share)).toBeLessThan(
    0.05,
  );
  expect(new Set(wrong.flat().map(({ sends }) => sends)).size).toBe(
    share === 0 ? 0 : FAULTS.length,
  );
});

function command(...words: readonly string[]) {
  const script = join(ROOT, 'tests/support/endpoint/serve.ts');
  return spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
}

test('the command listens, lists its model, and streams what the openai package reads', async () => {
  const child = command('--port', '0');
  try {
    const lines = createInterface({ input: child.stdout });
    const { value: line } = await lines[Symbol.asyncIterator]().next();
    const baseURL = /http:\S+/.exec(String(line))?.[0] ?? '';
    const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
    expect((await client.models.list()).data).toMatchObject([{ id: 'fake' }]);
    const { asked } = golden('tests/golden/discussion-nudged.txt');
    for (let nth = 0; nth < STREAMS; nth += 1) {
      const messages = [{ role: 'user' as const, content: `${asked.text}\n${nth}` }];
      const stream = await client.chat.completions.create({ model: 'x', messages, stream: true });
      let text = '';
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      expect(readReply(text)).toMatchObject({ ok: true });
    }
  } finally {
    child.kill();
  }
});

/** So many hold every sign of life in every style. */
const STREAMS = 40;

test.each([
  [['--case', '999'], '--case: there is no row 999'],
  [['--faults', '30'], '--faults: expected a number from 0 to 1, found "30"'],
  [['--prot', '1'], "Unknown option '--prot'"],
])('the command reports the problem with %j', async (words, sentence) => {
  const child = command(...words);
  const said: string[] = [];
  child.stderr.on('data', (piece: Buffer) => said.push(piece.toString()));
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(78);
  expect(said.join('')).toContain(sentence);
});
