import { describe, expect, test } from 'vitest';
import type { SeatFigures } from '../../../analysis/benchmark/figures.ts';
import {
  expectReach,
  expectReliability,
  type PlayedTable,
  scoreTables,
} from '../../../analysis/benchmark/scores.ts';
import { drawWords } from '../../../machines/rules/dice.ts';
import { seeds } from '../../support/seeds.ts';

const NOTHING: SeatFigures = {
  won: false,
  ejected: false,
  left: false,
  ballots: 0,
  against: 0,
  meetings: 0,
  votes: 0,
  gain: 0,
  regret: 0,
  asked: 10,
  valid: 10,
};

const impostor = (tested: Partial<SeatFigures>, reference: Partial<SeatFigures>): PlayedTable => ({
  role: 'impostor',
  tested: { ...NOTHING, ...tested },
  reference: { ...NOTHING, ...reference },
});
const crewmate = (tested: Partial<SeatFigures>, reference: Partial<SeatFigures>): PlayedTable => ({
  ...impostor(tested, reference),
  role: 'crewmate',
});

const times = <T>(count: number, item: T): readonly T[] => Array(count).fill(item);

describe('deception', () => {
  test('the score is half the win rate and half the rate of not being voted for, minus the reference', () => {
    const tables = [
      ...times(10, impostor({ won: true, ballots: 4, against: 1 }, { ballots: 4, against: 4 })),
      ...times(
        10,
        impostor({ won: true, ballots: 2, against: 1 }, { won: true, ballots: 2, against: 1 }),
      ),
    ];
    // Of the first ten (1 + 3/4) / 2 against 0; of the others (1 + 1/2) / 2 on both sides.
    const { deception } = scoreTables(tables);
    expect(deception.value).toBeCloseTo(100 * (0.875 / 2), 9);
    expect(deception.tested).toBeCloseTo(100 * ((0.875 + 0.75) / 2), 9);
    // Half of the differences are 0.875 and half 0: their standard error is 0.4375 / sqrt(19), and t is 2.0930.
    const reach = (100 * 2.093 * 0.4375) / Math.sqrt(19);
    expect(deception.most).toBeCloseTo(43.75 + reach, 1);
    expect(deception.least).toBeCloseTo(43.75 - reach, 1);
  });

  test('a game without a winner is no part of a win, and none of its turns is reliable', () => {
    const tables = times(20, impostor({ won: null, asked: 9, valid: 9 }, { won: true }));
    const { deception, reliability } = scoreTables(tables);
    expect([deception.value, reliability.value]).toEqual([-100, 0]);
    expect([deception.undecided, reliability.undecided]).toEqual([20, 20]);
  });

  test('is no credit for a mind that does not answer: who was disconnected has deceived nobody', () => {
    const [silent, quiet] = [{ left: true }, { left: false }];
    expect(scoreTables(times(20, impostor(silent, quiet))).deception.value).toBe(-50);
  });

  test('of a mind like the reference is 0, as sure as one more table would make it', () => {
    const same = { won: true, ballots: 3, against: 1 };
    const { deception } = scoreTables(times(20, impostor(same, same)));
    expect(deception.value).toBe(0);
    expect(deception.most).toBeCloseTo((100 * 2.093) / 20, 1);
  });

  test.each([
    [19, null],
    [20, expect.any(Number)],
  ])('of %i tables has the interval %s', (tables, most) => {
    expect(scoreTables(times(tables, impostor({ won: true }, {}))).deception.most).toEqual(most);
  });
});

describe('detection', () => {
  test('the score is the gain per meeting minus the reference, for any number of meetings', () => {
    const tables = [
      ...times(10, crewmate({ meetings: 3, gain: 1.5 }, { meetings: 1, gain: 0.5 })),
      ...times(10, crewmate({ meetings: 1, gain: 0.5 }, { meetings: 3, gain: -0.5 })),
    ];
    // 20 of 40 meetings against 0 of 40.
    const { detection } = scoreTables(tables);
    expect(detection.value).toBeCloseTo(50, 9);
    expect([detection.tested, detection.reference]).toEqual([50, 0]);
    // All tested games have the same ratio. Those of the reference differ by (0.5 and -0.5) / 2 meetings a game.
    expect(detection.most).toBeCloseTo(50 + (100 * 2.093 * 0.25) / Math.sqrt(19), 1);
  });

  test('of a crew that never met is unknown', () => {
    const { detection } = scoreTables(times(30, crewmate({}, {})));
    expect([detection.value, detection.least]).toEqual([null, null]);
  });

  test('is never beyond 100 points', () => {
    const tables = times(20, crewmate({ meetings: 1, gain: 0.99 }, { meetings: 1, gain: 0 }));
    expect(scoreTables(tables).detection.most).toBe(100);
  });
});

