/** Orders of models on the ship, through the real client against an endpoint that draws them from the request's schema. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startMatch } from '../../../actors/index.ts';
import type { Asked } from '../../support/endpoint/asked.ts';
import { FakeEndpoint } from '../../support/endpoint/fakeEndpoint.ts';
import { type Sent, said } from '../../support/endpoint/sent.ts';
import { SEED } from '../../support/seeds.ts';

const wordsSchema = z.object({
  properties: z.object({
    action: z.object({
      properties: z.record(z.string(), z.object({ enum: z.array(z.unknown()).optional() })),
    }),
  }),
});

const answer = (action: unknown): Sent =>
  said(JSON.stringify({ internal_thought: '', action, scratchpad_updates: {} }));

/** The faults of a game of models with these answers, and the requests for orders. */
async function playOrders(answers: (asked: Asked) => Sent, rounds: number) {
  const endpoint = await FakeEndpoint.open({ answer: answers });
  const seats = ['red', 'blue', 'green', 'pink', 'black', 'white'].map(
    (colour) =>
      `  - { colour: ${colour}, mind: openai, model: m, base_url: "${endpoint.baseUrl}" }`,
  );
  const options = `{ max_rounds: ${rounds}, kill_cooldown: 10 }`;
  const started = startMatch({
    match: `name: Orders\noptions: ${options}\nseats:\n${seats.join('\n')}\n`,
    seed: SEED,
  });
  await started.result.finally(() => endpoint.close());
  const faults = started.journal().match(/"type":"seat.faulted"/g) ?? [];
  return { faults, asked: endpoint.asked };
}

test('orders drawn from the schema of the request are never faults, and asked once', async () => {
  const drawn: object[] = [];
  const { faults, asked } = await playOrders(({ body, turn }) => {
    const { data } = wordsSchema.safeParse(body.response_format?.json_schema?.schema);
    const fields = data?.properties.action.properties ?? {};
    const words = Object.entries(fields).map(([name, { enum: all = [null, 3] }]) => [
      name,
      fc.constantFrom(...all),
    ]);
    const [action = {}] = fc.sample(fc.record(Object.fromEntries(words)), {
      numRuns: 1,
      seed: SEED + turn,
    });
    // A meeting would end the orders.
    const isCall = JSON.stringify(action).match(/report|button/) !== null;
    drawn.push(action);
    return answer(isCall ? null : action);
  }, 24);
  expect(faults).toEqual([]);
  expect(asked.length).toBe(drawn.length);
  expect(asked.length).toBeGreaterThan(30);
});

test('a refused order is no fault, and the next prompt of the player mentions it', async () => {
  const { faults, asked } = await playOrders(() => answer('dance with Green'), 3);
  expect(faults).toEqual([]);
  expect(asked).toHaveLength(18);
  const note = 'your action {"type":"dance with Green"} is not one order that is possible now';
  expect(asked.map(({ text }) => text.includes(note))).toEqual(asked.map((_, turn) => turn >= 6));
});
