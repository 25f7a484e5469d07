/** The arbiter's books when it releases the players who have not answered, and the names of its children. */
import { describe, expect, test } from 'vitest';
import { type AnyActorRef, createActor, fromCallback, setup } from 'xstate';
import { type ArbiterBooks, arbiterMachine } from '../../../machines/charts/arbiter.ts';
import { galleryMachine } from '../../../machines/charts/gallery.ts';
import { gameMachine } from '../../../machines/charts/game.ts';
import { meetingMachine } from '../../../machines/charts/meeting.ts';
import { meetingSessionMachine } from '../../../machines/charts/meetingSession.ts';
import { playerMachine } from '../../../machines/charts/player.ts';
import { ARBITER, BIDS, type ToArbiter, type ToBids } from '../../../machines/messages.ts';
import type { MeetingChance } from '../../../machines/rules/meeting.ts';
import { publicTable } from '../../../machines/rules/views.ts';
import { aBid, aTable, FIVE, someOptions } from '../builders.ts';

const OPENED: ToArbiter = {
  type: 'tick.opened',
  table: publicTable(aTable(), 'discussion'),
  seats: FIVE,
  voted: [],
};
const GATHERED: ToArbiter = { type: 'bids.gathered', tick: 0, bids: [aBid('red')], dice: {} };
const ABANDONED: ToArbiter = { type: 'tick.abandoned' };

/** The released players with the books at that time, and the events that the meeting receives, in order. */
function run(events: readonly ToArbiter[]) {
  const order: unknown[] = [];
  const release = ({ context: { floor, opened } }: { context: ArbiterBooks }) => {
    order.push({ releases: floor.tick, asked: opened?.seats ?? null });
  };
  const arbiter = arbiterMachine.provide({
    actors: { bids: fromCallback<ToBids, { chance: MeetingChance }>(() => {}) },
    actions: { requestBids: () => {}, releaseMissing: release },
  });
  const parent = setup({ actors: { arbiter } }).createMachine({
    invoke: {
      src: 'arbiter',
      id: ARBITER,
      systemId: ARBITER,
      input: { chance: { seed: 1, meeting: 0 }, options: someOptions(), seated: FIVE },
    },
    on: { '*': { actions: ({ event }) => void order.push(event.type) } },
  });
  const actor = createActor(parent).start();
  const system = actor.system as { get: (name: string) => AnyActorRef };
  for (const event of events) system.get(ARBITER).send(event);
  return { order, system };
}

describe('the arbiter releases the players who have not answered', () => {
  test('from the tick that is abandoned, while it is known who was asked', () => {
    expect(run([OPENED, ABANDONED]).order).toEqual([{ releases: 0, asked: FIVE }]);
    expect(run([OPENED, { type: 'bids.outstanding' }, ABANDONED]).order).toEqual([
      { releases: 0, asked: FIVE },
    ]);
  });

  test('from the tick that has closed, before its number is used up', () => {
    expect(run([OPENED, GATHERED]).order).toContainEqual({ releases: 0, asked: FIVE });
    expect(run([OPENED, GATHERED, ABANDONED]).order.at(-1)).toEqual({ releases: 0, asked: FIVE });
  });
});

test('the bid stream is found by its name, beside the arbiter', () => {
  const { system } = run([]);
  expect(system.get(BIDS)).toBeDefined();
  expect(system.get(ARBITER).getSnapshot().children[BIDS]).toBe(system.get(BIDS));
});

test('charts have the names under which they are drawn and their states are addressed', () => {
  const machines = [
    meetingMachine,
    arbiterMachine,
    playerMachine,
    galleryMachine,
    meetingSessionMachine,
    gameMachine,
  ];
  expect(machines.map(({ id }) => id)).toEqual([
    'meeting',
    'arbiter',
    'player',
    'gallery',
    'meetingSession',
    'game',
  ]);
});
