import { describe, expect, test } from 'vitest';
import type { RequestParams } from '../../../../actors/minds/openai/request.ts';
import type { Asked } from '../../../support/endpoint/asked.ts';
import { always, atFirst, type Step, whenever, without } from '../../../support/endpoint/case.ts';
import { completionBody, json, refusal, type Sent } from '../../../support/endpoint/sent.ts';
import { type Fields, type StreamShape, streamOf } from '../../../support/endpoint/streaming.ts';
import { TABLE } from '../../../support/endpoint/table.ts';
import { GOOD, GOOD_TEXT } from '../../../support/endpoint/words.ts';
import { SEED, seeds, testLong } from '../../../support/seeds.ts';
import { ask, PARAMS, summary } from './asking.ts';

const STREAMED = { params: { ...PARAMS, streams: true } };
const SEEDS = Array.from({ length: seeds(2, 50) }, (_, turn) => SEED + turn);

const USAGE = {
  prompt_tokens: 900,
  completion_tokens: 60,
  prompt_tokens_details: { cached_tokens: 640 },
};
const BODY: Fields = completionBody({ content: GOOD_TEXT }, 'stop', { usage: USAGE });

function stream(body: Fields, shape: Partial<StreamShape> = {}): Sent {
  return streamOf(body, { seed: `${SEED}`, ...shape });
}

function events(...lines: readonly string[]): Sent {
  const bytes = Buffer.from(lines.join('\n'));
  const headers = { 'content-type': 'text/event-stream' };
  return { type: 'stream', pieces: [bytes], headers, ending: 'end' };
}

