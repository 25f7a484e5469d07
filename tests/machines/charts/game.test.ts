/** A game: who is asked, when a round is played, what interrupts it and what ends it. */
import { describe, expect, test } from 'vitest';
import { createActor, type EventObject, fromCallback, setup } from 'xstate';
import { gameMachine, type OrdersInput } from '../../../machines/charts/game.ts';
import type { MeetingOutput } from '../../../machines/charts/meeting.ts';
import type { MeetingSessionInput } from '../../../machines/charts/meetingSession.ts';
import {
  MEETING_SESSION,
  playerId,
  type ToGame,
  type ToOrders,
} from '../../../machines/messages.ts';
import { type GameFact, meetingSetupFor } from '../../../machines/rules/ship/game.ts';
import type { Intent, Order } from '../../../machines/rules/ship/orders.ts';
import type { PlayerInput } from '../../../machines/rules/views.ts';
import type { Colour } from '../../../machines/types.ts';
import { createSmallGame } from '../../../proofs/models/ship.ts';
import { aClock, aPlayer } from '../builders.ts';

const INPUT = {
  ...createSmallGame(4, { buttons: 1, emergencyCooldown: 0, roundDeadlineMs: 600 }),
  seed: 9,
  ghostBudget: 5,
};

function order(seat: Colour, intent: Intent | null): Order {
  return {
    type: 'order',
    seat,
    received: {},
    decision: { thought: '', intent, pads: {}, notes: [] },
  };
}

const gathered = (round: number, ...orders: readonly Order[]): ToGame => ({
  type: 'orders.gathered',
  round,
  orders,
  draws: {},
});
const PRESSED = gathered(0, order('blue', { type: 'button' }));
const stopped = (reason: 'interrupted' | 'unfinished'): ToGame => ({
  type: 'game.stopped',
  reason,
});

function start(events: readonly ToGame[], players: readonly PlayerInput[] = []) {
  const facts: GameFact[] = [];
  const did: string[] = [];
  const given = {
    sessions: [] as unknown[],
    orders: [] as unknown[],
    players: [] as PlayerInput[],
  };
  const note = (name: string) => () => void did.push(name);
  const session = setup({
    types: {
      input: {} as MeetingSessionInput,
      context: {} as { output: MeetingOutput | null },
      events: {} as { readonly type: 'end'; readonly output: MeetingOutput },
      output: {} as MeetingOutput | null,
    },
  }).createMachine({
    context: ({ input }) => {
      given.sessions.push(input);
      return { output: null };
    },
    on: { end: '.done' },
    initial: 'on',
    states: {
      on: { exit: ({ context, event }) => Object.assign(context, { output: event.output }) },
      done: { type: 'final' },
    },
    output: ({ context }) => context.output,
  });
  const machine = gameMachine.provide({
    actors: {
      meetingSession: session as never, // a stub that only ends
      player: fromCallback<EventObject, PlayerInput>(
        ({ input }) => void given.players.push(input),
      ) as never,
      orders: fromCallback<ToOrders, OrdersInput>(({ input }) => void given.orders.push(input)),
    },
    actions: {
      announceFacts: (_, params) => void facts.push(...params.facts),
      requestOrders: note('request'),
      callTime: note('time'),
      releaseMissing: note('release'),
      stopMeeting: note('stop meeting'),
    },
  });
  const { clock, waits } = aClock();
  const actor = createActor(machine, { input: { ...INPUT, players }, clock }).start();
  for (const event of events) actor.send(event);
  return { actor, facts, did, given, waits, types: () => facts.map(({ type }) => type) };
}

function endMeeting({ actor }: ReturnType<typeof start>, living: readonly Colour[]) {
  const { context } = actor.getSnapshot();
  const setting = meetingSetupFor(context);
  if (setting === null) throw new Error('a meeting is on');
  const { by, kind, body, place } = setting.call;
  const seats = Object.keys(setting.standings) as Colour[]; // names of seats
  const standings = Object.fromEntries(
    seats.map((seat) => [
      seat,
      living.includes(seat) ? ('living' as const) : ('departed' as const),
    ]),
  );
  const output = {
    outcome: 'skipped' as const,
    ejected: null,
    standings,
    held: { call: { by, kind, body, place }, result: null },
  };
  const child = actor.system.get(MEETING_SESSION) as { send: (event: object) => void }; // by its name
  child.send({ type: 'end', output });
}

