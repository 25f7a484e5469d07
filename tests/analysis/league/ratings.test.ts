import { describe, expect, test } from 'vitest';
import { makeSchedule } from '../../../actors/league/schedule.ts';
import { type PairedGame, rateLeague } from '../../../analysis/league/ratings.ts';
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
    const { personas, sides } = rateLeague(games(4000), PERSONAS);
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
    expect(rateLeague(all.toReversed(), PERSONAS)).toEqual(rateLeague(all, PERSONAS));
  });

  test('give the advantage of a side to nobody', () => {
    const all = games(200).map((game) => ({ ...game, impostorsWon: true }));
    const { personas, sides } = rateLeague(all, PERSONAS);
    expect(sides.value).toBeGreaterThan(0.99);
    for (const { overall } of personas) expect(Math.abs(overall.value - 1500)).toBeLessThan(5);
  });

  test('stay in the middle without games, and move little with few', () => {
    const none = rateLeague([], PERSONAS);
    for (const { overall, impostor } of none.personas) {
      // The prior alone: one unit a role, compared with the mean of eight.
      const reach = 1.959964 * POINTS * Math.sqrt(1 - 1 / PERSONAS);
      expect(impostor).toMatchObject({ value: 1500, few: true });
      expect(impostor.most - impostor.value).toBeCloseTo(reach, 6);
      expect(overall.value - overall.least).toBeCloseTo(reach / Math.SQRT2, 6);
    }
    const one = rateLeague(games(1), PERSONAS);
    for (const { overall } of one.personas) expect(Math.abs(overall.value - 1500)).toBeLessThan(80);
  });

  test('are wider where mirrored games end alike whoever plays, and as wide where they are independent', () => {
    const once = games(400);
    const alike = once.flatMap((game) => [game, { ...game }]);
    const apart = alike.map((game, pair) => ({ ...game, pair }));
    const width = (list: readonly PairedGame[]) =>
      rateLeague(list, PERSONAS).personas.reduce(
        (sum, { overall }) => sum + overall.most - overall.least,
        0,
      );
    // Nine tenths of the second game count as the first again: √1.9 as wide, apart from the prior.
    expect(width(alike) / width(apart)).toBeGreaterThan(1.25);
    expect(width(alike) / width(apart)).toBeLessThan(Math.sqrt(1.9));
    const single = games(800).map((game, index) => ({ ...game, pair: Math.floor(index / 2) }));
    const paired = width(single) / width(single.map((game, pair) => ({ ...game, pair })));
    expect(Math.abs(paired - 1)).toBeLessThan(0.1);
  });

  test('have too few games until the games say more than the prior, as crew later than as impostor', () => {
    const few = (count: number) => {
      const { personas } = rateLeague(games(count), PERSONAS);
      const of = (role: 'impostor' | 'crewmate') => personas.filter((one) => one[role].few).length;
      return [of('impostor'), of('crewmate')];
    };
    expect(few(40)).toEqual([PERSONAS, PERSONAS]);
    expect(few(1200)).toEqual([PERSONAS, PERSONAS]);
    expect(few(2000)).toEqual([0, PERSONAS]);
    expect(few(3000)).toEqual([0, 0]);
  });
});

function isIn({ least, most }: { readonly least: number; readonly most: number }, value: number) {
  return least <= value && value <= most;
}
