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

const DEEP = "'['.repeat(1e5) + ']'.repeat(1e5)";
const DEEPLY = 'a value that is no JSON, or is nested too deeply';
const HELLO = 'answer {"type":"hello","protocol":1,"name":"…"}';

describe('a command that says hello wrongly is faulty for the whole game', () => {
  const VERSION = 'mind/version: expected protocol 1';
  const FIRST = 'mind/hello: expected a hello first';
  test.each([
    ['of another version', "{ type: 'hello', protocol: 2 }", VERSION, '2'],
    ['of a version in words', "{ type: 'hello', protocol: '1' }", VERSION, '"1"'],
    ['of no version', "{ type: 'hello' }", VERSION, 'no version'],
    ['of another type', "{ type: 'hi' }", FIRST, '"hi"'],
    ['that is a number', "'1'", FIRST, '1'],
    ['that is a list', '[]', FIRST, '[]'],
    ['that is null', 'null', FIRST, 'null'],
    ['that is a list 100,000 deep', DEEP, FIRST, DEEPLY],
    ['with words for people first', "'Loading the model'", FIRST, '"Loading the model"'],
  ])('%s', async (_, hello, expected, found) => {
    const mind = `${MIND} await line(); say(${hello}); for (;;) answer((await line()).id);`;
    const told = `${expected}, found ${found}: ${HELLO}`;
    expect(await outcomes(mind, 2)).toEqual([told, told]);
  });
});

const NOT_JSON = 'mind/not-json: expected one JSON object';
const NO_ANSWER = 'mind/no-answer: expected {"type":"answer","id":…,"answer":{…}}';
const WRONG_ID = 'mind/wrong-id: expected the id of the request in the answer';
const FLOOD = 'mind/flood: expected lines of at most 1000000 bytes, found a longer one';

/** The act of a mind at request 1, its fault, and the result of request 2 if that is no answer. */
const FAULTS: readonly (readonly [name: string, act: string, first: string, next?: string])[] = [
  [
    'that is no JSON',
    "say('thinking…'); answer(id);",
    `${NOT_JSON}, found "thinking…": print nothing else to standard output`,
  ],
  [
    'that is no UTF-8',
    'process.stdout.write(Buffer.from([0xff, 0xfe, 10])); answer(id);',
    'mind/not-json: expected JSON in UTF-8, found bytes that are no UTF-8',
  ],
  ['with a NUL in it', "say('{\\u0000}');", `${NOT_JSON}, found "{\\u0000}"`],
  ['of another type', "say({ type: 'reply', id });", `${NO_ANSWER}, found type "reply"`],
  ['of a list', 'say([]);', `${NO_ANSWER}, found []`],
  ['of a list that is 100,000 deep', `say(${DEEP}); answer(id);`, `${NO_ANSWER}, found ${DEEPLY}`],
  [
    'with an id that is 100,000 deep',
    `say('{"type":"answer","id":' + ${DEEP} + '}');`,
    `${WRONG_ID}, found ${DEEPLY}`,
  ],
  ['without an id', "say({ type: 'answer', answer: {} });", `${WRONG_ID}, found none`],
  [
    'with a word as its id',
    "say({ type: 'answer', id: 'x', answer: {} });",
    `${WRONG_ID}, found "x"`,
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
  ['in a line of two million bytes', "say('x'.repeat(2e6));", FLOOD],
  ['in two million bytes without a line', "process.stdout.write('x'.repeat(2e6));", FLOOD],
  [
    'in thousands of lines',
    "process.stdout.write('x\\n'.repeat(5000));",
    `${NOT_JSON}, found "x"`,
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
  const answerTo = (id: number) => ({ type: 'answer', id, answer: { message: `request ${id}` } });

  /** Misses the deadline of request 1, with the hello before it or after it. */
  async function missedOne(isGreeted: boolean) {
    const { commands, started } = fakeCommands(({ onEnd }) =>
      onEnd({ type: 'exited', exit: 0, signal: null }),
    );
    const { mind, minds } = ownMind({ mind: 'command', command: 'any' }, { commands });
    const say = (message: object) => started[0]?.onOutput(bytesOf(message));
    const late = new AbortController();
    const first = mind.answer(request, late.signal);
    if (isGreeted) say({ type: 'hello', protocol: 1 });
    late.abort();
    const told = { ok: false, code: 'mind/late', text: 'no answer before the deadline' };
    expect(await first).toEqual(told);
    if (!isGreeted) say({ type: 'hello', protocol: 1 });
    return { ask: () => mind.answer(request, new AbortController().signal), say, started, minds };
  }

  test.each([
    ['before the hello', false, 'never'],
    ['with the answer before the next request', true, 'before'],
    ['with the answer after the next request', true, 'after'],
  ])('%s counts for its own request only', async (_, isGreeted, isAnswered) => {
    const { ask, say, started, minds } = await missedOne(isGreeted);
    if (isAnswered === 'before') say(answerTo(1));
    const second = ask();
    const ids = started[0]?.written.map((line) => JSON.parse(line).id);
    expect(ids).toEqual(isGreeted ? [undefined, 1, 2] : [undefined, 2]);
    if (isAnswered === 'after') say(answerTo(1));
    say(answerTo(2));
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
