/** Sending spans over real sockets: a collector that is down, slow or unwilling costs a note, and a bounded time. */
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { TimePort } from '../../../actors/ports/ports.ts';
import { realWeb } from '../../../actors/ports/web.ts';
import type { OtlpSpan } from '../../../actors/telemetry/otlp.ts';
import {
  BATCH_SPANS,
  CLOSE_MS,
  type ExporterOptions,
  SpanExporter,
} from '../../../actors/telemetry/spanExporter.ts';
import {
  attributesOf,
  Collector,
  type CollectorReply,
  encodePartialSuccess,
} from '../../support/collector.ts';

/** Time that passes by hand: waits are over at once and noted, timers go off when they are called by their length. */
class HandTime implements TimePort {
  readonly slept: number[] = [];
  readonly #timers = new Map<object, { readonly ms: number; readonly fn: () => void }>();

  setTimeout(fn: () => void, ms: number): unknown {
    const id = {};
    this.#timers.set(id, { ms, fn });
    return id;
  }

  clearTimeout(id: unknown): void {
    if (typeof id === 'object' && id !== null) this.#timers.delete(id);
  }

  /** Lets the timers of that length go off. */
  fire(ms: number): void {
    for (const [id, timer] of [...this.#timers]) {
      if (timer.ms !== ms) continue;
      this.#timers.delete(id);
      timer.fn();
    }
  }

  get pending(): readonly number[] {
    return [...this.#timers.values()].map(({ ms }) => ms);
  }

  now(): number {
    return 0;
  }

  date(): number {
    return 0;
  }

  async sleep(ms: number): Promise<void> {
    this.slept.push(ms);
  }

  async idle(): Promise<void> {}
}

const open: Collector[] = [];
afterAll(async () => {
  await Promise.all(open.map((collector) => collector.close()));
});

const TIMEOUT_MS = 7777;

async function anExporter(
  reply: (nth: number) => CollectorReply = () => 'take',
  settings: Partial<ExporterOptions['settings']> = {},
) {
  const collector = await Collector.open(reply);
  open.push(collector);
  const time = new HandTime();
  const notes: string[] = [];
  const exporter = new SpanExporter({
    settings: {
      url: `${collector.url}/v1/traces`,
      isJson: false,
      isPacked: false,
      headers: {},
      timeoutMs: TIMEOUT_MS,
      ...settings,
    },
    resource: { 'service.name': 'league', 'telemetry.sdk.version': '1.2.3' },
    web: realWeb,
    time,
    onNote: (text) => notes.push(text),
  });
  return { collector, time, notes, exporter };
}

function spans(count: number, from = 0): readonly OtlpSpan[] {
  return Array.from({ length: count }, (_, index) => ({
    traceId: 'a'.repeat(32),
    spanId: (index + from + 1).toString(16).padStart(16, '0'),
    name: `span ${index + from}`,
    kind: 1,
    startTimeUnixNano: '1',
    endTimeUnixNano: '2',
    attributes: [],
  }));
}

describe('spans', () => {
  test.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])(
    'are sent as JSON: %s, packed: %s, with headers and with what sends them',
    async (isJson, isPacked) => {
      const settings = { isJson, isPacked, headers: { 'x-team': 'red' } };
      const { collector, exporter, notes } = await anExporter(undefined, settings);
      exporter.add(spans(3));
      expect(await exporter.close()).toEqual({ taken: 3, lost: 0, reason: null });
      expect(collector.spans.map(({ name }) => name)).toEqual(['span 0', 'span 1', 'span 2']);
      const [request] = collector.requests;
      expect(request?.url).toBe('/v1/traces');
      expect(request?.headers['content-type']).toBe(
        isJson ? 'application/json' : 'application/x-protobuf',
      );
      expect(request?.headers['x-team']).toBe('red');
      const [resource] = collector.taken[0]?.resourceSpans ?? [];
      expect(attributesOf(resource?.resource ?? { attributes: [] })['service.name']).toBe('league');
      expect(resource?.scopeSpans[0]?.scope).toEqual({ name: 'glassbox', version: '1.2.3' });
      expect(notes).toEqual([]);
    },
  );

  test('wait for others, at most a few seconds', async () => {
    const { collector, exporter, time } = await anExporter();
    exporter.add(spans(1));
    exporter.add(spans(1, 1));
    expect(time.pending).toEqual([5000]);
    time.fire(5000);
    await vi.waitUntil(() => collector.spans.length === 2);
    expect(collector.requests).toHaveLength(1);
    expect(await exporter.close()).toMatchObject({ taken: 2, lost: 0 });
    expect(time.pending).toEqual([]);
  });

  test('go in batches, and none twice', async () => {
    const { collector, exporter, time } = await anExporter();
    exporter.add(spans(BATCH_SPANS - 1));
    expect(collector.requests).toHaveLength(0);
    expect(time.pending).toEqual([5000]);
    exporter.add(spans(BATCH_SPANS + 5, BATCH_SPANS - 1));
    expect(time.pending).not.toContain(5000);
    expect(await exporter.close()).toMatchObject({ taken: 2 * BATCH_SPANS + 4, lost: 0 });
    expect(collector.taken.map((one) => one.resourceSpans[0]?.scopeSpans[0]?.spans.length)).toEqual(
      [BATCH_SPANS, BATCH_SPANS, 4],
    );
    expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(2 * BATCH_SPANS + 4);
  });

  test('none: nothing is sent', async () => {
    const { collector, exporter } = await anExporter();
    exporter.add([]);
    expect(await exporter.close()).toEqual({ taken: 0, lost: 0, reason: null });
    expect(collector.requests).toEqual([]);
  });
});

