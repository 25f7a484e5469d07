import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { CommandMind } from '../../../actors/minds/own/commandMind.ts';
import { writeRequest } from '../../../actors/minds/own/requestMessage.ts';
import type { MindRequest } from '../../../actors/minds/port.ts';
import { pickIdentity } from '../../../prompts/personas.ts';
import { testLong } from '../../support/seeds.ts';
import { tieToThisProcess } from '../../support/tied.ts';
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

const leftBehind: number[] = [];
afterEach(() => {
  for (const id of leftBehind.splice(0)) if (isAlive(id)) process.kill(id, 'SIGKILL');
});

describe('a program in a session of its own that holds the output of a mind open', () => {
  /** Starts such a program, answers the first request with its number, and then does this. */
  const withDaemon = (
    act: string,
  ) => `${MIND} import { spawn } from 'node:child_process'; import { once } from 'node:events';
    const daemon = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit', detached: true });
    await once(daemon, 'spawn'); await greet(); const { id } = await line();
    say({ type: 'answer', id, answer: { message: String(daemon.pid) } }); ${act}`;

  test.each([
    ['by itself, before the end of the game', "await line(); say('bye'); process.exit(0);", true],
    ['at the end of its input', 'await line();', false],
    ['only when it is killed', 'setInterval(() => {}, 1e6);', false],
  ])('does not keep a match waiting: the mind ends %s', async (_, act, endsEarly) => {
    const { mind, minds } = ownMind(script(withDaemon(act)));
    const [answer] = await askTimes(mind, request, 1);
    const daemon = Number(wordsOf(answer));
    leftBehind.push(daemon);
    const codes = (await askTimes(mind, request, endsEarly ? 1 : 0)).map((one) => one.ok);
    expect(codes).toEqual(endsEarly ? [false] : []);
    await minds.close();
    expect(isAlive(daemon)).toBe(true);
  });
});

describe('a program that uses the library', () => {
  const COMMANDS = new URL('../../../actors/ports/commands.ts', import.meta.url).href;
  const start = (text: string) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    tieToThisProcess(child);
    return child;
  };
  const ENDLESS = 'process.stdout.write(String(process.pid)); setInterval(() => {}, 1e6);';

  /** A program with such a command, and the number of the command once it runs. */
  async function host(more: string): Promise<{ child: ChildProcess; command: number }> {
    const text = `import { realCommands } from ${JSON.stringify(COMMANDS)};
      const onOutput = (bytes) => { ${more} process.stdout.write(bytes); };
      const events = { onOutput, onErrorOutput: () => {}, onEnd: () => {} };
      realCommands.start([process.execPath, '-e', ${JSON.stringify(ENDLESS)}], '.', events);`;
    const child = start(text);
    const command = await new Promise<number>((resolve) => {
      child.stdout.once('data', (bytes: Buffer) => resolve(Number(bytes.toString())));
    });
    leftBehind.push(command);
    return { child, command };
  }
  const endOf = (child: ChildProcess) =>
    new Promise((resolve) => child.once('exit', (exit, signal) => resolve(signal ?? exit)));

  testLong.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)(
    'and does not listen for %s ends by it, and its minds with it',
    async (signal) => {
      const { child, command } = await host('');
      const end = endOf(child);
      child.kill(signal);
      expect(await end).toBe(signal);
      await vi.waitUntil(() => !isAlive(command), { timeout: 300_000 });
    },
  );

  testLong.each(['on', 'once'])(
    'and listens with %s decides itself what a signal does',
    async (how) => {
      const { child, command } = await host(
        `process.${how}('SIGTERM', () => setImmediate(() => process.exit(process.kill(Number(String(bytes)), 0) ? 7 : 8)));`,
      );
      const end = endOf(child);
      child.kill('SIGTERM');
      expect(await end).toBe(7);
      await vi.waitUntil(() => !isAlive(command), { timeout: 300_000 });
    },
  );

  test('has no listeners of ours once its commands have ended', async () => {
    const text = `import { realCommands } from ${JSON.stringify(COMMANDS)};
      const count = () => ['SIGHUP', 'SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal));
      const onEnd = () => console.log(JSON.stringify([during, count()]));
      realCommands.start([process.execPath, '-e', ''], '.', { onOutput: () => {}, onErrorOutput: () => {}, onEnd });
      const during = count();`;
    const child = start(text);
    let out = '';
    for await (const bytes of child.stdout) out += String(bytes);
    expect(JSON.parse(out)).toEqual([
      [1, 1, 1],
      [0, 0, 0],
    ]);
  });
});

