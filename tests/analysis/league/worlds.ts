/** Leagues that were never played: winners are drawn from a truth that is known, and standings are counted from them. */
import { leagueSchema } from '../../../actors/league/leagueFile.ts';
import { completePlan, type LeaguePlan, scheduleLeague } from '../../../actors/league/plan.ts';
import type { ScheduledGame, ScheduledTable } from '../../../actors/league/schedule.ts';
import type { GameResult } from '../../../actors/stores/result.ts';
import type { ComparedGame } from '../../../analysis/league/comparisons.ts';
import { countStandings } from '../../../analysis/league/standings.ts';
import type { Standings } from '../../../analysis/league/types.ts';
import { drawWords } from '../../../machines/rules/dice.ts';
import type { Role } from '../../../machines/types.ts';
import { aResult } from '../../actors/stores/kept.ts';

const LANES = 4096;

export class SeededChance {
  readonly #seed: number;
  #drawn = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** From 0 to below 1. */
  share(): number {
    const [tick, lane] = [Math.floor(this.#drawn / LANES), this.#drawn % LANES];
    this.#drawn += 1;
    return drawWords({ seed: this.#seed, meeting: 0, stream: 'mind', tick }, lane)[0] / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.share();
  }

  /** Normal, with a mean of 0 and a standard deviation of 1. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.share())) * Math.cos(2 * Math.PI * this.share());
  }
}

export type LeagueShape = {
  readonly seating: 'mixed' | 'sides';
  readonly mirror: boolean;
  readonly personas: number;
  readonly games: number;
  readonly compare?: boolean;
  readonly levels?: boolean;
};

export class DrawnLeague {
  readonly plan: LeaguePlan;
  readonly fixtures: readonly ScheduledGame[];

  constructor({ compare = false, levels = false, ...shape }: LeagueShape) {
    const personas = Array.from({ length: shape.personas }, (_, index) => ({
      name: `p${index}`,
      level: levels && index % 2 === 1 ? 'advanced' : 'none',
    }));
    const file = leagueSchema.parse({
      ...{ name: 'drawn', seed: 3, games: shape.games, players: 8, options: { impostors: 2 } },
      ...{ seating: shape.seating, mirror: shape.mirror, personas },
      compare: compare ? [['p0', 'p1']] : [],
    });
    this.plan = completePlan(file, 'test');
    this.fixtures = scheduleLeague(this.plan);
  }

  /**
   * Draws who wins each game, and counts. In half of all mirrored games the second one has the luck of the first, as it
   * has its dice.
   */
  count(chance: SeededChance, winRate: (table: ScheduledTable) => number): Standings {
    const luck = new Map<number, number>();
    const results = this.fixtures.map((fixture): GameResult => {
      const before = luck.get(fixture.pair);
      const own = chance.share();
      const drawn = before !== undefined && chance.share() < 0.5 ? before : own;
      luck.set(fixture.pair, drawn);
      return toResult(fixture, drawn < winRate(fixture.table));
    });
    return countStandings(this.plan, this.fixtures, results);
  }
}

function toResult({ slot, seed, table }: ScheduledGame, impostorsWon: boolean): GameResult {
  return aResult({
    ...{ league: 'drawn', slot, game: String(slot), seed },
    winner: impostorsWon ? 'impostors' : 'crew',
    seats: table.map(({ colour, role, persona }) => ({
      ...{ colour, role, model: 'scripted', persona: `p${persona}` },
      ...{ won: impostorsWon === (role === 'impostor'), tally: {}, memory: 0, learned: null },
    })),
  });
}

/** Pairs of mirrored games, by who won as impostor: the first alone, the second alone, both, or neither. */
export function mirrorGames(
  first: number,
  second: number,
  both: number,
  neither = 0,
): readonly ComparedGame[] {
  const pairs = [
    ...Array.from({ length: first }, () => [true, false] as const),
    ...Array.from({ length: second }, () => [false, true] as const),
    ...Array.from({ length: both }, () => [true, true] as const),
    ...Array.from({ length: neither }, () => [false, false] as const),
  ];
  return pairs.flatMap(([one, other], pair) => [
    { pair, one: 1, other: 0, impostorsWon: one },
    { pair, one: 0, other: 1, impostorsWon: other },
  ]);
}

export function personasOf(table: ScheduledTable, role: Role): readonly number[] {
  return table.filter((seat) => seat.role === role).map(({ persona }) => persona);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
