import { check, createMutants, type Model } from 'glass-box-checker';
import { describe, expect, test } from 'vitest';
import { createMachine, type EventObject } from 'xstate';
import {
  type MeetingSessionInput,
  meetingSessionMachine,
} from '../../machines/charts/meetingSession.ts';
import { MEETING_OPTIONS, type OptionRow } from '../../machines/rules/optionRows.ts';
import { COLOURS, RULE_SETS, type RuleSet } from '../../machines/types.ts';
import { askSmallMeetings, CHART_CHECKS, SMALL_CHECKS } from '../../proofs/checks/smallChecks.ts';
import { FLOOR_OPTIONS } from '../../proofs/models/arbiterTicks.ts';
import { createGalleryModel, createSessionModel, SESSIONS } from '../../proofs/models/gallery.ts';
import type { MeetingKnobs } from '../../proofs/models/meeting.ts';
import { emittingMachines } from '../../proofs/models/meetingSystem.ts';
import { CALLS, listTableSizes, OPTION_ENDS } from '../../proofs/models/smallMeetings.ts';
import { testLong } from '../support/seeds.ts';

const OPTIONS = {
  budget: { states: 1_000_000, seconds: Number.POSITIVE_INFINITY },
  now: () => 0,
} as const;
const QUIET: MeetingKnobs = { faults: false, combinations: 'all', departures: 0, stops: false };
const LOUD: MeetingKnobs = { faults: true, combinations: 'all', departures: 1, stops: true };

/** The boundary values of an option: both ends, both positions, each choice. */
function endsOf(row: OptionRow): readonly unknown[] {
  switch (row.type) {
    case 'number':
      return [row.range.least, row.range.most, ...(row.default === null ? [null] : [])];
    case 'switch':
      return [true, false];
    case 'choice':
      return row.choices;
    default:
      return [];
  }
}

/** Read by the arbiter alone: the meeting hands them on. */
const OF_THE_FLOOR = ['nudgeAfter', 'nudgeEvery', 'tokenTarget', 'messageTokens', 'deadlineMs'];

const ENDS = MEETING_OPTIONS.flatMap((row) =>
  endsOf(row).map((end) => ({ key: row.key, end, isFloor: OF_THE_FLOOR.includes(row.key) })),
);

test.each(ENDS)('$key is searched at $end', ({ key, end, isFloor }) => {
  const tables = isFloor
    ? [Object.values(FLOOR_OPTIONS)]
    : key === 'rules'
      ? [RULE_SETS.flatMap((rules) => OPTION_ENDS[rules].map(({ setting }) => setting.options))]
      : RULE_SETS.map((rules) => OPTION_ENDS[rules].map(({ setting }) => setting.options));
  for (const options of tables) {
    expect(options.map((one) => Reflect.get(one, key))).toContain(end);
  }
});

test('each term of the floor is searched at both ends', () => {
  const weights = Object.values(FLOOR_OPTIONS).map((options) => options.weights);
  for (const key of ['mention', 'accusation', 'recentSpeaker', 'voted'] as const) {
    expect(weights.map((one) => one[key])).toEqual(expect.arrayContaining([0, 100]));
  }
  expect(weights.map(({ silence }) => silence.cap)).toEqual(expect.arrayContaining([null, 100]));
});

test.each(RULE_SETS)('%s: tables of 0 to 15 players are searched', (rules) => {
  const sizes = listTableSizes(rules).map(({ setting }) => setting.seats.length);
  expect(sizes).toEqual(Array.from({ length: 16 }, (_, size) => size));
});

test('there are calls on both sides of each rule', () => {
  const buttons = CALLS.filter(({ setting }) => setting.call.kind === 'button');
  const calls = buttons.map(({ setting }) => setting.call);
  expect(new Set(calls.map(({ buttonsLeft }) => buttonsLeft))).toEqual(new Set([0, 1, 2]));
  expect(new Set(calls.map(({ cooldown }) => cooldown))).toEqual(new Set([0, 1]));
  expect(calls.some(({ crisis }) => crisis !== null)).toBe(true);
});

/** Without faults and departures, and with stops. */
const TRANSITIONS: Readonly<Record<RuleSet, Readonly<Record<string, number>>>> = {
  house: { 'holds-for-every-call': 805, 'holds-at-every-size': 4_779 },
  classic: { 'holds-for-every-call': 805, 'holds-at-every-size': 10_812 },
};

