import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../actors/engine/clock.ts';
import { WriteAhead } from '../../../../actors/minds/ahead.ts';
import { Budget, NO_LIMIT } from '../../../../actors/minds/openai/budget.ts';
import { CapabilityCache } from '../../../../actors/minds/openai/capabilities.ts';
import {
  type GameAccount,
  LineUp,
  ModelClients,
  type ModelSeat,
  type SeatCall,
  type SentRequest,
} from '../../../../actors/minds/openai/client.ts';
import { DEADLINE_LIMITS, type LoadingModel } from '../../../../actors/minds/openai/deadlines.ts';
import type {
  AnswerListener,
  Delivery,
  Endpoint,
} from '../../../../actors/minds/openai/transport.ts';
import { type MindRequest, TIME_UP } from '../../../../actors/minds/port.ts';
import { LATE } from '../../../../machines/rules/tick.ts';
import { COLOURS, type Colour } from '../../../../machines/types.ts';
import type { PartialWords } from '../../../../prompts/partialReply.ts';
import { anIdentity, crewMoment, crewView, ghostView } from '../../../prompts/views.ts';
import { completionBody } from '../../../support/endpoint/sent.ts';
import { GOOD, GOOD_TEXT } from '../../../support/endpoint/words.ts';

type Body = Readonly<Record<string, unknown>>;
type Delivered = Delivery | Promise<Delivery>;
type Answers = (sent: Body, signal: AbortSignal, hears: AnswerListener) => Delivered;

const S = 1000;
const ENDPOINT: Endpoint = { baseUrl: 'http://one/v1', model: 'm', apiKey: null };

const body = (status: number, of: unknown): Delivery => ({
  type: 'body',
  status,
  body: of,
  retryAfterMs: null,
});
const refused = (status: number, message: string) => body(status, { error: { message } });
const said = (content: unknown, more: object = {}) =>
  body(200, { ...completionBody({ content }, 'stop'), model: ENDPOINT.model, ...more });
const WELL = said(GOOD_TEXT);
const NO_ANSWER = said(null);
const ORDER = said('{"internal_thought": "On with it", "action": null, "scratchpad_updates": {}}');

const DISCUSSION: MindRequest = { kind: 'discussion', index: 3, view: crewView() };
const ACTION: MindRequest = { kind: 'action', index: 12, view: crewMoment() };
const GHOST: MindRequest = { kind: 'ghost', index: 3, view: ghostView() };

type Settings = {
  readonly answers?: Answers;
  readonly concurrency?: number;
  readonly budget?: Budget;
  readonly streams?: boolean;
  readonly isWatched?: boolean;
  readonly firstId?: number;
  readonly context?: number | null;
  /** The lines that an earlier attempt has written ahead. */
  readonly past?: string;
};

function aGame({
  answers = () => WELL,
  concurrency = 8,
  budget = new Budget(NO_LIMIT, () => 0),
  streams,
  isWatched = true,
  firstId = 1,
  context = null,
  past = '',
}: Settings = {}) {
  const clock = new SimulatedClock();
  const ahead = new WriteAhead();
  let written = past;
  ahead.open({ past, write: (line) => (written += line) }, []);
  const sent: Body[] = [];
  const seen = {
    pauses: [] as (readonly [code: string, text: string])[],
    sends: [] as SentRequest[],
    calls: [] as (readonly [SeatCall, MindRequest, object | null])[],
    loading: [] as LoadingModel[],
    warnings: [] as string[],
    words: [] as (readonly [seat: Colour, kind: string, words: PartialWords | null])[],
  };
  const clients = new ModelClients({
    time: clock,
    open: () => ({
      send: async (one, signal, listener) => {
        sent.push(one);
        const hears = listener ?? { onBytes: () => {}, onText: () => {} };
        return await answers(one, signal, hears);
      },
    }),
    limits: { concurrency, perMinute: null },
    patience: { attemptMs: 30 * S },
    prices: {},
    memory: {
      recall: ({ baseUrl, model }) => {
        const { capabilities } = new CapabilityCache();
        const learned = { capabilities, contextLength: context, measured: null };
        return context === null ? null : { baseUrl, model, learnedAt: 0, ...learned };
      },
      keeperFor: () => ({ keep: () => {}, forget: () => {} }),
      warn: (text) => void seen.warnings.push(text),
    },
  });
  const account: GameAccount = {
    budget,
    limits: DEADLINE_LIMITS,
    ahead,
    onLoading: (one) => seen.loading.push(one),
    onSend: (one) => seen.sends.push(one) - 1 + firstId,
    onCall: (...call) => void seen.calls.push(call),
    onPause: (...why) => void seen.pauses.push(why),
    ...(streams === undefined ? {} : { streams: () => streams }),
    ...(isWatched
      ? { onWriting: ({ seat, kind }, words) => void seen.words.push([seat, kind, words]) }
      : {}),
  };
  const createMind = clients.openGame(account);
  const seatOf = (colour: Colour, more: Partial<ModelSeat> = {}): ModelSeat => ({
    colour,
    endpoint: ENDPOINT,
    temperature: null,
    seed: null,
    extra: {},
    identity: anIdentity(),
    ...more,
  });
  const mindOf = (colour: Colour, seat: Partial<ModelSeat> = {}) =>
    createMind(seatOf(colour, seat));
  let isTimeKept = 0;
  const ask = (
    request: MindRequest = DISCUSSION,
    { colour = 'red' as Colour, signal = new AbortController().signal, seat = {} } = {},
  ) =>
    mindOf(colour, seat).answer(request, signal, () => {
      isTimeKept += 1;
    });
  const play = async <T>(asked: readonly Promise<T>[]): Promise<readonly T[]> => {
    let isOver = false;
    const all = Promise.all(asked).finally(() => {
      isOver = true;
    });
    for (let steps = 0; steps < 10_000; steps++) {
      await turnOfTheLoop();
      if (isOver) return await all;
      if (!clock.next()) break;
    }
    throw new Error('no timer is set, and nobody has answered');
  };
  const last = { timesKept: () => isTimeKept, written: () => written };
  return { clock, sent, seen, clients, mindOf, ask, play, ...last };
}

