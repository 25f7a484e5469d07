import { expect, test } from 'vitest';
import { Budget, NO_LIMIT } from '../../../actors/minds/openai/budget.ts';
import {
  EndpointHealth,
  LineUp,
  ModelClients,
  type SeatCall,
} from '../../../actors/minds/openai/client.ts';
import { DEADLINE_LIMITS, GameDeadlines } from '../../../actors/minds/openai/deadlines.ts';
import { type MindRequest, TIME_UP } from '../../../actors/minds/port.ts';
import { realTime } from '../../../actors/ports/time.ts';
import { COLOURS } from '../../../machines/types.ts';
import { anIdentity, crewView } from '../../prompts/views.ts';
import { always, atFirst, whenever } from '../../support/endpoint/case.ts';
import { FakeEndpoint, type FakeOptions } from '../../support/endpoint/fakeEndpoint.ts';
import { refusal } from '../../support/endpoint/sent.ts';
import { TABLE } from '../../support/endpoint/table.ts';

const PLAYERS = 5;
const REQUEST: MindRequest = { kind: 'discussion', index: 1, view: crewView() };

/** Five players who never got through, asked in the same moment; waits take no time. */
function table(baseUrl: string) {
  const pauses: (readonly string[])[] = [];
  const calls: SeatCall[] = [];
  const now = () => 0;
  const time = { ...realTime, now, date: now, sleep: async () => {} };
  const models = new ModelClients({
    time,
    limits: { concurrency: 8, perMinute: null },
    patience: { attemptMs: 60_000, waitMs: 60_000 },
    prices: {},
  });
  const onPause = (code: string, text: string) => {
    pauses.push([code, text]);
  };
  const account = {
    budget: new Budget(NO_LIMIT, now),
    health: new EndpointHealth(),
    lineUp: new LineUp(),
    deadlines: new GameDeadlines({ time, limits: DEADLINE_LIMITS, onPause, onLoading: () => {} }),
    onSend: () => 0,
    onCall: (call: SeatCall) => {
      calls.push(call);
    },
    onPause,
  };
  const ask = (signal: AbortSignal, nameOf = (_index: number) => 'm') =>
    COLOURS.slice(0, PLAYERS).map((colour, index) => {
      const seat = { temperature: null, seed: null, extra: {}, identity: anIdentity() };
      const endpoint = { baseUrl, model: nameOf(index), apiKey: null };
      return models
        .createMind({ ...seat, colour, endpoint }, account)
        .answer(REQUEST, signal, () => {});
    });
  return { ask, pauses, calls, budget: account.budget };
}

async function atEndpoint<T>(options: FakeOptions, run: (fake: FakeEndpoint) => Promise<T>) {
  const fake = await FakeEndpoint.open(options);
  try {
    return await run(fake);
  } finally {
    await fake.close();
  }
}

const MOST_TRIES = 6;

test('that is ill is found out by the first, and all who waited know', async () => {
  const steps = [always(refusal(503, 'overloaded'))];
  await atEndpoint({ steps }, async ({ baseUrl, asked }) => {
    const { ask, pauses } = table(baseUrl);
    const answers = await Promise.all(ask(new AbortController().signal));
    expect(answers.map((answer) => answer.ok || answer.code)).toEqual(
      answers.map(() => 'endpoint/upstream'),
    );
    expect(asked).toHaveLength(MOST_TRIES);
    expect(pauses).toHaveLength(1);
  });
});

test('that nobody listens at uses no tokens', async () => {
  const gone = await atEndpoint({}, async ({ baseUrl }) => baseUrl);
  const { ask, pauses, budget, calls } = table(gone);
  await Promise.all(ask(new AbortController().signal));
  expect(pauses.map(([code]) => code)).toEqual(['upstream']);
  expect(calls).toHaveLength(MOST_TRIES);
  expect(budget.spent).toMatchObject({ calls: MOST_TRIES, promptTokens: 0, completionTokens: 0 });
});

test('a cut connection may have used tokens, so they are counted', async () => {
  await atEndpoint({ steps: [always({ type: 'cut' })] }, async ({ baseUrl }) => {
    const { ask, budget } = table(baseUrl);
    await Promise.all(ask(new AbortController().signal));
    expect(budget.spent.calls).toBe(MOST_TRIES);
    expect(budget.spent.promptTokens).toBeGreaterThan(0);
  });
});

test('that has one model which is ill keeps nobody from another', async () => {
  const isIll = whenever(({ body }) => body['model'] === 'ill', refusal(503, 'overloaded'));
  await atEndpoint({ steps: [isIll] }, async ({ baseUrl }) => {
    const { ask, pauses } = table(baseUrl);
    const nameOf = (index: number) => (index % 2 === 0 ? 'ill' : 'well');
    const answers = await Promise.all(ask(new AbortController().signal, nameOf));
    expect(answers.map(({ ok }) => ok)).toEqual([false, true, false, true, false]);
    expect(pauses).toEqual([]);
  });
});

test.each([
  { why: TIME_UP, paused: ['timeout'] },
  { why: undefined, paused: [] },
])('that hangs until nobody waits because $why pauses $paused', async ({ why, paused }) => {
  await atEndpoint({ steps: TABLE['59'] ?? [] }, async ({ baseUrl }) => {
    const { ask, pauses } = table(baseUrl);
    const controller = new AbortController();
    const answers = ask(controller.signal);
    controller.abort(why);
    await Promise.all(answers);
    expect(pauses.map(([code]) => code)).toEqual(paused);
  });
});

test('that was ill at this tick of the first meeting is asked at the same tick of the second', async () => {
  const steps = [atFirst(refusal(503, 'overloaded'), MOST_TRIES)];
  await atEndpoint({ steps }, async ({ baseUrl, asked }) => {
    const { ask, pauses } = table(baseUrl);
    await Promise.all(ask(new AbortController().signal));
    expect([asked.length, pauses.length]).toEqual([MOST_TRIES, 1]);
    const answers = await Promise.all(ask(new AbortController().signal));
    expect(answers.map(({ ok }) => ok)).toEqual(answers.map(() => true));
    expect(pauses).toHaveLength(1);
  });
});
