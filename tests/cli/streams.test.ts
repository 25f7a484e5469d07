/** Streams are requested by a flag, for viewers, and for an endpoint that accepts nothing else. */
import { describe, expect, test } from 'vitest';
import { whenever } from '../support/endpoint/case.ts';
import type { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { anEndpoint } from '../support/endpoint/opened.ts';
import { refusal } from '../support/endpoint/sent.ts';
import { testLong } from '../support/seeds.ts';
import { aFolder, glassbox } from './shell.ts';

const TABLE = `name: Streams
call: { by: red }
options: { max_ticks: 2 }
seats: [{ colour: red, role: impostor }, { colour: blue }, { colour: green }, { colour: pink }]
`;

/** Holds a meeting of models, and returns which requests asked for a stream. */
async function meet(fake: FakeEndpoint, args: readonly string[], file = TABLE) {
  const cwd = aFolder({ 'a.yaml': file });
  const models = file === TABLE ? ['--model', 'fake', '--base-url', fake.baseUrl] : [];
  const all = ['run', 'a.yaml', '--seed', '3', '--speed', 'max', ...models, ...args];
  const { exit, err } = await glassbox(all, { cwd });
  const streams = new Set(fake.asked.map(({ body }) => body['stream'] === true));
  return { exit, err, streams: [...streams] };
}

describe('answers', () => {
  test.each([
    ['are not streamed where nobody looks on', [], false],
    ['are streamed where the flag says so', ['--stream'], true],
    ['are streamed where the page shows what is written', ['--live', '--quiet'], true],
    ['are not where it shows no thoughts', ['--live', '--quiet', '--lens', 'table'], false],
    ['are not where the flag says so', ['--live', '--quiet', '--no-stream'], false],
    ['are where both say so', ['--live', '--quiet', '--lens', 'table', '--stream'], true],
  ])('%s', async (_, args, isStreamed) => {
    const { exit, streams } = await meet(await anEndpoint(), args);
    expect([exit, streams]).toEqual([0, [isStreamed]]);
  });

  testLong('of one seat are streamed where the file says so', async () => {
    const fake = await anEndpoint();
    const seat = (more: string) => `mind: openai, model: m, base_url: "${fake.baseUrl}"${more}`;
    const file = TABLE.replace('role: impostor', `role: impostor, ${seat('')}`).replace(
      'colour: blue',
      `colour: blue, ${seat(', extra_body: { stream: true }')}`,
    );
    const { exit, streams } = await meet(fake, [], file);
    expect([exit, streams.toSorted()]).toEqual([0, [false, true]]);
  });
});

testLong(
  'an endpoint that takes nothing but streams costs one request more in a whole meeting',
  async () => {
    const sends = refusal(
      400,
      'This model only support stream mode, please enable the stream parameter to access the model. ',
    );
    const strict = await anEndpoint({
      steps: [whenever(({ body }) => body['stream'] !== true, sends)],
    });
    const usual = await anEndpoint();
    expect((await meet(strict, ['--quiet'])).exit).toBe(0);
    expect((await meet(usual, ['--quiet'])).exit).toBe(0);
    expect(strict.asked.length).toBe(usual.asked.length + 1);
  },
);
