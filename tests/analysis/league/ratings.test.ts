/** Ratings: the truth is found where it was planted, and the order of games makes no difference. */
import { describe, expect, test } from 'vitest';
import { makeSchedule } from '../../../actors/league/schedule.ts';
import {
  type ComparedSeat,
  compareSides,
  type PairedGame,
  rateLeague,
} from '../../../analysis/league/ratings.ts';
import { drawWords } from '../../../machines/rules/dice.ts';

const PERSONAS = 8;
const POINTS = 400 / Math.LN10;
/** Planted skills in points; the roles have nothing to do with each other. */
const IMPOSTOR = [-150, -100, -50, 0, 0, 50, 100, 150];
const CREW = [0, 100, -100, 50, -150, 150, -50, 0];
const SIDES = 0.4;

function games(count: number, seed = 1): readonly PairedGame[] {
  const fixtures = makeSchedule({
    seed,
    games: count,
    personas: PERSONAS,
    players: 6,
    impostors: 2,
    seating: 'mixed',
    mirror: false,
    compare: [],
  });
  return fixtures.map(({ slot, table }) => {
    const of = (role: string) =>
      table.filter((place) => place.role === role).map(({ persona }) => persona);
    const mean = (list: readonly number[], skills: readonly number[]) =>
      list.reduce((sum, persona) => sum + (skills[persona] ?? 0), 0) / list.length;
    const [impostors, crew] = [of('impostor'), of('crewmate')];
    const edge = SIDES + (mean(impostors, IMPOSTOR) - mean(crew, CREW)) / POINTS;
    const [word] = drawWords({ seed: 77, meeting: seed, stream: 'mind', tick: slot }, 0);
    return {
      impostors,
      crew,
      pair: slot,
      impostorsWon: word / 2 ** 32 < 1 / (1 + Math.exp(-edge)),
    };
  });
}

describe('ratings', () => {
  test('hold the planted skills in their intervals, role by role', () => {
    const { personas, sides } = rateLeague(games(4000), PERSONAS, 1);
    const held = personas.flatMap(({ impostor, crewmate }, index) => [
      isIn(impostor, 1500 + (IMPOSTOR[index] ?? 0)),
      isIn(crewmate, 1500 + (CREW[index] ?? 0)),
    ]);
    // Of sixteen intervals at 95 % two may miss.
    expect(held.filter(Boolean).length).toBeGreaterThanOrEqual(14);
    expect(isIn(sides, 1 / (1 + Math.exp(-SIDES)))).toBe(true);
  });

  test('are the same to the last digit in any order', () => {
    const all = games(300);
    expect(rateLeague(all.toReversed(), PERSONAS, 1)).toEqual(rateLeague(all, PERSONAS, 1));
  });

  test('give the advantage of a side to nobody', () => {
    const all = games(200).map((game) => ({ ...game, impostorsWon: true }));
    const { personas, sides } = rateLeague(all, PERSONAS, 1);
    expect(sides.value).toBeGreaterThan(0.99);
    for (const { overall } of personas) expect(Math.abs(overall.value - 1500)).toBeLessThan(5);
  });

  test('stay in the middle without games, and move little with few', () => {
    const none = rateLeague([], PERSONAS, 1);
    for (const { overall } of none.personas)
      expect(overall).toEqual({ value: 1500, least: 1500, most: 1500 });
    const one = rateLeague(games(1), PERSONAS, 1);
    for (const { overall } of one.personas) expect(Math.abs(overall.value - 1500)).toBeLessThan(80);
  });

  test('are wider where games mirror each other than where they are counted as independent', () => {
    const all = games(200).flatMap((game) => [game, { ...game }]);
    const apart = rateLeague(
      all.map((game, pair) => ({ ...game, pair })),
      PERSONAS,
      1,
    );
    const together = rateLeague(all, PERSONAS, 1);
    const width = ({ personas }: typeof apart) =>
      personas.reduce((sum, { overall }) => sum + overall.most - overall.least, 0);
    expect(width(together)).toBeGreaterThan(1.2 * width(apart));
  });
});

function isIn({ least, most }: { readonly least: number; readonly most: number }, value: number) {
  return least <= value && value <= most;
}

describe('a comparison', () => {
  /** A pair of mirrored games in which each has sat in red once. */
  const mirrored = (pair: number, first: boolean, second: boolean): readonly ComparedSeat[] => [
    { pair, slot: pair, colour: 'red', role: 'crewmate', side: 0, won: first },
    { pair, slot: pair + 1, colour: 'red', role: 'crewmate', side: 1, won: second },
    { pair, slot: pair, colour: 'blue', role: 'crewmate', side: null, won: first },
  ];
  const many = (count: number, outcome: (index: number) => readonly [boolean, boolean]) =>
    Array.from({ length: count }, (_, index) => mirrored(2 * index, ...outcome(index))).flat();

  test('of seats that were exchanged goes seat by seat', () => {
    const found = compareSides(
      many(40, (index) => [index < 30, index < 10]),
      1,
    );
    expect(found).toMatchObject({ difference: 0.5, isPaired: true, cases: 40 });
    expect(found?.p).toBeLessThan(0.01);
    expect(found?.least).toBeGreaterThan(0);
  });

  test('finds nothing where there is nothing', () => {
    const found = compareSides(
      many(40, (index) => [index % 2 === 0, index % 2 === 0]),
      1,
    );
    expect(found).toMatchObject({ difference: 0, p: 1 });
    const even = compareSides(
      many(40, (index) => [index % 2 === 0, index % 2 === 1]),
      1,
    );
    expect(even?.p).toBeGreaterThan(0.5);
  });

  test('without mirrors goes role by role', () => {
    const seats = (
      side: 0 | 1,
      role: string,
      wins: number,
      count: number,
    ): readonly ComparedSeat[] =>
      Array.from({ length: count }, (_, index) => ({
        pair: index,
        slot: index,
        colour: `${side}${role}`,
        role,
        side,
        won: index < wins,
      }));
    // The second one wins more in all, but only because it was impostor more often.
    const found = compareSides(
      [
        ...seats(0, 'impostor', 18, 20),
        ...seats(0, 'crewmate', 32, 80),
        ...seats(1, 'impostor', 64, 80),
        ...seats(1, 'crewmate', 6, 20),
      ],
      1,
    );
    expect(found?.isPaired).toBe(false);
    expect(found?.difference).toBeCloseTo(0.1);
    expect(found?.p).toBeGreaterThan(0.05);
  });

  test('wants both to have played', () => {
    expect(compareSides(mirrored(0, true, false).slice(0, 1), 1)).toBeNull();
  });
});
