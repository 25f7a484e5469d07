/** Bad input at the doors of a real `glassbox serve`: each gets the error of its protocol, and no game changes. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Observation } from '../../actors/minds/observation.ts';
import { aPlace } from '../cli/session.ts';
import { contents } from '../cli/shell.ts';
import { replyLegally } from '../support/policy.ts';
import { testLong } from '../support/seeds.ts';
import { Agent, readObject, serveTrainers, Trainer } from './clients.ts';

type Shown = {
  readonly type: string;
  readonly data: {
    readonly code?: string;
    readonly done: boolean;
    readonly observation: Observation;
  };
};

const read = (text: string | null): Shown => JSON.parse(text ?? 'null');
const DEEP = 200_000;

const ODD: readonly (readonly [string | Buffer | object, string])[] = [
  ['{', 'INVALID_JSON'],
  ['', 'INVALID_JSON'],
  ['{"type":"step","data":{"text":NaN}}', 'INVALID_JSON'],
  [Buffer.from([0, 255, 1]), 'INVALID_JSON'],
  [`${'['.repeat(DEEP)}${']'.repeat(DEEP)}`, 'UNKNOWN_TYPE'],
  [`{"type":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`, 'UNKNOWN_TYPE'],
  ['{"__proto__":{"type":"reset"}}', 'UNKNOWN_TYPE'],
  [{ type: 'dance' }, 'UNKNOWN_TYPE'],
  [{ type: 'step', data: 4 }, 'VALIDATION_ERROR'],
  [{ type: 'step', data: { text: '{}', seat: 'green' } }, 'EXECUTION_ERROR'],
  [{ type: 'step', data: { text: '{}', seat: 'Red' } }, 'EXECUTION_ERROR'],
  [{ type: 'reset', data: { seed: -1 } }, 'VALIDATION_ERROR'],
  [{ type: 'reset', data: { seats: ['red', 'red', 7] } }, 'VALIDATION_ERROR'],
  [{ type: 'reset', data: { seats: ['tan'] } }, 'EXECUTION_ERROR'],
];

describe('trainers', () => {
  test('a game with odd frames between its steps is the same, byte for byte', async () => {
    const place = aPlace();
    const { server, url } = await serveTrainers(['--out', 'games'], place.cwd);
    const play = async (odd: typeof ODD) => {
      const trainer = new Trainer(url);
      const parts = ['choices'];
      let shown = read(await trainer.ask({ type: 'reset', data: { seed: 7, players: 4, parts } }));
      for (let turn = 0; !shown.data.done; turn++) {
        const [frame, code] = odd[turn % odd.length] ?? [];
        if (frame !== undefined)
          expect(read(await trainer.ask(frame)), `frame ${turn % odd.length}`).toMatchObject({
            type: 'error',
            data: { code },
          });
        const text = JSON.stringify(replyLegally(shown.data.observation, 1));
        shown = read(await trainer.ask({ type: 'step', data: { text } }));
      }
      await trainer.close();
    };
    await play([]);
    await play(ODD);
    server.signal('SIGINT');
    await server.finished;
    const [one = '', two = ''] = contents(place.path('games')).filter((name) => name.endsWith('l'));
    expect(place.read(`games/${two}`)).toBe(place.read(`games/${one}`));
  });

  testLong('1,000 sockets, 1 GB, and a client that never reads disturb no game', async () => {
    const place = aPlace();
    const { url } = await serveTrainers(['--sessions', '2'], place.cwd);
    const player = new Trainer(url);
    await player.ask({ type: 'reset', data: { seed: 7 } });
    const before = await player.ask({ type: 'state' });
    const silent = new Trainer(url);
    const views = { type: 'reset', data: { seed: 7, players: 15, parts: ['view', 'prompt'] } };
    expect(read(await silent.ask(views)).type).toBe('observation');

    const crowd = Array.from({ length: 1000 }, () => new Trainer(url));
    for (const one of crowd)
      expect(read(await one.hear()).data).toMatchObject({
        code: 'CAPACITY_REACHED',
        max_sessions: 2,
      });
    for (const one of crowd) expect(await one.hear()).toBeNull();
    expect(new Set(crowd.map(({ code }) => code))).toEqual(new Set([1013]));

    silent.socket.pause();
    const isCut = async () => {
      for (let sent = 0; sent < 32; sent++) silent.socket.send(JSON.stringify(views));
      expect(await player.ask({ type: 'state' })).toBe(before);
      const next = new Trainer(url);
      await next.opened;
      next.socket.send('{"type":"close"}');
      return (await next.hear()) === null;
    };
    await expect.poll(isCut).toBe(true);
    silent.socket.terminate();

    expect(await sendForever(url, { 'content-length': 1_000_000_000 })).toBe(413);
    expect(await sendForever(url, {})).toBe(413);
    expect(await claimFrame(url)).toBe(1009);
    expect(await player.ask({ type: 'state' })).toBe(before);
    await player.close();
  });
});

/** Sends a body until it is refused; the status of the answer. */
function sendForever(url: string, more: Readonly<Record<string, number>>): Promise<number> {
  const headers = { 'content-type': 'application/json', ...more };
  const piece = Buffer.alloc(65_536, ' ');
  return new Promise((resolve, reject) => {
    const asking = request(`${url}/reset`, { method: 'POST', headers });
    const send = () => {
      while (!asking.destroyed && asking.write(piece));
      asking.once('drain', send);
    };
    asking.on('error', reject);
    asking.on('response', ({ statusCode = 0 }) => {
      resolve(statusCode);
      asking.off('error', reject).on('error', () => {});
      asking.destroy();
    });
    send();
  });
}