describe('reliability', () => {
  test('of a mind that always answers is as sure as one case for each game', () => {
    const { reliability } = scoreTables(times(50, impostor({}, {})));
    // Wilson's interval for 50 of 50.
    expect(reliability.value).toBe(100);
    expect(reliability.least).toBeCloseTo(100 * (50 / (50 + 1.959964 ** 2)), 3);
    expect(100 - (reliability.least ?? 0)).toBeCloseTo(expectReliability(50), 9);
  });

  test('counts turns, and takes each game for one case, as if it failed as a whole', () => {
    const { reliability } = scoreTables([
      ...times(40, impostor({ asked: 20, valid: 20 }, {})),
      ...times(10, impostor({ asked: 20, valid: 0 }, {})),
      impostor({ asked: 0, valid: 0 }, {}),
    ]);
    // Wilson's interval for 40 of 50.
    expect([reliability.value, reliability.cases]).toEqual([80, 50]);
    expect(reliability.least).toBeCloseTo(66.963, 2);
    expect(reliability.most).toBeCloseTo(88.758, 2);
  });
});

/** Numbers from 0 to 1, the same for the same seed. */
function dice(seed: number): () => number {
  let tick = 0;
  return () => drawWords({ seed, meeting: 0, stream: 'run', tick: tick++ }, 0)[0] / 2 ** 32;
}

const hits = (draw: () => number, of: number, share: number): number =>
  Array.from({ length: of }, draw).filter((one) => one < share).length;

/** Impostors of a table that is easy or hard for both: the tested one wins by 20 points more, and is suspected less. */
function drawImpostors(draw: () => number): PlayedTable {
  const ease = draw();
  const ballots = Math.floor(draw() * 6);
  const play = (more: number, suspected: number) => ({
    won: draw() < 0.2 + 0.4 * ease + more,
    ballots,
    against: hits(draw, ballots, suspected),
  });
  return impostor(play(0.2, 0.2), play(0, 0.4));
}
/** Where there are ballots, five of six times, unsuspected by 20 points more. */
const DECEPTION = 100 * ((0.2 + (5 / 6) * 0.2) / 2);

/** Crewmates who meet none to four times, and read a whole game well or badly. */
function drawCrewmates(draw: () => number): PlayedTable {
  const play = (share: number) => {
    const meetings = Math.floor(draw() * 5);
    const right = hits(draw, meetings, share + (draw() < 0.5 ? 0.2 : -0.2));
    return { meetings, gain: right - 0.3 * meetings };
  };
  return crewmate(play(0.6), play(0.5));
}
const DETECTION = 10;

function drawTurns(draw: () => number): PlayedTable {
  const asked = 20 + Math.floor(draw() * 101);
  const faults = draw() < 1 / 12 ? 1 / 3 : 0.01;
  return impostor({ asked, valid: asked - hits(draw, asked, faults) }, {});
}
const RELIABILITY = 100 * (1 - (1 / 12 / 3 + (11 / 12) * 0.01));

const SCENES = {
  deception: { draw: drawImpostors, truth: DECEPTION },
  detection: { draw: drawCrewmates, truth: DETECTION },
  reliability: { draw: drawTurns, truth: RELIABILITY },
} as const;

describe.each([25, 100])('over %i tables of a role', (tables) => {
  const runs = seeds(100, 4000);
  test.each(['deception', 'detection', 'reliability'] as const)(
    `the interval of %s holds the truth in about 95 of 100 benchmarks (${runs} drawn)`,
    (name) => {
      const { draw, truth } = SCENES[name];
      let held = 0;
      let sum = 0;
      for (let seed = 1; seed <= runs; seed++) {
        const next = dice(seed);
        const drawn = Array.from({ length: tables }, () => draw(next));
        const { value, least, most } = scoreTables(drawn)[name];
        sum += value ?? 0;
        if ((least ?? 100) <= truth && truth <= (most ?? -100)) held += 1;
      }
      const share = (100 * held) / runs;
      console.log(
        `${name}, ${tables} tables: held ${share.toFixed(1)}, mean ${(sum / runs).toFixed(2)} of ${truth.toFixed(2)}`,
      );
      // Four standard errors below 93.5, the lowest measured coverage.
      expect(share).toBeGreaterThan(93.5 - 4 * Math.sqrt((93.5 * 6.5) / runs));
      expect(Math.abs(sum / runs - truth)).toBeLessThan((40 / Math.sqrt(runs * tables)) * 4);
    },
  );
});

test('a forecast is the interval of the spread that was measured', () => {
  expect(expectReach('deception', 19)).toBeNull();
  expect(expectReach('deception', 25)).toBeCloseTo((100 * 2.0639 * 0.47) / 5, 1);
  expect(expectReach('detection', 500)).toBeCloseTo((100 * 1.9647 * 0.57) / Math.sqrt(500), 1);
});