const after =
  (clockOf: () => SimulatedClock, seconds: number, delivery: Delivery): Answers =>
  (_sent, signal) =>
    new Promise((resolve) => {
      clockOf().setTimeout(() => resolve(delivery), seconds * S);
      signal.addEventListener('abort', () => resolve(lost('aborted')), { once: true });
    });

const lost = (text: string, more: object = {}): Delivery => ({
  type: 'lost',
  isLate: false,
  wasSent: true,
  text,
  ...more,
});
const hangs: Answers = (_sent, signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(lost('aborted')), { once: true });
  });

describe('a model as a mind', () => {
  test('a model answers, and takes over the deadline', async () => {
    const game = aGame();
    expect(await game.play([game.ask()])).toEqual([{ ok: true, received: GOOD }]);
    expect(game.timesKept()).toBe(1);
    expect(game.clock.elapsed).toBe(0);
    expect(game.mindOf('red').pace).toBe('in-time');
  });

  test('is asked with what its seat says', async () => {
    const game = aGame();
    const seat = { temperature: 0.4, seed: 77, extra: { top_p: 0.9 } };
    await game.play([game.ask(DISCUSSION, { seat })]);
    expect(game.sent[0]).toMatchObject({ model: 'm', temperature: 0.4, seed: 77, top_p: 0.9 });
  });

  test('names its game in each request, whatever is asked', async () => {
    const game = aGame();
    const seat = { identity: anIdentity({ game: 'game-7' }) };
    const asked = [DISCUSSION, ACTION, GHOST].map((request) => game.ask(request, { seat }));
    await game.play(asked);
    const keys = new Set(game.sent.map((body) => body['prompt_cache_key']));
    expect([...keys]).toEqual(['game-7']);
    expect(new Set(game.seen.sends.map(({ requestKind }) => requestKind)).size).toBe(3);
  });

  test.each([
    [undefined, false],
    [false, false],
    [true, true],
  ])('streams where that is wished: %s', async (streams, isStreamed) => {
    const game = aGame(streams === undefined ? {} : { streams });
    await game.play([game.ask()]);
    expect(game.sent[0]?.['stream'] ?? false).toBe(isStreamed);
  });

  test.each([
    ['auth', refused(401, 'wrong key'), 'wrong key'],
    ['credits', refused(402, 'Insufficient Balance'), 'Insufficient Balance'],
    ['not-found', refused(404, 'model m not found'), 'model m not found'],
  ])('that fails for good with %s pauses the game, and says why', async (code, delivery, text) => {
    const game = aGame({ answers: () => delivery });
    expect(await game.play([game.ask()])).toEqual([{ ok: false, code: `endpoint/${code}`, text }]);
    expect(game.seen.pauses).toEqual([[code, text]]);
  });

  test('that declines is a failure of its own, and no pause', async () => {
    const game = aGame({ answers: () => said("I'm sorry, I can't help with that.") });
    expect(await game.play([game.ask(), game.ask(DISCUSSION, { colour: 'blue' })])).toMatchObject([
      { ok: false, code: 'outage/refusal' },
      { ok: false, code: 'outage/refusal' },
    ]);
    expect([game.seen.pauses, game.sent.length]).toEqual([[], 2]);
  });

  test('a model with a spent budget is not asked', async () => {
    const budget = new Budget({ ...NO_LIMIT, calls: 0 }, () => 0);
    const game = aGame({ budget });
    const text = 'the budget of 0 calls is spent';
    expect(await game.play([game.ask()])).toEqual([{ ok: false, code: 'endpoint/budget', text }]);
    expect([game.sent, game.seen.sends, game.seen.pauses]).toEqual([[], [], [['budget', text]]]);
  });
});

