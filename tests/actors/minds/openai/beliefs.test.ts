import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../actors/engine/clock.ts';
import { readJournal } from '../../../../actors/engine/journal/reader.ts';
import { MemorySink } from '../../../../actors/engine/journal/sink.ts';
import { createMatch } from '../../../../actors/engine/match.ts';
import { playMatch } from '../../../../actors/engine/play.ts';
import { createBeliefSettings } from '../../../../actors/minds/believers.ts';
import { type BudgetLimits, NO_LIMIT } from '../../../../actors/minds/openai/budget.ts';
import { MatchModels } from '../../../../actors/minds/openai/matchModels.ts';
import type { Delivery } from '../../../../actors/minds/openai/transport.ts';
import { continueMatch } from '../../../../actors/replay/continue.ts';
import { replay } from '../../../../actors/replay/replay.ts';
import { readCalls } from '../../../../machines/journal/calls.ts';
import type { LineOf } from '../../../../machines/journal/lines.ts';
import type { BeliefTimes } from '../../../../machines/types.ts';
import { answerTo } from '../../../support/endpoint/answer.ts';
import { readAsked } from '../../../support/endpoint/asked.ts';
import { modelTable } from './slowServers.ts';

type Body = Readonly<Record<string, unknown>>;
type Misbehaviour = (nth: number, body: Body) => Delivery | 'silence' | null;

const SEED = 3;
/** Its poll is closed by time, so that there is a moment after the vote. */
const TABLE = { rules: 'classic', discussion_time: 15, voting_time: 15, seconds_per_tick: 5 };
const isBelief = (body: Body) => JSON.stringify(body).includes('beside the game');
const sends = (status: number, body: unknown): Delivery => ({
  type: 'body',
  status,
  body,
  retryAfterMs: null,
});
const says = (content: unknown) =>
  sends(200, { choices: [{ finish_reason: 'stop', message: { role: 'assistant', content } }] });

class Endpoint {
  readonly bodies: Body[] = [];
  readonly beliefs: Body[] = [];
  readonly #time: SimulatedClock;
  readonly #wrong: Misbehaviour;

  constructor(time: SimulatedClock, wrong: Misbehaviour) {
    this.#time = time;
    this.#wrong = wrong;
  }

  readonly open = () => ({
    send: async (body: Body, signal: AbortSignal): Promise<Delivery> => {
      const text = JSON.stringify(body);
      const asked = readAsked(text, {}, text.length);
      if (asked === null) return expect.unreachable();
      (isBelief(body) ? this.beliefs : this.bodies).push(body);
      const wrong = isBelief(body) ? this.#wrong(this.beliefs.length - 1, body) : null;
      if (wrong === 'silence') await this.#time.sleep(1e9, signal);
      else await this.#time.sleep(20 + (text.length % 7) * 10, signal);
      if (signal.aborted) return { type: 'lost', isLate: false, wasSent: true, text: 'aborted' };
      if (wrong !== null && wrong !== 'silence') return wrong;
      if (isBelief(body)) return says(JSON.stringify(believe(body)));
      const sent = answerTo(asked, SEED);
      return sent.type === 'body'
        ? sends(sent.status, JSON.parse(sent.text))
        : expect.unreachable();
    },
  });
}

/** The names in the schema of a belief, each with 0.3. */
function believe(body: Body): object {
  const [names = ''] =
    /"probabilities":\{"type":"object","properties":(\{.*?\}\})/
      .exec(JSON.stringify(body))
      ?.slice(1) ?? [];
  const seats = Object.keys(JSON.parse(names === '' ? '{}' : names));
  return { probabilities: Object.fromEntries(seats.map((seat) => [seat, 0.3])) };
}

type Settings = {
  readonly times?: BeliefTimes | null;
  readonly wrong?: Misbehaviour;
  readonly budget?: Partial<BudgetLimits>;
  readonly past?: string;
};