describe('a collector', () => {
  /** What it does first, how often it is asked in all while a game goes on, the waits, and the spans that are lost of 4. */
  const rows: readonly (readonly [
    string,
    readonly CollectorReply[],
    number,
    readonly number[],
    number,
    RegExp | null,
  ])[] = [
    ['that is busy for a moment', [{ status: 503 }], 2, [1000], 0, null],
    ['that is busy twice', [{ status: 502 }, { status: 504 }], 3, [1000, 2000], 0, null],
    ['that says when', [{ status: 429, headers: { 'retry-after': '7' } }], 2, [7000], 0, null],
    [
      'that says much later',
      [{ status: 429, headers: { 'retry-after': '900' } }],
      2,
      [30_000],
      0,
      null,
    ],
    [
      'that is busy for good',
      Array.from({ length: 9 }, () => ({ status: 503 })),
      5,
      [1000, 2000, 4000, 8000],
      4,
      /status 503/,
    ],
    [
      'that refuses the request',
      [{ status: 400, body: Buffer.from('\x12\x03bad') }],
      1,
      [],
      4,
      /status 400, bad/,
    ],
    ['that refuses the key', [{ status: 401 }], 1, [], 4, /status 401/],
    [
      'that is somewhere else',
      [{ status: 404, headers: { 'content-type': 'text/html' }, body: '<html>' }],
      1,
      [],
      4,
      /status 404$/,
    ],
    ['that fails', [{ status: 500 }], 1, [], 4, /status 500/],
    [
      'that redirects',
      [{ status: 307, headers: { location: 'http://elsewhere.test/' } }],
      1,
      [],
      4,
      /redirects/,
    ],
    [
      'that takes a part',
      [{ status: 200, body: encodePartialSuccess(3, 'too old') }],
      1,
      [],
      3,
      /too old/,
    ],
    [
      'that takes a part and says nothing',
      [{ status: 200, body: encodePartialSuccess(1, '') }],
      1,
      [],
      1,
      /no reason/,
    ],
    [
      'that warns',
      [{ status: 200, body: encodePartialSuccess(0, 'slow down') }],
      1,
      [],
      0,
      /slow down/,
    ],
    ['that answers rubbish', [{ status: 200, body: 'ÿÿÿÿ' }], 1, [], 0, null],
    [
      'that answers without end',
      [{ status: 200, body: 'x'.repeat(5 * 1024 * 1024) }],
      1,
      [],
      4,
      /too long/,
    ],
  ];

  test.each(rows)('%s', async (_, replies, asked, slept, lost, note) => {
    const { collector, exporter, time, notes } = await anExporter((nth) => replies[nth] ?? 'take');
    exporter.add(spans(4));
    time.fire(5000);
    await vi.waitUntil(() => collector.requests.length === asked);
    const summary = await exporter.close();
    expect(summary).toMatchObject({ taken: 4 - lost, lost });
    expect(collector.requests).toHaveLength(asked);
    expect(time.slept).toEqual(slept);
    if (note === null) expect(notes).toEqual([]);
    else {
      expect(notes).toHaveLength(1);
      expect(notes[0]).toMatch(note);
      expect(notes[0]).toContain(collector.url);
    }
  });

  test('that is down costs one note, however many batches are lost, and is asked twice at the end', async () => {
    const { collector, exporter, time, notes } = await anExporter();
    await collector.close();
    exporter.add(spans(3 * BATCH_SPANS));
    expect(await exporter.close()).toMatchObject({ taken: 0, lost: 3 * BATCH_SPANS });
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/ECONNREFUSED/);
    expect(time.slept).toEqual([1000]);
  });

  test('that is back after it was down gets what comes then', async () => {
    const { collector, exporter, time, notes } = await anExporter((nth) =>
      nth < 5 ? { status: 503 } : 'take',
    );
    exporter.add(spans(2));
    time.fire(5000);
    await vi.waitUntil(() => notes.length === 1);
    exporter.add(spans(2, 2));
    expect(await exporter.close()).toMatchObject({ taken: 2, lost: 2 });
    expect(collector.spans.map(({ name }) => name)).toEqual(['span 2', 'span 3']);
  });

  test('that never answers is given up after the time of a request, and asked again', async () => {
    const { collector, exporter, time, notes } = await anExporter((nth) =>
      nth === 0 ? 'silence' : 'take',
    );
    exporter.add(spans(2));
    time.fire(5000);
    await vi.waitUntil(() => collector.requests.length === 1);
    time.fire(TIMEOUT_MS);
    await vi.waitUntil(() => collector.spans.length === 2);
    expect(await exporter.close()).toMatchObject({ taken: 2, lost: 0 });
    expect(notes).toEqual([]);
  });

  test('that never answers delays the end by a few seconds and no more', async () => {
    const { collector, exporter, time, notes } = await anExporter(() => 'silence');
    exporter.add(spans(2 * BATCH_SPANS));
    await vi.waitUntil(() => collector.requests.length === 1);
    const closing = exporter.close();
    expect(time.pending).toContain(CLOSE_MS);
    time.fire(CLOSE_MS);
    const summary = await closing;
    expect(summary.taken).toBe(0);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/no answer in time/);
  });

  test('that is slower than a game keeps so many spans waiting, and more are lost', async () => {
    const { collector, exporter, time } = await anExporter(() => 'silence');
    exporter.add(spans(BATCH_SPANS));
    await vi.waitUntil(() => collector.requests.length === 1);
    for (let round = 0; round < 50; round += 1) exporter.add(spans(1000, 1000 * round));
    const closing = exporter.close();
    time.fire(CLOSE_MS);
    const { taken, lost } = await closing;
    expect(taken).toBe(0);
    expect(lost).toBe(50_000 + BATCH_SPANS);
  });

  test('that repeats the key is not quoted with it', async () => {
    const key = 'sup3r-s3cret-value';
    const body = Buffer.concat([Buffer.from([0x12, key.length + 4]), Buffer.from(`no: ${key}`)]);
    const { exporter, notes } = await anExporter(() => ({ status: 403, body }), {
      headers: { authorization: `Bearer ${key}` },
    });
    exporter.add(spans(1));
    await exporter.close();
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain('status 403');
    expect(notes[0]).not.toContain(key);
  });
});
