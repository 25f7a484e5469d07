import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { NO_LIMIT } from '../../../actors/minds/openai/budget.ts';
import { DEADLINE_LIMITS, type LoadingModel } from '../../../actors/minds/openai/deadlines.ts';
import type { ServerFacts } from '../../../actors/minds/openai/inquiry.ts';
import type { Delivery, Transport } from '../../../actors/minds/openai/transport.ts';
import {
  MOST_PROBE_REQUESTS,
  type ModelProbe,
  probeModel,
} from '../../../analysis/models/modelProbe.ts';
import { type ServerTraits, SimulatedServer } from '../../support/endpoint/simulatedServer.ts';

const SECOND = 1000;
const ENDPOINT = { baseUrl: 'http://localhost:11434/v1', model: 'm', apiKey: null };
const SEAT = { colour: 'red', mind: 'openai', model: 'm', votes: 'freely', notes: '' } as const;
const QUESTIONS = 12;
const NO_FACTS: ServerFacts = { context: null, listed: [], hasTemplate: null };

type Trial = Partial<Parameters<typeof probeModel>[2]> & {
  readonly rewrite?: (body: object, nth: number) => object;
  /** Requests that are refused as too long for a context of 2,048. */
  readonly refuses?: (nth: number) => boolean;
};

async function tryAt(traits: Partial<ServerTraits>, { rewrite, refuses, ...trial }: Trial = {}) {
  const time = new SimulatedClock();
  const server = new SimulatedServer({ seed: 1, slots: 8, workMs: () => SECOND, ...traits }, time);
  const loading: LoadingModel[] = [];
  const counts: number[] = [];
  const losses: string[] = [];
  let isOver = false;
  const probing = probeModel(SEAT, ENDPOINT, {
    streams: false,
    time,
    open: () => refusing(rewritten(server.open(), rewrite), refuses),
    limits: { concurrency: 8, perMinute: null },
    deadlines: DEADLINE_LIMITS,
    budget: NO_LIMIT,
    prices: {},
    memory: null,
    onLoading: (one) => loading.push(one),
    onRequest: (count) => counts.push(count),
    onLost: (why) => losses.push(why),
    inquire: async () => NO_FACTS,
    ...trial,
  }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    time.next();
  }
  return { outcome: await probing, server, loading, counts, losses, ms: time.now() };
}

function refusing(transport: Transport, refuses: Trial['refuses']): Transport {
  let nth = 0;
  return {
    send: async (...sent) => (refuses?.(nth++) === true ? TOO_LONG : await transport.send(...sent)),
  };
}

const TOO_LONG: Delivery = {
  type: 'body',
  status: 400,
  body: {
    error: { code: 400, type: 'exceed_context_size_error', n_prompt_tokens: 4_000, n_ctx: 2_048 },
  },
  retryAfterMs: null,
};

function rewritten(transport: Transport, rewrite: Trial['rewrite']): Transport {
  if (rewrite === undefined) return transport;
  let nth = 0;
  return {
    send: async (...sent): Promise<Delivery> => {
      const delivery = await transport.send(...sent);
      return delivery.type === 'lost' || delivery.status !== 200
        ? delivery
        : { ...delivery, body: rewrite(Object(delivery.body), nth++) };
    },
  };
}

async function probeOf(...given: Parameters<typeof tryAt>): Promise<ModelProbe> {
  const { outcome } = await tryAt(...given);
  return outcome.type === 'probed' ? outcome.probe : expect.unreachable(JSON.stringify(outcome));
}