async function meet({ times = null, wrong = () => null, budget = {}, past }: Settings = {}) {
  const time = new SimulatedClock();
  const endpoint = new Endpoint(time, wrong);
  const models = new MatchModels({
    seed: SEED,
    prices: {},
    budget: { ...NO_LIMIT, ...budget },
    limits: { concurrency: 4, perMinute: null },
    time,
    environment: {},
    open: endpoint.open,
  });
  const creation = createMatch(modelTable(3, 5, TABLE), SEED, models.minds);
  if (!creation.ok) return expect.unreachable();
  const { ready } = creation;
  const beliefs = createBeliefSettings(times, ready.match, SEED, models.believers);
  const sink = new MemorySink();
  if (past === undefined) {
    const match = playMatch(ready, { sink, time, beliefs });
    models.attach(match, match.recorder);
    await match.result;
  } else {
    const match = continueMatch(readJournal(past), {
      ...{ sink, time, models: models.minds },
      ...(beliefs === null ? {} : { believers: beliefs.believers }),
    });
    models.attach(match, match.recorder);
    expect((await match.result).difference).toBeNull();
  }
  const journal = (past ?? '') + sink.text;
  const { lines, damages } = readJournal(journal);
  expect(damages).toEqual([]);
  const stated = lines.flatMap((line) => (line.type === 'belief.stated' ? [line] : []));
  return { endpoint, models, journal, lines, stated, spent: models.spent };
}

const sorted = (bodies: readonly Body[]) => bodies.map((body) => JSON.stringify(body)).toSorted();
const bodiesOf = (journal: string, channel: string) =>
  readJournal(journal).bodies.filter((body) => body.includes(`"channel":"${channel}"`));
const ofModels = (stated: readonly LineOf<'belief.stated'>[]) =>
  stated.filter(({ source }) => source === 'model');

const plain = await meet();

describe('requests of the game', () => {
  test.each(['meeting', 'tick'] as const)(
    'are the same to the byte with --beliefs %s, and none holds a word of it',
    async (times) => {
      const asked = await meet({ times });
      expect(sorted(asked.endpoint.bodies)).toEqual(sorted(plain.endpoint.bodies));
      for (const channel of ['living', 'ghosts']) {
        expect(bodiesOf(asked.journal, channel)).toEqual(bodiesOf(plain.journal, channel));
      }
      const words = JSON.stringify(asked.endpoint.bodies);
      for (const canary of ['probabilit', 'beside the game', '"belief"'])
        expect(words).not.toContain(canary);
      expect(asked.endpoint.beliefs).toHaveLength(ofModels(asked.stated).length);
      expect(ofModels(asked.stated).length).toBeGreaterThan(5);
      expect(new Set(asked.stated.map(({ source }) => source))).toEqual(
        new Set(['model', 'scripted']),
      );
      for (const { probabilities, about, received } of ofModels(asked.stated)) {
        expect(Object.keys(probabilities).toSorted()).toEqual([...about].toSorted());
        expect(received).toBeUndefined();
      }
    },
  );

  test('are the same too where beliefs fail in every way that an endpoint has', async () => {
    const ways: readonly (readonly [Misbehaviour, string])[] = [
      [() => says('I do not want to say.'), 'endpoint/refusal'],
      [() => sends(500, { error: { message: 'overloaded' } }), 'endpoint/upstream'],
      [() => sends(401, { error: { message: 'Incorrect API key provided' } }), 'endpoint/auth'],
      [
        () => sends(404, { error: { message: 'model not found', code: 'model_not_found' } }),
        'endpoint/not-found',
      ],
      [
        () => ({ type: 'lost', isLate: false, wasSent: false, text: 'ECONNREFUSED' }),
        'endpoint/upstream',
      ],
      [() => 'silence', 'endpoint/timeout'],
      [() => says('{"probabilities": {"coral": 1}}'), 'endpoint/malformed'],
      [() => says(null), 'endpoint/empty'],
    ];
    for (const [wrong, code] of ways) {
      const asked = await meet({ times: 'meeting', wrong });
      expect(sorted(asked.endpoint.bodies)).toEqual(sorted(plain.endpoint.bodies));
      expect(bodiesOf(asked.journal, 'living')).toEqual(bodiesOf(plain.journal, 'living'));
      expect(asked.models.paused).toBeNull();
      const faults = ofModels(asked.stated).map(({ fault }) => fault);
      const codes = code === 'endpoint/timeout' ? [code, 'mind/late'] : [code];
      for (const fault of faults) expect(codes).toContain(fault);
      expect(faults).toHaveLength(6);
    }
  });
});

