import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { MindRequest } from '../../../actors/minds/port.ts';
import { describeLong, testLong } from '../../support/seeds.ts';
import {
  aDiscussion,
  askTimes,
  bytesOf,
  fakeCommands,
  isAlive,
  MIND,
  ownMind,
  script,
  wordsOf,
} from './requests.ts';

let request: MindRequest;
beforeAll(async () => {
  request = await aDiscussion();
});

async function outcomes(text: string, times: number): Promise<readonly string[]> {
  const { mind, minds } = ownMind(script(text));
  const answers = await askTimes(mind, request, times);
  await minds.close();
  return answers.map(wordsOf);
}

const HELLO = 'answer {"type":"hello","protocol":1,"name":"…"}';

describe('a command that says hello wrongly is faulty for the whole game', () => {
  const DEEP = "'['.repeat(1e5) + ']'.repeat(1e5)";
  test.each([
    [
      'of another version',
      "{ type: 'hello', protocol: 2 }",
      'version: expected protocol 1, found 2',
    ],
    [
      'of a version in words',
      "{ type: 'hello', protocol: '1' }",
      'version: expected protocol 1, found "1"',
    ],
    ['of no version', "{ type: 'hello' }", 'version: expected protocol 1, found no version'],
    ['of another type', "{ type: 'hi' }", 'hello: expected a hello first, found "hi"'],
    ['that is a number', "'1'", 'hello: expected a hello first, found 1'],
    ['that is a list', '[]', 'hello: expected a hello first, found []'],
    ['that is null', 'null', 'hello: expected a hello first, found null'],
    [
      'that is a list 100,000 deep',
      DEEP,
      'hello: expected a hello first, found a value that is no JSON, or is nested too deeply',
    ],
    [
      'with words for people first',
      "'Loading the model'",
      'hello: expected a hello first, found "Loading the model"',
    ],
  ])('%s', async (_, hello, expected) => {
    const mind = `${MIND} await line(); say(${hello}); for (;;) answer((await line()).id);`;
    const told = `mind/${expected}: ${HELLO}`;
    expect(await outcomes(mind, 2)).toEqual([told, told]);
  });
});

/** What a mind does at request 1, its fault, and what comes of request 2 if that is no answer. */
const FAULTS: readonly (readonly [name: string, act: string, first: string, next?: string])[] = [
  [
    'that is no JSON',
    "say('thinking…'); answer(id);",
    'mind/not-json: expected one JSON object, found "thinking…": print nothing else to standard output',
  ],
  [
    'that is no UTF-8',
    'process.stdout.write(Buffer.from([0xff, 0xfe, 10])); answer(id);',
    'mind/not-json: expected JSON in UTF-8, found bytes that are no UTF-8',
  ],
  [
    'with a NUL in it',
    "say('{\\u0000}');",
    'mind/not-json: expected one JSON object, found "{\\u0000}"',
  ],
  [
    'of another type',
    "say({ type: 'reply', id });",
    'mind/no-answer: expected {"type":"answer","id":…,"answer":{…}}, found type "reply"',
  ],
  [
    'of a list',
    'say([]);',
    'mind/no-answer: expected {"type":"answer","id":…,"answer":{…}}, found []',
  ],
  [
    'of a list that is 100,000 deep',
    "say('['.repeat(1e5) + ']'.repeat(1e5)); answer(id);",
    'mind/no-answer: expected {"type":"answer","id":…,"answer":{…}}, found a value that is no JSON, or is nested too deeply',
  ],
  [
    'with an id that is 100,000 deep',
    "say('{\"type\":\"answer\",\"id\":' + '['.repeat(1e5) + ']'.repeat(1e5) + '}');",
    'mind/wrong-id: expected the id of the request in the answer, found a value that is no JSON, or is nested too deeply',
  ],
  [
    'without an id',
    "say({ type: 'answer', answer: {} });",
    'mind/wrong-id: expected the id of the request in the answer, found none',
  ],
  [
    'with a word as its id',
    "say({ type: 'answer', id: 'x', answer: {} });",
    'mind/wrong-id: expected the id of the request in the answer, found "x"',
  ],
  [
    'with an id that was never asked',
    'answer(77);',
    'mind/wrong-id: expected the answer to request 1, found one to request 77',
  ],
  [
    'without an answer in it',
    "say({ type: 'answer', id });",
    'mind/no-answer: expected the field "answer" in the answer to request 1, found none',
  ],
  [
    'that comes twice',
    'answer(id); answer(id);',
    'request 1',
    'mind/twice: request 1 was answered twice: send one answer for each request',
  ],
  [
    'in a line of two million bytes',
    "say('x'.repeat(2e6));",
    'mind/flood: expected lines of at most 1000000 bytes, found a longer one',
  ],
  [
    'in two million bytes without a line',
    "process.stdout.write('x'.repeat(2e6));",
    'mind/flood: expected lines of at most 1000000 bytes, found a longer one',
  ],
  [
    'in thousands of lines',
    "process.stdout.write('x\\n'.repeat(5000));",
    'mind/not-json: expected one JSON object, found "x"',
    'mind/flood: expected one answer for each request, found 1000 other lines in a row',
  ],
  ['after which it ends', 'process.exit(3);', 'mind/ended:'],
  ['after which it dies', "process.kill(process.pid, 'SIGKILL');", 'mind/ended:'],
  ['after an error', "throw new Error('I give up');", 'mind/ended:'],
];

