import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../actors/engine/clock.ts';
import { CapabilityCache } from '../../../../actors/minds/openai/capabilities.ts';
import { type ModelCall, wasAccepted } from '../../../../actors/minds/openai/conversation.ts';
import { FAILURE_CLASSES } from '../../../../actors/minds/openai/failures.ts';
import type { AnswerListener, Delivery } from '../../../../actors/minds/openai/transport.ts';
import { realTime } from '../../../../actors/ports/time.ts';
import { completionBody } from '../../../support/endpoint/sent.ts';
import { GOOD, GOOD_TEXT } from '../../../support/endpoint/words.ts';
import { type Asking, asked, PARAMS, QUESTION, summary } from './asking.ts';

type Body = Readonly<Record<string, unknown>>;

function body(status: number, of: unknown, retryAfterMs: number | null = null): Delivery {
  return { type: 'body', status, body: of, retryAfterMs };
}

const refused = (status: number, message: string, retryAfterMs: number | null = null) =>
  body(status, { error: { message } }, retryAfterMs);
const said = (content: unknown, reason = 'stop') => body(200, completionBody({ content }, reason));
const WELL = said(GOOD_TEXT);
const LOADS = refused(503, 'Loading model');

type Answering = Delivery | ((sent: Body, signal: AbortSignal, hears: AnswerListener) => unknown);

/** Asks where these things come back, one after another, and the last of them for ever. */
async function converse(deliveries: readonly Answering[], asking: Asking = {}) {
  const bodies: Body[] = [];
  const transport = {
    send: async (sent: Body, signal: AbortSignal, listener?: AnswerListener) => {
      const next = deliveries[Math.min(bodies.length, deliveries.length - 1)] ?? WELL;
      bodies.push(sent);
      const hears = listener ?? { onBytes: () => {}, onText: () => {} };
      return typeof next === 'function' ? ((await next(sent, signal, hears)) as Delivery) : next;
    },
  };
  const known = asking.known ?? new CapabilityCache();
  return { ...(await asked(transport, { ...asking, known })), bodies, known };
}

test('a model that refuses or gives a broken answer still counts as having accepted the question', () => {
  const failed = (code: (typeof FAILURE_CLASSES)[number]) =>
    ({ ok: false, code, text: '' }) as const;
  const accepted = FAILURE_CLASSES.filter((code) => wasAccepted(failed(code)));
  expect(accepted).toEqual(['refusal', 'content-filter', 'truncated', 'empty', 'malformed']);
  expect(wasAccepted({ ok: true, received: GOOD })).toBe(true);
});

describe('a question ends after 16 requests', () => {
  const picky = (names: readonly string[]) => (sent: Body) => {
    const name = names.find((one) => one in sent);
    return name === undefined ? WELL : refused(400, `Unsupported parameter: '${name}'`);
  };

  test.each([
    [15, 'answer in json_schema, 16 calls'],
    [16, 'upstream, 16 calls'],
  ])('%i parameters that are refused one after another: %s', async (count, expected) => {
    const names = Array.from({ length: count }, (_, index) => `knob_${index}`);
    const extra = Object.fromEntries(names.map((name) => [name, 1]));
    const outcome = await converse([picky(names)], { params: { ...PARAMS, extra } });
    expect(summary(outcome)).toBe(expected);
    if (!outcome.reply.ok) expect(outcome.reply.text).toBe('no answer after 16 requests');
  });

  test('requests to a model that loads are not counted, and may be as many as it takes', async () => {
    const loads = Array.from({ length: 40 }, () => LOADS);
    const outcome = await converse([...loads, WELL], { ports: { mayLoad: () => Infinity } });
    expect(summary(outcome)).toBe('answer in json_schema, 41 calls');
  });
});