/** Begins a frame of 1 GB, and returns the code of the close frame that comes back. */
function claimFrame(url: string): Promise<number> {
  const { port, host } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1');
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
    const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
    socket.write(`GET /ws HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n${key}\r\n\r\n`);
    socket.once('data', () => {
      const frame = Buffer.alloc(14);
      frame.set([0x81, 0xff]);
      frame.writeBigUInt64BE(1_000_000_000n, 2);
      socket.write(frame);
      socket.once('data', (end) => {
        resolve(end.readUInt16BE(2));
        socket.destroy();
      });
    });
  });
}

describe('agents', () => {
  test('wrong lines, tokens and seats get an error, and the question stays', async () => {
    const agent = new Agent([], aPlace().cwd);
    await agent.greet();
    const { text } = await agent.call('join');
    const { game, token, seat } = readObject(text);
    const held = { game, token };
    const look = async () => (await agent.call('look', held)).text.replace(/"seconds":[\d.]+/, '');
    await agent.call('wait', held);
    const before = await look();
    const lines: readonly (readonly [string | object, number])[] = [
      ['{', -32700],
      ['[]', -32600],
      [{ id: 1, method: 'ping' }, -32600],
      [{ jsonrpc: '2.0', id: {}, method: 'ping' }, -32600],
      [`${'['.repeat(DEEP)}${']'.repeat(DEEP)}`, -32600],
      [`${' '.repeat(20_000_000)}1`, -32600],
      [{ jsonrpc: '2.0', id: 1, method: 'dance' }, -32601],
      [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'dance' } }, -32602],
    ];
    for (const [line, code] of lines) {
      agent.write(line);
      expect(readObject((await agent.hear()) ?? '')).toMatchObject({ error: { code } });
    }
    const refusals: readonly (readonly [string, object, string])[] = [
      ['join', {}, 'Every seat is not free'],
      ['join', { seat }, 'red is not free (free: none)'],
      ['join', { game: 'g9' }, 'There is no game g9'],
      ['join', { seat: 'mauve' }, 'Invalid'],
      ['look', { game, token: 'wrong' }, 'no seat of this game'],
      ['look', { game: 'g9', token }, 'no seat of this game'],
      ['act', { game, token: '', reply: '{"action":null}' }, 'no seat of this game'],
      ['act', { ...held, reply: 'I do not know' }, 'expected'],
      ['act', { ...held, reply: { message: 'x'.repeat(900_000) } }, 'expected'],
      ['act', { ...held, reply: 4 }, 'Invalid'],
      ['leave', { game, token: 'wrong' }, 'no seat of this game'],
    ];
    for (const [name, args, words] of refusals) {
      const found = await agent.call(name, args);
      expect(found).toMatchObject({ isError: true, text: expect.stringContaining(words) });
    }
    expect(await look()).toBe(before);
    expect((await agent.call('act', { ...held, reply: { action: null } })).isError).toBe(false);
    agent.process.kill('SIGKILL');
  });

  test('a client that never reads is read no more, and the page goes on', async () => {
    const agent = new Agent([], aPlace().cwd);
    await agent.greet();
    const page = /http:\S+\/play/.exec(agent.err)?.[0] ?? '';
    agent.process.stdout?.pause();
    const asked = 10_000;
    for (let id = 0; id < asked; id++) agent.write({ jsonrpc: '2.0', id, method: 'tools/list' });
    const left = () => agent.process.stdin?.writableLength ?? 0;
    let unsent = -1;
    while (unsent !== left()) {
      unsent = left();
      expect((await fetch(page)).status).toBe(200);
    }
    expect(unsent).toBeGreaterThan(0);
    agent.process.stdout?.resume();
    for (let id = 0; id < asked; id++)
      expect(readObject((await agent.hear()) ?? '')['id']).toBe(id);
    agent.process.kill('SIGKILL');
  });
});
