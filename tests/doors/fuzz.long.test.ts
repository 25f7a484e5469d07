/**
 * Odd frames, requests and calls at the doors of a real `glassbox serve`. Every reply of a seat, and every persona, has
 * its owner's mark. No process ends, every answer is one of its protocol, and none has the mark or token of another seat.
 */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { Observation } from '../../actors/minds/observation.ts';
import { drawWords } from '../../machines/rules/dice.ts';
import { isRecord, parseJson } from '../../machines/text.ts';
import { COLOURS } from '../../machines/types.ts';
import { aPlace } from '../cli/session.ts';
import { contents } from '../cli/shell.ts';
import { ownersIn } from '../prompts/canaries.ts';
import { replyLegally } from '../support/policy.ts';
import { SEED } from '../support/seeds.ts';
import { Agent, readObject, serveTrainers, Trainer } from './clients.ts';

const FRAMES = Number(process.env['DOOR_FRAMES'] ?? 6500);
const REQUESTS = Number(process.env['DOOR_REQUESTS'] ?? 1500);
const CALLS = Number(process.env['DOOR_CALLS'] ?? 2000);

const SEATED = COLOURS.slice(0, 6);
const matchWith = (outside: readonly string[]) => `name: Marked
options: { kill_cooldown: 10, common_tasks: 1, long_tasks: 0, short_tasks: 2, max_ticks: 12 }
seats:
${SEATED.map((seat) => `  - { colour: ${seat}${outside.includes(seat) ? ', mind: outside' : ''}, persona: { name: ${seat}, temperament: observer, notes: CANARY-${seat}-persona } }`).join('\n')}
`;

class Dice {
  #at = 0;
  readonly #meeting: number;

  constructor(meeting: number) {
    this.#meeting = meeting;
  }

  below(most: number): number {
    const [word = 0] = drawWords(
      { seed: SEED, meeting: this.#meeting, stream: 'run', tick: this.#at++ },
      1,
    );
    return word % most;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)];
    if (found === undefined) throw new Error('expected something to pick from');
    return found;
  }
}

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Texts in the place of a value. */
const ODD_VALUES = [
  ...['null', 'true', '-1', '0.5', '1e999', '-0', 'NaN', '9007199254740993', '""', '[]', '{}'],
  ...[
    '"\\ud800"',
    '"\\u0000"',
    '"\ud83d"',
    '"\\u202e\\u001b[31m"',
    '"__proto__"',
    '"tan"',
    '"all"',
  ],
  ...['["red","red"]', '{"__proto__":{"type":"step"}}', '{"toString":1,"constructor":null}'],
  ...['{"text":"{}","text":4}', deep(30), deep(5000), '[,]', "'red'", 'undefined', '// red', '"'],
  `"${'x'.repeat(100_000)}"`,
  `{"action":${deep(2000)}}`,
];

const ODD_TEXTS = [
  ...['', ' ', '{', 'null', '4', '"reset"', '[]', '{}', '\u0000', '\ufeff{}', '{"type":"mcp"}'],
  ...[
    '{"type":"reset","type":"step"}',
    '{"__proto__":1}',
    '<xml/>',
    'GET / HTTP/1.1',
    deep(300_000),
  ],
  'x'.repeat(900_000),
];