test('more room for the answer is asked for once if it is refused', async () => {
  const known = new CapabilityCache();
  const message = { content: '', reasoning: 'hm' };
  const thinks = body(200, { choices: [{ message, finish_reason: 'length' }] });
  const tooMuch = refused(400, 'max_tokens must be at most 1000');
  const first = await converse([thinks, tooMuch, WELL], { known });
  const second = await converse([thinks, WELL], { known });
  expect([first, second].map(summary)).toEqual([
    'answer in json_object, 3 calls',
    'answer in json_object, 2 calls',
  ]);
});

test('a web page where a model has answered is a failure that may pass', async () => {
  const known = new CapabilityCache();
  const page = body(200, '<html></html>');
  expect(summary(await converse([page], { known }))).toBe('not-endpoint, 1 call');
  const ask = () => converse([WELL], { known });
  await known.call(async () => (await ask()).reply, wasAccepted, new AbortController().signal);
  const { slept } = await converse([page, WELL], { known });
  expect(slept).toEqual([500]);
});

describe('a model that loads', () => {
  test('is asked again after half a second, doubled up to eight', async () => {
    const loads = Array.from({ length: 6 }, () => LOADS);
    const { slept } = await converse([...loads, WELL], { ports: { mayLoad: () => Infinity } });
    expect(slept).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
  });

  test.each([
    ['sooner, and that counts', 3_000, [500, 1_000, 2_000, 3_000]],
    ['at once, which is too soon', 0, [500, 500, 500, 500]],
    ['in less than half a second', 499, [500, 500, 500, 500]],
    ['later than we look', 600_000, [500, 1_000, 2_000, 4_000]],
  ])('and asks to be asked again %s', async (_, ms, waits) => {
    const loads = waits.map(() => refused(503, 'Loading model', ms));
    const { slept } = await converse([...loads, WELL], { ports: { mayLoad: () => Infinity } });
    expect(slept).toEqual(waits);
  });

  test('a model that loads for too long is given up with its last sentence', async () => {
    const says: string[] = [];
    const mayLoad = (text: string) => 3 - says.push(text);
    const outcome = await converse([LOADS], { ports: { mayLoad } });
    expect(outcome.reply).toEqual({ ok: false, code: 'loading', text: 'Loading model', calls: 3 });
    expect(says).toEqual(['Loading model', 'Loading model', 'Loading model']);
    expect(outcome.calls.map(({ failure }) => failure)).toEqual(['loading', 'loading', 'loading']);
  });

  test('a loading model fails after 6 requests if nothing decides how long it may load', async () => {
    expect(summary(await converse([LOADS]))).toBe('upstream, 6 calls');
  });

  test('waits for loading and for failures are counted separately', async () => {
    const ill = refused(500, 'oops');
    const { slept } = await converse([LOADS, ill, LOADS, ill, WELL], {
      ports: { mayLoad: () => Infinity },
    });
    expect(slept).toEqual([500, 500, 1_000, 1_000]);
  });
});

test.each([
  [2100, [400, 276]],
  [2079, [400]],
])(
  'a request above a limit of %i tokens is made with less room if that suffices',
  async (limit, rooms) => {
    const text = `Request too large for m on TPM: Limit ${limit}, Requested 2224`;
    const { bodies } = await converse([refused(413, text), WELL]);
    const sent = bodies.map((body) => Number(body['max_tokens']));
    expect(sent).toEqual(rooms);
  },
);