function chunk(delta: Fields, reason: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n`;
}

describe('every row of the table is read alike at once and as a stream', () => {
  /** Rows without an answer end by timeout. The row without a reason to end may be a stream that was cut. */
  const rows = Object.keys(TABLE).filter((row) => !['56', '59', '179'].includes(row));
  const turns = SEEDS.slice(0, seeds(1, SEEDS.length));
  test.each(rows)('row %s', async (row) => {
    const steps = TABLE[row] ?? [];
    for (const seed of turns) {
      const atOnce = await ask(steps, { seed });
      const inPieces = await ask(steps, { ...STREAMED, seed });
      expect(inPieces.reply).toEqual(atOnce.reply);
      expect(inPieces.calls).toEqual(atOnce.calls);
      expect(inPieces.fake.asked.every(({ body }) => body['stream'] === true)).toBe(true);
      expect(atOnce.fake.asked.every(({ body }) => !('stream' in body))).toBe(true);
    }
  });
});

function said8bit(): string {
  return JSON.stringify({ ...GOOD, message: 'Wo warst du, Grün? 你在哪里 🚀 – “hm”\n\u2028' });
}

test.each([1, 2, 3])('pieces of at most %i bytes cut characters and line breaks', async (most) => {
  const body = completionBody({ content: said8bit() }, 'stop');
  for (const seed of SEEDS) {
    const sends = stream(body, { seed: `${seed}`, mostBytes: most });
    const { reply } = await ask([always(sends)], STREAMED);
    expect(reply).toMatchObject({ ok: true, received: JSON.parse(said8bit()), calls: 1 });
  }
});

describe('the choice of streaming', () => {
  const answers: readonly (readonly [name: string, sends: Sent])[] = [
    ['a stream', stream(BODY)],
    ['a stream that says it is JSON', stream(BODY, { contentType: 'application/json' })],
    ['a stream without a mark of its end', stream(BODY, { hasDone: false })],
    ['a stream that stays open behind its mark', stream(BODY, { ending: 'silence' })],
    ['a stream that is cut off behind its mark', stream(BODY, { ending: 'cut' })],
    ['a stream that is cut off behind its reason', stream(BODY, { hasDone: false, ending: 'cut' })],
    ['JSON', json(200, BODY)],
    [
      'JSON that says it is a stream',
      json(200, BODY, { 'content-type': 'text/event-stream; charset=utf-8' }),
    ],
  ];
  test.each(answers)('%s is an answer', async (_, sends) => {
    // An answer that has arrived needs no patience.
    const patience = { attemptMs: 3_600_000 };
    for (const asking of [STREAMED, {}]) {
      const { reply } = await ask([always(sends)], { ...asking, patience });
      expect(reply).toMatchObject({ ok: true, received: GOOD, calls: 1 });
    }
  });
});

describe('a stream that breaks', () => {
  const counted = { promptTokens: null, completionTokens: null };
  const half = [
    chunk({ content: GOOD_TEXT.slice(0, 20) }),
    chunk({ content: GOOD_TEXT.slice(20) }),
  ];
  const failing: readonly (readonly [name: string, sends: Sent, written?: number])[] = [
    ['ends without a reason', events(...half), Math.ceil(GOOD_TEXT.length / 4)],
    ['ends in a mark without a reason', events(...half, 'data: [DONE]\n'), written(GOOD_TEXT)],
    [
      'says that it failed, after words',
      events(half[0] ?? '', 'data: {"error":{"message":"upstream","code":502}}\n'),
      5,
    ],
  ];
  test.each(failing.map((row) => [row[0], row] as const))(
    '%s: it is asked again, and costs what came of it',
    async (_, [, sends, tokens]) => {
      for (const asking of [STREAMED, {}]) {
        const { reply, calls } = await ask([atFirst(sends)], asking);
        expect(reply).toMatchObject({ ok: true, calls: 2 });
        expect(calls[0]).toMatchObject({ failure: 'upstream', usage: counted });
        expect(calls[0]?.written).toBe(tokens);
      }
    },
  );

  testLong('is cut anywhere: it is an answer only if it had come to its reason', async () => {
    for (const seed of SEEDS) {
      for (const share of [0.01, 0.2, 0.5, 0.8, 0.95]) {
        const shape = { seed: `${seed}`, share, ending: 'cut', hasUsage: false } as const;
        const { calls } = await ask([atFirst(stream(BODY, shape))], STREAMED);
        expect(calls.length === 1 || calls[0]?.failure === 'upstream').toBe(true);
        if (share < 0.9) expect(calls).toHaveLength(2);
      }
    }
  });

  testLong('stands still: it is given up, and asked again', async () => {
    const sends = stream(BODY, { share: 0.5, ending: 'silence' });
    const { reply, calls } = await ask([atFirst(sends)], STREAMED);
    expect(reply).toMatchObject({ ok: true, calls: 2 });
    expect(calls[0]).toMatchObject({ failure: 'timeout' });
    expect(calls[0]?.written).toBeGreaterThan(0);
  });
});

function written(text: string): number {
  return Math.ceil(text.length / 4);
}

test('nobody waits any more: the request is given up in the middle', async () => {
  const leaving = new AbortController();
  const sends = stream(BODY, { share: 0.5, ending: 'silence' });
  const { reply, calls } = await ask([always(sends)], {
    ...STREAMED,
    signal: leaving.signal,
    onText: (piece) => {
      if (piece !== null) leaving.abort();
    },
  });
  expect(reply).toMatchObject({ ok: false, code: 'aborted', calls: 1 });
  expect(calls[0]?.written).toBeGreaterThan(0);
});

const isUnstreamed = ({ body }: Asked): boolean => body['stream'] !== true;

const isStreamed = (asked: Asked): boolean => !isUnstreamed(asked);
const NO_STREAM = refusal(400, 'no streams', { param: 'stream' });

describe('an endpoint that takes only one way', () => {
  test.each<[name: string, params: RequestParams, step: Step]>([
    ['streams', PARAMS, whenever(isUnstreamed, refusal(400, 'stream must be true'))],
    ['no streams', STREAMED.params, whenever(isStreamed, NO_STREAM)],
    ['no count', STREAMED.params, without('stream_options', refusal(400, 'no stream_options'))],
  ])('%s: one request is wasted', async (_, params, step) => {
    const { known, fake, ...outcome } = await ask([step], { params });
    expect(summary(outcome)).toBe('answer in json_schema, 2 calls');
    expect(isUnstreamed(fake.asked.at(-1) ?? expect.unreachable())).toBe(step.when === isStreamed);
    expect(summary(await ask([step], { params, known }))).toBe('answer in json_schema, 1 call');
  });

  test('and refuses the other one too is asked no further than others', async () => {
    const { reply, calls } = await ask([
      whenever(isUnstreamed, refusal(400, 'stream must be true')),
      always(refusal(400, 'streaming is not supported')),
    ]);
    expect(reply.ok).toBe(false);
    // Once each way, and then plainer, as with any refusal that is not understood.
    expect(calls.slice(0, 3).map(({ failure }) => failure)).toEqual([
      'unsupported no-stream',
      'unsupported stream',
      'unsupported stream',
    ]);
    expect(calls.length).toBeLessThanOrEqual(16);
  });
});

describe('the words of an answer, while it is written', () => {
  test('are handed over as they come, and are all of it', async () => {
    for (const seed of SEEDS) {
      const heard: (string | null)[] = [];
      const shape = { seed: `${seed}` };
      await ask([always(stream(BODY, shape))], { ...STREAMED, onText: (one) => heard.push(one) });
      expect(heard[0]).toBeNull();
      expect(`${heard.slice(1).join('')}`).toBe(GOOD_TEXT);
    }
  });

  test('hold no key, wherever it is cut', async () => {
    const secret = 'sk-test-0123456789abcdef';
    const words = `{"a": "${secret}", "b": "Bearer abcdefghijklmnop.qrst", "c": "sk-otherotherother."}`;
    const safe = '{"a": "[key]", "b": "[key]", "c": "[key]."}';
    for (const seed of SEEDS) {
      const heard: string[] = [];
      const body = completionBody({ content: words }, 'stop');
      await ask([always(stream(body, { seed: `${seed}` }))], {
        ...STREAMED,
        onText: (one) => heard.push(one ?? '|'),
      });
      const texts = heard
        .join('')
        .split('|')
        .filter((text) => text !== '');
      for (const text of texts) expect(text).toBe(safe);
      expect(texts.length).toBeGreaterThan(0);
    }
  });
});