describe('a game that was killed between two answers of a tick', () => {
  const NO = said("I'm sorry, I can't help with that.");
  const refusal = (code: string) => ({ ok: false, code });
  const players = [{ colour: 'red' }, { colour: 'blue' }] as const;

  test.each<[name: string, blue: Delivery, expected: readonly object[]]>([
    [
      'counts a paid refusal if another one answers',
      WELL,
      [refusal('endpoint/refusal'), { ok: true }],
    ],
    ['excuses a paid refusal if all refuse', NO, players.map(() => refusal('outage/refusal'))],
  ])('%s, as without the kill', async (_, blue, expected) => {
    const answers: Answers = ({ seed }) => (seed === 1 ? NO : blue);
    const askBoth = (game: ReturnType<typeof aGame>) =>
      players.map((one, seed) =>
        game.ask({ ...DISCUSSION, index: 4 }, { ...one, seat: { seed: seed + 1 } }),
      );
    const whole = aGame({ answers });
    expect(await whole.play(askBoth(whole))).toMatchObject(expected);
    const cut = aGame({ answers: (...asked) => (asked[0]['seed'] === 1 ? NO : hangs(...asked)) });
    void askBoth(cut);
    for (let turn = 0; turn < 3; turn++) await turnOfTheLoop();
    const next = aGame({ answers, past: cut.written() });
    expect(await next.play(askBoth(next))).toMatchObject(expected);
    expect(next.sent.map(({ seed }) => seed)).toEqual([2]);
    const last = aGame({ answers, past: next.written() });
    expect(await last.play(askBoth(last))).toMatchObject(expected);
    expect(last.sent).toEqual([]);
  });

  test('asks anew for the tick that paused it', async () => {
    const game = aGame({ answers: () => NO });
    for (const index of [3, 4])
      await game.play(players.map((one) => game.ask({ ...DISCUSSION, index }, one)));
    expect(game.seen.pauses).toContainEqual(['unusable', expect.any(String)]);
    const next = aGame({ past: game.written() });
    await next.play(players.map((one) => next.ask({ ...DISCUSSION, index: 4 }, one)));
    expect(next.sent).toHaveLength(2);
  });
});

