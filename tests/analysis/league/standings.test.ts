import { expect, test } from 'vitest';
import { personaNameOf, scheduleLeague } from '../../../actors/league/plan.ts';
import type { GameResult } from '../../../actors/stores/result.ts';
import { countStandings } from '../../../analysis/league/standings.ts';
import { renderLeaderboard } from '../../../visualizer/terminal/standings.ts';
import { aPlan } from '../../actors/league/leagues.ts';
import { aResult, aSeat } from '../../actors/stores/kept.ts';

const PLAN = aPlan({ games: 12 });
const FIXTURES = scheduleLeague(PLAN);

/** The game of a slot as it is scheduled, won by one side or by none. */
function aGame(slot: number, winner: GameResult['winner']): GameResult {
  const table = FIXTURES[slot]?.table ?? [];
  return aResult({
    league: PLAN.league.name,
    slot,
    winner,
    reason: winner === null ? 'unfinished' : 'kills',
    seats: table.map(({ colour, role, persona }) => {
      const member = PLAN.league.personas[persona];
      if (member === undefined) throw new Error(`expected persona ${persona}`);
      const { model, name } = personaNameOf(member);
      const won = winner === (role === 'impostor' ? 'impostors' : 'crew');
      return aSeat({ colour, role, model, persona: name, won });
    }),
  });
}

test('an unfinished game is in no share and no rating, and is counted apart', () => {
  const decided = Array.from({ length: 8 }, (_, slot) =>
    aGame(slot, slot % 2 === 0 ? 'crew' : 'impostors'),
  );
  const open = [8, 9, 10].map((slot) => aGame(slot, null));
  const before = countStandings(PLAN, FIXTURES, decided);
  const after = countStandings(PLAN, FIXTURES, [...decided, ...open]);
  expect([before.unfinished, after.unfinished]).toEqual([0, 3]);
  expect([before.games, after.games]).toEqual([8, 11]);
  const shares = ({ wins, sides, rows, versus, colours, levels }: typeof before) => ({
    ...{ wins, sides, versus, colours, levels },
    rows: rows.map(({ tallies: _tallies, ...row }) => row),
  });
  expect(shares(after)).toEqual(shares(before));
  expect(renderLeaderboard(after)).toContain(
    '11 of 12 games, 3 of them without a winner and in no',
  );
  expect(renderLeaderboard(before)).not.toContain('unfinished');
});

test('the leaderboard fits the terminal: rating and wins stay longest, and it names missing columns', () => {
  const standings = countStandings(
    PLAN,
    FIXTURES,
    Array.from({ length: 8 }, (_, slot) => aGame(slot, slot % 2 === 0 ? 'crew' : 'impostors')),
  );
  const lines = (width: number) => renderLeaderboard(standings, width).split('\n');
  const titles = (width: number) =>
    lines(width)
      .find((line) => line.includes('persona '))
      ?.trim()
      .split(/ {2,}/);
  for (const width of [60, 80, 100])
    expect(Math.max(...lines(width).map((line) => line.length))).toBeLessThanOrEqual(width);
  expect(titles(60)).toEqual(['persona', 'rating']);
  expect(titles(80)).toEqual(['persona', 'rating', 'won']);
  expect(titles(100)).toEqual(['persona', 'rating', 'as impostor', 'won']);
  expect(titles(200)).toHaveLength(7);
  expect(renderLeaderboard(standings, 80)).toContain('league show --wide shows all.');
  expect(renderLeaderboard(standings, 200)).not.toContain('Not shown');
  expect(renderLeaderboard(standings, Number.POSITIVE_INFINITY)).toBe(renderLeaderboard(standings));
});

test('a league without a decided game has no shares, and says so', () => {
  const { rows, wins, unfinished } = countStandings(PLAN, FIXTURES, [aGame(0, null)]);
  expect([unfinished, wins.crew.interval]).toEqual([1, null]);
  expect(rows.map(({ all }) => all.games)).toEqual([0, 0, 0, 0, 0]);
});

test('a game with one persona on both sides is in no head-to-head, and counts once for each side', () => {
  const seat = (colour: 'red' | 'blue' | 'green', role: 'crewmate' | 'impostor', persona: string) =>
    aSeat({ colour, role, persona, won: role === 'impostor' });
  const results = [
    [seat('red', 'impostor', 'one'), seat('blue', 'crewmate', 'two')],
    [
      seat('red', 'impostor', 'one'),
      seat('blue', 'crewmate', 'two'),
      seat('green', 'crewmate', 'one'),
    ],
  ].map((seats, slot) => aResult({ league: PLAN.league.name, slot, seats }));
  const { versus, rows } = countStandings(PLAN, FIXTURES, results);
  expect(versus.map(({ one, other, share }) => [one, other, share.wins, share.games])).toEqual([
    ['scripted_one', 'scripted_two', 1, 1],
    ['scripted_two', 'scripted_one', 0, 1],
  ]);
  const one = rows.find(({ id }) => id === 'scripted_one');
  expect([one?.all.games, one?.all.wins, one?.roles.crewmate.games]).toEqual([3, 2, 1]);
});