describe('a wait', () => {
  test.each([
    [null, 500],
    [0, 500],
    [1, 1],
    [700, 700],
    [30_000, 30_000],
  ])('is as long as is asked for: %j', async (wanted, ms) => {
    const { slept } = await converse([refused(429, 'slow down', wanted), WELL]);
    expect(slept).toEqual([ms]);
  });

  test.each([
    [429, 30_001, 'rate-limit', 'slow down (it asks for 31 s; --max-wait allows more)', 1],
    [503, 30_001, 'rate-limit', 'slow down (it asks for 31 s; --max-wait allows more)', 1],
    [402, 30_001, 'credits', 'slow down (it asks for 31 s; --max-wait allows more)', 1],
    [429, null, 'rate-limit', 'slow down (--max-wait allows more)', 7],
  ])('%i that asks for %j ms is too long: %s', async (status, ms, code, text, calls) => {
    const { reply } = await converse([refused(status, 'slow down', ms)]);
    expect(reply).toEqual({ ok: false, code, text, calls });
  });

  test('that has not helped five times is an outage', async () => {
    const { reply } = await converse([refused(503, 'no')]);
    expect(reply).toMatchObject({ code: 'upstream', text: 'no', calls: 6, isOutage: true });
  });

  test('that a model asks for is no wait of our own, and does not count as a request', async () => {
    const limits = Array.from({ length: 17 }, () => refused(429, 'slow down', 900));
    const ill = Array.from({ length: 5 }, () => refused(503, 'no'));
    const outcome = await converse([...limits, ...ill, WELL], {
      mostRestMs: Number.POSITIVE_INFINITY,
    });
    expect(summary(outcome)).toBe('answer in json_schema, 23 calls');
    expect(outcome.slept.slice(-5)).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  });

  test('that is broken off ends the question', async () => {
    const leaving = new AbortController();
    const outcome = await converse([refused(503, 'no')], {
      signal: leaving.signal,
      sleep: async () => leaving.abort(),
    });
    expect(summary(outcome)).toBe('aborted, 1 call');
    const gone = await converse([WELL], { signal: leaving.signal });
    expect([summary(gone), gone.bodies]).toEqual(['aborted, 0 calls', []]);
  });
});

describe('no way to ask is left', () => {
  const modes = (...list: readonly ('text' | 'json_object' | 'json_schema' | 'tool')[]) => {
    const known = new CapabilityCache();
    known.capabilities = { ...known.capabilities, modes: list };
    return known;
  };
  const PROSE = said('I think Red is suspicious.');

  test('where the last is refused after the others got no answer', async () => {
    const noFormat = refused(400, 'response_format is not supported');
    const outcome = await converse([PROSE, PROSE, noFormat], {
      known: modes('text', 'json_object'),
    });
    expect(outcome.reply).toEqual({
      ok: false,
      code: 'malformed',
      text: 'no way to ask got a usable answer',
      calls: 3,
    });
  });

  test('where none gets one: the last reason is said', async () => {
    const outcome = await converse([PROSE, PROSE, said(null)], {
      known: modes('text', 'json_object'),
    });
    expect(outcome.reply).toMatchObject({
      code: 'empty',
      text: 'no way to ask got a usable answer: the last was empty',
    });
  });

  test('one correction is made in a conversation, in the way that failed, and said once', async () => {
    const { bodies } = await converse([PROSE, PROSE, PROSE, WELL]);
    const spoken = bodies.map(({ messages }) => (Array.isArray(messages) ? messages.length : 0));
    const usual = 1 + QUESTION.user.length;
    expect(spoken).toEqual([usual, usual + 2, usual, usual]);
    expect(JSON.stringify(bodies[1])).toContain('I think Red is suspicious.');
    expect(JSON.stringify(bodies[1])).toContain('That cannot be read as one answer');
  });

  test('a request that failed without an answer is repeated without a correction', async () => {
    const { bodies } = await converse([refused(400, 'json_validate_failed'), WELL]);
    expect(bodies[1]).toEqual(bodies[0]);
  });
});