/** One change of a text of JSON: of a value, a key, some characters, or all of it. */
function spoil(text: string, dice: Dice): string {
  const at = dice.below(text.length + 1);
  const to = at + dice.below(20);
  switch (dice.below(12)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(to);
    case 2:
      return text.slice(0, to) + text.slice(at);
    case 3:
      return `${text.slice(0, at)}${String.fromCharCode(dice.below(0x1_00_00))}${text.slice(at + 1)}`;
    case 4:
      return dice.below(20) === 0 ? dice.pick(ODD_TEXTS) : `${text}${text}`;
    case 5: {
      const keys = [...text.matchAll(/"(\w+)":/g)];
      const key = keys[dice.below(Math.max(1, keys.length))]?.[0] ?? '"type":';
      return text.replace(
        key,
        dice.pick(['"__proto__":', '"constructor":', '"":', `${key}1,${key}`]),
      );
    }
    default: {
      const values = [...text.matchAll(/:("(?:[^"\\]|\\.)*"|[\d.]+|true|null|\{\})/g)];
      const found = values[dice.below(Math.max(1, values.length))];
      if (found === undefined) return dice.pick(ODD_VALUES);
      const [whole, value = ''] = found;
      const start = found.index + whole.length - value.length;
      return text.slice(0, start) + dice.pick(ODD_VALUES) + text.slice(start + value.length);
    }
  }
}

function reply(asked: Pick<Observation, 'kind' | 'index' | 'seat' | 'choices'>, seed: number) {
  const { seat } = asked;
  const mark = (what: string) => `CANARY-${seat}-${what}`;
  const pads = { main_scratch: mark('main'), meeting_scratch: mark('meeting') };
  const secrets = { internal_thought: mark('thought'), scratchpad_updates: pads };
  return { ...replyLegally(asked, seed), ...secrets };
}

/** The seats whose marks are in a text, without these. A spoiled mark belongs to nobody. */
const strangersIn = (text: string, ...own: readonly unknown[]) =>
  SEATED.filter((seat) => ownersIn(text).has(seat) && !own.includes(seat));

const CODES = ['INVALID_JSON', 'UNKNOWN_TYPE', 'VALIDATION_ERROR', 'EXECUTION_ERROR'];

test(`trainers: ${FRAMES} frames and ${REQUESTS} requests end no process and reveal no secret`, async () => {
  const dice = new Dice(0);
  const place = aPlace({ 'marked.yaml': matchWith([]) });
  const { server, url } = await serveTrainers(['marked.yaml', '--turns', '80'], place.cwd);
  let trainer = new Trainer(url);
  let asked: Observation | null = null;
  const counts: Record<string, number> = {};
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const reset = () => {
    const some = SEATED.filter(() => dice.below(3) > 0);
    const seats = dice.below(3) === 0 ? [...SEATED] : [...some, 'red'];
    const parts = ['choices', ...['prompt', 'view', 'schema'].filter(() => dice.below(2) === 0)];
    return { type: 'reset', data: { seed: dice.below(1000), seats, parts, episode_id: 'e' } };
  };
  const frame = (): object => {
    const kind = dice.below(20);
    if (asked === null || (kind === 0 && dice.below(20) === 0)) return reset();
    if (kind === 1) return { type: 'state' };
    if (kind === 2) return { type: 'mcp', data: {} };
    const answer = reply(asked, dice.below(1000));
    if (kind === 3) {
      const seat = dice.pick(['red', 'blue', 'tan'] as const);
      return { type: 'step', data: { ...reply({ ...asked, seat }, 1), seat } };
    }
    return { type: 'step', data: { text: JSON.stringify(answer), metadata: {} } };
  };
  for (let at = 0; at < FRAMES; at++) {
    const text = JSON.stringify(frame());
    const isOdd = asked !== null && !text.includes('"seat":') && dice.below(2) === 0;
    const sent = isOdd ? spoil(text, dice) : text;
    const seat = asked?.seat;
    const raw = isOdd && dice.below(30) === 0 ? Buffer.from(sent) : sent;
    const heard = await trainer.ask(raw);
    if (heard === null) {
      count('closed');
      expect([1000, 1007, 1009], sent.slice(0, 300)).toContain(trainer.code);
      trainer = new Trainer(url);
      asked = null;
      continue;
    }
    const { type, data } = readObject(heard);
    if (!isRecord(data)) throw new Error(heard);
    count(type === 'error' ? String(data['code']) : String(type));
    expect(['observation', 'state', 'mcp', 'error']).toContain(type);
    if (type === 'error') expect(CODES, sent.slice(0, 300)).toContain(data['code']);
    if (type === 'error') expect(data['message']).not.toBe('this cannot be played');
    const { observation } = data;
    if (type !== 'observation' || !isRecord(observation)) {
      expect(strangersIn(heard, seat), sent.slice(0, 300)).toEqual([]);
      continue;
    }
    // The note quotes the reply of the seat that has stepped.
    const { note, ...shown } = observation;
    expect(strangersIn(JSON.stringify(note), seat), sent.slice(0, 300)).toEqual([]);
    expect(strangersIn(JSON.stringify(shown), shown['seat']), sent.slice(0, 300)).toEqual([]);
    if (data['done'] === true) count('games');
    if (ownersIn(JSON.stringify(shown)).size > 0) count('own marks');
    asked =
      data['done'] === true || !('choices' in shown)
        ? null
        : (JSON.parse(heard).data.observation as Observation);
  }
  await trainer.close();
  console.log(`seed ${SEED}: ${JSON.stringify(counts)}`);
  const { hostname, port } = new URL(url);
  const statuses: Record<string, number> = {};
  for (let at = 0; at < REQUESTS; at++) {
    const path = dice.pick([
      'reset',
      'step',
      'reset',
      'step',
      'mcp',
      'state',
      'schema',
      'health',
      'ws',
    ]);
    const fields =
      path === 'step' ? { action: { text: '{"action":null}' } } : { seed: 1, seats: ['red'] };
    const body = dice.below(3) === 0 ? JSON.stringify(fields) : spoil(JSON.stringify(fields), dice);
    const method = dice.pick(['POST', 'POST', 'POST', 'GET', 'HEAD', 'PUT', 'OPTIONS']);
    const lines = [`${method} /${path} HTTP/1.1`, `Host: ${hostname}:${port}`, 'Connection: close'];
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
    const isOdd = dice.below(4) === 0;
    const head = isOdd ? spoil(lines.join('\r\n'), dice) : lines.join('\r\n');
    const heard = await exchange(Number(port), `${head}\r\n\r\n${body}`, isOdd);
    const status = /^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1] ?? heard;
    statuses[status] = (statuses[status] ?? 0) + 1;
    const expected = ['200', '400', '403', '404', '405', '413', '417', '422', '426', '431', '501'];
    const whole = `${head}\n${body.slice(0, 300)}`;
    expect(isOdd ? ['', ...expected] : expected, whole).toContain(status);
    expect(strangersIn(heard, 'red'), whole).toEqual([]);
  }
  console.log(JSON.stringify(statuses));
  const last = new Trainer(url);
  expect(readObject((await last.ask({ type: 'reset' })) ?? '')['type']).toBe('observation');
  await last.close();
  server.signal('SIGINT');
  expect((await server.finished).exit).toBe(0);
});

