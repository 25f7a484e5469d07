/** A meeting tries its transitions and announces its facts in a fixed order. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor, fromCallback, initialTransition, transition } from 'xstate';
import { arbiterMachine } from '../../../machines/charts/arbiter.ts';
import { meetingMachine } from '../../../machines/charts/meeting.ts';
import { ARBITER, type ToBids, type ToMeeting } from '../../../machines/messages.ts';
import type { Fact } from '../../../machines/rules/facts.ts';
import type { MeetingChance, MeetingSetup } from '../../../machines/rules/meeting.ts';
import type { MeetingOptions } from '../../../machines/rules/options.ts';
import type { Bid, Colour, RequestKind } from '../../../machines/types.ts';
import {
  ALL_SKIP,
  aBid,
  aQuietTick,
  aTable,
  aTick,
  FIVE,
  law,
  living,
  votesOf,
} from '../builders.ts';
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
    talking().tick(VOTES).rest().react(),
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
    ...aQuietTick('reaction'),
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
    reacting.stop(outcome);
    const before = reacting.facts.length;
    reacting.react([aBid('red', { pads: { main: 'x' } })]);
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

type Effect = { readonly type: string; readonly params: unknown };
/** A step of a walk: a tick that closes with these votes, a pause that ends, or an event as it is. */
type Step = 'votes' | 'nothing' | 'reaction' | 'consolidation' | 'beat' | ToMeeting;

const PAUSED: Partial<MeetingOptions> = { beatMs: 250 };
const CLASSIC_PACE: Partial<MeetingOptions> = {
  rules: 'classic',
  beatMs: 250,
  discussionTime: 0,
  votingTime: 30,
};

function after(setting: MeetingSetup, steps: readonly Step[]) {
  let tick = 0;
  let due: ToMeeting | null = null;
  let [state, effects] = initialTransition(meetingMachine, setting);
  const look = () => {
    for (const { type, params } of effects as readonly Effect[]) {
      if (type === 'xstate.cancel') due = null;
      if (type === 'xstate.raise') due = (params as { event: ToMeeting }).event; // its shape in xstate
    }
  };
  look();
  for (const step of steps) {
    if (step === 'beat' && due === null) throw new Error('no pause to end');
    const closed = (kind: RequestKind, bids = [] as ReturnType<typeof votesOf>): ToMeeting => {
      const [number] = [tick++];
      return { ...aTick(bids, { tick: number, requestKind: kind }), type: 'tick.closed' };
    };
    const kind = state.matches('voting') ? 'voting' : 'discussion';
    const event: ToMeeting =
      typeof step !== 'string'
        ? step
        : step === 'beat'
          ? (due ?? { type: 'poll.counted' })
          : step === 'votes'
            ? closed(kind, votesOf(ALL_SKIP))
            : closed(step === 'nothing' ? kind : step);
    if (step === 'beat') due = null;
    [state, effects] = transition(meetingMachine, state, event);
    look();
  }
  const of = (type: string) => (effects as readonly Effect[]).filter((one) => one.type === type);
  const told = of('announceFacts').map(
    ({ params }) => (params as { facts: readonly Fact[] }).facts,
  );
  return {
    state,
    facts: told.flat(),
    tells: told.map(({ length }) => length),
    sent: of('xstate.sendTo').map(({ params }) => (params as { event: { type: string } }).event),
    pauses: of('xstate.raise').map(({ params }) => (params as { delay: unknown }).delay),
  };
}

