import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import type { ChartEngine } from '../../../actors/engine/effects.ts';
import type { GameMatch, MeetingMatch } from '../../../machines/setup/match.ts';
import { COLOURS } from '../../../machines/types.ts';
import { seeds, testLong } from '../../support/seeds.ts';
import { dealer, gossip } from '../laws/gossip.ts';
import { aLobby, gameText, playGame } from '../laws/journeys.ts';
import { aTable, following, meet, slowly, textOf } from '../laws/meetings.ts';
import { disturbed, turmoil } from '../laws/turmoil.ts';

const GAMES = seeds(4, 200);
const MEETINGS = seeds(24, 1000);
const SIZES = [4, 5, 6, 7, 8, 9, 10, 12, 13, 15] as const;
const FAULT_RATES = [0, 0.05, 0.3, 0.6] as const;

/** A game of any size, with either rule set, and minds that fail more or less often. */
function aGame(seed: number): GameMatch {
  const rules = seed % 2 === 0 ? 'house' : 'classic';
  const players = SIZES[seed % SIZES.length] ?? 8;
  return aLobby(players, { rules }, { fault_rate: FAULT_RATES[(seed >> 1) % 4] ?? 0 });
}

async function playOn(engine: ChartEngine, seed: number): Promise<string> {
  return gameText(await playGame(aGame(seed), seed, { engine }));
}

/** The same game with minds that take their time, and an operator who stops it now and then. */
async function playSlowlyOn(engine: ChartEngine, seed: number): Promise<string> {
  const clock = new SimulatedClock();
  const { is, below } = dealer(seed, 7);
  const stopsAt = is(0.5) ? below(20_000) : null;
  const game = await playGame(aGame(seed), seed, {
    engine,
    clock,
    recast: (mind, seat) =>
      slowly(mind, clock, ({ index }) => ((index + COLOURS.indexOf(seat)) * 37) % 90),
    begun: (played) => {
      if (stopsAt !== null) clock.setTimeout(() => played.stop(), stopsAt);
    },
  });
  return gameText(game);
}

async function meetOn(engine: ChartEngine, match: MeetingMatch, seed: number): Promise<string> {
  const recast = following(gossip(seed));
  return textOf(await meet(match, seed, { engine, recast }));
}

async function meetInTurmoilOn(engine: ChartEngine, seed: number): Promise<string> {
  const clock = new SimulatedClock();
  return textOf(await meet(turmoil(seed), seed, { ...disturbed(seed, clock), clock, engine }));
}

const ALL = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('the journals of both engines are the same to the byte', () => {
  test(`whole games (${GAMES} of them)`, async () => {
    for (const seed of ALL(GAMES)) {
      const text = await playOn('compiled', seed);
      expect(text === (await playOn('xstate', seed)), `game of seed ${seed}`).toBe(true);
      expect(text).toContain('game.closed');
    }
  });

  test('games with minds that take their time, stopped now and then', async () => {
    for (const seed of ALL(seeds(3, 40))) {
      const text = await playSlowlyOn('compiled', seed);
      expect(text === (await playSlowlyOn('xstate', seed)), `game of seed ${seed}`).toBe(true);
    }
  });

  test(`${MEETINGS} meetings end although everything goes wrong at once`, async () => {
    for (const seed of ALL(MEETINGS)) {
      const text = await meetInTurmoilOn('compiled', seed);
      expect(text === (await meetInTurmoilOn('xstate', seed)), `meeting of seed ${seed}`).toBe(
        true,
      );
    }
  });

  testLong('meetings of gossips, of every size', async () => {
    for (const living of ALL(15).slice(3)) {
      const match = aTable({ living, dead: Math.min(2, 15 - living) });
      const text = await meetOn('compiled', match, living);
      expect(text === (await meetOn('xstate', match, living)), `${living} players`).toBe(true);
    }
  });
});
