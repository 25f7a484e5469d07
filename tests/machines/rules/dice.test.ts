import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DrawMoment,
  drawWords,
  FACES,
  rollDice,
  rollDie,
  STREAMS,
  type Stream,
  threefry,
} from '../../../machines/rules/dice.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { law, someColour, someSeats } from '../builders.ts';
import { chiSquare, critical } from '../chiSquare.ts';

const MOMENT: DrawMoment = { seed: 7, meeting: 0, stream: 'table', tick: 0 };

/** From the authors' own kat_vectors file of Random123, threefry2x32 with 20 rounds. */
test.each([
  { key: [0, 0], counter: [0, 0], words: [0x6b200159, 0x99ba4efe] },
  {
    key: [0xffffffff, 0xffffffff],
    counter: [0xffffffff, 0xffffffff],
    words: [0x1cb996fc, 0xbb002be7],
  },
  {
    key: [0x13198a2e, 0x03707344],
    counter: [0x243f6a88, 0x85a308d3],
    words: [0xc4923a9c, 0x483df7a0],
  },
] as const)(
  'the generator is Threefry-2x32-20: published vector $words (ruling 14)',
  ({ key, counter, words: expected }) => {
    expect(threefry(key, counter)).toEqual(expected);
  },
);

const someMoment: fc.Arbitrary<DrawMoment> = fc.record({
  seed: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  meeting: fc.nat({ max: 65_535 }),
  stream: fc.constantFrom(...STREAMS),
  tick: fc.nat({ max: 2 ** 31 - 1 }),
});

law(
  'a die is a value of seed, meeting, tick, seat and stream and of nothing else (ruling 14)',
  fc.property(someMoment, someColour, someSeats(1), (moment, seat, others) => {
    const alone = rollDie({ ...moment }, seat);
    expect(rollDice(moment, [...others, seat])[seat]).toEqual(alone);
    expect(rollDice(moment, [seat, ...others])[seat]).toEqual(alone);
    expect(alone.face).toBeOneOf([1, 2, 3, 4, 5, 6]);
    expect(alone.draw).toBeGreaterThanOrEqual(0);
    expect(alone.draw).toBeLessThan(2 ** 32);
  }),
);

test.each<[string, Partial<DrawMoment>]>([
  ['the next seed', { seed: 8 }],
  ['a seed that differs above 32 bits only', { seed: 7 + 2 ** 32 }],
  ['the next meeting', { meeting: 1 }],
  ['the next tick', { tick: 1 }],
  ['the gallery', { stream: 'gallery' }],
  ['the minds', { stream: 'mind' }],
  ['the faults', { stream: 'fault' }],
  ['the dealing', { stream: 'deal' }],
])('%s has dice of its own (ruling 14)', (_, change) => {
  for (const seat of COLOURS) {
    expect(rollDie({ ...MOMENT, ...change }, seat).draw).not.toBe(rollDie(MOMENT, seat).draw);
  }
});

test(`no two moments of a game share their words: 18 seats × ${STREAMS.length} streams × 5 meetings × 50 ticks (ruling 14)`, () => {
  const seen = new Set<string>();
  for (const stream of STREAMS)
    for (let meeting = 0; meeting < 5; meeting++)
      for (let tick = 0; tick < 50; tick++)
        for (let lane = 0; lane < 18; lane++)
          seen.add(drawWords({ ...MOMENT, stream, meeting, tick }, lane).join());
  expect(seen.size).toBe(18 * STREAMS.length * 5 * 50);
});

test('a roll has one die for each seat asked and no other', () => {
  expect(Object.keys(rollDice(MOMENT, ['pink', 'red']))).toEqual(['pink', 'red']);
  expect(rollDice(MOMENT, [])).toEqual({});
});

const DRAWS = 100_000;
const GAME = { seed: 20_240_607, meeting: 3 } as const;

function faces(seat: Colour, stream: Stream): Uint8Array {
  return Uint8Array.from(
    { length: DRAWS },
    (_, tick) => rollDie({ ...GAME, stream, tick }, seat).face - 1,
  );
}

function pairs(one: Uint8Array, other: Uint8Array, lag = 0): Uint32Array {
  const counts = new Uint32Array(FACES * FACES);
  for (let tick = 0; tick + lag < DRAWS; tick++) {
    const cell = (one[tick] ?? 0) * FACES + (other[tick + lag] ?? 0);
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  return counts;
}

describe(`over ${DRAWS} ticks of seed ${GAME.seed}, at 1 % for all tests together`, () => {
  const seats = COLOURS.map((seat) => ({
    seat,
    table: faces(seat, 'table'),
    gallery: faces(seat, 'gallery'),
  }));
  const couples = seats.flatMap((one, index) =>
    seats.slice(index + 1).map((other) => ({ one, other })),
  );
  /** Bonferroni: 18 single faces, 153 couples of seats, 18 seats with themselves, 18 × 18 with the ghosts. */
  const TESTS = 18 + 153 + 18 + 18 * 18;
  const single = critical(0.01 / TESTS, FACES - 1);
  const paired = critical(0.01 / TESTS, FACES ** 2 - 1);

  test('the critical values agree with the printed tables', () => {
    expect(Math.abs(critical(0.01, 5) - 15.086)).toBeLessThan(0.5);
    expect(Math.abs(critical(0.001, 5) - 20.515)).toBeLessThan(0.5);
    expect(Math.abs(critical(0.01, 35) - 57.342)).toBeLessThan(0.5);
    expect(Math.abs(critical(0.001, 35) - 66.619)).toBeLessThan(0.5);
    expect(single).toBeLessThan(paired);
  });

  test('every seat throws every face as often as every other (ruling 14)', () => {
    for (const { seat, table } of seats) {
      const counts = new Uint32Array(FACES);
      for (const face of table) counts[face] = (counts[face] ?? 0) + 1;
      expect(chiSquare(counts), seat).toBeLessThan(single);
    }
  });

  test('no two seats throw alike in the same tick (ruling 14: in pairs)', () => {
    expect(couples).toHaveLength(153);
    for (const { one, other } of couples) {
      expect(
        chiSquare(pairs(one.table, other.table)),
        `${one.seat} and ${other.seat}`,
      ).toBeLessThan(paired);
    }
  });

  test('no seat remembers its last throw (ruling 14: in pairs)', () => {
    for (const { seat, table } of seats) {
      expect(chiSquare(pairs(table, table, 1)), seat).toBeLessThan(paired);
    }
  });

  test('the ghosts’ dice are independent of the dice of the living (ruling 36)', () => {
    for (const one of seats)
      for (const other of seats) {
        expect(
          chiSquare(pairs(one.table, other.gallery)),
          `${one.seat}, ghost ${other.seat}`,
        ).toBeLessThan(paired);
      }
  });
});
