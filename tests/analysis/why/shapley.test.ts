import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readOutcome } from '../../../analysis/why/outcome.ts';
import { playHere } from '../../../analysis/why/plays.ts';
import { listQuestions } from '../../../analysis/why/questions.ts';
import { computeShapley, type KeptSet } from '../../../analysis/why/shapley.ts';
import { shareCredit } from '../../../analysis/why/why.ts';
import { seeds } from '../../support/seeds.ts';
import {
  EXACT,
  juryOn,
  type PlantedRecord,
  type PlantedRule,
  plantMeeting,
  saysAt,
  stubborn,
  trusting,
} from './plantedMeeting.ts';

const plan = (size: number, worth: (kept: KeptSet) => number, orders = 400) => ({
  size,
  orders,
  seed: 1,
  measure: async (sets: readonly KeptSet[]) => sets.map((kept) => [worth(kept)]),
});

async function valuesOf(size: number, worth: (kept: KeptSet) => number) {
  const { values } = await computeShapley(plan(size, worth));
  return values[0]?.map(({ value }) => value) ?? [];
}

const count = (kept: KeptSet) => kept.filter(Boolean).length;

describe('values that are exact', () => {
  test('who alone decides has all of it, and the others exactly nothing', async () => {
    expect(await valuesOf(4, (kept) => Number(kept[2]))).toEqual([0, 0, 1, 0]);
  });

  test('two accusations that only work together share the value, and so do two sufficient ones', async () => {
    expect(await valuesOf(3, ([a, b]) => Number(a && b))).toEqual([0.5, 0.5, 0]);
    expect(await valuesOf(3, ([a, b]) => Number(a || b))).toEqual([0.5, 0.5, 0]);
  });

  test('in the game of gloves, the one left glove has two thirds', async () => {
    const [left, right, other] = await valuesOf(3, ([l, r, o]) => Number(l && (r || o)));
    expect(left).toBeCloseTo(2 / 3, 12);
    expect([right, other]).toEqual([expect.closeTo(1 / 6, 12), expect.closeTo(1 / 6, 12)]);
  });

  test('what speaks against the outcome has less than nothing', async () => {
    expect(await valuesOf(2, ([helps, harms]) => Number(helps) - 2 * Number(harms))).toEqual([
      1, -2,
    ]);
  });

  test('up to six every set is measured once; from seven on orders are drawn', async () => {
    const measured: string[] = [];
    const of = (size: number) =>
      computeShapley({
        ...plan(size, count, 10),
        measure: async (sets) => {
          measured.push(...sets.map((kept) => kept.join()));
          return sets.map((kept) => [count(kept)]);
        },
      });
    expect(await of(6)).toMatchObject({ orders: null, sets: 64 });
    expect(new Set(measured).size).toBe(64);
    measured.length = 0;
    const seven = await of(7);
    expect(seven).toMatchObject({ orders: 10, all: [7], none: [0] });
    expect(new Set(measured).size).toBe(measured.length);
    expect(seven.sets).toBe(measured.length);
    expect(seven.values[0]?.every(({ value, error }) => value === 1 && error === 0)).toBe(true);
  });
});

describe('values by drawn orders', () => {
  test('add up to what all do together, are the same again, and err as their errors say', async () => {
    const weights = [3, 0, 1, 4, 1, 5, 9, 2];
    // A majority of 13: who has 9 decides nearly alone, who has 0 never.
    const worth = (kept: KeptSet) =>
      Number(kept.reduce((sum, one, at) => sum + (one ? (weights[at] ?? 0) : 0), 0) >= 13);
    const drawn = await computeShapley(plan(8, worth));
    expect(await computeShapley(plan(8, worth))).toEqual(drawn);
    const sum = drawn.values[0]?.reduce((all, { value }) => all + value, 0);
    expect(sum).toBeCloseTo(1, 9);
    const many = await computeShapley(plan(8, worth, 20_000));
    for (const [at, { value, error }] of (drawn.values[0] ?? []).entries()) {
      const truth = many.values[0]?.[at]?.value ?? Number.NaN;
      expect(Math.abs(value - truth)).toBeLessThanOrEqual(4 * error + 0.01);
    }
    expect(drawn.values[0]?.[1]).toEqual({ value: 0, error: 0 });
  });

  test('values add up for any game', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 256, maxLength: 256 }),
        async (size, table) => {
          const worth = (kept: KeptSet) =>
            table[kept.reduce((bits, one, at) => bits + (one ? 2 ** at : 0), 0)] ?? 0;
          const { values, all, none } = await computeShapley(plan(size, worth, 7));
          const sum = values[0]?.reduce((total, { value }) => total + value, 0);
          expect(sum).toBeCloseTo((all[0] ?? 0) - (none[0] ?? 0), 9);
        },
      ),
      { numRuns: seeds(30, 1000) },
    );
  });
});

async function shareMessages({ journal, record }: PlantedRecord) {
  const asking = { ...EXACT, player: playHere(record), was: readOutcome(journal.lines) };
  const questions = listQuestions(journal.lines, ['messages'], null);
  const credit = await shareCredit(questions, asking, { orders: 10, seed: 1 });
  return Object.fromEntries(credit?.values.map(({ seat, ejected }) => [seat, ejected]) ?? []);
}

describe('credit for an ejection', () => {
  test('two sufficient accusations share the value, and small talk has none', async () => {
    const meeting = await plantMeeting({
      red: saysAt(0, 'Blue vented in Admin.', trusting),
      green: saysAt(2, 'Yes, Blue vented.', trusting),
      pink: saysAt(3, 'I did my tasks.', trusting),
      blue: stubborn('skip'),
    });
    expect(await shareMessages(meeting)).toEqual({ red: 0.5, green: 0.5, pink: 0 });
  });

  test('is shared by two accusations that only work together', async () => {
    const both = juryOn(['red: Blue', 'green: Blue']);
    const meeting = await plantMeeting({
      red: saysAt(0, 'Blue vented.', both),
      green: saysAt(2, 'Blue lied to me.', both),
      pink: saysAt(3, 'Blue is quiet.', both),
      blue: stubborn('skip'),
    });
    expect(await shareMessages(meeting)).toEqual({ red: 0.5, green: 0.5, pink: 0 });
  });

  test('goes to the vouch for what did not happen, and not to the accusation', async () => {
    const careful = juryOn(['Blue killed'], 'Blue was with me');
    const meeting = await plantMeeting({
      red: saysAt(1, 'Blue killed Tan.', careful),
      green: saysAt(2, 'Blue was with me in Storage.', careful),
      pink: careful,
      blue: stubborn('skip'),
    });
    // Without either no one accuses: the accusation speaks against the outcome as much as the vouch for it.
    expect(await shareMessages(meeting)).toEqual({ red: -0.5, green: 0.5 });
  });

  test('a message gets no credit for words that depend on an earlier message', async () => {
    const spoke = juryOn(['green:']);
    const answering: PlantedRule = (tick, heard) =>
      tick === 1 && heard.some(({ message }) => message.includes('Green'))
        ? { says: 'I am here.', desire: 9 }
        : spoke(tick, heard);
    const meeting = await plantMeeting({
      red: saysAt(0, 'Green, are you there?', spoke),
      green: answering,
      pink: spoke,
      blue: stubborn('skip'),
    });
    // That she speaks decides it, not what she says; and without the question she does not.
    expect(await shareMessages(meeting)).toEqual({ red: 1, green: 0 });
  });
});
