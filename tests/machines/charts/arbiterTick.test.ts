/** The arbiter beside a meeting: the closed ticks that it returns, and how long it waits. */
import { describe, expect, test } from 'vitest';
import { type AnyActorRef, createActor, fromCallback, initialTransition, setup } from 'xstate';
import {
  type ArbiterBooks,
  arbiterMachine,
  invitations,
} from '../../../machines/charts/arbiter.ts';
import {
  ARBITER,
  BIDS as STREAM,
  type ToArbiter,
  type ToBids,
  type ToMeeting,
} from '../../../machines/messages.ts';
import { closeFloorTick, EMPTY_FLOOR, passTick } from '../../../machines/rules/floor.ts';
import { publicTable } from '../../../machines/rules/views.ts';
import type { Bid, Colour, RequestKind } from '../../../machines/types.ts';
import { aBid, aClock, aFault, aTable, FIVE, someOptions } from '../builders.ts';

const OPTIONS = someOptions({ deadlineMs: 700 });
const CHANCE = { seed: 7, meeting: 2 };
const INPUT = { chance: CHANCE, options: OPTIONS, seated: FIVE };
const DICE = { red: { face: 6, draw: 1 }, blue: { face: 1, draw: 2 } };

function opened(requestKind: RequestKind, voted: readonly Colour[] = []): ToArbiter {
  return { type: 'tick.opened', table: publicTable(aTable(), requestKind), seats: FIVE, voted };
}

function gathered(tick: number, bids: readonly Bid[]): ToArbiter {
  return { type: 'bids.gathered', tick, bids, dice: DICE };
}

function run(events: readonly ToArbiter[]) {
  const heard: ToMeeting[] = [];
  const given: unknown[] = [];
  const did: string[] = [];
  const released: unknown[] = [];
  const note = (name: string) => () => void did.push(name);
  const arbiter = arbiterMachine.provide({
    actors: {
      bids: fromCallback<ToBids, { chance: typeof CHANCE }>(({ input }) => void given.push(input)),
    },
    actions: {
      requestBids: note('requestBids'),
      releaseMissing: ({ context: { floor, opened: tick } }: { context: ArbiterBooks }) => {
        did.push('releaseMissing');
        released.push({ tick: floor.tick, asked: tick?.seats ?? null });
      },
      placeAbsence: note('placeAbsence'),
      callTime: note('callTime'),
      noteLate: note('noteLate'),
    },
  });
  const parent = setup({ types: { events: {} as ToMeeting }, actors: { arbiter } }).createMachine({
    invoke: { src: 'arbiter', id: ARBITER, systemId: ARBITER, input: INPUT },
    on: { '*': { actions: ({ event }) => void heard.push(event) } },
  });
  const { clock, waits } = aClock();
  const actor = createActor(parent, { clock });
  actor.start();
  const system = actor.system as { get: (name: string) => AnyActorRef };
  for (const event of events) system.get(ARBITER).send(event);
  return { heard, given, did, released, waits, system };
}

const BIDS = [aBid('red', { desire: 1, message: 'hi blue' }), aBid('blue', { desire: 1 })];

test('the bid stream begins with the dice of this meeting and is found by its name', () => {
  const { given, system } = run([]);
  expect(given).toEqual([{ chance: CHANCE }]);
  expect(system.get(STREAM)).toBeDefined();
  expect(system.get(ARBITER).getSnapshot().children[STREAM]).toBe(system.get(STREAM));
});

