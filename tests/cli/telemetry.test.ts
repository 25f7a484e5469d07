/** OpenTelemetry on the command line: sent while a match is played, sent or written afterwards, and never in its way. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import {
  attributesOf,
  type CollectedSpan,
  Collector,
  type CollectorReply,
  readOfficially,
  spansOf,
} from '../support/collector.ts';
import { FakeEndpoint, type FakeOptions } from '../support/endpoint/fakeEndpoint.ts';
import { testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, contents, failureLine, glassbox, Running } from './shell.ts';

const open: { close(): Promise<void> }[] = [];
afterAll(async () => {
  await Promise.all(open.map((server) => server.close()));
});

async function anEndpoint(options: FakeOptions = {}): Promise<readonly string[]> {
  const endpoint = await FakeEndpoint.open(options);
  open.push(endpoint);
  return ['--model', 'gemma', '--base-url', endpoint.baseUrl];
}

async function aCollector(reply?: (nth: number) => CollectorReply): Promise<Collector> {
  const collector = await Collector.open(reply);
  open.push(collector);
  return collector;
}

const to = ({ url }: Collector, more: Readonly<Record<string, string>> = {}) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  ...more,
});
const MEET = [
  'meet',
  '--seed',
  '3',
  '--max-ticks',
  '3',
  '--vote-after',
  '2',
  '-q',
  '--out',
  'm.jsonl',
];
const KEY = 'sup3r-s3cret-value';

const ids = (spans: readonly CollectedSpan[]) => spans.map(({ spanId }) => spanId).toSorted();
const roots = (spans: readonly CollectedSpan[]) =>
  spans.filter(({ parentSpanId }) => parentSpanId === undefined);

/** The spans of a journal that is there, as `export` writes them. */
async function exported(cwd: string, path: string): Promise<readonly CollectedSpan[]> {
  const words = ['export', path, '--format', 'otlp', '-o', 'spans.jsonl'];
  expect(await warmGlassbox(words, { cwd })).toMatchObject({ exit: 0, err: '' });
  const lines = readFileSync(join(cwd, 'spans.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.flatMap((line) => spansOf(readOfficially(line)));
}

describe.concurrent('a match with a collector', () => {
  testLong.each(['http/protobuf', 'http/json'])(
    'is sent as %s while it is played, with the ids that its journal has afterwards',
    async (protocol) => {
      const [collector, model] = [await aCollector(), await anEndpoint()];
      const cwd = aFolder();
      const env = to(collector, {
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_HEADERS: `x-key=${KEY}`,
        OTEL_SERVICE_NAME: 'my league',
      });
      const played = await warmGlassbox([...MEET, ...model], { cwd, env });
      expect(played).toMatchObject({ exit: 0, err: '' });
      expect(collector.requests.every(({ headers }) => headers['x-key'] === KEY)).toBe(true);
      const [root] = roots(collector.spans);
      expect(root?.name).toBe('invoke_workflow meeting');
      const [first] = collector.taken;
      const resource = first?.resourceSpans[0]?.resource ?? { attributes: [] };
      expect(attributesOf(resource)['service.name']).toBe('my league');
      const calls = collector.spans.filter(({ name }) => name === 'chat gemma');
      expect(calls.length).toBeGreaterThan(10);
      const told = attributesOf(calls[0] ?? { attributes: [] });
      expect(told['gen_ai.usage.input_tokens']).toBeGreaterThan(0);
      expect(told['gen_ai.output.messages']).toBeUndefined();
      expect(JSON.stringify(collector.taken)).not.toContain(KEY);
      const after = await exported(cwd, 'm.jsonl');
      expect(ids(after)).toEqual(ids(collector.spans));
      expect(new Set(ids(after)).size).toBe(after.length);
      expect(after[0]?.traceId).toBe(root?.traceId);
    },
  );

  testLong(
    'of scripts on simulated time is sent, and its journal is the same byte for byte',
    async () => {
      const collector = await aCollector();
      const [cwd, other] = [aFolder(), aFolder()];
      const game = ['run', '--seed', '7', '-q', '--no-live', '--out', 'g'];
      const plain = await warmGlassbox(game, { cwd: other });
      const sent = await warmGlassbox(game, { cwd, env: to(collector) });
      expect(sent).toEqual(plain);
      const journal = readFileSync(join(cwd, 'g/0001.jsonl'), 'utf8');
      expect(journal).toBe(readFileSync(join(other, 'g/0001.jsonl'), 'utf8'));
      const rounds = journal.split('"type":"round.closed"').length - 1;
      expect(collector.spans.filter(({ name }) => name === 'round')).toHaveLength(rounds);
      expect(roots(collector.spans).map(({ name }) => name)).toEqual(['invoke_workflow game']);
    },
  );

  testLong('of several games is a trace each', async () => {
    const [collector, model] = [await aCollector(), await anEndpoint()];
    const game = ['run', '-n', '2', '--seed', '5', '-q', '--players', '4', '--max-calls', '60'];
    const words = [...game, ...model, '--out', 'g', '--no-live'];
    const played = await warmGlassbox(words, { cwd: aFolder(), env: to(collector) });
    expect(played.exit).toBe(0);
    expect(roots(collector.spans)).toHaveLength(2);
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(2);
  });

  testLong('tells what models answered where that is asked for', async () => {
    const [collector, model] = [await aCollector(), await anEndpoint()];
    const env = to(collector, { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' });
    await warmGlassbox([...MEET, ...model], { cwd: aFolder(), env });
    const text = JSON.stringify(collector.spans);
    expect(text).toContain('gen_ai.output.messages');
    expect(text).toContain('internal_thought');
  });

  testLong('that is killed and resumed is one trace, and no span ends twice', async () => {
    const collector = await aCollector();
    const model = await anEndpoint();
    const cwd = aFolder();
    const game = [
      'run',
      '--seed',
      '6',
      '-q',
      '--no-live',
      '--players',
      '5',
      '--out',
      'g',
      ...model,
    ];
    const running = new Running(game, { cwd, env: to(collector) });
    const path = join(cwd, 'g/0001.jsonl');
    await vi.waitUntil(
      () => existsSync(path) && readFileSync(path, 'utf8').split('\n').length > 40,
      {
        timeout: 300_000,
      },
    );
    running.process.kill('SIGKILL');
    await running.finished;
    const resumed = await warmGlassbox(['resume', 'g/0001.jsonl'], { cwd, env: to(collector) });
    expect(resumed.exit).toBe(0);
    const { spans } = collector;
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(ids(spans)).size).toBe(spans.length);
    expect(roots(spans)).toHaveLength(1);
    const whole = await exported(cwd, 'g/0001.jsonl');
    expect(whole[0]?.traceId).toBe(spans[0]?.traceId);
    const known = new Set(ids(whole));
    expect(ids(spans).filter((id) => !known.has(id))).toEqual([]);
    // The game began before the process that has ended it.
    const [root] = roots(spans);
    const first = spans.find(({ name }) => name === 'round');
    expect(BigInt(root?.startTimeUnixNano ?? 0)).toBeLessThanOrEqual(
      BigInt(first?.startTimeUnixNano ?? 0),
    );
  });

  testLong('and its fork are one trace, in which no span ends twice', async () => {
    const [collector, model] = [await aCollector(), await anEndpoint()];
    const cwd = aFolder();
    await warmGlassbox([...MEET, ...model], { cwd, env: to(collector) });
    const before = collector.spans.length;
    const fork = ['fork', 'm.jsonl', '--at', '2', '--player', 'red', '--say', 'It was me.'];
    const forked = await warmGlassbox([...fork, '--out', 'f.jsonl'], { cwd, env: to(collector) });
    expect(forked.exit).toBe(0);
    const { spans } = collector;
    expect(spans.length).toBeGreaterThan(before + 5);
    expect(new Set(ids(spans)).size).toBe(spans.length);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(roots(spans)).toHaveLength(1);
    const whole = await exported(cwd, 'f.jsonl');
    expect(whole[0]?.traceId).toBe(spans[0]?.traceId);
  });

  testLong('of a league is sent when it is over', async () => {
    const [collector, model] = [await aCollector(), await anEndpoint()];
    const [, name, , url] = model;
    const cup = `name: cup
seed: 3
games: 2
round: 1
players: 4
options: { max_rounds: 6 }
personas:
  - { name: one, mind: openai, model: ${name}, base_url: '${url}' }
  - { name: two, temperament: leader }
  - { name: three, temperament: joker }
  - { name: four, temperament: sceptic }
`;
    const cwd = aFolder({ 'cup.yaml': cup });
    const env = to(collector, { REDIS_URL: '' });
    const played = await warmGlassbox(['league', 'run', 'cup.yaml', '--out', 'games'], {
      cwd,
      env,
    });
    expect(played.exit).toBe(0);
    expect(roots(collector.spans)).toHaveLength(2);
    const whole = await exported(cwd, 'games/0001.jsonl');
    const known = new Set(ids(collector.spans));
    expect(ids(whole).filter((id) => !known.has(id))).toEqual([]);
  });

  testLong('goes on where the collector is down, with one note', async () => {
    const [collector, model] = [await aCollector(), await anEndpoint()];
    const env = to(collector);
    await collector.close();
    open.splice(open.indexOf(collector), 1);
    const cwd = aFolder();
    const played = await warmGlassbox([...MEET, ...model], { cwd, env });
    expect(played.exit).toBe(0);
    expect(played.err.match(/telemetry:.*ECONNREFUSED/g)).toHaveLength(1);
    expect(contents(cwd)).toEqual(['m.jsonl']);
  });

  test.each<readonly [string, CollectorReply, RegExp]>([
    ['refuses', { status: 401, body: `no ${KEY}` }, /does not take all spans: status 401/],
    ['fails', { status: 500 }, /status 500/],
  ])(
    'goes on where the collector %s, with one note and without the key',
    async (_, reply, note) => {
      const collector = await aCollector(() => reply);
      const env = to(collector, { OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${KEY}` });
      const played = await warmGlassbox(MEET, { cwd: aFolder(), env });
      expect(played.exit).toBe(0);
      expect(played.err).toMatch(note);
      expect(played.err.match(/telemetry:/g)).toHaveLength(1);
      expect(played.err).not.toContain(KEY);
    },
  );

  testLong('goes on where the collector never answers, and ends', async () => {
    const collector = await aCollector(() => 'silence');
    const played = await warmGlassbox(MEET, { cwd: aFolder(), env: to(collector) });
    expect(played.exit).toBe(0);
    expect(played.err).toMatch(/no answer in time/);
  });

  test.each<readonly [Readonly<Record<string, string>>, RegExp]>([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, /expected the address of a collector/],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      /expected http\/protobuf or http\/json, found grpc/,
    ],
  ])('is played where %j makes no sense, with a note', async (env, note) => {
    const played = await warmGlassbox(MEET, { cwd: aFolder(), env });
    expect(played.exit).toBe(0);
    expect(played.err).toMatch(note);
  });

  testLong('is not sent where telemetry is switched off', async () => {
    const collector = await aCollector();
    const env = to(collector, { OTEL_SDK_DISABLED: 'true' });
    expect(await warmGlassbox(MEET, { cwd: aFolder(), env })).toMatchObject({ exit: 0, err: '' });
    expect(collector.requests).toEqual([]);
  });

  testLong('that is only counted is not sent, and says so', async () => {
    const collector = await aCollector();
    const words = ['run', '-n', '3', '-q', '--seed', '1', '--out', 'many'];
    const played = await warmGlassbox(words, { cwd: aFolder(), env: to(collector) });
    expect(played.exit).toBe(0);
    expect(played.err).toMatch(/many games of offline minds are not sent/);
    expect(collector.requests).toEqual([]);
  });
});

describe.concurrent('export --format otlp', () => {
  const cwd = aFolder();
  const played = warmGlassbox(MEET, { cwd });
  const words = ['export', 'm.jsonl', '--format', 'otlp'];

  testLong('begins at --start, and has the same ids wherever it begins', async () => {
    await played;
    const place = aFolder({ 'm.jsonl': readFileSync(join(cwd, 'm.jsonl')) });
    const start = '2026-01-02T03:04:05Z';
    const one = await warmGlassbox([...words, '--start', start, '-o', 'a'], { cwd: place });
    expect(one).toMatchObject({ exit: 0, err: '' });
    expect(one.out).toMatch(/^m\.jsonl: \d+ spans of trace [0-9a-f]{32} in a\n$/);
    const spans = spansOf(readOfficially(readFileSync(join(place, 'a'), 'utf8').trim()));
    expect(roots(spans)[0]?.startTimeUnixNano).toBe(`${Date.parse(start)}000000`);
    expect(ids(await exported(place, 'm.jsonl'))).toEqual(ids(spans));
  });

  testLong('takes standard input, and a journal that breaks off', async () => {
    await played;
    const text = readFileSync(join(cwd, 'm.jsonl'), 'utf8');
    const half = text.slice(0, text.lastIndexOf('"type":"tick.closed"'));
    const place = aFolder();
    const done = await glassbox(['export', '-', '--format', 'otlp', '-o', 'a'], {
      cwd: place,
      input: half,
    });
    expect(done.exit).toBe(65);
    expect(done.out).toMatch(/1 that have not ended are left out/);
  });

  test('sends to the collector of the environment', async () => {
    await played;
    const collector = await aCollector();
    const done = await warmGlassbox([...words, '--send'], { cwd, env: to(collector) });
    expect(done).toMatchObject({ exit: 0, err: '' });
    expect(done.out).toContain(`sent to ${collector.url}`);
    expect(roots(collector.spans)).toHaveLength(1);
  });

  const refused: readonly (readonly [
    string,
    readonly string[],
    Readonly<Record<string, string>>,
    number,
    string,
  ])[] = [
    ['without a collector', [...words, '--send'], {}, 78, 'telemetry/off'],
    [
      'to a collector that is down',
      [...words, '--send'],
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
      69,
      'telemetry/not-taken',
    ],
    ['with a lens', [...words, '-o', 'x', '--lens', 'table'], {}, 2, 'usage/export-format'],
    ['without thoughts', [...words, '-o', 'x', '--no-thoughts'], {}, 2, 'usage/export-format'],
    [
      'a page that is sent',
      ['export', 'm.jsonl', '-o', 'x', '--send'],
      {},
      2,
      'usage/export-format',
    ],
    ['from no time', [...words, '-o', 'x', '--start', 'noon'], {}, 2, 'usage/invalid-argument'],
    [
      'in another format',
      ['export', 'm.jsonl', '--format', 'zipkin'],
      {},
      2,
      'usage/invalid-argument',
    ],
  ];

  test.each(refused)('%s is refused', async (_, line, env, exit, code) => {
    await played;
    const done = await warmGlassbox(line, { cwd, env });
    expect(done.exit).toBe(exit);
    expect(done.err).toMatch(failureLine(''));
    expect(done.err).toContain(`[${code}]`);
    expect(contents(cwd)).toEqual(['m.jsonl']);
  });
});
