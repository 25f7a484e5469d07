import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import type { GameFinish, RunningMatch } from '../../../actors/engine/match.ts';
import { replay } from '../../../actors/replay/replay.ts';
import type { GameMatch } from '../../../machines/setup/match.ts';
import { COLOURS } from '../../../machines/types.ts';
import { seeds } from '../../support/seeds.ts';
import { findGameViolations } from './gameProperties.ts';
import { dealer, fraction } from './gossip.ts';
import { aLobby, type Game, gameLines, gameText, meetingsOf, playGame } from './journeys.ts';
import { slowly } from './meetings.ts';
import { findViolations } from './properties.ts';

const GAMES = seeds(4, 5000);
const FAULTLESS = seeds(6, 1000);
const REPLAYS = seeds(4, 1000);
const THOUGHTFUL = seeds(3, 100);
const STOPPED = seeds(3, 200);

/** Four to ten players, in turn by both rules, with options that are drawn. */
function someLobby(seed: number, faultRate = 0): GameMatch {
  const { one, is } = dealer(seed, 9);
  const players = 4 + (seed % 7);
  const options = {
    rules: one(['house', 'classic'] as const),
    player_speed: one([1, 1, 1.5, 2]),
    kill_distance: one(['short', 'normal', 'long'] as const),
    kill_cooldown: one([10, 20, 30]),
    first_kill_cooldown: one([null, 10, 22.5]),
    attention: one(['few', 'normal', 'all'] as const),
    crew_vision: one([1, 1, 1.25]),
    buttons: one([0, 1, 2]),
    patience: 3,
    max_rounds: 100,
    short_tasks: one([1, 2]),
    long_tasks: one([0, 1]),
    task_bar: one(['always', 'meetings', 'never'] as const),
    anonymous_votes: is(0.2),
    // Meetings have laws of their own: here they are short.
    max_ticks: 6,
    vote_after: 2,
    voting_time: 15,
  };
  return aLobby(players, options, { fault_rate: faultRate });
}

function brokenIn(game: Game): readonly string[] {
  const lines = gameLines(game);
  const inMeetings = [...meetingsOf(lines)].flatMap((meeting) =>
    findViolations(meeting).map(({ code, text }) => `${code}: ${text}`),
  );
  return [...findGameViolations(lines), ...inMeetings].slice(0, 5);
}

async function tried(games: number, lobby: (seed: number) => GameMatch) {
  const broken: string[] = [];
  const endings = new Map<string, number>();
  for (let seed = 1; seed <= games; seed++) {
    const game = await playGame(lobby(seed), seed);
    const { winner, reason } = game.score;
    const ending = `${winner} by ${reason}`;
    endings.set(ending, (endings.get(ending) ?? 0) + 1);
    if (broken.length < 5) broken.push(...brokenIn(game).map((text) => `seed ${seed}: ${text}`));
  }
  return { broken, endings };
}

describe('no property is violated', () => {
  test(`${GAMES} games in which three of ten replies fail keep every property (seeds 1 to ${GAMES})`, async () => {
    const { broken, endings } = await tried(GAMES, (seed) => someLobby(seed, 0.3));
    expect(broken).toEqual([]);
    expect([...endings.values()].reduce((sum, count) => sum + count, 0)).toBe(GAMES);
  });

  test(`in games without faults (seeds 1 to ${FAULTLESS})`, async () => {
    const { broken, endings } = await tried(FAULTLESS, (seed) => someLobby(seed));
    expect(broken).toEqual([]);
    expect([...endings.keys()]).toEqual(
      expect.arrayContaining(['impostors by kills', 'crew by vote']),
    );
  });
});

describe('a game plays again to the byte', () => {
  test(`in ${REPLAYS} games, every fourth of them with faults (seeds 1 to ${REPLAYS})`, async () => {
    for (let seed = 1; seed <= REPLAYS; seed++) {
      const game = await playGame(someLobby(seed, seed % 4 === 0 ? 0.3 : 0), seed);
      await expectReplay(game, seed);
    }
  });

  test('when minds take their time, some too long', async () => {
    for (let seed = 1; seed <= THOUGHTFUL; seed++) {
      const game = await thoughtful(seed, () => {});
      await expectReplay(game, seed);
      expect(brokenIn(game), `seed ${seed}`).toEqual([]);
    }
  });

  test('when somebody stops it at any moment', async () => {
    for (let seed = 1; seed <= STOPPED; seed++) {
      const at = dealer(seed, 3).below(20_000);
      const game = await thoughtful(seed, (played, clock) =>
        clock.setTimeout(() => (seed % 2 === 0 ? played.stop() : played.end()), at),
      );
      await expectReplay(game, seed);
      expect(brokenIn(game), `seed ${seed}`).toEqual([]);
      expect(gameText(game)).toContain('"game.closed"');
    }
  });

  test(`as far as a torn journal goes (seeds 1 to ${STOPPED})`, async () => {
    for (let seed = 1; seed <= STOPPED; seed++) {
      const text = gameText(await playGame(someLobby(seed), seed));
      const end = Math.floor(text.length * (0.2 + 0.7 * fraction(seed, 4)));
      const outcome = await replay(readJournal(text.slice(0, end)));
      expect(outcome.type, `seed ${seed}: ${JSON.stringify(outcome)}`).toBe('same');
    }
  });
});

async function expectReplay(game: Game, seed: number): Promise<void> {
  const outcome = await replay(readJournal(gameText(game)));
  expect(outcome, `seed ${seed}`).toMatchObject({ type: 'same', unfinished: false });
}

/** A game of minds that think for a while, now and then longer than anybody waits for them. */
function thoughtful(
  seed: number,
  begun: (played: RunningMatch<GameFinish>, clock: SimulatedClock) => void,
) {
  const clock = new SimulatedClock();
  const lobby = aLobby(6, {
    max_rounds: 60,
    max_ticks: 5,
    vote_after: 2,
    round_deadline_ms: 100,
    deadline_ms: 100,
    patience: 20,
  });
  return playGame(lobby, seed, {
    clock,
    recast: (mind, seat) =>
      slowly(mind, clock, ({ index }) =>
        Math.floor(110 * fraction(seed, index, COLOURS.indexOf(seat))),
      ),
    begun: (played) => begun(played, clock),
  });
}
