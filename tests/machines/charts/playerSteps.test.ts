/** A player step by step: each effect is given the player as it then is, and each answer is noted with its request. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { initialTransition, transition } from 'xstate';
import {
  type PlayerContext,
  type PlayerInput,
  playerMachine,
} from '../../../machines/charts/player.ts';
import type { ToPlayer } from '../../../machines/messages.ts';
import { publicTable } from '../../../machines/rules/views.ts';
import { aBid, aFault, aPlayer, aTable, law } from '../builders.ts';

const event = (fields: object): ToPlayer => fields as ToPlayer;

const TABLE = { ...publicTable(aTable(), 'discussion'), transcript: [] };
const bids = (tick: number) =>
  event({ type: 'bid.requested', table: { ...TABLE, tick }, calledOn: false });
const asks = (round: number) => event({ type: 'order.requested', round });
const invites = (turn: number) => event({ type: 'talk.invited', seen: { turn } });
const DECISION = { thought: '', intent: null, pads: { main: 'new' }, notes: [] };
const decided = event({
  type: 'mind.decided',
  round: 3,
  order: { type: 'order', seat: 'red', received: {}, decision: DECISION },
});
const answered = (to: 'table' | 'gallery') =>
  event({ type: 'mind.answered', to, index: 3, bid: aBid('red', { pads: { main: 'new' } }) });
const DIED = event({ type: 'seat.died' });

function effectsOf(events: readonly ToPlayer[], input: Partial<PlayerInput> = {}) {
  let [state, effects] = initialTransition(playerMachine, aPlayer(input));
  for (const one of events) [state, effects] = transition(playerMachine, state, one);
  return {
    effects: effects.map(({ type, info }) => ({ type, given: info.context as PlayerContext })), // its player
    player: state.context,
  };
}

const GHOST = { ghost: true };

describe('in one step', () => {
  test.each([
    ['a bid', [bids(3)], {}],
    ['an order', [asks(3)], {}],
    ['an order of a ghost', [asks(3)], GHOST],
    ['talk among ghosts', [invites(3)], GHOST],
  ] as const)('a mind that is asked for %s finds its request noted', (_, events, input) => {
    const { effects } = effectsOf(events, input);
    expect(effects).toMatchObject([{ type: 'consult', given: { index: 3 } }]);
  });

  test.each([
    ['a bid', 'submitBid', [bids(3), answered('table')], {}],
    ['an order', 'submitOrder', [asks(3), decided], {}],
    ['an order of a ghost', 'submitOrder', [asks(3), decided], GHOST],
    ['talk among ghosts', 'submitBid', [invites(3), answered('gallery')], GHOST],
  ] as const)('%s is handed in before its notes are kept', (_, type, events, input) => {
    const { effects, player } = effectsOf(events, input);
    expect(effects).toMatchObject([{ type, given: { pads: { main: '' } } }]);
    expect(player.pads.main).toBe('new');
  });

  test.each([
    ['bids', bids(3)],
    ['decides', asks(3)],
  ])('the mind of a player who %s is dismissed before its player is dead', (_, request) => {
    const { effects, player } = effectsOf([request, DIED]);
    expect(effects).toMatchObject([{ type: 'cancelRequest', given: { ghost: false } }]);
    expect(player.ghost).toBe(true);
  });
});

describe('an answer', () => {
  test.each([
    ['a reply', aBid('red', { pads: { main: 'new' } }), 'new'],
    ['a fault', aFault('red'), 'old'],
  ])(
    'that is %s is noted with its request, which a light mind has not noted before',
    (_, bid, main) => {
      const pads = { main: 'old', meeting: 'm' };
      const { player } = effectsOf([event({ type: 'mind.answered', to: 'table', index: 7, bid })], {
        light: true,
        pads,
      });
      expect(player).toMatchObject({ index: 7, before: pads, pads: { main, meeting: 'm' } });
    },
  );

  law(
    'to a tick that is abandoned is taken back, and none before it',
    fc.property(
      fc.array(fc.string(), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (texts, light) => {
        const answers = texts.flatMap((main, index) => {
          const answer = {
            type: 'mind.answered',
            to: 'table',
            index,
            bid: aBid('red', { pads: { main } }),
          };
          return [bids(index), event(answer)];
        });
        const missed = event({ type: 'tick.missed', tick: texts.length - 1 });
        const { player } = effectsOf([...answers, missed], { light });
        expect(player.pads.main).toBe(texts.at(-2) ?? '');
      },
    ),
  );
});

test('a player remembers the sights and the own deeds of a round', () => {
  const round = {
    round: 2,
    sights: [{ who: 'blue', place: 'Admin', did: 'task' }],
    deeds: [{ type: 'kill', victim: 'green', place: 'Admin' }],
  };
  const { player } = effectsOf([event({ type: 'rounds.seen', rounds: [round] })]);
  expect(player.memory).toHaveLength(1);
  expect(player.deeds).toEqual([{ type: 'kill', victim: 'green', place: 'Admin', round: 2 }]);
});

test('before the first request no tick that is missed takes a page back', () => {
  const kept = event({ type: 'scratchpads.consolidated', main: 'kept', line: null });
  for (const tick of [0, 1]) {
    const { player } = effectsOf([kept, event({ type: 'tick.missed', tick })]);
    expect(player.pads.main).toBe('kept');
  }
});
