import { describe, expect, test } from 'vitest';
import { endMeeting } from '../../../../machines/rules/ship/game.ts';
import type { BySeat, Standing } from '../../../../machines/types.ts';
import { aWorld, playRound, type Wanted } from './worlds.ts';

const FOUR = { seats: ['red', 'blue', 'green', 'pink'] } as const;
const done = { progress: [{ steps: 1, worked: 0 }] };
const almost = {
  progress: [{ steps: 0, worked: 1 }],
  intent: { type: 'task', task: 'swipe-card' },
} as const;
const leave = { fault: 'seat/left' };

const nearlyDone = (wanted: Wanted = {}) =>
  aWorld({
    ...FOUR,
    ...wanted,
    at: { blue: 'Admin', ...wanted.at },
    players: { blue: almost, green: done, pink: done, ...wanted.players },
  });

const ends = (wanted: Wanted, orders: Parameters<typeof playRound>[1] = {}) =>
  playRound(aWorld({ ...FOUR, ...wanted }), orders).ending;
const meets = (wanted: Wanted, standings: BySeat<Standing>) => {
  const world = aWorld({ ...FOUR, ...wanted });
  return endMeeting(world, { ...world.standings, ...standings }).ending;
};
const STABS = { red: { type: 'kill', whom: 'pink' } } as const;

describe('in a round', () => {
  test('nothing has happened: the game goes on', () => expect(ends({})).toBeNull());

  test('kills: impostors win at parity', () => {
    expect(ends({ standings: { blue: 'dead' } }, STABS)).toEqual({
      winner: 'impostors',
      reason: 'kills',
    });
  });

  test('and not one before', () => expect(ends({}, STABS)).toBeNull());

  test('tasks: crew win with the last one', () => {
    expect(playRound(nearlyDone()).ending).toEqual({ winner: 'crew', reason: 'tasks' });
  });

  test('and not with one step left', () => {
    expect(
      playRound(nearlyDone({ players: { green: { progress: [{ steps: 0, worked: 1 }] } } })).ending,
    ).toBeNull();
  });

  test('sabotage: impostors win when the time is up', () => {
    expect(ends({ crisis: { system: 'o2', left: 1 } })).toEqual({
      winner: 'impostors',
      reason: 'sabotage',
    });
    expect(ends({ crisis: { system: 'o2', left: 2 } })).toBeNull();
  });

  test('disconnect: crew win when the last impostor leaves', () => {
    expect(ends({}, { red: leave })).toEqual({ winner: 'crew', reason: 'disconnect' });
    expect(
      ends(
        {
          impostors: ['red', 'blue'],
          seats: ['red', 'blue', 'green', 'pink', 'orange', 'yellow', 'black'],
        },
        { red: leave },
      ),
    ).toBeNull();
  });

  test('disconnect: impostors win when crewmates leave to parity', () => {
    expect(ends({ standings: { blue: 'dead' } }, { pink: leave })).toEqual({
      winner: 'impostors',
      reason: 'disconnect',
    });
    expect(ends({}, { pink: leave })).toBeNull();
  });

  test('the tasks of who leaves are off the bar: that may have been the last', () => {
    expect(
      playRound(
        nearlyDone({
          seats: ['red', 'blue', 'green', 'pink', 'orange'],
          players: { orange: done },
        }),
        { blue: leave },
      ).ending,
    ).toEqual({ winner: 'crew', reason: 'tasks' });
  });
});

describe('of the same moment', () => {
  test('a kill to parity beats the last task', () => {
    const world = nearlyDone({ standings: { green: 'dead' } });
    expect(playRound(world, STABS).ending).toEqual({ winner: 'impostors', reason: 'kills' });
  });

  test('a kill above parity does not', () => {
    expect(playRound(nearlyDone(), STABS).ending).toEqual({ winner: 'crew', reason: 'tasks' });
  });

  test.each([
    ['the last task', nearlyDone({ crisis: { system: 'reactor', left: 1 } }), {}],
    [
      'the last impostor who leaves',
      aWorld({ ...FOUR, crisis: { system: 'reactor', left: 1 } }),
      { red: leave },
    ],
    [
      'a kill to parity',
      aWorld({ ...FOUR, standings: { blue: 'dead' }, crisis: { system: 'o2', left: 1 } }),
      STABS,
    ],
  ] as const)('sabotage beats %s', (_, world, orders) => {
    expect(playRound(world, orders).ending).toEqual({ winner: 'impostors', reason: 'sabotage' });
  });

  test('the last impostor who leaves beats parity and tasks', () => {
    const world = nearlyDone({ standings: { green: 'dead' } });
    expect(playRound(world, { red: leave, pink: leave }).ending).toEqual({
      winner: 'crew',
      reason: 'disconnect',
    });
  });

  test('whoever leaves has killed nobody', () => {
    const round = playRound(aWorld(FOUR), { ...STABS, red: leave });
    expect([round.ending?.winner, round.world.bodies]).toEqual(['crew', []]);
  });
});

describe('after a meeting', () => {
  const SEVEN = {
    seats: ['red', 'blue', 'green', 'pink', 'orange', 'yellow', 'black'],
    impostors: ['red', 'blue'],
  } as const;

  test('vote: crew win when the last impostor is voted out', () => {
    expect(meets({}, { red: 'dead' })).toEqual({ winner: 'crew', reason: 'vote' });
    expect(meets(SEVEN, { red: 'dead' })).toBeNull();
  });

  test('vote: impostors win when a crewmate is voted out to parity', () => {
    expect(meets({ standings: { blue: 'dead' } }, { pink: 'dead' })).toEqual({
      winner: 'impostors',
      reason: 'vote',
    });
    expect(meets({}, { pink: 'dead' })).toBeNull();
  });

  test('disconnect: whoever leaves in a meeting', () => {
    expect(meets({}, { red: 'departed' })).toEqual({ winner: 'crew', reason: 'disconnect' });
    expect(meets({ standings: { blue: 'dead' } }, { pink: 'departed' })).toEqual({
      winner: 'impostors',
      reason: 'disconnect',
    });
  });

  test('a vote against one side does not explain a departure from the other', () => {
    expect(
      meets(
        { ...SEVEN, standings: { yellow: 'dead', black: 'dead' } },
        { red: 'dead', green: 'departed', pink: 'departed' },
      ),
    ).toEqual({ winner: 'impostors', reason: 'disconnect' });
    expect(meets({}, { red: 'departed', blue: 'dead' })).toEqual({
      winner: 'crew',
      reason: 'disconnect',
    });
  });

  test('tasks: the bar may be full because of who is gone', () => {
    expect(
      meets(
        { players: { blue: done, green: done }, seats: ['red', 'blue', 'green', 'pink'] },
        { pink: 'departed' },
      ),
    ).toEqual({ winner: 'crew', reason: 'tasks' });
  });

  test('a countdown that the meeting ended is no defeat', () => {
    expect(meets({ crisis: { system: 'reactor', left: 1 } }, {})).toBeNull();
  });
});
