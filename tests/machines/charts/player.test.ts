import { describe, expect, test } from 'vitest';
import { initialTransition, transition } from 'xstate';
import { playerMachine, selfOf } from '../../../machines/charts/player.ts';
import type { ToPlayer } from '../../../machines/messages.ts';
import { NOT_CALLED } from '../../../machines/rules/floor.ts';
import { WITHOUT_GAME } from '../../../machines/rules/meeting.ts';
import type { PlayerInput } from '../../../machines/rules/views.ts';
import { publicTable } from '../../../machines/rules/views.ts';
import type { Reply } from '../../../machines/types.ts';
import { aBid, aPlayer, aTable } from '../builders.ts';
import { paths } from '../walk.ts';

function asked(tick = 0): ToPlayer {
  const table = { ...publicTable(aTable(), 'discussion'), tick, transcript: [] };
  return { type: 'bid.requested', table, ...NOT_CALLED };
}

function answered(
  index: number,
  reply: Partial<Reply> = {},
): Extract<ToPlayer, { type: 'mind.answered' }> {
  return { type: 'mind.answered', to: 'table', index, bid: aBid('red', reply) };
}

const NOTE = { code: 'vote/cleared', text: 'vote again' };

function after(events: readonly ToPlayer[], input: Partial<PlayerInput> = {}) {
  let [state, effects] = initialTransition(playerMachine, aPlayer(input));
  for (const event of events) [state, effects] = transition(playerMachine, state, event);
  return {
    at: paths(state.value),
    self: selfOf(state.context),
    effects: effects.map(({ type }) => type),
  };
}

describe('bidding', () => {
  const missed = (tick: number): ToPlayer => ({ type: 'tick.missed', tick });
  const [BIDDING, LISTENING] = ['living.floor.bidding', 'living.floor.listening'] as const;
  const CANCELS = ['cancelRequest'];

  test.each<[string, readonly ToPlayer[], readonly string[], string]>([
    ['a request is thought about', [asked()], ['consult'], BIDDING],
    ['the answer to it is the bid', [asked(), answered(0)], ['submitBid'], LISTENING],
    ['the answer to an older one is handed on', [asked(3), answered(2)], ['submitBid'], BIDDING],
    ['a tick that goes on without the player is over', [asked(3), missed(3)], CANCELS, LISTENING],
    ['another tick is not', [asked(3), missed(2)], [], BIDDING],
    ['a leaver is not waited for', [asked(), { type: 'seat.departed' }], CANCELS, 'disconnected'],
    ['who dies while thinking is a ghost', [asked(), { type: 'seat.died' }], CANCELS, 'ghost.idle'],
  ])('%s', (_, events, effects, state) => {
    const player = after(events);
    expect(player.effects).toEqual(effects);
    expect(player.at).toContain(state);
  });

  test('ruling 2: who is disconnected answers nothing more', () => {
    expect(after([{ type: 'seat.departed' }, asked()])).toMatchObject({
      at: ['disconnected'],
      effects: [],
    });
  });
});

describe('the ballot', () => {
  const locked: ToPlayer = { type: 'vote.locked', ballot: 'blue' };

  test('ruling 18: is binding', () => {
    const player = after([locked, { type: 'vote.locked', ballot: 'skip' }]);
    expect(player.at).toContain('living.ballot.lockedIn');
    expect(player.self.ballot).toBe('blue');
  });

  test('ruling 20: is given back when the player voted for has left, with a notice', () => {
    const player = after([locked, { type: 'vote.cleared', note: NOTE }]);
    expect(player.at).toContain('living.ballot.undecided');
    expect(player.self).toMatchObject({ ballot: null, notices: [NOTE] });
  });

  test('is blank at the next meeting', () => {
    expect(after([locked, { type: 'meeting.opened' }]).self.ballot).toBeNull();
  });
});

describe('the scratchpads', () => {
  const wrote = [asked(), answered(0, { pads: { main: 'a', meeting: 'b' } })];

  test("scratchpads hold the player's last text", () => {
    expect(after(wrote).self.pads).toEqual({ main: 'a', meeting: 'b' });
    expect(after([...wrote, asked(1), answered(1, { pads: { meeting: 'c' } })]).self.pads).toEqual({
      main: 'a',
      meeting: 'c',
    });
  });

  test('an abandoned tick has not happened', () => {
    expect(after([...wrote, { type: 'tick.missed', tick: 0 }]).self.pads).toEqual({
      main: '',
      meeting: '',
    });
    expect(after([...wrote, { type: 'tick.missed', tick: 1 }]).self.pads).toEqual({
      main: 'a',
      meeting: 'b',
    });
  });

  test.each([
    ['what the player wrote', 'Red lied', null, 'Red lied'],
    ['an empty text as well', '', null, ''],
    ['or the engine’s line under what stood there', null, 'Meeting: …', 'a\nMeeting: …'],
    ['or an empty line', null, null, 'a\n'],
  ])('ruling 27: the main page keeps %s, and the meeting’s is erased', (_, main, line, kept) => {
    const consolidated = [...wrote, { type: 'scratchpads.consolidated', main, line }] as const;
    expect(after(consolidated).self.pads).toEqual({ main: kept, meeting: 'b' });
    expect(after([...consolidated, { type: 'scratchpads.erased' }]).self.pads).toEqual({
      main: kept,
      meeting: '',
    });
  });
});

test('rulings 15 and 18: the next request explains once why a vote did not count', () => {
  const noticed = [asked(), answered(0), { type: 'notice.given', note: NOTE }] as const;
  expect(after(noticed).self.notices).toEqual([NOTE]);
  expect(after([...noticed, asked(1), answered(1)]).self.notices).toEqual([]);
});

describe('ruling 36: a ghost', () => {
  const seen = {
    requestKind: 'ghost',
    turn: 4,
    transcript: [],
    chat: [],
    truth: {
      seats: [],
      ballots: {},
      call: aTable().call,
      announced: null,
      rules: 'house',
      ...WITHOUT_GAME,
    },
  } as const;
  const invited: ToPlayer = { type: 'talk.invited', seen };

  test('does not take an answer to a tick for one to a turn of the same number', () => {
    expect(after([invited, answered(4)], { ghost: true })).toMatchObject({
      at: ['ghost.chatting'],
      effects: ['submitBid'],
    });
  });

  test('is asked for no bid and locks no ballot', () => {
    const player = after([asked(), { type: 'vote.locked', ballot: 'blue' }], { ghost: true });
    expect(player).toMatchObject({ at: ['ghost.idle'], effects: [], self: { ballot: null } });
  });

  test('the living are not invited', () => {
    expect(after([invited])).toMatchObject({
      at: ['living.floor.listening', 'living.ballot.undecided'],
      effects: [],
    });
  });

  test('a living player who dies becomes a ghost and keeps the notes', () => {
    const player = after([asked(), answered(0, { pads: { main: 'a' } }), { type: 'seat.died' }]);
    expect(player).toMatchObject({ at: ['ghost.idle'], self: { pads: { main: 'a' } } });
  });
});
