import { expect, test } from 'vitest';
import { NO_LIMIT } from '../../../../actors/minds/openai/budget.ts';
import { MatchModels } from '../../../../actors/minds/openai/matchModels.ts';
import { meetingMatchSchema } from '../../../../machines/setup/match.ts';
import { COLOURS } from '../../../../machines/types.ts';
import { FakeEndpoint } from '../../../support/endpoint/fakeEndpoint.ts';
import { playModels } from './slowServers.ts';

const SEATS = 5;
const modelOf = (seat: number) => `vendor-${seat}/canary-model-${seat}`;
const personaOf = (seat: number) => `Canary persona ${seat}`;
const characterOf = (seat: number) => `Canary character ${seat}`;
const numbers = Array.from({ length: SEATS }, (_, seat) => seat);

test('no request to a model names any model, nor another seat’s persona', async () => {
  const fake = await FakeEndpoint.open({ seed: 2 });
  const match = meetingMatchSchema.parse({
    name: 'a table of models',
    seats: COLOURS.slice(0, SEATS).map((colour, seat) => ({
      colour,
      role: seat === 1 ? 'impostor' : 'crewmate',
      persona: { name: personaOf(seat), temperament: 'observer', notes: characterOf(seat) },
      // The last seat is no model, and its persona is private too.
      ...(seat === SEATS - 1
        ? {}
        : { mind: 'openai', model: modelOf(seat), base_url: fake.baseUrl }),
    })),
    call: { by: 'red' },
    options: { max_ticks: 12, deadline_ms: 600_000 },
  });
  const models = new MatchModels({
    ...{ seed: 1, prices: {}, budget: NO_LIMIT, limits: { concurrency: 8, perMinute: null } },
    deadlines: { tickMs: 3_600_000, waitMs: 3_600_000 },
  });
  await playModels(match, 1, models);
  await fake.close();
  for (const seat of numbers.slice(0, -1)) {
    const asked = fake.asked.filter(({ body }) => body.model === modelOf(seat));
    expect(asked.length, modelOf(seat)).toBeGreaterThan(2);
    for (const { text, body } of asked) {
      expect(JSON.stringify(body.messages)).not.toMatch(/canary-model|vendor-\d/);
      const others = numbers.filter((other) => other !== seat);
      for (const canary of others.flatMap((other) => [personaOf(other), characterOf(other)]))
        expect(text).not.toContain(canary);
    }
    // A control: a model's own persona does contain its canaries.
    expect(asked.some(({ text }) => text.includes(characterOf(seat)))).toBe(true);
  }
});