describe('remembered capabilities that may be wrong', () => {
  const PROSE = said('I think Red is suspicious.');
  const NO = body(400, 'nein');
  const THOUGHTS = body(200, completionBody({ content: null, reasoning: 'Who?' }, 'length'));
  const { capabilities: untried } = new CapabilityCache();
  const remembering = () => new CapabilityCache({ ...untried, modes: ['text'] });
  const formOf = (sent: Body) =>
    'tools' in sent ? 'tool' : (JSON.stringify(sent['response_format'])?.slice(9, 20) ?? 'text');
  const turns = ({ messages }: Body) => (Array.isArray(messages) ? messages.length : 0);

  test('all is tried once more, with a correction of its own, and then there is an end', async () => {
    const outcome = await converse([PROSE], { known: remembering() });
    expect(summary(outcome)).toBe('malformed, 7 calls');
    expect(outcome.bodies.map(formOf)).toEqual([
      'text',
      'text',
      'json_schema',
      'json_schema',
      'json_object',
      'tool',
      'text',
    ]);
    const usual = 1 + QUESTION.user.length;
    expect(outcome.bodies.map((sent) => turns(sent) > usual)).toEqual([
      false,
      true,
      false,
      true,
      false,
      false,
      false,
    ]);
  });

  test('the room for an answer begins small again once they are given up', async () => {
    const { bodies } = await converse([THOUGHTS], { known: remembering() });
    expect(bodies.map((sent) => Number(sent['max_tokens']) / QUESTION.maxTokens)).toEqual([
      1, 4, 16, 1, 4, 16, 16, 16, 16,
    ]);
  });

  test('a change that is being tried is given up together with them', async () => {
    // Refused, then joined into one message, which is taken and gets no answer twice.
    const { bodies } = await converse([NO, PROSE, PROSE, WELL], { known: remembering() });
    expect(bodies.map(turns)).toEqual([3, 1, 3, 3]);
    expect(bodies.map(formOf)).toEqual(['text', 'text', 'text', 'json_schema']);
  });

  test('plainer ways are tried from the first', async () => {
    const { bodies } = await converse([NO, NO, PROSE, PROSE, NO, WELL], { known: remembering() });
    expect(bodies.slice(4).map(formOf)).toEqual(['json_schema', 'json_object']);
  });

  test.each([
    ['and is answered', [WELL], 'answer in json_object, 3 calls'],
    ['and is asked in all ways once more', [], 'malformed, 10 calls'],
  ])(
    'another question that was under way meanwhile starts over as well, %s',
    async (_, last, expected) => {
      const known = remembering();
      const slow: Answering = async () => {
        // While its answer is under way another question finds out, and is answered.
        await converse([PROSE, PROSE, WELL], { known });
        return PROSE;
      };
      expect(summary(await converse([slow, PROSE, ...last, PROSE], { known }))).toBe(expected);
      expect(known.generation).toBe(1);
    },
  );
});

describe('a status that may be about streams is answered with the other way', () => {
  const NONE = body(406, '');
  const isStream = (sent: Body) => sent['stream'] === true;

  test.each([
    [false, [NONE, WELL], [false, true]],
    [true, [NONE, WELL], [true, false]],
  ])('once, where streams are wished: %s', async (streams, deliveries, turned) => {
    const params = { ...PARAMS, streams };
    const outcome = await converse(deliveries, { params });
    expect([outcome.bodies.map(isStream), outcome.reply.ok]).toEqual([turned, true]);
    expect(outcome.known.capabilities.streaming).toBe(streams ? 'never' : 'always');
  });

  test('when the other way is refused too, requests go on in the first one', async () => {
    const { bodies } = await converse([NONE, NONE, NONE, WELL]);
    expect(bodies.map(isStream)).toEqual([false, true, false, false]);
  });
});

test('a refusal that nobody understands ends with the plainest way to ask', async () => {
  const outcome = await converse([refused(400, 'nein')]);
  expect(outcome.reply).toEqual({ ok: false, code: 'upstream', text: 'nein', calls: 7 });
  expect(Object.keys(outcome.bodies.at(-1) ?? {})).toEqual(['model', 'messages']);
});

test('a budget that refuses ends the question before a request, in its words', async () => {
  const outcome = await converse([WELL], { refusal: () => 'spent' });
  expect(outcome.reply).toEqual({ ok: false, code: 'budget', text: 'spent', calls: 0 });
  expect(outcome.bodies).toEqual([]);
});