describe.each(RULE_SETS)('%s', (rules) => {
  testLong.each(SMALL_CHECKS)('$name', (small) => {
    for (const knobs of [QUIET, LOUD]) {
      const { asides, verdicts } = askSmallMeetings(small, { rules, knobs }, OPTIONS);
      expect(verdicts.map(({ verdict }) => verdict.type)).toEqual(['proved']);
      expect(asides.map(({ ended }) => ended)).toEqual(asides.map(() => null));
    }
  });

  test('tables of players who act alike are searched with stops, even if nobody asks for them', () => {
    const alike = SMALL_CHECKS.filter(({ isAlike }) => isAlike);
    for (const small of alike) {
      const [quiet, stopped] = [QUIET, { ...QUIET, stops: true }].map((knobs) =>
        askSmallMeetings(small, { rules, knobs }, OPTIONS).asides.map((aside) => aside.transitions),
      );
      expect([small.name, quiet]).toEqual([small.name, [TRANSITIONS[rules][small.name]]]);
      expect(quiet).toEqual(stopped);
    }
    expect(alike.map(({ name }) => name)).toEqual(Object.keys(TRANSITIONS[rules]));
  });

  test('a budget leaves them undecided', () => {
    const budget = { ...OPTIONS.budget, states: 3 };
    for (const small of SMALL_CHECKS) {
      const { verdicts } = askSmallMeetings(small, { rules, knobs: LOUD }, { ...OPTIONS, budget });
      expect(verdicts.map(({ verdict }) => verdict.type)).toEqual(['incomplete']);
    }
  });
});

test.each(Object.entries(CHART_CHECKS))(
  'the properties of %s are proved for its own chart',
  (_, chart) => {
    const { asides, verdicts } = chart.ask(OPTIONS);
    expect(verdicts.map(({ name, verdict }) => [name, verdict.type])).toEqual(
      chart.names.map((name) => [name, 'proved']),
    );
    for (const aside of asides) expect(aside).toMatchObject({ ended: null, asked: chart.names });
  },
);

const FEW = {
  budget: { states: 250, seconds: Number.POSITIVE_INFINITY },
  purity: 'some-steps',
} as const;

/** Whether a violated property of one of these models tells a changed chart from the real one. */
function isNoticed<C, E extends EventObject>(models: readonly Model<C, E>[]): boolean {
  return models.some((model) => {
    const { broken, results } = check<C, E>(model, FEW);
    return broken !== null || results.some(({ verdict }) => verdict.type === 'violated');
  });
}

test('every change of a guard, an action or a transition of the gallery is noticed', () => {
  const survivors = createMutants(emittingMachines.gallery).flatMap(({ name, machine }) => {
    const mutant = machine as typeof emittingMachines.gallery; // made of it, and of the same type
    return isNoticed([createGalleryModel(mutant)]) ? [] : [name];
  });
  // A gallery is empty only before its first ghost, when nothing waits.
  expect(survivors).toEqual(['the action dropGlimpses is left out']);
});

test('every change of a guard, an action or a transition of the session is noticed', () => {
  const survivors = createMutants(meetingSessionMachine).flatMap(({ name, machine }) => {
    const mutant = machine as typeof meetingSessionMachine; // made of it, and of the same type
    const models = Object.entries(SESSIONS).map((session) => createSessionModel(session, mutant));
    return isNoticed(models) ? [] : [name];
  });
  expect(survivors).toEqual([]);
});

test('a session that seats a departed player in its gallery is noticed', () => {
  const { config, implementations } = meetingSessionMachine;
  const invoke = {
    ...config.invoke,
    input: ({ context }: { readonly context: MeetingSessionInput }) => {
      const { chance, standings, options } = context.setting;
      const { deadlineMs, messageTokens } = options;
      const budget = context.ghostBudget;
      const gone = COLOURS.filter((seat) => (standings[seat] ?? 'living') !== 'living');
      const ghosts = budget === null ? [] : gone;
      return { chance, ghosts, budget: budget ?? 0, deadlineMs, messageTokens };
    },
  };
  const mistaken = createMachine({ ...config, invoke } as never, implementations as never);
  const mutant = mistaken as unknown as typeof meetingSessionMachine; // made of it, and of the same type
  const models = Object.entries(SESSIONS).map((session) => createSessionModel(session, mutant));
  const [alone, departed, inGame] = models.map((model) => isNoticed([model]));
  expect([alone, departed, inGame]).toEqual([false, true, false]);
});
