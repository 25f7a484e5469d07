/** Outages: whether an endpoint is ill, or players are (ruling 2). */
import { describe, expect, test } from 'vitest';
import { EndpointHealth } from '../../../../actors/minds/openai/client.ts';
import type { MindRequest } from '../../../../actors/minds/port.ts';

const HOME = 'http://localhost:11434/v1';

function aRequest(index = 3, kind: MindRequest['kind'] = 'discussion') {
  return { kind, index };
}

/** So many who asked one endpoint in one moment. */
function asking(players: number): EndpointHealth {
  const health = new EndpointHealth();
  for (let player = 0; player < players; player++) health.noteAsked(HOME, aRequest());
  return health;
}

describe('it is an outage', () => {
  test('when the last of all who asked has failed too', () => {
    const health = asking(3);
    const failures = [1, 2, 3].map(() => health.isLastToFail(HOME, aRequest()));
    expect(failures).toEqual([false, false, true]);
  });

  test('of two, and not of one: a player alone may fail alone', () => {
    const two = asking(2);
    expect([two.isLastToFail(HOME, aRequest()), two.isLastToFail(HOME, aRequest())]).toEqual([
      false,
      true,
    ]);
    expect(asking(1).isLastToFail(HOME, aRequest())).toBe(false);
  });

  test('not when one of them was answered, before or in between', () => {
    const health = asking(3);
    health.isLastToFail(HOME, aRequest());
    health.noteAnswered(HOME, aRequest());
    expect(health.isLastToFail(HOME, aRequest())).toBe(false);
  });

  test.each([
    ['another endpoint', 'http://localhost:1/v1', aRequest()],
    ['another tick', HOME, aRequest(4)],
    ['the ghosts', HOME, aRequest(3, 'ghost')],
  ])('of one moment: what %s does is its own', (_, endpoint, request) => {
    const health = asking(2);
    health.noteAsked(endpoint, request);
    expect([health.isLastToFail(HOME, aRequest()), health.isLastToFail(HOME, aRequest())]).toEqual([
      false,
      true,
    ]);
  });
});