describe('the room for an answer', () => {
  const { maxTokens } = QUESTION;
  const roomOf = (sent: Body) => Number(sent['max_tokens']) / maxTokens;
  const OVERFLOW = refused(400, 'maximum context length is 8192 tokens');
  const THOUGHTS = body(200, completionBody({ content: null, reasoning: 'Who?' }, 'length'));
  const CUT = said('{"internal_thought":"Red is', 'length');

  const knownRoom = (room: number, modes: readonly ('json_object' | 'text')[]) => {
    const known = new CapabilityCache();
    known.capabilities = { ...known.capabilities, room, modes };
    return known;
  };

  test.each<[name: string, known: number, deliveries: Delivery[], rooms: number[], end: string]>([
    ['thoughts that never end: up to sixteen', 1, [THOUGHTS], [1, 4, 16, 16], 'truncated, 4 calls'],
    ['words that never end: no more', 1, [CUT], [1, 1, 1], 'truncated, 3 calls'],
    ['thoughts, then words that never end', 1, [THOUGHTS, CUT], [1, 4, 4], 'truncated, 3 calls'],
    ['thoughts, with all that there is known', 16, [THOUGHTS], [16, 16], 'truncated, 2 calls'],
    ['an empty answer: up to four', 1, [said(null)], [1, 4, 4], 'empty, 3 calls'],
    ['a failure of its own: as it is', 4, [refused(401, 'wrong key')], [4], 'auth, 1 call'],
    ['prose: no more', 1, [said('I suspect Red.')], [1, 1, 1], 'malformed, 3 calls'],
    [
      'more than the context: as usual, and in another way',
      1,
      [THOUGHTS, OVERFLOW, WELL],
      [1, 4, 1],
      'answer in text, 3 calls',
    ],
    [
      'more than the context, as it was known: as usual',
      4,
      [OVERFLOW, WELL],
      [4, 1],
      'answer in json_object, 2 calls',
    ],
    ['a prompt that is more than the context', 4, [OVERFLOW], [4, 1], 'context-overflow, 2 calls'],
    [
      'a prompt that is more than the context, with nothing known',
      1,
      [OVERFLOW],
      [1],
      'context-overflow, 1 call',
    ],
    [
      'more than the context, and cut',
      4,
      [OVERFLOW, THOUGHTS, OVERFLOW, WELL],
      [4, 1, 4, 1],
      'answer in text, 4 calls',
    ],
  ])('%s', async (_, room, deliveries, rooms, end) => {
    const known = knownRoom(room, ['json_object', 'text']);
    const outcome = await converse(deliveries, { known });
    expect([outcome.bodies.map(roomOf), summary(outcome)]).toEqual([rooms, end]);
  });

  const BOUND = `Write at most ${maxTokens} characters.`;
  const isBound = (sent: Body) => JSON.stringify(sent['messages']).includes(BOUND);

  test('words that are cut are bounded in words, for all questions to the model from then on', async () => {
    const { known, ...first } = await converse([CUT, WELL]);
    expect([first.bodies.map(isBound), first.bodies.map(roomOf)]).toEqual([
      [false, true],
      [1, 1],
    ]);
    const next = await converse([WELL], { known });
    expect(next.bodies.map(isBound)).toEqual([true]);
    const thinking = await converse([THOUGHTS, WELL]);
    expect(thinking.bodies.map(isBound)).toEqual([false, false]);
  });

  test('more room for an empty answer is not kept', async () => {
    const { known } = await converse([said(null), WELL]);
    expect(known.capabilities).toMatchObject({ room: 1, thinks: false });
  });

  test('room beyond the context is not requested again, and other capabilities stay', async () => {
    const known = knownRoom(4, ['text']);
    const { reply } = await converse([OVERFLOW, WELL], { known });
    expect(reply.ok).toBe(true);
    expect(known.capabilities).toMatchObject({ room: 1, modes: ['text'] });
  });

  test('room requested in vain changes no capabilities', async () => {
    const known = knownRoom(1, ['json_object', 'text']);
    const { reply, bodies } = await converse([THOUGHTS, OVERFLOW, WELL], { known });
    expect(reply).toMatchObject({ ok: true, mode: 'text' });
    expect(bodies.map((sent) => 'response_format' in sent)).toEqual([true, true, false]);
  });

  test('an answer that needs more room than the context fails as truncated in the last mode', async () => {
    const { reply } = await converse([THOUGHTS, OVERFLOW], { known: knownRoom(1, ['text']) });
    expect(reply).toMatchObject({ code: 'truncated', calls: 2 });
  });

  test('the budget is asked before each request', async () => {
    const attempts: unknown[] = [];
    const refusal = (one: unknown) => {
      attempts.push(one);
      return null;
    };
    await converse([THOUGHTS, WELL], { refusal });
    expect(attempts).toEqual([
      { mode: 'json_schema', maxTokens },
      { mode: 'json_schema', maxTokens: 4 * maxTokens },
    ]);
  });
});

