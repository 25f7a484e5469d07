import { describe, expect, test } from 'vitest';
import { CapabilityCache } from '../../../../actors/minds/openai/capabilities.ts';
import { wasAccepted } from '../../../../actors/minds/openai/conversation.ts';
import { atFirst, type Step } from '../../../support/endpoint/case.ts';
import type { FakeEndpoint } from '../../../support/endpoint/fakeEndpoint.ts';
import { refusal } from '../../../support/endpoint/sent.ts';
import { TABLE } from '../../../support/endpoint/table.ts';
import { ask, asked, atEndpoint, type Outcome, QUESTION, summary, transportOf } from './asking.ts';

const SEATS = ['red', 'blue', 'green', 'pink', 'yellow', 'orange', 'black', 'white'];

function player(fake: FakeEndpoint, known: CapabilityCache, seat: string): Promise<Outcome> {
  const question = { ...QUESTION, user: [...QUESTION.user, `You are ${seat}, a crewmate.`] };
  return known.call(
    () => asked(transportOf(fake), { known, question }),
    ({ reply }) => wasAccepted(reply),
    new AbortController().signal,
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
});
