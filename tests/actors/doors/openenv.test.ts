import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createOpenEnvDoor,
  type OpenEnvHost,
  OpenEnvSession,
} from '../../../actors/doors/openenv.ts';
import { answerOpenEnv } from '../../../actors/doors/openenvHttp.ts';
import { type Environment, openEnvironment } from '../../../actors/environment.ts';
import { replayMatch } from '../../../actors/library.ts';
import { creditActs } from '../../../analysis/why/credit.ts';
import { drawWords } from '../../../machines/rules/dice.ts';
import { type BySeat, COLOURS } from '../../../machines/types.ts';
import { type LiveServer, serve } from '../../../visualizer/server/server.ts';
import { replyLegally } from '../../support/policy.ts';
import { SEED, seeds, testLong } from '../../support/seeds.ts';

const MOST = 4;
const opened: Environment[] = [];
const host: OpenEnvHost = {
  open: ({ seats = ['red'], players = 8 }) => {
    const environment = openEnvironment({ seats, players, door: 'openenv' });
    opened.push(environment);
    return environment;
  },
  credit: async (journal, seat, signal) => (await creditActs(journal, seat, { signal })).credits,
  drawSeed: () => 5,
};

let server: LiveServer;
let port = '';
const door = createOpenEnvDoor(() => new OpenEnvSession(host), MOST);

beforeAll(async () => {
  server = await serve([(asked) => answerOpenEnv(asked, host)], 0, door);
  port = new URL(server.url).port;
});
afterAll(() => server.close());

type Question = Omit<Parameters<typeof replyLegally>[0], 'seat'>;
type Frame = {
  readonly type: string;
  readonly data: {
    readonly code?: string;
    readonly done: boolean;
    readonly reward: number | null;
    readonly observation: Parameters<typeof replyLegally>[0] & {
      readonly note: { readonly code: string } | null;
      readonly notes?: BySeat<object>;
      readonly questions?: BySeat<Question>;
      readonly credits?: readonly { readonly credit: number }[];
    };
  };
};

/** A client of one session. `heard` gives the frames in order; null once the connection is closed. */
function connect() {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  const frames: string[] = [];
  let wake = () => {};
  let code: number | null = null;
  socket.addEventListener('message', ({ data }) => {
    frames.push(String(data));
    wake();
  });
  socket.addEventListener('close', (event) => {
    code = event.code;
    wake();
  });
  const ready = new Promise<void>((resolve) => {
    socket.addEventListener('open', () => resolve());
  });
  const heard = async (): Promise<Frame | null> => {
    while (frames.length === 0 && code === null)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    const frame = frames.shift();
    return frame === undefined ? null : JSON.parse(frame);
  };
  const ask = async (frame: unknown): Promise<Frame | null> => {
    await ready;
    socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
    return await heard();
  };
  const close = async () => {
    socket.close();
    while ((await heard()) !== null);
  };
  return { socket, ready, heard, ask, close, code: () => code };
}

