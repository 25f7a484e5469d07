/** Streams are requested by a flag, for viewers, and for an endpoint that accepts only streams. */
import { describe, expect, test } from 'vitest';
import { whenever } from '../support/endpoint/case.ts';
import type { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { anEndpoint } from '../support/endpoint/opened.ts';
import { refusal } from '../support/endpoint/sent.ts';
import { testLong } from '../support/seeds.ts';
import { aPlace } from './session.ts';

const TABLE = `name: Streams
call: { by: red }
options: { max_ticks: 2 }
seats: [{ colour: red, role: impostor }, { colour: blue }, { colour: green }, { colour: pink }]
`;

/** Holds a meeting of models, and returns which requests asked for a stream. */
async function meet(fake: FakeEndpoint, words: string, file = TABLE) {
  const models = file === TABLE ? `--model fake --base-url ${fake.baseUrl}` : '';
  const line = `run a.yaml --seed 3 --speed max ${models} ${words}`;
  await aPlace({ 'a.yaml': file }).done(line.match(/\S+/g) ?? []);
  return [...new Set(fake.asked.map(({ body }) => body['stream'] === true))].toSorted();
}

describe('answers', () => {
  test.each([
    ['are not streamed where nobody looks on', '', false],
    ['are streamed where the flag says so', '--stream', true],
    ['are streamed where the page shows what is written', '--live --quiet', true],
    ['are not where it shows no thoughts', '--live --quiet --lens table', false],
    ['are not where the flag says so', '--live --quiet --no-stream', false],
    ['are where both say so', '--live --quiet --lens table --stream', true],
  ])('%s', async (_, words, isStreamed) => {
    expect(await meet(await anEndpoint(), words)).toEqual([isStreamed]);
  });

  testLong('of one seat are streamed where the file says so', async () => {
    const fake = await anEndpoint();
    const seat = (more: string) => `mind: openai, model: m, base_url: "${fake.baseUrl}"${more}`;
    const file = TABLE.replace('role: impostor', `role: impostor, ${seat('')}`).replace(
      'colour: blue',
      `colour: blue, ${seat(', extra_body: { stream: true }')}`,
    );
    expect(await meet(fake, '', file)).toEqual([false, true]);
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
    await meet(strict, '--quiet');
    await meet(usual, '--quiet');
    expect(strict.asked.length).toBe(usual.asked.length + 1);
  },
);
