/** Ticks that are searched bid by bid: the same states and verdicts as with whole ticks, and counts that are arithmetic. */
import { check, isAsDeclared } from 'glass-box-checker';
import { describe, expect, test } from 'vitest';
import type { MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import { listMutants, WORLDS } from '../../proofs/checks/mutation.ts';
import {
  classicTable,
  houseTable,
  type MeetingKnobs,
  SOME_TROUBLE,
} from '../../proofs/models/meeting.ts';
import { everyNth, IS_LONG, testLong } from '../support/seeds.ts';
import { aModel, census, KNOBS, type MeetingModel, surprises } from './models.ts';

const PLAIN: MeetingKnobs = { faults: false, combinations: 'folded', departures: 0, stops: false };
const FOLDED: MeetingKnobs = { ...KNOBS, combinations: 'folded' };

function statesOf(model: MeetingModel): ReadonlySet<string> {
  const found = new Set<string>();
  const { ended } = check(
    { ...model, properties: [] },
    {
      purity: 'some-steps',
      onState: ({ at, context }) => found.add(`${at} ${JSON.stringify(sorted(context))}`),
    },
  );
  expect(ended).toBeNull();
  return found;
}

function sorted(table: Table): unknown {
  const bySeat = (part: object) => Object.entries(part).sort();
  const { poll } = table;
  return {
    ...table,
    standings: bySeat(table.standings),
    streaks: bySeat(table.streaks),
    ballots: bySeat(table.ballots),
    poll: poll === null ? null : { ...poll, ballots: bySeat(poll.ballots) },
  };
}

describe('the states between ticks are those that whole ticks lead to', () => {
  const sizes = IS_LONG ? [2, 3, 4] : [2, 3];
  const worlds = [
    { faults: true, departures: 1 },
    { faults: true, departures: 0 },
    { faults: false, departures: 1 },
    { faults: false, departures: 2 },
    { faults: false, departures: 0 },
  ];
  // Most of the time goes into three players: those worlds that have all that the others have, and departures by themselves,
  // in turn.
  const few = worlds.filter(({ faults, departures }) => departures === (faults ? 1 : 2));
  const RULES = ['house', 'classic'] as const;
  const tables = sizes.flatMap((players) =>
    players < 3 || IS_LONG
      ? worlds.flatMap((world) => RULES.map((rules) => ({ rules, players, ...world })))
      : everyNth(
          few.flatMap((world) => RULES.map((rules) => ({ rules, players, ...world }))),
          4,
        ),
  );
  test.each(tables)(
    '$players players in $rules, faults $faults, $departures may leave',
    ({ rules, players, faults, departures }) => {
      const setting = rules === 'house' ? houseTable({ players }) : classicTable({ players });
      // With more players whole ticks are too many: those that count are multiplied out, which leads to the same states.
      const combinations = players > (IS_LONG ? 3 : 2) ? 'some' : 'all';
      const knobs: MeetingKnobs = { faults, departures, stops: players < 3, combinations };
      const whole = statesOf(aModel(setting, knobs));
      const folded = statesOf(aModel(setting, { ...knobs, combinations: 'folded' }));
      expect([...folded].filter((state) => !whole.has(state))).toEqual([]);
      expect([...whole].filter((state) => !folded.has(state))).toEqual([]);
    },
  );
});

describe('modulo symmetry, bid by bid', () => {
  const one = { faults: true, departures: 1 };
  const none = { faults: false, departures: 0 };
  const tables = [
    { rules: 'house', players: 4, ...one, states: 4_170 },
    { rules: 'classic', players: 4, ...one, states: 4_263 },
    { rules: 'house', players: 3, ...one, states: 928 },
    { rules: 'classic', players: 3, ...one, states: 1_028 },
    { rules: 'house', players: 6, ...none, states: 4_474 },
    ...(IS_LONG
      ? [
          { rules: 'house', players: 5, ...one, states: 19_459 } as const,
          { rules: 'house', players: 8, ...none, states: 39_991 } as const,
          { rules: 'house', players: 10, ...none, states: 357_880 } as const,
        ]
      : []),
  ] as const;
  testLong.each(everyNth(tables, 2))(
    '$players players in $rules, faults $faults, $departures may leave: $states orbits, and all properties as declared',
    ({ rules, players, states, ...world }) => {
      const setting = rules === 'house' ? houseTable({ players }) : classicTable({ players });
      const found = check(aModel(setting, { ...FOLDED, ...world }), {
        isSymmetric: true,
        purity: 'some-steps',
      });
      expect(surprises(found)).toEqual([]);
      expect(found).toMatchObject({ ended: null, states });
      expect(found.parts?.compared).toBeGreaterThan(500);
    },
  );

  /** Vectors of ballots up to the names of the players (Burnside): each has one of the players or one of `others`. */
  function countVectors(players: number, others: number): number {
    let sum = 0;
    for (const { cycles, share } of listCycleTypes(players)) {
      let fixed = 1;
      for (const [length, times] of cycles) {
        let choices = others;
        for (const [other, count] of cycles) if (length % other === 0) choices += other * count;
        fixed *= choices ** times;
      }
      sum += fixed * share;
    }
    return Math.round(sum);
  }

  test.each([2, 3, 4, 5, 6, 7])(
    '%i players who neither fail nor leave: the talk has as many orbits as Burnside counts',
    (players) => {
      const model = { ...aModel(houseTable({ players }), PLAIN), properties: [] };
      const { places, ended } = census(model, { isSymmetric: true, purity: 'some-steps' });
      expect(ended).toBeNull();
      // A ballot for a player, for skip, or none; the poll closes once there is none without.
      expect(places.get('discussion.bidding')).toBe(
        countVectors(players, 2) - countVectors(players, 1),
      );
      expect(places.get('voting.counting')).toBe(countVectors(players, 1));
    },
  );
});

type CycleType = { readonly cycles: ReadonlyMap<number, number>; readonly share: number };

/** The cycle types of permutations of this size, each with its share of all permutations. */
function listCycleTypes(size: number, longest = size): readonly CycleType[] {
  if (size === 0) return [{ cycles: new Map(), share: 1 }];
  if (longest === 0) return [];
  const found: CycleType[] = [];
  for (let times = 0; times * longest <= size; times++) {
    const weight = longest ** times * factorial(times);
    for (const { cycles, share } of listCycleTypes(size - times * longest, longest - 1)) {
      const own = times === 0 ? cycles : new Map([...cycles, [longest, times]]);
      found.push({ cycles: own, share: share / weight });
    }
  }
  return found;
}

function factorial(number: number): number {
  return number < 2 ? 1 : number * factorial(number - 1);
}

describe('verdicts', () => {
  const both: readonly (readonly [string, MeetingSetup])[] = [
    ['house', houseTable({ patience: 1 })],
    ['classic', classicTable({ patience: 1 })],
  ];
  test.each(everyNth(both, 2))(
    '%s: the same as with all combinations written out',
    (_, setting) => {
      const verdicts = (combinations: MeetingKnobs['combinations']) => {
        const found = check(aModel(setting, { ...KNOBS, combinations }), {
          isSymmetric: true,
          purity: 'some-steps',
        });
        expect(found.ended).toBeNull();
        expect(surprises(found)).toEqual([]);
        return found.results.map(({ name, verdict }) => [name, verdict.type]);
      };
      expect(verdicts('folded')).toEqual(verdicts('all'));
    },
  );

  /** Every sixteenth mistake, or all in the long run. mutants.test.ts tries them with whole ticks. */
  const mistakes = listMutants().filter(
    ({ kind }, index) => kind === 'rule' && (IS_LONG || index % 16 === 0),
  );
  test.each(mistakes.map((mutant) => [mutant.name, mutant] as const))(
    'a mistake is noticed: %s',
    (_, { machine }) => {
      const isNoticed = Object.values(WORLDS).some(({ setting, only = null }) => {
        const environment: MeetingKnobs = { ...SOME_TROUBLE, combinations: 'folded' };
        const model = aModel(setting, environment, machine);
        const { broken, results } = check(model, { isSymmetric: true, only, purity: 'some-steps' });
        return broken !== null || results.some((one) => !isAsDeclared(one));
      });
      expect(isNoticed).toBe(true);
    },
  );
});
