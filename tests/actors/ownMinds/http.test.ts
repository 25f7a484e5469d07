import { createServer, type Server } from 'node:http';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { MindRequest } from '../../../actors/minds/port.ts';
import { findRootCause } from '../../../actors/ports/web.ts';
import { aFolder } from '../../cli/shell.ts';
import { aDiscussion, askTimes, ownMind, wordsOf } from './requests.ts';

let request: MindRequest;
beforeAll(async () => {
  request = await aDiscussion();
});

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

type Reaction = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | object;
  readonly act?: 'cut' | 'hang';
};
type Message = { readonly type: string; readonly id: number };

async function serve(react: (message: Message) => Reaction) {
  const asked: Message[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const message: Message = JSON.parse(Buffer.concat(parts).toString());
    asked.push(message);
    const { status = 200, headers = {}, body = {}, act } = react(message);
    if (act === 'cut') incoming.socket.destroy();
    if (act !== undefined) return;
    outgoing.writeHead(status, headers);
    outgoing.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, asked };
}

const HELLO = { body: { type: 'hello', protocol: 1 } };
const answerTo = ({ id }: Message) => ({
  body: { type: 'answer', id, answer: { message: `request ${id}` } },
});
const greets = (react: (message: Message) => Reaction) => (message: Message) =>
  message.type === 'hello' ? HELLO : react(message);

async function outcomesOf(react: (message: Message) => Reaction, times: number) {
  const { url, asked } = await serve(react);
  const { mind, minds } = ownMind({ mind: 'http', url });
  const answers = await askTimes(mind, request, times);
  await minds.close();
  return { answers, asked: asked.map(({ type }) => type) };
}

describe('a web service', () => {
  test('says hello once and answers each request', async () => {
    const { answers, asked } = await outcomesOf(greets(answerTo), 2);
    expect(answers).toEqual(
      [1, 2].map((id) => ({ ok: true, received: { message: `request ${id}` } })),
    );
    expect(asked).toEqual(['hello', 'request', 'request']);
  });

  test('that lies about its version is asked no more', async () => {
    const lie = { body: { type: 'hello', protocol: 3 } };
    const { answers, asked } = await outcomesOf(() => lie, 2);
    expect(answers[1]).toMatchObject({
      code: 'mind/version',
      text: expect.stringContaining('expected protocol 1, found 3'),
    });
    expect(asked).toEqual(['hello']);
  });

  test.each<[string, Reaction, code: string, text: string, more?: string]>([
    [
      'an error',
      { status: 500, body: 'oops' },
      'status',
      'expected status 200 from "http://127.0.0.1:',
      'found 500 with "oops"',
    ],
    [
      'a redirect',
      { status: 307, headers: { location: 'http://127.0.0.1:1/x' } },
      'redirect',
      'found a redirect (307) to "http://127.0.0.1:1/x"',
      'write that address into url',
    ],
    ['no JSON', { body: 'fine!' }, 'not-json', 'found "fine!": send nothing else in the body'],
    ['no UTF-8', { body: Buffer.from([0xff]) }, 'not-json', 'no UTF-8'],
    ['two million bytes', { body: 'x'.repeat(2e6) }, 'flood', 'expected at most 1000000 bytes'],
    [
      'another id',
      { body: { type: 'answer', id: 99, answer: {} } },
      'wrong-id',
      'expected the answer to request 1, found one to 99',
    ],
    ['no answer', { body: {} }, 'no-answer', 'found {}'],
    ['a cut connection', { act: 'cut' }, 'unreachable', 'no answer from "http://127.0.0.1:'],
  ])(
    'that sends %s is at fault, and the next request counts',
    async (_, reaction, code, text, more = '') => {
      const { answers } = await outcomesOf(
        greets((message) => (message.id === 1 ? reaction : answerTo(message))),
        2,
      );
      const [first] = answers;
      expect(first).toMatchObject({ ok: false, code: `mind/${code}` });
      expect(wordsOf(first)).toContain(text);
      expect(wordsOf(first)).toContain(more);
      expect(answers[1]).toEqual({ ok: true, received: { message: 'request 2' } });
    },
  );

  test('that does not answer is late at the deadline, and is asked again', async () => {
    const { url, asked } = await serve(
      greets((message) => (message.id === 1 ? { act: 'hang' } : answerTo(message))),
    );
    const { mind, minds } = ownMind({ mind: 'http', url });
    const late = new AbortController();
    const first = mind.answer(request, late.signal);
    await vi.waitUntil(() => asked.length === 2, { timeout: 300_000 });
    late.abort();
    expect(await first).toMatchObject({ ok: false, code: 'mind/late' });
    expect(await askTimes(mind, request, 1)).toEqual([
      { ok: true, received: { message: 'request 2' } },
    ]);
    await minds.close();
  });

  test('that is not there yet says hello when it is', async () => {
    let isUp = false;
    const { answers } = await outcomesOf((message) => {
      if (message.type !== 'hello') return answerTo(message);
      isUp = !isUp;
      return isUp ? { status: 503 } : HELLO;
    }, 2);
    expect(answers[0]).toMatchObject({ ok: false, code: 'mind/status' });
    expect(answers[1]).toEqual({ ok: true, received: { message: 'request 2' } });
  });
});