describe('at a server that takes', () => {
  const cases = [0.1, 5, 20].flatMap((seconds) =>
    [1, 2, 3, 4, 8].map((slots) => [seconds, slots] as const),
  );

  test.each(cases)('%d s for an answer, %i at once', async (seconds, slots) => {
    const ms = seconds * SECOND;
    const { pace, ...found } = await probeOf({ slots, workMs: () => ms });
    expect(found).toMatchObject({
      questions: QUESTIONS,
      usable: QUESTIONS,
      requests: QUESTIONS,
      failures: {},
      coldMs: ms,
      loadMs: 0,
      together: 8,
      takenInMinute: null,
    });
    expect(pace).toMatchObject({ aloneMs: ms, slots });
    // The last of eight waits for every wave, less its own delay before sending.
    const waves = Math.ceil(8 / slots);
    expect(pace.slowestMs).toBeLessThanOrEqual(waves * ms);
    expect(pace.slowestMs).toBeGreaterThan(waves * ms - 80);
  });

  test.each([
    ['silence', 40],
    ['503', 40],
  ] as const)('long to load, which is said by %s', async (how, seconds) => {
    const usage = { prompt_tokens: 4_000, completion_tokens: 100 };
    const probe = await probeOf(
      { workMs: () => 2 * SECOND, load: { ms: seconds * SECOND, how } },
      { rewrite: (body) => ({ ...body, usage }) },
    );
    // A refused request is sent again after at most 8 s.
    expect(probe.loadMs).toBeGreaterThanOrEqual(seconds * SECOND);
    expect(probe.loadMs).toBeLessThan((seconds + 8) * SECOND);
    expect(probe.coldMs).toBe(probe.loadMs + 2 * SECOND);
    expect(probe.pace).toMatchObject({ aloneMs: 2 * SECOND, tokensPerSecond: 50 });
  });
});

test('a table is asked in the order of its seats, within a moment', async () => {
  const { server } = await tryAt({ slots: 2 });
  const moments = server.asked.slice(-8).map(({ at }) => at);
  expect(moments.map((at) => at - (moments[0] ?? 0))).toEqual([0, 10, 20, 30, 40, 50, 60, 70]);
});

test('tokens per second divide all answers by their time', async () => {
  const usage = { prompt_tokens: 4_000, completion_tokens: 100 };
  const { pace } = await probeOf(
    { slots: 4, workMs: () => 5 * SECOND },
    { rewrite: (body) => ({ ...body, usage }) },
  );
  expect(pace.tokensPerSecond).toBe(20);
  // Two waves of four, and the moments between their beginnings.
  expect(pace.tokensPerSecondTogether).toBeLessThanOrEqual(80);
  expect(pace.tokensPerSecondTogether).toBeGreaterThan(79);
});

test('of an endpoint that counts no tokens no speed is known', async () => {
  const { pace } = await probeOf({}, { rewrite: ({ ...body }) => ({ ...body, usage: null }) });
  expect([pace.tokensPerSecond, pace.tokensPerSecondTogether]).toEqual([null, null]);
});

test('a model that reports reasoning tokens is found to think and to need more room', async () => {
  const details = { completion_tokens_details: { reasoning_tokens: 900 } };
  const thinking = (body: object) => ({
    ...body,
    usage: { ...Reflect.get(body, 'usage'), ...details },
  });
  expect((await probeOf({}, { rewrite: thinking })).capabilities).toMatchObject({
    thinks: true,
    room: 4,
  });
  expect((await probeOf({})).capabilities).toMatchObject({ thinks: false, room: 1 });
});

test('the context of a game is its longest prompt, in tokens of this model', async () => {
  const plain = await probeOf({});
  const counting = (body: object) => {
    const usage = Object(Reflect.get(body, 'usage'));
    return { ...body, usage: { ...usage, prompt_tokens: 2 * usage.prompt_tokens } };
  };
  const twice = await probeOf({}, { rewrite: counting });
  expect(plain.neededContext).toBeGreaterThan(3_000);
  expect(twice.neededContext / plain.neededContext).toBeGreaterThan(1.6);
  expect(twice.neededContext / plain.neededContext).toBeLessThan(2);
});

test('the server is asked about itself once, when the model has answered', async () => {
  const context = { tokens: 4_096, source: '/api/ps' };
  const asked: number[] = [];
  let requests = 0;
  const probe = await probeOf(
    {},
    {
      onRequest: () => requests++,
      inquire: async () => {
        asked.push(requests);
        return { ...NO_FACTS, context };
      },
    },
  );
  expect(asked).toEqual([4]);
  expect(probe.context).toEqual(context);
});

test('a refusal that names the context counts if the server states no other', async () => {
  const { outcome } = await tryAt({}, { refuses: (nth) => nth === 7 });
  const probe = { usable: QUESTIONS - 1, context: { tokens: 2048 } };
  expect(outcome).toMatchObject({ type: 'probed', probe });
});