test('a correction survives a dropped connection, a wait and a change of the request', async () => {
  const lost = { type: 'lost', isLate: false, wasSent: true, text: 'socket hang up' } as const;
  const again = [lost, refused(503, 'overloaded'), refused(400, 'roles must alternate')];
  const { bodies } = await converse([said('Red did it.'), ...again, WELL]);
  const isCorrected = (sent: Body) => JSON.stringify(sent['messages']).includes('Red did it.');
  expect(bodies.map(isCorrected)).toEqual([false, true, true, true, true]);
});

describe('the bounds of a schema', () => {
  const isBounded = (sent: Body) => /"maximum":10.*"maxLength":600/.test(JSON.stringify(sent));
  test.each([
    "Invalid schema for response_format 'reply': In context=('properties', 'message'), 'maxLength' is not permitted.",
    'Invalid JSON payload received. Unknown name "maxLength" at \'generation_config.response_schema\'',
    'The provided JSON schema contains features not supported by xgrammar.',
    'Failed to parse grammar',
    'keyword "maximum" is unsupported',
    "output_format.schema: For 'integer' type, properties maximum, minimum are not supported",
    'could not convert JSON schema to grammar',
  ])('are left out once an endpoint says: %s', async (words) => {
    const { known, bodies } = await converse([refused(400, words), WELL]);
    const next = await converse([WELL], { known });
    expect([...bodies, ...next.bodies].map(isBounded)).toEqual([true, false, false]);
    expect(known.capabilities.modes[0]).toBe('json_schema');
  });
});

