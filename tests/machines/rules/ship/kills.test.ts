import { describe, expect, test } from 'vitest';
import { createWorld } from '../../../../machines/rules/ship/world.ts';
import { aWorld, eventsOf, playRound, refusal, rounds, victims, type Wanted } from './worlds.ts';

const SEVEN = ['red', 'blue', 'green', 'pink', 'orange', 'yellow', 'black'] as const;
const STABS = { red: 'kill blue' } as const;

function together(wanted: Wanted = {}) {
  return aWorld({ ...wanted, at: { red: 'MedBay', blue: 'MedBay', ...wanted.at } });
}

describe('the kill cooldown', () => {
  test('of 0 rounds lets an impostor kill', () => {
    expect(victims(playRound(together(), STABS))).toEqual(['blue']);
  });

  test('a cooldown of 1 round prevents a kill, with a reason', () => {
    const round = playRound(together({ players: { red: { killWait: 1 } } }), STABS);
    expect(victims(round)).toEqual([]);
    expect(refusal(round, 'red')).toBe('kill/cooldown');
  });

  test.each([
    ['not in the fourth round of a game', { killCooldown: 10 }, 3, []],
    ['in the fifth', { killCooldown: 10 }, 4, ['blue']],
    ['not in the fourth', { firstKillCooldown: 10, killCooldown: 30 }, 3, []],
    ['in the fifth', { firstKillCooldown: 10, killCooldown: 30 }, 4, ['blue']],
    ['not in the twelfth', { firstKillCooldown: 30, killCooldown: 10 }, 11, []],
    ['in the thirteenth', { firstKillCooldown: 30, killCooldown: 10 }, 12, ['blue']],
  ] as const)('the first kill comes %s with %j', (_, options, waited, killed) => {
    const { ship } = together({ options });
    const idle = Array.from({ length: waited }, () => ({}));
    const last = rounds(createWorld(ship), ...idle, STABS).at(-1);
    expect(last && victims(last)).toEqual(killed);
  });

  test('the first kill ends the first cooldown, and the next kill waits for the usual one', () => {
    const options = { firstKillCooldown: 10, killCooldown: 30 };
    const { players } = playRound(together({ options }), STABS).world;
    expect(players.red?.killWait).toBe(12 - 1);
  });

  test.each([
    ['10 s: not after 3 rounds', 3, []],
    ['10 s: again after 4 rounds', 4, ['green']],
  ])('between two kills of %s', (_, wait, killed) => {
    const world = together({ options: { killCooldown: 10 }, at: { green: 'MedBay' } });
    const idle = Array.from({ length: wait - 1 }, () => ({}));
    const last = rounds(world, STABS, ...idle, { red: 'kill green' }).at(-1);
    expect(last && victims(last)).toEqual(killed);
  });
});

describe('the kill distance', () => {
  const options = (killDistance: 'short' | 'normal' | 'long') => ({ options: { killDistance } });

  test.each([
    ['short', 'who stood', false, ['blue']],
    ['short', 'who has just walked', true, []],
    ['normal', 'who has just walked', true, ['blue']],
    ['long', 'who has just walked', true, ['blue']],
  ] as const)('%s reaches in the own place %s: %s', (distance, _, moved, killed) => {
    const world = together({ ...options(distance), players: { blue: { moved } } });
    expect(victims(playRound(world, STABS))).toEqual(killed);
  });

  test.each([
    ['short', 'MedBay hallway', []],
    ['normal', 'MedBay hallway', []],
    ['long', 'MedBay hallway', ['blue']],
    ['long', 'Cafeteria', []],
  ] as const)('%s and a victim in %s', (distance, place, killed) => {
    const world = together({ ...options(distance), at: { blue: place } });
    expect(victims(playRound(world, STABS))).toEqual(killed);
  });

  test('long takes the killer to where the body lies', () => {
    const world = together({ ...options('long'), at: { blue: 'MedBay hallway' } });
    const { world: after, paths } = playRound(world, STABS);
    expect(after.players.red?.place).toBe('MedBay hallway');
    expect(paths.red).toEqual(['MedBay hallway']);
    expect(after.bodies).toEqual([{ victim: 'blue', place: 'MedBay hallway' }]);
  });
});

test('a kill in the own place is no step', () => {
  expect(playRound(together({}), STABS).paths.red).toBeUndefined();
});