describe('an answer', () => {
  test.each(FAULTS)('%s is a fault, and the game goes on', async (...[, act, first, next]) => {
    // The process that is started anew gets request 2 as its first.
    const mind = `${MIND} await greet(); for (;;) { const { id } = await line(); if (id === 1) { ${act} } else answer(id); }`;
    const [one, two] = await outcomes(mind, 2);
    expect(one).toContain(first);
    expect(two).toContain(next ?? 'request 2');
  });

  test('an answer may follow unknown fields and empty lines', async () => {
    const mind = `${MIND} await line(); say(''); say({ type: 'hello', protocol: 1, colour: 'mauve' });
      for (;;) { const { id } = await line(); say(' '); say({ type: 'answer', id, mood: 1, answer: { message: 'hi', mood: 2 } }); }`;
    expect(await outcomes(mind, 2)).toEqual(['hi', 'hi']);
  });
});

describe('a command that ends', () => {
  test('an end is reported with its exit code and last words', async () => {
    const mind = `${MIND} await greet(); await line(); console.error('no key'); process.exit(3);`;
    const [told] = await outcomes(mind, 1);
    expect(told).toMatch(
      /^mind\/ended: ".+ ended during a request \(exit code 3\); its last words: "no key"$/,
    );
  });

  test('a crash is reported with its reason, not with later output', async () => {
    const error = "Object.assign(new Error('no key'), { code: 'E_KEY' })";
    const [told] = await outcomes(`${MIND} await greet(); await line(); throw ${error};`, 1);
    expect(told).toMatch(/during a request \(exit code 1\); its last words: "Error: no key"$/);
  });

  test('an end before the hello is reported', async () => {
    const [told] = await outcomes('process.exit(4)', 1);
    expect(told).toMatch(/ended before its hello \(exit code 4\); it wrote no error$/);
  });

  test('each time is started four times, and then no more', async () => {
    const told = await outcomes(`${MIND} await greet(); await line(); process.exit(1);`, 6);
    expect(told.map((one) => one.split(':')[0])).toEqual([
      ...Array.from({ length: 4 }, () => 'mind/ended'),
      'mind/given-up',
      'mind/given-up',
    ]);
    expect(told.at(-1)).toMatch(/has ended 4 times and is not started again in this game$/);
  });
});

describe('a command that can not be started', () => {
  test.each([
    ['because it is not there', ['no-such-program'], '.', 'ENOENT'],
    ['because its folder is not there', [process.execPath], 'no-such-folder', 'ENOENT'],
    ['because it may not be run', ['/etc/passwd'], '.', 'EACCES'],
    ['because its name is none', ['a\0b'], '.', 'ERR_INVALID_ARG_VALUE'],
  ])('%s is reported each time', async (_, command, folder, reason) => {
    const { mind, minds } = ownMind({ mind: 'command', command, folder });
    const answers = await askTimes(mind, request, 2);
    await minds.close();
    for (const answer of answers) {
      expect(answer).toMatchObject({ ok: false, code: 'mind/not-started' });
      expect(answer).toMatchObject({ text: expect.stringContaining(`(${reason})`) });
    }
  });
});

