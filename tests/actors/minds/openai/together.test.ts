import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CapabilityCache } from '../../../../actors/minds/openai/capabilities.ts';
import { wasAccepted } from '../../../../actors/minds/openai/conversation.ts';
import { RequestLimiter } from '../../../../actors/minds/openai/limiter.ts';
import { always, atFirst, type Step } from '../../../support/endpoint/case.ts';
import type { FakeEndpoint } from '../../../support/endpoint/fakeEndpoint.ts';
import { refusal } from '../../../support/endpoint/sent.ts';
import { TABLE } from '../../../support/endpoint/table.ts';
import { ask, asked, atEndpoint, type Outcome, QUESTION, summary, transportOf } from './asking.ts';

const SEATS = ['red', 'blue', 'green', 'pink', 'yellow', 'orange', 'black', 'white'];
const BEARER = new AbortController().signal;

function player(
  fake: FakeEndpoint,
  known: CapabilityCache,
  seat: string,
  signal = BEARER,
): Promise<Outcome> {
  const question = { ...QUESTION, user: [...QUESTION.user, `You are ${seat}, a crewmate.`] };
  return known.call(
    () => asked(transportOf(fake), { known, question, signal }),
    ({ reply }) => wasAccepted(reply),
    signal,
  );
}

describe('eight players who start cold on one model', () => {
  const steady = ['01', '02', '03', '05', '07', '08', '10', '12', '64'];
  const passing = ['19', '23', '36', '42', '44', '45', '49', '55'];
  test.each([...steady, ...passing])(
    'row %s: no more calls than one discovery and one each',
    async (row) => {
      const steps = TABLE[row] ?? [];
      const alone = await ask(steps);
      await atEndpoint(steps, async (fake) => {
        const known = new CapabilityCache();
        const outcomes = await Promise.all(SEATS.map((seat) => player(fake, known, seat)));
        for (const { reply } of outcomes) expect(reply.ok).toBe(true);
        expect(fake.asked).toHaveLength(alone.reply.calls + SEATS.length - 1);
      });
    },
  );

  test('two models learn apart', async () => {
    await atEndpoint(TABLE['05'] ?? [], async (fake) => {
      const one = new CapabilityCache();
      const other = new CapabilityCache();
      await player(fake, one, 'red');
      expect(fake.asked).toHaveLength(5);
      await player(fake, other, 'red');
      expect(fake.asked).toHaveLength(10);
      await Promise.all([player(fake, one, 'blue'), player(fake, other, 'blue')]);
      expect(fake.asked).toHaveLength(12);
    });
  });

  test('a discovery that fails passes on to the next', async () => {
    const steps: readonly Step[] = [atFirst(refusal(401, 'No auth credentials found'))];
    await atEndpoint(steps, async (fake) => {
      const known = new CapabilityCache();
      const outcomes = await Promise.all(SEATS.map((seat) => player(fake, known, seat)));
      expect(outcomes.map(summary)).toEqual([
        'auth, 1 call',
        ...Array.from({ length: 7 }, () => 'answer in json_schema, 1 call'),
      ]);
      expect(fake.asked).toHaveLength(8);
    });
  });

  test('a model that declines is known all the same', async () => {
    const [declines] = TABLE['33'] ?? [];
    const steps = [...(TABLE['05'] ?? []), ...(declines === undefined ? [] : [declines])];
    await atEndpoint(steps, async (fake) => {
      const known = new CapabilityCache();
      const outcomes = await Promise.all(SEATS.map((seat) => player(fake, known, seat)));
      expect(outcomes.map(summary)).toEqual([
        'refusal, 5 calls',
        ...Array.from({ length: 7 }, () => 'refusal, 1 call'),
      ]);
      expect(fake.asked).toHaveLength(12);
    });
  });

  test('once a model is known, all ask at once', async () => {
    const { known, reply } = await ask(TABLE['33'] ?? []);
    const held = Promise.withResolvers<typeof reply>();
    await known.call(async () => reply, wasAccepted, BEARER);
    let begun = 0;
    const all = SEATS.map(() =>
      known.call(
        () => {
          begun += 1;
          return held.promise;
        },
        wasAccepted,
        BEARER,
      ),
    );
    expect(begun).toBe(SEATS.length);
    held.resolve(reply);
    await Promise.all(all);
  });

  test('a discovery that throws passes on too', async () => {
    const known = new CapabilityCache();
    const fails = known.call(
      () => Promise.reject(new Error('broken')),
      () => true,
      BEARER,
    );
    const next = known.call(
      async () => 'next',
      () => true,
      BEARER,
    );
    await expect(fails).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });

  test('remembered capabilities are not learned again', async () => {
    const { known } = await ask(TABLE['05'] ?? []);
    const again = new CapabilityCache(known.capabilities);
    expect(summary(await ask(TABLE['05'] ?? [], { known: again }))).toBe('answer in text, 1 call');
  });
});

describe('nobody waits any more', () => {
  test('while another one finds out', async () => {
    await atEndpoint([always({ type: 'silence' })], async (fake) => {
      const known = new CapabilityCache();
      const first = new AbortController();
      const second = new AbortController();
      const finding = player(fake, known, 'red', first.signal);
      const waiting = player(fake, known, 'blue', second.signal);
      second.abort();
      expect(summary(await waiting)).toBe('aborted, 0 calls');
      first.abort();
      expect((await finding).reply).toMatchObject({ ok: false, code: 'aborted' });
    });
  });

  test('while the endpoint is left alone', async () => {
    const leaving = new AbortController();
    const outcome = await ask([always(refusal(503, 'no'))], {
      signal: leaving.signal,
      sleep: (ms, signal) => {
        setImmediate(() => leaving.abort());
        // As timers do it: a sleep that is broken off throws.
        return later(1_000 * ms, undefined, { signal });
      },
    });
    expect(summary(outcome)).toBe('aborted, 1 call');
  });

  test('while waiting for room', async () => {
    const limiter = new RequestLimiter(
      { concurrency: 1, perMinute: null },
      () => 0,
      async () => {},
    );
    const held = Promise.withResolvers<string>();
    const first = limiter.run('living', BEARER, () => held.promise);
    const leaving = new AbortController();
    const waiting = limiter.run('living', leaving.signal, () =>
      ask([], { signal: leaving.signal }),
    );
    leaving.abort();
    const outcome = await waiting;
    expect(summary(outcome)).toBe('aborted, 0 calls');
    expect(outcome.fake.asked).toEqual([]);
    held.resolve('done');
    expect(await first).toBe('done');
  });

  test('before anything was asked', async () => {
    expect(summary(await ask([], { signal: AbortSignal.abort() }))).toBe('aborted, 0 calls');
  });

  test('while a body stalls', async () => {
    const leaving = new AbortController();
    const step: Step = {
      when: () => {
        setImmediate(() => leaving.abort());
        return true;
      },
      sends: { type: 'stall', text: '' },
    };
    expect(summary(await ask([step], { signal: leaving.signal }))).toBe('aborted, 1 call');
  });
});