describe('the record of a request', () => {
  const usage = { prompt_tokens: 90, completion_tokens: 9 };
  const counted = (status: number): Delivery => body(status, { error: { message: 'no' }, usage });
  const UNCOUNTED = { promptTokens: null, cachedTokens: null, completionTokens: null, cost: null };
  const NOTHING = { promptTokens: 0, completionTokens: 0 };
  const lost = (wasSent: boolean, more: object = {}): Delivery => ({
    type: 'lost',
    isLate: false,
    wasSent,
    text: 'socket hang up',
    ...more,
  });

  test.each<[name: string, delivery: Delivery, usage: object]>([
    ['a refusal has used nothing', counted(400), NOTHING],
    ['at 399 it is no refusal', counted(399), { promptTokens: 90, completionTokens: 9 }],
    ['what was never sent has used nothing', lost(false, { body: { usage } }), NOTHING],
    ['what was lost without a word has used nobody knows what', lost(true), UNCOUNTED],
    [
      'what was lost after its count has used that',
      lost(true, { body: { usage } }),
      { promptTokens: 90, completionTokens: 9 },
    ],
  ])('%s', async (_, delivery, used) => {
    const { calls } = await converse([delivery, WELL]);
    expect(calls[0]?.usage).toMatchObject(used);
  });

  test.each([
    [undefined, undefined],
    [1, 1],
    [4, 1],
    [5, 2],
  ])('of an answer of %j characters that broke off: %j tokens', async (written, tokens) => {
    const more = written === undefined ? {} : { written };
    const { calls } = await converse([lost(true, more), WELL]);
    expect(calls[0]?.written).toBe(tokens);
    expect(Object.hasOwn(calls[0] ?? {}, 'written')).toBe(tokens !== undefined);
  });

  test('a record states how many whole milliseconds its request took', async () => {
    const moments = [10, 20, 30.4, 40, 50, 60.6, 70, 80, 90];
    const { calls } = await converse([refused(503, 'no'), WELL], {
      time: { ...realTime, now: () => moments.shift() ?? 100 },
      ports: { watch: () => () => {} },
    });
    // Each request is begun, sent and ended.
    expect(calls.map(({ ms }) => ms)).toEqual([20, 21]);
  });

  test('why it failed, in a word', async () => {
    const outcome = await converse([
      refused(400, "Unsupported parameter: 'seed'"),
      refused(400, 'response_format is not supported'),
      refused(503, 'no'),
      said('prose'),
      WELL,
    ]);
    expect(outcome.calls.map(({ failure }) => failure)).toEqual([
      'unsupported seed',
      'unsupported format',
      'upstream',
      'malformed',
      null,
    ]);
  });

  test('a record lists received answers in order, or null', async () => {
    const received: (object | null)[] = [];
    await converse([said('prose'), WELL], {
      ports: { onCall: (_: ModelCall, one) => received.push(one) },
    });
    expect(received).toEqual([null, GOOD]);
  });

  test.each([
    [GOOD_TEXT, undefined],
    [GOOD_TEXT.replaceAll('"', "'"), true],
  ])('whether it had to be repaired: %s', async (text, repaired) => {
    const { calls } = await converse([said(text)]);
    expect(calls.map((call) => call.repaired)).toEqual([repaired]);
  });

  const long = 'x'.repeat(30_000);
  test.each<[name: string, content: unknown, reply: string | null]>([
    ['an answer and nothing else', GOOD_TEXT, null],
    ['an answer with space around it', `\n${GOOD_TEXT} `, null],
    ['an answer that is an object', GOOD, null],
    ['an answer with words around it', `Well: ${GOOD_TEXT}`, `Well: ${GOOD_TEXT}`],
    [
      'an answer with many words around it',
      `${GOOD_TEXT}${long}`,
      `${GOOD_TEXT}${long}`.slice(0, 20_000),
    ],
    ['no answer', 'prose', 'prose'],
    ['nothing', null, null],
  ])('its text, where that is more than what was read: %s', async (_, content, reply) => {
    const { calls } = await converse([said(content), WELL]);
    expect(calls[0]?.reply).toBe(reply);
  });

  test('a request that was given up is aborted and unread', async () => {
    const leaving = new AbortController();
    const { calls, reply } = await converse(
      [
        () => {
          leaving.abort();
          return said(`Well: ${GOOD_TEXT}`);
        },
      ],
      { signal: leaving.signal },
    );
    expect(reply).toMatchObject({ ok: false, code: 'aborted', calls: 1 });
    expect(calls).toMatchObject([{ failure: 'aborted', reply: null }]);
  });
});

describe('words in progress of a conversation', () => {
  test('a listener learns that words restart with each request, and that a failed answer is void', async () => {
    const heard: (string | null)[] = [];
    const speaking = (text: string, delivery: Delivery): Answering => {
      return (_sent, _signal, { onText }) => {
        onText(text);
        return delivery;
      };
    };
    await converse([speaking('pro', said('prose')), speaking('{', WELL)], {
      onText: (piece) => heard.push(piece),
    });
    expect(heard).toEqual([null, 'pro', null, null, '{']);
  });

  test('hear nothing where an endpoint speaks to nobody', async () => {
    const outcome = await converse([
      (_sent, _signal, { onText, onBytes }) => {
        onBytes();
        onText('{');
        return WELL;
      },
    ]);
    expect(outcome.reply.ok).toBe(true);
  });

  test.each<[name: string, delivery: Delivery | Error, isAnswered: boolean]>([
    ['an answer', WELL, true],
    ['prose', said('prose'), true],
    ['399', body(399, ''), true],
    ['400', refused(400, 'no'), false],
    ['503', refused(503, 'no'), false],
    ['a loss', { type: 'lost', isLate: false, wasSent: true, text: '' }, false],
    ['a fault of ours', new Error('broken'), false],
  ])(
    'are told when a request has ended, and whether it was answered: %s',
    async (_, one, isAnswered) => {
      const ends: boolean[] = [];
      const sends: Answering = () => {
        if (one instanceof Error) throw one;
        return one;
      };
      const conversing = converse([sends, WELL], {
        ports: { watch: () => (ended) => ends.push(ended) },
      });
      if (one instanceof Error) await expect(conversing).rejects.toThrow('broken');
      else await conversing;
      expect(ends[0]).toBe(isAnswered);
    },
  );
});

