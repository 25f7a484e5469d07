/** Leagues whose players are all equal: each pair that is told apart is a false alarm. Outcomes are drawn, no game is played. */
import { describe, expect, test } from 'vitest';
import { IS_LONG, SEED, seeds } from '../../support/seeds.ts';
import { DrawnLeague, type LeagueShape, SeededChance } from './worlds.ts';

const LEAGUES = seeds(12, 1000);

const SHAPES: readonly LeagueShape[] = [
  { seating: 'mixed', mirror: false, personas: 6, games: 200 },
  { seating: 'mixed', mirror: true, personas: 6, games: 200 },
];

/** With this few leagues a share may be this far off by chance; a thousand leave no allowance. */
const SLACK = IS_LONG ? 0 : 0.12;

describe.each(SHAPES)(`${LEAGUES} leagues of equals, mirrored: $mirror`, (shape) => {
  const league = new DrawnLeague(shape);
  const counts = { alarms: 0, pairs: 0, families: 0, held: 0, intervals: 0, shared: 0, shares: 0 };
  const count = () => {
    for (let at = 0; at < LEAGUES; at++) {
      const chance = new SeededChance(SEED + at);
      const impostorsWin = chance.between(0.35, 0.65);
      const { pairs, sides, wins } = league.count(chance, () => impostorsWin);
      const said = pairs.filter(({ result }) => result.p !== null);
      counts.pairs += said.length;
      counts.alarms += said.filter(({ result }) => (result.p ?? 1) < 0.05).length;
      counts.families += Number(pairs.some(({ adjusted }) => (adjusted ?? 1) < 0.05));
      for (const { least, most } of said.map(({ result }) => result)) {
        counts.intervals += 1;
        counts.held += Number((least ?? 1) <= 0 && (most ?? -1) >= 0);
      }
      for (const interval of [sides, wins.impostors.interval]) {
        counts.shares += 1;
        const { least = 1, most = 0 } = interval ?? {};
        counts.shared += Number(least <= impostorsWin && impostorsWin <= most);
      }
    }
  };

  test('raise alarms about under 7 % of pairs, and about one pair or more in under 7 % of leagues', () => {
    count();
    expect(counts.pairs).toBeGreaterThan(10 * LEAGUES);
    expect(counts.alarms / counts.pairs).toBeLessThan(0.07 + SLACK);
    expect(counts.families / LEAGUES).toBeLessThan(0.07 + 2 * SLACK);
  });

  test('intervals of pairs hold the truth in 93 to 97 % of cases', () => {
    expect(counts.held / counts.intervals).toBeGreaterThan(0.93 - SLACK);
    expect(counts.held / counts.intervals).toBeLessThan(0.97 + SLACK);
  });

  test('intervals of the impostors’ share hold the truth in 93 to 97 % of leagues', () => {
    expect(counts.shared / counts.shares).toBeGreaterThan(0.93 - 2 * SLACK);
    expect(counts.shared / counts.shares).toBeLessThan(0.97 + SLACK);
    if (IS_LONG) console.log(JSON.stringify({ ...shape, leagues: LEAGUES, seed: SEED, ...counts }));
  });
});
