import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { always, type Step } from '../../../support/endpoint/case.ts';
import type { FakeEndpoint } from '../../../support/endpoint/fakeEndpoint.ts';
import { page, refusal, said } from '../../../support/endpoint/sent.ts';
import { GOOD_TEXT } from '../../../support/endpoint/words.ts';
import { ask, atEndpoint, KEY } from './asking.ts';

const OPENAI = fileURLToPath(
  new URL('../../../../actors/minds/openai/transport.ts', import.meta.url),
);

const SURROUNDINGS = {
  OPENAI_API_KEY: 'sk-surroundings-key-000000',
  OPENAI_ADMIN_KEY: 'sk-surroundings-admin-000000',
  OPENAI_ORG_ID: 'org-surroundings',
  OPENAI_PROJECT_ID: 'proj-surroundings',
  OPENAI_WEBHOOK_SECRET: 'whsec-surroundings',
  OPENAI_BASE_URL: 'http://127.0.0.1:9/surroundings',
  OPENAI_CUSTOM_HEADERS: 'x-surroundings: yes\nauthorization: Bearer surroundings',
  OPENAI_LOG: 'debug',
};

/** Sends one question from a process of its own, and gives back what that printed. */
async function fromShell(fake: FakeEndpoint, apiKey: string | null): Promise<string> {
  const endpoint = JSON.stringify({ baseUrl: fake.baseUrl, model: 'fake', apiKey });
  const script = `
    const { openTransport } = await import(${JSON.stringify(OPENAI)});
    const messages = [{ role: 'user', content: 'Hello' }];
    const transport = openTransport(${endpoint}, () => 0);
    const delivery = await transport.send({ model: 'fake', messages }, new AbortController().signal);
    console.log(delivery.type, delivery.status);`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { env: { ...process.env, ...SURROUNDINGS } },
  );
  return stdout + stderr;
}

test.each([
  ['a key', KEY, `Bearer ${KEY}`],
  ['no key', null, undefined],
])('the environment does not leak with %s', async (_, key, authorization) => {
  await atEndpoint([], async (fake) => {
    expect(await fromShell(fake, key)).toBe('body 200\n');
    const [request] = fake.asked;
    expect(request?.raw).not.toContain('surroundings');
    expect(request?.headers.authorization).toBe(authorization);
    expect(Object.keys(request?.headers ?? {}).filter((name) => /^(x-|openai)/.test(name))).toEqual(
      [],
    );
  });
});

describe('the key comes back in nothing', () => {
  const echoes: readonly (readonly [name: string, step: Step])[] = [
    ['an error', always(refusal(401, `Incorrect API key provided: ${KEY}.`))],
    [
      'an error that has only its beginning',
      always(refusal(401, `Wrong key: ${KEY.slice(0, 14)}***`)),
    ],
    ['an error that shows the header', always(refusal(400, `Authorization: Bearer ${KEY}`))],
    ['a web page', always(page(500, `<html>${KEY}</html>`))],
    ['text with 200', always(page(200, `debug ${KEY}`))],
    ['a refusal of the model', always(said(`I'm sorry, I can't help with ${KEY}.`))],
    ['an answer', always(said(GOOD_TEXT.replace('Red vague', KEY)))],
  ];
  test.each(echoes)('%s', async (_, step) => {
    const { reply, calls } = await ask([step]);
    const told = JSON.stringify([reply, calls]).toLowerCase();
    expect(told).not.toContain(KEY.slice(0, 14));
    expect(told).not.toContain(KEY.slice(8));
  });
});