describe('a module', () => {
  const NO_JSON =
    'mind/module: expected an answer from "mind.ts" that JSON can hold, found a value that is no JSON';

  function moduleMind(text: string, module = 'mind.ts') {
    return ownMind({ mind: 'module', folder: aFolder({ 'mind.ts': text }), module }).mind;
  }

  test('with a function as its default export gets the message and returns the answer', async () => {
    const mind = moduleMind(
      'export default ({ id, kind }: any) => ({ message: kind + " " + id });',
    );
    expect(await askTimes(mind, request, 2)).toEqual(
      [1, 2].map((id) => ({ ok: true, received: { message: `discussion ${id}` } })),
    );
  });

  test('may take its time, and may be an object with the port', async () => {
    const slow = moduleMind(
      'export default async () => { await null; return { message: "late" }; };',
    );
    expect(await askTimes(slow, request, 1)).toEqual([{ ok: true, received: { message: 'late' } }]);
    const port = moduleMind(
      'export default { pace: "at-once", answer: ({ view }) => ({ ok: true, received: { message: view.you.colour } }) };',
    );
    const [answer] = await askTimes(port, request, 1);
    expect(answer).toEqual({ ok: true, received: { message: request.view.you.colour } });
  });

  test.each([
    [
      'that returns nothing',
      'export default () => {};',
      'mind/no-answer: expected an answer from "mind.ts", found none',
    ],
    [
      'without a default export',
      'export const mind = 1;',
      'mind/module: "mind.ts": expected a default export that is a function or has one named "answer", found none',
    ],
    ['with another default export', 'export default 7;', 'found 7'],
    ['with a BigInt as its default export', 'export default 7n;', 'found a value that is no JSON'],
    [
      'that returns a circle',
      'const circle: any = {}; circle.circle = circle; export default () => circle;',
      `${NO_JSON}, or is nested too deeply`,
    ],
    ['that returns a BigInt', 'export default () => ({ desire_to_speak: 5n });', NO_JSON],
    [
      'that has the port and answers a circle',
      'const received: any[] = []; received.push(received); export default { answer: () => ({ ok: true, received }) };',
      NO_JSON,
    ],
    [
      'that throws when it is loaded',
      'throw new Error("no key");',
      'mind/module: "mind.ts" can\'t be loaded: no key',
    ],
  ])('%s is at fault, each time', async (_, text, expected) => {
    for (const answer of await askTimes(moduleMind(text), request, 2)) {
      expect(answer.ok ? '' : `${answer.code}: ${answer.text}`).toContain(expected);
    }
  });

  test('that is not there is at fault', async () => {
    const [answer] = await askTimes(moduleMind('', 'no.ts'), request, 1);
    expect(answer).toMatchObject({
      code: 'mind/module',
      text: expect.stringContaining('Cannot find module'),
    });
    expect(answer).toMatchObject({ text: expect.not.stringContaining('imported from') });
  });
});

test.each<[string, unknown, string]>([
  ['one address', new Error('fetch failed', { cause: new Error('no way') }), 'no way'],
  [
    'both addresses of a name',
    new Error('fetch failed', {
      cause: new AggregateError([new Error('not at ::1'), new Error('not at 127.0.0.1')], ''),
    }),
    'not at 127.0.0.1',
  ],
  ['many things that have a name', new AggregateError([new Error('one')], 'all'), 'all'],
  ['nothing that can be told', new AggregateError([], ''), 'the connection failed'],
  ['something else', 'a word', 'the connection failed'],
])('what lies at the bottom of an error is told of %s', (_, error, told) => {
  expect(findRootCause(error)).toBe(told);
});
