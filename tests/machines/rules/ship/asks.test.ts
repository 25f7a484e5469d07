/** Who is asked in the next round, and why. */
import { describe, expect, test } from 'vitest';
import type { Intent } from '../../../../machines/rules/ship/orders.ts';
import { aWorld, playRound, rounds, type Wanted } from './worlds.ts';

/** Blue is busy in Admin; nobody else is there. */
const busy = (wanted: Wanted = {}) =>
  aWorld({
    ...wanted,
    at: { blue: 'Admin', ...wanted.at },
    players: { blue: { intent: { type: 'wait', rounds: 9 } }, ...wanted.players },
  });
const asks = (wanted: Wanted, orders: Parameters<typeof playRound>[1] = {}) =>
  playRound(busy(wanted), orders).world.asks.blue;
const comes = { green: { type: 'go', to: 'Admin' } } as const;

describe('a player is asked', () => {
  test('not while nothing happens', () => expect(asks({})).toBeUndefined());

  test('when there is nothing to go on with', () =>
    expect(asks({ players: { blue: {} } })).toEqual(['done']));

  test.each([
    ['a round too early', 1, undefined],
    ['when the wait is over', 2, ['done']],
  ])('%s', (_, count, why) => {
    const wait: Intent = { type: 'wait', rounds: 2 };
    const played = rounds(busy(), { blue: wait }, {});
    expect(played[count - 1]?.world.asks.blue).toEqual(why);
  });

  test('on arrival', () => {
    expect(asks({ at: { blue: 'Admin hallway' } }, { blue: { type: 'go', to: 'Admin' } })).toEqual([
      'arrived',
    ]);
  });

  test('when an order was refused', () => {
    expect(asks({}, { blue: { type: 'kill', whom: 'red' } })).toEqual(['refused']);
  });

  test('when somebody comes, and not when they go', () => {
    expect(asks({ at: { green: 'Admin hallway' } }, comes)).toEqual(['company']);
    expect(
      asks({ at: { green: 'Admin' } }, { green: { type: 'go', to: 'Admin hallway' } }),
    ).toBeUndefined();
  });

  test('an impostor also when one of several goes', () => {
    const wanted = { impostors: ['blue'], at: { green: 'Admin', pink: 'Admin' } } as const;
    expect(asks(wanted, { green: { type: 'go', to: 'Admin hallway' } })).toEqual(['company']);
  });

  test('not when somebody comes in the dark', () => {
    expect(
      asks({ at: { green: 'Admin hallway' }, crisis: { system: 'lights' } }, comes),
    ).toBeUndefined();
  });

  test('when a body comes in sight, and not again', () => {
    const world = {
      standings: { green: 'dead' },
      world: { bodies: [{ victim: 'green', place: 'Admin' }] },
    } as const;
    const walked = playRound(busy({ ...world, at: { blue: 'Admin hallway' } }), {
      blue: { type: 'go', to: 'Admin' },
    });
    expect(walked.world.asks.blue).toContain('body');
    expect(asks(world)).toBeUndefined();
  });

  test('when somebody is killed before their eyes', () => {
    const wanted = { at: { red: 'Admin', green: 'Admin' } } as const;
    expect(asks(wanted, { red: { type: 'kill', whom: 'green' } })).toEqual(['body', 'witness']);
  });

  test('when somebody climbs into a vent before their eyes', () => {
    expect(asks({ at: { red: 'Admin' } }, { red: { type: 'vent', to: 0 } })).toEqual(['witness']);
  });

  test('when something breaks, and when it is mended', () => {
    expect(asks({}, { red: { type: 'sabotage', system: 'comms' } })).toEqual(['alarm']);
    const mended = {
      crisis: { system: 'comms', held: 1 },
      at: { green: 'Communications' },
    } as const;
    expect(asks(mended, { green: { type: 'fix', at: 'Communications' } })).toEqual(['alarm']);
  });

  test('an impostor when they can kill again', () => {
    const wait: Intent = { type: 'wait', rounds: 9 };
    const ready = (killWait: number) =>
      asks({ impostors: ['blue'], players: { blue: { intent: wait, killWait } } });
    expect([ready(2), ready(1), ready(0)]).toEqual([undefined, ['ready'], undefined]);
  });
});