describe('an endpoint that fails', () => {
  const FINAL = refused(418, 'a teapot');

  test.each([
    [1, []],
    [2, [['upstream', 'a teapot']]],
    [5, [['upstream', 'a teapot']]],
  ])('%i players by a word of its own: pauses %j', async (players, pauses) => {
    const game = aGame({ answers: () => FINAL });
    const asked = COLOURS.slice(0, players).map((colour) => game.ask(DISCUSSION, { colour }));
    const answers = await game.play(asked);
    expect(answers).toEqual(
      answers.map(() => {
        const place = players === 1 ? 'endpoint' : 'outage';
        return { ok: false, code: `${place}/upstream`, text: 'a teapot' };
      }),
    );
    expect(game.seen.pauses).toEqual(pauses);
    // The others of the moment need not find out again.
    expect(game.sent).toHaveLength(1);
  });

  test('an endpoint that fails its only player after five waits pauses the game', async () => {
    const game = aGame({ answers: () => refused(503, 'no') });
    await game.play([game.ask()]);
    expect([game.sent.length, game.seen.pauses]).toEqual([6, [['upstream', 'no']]]);
  });

  test('and answers another player of the moment does not pause', async () => {
    let asked = 0;
    const game = aGame({ answers: () => (asked++ === 0 ? WELL : FINAL) });
    await game.play(COLOURS.slice(0, 3).map((colour) => game.ask(DISCUSSION, { colour })));
    expect(game.seen.pauses).toEqual([]);
  });

  test('an endpoint that fails pauses the game although it answered at that tick of an earlier meeting', async () => {
    const answers = [WELL, WELL];
    const game = aGame({ answers: () => answers.shift() ?? FINAL });
    const both = () => (['red', 'blue'] as const).map((colour) => game.ask(DISCUSSION, { colour }));
    await game.play(both());
    await game.play(both());
    expect(game.seen.pauses).toEqual([['upstream', 'a teapot']]);
  });

  test('an endpoint that falls silent after five failures pauses the game although it answers a ghost', async () => {
    let refusals = 0;
    const game = aGame({
      answers: (sent, signal, hears) => {
        if (sent['seed'] === null || sent['seed'] === undefined) return WELL;
        return refusals++ < 5 ? refused(503, 'no') : hangs(sent, signal, hears);
      },
    });
    await game.play([game.ask({ ...DISCUSSION, index: 0 })]);
    const asked = [game.ask(DISCUSSION, { seat: { seed: 1 } })];
    game.clock.setTimeout(() => void asked.push(game.ask(GHOST, { colour: 'blue' })), 20 * S);
    const [answer] = await game.play([asked[0]].flatMap((one) => one ?? []));
    const text = 'no answer within 60000 ms';
    expect(answer).toEqual({ ok: false, code: 'endpoint/timeout', text });
    expect(game.seen.pauses).toEqual([['timeout', text]]);
  });

  test('keeps nobody from another model there', async () => {
    const game = aGame({ answers: ({ model }) => (model === 'ill' ? FINAL : WELL) });
    const ask = (colour: Colour, model: string) =>
      game.ask(DISCUSSION, { colour, seat: { endpoint: { ...ENDPOINT, model } } });
    const answers = await game.play([ask('red', 'ill'), ask('blue', 'm'), ask('green', 'ill')]);
    expect(answers.map(({ ok }) => ok)).toEqual([false, true, false]);
    expect([game.seen.pauses, game.sent.length]).toEqual([[], 2]);
  });

  test('is found out anew at the same tick of the next meeting', async () => {
    const answers = [FINAL];
    const game = aGame({ answers: () => answers.shift() ?? WELL });
    const both = () => (['red', 'blue'] as const).map((colour) => game.ask(DISCUSSION, { colour }));
    expect(await game.play(both())).toMatchObject([{ ok: false }, { ok: false }]);
    expect(await game.play(both())).toMatchObject([{ ok: true }, { ok: true }]);
  });

  test('is no longer known to be down when it has answered another player', async () => {
    const game = aGame({
      answers: ({ seed }, ...given) =>
        seed === 0 ? FINAL : after(() => game.clock, Number(seed ?? 0), WELL)({}, ...given),
    });
    await game.play([game.ask({ ...DISCUSSION, index: 0 })]);
    const askAt = (seed: number) => game.ask(DISCUSSION, { seat: { seed } });
    const asked = [askAt(0), askAt(1), askAt(5)];
    game.clock.setTimeout(() => void asked.push(askAt(1)), 2 * S);
    expect(await game.play(asked)).toMatchObject([{ ok: false }, { ok: true }, { ok: true }]);
    expect(await game.play(asked.slice(3))).toMatchObject([{ ok: true }]);
  });

  test('is asked again in the next moment', async () => {
    let asked = 0;
    const game = aGame({ answers: () => (asked++ === 0 ? FINAL : WELL) });
    await game.play([game.ask()]);
    expect(await game.play([game.ask({ ...DISCUSSION, index: 4 })])).toMatchObject([{ ok: true }]);
  });

  test.each([
    [TIME_UP, 'outage/aborted', [['timeout', ENDPOINT.baseUrl]]],
    ['the meeting is over', 'endpoint/aborted', []],
  ])('nobody waits any more since %s: %s pauses %j', async (reason, code, pauses) => {
    const game = aGame({ answers: hangs });
    const leaving = new AbortController();
    const asked = (['red', 'blue'] as const).map((colour) =>
      game.ask(DISCUSSION, { colour, signal: leaving.signal }),
    );
    await turnOfTheLoop();
    leaving.abort(reason);
    expect(await game.play(asked)).toMatchObject([
      { ok: false, code },
      { ok: false, code },
    ]);
    expect(game.seen.pauses).toEqual(pauses);
  });
});

test("a player who has left does not affect the others' view of the model", async () => {
  const leaving = new AbortController();
  const first = { ...DISCUSSION, index: 0 };
  let requests = 0;
  const game = aGame({
    answers: (...given) => {
      requests += 1;
      return requests === 1 ? hangs(...given) : WELL;
    },
  });
  const asked = [game.ask(first, { signal: leaving.signal }), game.ask(first, { colour: 'blue' })];
  await turnOfTheLoop();
  leaving.abort(TIME_UP);
  expect(await game.play(asked)).toMatchObject([
    { ok: false, code: 'endpoint/aborted' },
    { ok: true },
  ]);
});