/** Sends bytes, half closes the connection if they are the last, and returns the answer. */
function exchange(port: number, text: string, isLast: boolean): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect({ port, host: '127.0.0.1' });
    socket.setEncoding('utf8').on('data', (piece: string) => {
      heard += piece;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(heard));
    socket.write(text);
    if (isLast) socket.end();
  });
}

/** A line with a call, most of them spoiled. */
function drawCall(dice: Dice, held: { game: string; token: string }, answer: object, id: string) {
  const name = dice.pick(['look', 'look', 'act', 'act', 'act', 'games', 'join', 'leave', 'dance']);
  const wrong = name === 'leave' ? ['wrong'] : [held.token, held.token, 'wrong', ''];
  const token = dice.pick(wrong);
  const args = { ...held, token, ...(name === 'act' && { reply: answer }) };
  const params = { name, arguments: args };
  const text = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
  const sent = (dice.below(4) === 0 ? text : spoil(text, dice)).replaceAll('\n', ' ');
  const bytes = Buffer.from(sent);
  return dice.below(30) === 0 ? Buffer.concat([bytes, Buffer.from([0xff, 0xfe])]) : sent;
}

test(`agents: ${CALLS} calls end no process and reveal no secret`, async () => {
  const dice = new Dice(1);
  const outside = ['red', 'blue', 'green'];
  const place = aPlace({ 'marked.yaml': matchWith(outside) });
  const agent = new Agent(['marked.yaml', '--out', 'games'], place.cwd);
  await agent.greet();
  const tokens = new Map<string, string>();
  const counts: Record<string, number> = {};
  const readText = (result: unknown) => {
    const { content } = isRecord(result) ? result : {};
    const [first]: readonly unknown[] = Array.isArray(content) ? content : [];
    const value = parseJson(isRecord(first) ? String(first['text']) : '');
    return isRecord(value) ? value : {};
  };
  /** Fails for a mark or token of a seat whose token was not sent. An error may quote the line that was sent. */
  const judge = (line: string, sent: string) => {
    const own = [...tokens].filter(([, token]) => sent.includes(token)).map(([seat]) => seat);
    const { result, error } = readObject(line);
    const refusal = /"isError":\w+/.exec(JSON.stringify(result) ?? '')?.[0] ?? 'other';
    const what = isRecord(error) ? `error ${String(error['code'])}` : refusal;
    counts[what] = (counts[what] ?? 0) + 1;
    const { seat } = readText(result);
    if (own.length > 0 && seat !== undefined) expect(own, sent.slice(0, 300)).toContain(seat);
    expect(strangersIn(line, ...own, ...ownersIn(sent)), sent.slice(0, 300)).toEqual([]);
    for (const [, token] of tokens) expect(line).not.toContain(token);
  };
  let made = 0;
  let games = 0;
  const waits = new Map<unknown, string>();
  const due: string[] = [];
  const sentBy = new Map<unknown, string>();
  /** Lines before an answer: those that were waited for come later. An answer may be to an earlier line. */
  const take = (heard: readonly string[]) => {
    for (const line of heard) {
      const { id } = readObject(line);
      if (waits.has(id)) due.push(line);
      else judge(line, sentBy.get(id) ?? [...sentBy.values()].slice(-20).join('\n'));
    }
  };
  while (made < CALLS) {
    tokens.clear();
    games += 1;
    for (const seat of outside) {
      const params = { name: 'join', arguments: { seat } };
      agent.write({ jsonrpc: '2.0', id: `join-${seat}`, method: 'tools/call', params });
    }
    const game = `g${games}`;
    while (tokens.size < outside.length) {
      const line = (await agent.hear()) ?? '';
      const { id, result } = readObject(line);
      if (!String(id).startsWith('join')) {
        take([line]);
        continue;
      }
      const joined = readText(result);
      expect(joined['game']).toBe(game);
      tokens.set(String(joined['seat']), String(joined['token']));
    }
    const page = /http:\S+(?=play)/.exec(agent.err)?.[0] ?? '';
    const hidden = ['events?lens=glass', 'events?lens=player:red', 'seat?seat=wrong', 'seat/look'];
    for (const path of hidden) expect((await fetch(`${page}${path}`)).status).toBe(403);
    let isOver = false;
    for (let turn = 0; !isOver || waits.size > 0; turn++) {
      for (const [seat, token] of tokens) {
        if (isOver || [...waits.values()].includes(seat)) continue;
        const id = `wait-${seat}-${turn}`;
        waits.set(id, seat);
        const params = { name: 'wait', arguments: { game, token } };
        agent.write({ jsonrpc: '2.0', id, method: 'tools/call', params });
      }
      const line = due.shift() ?? (await agent.hear()) ?? '';
      const { id, result } = readObject(line);
      const seat = SEATED.find((one) => one === waits.get(id));
      if (seat === undefined) throw new Error(`nobody waited for ${line}`);
      waits.delete(id);
      const held = { game, token: tokens.get(seat) ?? '' };
      judge(line, held.token);
      const found = readText(result);
      isOver ||= found['state'] === 'over';
      const asked = found['asked'];
      const question = isRecord(asked) ? { ...(asked as Observation), seat } : null;
      const answer = question === null ? {} : reply(question, dice.below(1000));
      for (let odd = dice.below(8); odd > 0 && made < CALLS; odd--) {
        // As long as all others: a spoiled one is no other one.
        const name = `call-${100_000 + made}`;
        const sent = drawCall(dice, held, answer, name);
        sentBy.set(name, String(sent));
        made += 1;
        agent.write(sent);
        take((await agent.ask('ping')).before);
      }
      if (question !== null) take((await agent.call('act', { ...held, reply: answer })).before);
    }
  }
  console.log(`seed ${SEED}: ${games} games, ${JSON.stringify(counts)}`);
  agent.process.stdin?.end();
  expect(await agent.finished).toBe(0);
  const names = contents(place.path('games')).filter((name) => name.endsWith('.jsonl'));
  expect(names).toHaveLength(games);
  for (const name of names) await place.done(['verify', `games/${name}`]);
});
