/** Outages: whether an endpoint is ill, or players are (ruling 2). */
import { describe, expect, test } from 'vitest';
import { Outages } from '../../../../actors/minds/openai/outage.ts';
import type { Request } from '../../../../actors/minds/port.ts';

const HOME = 'http://localhost:11434/v1';

function aRequest(stamp = 3, occasion: Request['occasion'] = 'discussion') {
  return { occasion, stamp };
}

/** So many who asked one endpoint in one moment. */
function asking(players: number): Outages {
  const outages = new Outages();
  for (let player = 0; player < players; player++) outages.asked(HOME, aRequest());
  return outages;
}

describe('it is an outage', () => {
  test('when the last of all who asked has failed too', () => {
    const outages = asking(3);
    const failures = [1, 2, 3].map(() => outages.failed(HOME, aRequest()));
    expect(failures).toEqual([false, false, true]);
  });

  test('of two, and not of one: a player alone may fail alone', () => {
    const two = asking(2);
    expect([two.failed(HOME, aRequest()), two.failed(HOME, aRequest())]).toEqual([false, true]);
    expect(asking(1).failed(HOME, aRequest())).toBe(false);
  });

  test('not when one of them was answered, before or in between', () => {
    const outages = asking(3);
    outages.failed(HOME, aRequest());
    outages.answered(HOME, aRequest());
    expect(outages.failed(HOME, aRequest())).toBe(false);
  });

  test.each([
    ['another endpoint', 'http://localhost:1/v1', aRequest()],
    ['another tick', HOME, aRequest(4)],
    ['the ghosts', HOME, aRequest(3, 'ghost')],
  ])('of one moment: what %s does is its own', (_, endpoint, request) => {
    const outages = asking(2);
    outages.asked(endpoint, request);
    expect([outages.failed(HOME, aRequest()), outages.failed(HOME, aRequest())]).toEqual([
      false,
      true,
    ]);
  });
});