describe('a session of OpenEnv', () => {
  test('plays a whole game, and its journal has the door and replays', async () => {
    const { ask, close } = connect();
    let frame = await ask({
      type: 'reset',
      data: { seed: 3, players: 5, credit: true, parts: ['choices'] },
    });
    expect(frame?.data).toMatchObject({ reward: null, done: false, observation: { seat: 'red' } });
    while (frame?.data.done === false) {
      const text = JSON.stringify(replyLegally(frame.data.observation, 1));
      frame = await ask({ type: 'step', data: { text, metadata: {} } });
    }
    expect(frame?.data.observation).toMatchObject({ rewards: { red: frame?.data.reward } });
    expect(frame?.data.observation.credits).toBeInstanceOf(Array);
    expect(await ask({ type: 'state' })).toMatchObject({ type: 'state', data: { done: true } });
    expect(await ask({ type: 'step', data: { text: '{}' } })).toMatchObject({
      data: { code: 'EXECUTION_ERROR' },
    });
    const journal = opened.at(-1)?.journal() ?? '';
    expect(journal).toContain('"doors":{"red":"openenv"}');
    expect(await replayMatch(journal)).toMatchObject({ type: 'same' });
    await close();
  });

  test('takes a reply as JSON, asks each seat by name, and names an unreadable reply', async () => {
    const { ask, close } = connect();
    const first = await ask({ type: 'reset', data: { seats: ['blue', 'red'], later: 'ignored' } });
    expect(first?.data.observation).toMatchObject({ seat: 'red', asked: ['red', 'blue'] });
    const second = await ask({ type: 'step', data: { action: null, metadata: {} } });
    expect(second?.data).toMatchObject({ reward: 0, observation: { seat: 'blue', note: null } });
    const third = await ask({ type: 'step', data: { text: 'I do not know.' } });
    expect(third?.data.observation.note?.code).toBe('order/not-an-order');
    await close();
  });

  test('plays whole turns in one step each, and the same game as seat by seat', async () => {
    const seats = ['red', 'blue', 'green', 'pink'];
    const terms = { seed: 3, players: 4, seats, parts: ['choices'] };
    const { ask, close } = connect();
    const play = async (whole: boolean) => {
      let frame = await ask({ type: 'reset', data: { ...terms, whole } });
      let steps = 0;
      while (frame?.data.done === false) {
        const { questions, ...shown } = frame.data.observation;
        const replies = COLOURS.flatMap((seat) => {
          const question = questions?.[seat];
          return question === undefined ? [] : [[seat, replyLegally({ ...question, seat }, 1)]];
        });
        const data = whole ? { replies: Object.fromEntries(replies) } : replyLegally(shown, 1);
        frame = await ask({ type: 'step', data });
        steps += 1;
      }
      return { steps, journal: opened.at(-1)?.journal() ?? '' };
    };
    const whole = await play(true);
    const single = await play(false);
    expect(whole.journal === single.journal).toBe(true);
    expect(single.steps).toBeGreaterThan(whole.steps);
    await close();
  });

  test('names the unreadable replies of a whole turn, and plays none if one is not asked for', async () => {
    const { ask, close } = connect();
    await ask({ type: 'reset', data: { seats: ['red', 'blue', 'green'], whole: true } });
    const step = (replies: object) => ask({ type: 'step', data: { replies } });
    const wrong = await step({ red: { action: null }, pink: { action: null } });
    expect(wrong).toMatchObject({ type: 'error', data: { code: 'EXECUTION_ERROR' } });
    const rest = await step({ red: '{"action":null}', blue: 'I do not know.' });
    const notes = { blue: { code: 'order/not-an-order' } };
    expect(rest?.data.observation).toMatchObject({ asked: ['green'], notes });
    const next = await step({ green: { action: null } });
    expect(next?.data.observation).toMatchObject({ asked: ['red', 'blue', 'green'] });
    expect(Object.keys(next?.data.observation.questions ?? {})).toEqual(['red', 'blue', 'green']);
    const last = await step({ red: 4, blue: 'I do not know.', green: { action: null } });
    expect(Object.keys(last?.data.observation.notes ?? {})).toEqual(['red', 'blue']);
    await close();
  });

  test('takes the text of a model with its thoughts around the JSON', async () => {
    const { ask, close } = connect();
    const first = await ask({ type: 'reset', data: { seed: 7, players: 4 } });
    const action = first?.data.observation.choices.actions[0];
    const text = `<think>Hm.</think>\nI go.\n\`\`\`json\n${JSON.stringify({ action })}\n\`\`\``;
    const next = await ask({ type: 'step', data: { text } });
    expect(next?.data.observation).toMatchObject({ note: null });
    await close();
  });

  test.each([
    ['no JSON', '{', 'INVALID_JSON'],
    ['no object', '[]', 'UNKNOWN_TYPE'],
    ['an unknown type', { type: 'dance' }, 'UNKNOWN_TYPE'],
    ['a step before a reset', { type: 'step', data: { text: '' } }, 'EXECUTION_ERROR'],
    ['a step that is no object', { type: 'step', data: 4 }, 'VALIDATION_ERROR'],
    ['a seed below 0', { type: 'reset', data: { seed: -1 } }, 'VALIDATION_ERROR'],
    ['an unknown seat', { type: 'reset', data: { seats: ['mauve'] } }, 'VALIDATION_ERROR'],
    ['a seat that is not there', { type: 'reset', data: { seats: ['tan'] } }, 'EXECUTION_ERROR'],
  ])('answers %s with an error, and goes on', async (_, frame, code) => {
    const { ask, close } = connect();
    expect(await ask(frame)).toMatchObject({ type: 'error', data: { code } });
    expect(await ask({ type: 'reset', data: {} })).toMatchObject({ type: 'observation' });
    expect(
      await ask({ type: 'step', data: { text: '{"action":null}', seat: 'green' } }),
    ).toMatchObject({ type: 'error', data: { code: 'EXECUTION_ERROR' } });
    await close();
  });

  test('is limited in number, ends with its socket, and is cut off when it floods', async () => {
    const clients = Array.from({ length: MOST }, connect);
    await Promise.all(clients.map(({ ready }) => ready));
    const late = connect();
    expect(await late.heard()).toMatchObject({ data: { code: 'CAPACITY_REACHED' } });
    expect(await late.heard()).toBeNull();
    const [one, two, three] = clients;
    await one?.close();
    await expect.poll(() => door.sessions.size).toBe(MOST - 1);
    await two?.ask({ type: 'reset' });
    for (let sent = 0; sent < 500; sent++) two?.socket.send('{"type":"state"}');
    three?.socket.send(' '.repeat(1_000_001));
    while ((await two?.heard()) !== null);
    while ((await three?.heard()) !== null);
    expect(two?.code()).toBe(1008);
    expect(three?.code()).toBe(1009);
    for (const { close } of clients) await close();
    await expect.poll(() => door.sessions.size).toBe(0);
  });

  testLong(
    'answers in time that it is not done yet, and a client that goes on hears the end',
    async () => {
      const { promise, resolve } = Promise.withResolvers<readonly object[]>();
      const session = new OpenEnvSession({ ...host, credit: () => promise });
      const ask = async (type: string, data: object): Promise<Frame> =>
        JSON.parse((await session.answer(JSON.stringify({ type, data }))) ?? '');
      let frame = await ask('reset', { seed: 3, players: 4, credit: true });
      const notes: unknown[] = [];
      while (!frame.data.done) {
        const { note, choices } = frame.data.observation;
        if (note !== null) {
          notes.push(note.code);
          expect(choices).toMatchObject({ votes: [], actions: [], targets: [] });
          resolve([{ credit: 1 }]);
        }
        frame = await ask('step', { action: choices.actions[0] ?? null });
      }
      expect(notes).toEqual(['environment/not-yet']);
      expect(frame.data.observation.credits).toEqual([{ credit: 1 }]);
      session.close();
    },
  );

  const frames = seeds(300, 10_000);
  test(`survives ${frames} odd frames, and never tells a secret of another seat`, async () => {
    const draw = (at: number) => drawWords({ seed: SEED, meeting: 0, stream: 'run', tick: at }, 4);
    const canary = 'canary-of-another-seat';
    const spoken = { internal_thought: canary, scratchpad_updates: { main_scratch: canary } };
    const opponents = Object.fromEntries(
      ['blue', 'green', 'pink'].map((seat) => [
        seat,
        {
          pace: 'at-once' as const,
          answer: (asked: Parameters<typeof replyLegally>[0]) => {
            return { ok: true as const, received: { ...replyLegally(asked, 2), ...spoken } };
          },
        },
      ]),
    );
    const session = new OpenEnvSession({
      ...host,
      open: ({ players = 8 }) =>
        openEnvironment({ players, seats: ['red'], opponents, turnLimit: 60 }),
    });
    const values = [
      null,
      1,
      'red',
      '',
      [],
      {},
      { text: 1 },
      { text: '{"action":null}' },
      { seat: 'red' },
    ];
    const types = ['step', 'step', 'step', 'reset', 'state', 'mcp', 'noise', 7, { toString: 1 }];
    for (let at = 0; at < frames; at++) {
      const [one = 0, two = 0, three = 0, four = 0] = draw(at);
      const value = values[two % values.length];
      const data = three % 5 === 0 ? { seed: four, text: value } : value;
      const whole = JSON.stringify({ type: types[one % types.length], data });
      const cut = four % 11 === 0 ? whole.slice(0, one % whole.length) : whole;
      const answer = await session.answer(cut);
      expect(['observation', 'error', 'state', 'mcp']).toContain(JSON.parse(answer ?? '{}').type);
      expect(answer).not.toContain(canary);
    }
    session.close();
  });
});