describe('a round', () => {
  test('is asked for once, with the deadline of the options where minds take their time', () => {
    const fast = start([]);
    expect([fast.actor.getSnapshot().value, fast.did, fast.waits]).toEqual([
      { round: 'opening' },
      ['request'],
      [],
    ]);
    const slow = start([{ type: 'orders.outstanding' }]);
    expect(slow.actor.getSnapshot().value).toEqual({ round: 'deciding' });
    expect(slow.waits.map(([, ms]) => ms)).toEqual([600]);
    slow.waits[0]?.[0]();
    expect([slow.did, slow.actor.getSnapshot().value]).toEqual([
      ['request', 'time'],
      { round: 'deciding' },
    ]);
  });

  test.each([
    ['at once', []],
    ['after a wait', [{ type: 'orders.outstanding' }]],
  ] as const)('is played with the orders of it, %s, and the next is asked for', (_, before) => {
    const game = start([...before, gathered(0, order('red', null))]);
    expect(game.actor.getSnapshot()).toMatchObject({
      value: { round: 'opening' },
      context: { round: 1 },
    });
    expect(game.did).toEqual(['request', 'release', 'request']);
    expect(game.facts).toMatchObject([
      { type: 'round.closed', round: 0, orders: [order('red', null)] },
    ]);
    expect(game.waits.map(([, ms]) => ms)).toEqual(before.map(() => -1));
  });

  test('is not played with the orders of another', () => {
    const game = start([gathered(1, order('red', null))]);
    expect([game.facts, game.did]).toEqual([[], ['request']]);
  });
});

test('players are seated under their own names, and the orders get the seed and the seats', () => {
  const players = (['red', 'blue'] as const).map((colour) => aPlayer({ colour }));
  const { actor, given } = start([], players);
  expect(given.players).toEqual(players);
  const seats = INPUT.ship.seats.map(({ colour }) => colour);
  expect(given.orders).toEqual([{ seed: 9, seats }]);
  const system = actor.system as { get: (name: string) => unknown };
  expect(system.get(playerId('blue'))).toBeDefined();
  expect(actor.getSnapshot().context).toMatchObject({ seed: 9, players, ghostBudget: 5 });
});

describe('a call', () => {
  test('opens a session with the setting of the game, and seats nobody anew', () => {
    const game = start([PRESSED]);
    const { value, context } = game.actor.getSnapshot();
    expect(value).toBe('meeting');
    expect(context.call).toMatchObject({ by: 'blue', kind: 'button' });
    expect(game.given.sessions).toEqual([
      { setting: meetingSetupFor(context), players: [], ghostBudget: 5 },
    ]);
    expect(game.did).toEqual(['request', 'release']);
  });

  test('is over with the meeting, and the next round is asked for', () => {
    const game = start([PRESSED]);
    endMeeting(game, ['red', 'blue', 'green', 'pink']);
    expect(game.actor.getSnapshot()).toMatchObject({
      value: { round: 'opening' },
      context: { call: null, meetings: 1, record: { meetings: [{ call: { by: 'blue' } }] } },
    });
    expect(game.did).toEqual(['request', 'release', 'request']);
  });

  test('can end the game by who is left', () => {
    const game = start([PRESSED]);
    endMeeting(game, ['blue', 'green', 'pink']);
    expect(game.actor.getSnapshot()).toMatchObject({
      value: 'over',
      status: 'done',
      output: { winner: 'crew' },
    });
    expect(game.types()).toEqual(['round.closed', 'game.closed']);
    expect(game.did).toEqual(['request', 'release']);
  });
});

describe('a wish to stop', () => {
  test.each(['interrupted', 'unfinished'] as const)('as %s ends a round', (reason) => {
    for (const before of [[], [{ type: 'orders.outstanding' }]] as const) {
      const game = start([...before, stopped(reason)]);
      expect(game.actor.getSnapshot()).toMatchObject({
        value: 'over',
        status: 'done',
        output: { winner: null, reason },
      });
      expect(game.facts).toEqual([
        { type: 'end.requested', reason },
        { type: 'game.closed', winner: null, reason },
      ]);
    }
  });

  test('is handed on to a meeting, and ends the game behind it', () => {
    const game = start([PRESSED, stopped('interrupted')]);
    expect(game.actor.getSnapshot().value).toBe('meeting');
    expect(game.did).toEqual(['request', 'release', 'stop meeting']);
    endMeeting(game, ['red', 'blue', 'green', 'pink']);
    expect(game.actor.getSnapshot()).toMatchObject({
      value: 'over',
      output: { winner: null, reason: 'interrupted' },
    });
    expect(game.types()).toEqual(['round.closed', 'end.requested', 'game.closed']);
  });
});

test('a round that decides the game ends it', () => {
  const kills = createSmallGame(3, { killCooldown: 0 });
  const actor = createActor(
    gameMachine.provide({
      actors: { orders: fromCallback<ToOrders, OrdersInput>(() => {}) },
      actions: { announceFacts: () => {}, requestOrders: () => {}, releaseMissing: () => {} },
    }),
    { input: kills },
  ).start();
  for (let round = 0; round < 4 && actor.getSnapshot().status === 'active'; round++)
    actor.send(gathered(round, order('red', { type: 'kill', whom: 'blue' })));
  expect(actor.getSnapshot()).toMatchObject({ value: 'over', output: { winner: 'impostors' } });
});