describe('answers', () => {
  test('beliefs are read by name: a missing or invalid value does not affect the others', async () => {
    const strange = '{"probabilities": {"red": 1.5, "blue": "30%", "green": -1, "pink": 0.125}}';
    const { stated } = await meet({ times: 'meeting', wrong: () => says(strange) });
    const [first] = ofModels(stated);
    expect(first).toMatchObject({
      seat: 'red',
      about: ['blue', 'green', 'pink', 'orange'],
      probabilities: { blue: 0.3, pink: 0.125 },
      missing: { green: 'belief/out-of-range', orange: 'belief/no-name' },
      received: { probabilities: { red: 1.5 } },
    });
  });

  test('that broke off are asked for again, and both requests are counted', async () => {
    const cut = sends(200, {
      choices: [{ finish_reason: 'length', message: { content: '{"prob' } }],
    });
    const { stated, endpoint, lines } = await meet({
      times: 'meeting',
      wrong: (nth) => (nth === 0 ? cut : null),
    });
    expect(ofModels(stated).every(({ fault }) => fault === undefined)).toBe(true);
    const calls = readCalls(lines.filter(({ channel }) => channel === 'beliefs'));
    expect(calls).toHaveLength(endpoint.beliefs.length);
    expect(calls.map(({ requestKind }) => requestKind)).toEqual(calls.map(() => 'belief'));
    expect(calls.filter(({ failure }) => failure === 'truncated')).toHaveLength(1);
    const others = readCalls(lines.filter(({ channel }) => channel !== 'beliefs'));
    expect(others.every(({ requestKind }) => requestKind !== 'belief')).toBe(true);
    expect(others).toHaveLength(endpoint.bodies.length);
    const ids = [...calls, ...others].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('the budget counts beliefs, and an unpaid belief is missing with that reason', async () => {
  const whole = await meet({ times: 'meeting' });
  expect(whole.spent.calls).toBe(plain.spent.calls + whole.endpoint.beliefs.length);
  const { stated, lines, spent } = await meet({
    times: 'tick',
    budget: { calls: plain.spent.calls },
  });
  expect(spent.calls).toBe(plain.spent.calls);
  expect(lines.some(({ type }) => type === 'meeting.closed')).toBe(true);
  const faults = ofModels(stated).flatMap(({ fault }) => fault ?? []);
  expect(faults.every((code) => code === 'endpoint/budget')).toBe(true);
});

test('a journal is replayed without an endpoint, and goes on with the beliefs that are missing and no others', async () => {
  const whole = await meet({ times: 'tick' });
  expect(await replay(readJournal(whole.journal))).toMatchObject({ type: 'same' });
  const rows = whole.journal.split('\n').slice(0, -1);
  const at = rows.findIndex((row) => row.includes('"source":"model"')) + 1;
  const past = `${rows.slice(0, at).join('\n')}\n`;
  const there = readJournal(past).lines.filter(
    (line) => line.type === 'belief.stated' && line.source === 'model',
  );
  const onward = await meet({ times: 'tick', past });
  expect(bodiesOf(onward.journal, 'beliefs')).toEqual(bodiesOf(whole.journal, 'beliefs'));
  expect(bodiesOf(onward.journal, 'living')).toEqual(bodiesOf(whole.journal, 'living'));
  expect(onward.endpoint.beliefs).toHaveLength(ofModels(whole.stated).length - there.length);
  expect(there.length).toBeGreaterThan(0);
});