describe('who kills whom', () => {
  const doors = [{ room: 'MedBay', shut: 2, wait: 2 }] as const;
  const hallway = { at: { blue: 'MedBay hallway' }, options: { killDistance: 'long' } } as const;
  const ghost = { rules: 'classic', standings: { red: 'dead' } } as const;
  test.each<[string, Wanted, string]>([
    ['a partner', { impostors: ['red', 'blue'] }, 'kill/partner'],
    ['out of a vent', { players: { red: { vent: 6 } } }, 'intent/in-vent'],
    ['the dead again', { standings: { blue: 'dead' } }, 'kill/not-living'],
    ['through a shut door', { ...hallway, world: { doors } }, 'kill/out-of-reach'],
    [
      'at short distance after a walk',
      { options: { killDistance: 'short' }, players: { red: { moved: true } } },
      'kill/out-of-reach',
    ],
    ['as a ghost', { ...ghost, impostors: ['red', 'orange'] }, 'intent/ghost'],
  ])('nobody kills %s', (_, wanted, code) => {
    const round = playRound(together(wanted), STABS);
    expect([victims(round), refusal(round, 'red')]).toEqual([[], code]);
  });

  test('nobody goes on to kill out of a vent', () => {
    const red = { vent: 6, intent: 'kill blue' } as const;
    expect(refusal(playRound(together({ players: { red } })), 'red')).toBe('kill/in-vent');
  });

  test('a crewmate kills nobody', () => {
    const round = playRound(together(), { blue: 'kill red' });
    expect([victims(round), refusal(round, 'blue')]).toEqual([[], 'intent/impostors-only']);
  });

  test('a player who leaves in the same round is not killed, and the killer gets a note', () => {
    const round = playRound(together(), { ...STABS, blue: { fault: 'seat/left' } });
    expect(victims(round)).toEqual([]);
    expect(round.world.bodies).toEqual([]);
    expect(refusal(round, 'red')).toBe('kill/not-living');
    expect(round.world.players.red?.killWait).toBe(0);
  });
});

describe('a kill', () => {
  test('comes before steps: whoever is about to walk away dies where they were', () => {
    const round = playRound(together(), { ...STABS, blue: 'go Cafeteria' });
    expect(round.world.bodies).toEqual([{ victim: 'blue', place: 'MedBay' }]);
    expect(round.paths.blue).toBeUndefined();
  });

  test('comes before calls: whoever is killed reports nothing', () => {
    const bodies = [{ victim: 'green', place: 'MedBay' }] as const;
    const world = together({
      seats: SEVEN.slice(0, 6),
      standings: { green: 'dead' },
      world: { bodies },
    });
    const round = playRound(world, { ...STABS, blue: 'report green' });
    expect(round.call).toBeNull();
    expect(round.world.bodies).toHaveLength(2);
  });

  test("a kill starts only the killer's cooldown", () => {
    const world = together({
      impostors: ['red', 'orange'],
      options: { killCooldown: 10 },
      seats: SEVEN,
    });
    const { players } = playRound(world, STABS).world;
    expect([players.red?.killWait, players.orange?.killWait]).toEqual([3, 0]);
  });

  test.each([
    ['red', { red: 2, pink: 1 }],
    ['pink', { red: 1, pink: 2 }],
  ] as const)('that two want is done by one, by draw: %s', (killer, draws) => {
    const world = together({ impostors: ['red', 'pink'], at: { pink: 'MedBay' }, seats: SEVEN });
    const orders = { ...STABS, pink: 'kill blue' } as const;
    const round = playRound(world, orders, draws);
    expect(eventsOf(round, 'player.killed').map(({ by }) => by)).toEqual([killer]);
    const other = killer === 'red' ? 'pink' : 'red';
    expect(round.world.players[other]?.killWait).toBe(0);
    expect(refusal(round, other)).toBe('kill/at-once');
  });

  test('two impostors can kill two victims in one round', () => {
    const world = together({
      impostors: ['red', 'pink'],
      at: { pink: 'MedBay', green: 'MedBay' },
      seats: SEVEN,
    });
    const round = playRound(world, { ...STABS, pink: 'kill green' });
    expect(victims(round)).toEqual(['blue', 'green']);
  });
});