describe('a player who is late', () => {
  async function lateOne(request: MindRequest, seat: Partial<ModelSeat> = {}) {
    const answer = request.kind === 'action' ? ORDER : WELL;
    const well = after(() => game.clock, 1, answer);
    let requests = 0;
    const game = aGame({
      answers: (sent, signal, hears) => {
        requests += 1;
        if (requests === 1) return answer;
        return sent['seed'] === 1 ? hangs(sent, signal, hears) : well(sent, signal, hears);
      },
    });
    await game.play([game.ask({ ...request, index: 99 })]);
    const colours = ['red', 'blue', 'green', 'pink'] as const;
    const asked = colours.map((colour, index) =>
      game.ask(request, { colour, seat: { ...seat, seed: index } }),
    );
    return { game, answers: await game.play(asked) };
  }

  test('a late player gets a fault with a sentence, and the game goes on', async () => {
    const { game, answers } = await lateOne(DISCUSSION);
    expect(answers.map(({ ok }) => ok)).toEqual([true, false, true, true]);
    expect(answers[1]).toEqual({ ok: false, code: LATE, text: 'no answer within 60 s of asking' });
    expect(game.seen.pauses).toEqual([]);
    // Its request was lost when the others had been answered half a minute before, and made again half a second later.
    expect(game.clock.elapsed).toBe(61.5 * S);
  });

  test.each([
    ['at the table', DISCUSSION, 11.5],
    ['on the ship', { ...ACTION, index: 3 } satisfies MindRequest, 31.5],
  ])('has the time that the match gives: %s', async (_, request, seconds) => {
    const { game } = await lateOne(request, { times: { table: 10 * S, ship: 30 * S } });
    expect(game.clock.elapsed).toBe(seconds * S);
  });

  test('a player who leaves while being late has left', async () => {
    const leaving = new AbortController();
    let hung = 0;
    const game = aGame({
      answers: (sent, signal, hears) => {
        if (sent['seed'] !== 1) return WELL;
        hung += 1;
        // The first is lost, the second is given up when its player is late.
        if (hung === 2)
          signal.addEventListener('abort', () => leaving.abort('over'), { once: true });
        return hangs(sent, signal, hears);
      },
    });
    await game.play([game.ask({ ...DISCUSSION, index: 0 })]);
    const others = (['blue', 'green', 'pink'] as const).map((colour) =>
      game.ask(DISCUSSION, { colour }),
    );
    const late = game.ask(DISCUSSION, { seat: { seed: 1 }, signal: leaving.signal });
    const answers = await game.play([...others, late]);
    expect([hung, game.clock.elapsed]).toEqual([2, 60.5 * S]);
    expect(answers.at(-1)).toMatchObject({ code: 'endpoint/aborted' });
  });

  test('a player who was late is answered when the table is asked again', async () => {
    const { game } = await lateOne(DISCUSSION);
    const asked = (['red', 'green'] as const).map((colour) => game.ask(DISCUSSION, { colour }));
    expect(await game.play(asked)).toMatchObject([{ ok: true }, { ok: true }]);
  });
});

describe('the requests that a game records', () => {
  test('before each request a game learns its seat, kind, mode and estimate', async () => {
    const game = aGame({ answers: () => said('prose') });
    await game.play([game.ask(ACTION, { colour: 'green' })]);
    const [one] = game.seen.sends;
    expect(one).toMatchObject({
      seat: 'green',
      requestKind: 'action',
      index: 12,
      mode: 'json_schema',
    });
    expect(one?.estimate.completion).toBe(game.sent[0]?.['max_tokens']);
    expect(game.seen.sends.map(({ mode }) => mode)).toEqual(
      game.seen.calls.map(([{ mode }]) => mode),
    );
  });

  test.each(['', '1', '12', '123', 'é'])(
    "a prompt's estimate is one token for each four bytes, rounded up: %j more",
    async (more) => {
      const game = aGame();
      const view = crewView({ you: { pads: { main: `Quiet.${more}`, meeting: '' } } });
      await game.play([game.ask({ ...DISCUSSION, view })]);
      const messages = game.sent[0]?.['messages'];
      const contents = (Array.isArray(messages) ? messages : []).map(({ content }) => content);
      expect(game.seen.sends[0]?.estimate.prompt).toBe(
        Math.ceil(Buffer.byteLength(contents.join('')) / 4),
      );
    },
  );

  test('a cut answer is recorded with the room of the next request', async () => {
    let asked = 0;
    const cut = body(200, completionBody({ content: null, reasoning: 'Who?' }, 'length'));
    const game = aGame({ answers: () => (asked++ === 0 ? cut : WELL) });
    await game.play([game.ask()]);
    const [one, other] = game.seen.sends.map(({ estimate }) => estimate);
    expect(other).toEqual({ ...one, completion: 4 * (one?.completion ?? 0) });
    expect(game.seen.calls.map(([{ estimate }]) => estimate)).toEqual([one, other]);
  });

  test('after each request a game learns its number, question and answer', async () => {
    const answers = [said('prose'), WELL];
    const game = aGame({ answers: () => answers.shift() ?? WELL, firstId: 40 });
    await game.play([game.ask(DISCUSSION, { colour: 'blue' })]);
    expect(game.seen.calls).toMatchObject([
      [
        { id: 40, seat: 'blue', requestKind: 'discussion', index: 3, failure: 'malformed' },
        DISCUSSION,
        null,
      ],
      [
        { id: 41, seat: 'blue', requestKind: 'discussion', index: 3, failure: null },
        DISCUSSION,
        GOOD,
      ],
    ]);
  });

  test.each<[name: string, usage: object | undefined, isEstimated: boolean]>([
    ['both counts', { prompt_tokens: 900, completion_tokens: 9 }, false],
    ['no count', undefined, true],
    ['the prompt alone', { prompt_tokens: 900 }, true],
    ['the answer alone', { completion_tokens: 9 }, true],
  ])('an estimate where the endpoint gives %s: %s', async (_, usage, isEstimated) => {
    const game = aGame({ answers: () => said(GOOD_TEXT, { usage }) });
    await game.play([game.ask()]);
    const [call] = game.seen.calls[0] ?? [];
    expect(call?.estimate).toEqual(isEstimated ? game.seen.sends[0]?.estimate : undefined);
  });

  test('a broken answer is charged to the budget as far as it came', async () => {
    const answers = [lost('broken', { written: 400 }), WELL];
    const budget = new Budget(NO_LIMIT, () => 0);
    const game = aGame({ answers: () => answers.shift() ?? WELL, budget });
    await game.play([game.ask()]);
    const [call] = game.seen.calls[0] ?? [];
    const { prompt = 0, completion = 0 } = game.seen.sends[0]?.estimate ?? {};
    expect(call?.estimate).toEqual({ prompt, completion: 100 });
    expect(Object.keys(call ?? {})).not.toContain('written');
    expect(budget.spent).toMatchObject({
      calls: 2,
      estimatedTokens: 2 * prompt + 100 + completion,
    });
  });

  test('a record states how many milliseconds its request took', async () => {
    const game = aGame({ answers: (...given) => after(() => game.clock, 2.5, WELL)(...given) });
    await game.play([game.ask()]);
    expect(game.seen.calls.map(([{ ms }]) => ms)).toEqual([2500]);
  });
});