/** A path to every place where a meeting waits, and whether a tick is open there. */
type Place = readonly [string, Partial<MeetingOptions>, readonly Step[], 'tick' | 'pause'];
const VOTED: readonly Step[] = ['beat', 'beat', 'votes'];
const beats = (count: number) => Array.from({ length: count }, () => 'beat' as const);
const TOLD = [...VOTED, ...beats(8)];
const ALL: readonly Place[] = [
  ['gathering', PAUSED, [], 'pause'],
  ['discussion.pausing', PAUSED, ['beat'], 'pause'],
  ['discussion.bidding', PAUSED, ['beat', 'beat'], 'tick'],
  ['voting.polling.pausing', CLASSIC_PACE, ['beat'], 'pause'],
  ['voting.polling.bidding', CLASSIC_PACE, ['beat', 'beat'], 'tick'],
  ['voting.counting', PAUSED, VOTED, 'pause'],
  ['reveal.turning', PAUSED, [...VOTED, 'beat'], 'pause'],
  ['reveal.announcing', PAUSED, [...VOTED, ...beats(7)], 'pause'],
  ['reaction', PAUSED, TOLD, 'tick'],
  ['consolidation', PAUSED, [...TOLD, 'reaction'], 'tick'],
];

const SEATED = { ...living(...FIVE), white: 'dead', tan: 'departed' } as const;
const table = (options: Partial<MeetingOptions>) => aTable({ options, standings: SEATED });

describe.each(ALL)('in %s', (place, options, steps, open) => {
  const at = after(table(options), steps);

  test('the meeting is there, after a pause as long as the options say', () => {
    const [first = '', ...rest] =
      place === 'gathering' ? ['interrupt', 'gathering'] : place.split('.');
    const value = rest.reduceRight<unknown>(
      (inner, name) => (inner === null ? name : { [name]: inner }),
      null,
    );
    expect(at.state.value).toEqual(value === null ? first : { [first]: value });
    const waits = open === 'pause' ? [250] : [];
    expect(at.pauses).toEqual(waits);
  });

  test("a living player's departure is announced with its time", () => {
    const left = after(table(options), [...steps, { type: 'seat.left', seat: 'green' }]);
    const fact = { type: 'seat.departed', seat: 'green', reason: 'left', during: open };
    expect(left.facts[0]).toEqual(fact);
    expect(left.state.context.standings.green).toBe('departed');
    // Where a tick is open the arbiter puts the absence in place of a bid.
    const vacated = open === 'tick' ? [{ type: 'seat.vacated', seat: 'green' }] : [];
    expect(left.sent).toEqual(vacated);
    expect(left.state.value).toEqual(at.state.value);
  });

  test.each<Colour>(['white', 'tan', 'coral'])('%s, who is not living, cannot leave', (seat) => {
    const left = after(table(options), [...steps, { type: 'seat.left', seat }]);
    expect([left.facts, left.sent, left.state.value]).toEqual([[], [], at.state.value]);
    expect(left.state.context).toEqual(at.state.context);
  });

  test.each(['interrupted', 'unconverged'] as const)(
    'a stop as %s is noted where it counts',
    (outcome) => {
      const stop: ToMeeting = { type: 'meeting.stopped', outcome };
      const { facts, state } = after(table(options), [...steps, stop]);
      const isTalk = place.startsWith('discussion') || place.startsWith('voting.polling');
      const counts = place !== 'consolidation' && (isTalk || outcome === 'interrupted');
      const noted: readonly Fact[] = [{ type: 'stop.requested', outcome, during: open }];
      expect(facts.slice(0, 1)).toEqual(counts ? noted : []);
      const isOver = counts && outcome === 'interrupted' && open === 'pause';
      expect(state.value === 'closed').toBe(isOver);
      expect(facts.at(-1)?.type === 'meeting.closed').toBe(isOver);
    },
  );
});