describe('a tick that closes is handed to the meeting as it was', () => {
  test.each(['discussion', 'voting'] as const)('in %s with the decision on the floor', (kind) => {
    const { verdict } = closeFloorTick(
      EMPTY_FLOOR,
      { bids: BIDS, dice: DICE, seated: FIVE, voted: ['blue'] },
      OPTIONS,
    );
    expect(verdict.floor).toBe('red');
    expect(run([opened(kind, ['blue']), gathered(0, BIDS)]).heard).toEqual([
      {
        type: 'tick.closed',
        tick: 0,
        requestKind: kind,
        bids: BIDS,
        dice: DICE,
        decision: verdict,
      },
    ]);
  });

  test.each(['reaction', 'consolidation'] as const)('in %s without one', (kind) => {
    expect(run([opened(kind), gathered(0, BIDS)]).heard).toEqual([
      { type: 'tick.closed', tick: 0, requestKind: kind, bids: BIDS, dice: DICE, decision: null },
    ]);
  });

  test('by what had been said and who had the floor before', () => {
    const talk = (voted: readonly Colour[]) => ({ bids: BIDS, dice: DICE, seated: FIVE, voted });
    const before = closeFloorTick(EMPTY_FLOOR, talk([]), OPTIONS).floor;
    const abandoned = passTick(before);
    const events = [
      opened('discussion'),
      gathered(0, BIDS),
      opened('discussion'),
      { type: 'tick.abandoned' },
    ] as const;
    const [, second] = run([...events, opened('discussion', FIVE), gathered(2, BIDS)]).heard;
    expect(second).toMatchObject({
      tick: 2,
      decision: closeFloorTick(abandoned, talk(FIVE), OPTIONS).verdict,
    });
  });

  test('once: bids that come again, or of another tick, close nothing', () => {
    const events = [opened('discussion'), gathered(1, BIDS), gathered(0, BIDS), gathered(0, BIDS)];
    expect(run(events).heard).toHaveLength(1);
  });
});

describe('who is waited for', () => {
  const late = [aBid('red', { message: 'hi' }), aFault('blue')];

  test.each<[string, readonly ToArbiter[], number]>([
    ['while the tick is open', [], 0],
    ['once the tick has closed', [gathered(0, late)], 1],
    ['once the tick is abandoned', [{ type: 'tick.abandoned' }], 1],
    ['also after a wait', [{ type: 'bids.outstanding' }, { type: 'tick.abandoned' }], 1],
    ['twice if a closed tick is abandoned', [gathered(0, late), { type: 'tick.abandoned' }], 2],
  ])('all are asked once and released from their own tick, %s', (_, events, times) => {
    const { did, released } = run([opened('discussion'), ...events]);
    expect(did).toEqual(['requestBids', ...Array(times).fill('releaseMissing')]);
    expect(released).toEqual(Array(times).fill({ tick: 0, asked: FIVE }));
  });

  test('slow players have the deadline of the options, and time is called once', () => {
    const { waits, did } = run([opened('discussion'), { type: 'bids.outstanding' }]);
    expect(waits.map(([, ms]) => ms)).toEqual([700]);
    waits[0]?.[0]();
    expect(did).toEqual(['requestBids', 'callTime']);
    expect(run([opened('discussion')]).waits).toEqual([]);
  });

  test('time runs for no tick that is over', () => {
    const events = [opened('discussion'), { type: 'bids.outstanding' }, gathered(0, late)] as const;
    expect(run(events).waits.map(([, ms]) => ms)).toEqual([-1]);
    const dropped = [...events.slice(0, 2), { type: 'tick.abandoned' }] as const;
    expect(run(dropped)).toMatchObject({ did: ['requestBids', 'releaseMissing'] });
    expect(run(dropped).waits.map(([, ms]) => ms)).toEqual([-1]);
  });

  test.each([
    ['before those who take their time are known', []],
    ['after', [{ type: 'bids.outstanding' }]],
  ] as const)('a leaver is waited for no more, %s', (_, between) => {
    const left: ToArbiter = { type: 'seat.vacated', seat: 'red' };
    expect(run([opened('discussion'), ...between, left]).did).toEqual([
      'requestBids',
      'placeAbsence',
    ]);
    expect(run([left]).did).toEqual([]);
  });

  test('a late bid is noted wherever the arbiter is', () => {
    const bid: ToArbiter = { type: 'bid.late', tick: 0, bid: aBid('blue') };
    for (const events of [
      [],
      [opened('discussion')],
      [opened('discussion'), { type: 'bids.outstanding' }],
    ] as const)
      expect(run([...events, bid]).did.at(-1)).toBe('noteLate');
  });
});

test('an arbiter begins with empty books and its input', () => {
  const [state] = initialTransition(arbiterMachine, INPUT);
  expect(state.context).toEqual({ ...INPUT, floor: EMPTY_FLOOR, pending: null, opened: null });
  expect(invitations(state.context)).toEqual([]);
});