describe('a prompt that the endpoint seems to cut', () => {
  const counting = (...counts: readonly number[]) => {
    const left = [...counts];
    return () => said(GOOD_TEXT, { usage: { prompt_tokens: left.shift() ?? counts.at(-1) } });
  };
  /** The prompts grow from request to request. */
  const lengthen = (nth: number): MindRequest => {
    const message = 'a'.repeat(400);
    const said = { tick: 1, speaker: 'blue', message, target: null } as const;
    const { table, ...view } = crewView();
    return {
      ...DISCUSSION,
      view: {
        ...view,
        table: { ...table, transcript: Array.from({ length: nth + 1 }, () => said) },
      },
    };
  };
  test.each<
    [name: string, counts: readonly number[], context: number | null, warning: RegExp | null]
  >([
    ['counts of what was not cached', [900, 7, 12, 7, 12], null, null],
    ['no counts', [0], null, null],
    ['growing counts', [900, 1000, 1100, 1200], null, null],
    ['a known context that is long enough', [7], 100_000, null],
    ['a known context that is outgrown by the counts', [900, 1000, 1100, 1200], 500, null],
    ['a count that is no context', [7], null, null],
    ['counts that stop growing', [300], null, /it counts 300 for shorter ones too/],
    ['a known context that is too short', [7], 500, /its context has 500/],
  ])('%s', async (_, counts, context, warning) => {
    const game = aGame({ answers: counting(...counts), context });
    for (let nth = 0; nth < 5; nth++) {
      const [answer] = await game.play([game.ask(lengthen(nth))]);
      expect(answer).toMatchObject({ ok: true });
    }
    expect(game.seen.warnings).toEqual(warning === null ? [] : [expect.stringMatching(warning)]);
  });
});

describe('contents that count as an answer', () => {
  test.each<[name: string, request: MindRequest, content: object, isOne: boolean]>([
    ['a reply at the table', DISCUSSION, { desire_to_speak: 3, message: 'Red?' }, true],
    ['an empty object', DISCUSSION, {}, false],
    ['fields that nobody asked for', DISCUSSION, { tone: 'Red?', volume: 3 }, false],
    ['an action of which nothing can be read', ACTION, { action: 7 }, false],
    ['a reply on the ship', ACTION, { desire_to_speak: 3, message: 'Red?' }, false],
  ])('%s', async (_, request, content, isOne) => {
    const game = aGame({ answers: () => said(JSON.stringify(content)) });
    const [answer] = await game.play([game.ask(request)]);
    expect(answer?.ok).toBe(isOne);
  });
});