describe('each phase is announced when it begins, and its tick asked for', () => {
  test.each<[Partial<MeetingOptions>, readonly Step[], readonly Fact['type'][], string | null]>([
    [PAUSED, [], ['phase.entered', 'meeting.called'], null],
    [PAUSED, ['beat'], ['phase.entered'], null],
    [PAUSED, ['beat', 'beat'], [], 'discussion'],
    [CLASSIC_PACE, ['beat'], ['phase.entered', 'phase.entered'], null],
    [CLASSIC_PACE, ['beat', 'beat'], [], 'voting'],
    [PAUSED, TOLD, ['phase.entered'], 'reaction'],
    [PAUSED, [...TOLD, 'reaction'], ['tick.closed', 'phase.entered'], 'consolidation'],
  ])('%j %j', (options, steps, types, requestKind) => {
    const { facts, sent } = after(table(options), steps);
    expect(facts.map(({ type }) => type)).toEqual(types);
    const seats = FIVE;
    const voted = steps.includes('votes') ? FIVE : [];
    const opened = requestKind === null ? [] : [{ type: 'tick.opened', seats, voted }];
    expect(sent).toMatchObject(opened);
    expect(sent).toHaveLength(opened.length);
    for (const one of sent) expect(one).toMatchObject({ table: { requestKind } });
  });
});

describe('the end of it', () => {
  const WHOLE: readonly Step[] = [...TOLD, 'reaction', 'consolidation'];

  test("consolidation keeps each player's text, erases the pages and announces the outcome", () => {
    const { state, facts } = after(table(PAUSED), WHOLE);
    expect(state).toMatchObject({ value: 'closed', status: 'done' });
    expect(facts.map(({ type }) => type)).toEqual([
      'tick.closed',
      ...FIVE.map(() => 'scratchpads.consolidated'),
      'scratchpads.erased',
      'meeting.closed',
    ]);
    expect(state.output).toEqual({
      outcome: 'skipped',
      ejected: null,
      standings: SEATED,
      held: {
        call: { by: 'red', kind: 'button', body: null, place: null },
        result: expect.objectContaining({ outcome: 'skipped', ejected: null }),
      },
      faulted: [],
    });
  });

  test('a limit of the operator leads to the consolidation without another announcement', () => {
    for (const options of [
      { ...PAUSED, maxTicks: 1 },
      { ...CLASSIC_PACE, maxTicks: 1 },
    ]) {
      const { facts, state, sent, tells } = after(table(options), ['beat', 'beat', 'nothing']);
      expect(facts.map(({ type }) => type)).toEqual(['tick.closed', 'phase.entered']);
      expect(tells).not.toContain(0);
      expect(state.value).toBe('consolidation');
      expect(state.context).toMatchObject({ outcome: 'unconverged', ejected: null, poll: null });
      expect(sent).toMatchObject([{ table: { requestKind: 'consolidation' } }]);
    }
  });
});

test('the last player without a ballot leaves: the tick that is open is given up before the count', () => {
  for (const options of [PAUSED, CLASSIC_PACE]) {
    const open = table({ ...options, beatMs: 0 });
    const leaving = FIVE.map((seat) => ({ type: 'seat.left', seat }) as const);
    const { sent, state, facts } = after(open, ['beat', ...leaving]);
    expect(sent).toEqual([{ type: 'seat.vacated', seat: 'orange' }, { type: 'tick.abandoned' }]);
    expect(facts.map(({ type }) => type)).toContain('poll.closed');
    expect(state.value).toEqual({ voting: 'counting' });
    const stopped = after(open, ['beat', STOP, ...leaving]);
    expect(stopped.sent).toEqual(sent);
    expect(stopped.state.value).toBe('closed');
  }
});

law(
  'no step announces an empty list of facts, whatever players do',
  fc.property(
    fc.array(fc.constantFrom<Step>('beat', 'nothing', 'votes'), { maxLength: 12 }),
    fc.boolean(),
    (steps, isClassic) => {
      const setting = table(isClassic ? CLASSIC_PACE : PAUSED);
      for (const [index] of steps.entries()) {
        try {
          expect(after(setting, steps.slice(0, index)).tells).not.toContain(0);
        } catch (error) {
          if (!(error instanceof Error && error.message === 'no pause to end')) throw error;
          return;
        }
      }
    },
  ),
  60,
);