describe('a mind', () => {
  const FLOOD = Buffer.from(`${'x'.repeat(1_100_000)}\n`);
  const HELLO = bytesOf({ type: 'hello', protocol: 1 });

  test('whose process is killed for a flood is not stopped again by what that still prints', async () => {
    const { commands, started } = fakeCommands();
    const { mind, minds } = ownMind({ mind: 'command', command: 'any' }, { commands });
    const first = mind.answer(request, new AbortController().signal);
    started[0]?.onOutput(HELLO);
    started[0]?.onOutput(FLOOD);
    expect(await first).toMatchObject({ ok: false, code: 'mind/flood' });
    const second = mind.answer(request, new AbortController().signal);
    started[1]?.onOutput(HELLO);
    started[0]?.onOutput(FLOOD);
    started[1]?.onOutput(bytesOf({ type: 'answer', id: 2, answer: { message: 'hi' } }));
    expect(await second).toEqual({ ok: true, received: { message: 'hi' } });
    expect(started.map(({ isKilled }) => isKilled)).toEqual([true, false]);
    const closed = minds.close();
    for (const { onEnd } of started) onEnd({ type: 'exited', exit: 0, signal: null });
    await closed;
  });

  test('may send a letter of its last line in two pieces, and need not end that line with a newline', async () => {
    const { commands, started } = fakeCommands();
    const lines: string[] = [];
    const options = { commands, onErrorLine: (_: string, line: string) => lines.push(line) };
    const { mind, minds } = ownMind({ mind: 'command', command: 'any' }, options);
    const answer = mind.answer(request, new AbortController().signal);
    const words = Buffer.from('ready\n\nfin: é');
    started[0]?.onErrorOutput(words.subarray(0, -1));
    started[0]?.onErrorOutput(words.subarray(-1));
    started[0]?.onEnd({ type: 'exited', exit: 1, signal: null });
    expect(await answer).toMatchObject({
      text: expect.stringMatching(/its last words: "fin: é"$/),
    });
    expect(lines).toEqual(['ready', '', 'fin: é']);
    await minds.close();
  });

  test('in a real process hands on its last line of standard error without a newline', async () => {
    const lines: string[] = [];
    const text = `${MIND} await greet(); await line(); process.stderr.write('one\\ntwo', () => process.exit(3));`;
    const { mind, minds } = ownMind(script(text), { onErrorLine: (_, line) => lines.push(line) });
    const [answer] = await askTimes(mind, request, 1);
    expect(answer).toMatchObject({ text: expect.stringContaining('its last words: "two"') });
    expect(lines).toEqual(['one', 'two']);
    await minds.close();
  });

  test('that is closed twice resolves both times', async () => {
    const { commands, started } = fakeCommands();
    const hello = {
      type: 'hello',
      protocol: 1,
      game: 'any',
      seat: 'red',
      longest_line: 1,
    } as const;
    const mind = new CommandMind({ words: ['any'], folder: '.', hello, commands });
    const frame = { game: 'any', identity: pickIdentity({ temperament: 'observer' }, 'game') };
    const message = writeRequest(request, 1, { ...frame, times: { table: 1, ship: 1 } });
    const answer = mind.ask(message, new AbortController().signal);
    const both = Promise.all([mind.close(), mind.close()]);
    started[0]?.onEnd({ type: 'exited', exit: 0, signal: null });
    expect(await both).toEqual([undefined, undefined]);
    expect(await answer).toMatchObject({ ok: false, code: 'mind/late' });
  });
});