describe('the gate to a model', () => {
  test('lets the living in before ghosts', async () => {
    const game = aGame({
      concurrency: 1,
      answers: (...given) => after(() => game.clock, 1, WELL)(...given),
    });
    await game.play([game.ask({ ...DISCUSSION, index: 0 })]);
    const kinds: string[] = [];
    const asked = [GHOST, GHOST, DISCUSSION, DISCUSSION].map((request, index) =>
      game.ask(request, { colour: COLOURS[index] ?? 'red' }),
    );
    await game.play(asked);
    kinds.push(...game.seen.sends.slice(1).map(({ requestKind }) => requestKind));
    // At tick 3 the fourth seat is first; then ghosts have come before the third.
    expect(kinds).toEqual(['discussion', 'discussion', 'ghost', 'ghost']);
  });

  test('a gate narrows when answers take long, and the pace records each answer', async () => {
    const game = aGame({ answers: (...given) => after(() => game.clock, 40, WELL)(...given) });
    const { width, asked } = game.clients.clientFor(ENDPOINT);
    await game.play([game.ask({ ...DISCUSSION, index: 0 })]);
    await game.play(COLOURS.slice(0, 8).map((colour) => game.ask(DISCUSSION, { colour })));
    expect([width.width, asked.pace.longestSilenceMs]).toEqual([4, 40 * S]);
  });

  test('stays wide where answers are short, however late it is', async () => {
    const game = aGame({ answers: (...given) => after(() => game.clock, 1, WELL)(...given) });
    const { width } = game.clients.clientFor(ENDPOINT);
    await game.play([game.ask({ ...DISCUSSION, index: 0 })]);
    await game.play([game.clock.sleep(100 * S)]);
    await game.play(COLOURS.slice(0, 8).map((colour) => game.ask(DISCUSSION, { colour })));
    expect(width.width).toBe(8);
  });

  test('a row of rests ends when the endpoint answers, and a long one is told of once', async () => {
    const limited = (retryAfterMs: number): Delivery => ({
      type: 'body',
      status: 429,
      body: { error: { message: 'slow' } },
      retryAfterMs,
    });
    const answers = [WELL, limited(400 * S), limited(S), WELL, limited(400 * S), WELL];
    const game = aGame({ answers: () => answers.shift() ?? WELL });
    await game.play([game.ask()]);
    for (const index of [4, 5]) await game.play([game.ask({ ...DISCUSSION, index })]);
    expect(game.seen.pauses).toEqual([]);
    expect(game.seen.loading.map(({ says, ms, mostMs }) => [says, ms, mostMs])).toEqual([
      ['slow', 0, 400 * S],
      ['slow', 0, 60 * S],
      ['slow', 0, 400 * S],
    ]);
  });

  test('one player of several models at an endpoint pauses the game if its model rests for too long', async () => {
    const limited = { ...refused(429, 'slow'), retryAfterMs: 601 * S } as const;
    const game = aGame({ answers: ({ model }) => (model === 'busy' ? limited : WELL) });
    const busy = { ...ENDPOINT, model: 'busy' };
    await game.play([
      game.ask(),
      game.ask(DISCUSSION, { colour: 'blue', seat: { endpoint: busy } }),
    ]);
    expect(game.seen.pauses).toEqual([
      ['rate-limit', 'slow (it asks for 601 s; --max-wait allows more)'],
    ]);
  });
});

describe('a model that loads', () => {
  test('is waited for, and told of', async () => {
    const answers = [refused(503, 'Loading model'), refused(503, 'Loading model'), WELL];
    const game = aGame({ answers: () => answers.shift() ?? WELL });
    expect(await game.play([game.ask()])).toMatchObject([{ ok: true }]);
    expect(game.seen.loading.map(({ says, ms }) => [says, ms])).toEqual([
      ['Loading model', 0],
      ['Loading model', 500],
    ]);
  });
});

describe('clients', () => {
  test('are one for each address, model and key; the models of one server share its pace', () => {
    const { clients } = aGame();
    const one = clients.clientFor(ENDPOINT);
    expect(clients.clientFor({ ...ENDPOINT })).toBe(one);
    const others = [
      { ...ENDPOINT, baseUrl: 'http://two/v1' },
      { ...ENDPOINT, model: 'other' },
      { ...ENDPOINT, apiKey: 'key' },
    ].map((endpoint) => clients.clientFor(endpoint));
    expect(new Set([one, ...others]).size).toBe(4);
    expect(others.map(({ asked }) => asked.pace === one.asked.pace)).toEqual([false, true, true]);
    expect(new Set([one, ...others].map(({ asked }) => asked.start)).size).toBe(4);
    expect(others.map(({ asked }) => [asked.baseUrl, asked.model])).toEqual([
      ['http://two/v1', 'm'],
      ['http://one/v1', 'other'],
      ['http://one/v1', 'm'],
    ]);
  });

  test('a client starts with remembered capabilities, and keeps new ones', async () => {
    const { capabilities } = new CapabilityCache();
    const remembered = { capabilities: { ...capabilities, room: 4 }, at: 0 };
    const kept: unknown[] = [];
    const asked: unknown[] = [];
    const clients = new ModelClients({
      time: new SimulatedClock(),
      open: () => ({ send: async () => WELL }),
      limits: { concurrency: 1, perMinute: null },
      patience: { attemptMs: S },
      prices: {},
      memory: {
        recall: (endpoint) => {
          asked.push(endpoint);
          return remembered as never;
        },
        keeperFor: (endpoint, from) => {
          asked.push(endpoint, from);
          return { keep: (one) => void kept.push(one), forget: () => {} };
        },
      },
    });
    const known = clients.clientFor(ENDPOINT).capabilities;
    expect(asked).toEqual([ENDPOINT, ENDPOINT, remembered]);
    expect(known.capabilities.room).toBe(4);
    known.noteAnswered('json_schema', 4, []);
    expect(kept).toMatchObject([{ room: 4 }]);
  });
});