describe('a request that nobody watches', () => {
  const ATTEMPT_MS = 1_000;

  async function trickle(everyMs: number, pieces: number) {
    const clock = new SimulatedClock();
    const first: Answering = async (_sent, signal, { onBytes }) => {
      for (let piece = 1; piece <= pieces; piece++) clock.setTimeout(onBytes, piece * everyMs);
      const { promise, resolve } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => resolve(), { once: true });
      while (!signal.aborted && clock.next());
      await promise;
      return { type: 'lost', isLate: false, wasSent: true, text: 'aborted' };
    };
    const outcome = await converse([first, WELL], {
      patience: { attemptMs: ATTEMPT_MS },
      time: clock,
    });
    return { ...outcome, clock };
  }

  test.each([
    ['is lost after the time of an attempt', 0, 0, 1_000],
    ['is lost so long after the last bytes', 700, 3, 3_100],
    ['is not lost while bytes come, but in the end: after ten times that', 999, 20, 10_000],
    ['is lost where bytes come too late', 1_001, 20, 1_000],
  ])('%s', async (_, everyMs, pieces, ms) => {
    const { calls, reply } = await trickle(everyMs, pieces);
    expect(calls.map(({ failure, ms: took }) => [failure, took])).toEqual([
      ['timeout', ms],
      [null, 0],
    ]);
    expect(reply).toMatchObject({ ok: true, calls: 2 });
  });

  test('and that is lost again and again says after how long', async () => {
    const clock = new SimulatedClock();
    const silent: Answering = (_sent, signal) => {
      while (!signal.aborted && clock.next());
      return { type: 'lost', isLate: false, wasSent: true, text: 'aborted' };
    };
    const { reply } = await converse([silent], {
      patience: { attemptMs: 1_234.4 },
      time: clock,
    });
    expect(reply).toMatchObject({ code: 'timeout', text: 'no answer within 1234 ms', calls: 6 });
  });

  test('and ends leaves no timer behind', async () => {
    const clock = new SimulatedClock();
    let set = 0;
    const time = {
      now: () => 0,
      setTimeout: (work: () => void, ms: number) => {
        set += 1;
        return clock.setTimeout(work, ms);
      },
      clearTimeout: (timer: unknown) => clock.clearTimeout(timer),
    };
    const speaking: Answering = (_sent, _signal, { onBytes }) => {
      onBytes();
      return WELL;
    };
    await converse([speaking], { time });
    expect(set).toBeGreaterThan(0);
    expect(clock.next()).toBe(false);
  });

  test('and is lost counts as sent: tokens may have been used for it', async () => {
    const clock = new SimulatedClock();
    const silent: Answering = (_sent, signal) => {
      while (!signal.aborted && clock.next());
      return { type: 'lost', isLate: false, wasSent: false, text: 'aborted' };
    };
    const { calls } = await converse([silent, WELL], { time: clock });
    expect(calls[0]?.usage.promptTokens).toBeNull();
  });

  test('an answer that comes just as its request is given up still counts', async () => {
    const clock = new SimulatedClock();
    const late: Answering = (_sent, signal) => {
      while (!signal.aborted && clock.next());
      return WELL;
    };
    expect(summary(await converse([late], { time: clock }))).toBe('answer in json_schema, 1 call');
  });
});