describe('the routes of OpenEnv', () => {
  const post = async (path: string, body: string) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${server.url}${path}`, { method: 'POST', body, headers });
    return { status: response.status, value: await response.json().catch(() => null) };
  };

  test('answer what their validation asks for', async () => {
    const get = async (path: string): Promise<Record<string, object>> =>
      JSON.parse(await (await fetch(`${server.url}${path}`)).text());
    expect(await get('health')).toEqual({ status: 'healthy' });
    expect(await get('metadata')).toMatchObject({ name: 'glass-box-league' });
    const { paths } = await get('openapi.json');
    expect(Object.keys(paths ?? {})).toEqual(expect.arrayContaining(['/reset', '/step', '/state']));
    const { action } = await get('schema');
    expect(action).toMatchObject({ title: 'Reply', required: ['text'] });
    expect((await post('mcp', '{}')).value).toMatchObject({ jsonrpc: '2.0' });
  });

  test.each([
    ['reset', 'no body', '', 200],
    ['reset', 'a wrong seed', '{"seed":"x"}', 422],
    ['step', 'an action', '{"action":{"text":"{}"}}', 200],
    ['step', 'a number', '{"action":4}', 422],
    ['step', 'no JSON', '{', 422],
    ['reset', 'no JSON', '{', 422],
    ['reset', 'deep nesting', `{"seed":${'['.repeat(9000)}${']'.repeat(9000)}}`, 422],
    ['step', 'too many bytes', ' '.repeat(70_000), 413],
  ])('answer POST /%s with %s', async (path, _, body, status) => {
    expect((await post(path, body)).status).toBe(status);
  });

  test.each([
    ['another host', { host: 'example.com' }, 403],
    ['another page', { origin: 'http://example.com' }, 403],
  ])('refuse a socket of %s', async (_, headers, status) => {
    const found = await new Promise((resolve) => {
      const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
      const key = {
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        'sec-websocket-version': '13',
      };
      request({ port, path: '/ws', headers: { ...upgrade, ...key, ...headers } })
        .on('response', ({ statusCode }) => resolve(statusCode))
        .on('upgrade', () => resolve('upgraded'))
        .end();
    });
    expect(found).toBe(status);
  });
});
