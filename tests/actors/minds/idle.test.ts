/** A model with nothing to do waits, and is asked again when something happens (ruling 60). */
import { expect, test } from 'vitest';
import { replayMatch, startMatch } from '../../../actors/index.ts';
import { FakeEndpoint } from '../../support/endpoint/fakeEndpoint.ts';
import { said } from '../../support/endpoint/sent.ts';

const SEATS = ['red', 'blue', 'green', 'pink'];
const ROUNDS = 40;

test.each([
  [{ type: null }, 8],
  [null, 8],
  [{ type: 'wait' }, 8],
  [{ type: 'Wait', rounds: null }, 8],
  ['wait', 8],
  ['nothing', 8],
  [{ type: 'none', to: null }, 8],
  [{ type: 'wait', rounds: 4 }, 4],
])('the order %j lasts %i rounds', async (action, rounds) => {
  const order = said(JSON.stringify({ internal_thought: '', action, scratchpad_updates: {} }));
  const endpoint = await FakeEndpoint.open({ answer: () => order });
  const { asked, baseUrl } = endpoint;
  const seats = SEATS.map(
    (colour) => `  - { colour: ${colour}, mind: openai, model: m, base_url: "${baseUrl}" }\n`,
  );
  // Kill timers run out once, and that is news to the impostor.
  const options = `{ max_rounds: ${ROUNDS}, attention: few, kill_cooldown: 60 }`;
  const match = `name: Idle\noptions: ${options}\nseats:\n${seats.join('')}`;
  const started = startMatch({ match });
  const result = await started.result.finally(() => endpoint.close());
  expect(result).toMatchObject({ reason: 'unfinished', rounds: ROUNDS });
  expect(asked.length - (ROUNDS / rounds) * SEATS.length).toBeOneOf([0, 1, 2]);
  expect(await replayMatch(started.journal())).toMatchObject({ type: 'same' });
});
