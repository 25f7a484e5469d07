import { describe, expect, test } from 'vitest';
import { initialTransition, transition } from 'xstate';
import { arbiterMachine, invitations, tableView } from '../../../machines/charts/arbiter.ts';
import type { ToArbiter } from '../../../machines/messages.ts';
import { NOT_CALLED } from '../../../machines/rules/floor.ts';
import type { MeetingOptions } from '../../../machines/rules/options.ts';
import { publicTable } from '../../../machines/rules/views.ts';
import type { Bid, RequestKind } from '../../../machines/types.ts';
import { aBid, aTable, FIVE, someOptions } from '../builders.ts';

function opened(requestKind: RequestKind = 'discussion'): ToArbiter {
  return {
    type: 'tick.opened',
    table: publicTable(aTable(), requestKind),
    seats: FIVE,
    voted: ['blue'],
  };
}

function gathered(tick: number, ...bids: readonly Bid[]): ToArbiter {
  return { type: 'bids.gathered', tick, bids, dice: {} };
}

function after(events: readonly ToArbiter[], options: Partial<MeetingOptions> = {}) {
  const input = { chance: { seed: 1, meeting: 0 }, options: someOptions(options), seated: FIVE };
  let [state, effects] = initialTransition(arbiterMachine, input);
  for (const event of events) [state, effects] = transition(arbiterMachine, state, event);
  return { at: state.value, books: state.context, effects: effects.map(({ type }) => type) };
}

const HELLO = gathered(0, aBid('red', { message: 'hello' }));

describe('a tick', () => {
  test('is opened by asking everybody at once', () => {
    expect(after([opened()])).toMatchObject({ at: 'asking', effects: ['requestBids'] });
  });

  test('the arbiter waits while a bid is outstanding', () => {
    expect(after([opened(), { type: 'bids.outstanding' }]).at).toBe('waiting');
  });

  test.each([
    ['with the bids of this tick', [HELLO], 'idle'],
    ['also while waiting', [{ type: 'bids.outstanding' }, HELLO], 'idle'],
    ['not with those of another', [gathered(1)], 'asking'],
    ['nor while waiting', [{ type: 'bids.outstanding' }, gathered(7)], 'waiting'],
  ] as const)('is closed %s', (_, events, at) => {
    expect(after([opened(), ...events]).at).toBe(at);
  });

  test('a late bid changes nothing', () => {
    const late = after([
      opened(),
      HELLO,
      { type: 'bid.late', tick: 0, bid: aBid('blue', { message: 'me too' }) },
    ]);
    expect(late).toMatchObject({ at: 'idle', effects: ['noteLate'] });
    expect(late.books).toEqual(after([opened(), HELLO]).books);
  });
});

describe('the books', () => {
  test('are pending until the meeting goes on', () => {
    const { books } = after([opened(), HELLO]);
    expect(books.floor.transcript).toEqual([]);
    expect(books.pending?.transcript).toHaveLength(1);
    const next = after([opened(), HELLO, opened()]).books;
    expect(next).toMatchObject({
      pending: null,
      floor: { tick: 1, transcript: [{ speaker: 'red', message: 'hello' }] },
    });
  });

  test('forget a tick that was abandoned: its number is used up, its words were never said', () => {
    const { at, books } = after([opened(), { type: 'tick.abandoned' }, opened()]);
    expect(at).toBe('asking');
    expect(books.floor).toMatchObject({ tick: 1, transcript: [], lastSpoke: {} });
  });

  test('forget one that had just closed as well', () => {
    const { books } = after([opened(), HELLO, { type: 'tick.abandoned' }]);
    expect(books).toMatchObject({
      pending: null,
      opened: null,
      floor: { tick: 1, transcript: [] },
    });
  });

  test('ruling 6: who had voted when the tick was opened pays for it', () => {
    const { books } = after([
      opened(),
      gathered(0, aBid('red', { message: 'a' }), aBid('blue', { message: 'b' })),
    ]);
    expect(books.pending?.lastSpoke).toEqual({ red: 0 });
  });

  test.each(['reaction', 'consolidation'] as const)(
    'ruling 26: nobody has the floor in a tick of %s',
    (requestKind) => {
      const { books } = after([opened(requestKind), HELLO]);
      expect(books.pending).toMatchObject({ tick: 1, transcript: [], lastSpoke: {} });
    },
  );
});

describe('what players are shown and asked', () => {
  const silent = (ticks: number, requestKind: RequestKind = 'discussion') => {
    const past = Array.from({ length: ticks }, (_, tick) => [opened(), gathered(tick)]).flat();
    return after([...past, opened(requestKind)]).books;
  };

  test('everybody sees the public table, the tick and all that was said', () => {
    const view = tableView(after([opened(), HELLO, opened()]).books);
    expect(view).toMatchObject({
      tick: 1,
      transcript: [{ message: 'hello' }],
      requestKind: 'discussion',
    });
    expect(tableView(after([]).books)).toBeNull();
  });

  test('ruling 9: a player is called on once s(k) > Δ', () => {
    const calledOn = (ticks: number) => invitations(silent(ticks)).map((one) => one.calledOn);
    expect([calledOn(10), calledOn(11)]).toEqual([FIVE.map(() => false), FIVE.map(() => true)]);
  });

  test('but not in a tick without a floor', () => {
    expect(invitations(silent(11, 'reaction'))).toEqual(
      FIVE.map((seat) => ({ seat, ...NOT_CALLED })),
    );
    expect(invitations(silent(11, 'voting')).every(({ calledOn }) => calledOn)).toBe(true);
    expect(invitations(after([]).books)).toEqual([]);
  });
});