describe('never more requests are sent than were announced', () => {
  test('to a model that needs four for each answer', async () => {
    const prose = (body: object) => ({
      ...body,
      choices: [{ finish_reason: 'stop', message: { content: 'Red, I say.' } }],
    });
    const { outcome, server, counts } = await tryAt(
      {},
      { rewrite: (body, nth) => (nth % 4 === 3 ? body : prose(body)) },
    );
    expect(server.asked.length).toBeLessThanOrEqual(MOST_PROBE_REQUESTS);
    expect(counts).toEqual(server.asked.map((_, index) => index + 1));
    expect(outcome.type).toMatch(/probed|failed/);
  });

  test.each([1, 3, 4])('with a budget of %i there is nothing to report', async (calls) => {
    const { outcome, server } = await tryAt({}, { budget: { ...NO_LIMIT, calls } });
    expect(server.asked.length).toBe(calls);
    expect(outcome).toMatchObject({
      type: 'failed',
      code: 'budget',
      text: `the budget of ${calls} calls is spent`,
    });
  });

  test.each([
    [5, 1],
    [10, 6],
  ])('with one of %i, %i are asked together', async (calls, together) => {
    const { outcome, server } = await tryAt({}, { budget: { ...NO_LIMIT, calls } });
    expect(server.asked.length).toBe(calls);
    const probe = { questions: calls, usable: calls, failures: {}, together };
    expect(outcome).toMatchObject({ type: 'probed', probe });
  });

  test('a probe that fails in the middle of the table reports its measurements so far', async () => {
    // One of the table is refused, and its second request is one too many.
    const { outcome, server } = await tryAt(
      { fault: (nth) => (nth === 6 ? 'limited' : null) },
      { budget: { ...NO_LIMIT, calls: 10 } },
    );
    expect(server.asked.length).toBe(10);
    const probe = { questions: 10, usable: 9, failures: { 'endpoint/budget': 1 }, together: 5 };
    expect(outcome).toMatchObject({ type: 'probed', probe });
  });
});

describe('an endpoint that', () => {
  const REFUSED = 'connect ECONNREFUSED 127.0.0.1:11434';

  test('is not there fails the trial after one more request, half a second later', async () => {
    const { outcome, server, losses, ms } = await tryAt({ fault: () => 'refused' });
    expect(outcome).toMatchObject({ type: 'failed', code: 'unreachable', text: REFUSED });
    expect([server.asked.length, losses, ms]).toEqual([2, [REFUSED], SECOND / 2]);
  });

  test('is there at the second request is tried as any other', async () => {
    const { outcome, losses } = await tryAt({ fault: (nth) => (nth === 0 ? 'refused' : null) });
    expect(outcome).toMatchObject({ type: 'probed', probe: { usable: QUESTIONS } });
    expect(losses).toEqual([REFUSED]);
  });

  test('has answered once and goes away is asked as a game would ask', async () => {
    const { outcome, losses } = await tryAt({ fault: (nth) => (nth === 1 ? 'refused' : null) });
    expect(outcome).toMatchObject({ type: 'probed', probe: { usable: QUESTIONS } });
    expect(losses).toEqual([REFUSED]);
    const gone = await tryAt({ fault: (nth) => (nth > 0 ? 'refused' : null) });
    expect(gone.outcome).toMatchObject({ type: 'failed', code: 'upstream' });
    expect(gone.losses).toHaveLength(6);
  });

  test('never answers fails it when the model has been waited for', async () => {
    const { outcome, loading } = await tryAt({ fault: () => 'hangs' });
    expect(outcome).toMatchObject({ type: 'failed', code: 'loading' });
    expect(loading.length).toBeGreaterThan(0);
  });

  test('takes five in a minute says so, and all are answered in the end', async () => {
    const probe = await probeOf({ fault: (nth) => (nth >= 5 && nth < 8 ? 'limited' : null) });
    expect(probe).toMatchObject({ usable: QUESTIONS, takenInMinute: 5, requests: QUESTIONS + 3 });
  });

  test('takes three in two seconds has no limit by the minute', async () => {
    const probe = await probeOf({ perMinute: 3, windowMs: 2_000 });
    expect(probe).toMatchObject({ usable: QUESTIONS, takenInMinute: null });
  });

  test('answers the first question and then nothing is reported as too slow', async () => {
    const { outcome } = await tryAt({ fault: (nth) => (nth > 0 ? 'hangs' : null) });
    expect(outcome).toMatchObject({ type: 'failed', code: 'timeout' });
  });

  test('refuses long prompts says how long its context is', async () => {
    const { outcome } = await tryAt({}, { refuses: () => true });
    const context = { tokens: 2048 };
    expect(outcome).toMatchObject({ type: 'failed', code: 'context-overflow', context });
  });
});
