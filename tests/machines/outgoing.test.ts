import { describe, expect, test } from 'vitest';
import { playerId, type SightsOfRound } from '../../machines/messages.ts';
import { messagesAfterRound, type UnreadRounds } from '../../machines/outgoing.ts';
import type { RoundEvent } from '../../machines/rules/ship/draft.ts';
import { type GameCourse, type GameFact, startGame } from '../../machines/rules/ship/game.ts';
import type { Sight } from '../../machines/rules/ship/sight.ts';
import type { BySeat, Call, Colour } from '../../machines/types.ts';
import { aWorld } from './rules/ship/worlds.ts';

const LURKING: Sight = { who: 'blue', place: 'Admin', did: 'lurking' };
const WORKING: Sight = { who: 'blue', place: 'Admin', did: 'task' };

function after(asked: readonly Colour[], call: Call | null = null): GameCourse {
  const world = aWorld();
  const asks = Object.fromEntries(asked.map((seat) => [seat, ['done' as const]]));
  return { ...startGame(1, world.ship), world: { ...world, asks }, call };
}

function played(
  round: number,
  seen: BySeat<readonly Sight[]>,
  events: readonly RoundEvent[] = [],
): GameFact {
  return { type: 'round.closed', round, orders: [], events, paths: {}, deeds: {}, seen };
}

function told({
  messages: letters,
}: ReturnType<typeof messagesAfterRound>): Record<string, readonly SightsOfRound[]> {
  return Object.fromEntries(
    letters.flatMap(({ to, message }) =>
      message.type === 'rounds.seen' ? [[to, message.rounds]] : [],
    ),
  );
}

describe('sights of a round', () => {
  const first = messagesAfterRound({}, played(0, { red: [LURKING], green: [] }), after(['green']));

  test('sights go to the players who have something to decide', () => {
    expect(told(first)).toEqual({ [playerId('green')]: [{ round: 0, sights: [] }] });
    expect(first.unread).toHaveProperty('red', [{ round: 0, sights: [LURKING] }]);
  });

  test('sights wait for the next decision and arrive with later ones', () => {
    const second = messagesAfterRound(first.unread, played(1, { red: [WORKING] }), after(['red']));
    expect(told(second)).toEqual({
      [playerId('red')]: [
        { round: 0, sights: [LURKING] },
        { round: 1, sights: [WORKING] },
      ],
    });
    expect(second.unread).not.toHaveProperty('red');
  });

  test('a call sends sights to everybody, including players who died meanwhile', () => {
    const call: Call = {
      by: 'green',
      kind: 'button',
      body: null,
      place: null,
      buttonsLeft: 0,
      cooldown: 0,
      crisis: null,
    };
    const unread: UnreadRounds = { ...first.unread, blue: [{ round: 0, sights: [WORKING] }] };
    const second = messagesAfterRound(unread, played(1, { red: [WORKING] }), after([], call));
    expect(Object.keys(told(second))).toEqual([playerId('red'), playerId('blue')]);
    expect(second.unread).toEqual({});
  });

  test('is nothing for whoever saw nothing', () => {
    expect(told(messagesAfterRound({}, played(0, {}), after(['red'])))).toEqual({});
  });
});

test('a refusal, a death and a departure are sent at once', () => {
  const note = { code: 'intent/no-place', text: 'there is no such place' };
  const events: readonly RoundEvent[] = [
    { type: 'intent.refused', seat: 'red', intent: { type: 'button' }, note },
    { type: 'player.killed', by: 'red', victim: 'blue', place: 'Admin' },
    { type: 'seat.departed', seat: 'green', reason: 'faults' },
  ];
  expect(messagesAfterRound({}, played(0, {}, events), after([])).messages).toEqual([
    { to: playerId('red'), message: { type: 'notice.given', note } },
    { to: playerId('blue'), message: { type: 'seat.died' } },
    { to: playerId('green'), message: { type: 'seat.departed' } },
  ]);
});