describe('words in progress', () => {
  const speak = (...pieces: readonly string[]): Answers => {
    return (_sent, _signal, { onText }) => {
      for (const piece of pieces) onText(piece);
      return said(pieces.join(''));
    };
  };
  const THOUGHT = '{"internal_thought": "Red';

  test('a spectator sees words grow, and no update for pieces without words', async () => {
    const game = aGame({
      answers: speak(THOUGHT, ' lies"', ', ', '"message": "He', 'y", "desire_to_speak": 3}'),
    });
    await game.play([game.ask(DISCUSSION, { colour: 'blue' })]);
    expect(game.seen.words.map(([seat, kind]) => [seat, kind])).toEqual(
      game.seen.words.map(() => ['blue', 'discussion']),
    );
    expect(game.seen.words.map(([, , words]) => words)).toEqual([
      { thought: 'Red', message: '' },
      { thought: 'Red lies', message: '' },
      { thought: 'Red lies', message: 'He' },
      { thought: 'Red lies', message: 'Hey' },
    ]);
  });

  test("a spectator sees a model's thoughts before its answer, and their end with a failed answer", async () => {
    let asked = 0;
    const game = aGame({
      answers: (_sent, _signal, { onText, onThought }) => {
        asked += 1;
        if (asked > 1) return WELL;
        for (const piece of ['Who ', 'was it? ']) onThought?.(piece);
        onText('{"message": "Hey');
        return NO_ANSWER;
      },
    });
    await game.play([game.ask()]);
    expect(game.seen.words.map(([, , words]) => words)).toEqual([
      { thought: 'Who ', message: '' },
      { thought: 'Who was it? ', message: '' },
      { thought: 'Who was it? ', message: 'Hey' },
      null,
    ]);
  });

  test('a spectator sees once that words are void, and the next words from their beginning', async () => {
    let asked = 0;
    const game = aGame({
      answers: (...given) =>
        asked++ === 0
          ? speak(THOUGHT)(...given)
          : speak('{"message": "Hey', '", "desire_to_speak": 3}')(...given),
    });
    await game.play([game.ask()]);
    expect(game.seen.words.map(([, , words]) => words)).toEqual([
      { thought: 'Red', message: '' },
      null,
      { thought: '', message: 'Hey' },
    ]);
  });

  test('a spectator sees that even a single letter is void', async () => {
    const answers = [speak('{"message": "H'), speak('{"message": "", "desire_to_speak": 3}')];
    const game = aGame({ answers: (...given) => answers.shift()?.(...given) ?? WELL });
    await game.play([game.ask()]);
    expect(game.seen.words.map(([, , words]) => words?.message)).toEqual(['H', undefined]);
  });

  test('a model answers also in a game that nobody watches', async () => {
    const game = aGame({ answers: speak(GOOD_TEXT), isWatched: false });
    expect(await game.play([game.ask()])).toMatchObject([{ ok: true }]);
  });

  test('bytes keep a request from being lost, and words start the time of a cold model', async () => {
    const game = aGame({
      answers: (_sent, signal, { onBytes, onText }) => {
        game.clock.setTimeout(onBytes, 10 * S);
        game.clock.setTimeout(() => onText('{'), 100 * S);
        return after(() => game.clock, 110, WELL)(_sent, signal, { onBytes, onText });
      },
    });
    const { start } = game.clients.clientFor(ENDPOINT).asked;
    const cold: boolean[] = [];
    for (const second of [99, 101])
      game.clock.setTimeout(() => cold.push(start.isCold), second * S);
    await game.play([game.ask()]);
    expect(cold).toEqual([true, false]);
  });
});

describe('the order of requests sent together', () => {
  async function orderOf(index: number, colours: readonly Colour[], line = new LineUp()) {
    const order: Colour[] = [];
    await Promise.all(
      colours.map(async (colour) => {
        await line.join(colour, index);
        order.push(colour);
      }),
    );
    return order;
  }

  const SEATS = COLOURS.slice(0, 4);
  const [a, b, c, d] = SEATS;

  test.each([
    [0, [a, b, c, d]],
    [1, [b, c, d, a]],
    [3, [d, a, b, c]],
    [4, [a, b, c, d]],
    [6, [c, d, a, b]],
  ])('rotates by tick: at tick %i %j', async (index, order) => {
    expect(await orderOf(index, SEATS.toReversed())).toEqual(order);
    expect(await orderOf(index, SEATS)).toEqual(order);
  });

  test('later requests start a new line', async () => {
    const line = new LineUp();
    expect(await orderOf(1, SEATS, line)).toEqual([b, c, d, a]);
    expect(await orderOf(2, SEATS.slice(0, 2), line)).toEqual([a, b]);
  });
});
