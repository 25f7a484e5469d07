import { describe, expect, test } from 'vitest';
import { EndpointHealth } from '../../../../actors/minds/openai/client.ts';
import type { ModelReply } from '../../../../actors/minds/openai/conversation.ts';
import type { MindRequest } from '../../../../actors/minds/port.ts';

const HOME = 'http://localhost:11434/v1';

const aRequest = (index = 3, kind: MindRequest['kind'] = 'discussion') => ({ kind, index });

function asking(players: number): EndpointHealth {
  const health = new EndpointHealth();
  for (let player = 0; player < players; player++) health.noteAsked(HOME, aRequest());
  return health;
}

describe('it is an outage', () => {
  test('when the last of all who asked has failed too', () => {
    const health = asking(3);
    const failures = [1, 2, 3].map(() => health.noteFailed(HOME, aRequest()));
    expect(failures).toEqual([false, false, true]);
  });

  test('of two, and not of one: a player alone may fail alone', () => {
    const two = asking(2);
    expect([two.noteFailed(HOME, aRequest()), two.noteFailed(HOME, aRequest())]).toEqual([
      false,
      true,
    ]);
    expect(asking(1).noteFailed(HOME, aRequest())).toBe(false);
  });

  test('of one alone, when it is plain that the endpoint failed, and not of one among others', () => {
    expect(asking(1).noteFailed(HOME, aRequest(), true)).toBe(true);
    expect(asking(2).noteFailed(HOME, aRequest(), true)).toBe(false);
  });

  test('not of a request that nobody has made', () => {
    expect(new EndpointHealth().noteFailed(HOME, aRequest(), true)).toBe(false);
  });

  test('not when one of them was answered, before or in between', () => {
    const health = asking(3);
    health.noteFailed(HOME, aRequest());
    health.noteReached(HOME, 'm', aRequest());
    expect(health.noteFailed(HOME, aRequest())).toBe(false);
  });

  test.each([
    ['another endpoint', 'http://localhost:1/v1', aRequest()],
    ['another tick', HOME, aRequest(4)],
    ['the ghosts', HOME, aRequest(3, 'ghost')],
  ])('of one moment: what %s does is its own', (_, endpoint, request) => {
    const health = asking(2);
    health.noteAsked(endpoint, request);
    expect([health.noteFailed(HOME, aRequest()), health.noteFailed(HOME, aRequest())]).toEqual([
      false,
      true,
    ]);
  });
});

describe('an outage belongs to one moment', () => {
  const DOWN: ModelReply = { ok: false, code: 'upstream', text: 'overloaded', calls: 6 };

  test('the same tick of the next meeting finds out anew', () => {
    const health = asking(2);
    health.noteDown(HOME, 'm', aRequest(), DOWN);
    expect(health.knownFailure(HOME, 'm', aRequest())).toBe(DOWN);
    expect(health.knownFailure(HOME, 'other', aRequest())).toBeNull();
    health.noteFailed(HOME, aRequest());
    expect(health.knownFailure(HOME, 'm', aRequest())).toBe(DOWN);
    health.noteFailed(HOME, aRequest());
    health.noteAsked(HOME, aRequest());
    health.noteAsked(HOME, aRequest());
    expect(health.knownFailure(HOME, 'm', aRequest())).toBeNull();
    expect([health.noteFailed(HOME, aRequest()), health.noteFailed(HOME, aRequest())]).toEqual([
      false,
      true,
    ]);
  });

  test('a success clears it', () => {
    const health = asking(3);
    health.noteDown(HOME, 'm', aRequest(), DOWN);
    health.noteReached(HOME, 'm', aRequest());
    expect(health.knownFailure(HOME, 'm', aRequest())).toBeNull();
  });
});
