/** The order in which a meeting tries its transitions and announces its facts. */
import { describe, expect, test } from 'vitest';
import { createActor, fromCallback, initialTransition, transition } from 'xstate';
import { arbiterMachine } from '../../../machines/charts/arbiter.ts';
import { meetingMachine } from '../../../machines/charts/meeting.ts';
import { ARBITER, type ToBids, type ToMeeting } from '../../../machines/messages.ts';
import type { MeetingChance } from '../../../machines/rules/meeting.ts';
import type { MeetingOptions } from '../../../machines/rules/options.ts';
import type { Bid } from '../../../machines/types.ts';
import { ALL_SKIP, aBid, aTable, aTick, FIVE, votesOf } from '../builders.ts';
import { talking, voting, Walk } from '../walk.ts';

const STOP: ToMeeting = { type: 'meeting.stopped', outcome: 'interrupted' };
const OVER_BUDGET: ToMeeting = { type: 'meeting.stopped', outcome: 'unconverged' };

function closing(
  options: Partial<MeetingOptions>,
  events: readonly ToMeeting[],
  bids: readonly Bid[],
) {
  const walk = talking(options);
  for (const event of events) walk.send(event);
  const before = walk.phases.length;
  return { at: walk.tick(bids).at, phases: walk.phases.slice(before) };
}

const VOTES = votesOf(ALL_SKIP);
const CLASSIC = { rules: 'classic', discussionTime: 5, votingTime: 5, secondsPerTick: 5 } as const;

describe('the next state after a tick with several possible transitions', () => {
  test.each<
    [
      string,
      Partial<MeetingOptions>,
      readonly ToMeeting[],
      readonly Bid[],
      string,
      readonly string[],
    ]
  >([
    ['a stop before a complete poll', {}, [STOP], VOTES, 'closed', []],
    ['a stop before ballots are asked for', CLASSIC, [STOP], [], 'closed', []],
    ['a stop before a limit', { maxTicks: 1 }, [STOP], [], 'closed', []],
    ['a complete poll before a limit', { maxTicks: 1 }, [], VOTES, 'voting.counting', ['voting']],
    [
      'a complete poll before the end of a budget',
      {},
      [OVER_BUDGET],
      VOTES,
      'voting.counting',
      ['voting'],
    ],
    [
      'a limit before ballots are asked for',
      { ...CLASSIC, maxTicks: 1 },
      [],
      [],
      'consolidation',
      ['consolidation'],
    ],
    [
      'the end of a budget before the next tick',
      {},
      [OVER_BUDGET],
      [],
      'consolidation',
      ['consolidation'],
    ],
    ['ballots before the next tick', CLASSIC, [], [], 'voting.polling.bidding', ['voting']],
    ['the next tick, where nothing else', {}, [], [], 'discussion.bidding', []],
  ])('%s', (_, options, events, bids, at, phases) => {
    expect(closing(options, events, bids)).toEqual({ at, phases });
  });
});

test('a departure is announced before the arbiter hears of it', () => {
  for (const walk of [
    talking(),
    voting(),
    talking().tick(VOTES).rest(),
    talking().tick(VOTES).rest().tick([], { requestKind: 'reaction' }),
  ]) {
    const [, effects] = transition(meetingMachine, walk.state, {
      type: 'seat.left',
      seat: 'green',
    });
    const order = effects.map(({ type }) => type);
    expect(order.slice(0, 2)).toEqual(['announceFacts', 'xstate.sendTo']);
  }
});

test('a phase is announced before its tick is asked for', () => {
  const told = talking().tick(VOTES);
  while (told.at !== 'reveal.announcing') told.beat();
  const beat = { type: 'xstate.after.beat.meeting.reveal.announcing' } as unknown as ToMeeting; // its timer
  const [reaction, first] = transition(meetingMachine, told.state, beat);
  const [, second] = transition(meetingMachine, reaction, {
    ...aTick([], { requestKind: 'reaction', decision: null }),
    type: 'tick.closed',
  });
  for (const effects of [first, second]) {
    const order = effects.map(({ type }) => type);
    expect(order.at(-1)).toBe('xstate.sendTo');
    expect(order.at(-2)).toBe('announceFacts');
  }
});

test.each([
  ['interrupted', 'closed', ['tick.closed', 'scratchpads.updated', 'meeting.closed']],
  ['unconverged', 'consolidation', ['tick.closed', 'scratchpads.updated', 'phase.entered']],
] as const)(
  'a stop as %s while players react: the reactions are kept, and then comes %s',
  (outcome, at, types) => {
    const reacting = talking().tick(VOTES).rest();
    expect(reacting.at).toBe('reaction');
    reacting.send({ type: 'meeting.stopped', outcome });
    const before = reacting.facts.length;
    reacting.tick([aBid('red', { pads: { main: 'x' } })], {
      requestKind: 'reaction',
      decision: null,
    });
    expect(reacting.at).toBe(at);
    expect(reacting.facts.slice(before).map(({ type }) => type)).toEqual(types);
  },
);

test('there is talk in discussion and in polling, and ballots are asked for in polling', () => {
  const tags = ({ state }: Walk) => [...state.tags].toSorted();
  expect(tags(new Walk(aTable()))).toEqual([]);
  expect(tags(talking())).toEqual(['talk']);
  expect(tags(voting())).toEqual(['ballots', 'talk']);
  expect(tags(talking().tick(VOTES))).toEqual([]);
  expect(tags(talking().tick(VOTES).rest())).toEqual([]);
});

test('the arbiter of a meeting is begun with its chance, its options and all who sit there', () => {
  const table = aTable({ chance: { seed: 5, meeting: 3 } });
  const [state] = initialTransition(meetingMachine, table);
  expect(Object.keys(state.children)).toEqual(['arbiter']);
  const { context } = state.children.arbiter?.getSnapshot() ?? { context: null };
  expect(context).toMatchObject({
    chance: { seed: 5, meeting: 3 },
    options: table.options,
    seated: FIVE,
  });
});

test('the arbiter is found by its name in the system', () => {
  const arbiter = arbiterMachine.provide({
    actors: { bids: fromCallback<ToBids, { chance: MeetingChance }>(() => {}) },
    actions: { requestBids: () => {} },
  });
  const machine = meetingMachine.provide({
    actors: { arbiter },
    actions: { announceFacts: () => {} },
  });
  const actor = createActor(machine, { input: aTable() }).start();
  const system = actor.system as { get: (name: string) => unknown };
  expect(system.get(ARBITER)).toBe(actor.getSnapshot().children.arbiter);
  actor.stop();
});