describe('a deadline that passes', () => {
  const aCommand = () =>
    fakeCommands(({ onEnd }) => onEnd({ type: 'exited', exit: 0, signal: null }));
  const answerTo = (id: number) => ({ type: 'answer', id, answer: { message: `request ${id}` } });
  const LATE = { ok: false, code: 'mind/late', text: 'no answer before the deadline' };

  test('ends the wait for a hello, and the next request is sent after it', async () => {
    const { commands, started } = aCommand();
    const { mind, minds } = ownMind({ mind: 'command', command: 'any' }, { commands });
    const late = new AbortController();
    const first = mind.answer(request, late.signal);
    late.abort();
    expect(await first).toEqual(LATE);
    started[0]?.onOutput(bytesOf({ type: 'hello', protocol: 1 }));
    const second = mind.answer(request, new AbortController().signal);
    expect(started[0]?.written.map((line) => JSON.parse(line).id)).toEqual([undefined, 2]);
    started[0]?.onOutput(bytesOf(answerTo(2)));
    expect(await second).toEqual({ ok: true, received: { message: 'request 2' } });
    await minds.close();
  });

  test.each([
    ['before the next request', true],
    ['after the next request', false],
  ])('makes an answer late, and it is dropped when it comes %s', async (_, isBefore) => {
    const { commands, started } = aCommand();
    const { mind, minds } = ownMind({ mind: 'command', command: 'any' }, { commands });
    const late = new AbortController();
    const first = mind.answer(request, late.signal);
    started[0]?.onOutput(bytesOf({ type: 'hello', protocol: 1 }));
    late.abort();
    expect(await first).toEqual(LATE);
    if (isBefore) started[0]?.onOutput(bytesOf(answerTo(1)));
    const second = mind.answer(request, new AbortController().signal);
    if (!isBefore) started[0]?.onOutput(bytesOf(answerTo(1)));
    started[0]?.onOutput(bytesOf(answerTo(2)));
    expect(await second).toEqual({ ok: true, received: { message: 'request 2' } });
    await minds.close();
  });
});

testLong.each([
  ['reads nothing', '', /\(\d+ bytes wait\)/],
  [
    'closes its standard input',
    "import { closeSync } from 'node:fs'; closeSync(0);",
    /\(it is closed\)/,
  ],
])('a command that %s is told so, and nothing piles up', async (_, act, found) => {
  const mute = `${act} process.stdout.write('{"type":"hello","protocol":1}\\n'); setInterval(() => {}, 1e6);`;
  const { mind, minds } = ownMind(script(mute));
  let told = '';
  await vi.waitUntil(
    async () => {
      const late = new AbortController();
      const answer = mind.answer(request, late.signal);
      await new Promise((resolve) => setImmediate(resolve));
      late.abort();
      const failed = await answer;
      if (!failed.ok && failed.code !== 'mind/late') told = `${failed.code}: ${failed.text}`;
      return told !== '';
    },
    { timeout: 300_000, interval: 0 },
  );
  await minds.close();
  expect(told).toMatch(
    /^mind\/not-reading: .+ does not read its standard input .+: read one line for each request$/,
  );
  expect(told).toMatch(found);
});

test('the standard error of a command is passed on line by line', async () => {
  const lines: string[] = [];
  const text = `${MIND} await greet(); console.error('one\\ntwo'); const { id } = await line(); console.error('three'); answer(id);`;
  const { mind, minds } = ownMind(script(text), {
    onErrorLine: (seat, line) => lines.push(`${seat}: ${line}`),
  });
  await askTimes(mind, request, 1);
  await minds.close();
  expect(lines).toEqual(['red: one', 'red: two', 'red: three']);
});

describeLong('at the end of a game', () => {
  test.each([
    ['a command that reads on', ''],
    ['a command that ignores the end of its input', 'setInterval(() => {}, 1e6);'],
    [
      'a command that ignores signals too',
      "process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6);",
    ],
  ])('%s is gone', async (_, more) => {
    const text = `${MIND} ${more} await line(); say({ type: 'hello', protocol: 1 }); const { id } = await line();
      say({ type: 'answer', id, answer: { message: String(process.pid) } }); ${more === '' ? 'await line();' : ''}`;
    const { mind, minds } = ownMind(script(text));
    const [answer] = await askTimes(mind, request, 1);
    const id = Number(wordsOf(answer));
    expect(isAlive(id)).toBe(true);
    await minds.close();
    expect(isAlive(id)).toBe(false);
  });

  test("a command's child processes end with it", async () => {
    const text = `${MIND} import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit' });
      await greet(); const { id } = await line();
      say({ type: 'answer', id, answer: { message: String(child.pid) } }); await line();`;
    const { mind, minds } = ownMind(script(text));
    const [answer] = await askTimes(mind, request, 1);
    const id = Number(wordsOf(answer));
    expect(isAlive(id)).toBe(true);
    await minds.close();
    await vi.waitUntil(() => !isAlive(id), { timeout: 300_000 });
  });
});
