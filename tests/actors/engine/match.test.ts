/** A match from its description to its result: its headers, its result, and how it is stopped. */
import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import {
  createMatch,
  type GameFinish,
  type MeetingResult,
  type RunningMatch,
} from '../../../actors/engine/match.ts';
import type { Line, LineOf } from '../../../machines/journal/lines.ts';
import { LATE } from '../../../machines/rules/tick.ts';
import type { Match, MeetingMatch } from '../../../machines/setup/match.ts';
import { COLOURS } from '../../../machines/types.ts';
import { OLDEST_RULES, VERSIONS } from '../../../machines/versions.ts';
import { readyMatch } from '../../support/matches.ts';
import { aLobby, gameLines, playGame } from '../laws/journeys.ts';
import { aMind, aTable, linesOf, meet, slowly } from '../laws/meetings.ts';

function ofType<T extends Line['type']>(lines: readonly Line[], type: T): readonly LineOf<T>[] {
  return lines.filter((line): line is LineOf<T> => line.type === type);
}

const LOBBY = aLobby(7, { max_ticks: 8, vote_after: 2 });
const isTalk = ({ scores }: LineOf<'tick.closed'>) => scores.length > 0;
/** Milliseconds that every answer takes. */
const THINKING = 10;

/** The lines and the result of a game that is disturbed after a number of lines. */
async function disturbGame(after: number, disturb: (game: RunningMatch<GameFinish>) => void) {
  const clock = new SimulatedClock();
  const games: RunningMatch<GameFinish>[] = [];
  let written = 0;
  const game = await playGame(LOBBY, 4, {
    clock,
    recast: (mind) => slowly(mind, clock, () => THINKING),
    begun: (played) => games.push(played),
    onLine: () => {
      written += 1;
      const [played] = games;
      if (written === after && played !== undefined) clock.setTimeout(() => disturb(played), 1);
    },
  });
  return { result: game.score, lines: gameLines(game) };
}

function expectResult(result: GameFinish, lines: readonly Line[]): void {
  const [closed] = ofType(lines, 'game.closed');
  expect(result).toEqual({
    winner: closed?.winner,
    reason: closed?.reason,
    rounds: ofType(lines, 'round.closed').length,
    meetings: ofType(lines, 'meeting.closed').length,
  });
}

describe('the result of a game', () => {
  test('counts the rounds and meetings of its journal', async () => {
    for (const seed of [1, 2]) {
      const game = await playGame(LOBBY, seed);
      expectResult(game.score, gameLines(game));
    }
  });

  test('is the first request to end it, on the ship and in a meeting', async () => {
    const whole = await disturbGame(0, () => {});
    const call = whole.lines.findIndex(({ type }) => type === 'meeting.called');
    expect(call).toBeGreaterThan(10);
    for (const after of [8, call + 3]) {
      const stopped = await disturbGame(after, (game) => {
        game.stop();
        game.end();
        game.stopAsRecorded();
      });
      const ended = await disturbGame(after, (game) => {
        game.end();
        game.stop();
      });
      for (const [{ result, lines }, reason] of [
        [stopped, 'interrupted'],
        [ended, 'unfinished'],
      ] as const) {
        expectResult(result, lines);
        expect(result).toMatchObject({ winner: null, reason });
        expect(ofType(lines, 'end.requested').map((line) => line.reason)).toEqual([reason]);
        const asked = ofType(lines, 'stop.requested').length;
        expect(asked).toBe(after > call ? 1 : 0);
        expect(lines.length).toBeLessThan(whole.lines.length);
      }
    }
  });

  test.each([
    ['stop', true],
    ['stopAsRecorded', false],
    ['end', false],
  ] as const)('after %s in an open tick has a tick without answers: %s', async (act, isCut) => {
    const whole = await disturbGame(0, () => {});
    const call = whole.lines.findIndex(({ type }) => type === 'tick.closed');
    const { lines } = await disturbGame(call + 1, (game) => game[act]());
    const bids = ofType(lines, 'tick.closed').filter(isTalk)[1]?.bids ?? [];
    expect(bids.length).toBeGreaterThan(2);
    expect(bids.every(({ fault }) => (fault !== undefined) === isCut)).toBe(true);
  });

  test('of a game that is over does not change', async () => {
    const games: RunningMatch<GameFinish>[] = [];
    const game = await playGame(LOBBY, 4, { begun: (played) => games.push(played) });
    const before = game.written.length;
    for (const played of games) for (const act of ['stop', 'end'] as const) played[act]();
    expect(game.written.length).toBe(before);
    expect(await games[0]?.result).toEqual(game.score);
  });

  test('of a game that is broken off says that it was interrupted', async () => {
    const { result, lines } = await disturbGame(8, (game) => game.pause());
    expect(result).toMatchObject({ winner: null, reason: 'interrupted' });
    expect(ofType(lines, 'game.closed')).toEqual([]);
  });
});

test('a match that is broken off dismisses the minds that still think', async () => {
  const clock = new SimulatedClock();
  const signals: AbortSignal[] = [];
  await meet(aTable({ living: 4 }), 1, {
    clock,
    recast: () => ({
      pace: 'in-time',
      answer: (_, signal) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    }),
    begun: (meeting) => clock.setTimeout(() => meeting.pause(), THINKING),
  });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true, true]);
});

describe('a player who looks back', () => {
  test('sees who is alive, dead or gone, and whether they are a ghost', async () => {
    const games: RunningMatch<GameFinish>[] = [];
    const lobby = aLobby(10, { patience: 2, max_ticks: 40, voting_time: 15 }, { fault_rate: 0.2 });
    const lines = gameLines(await playGame(lobby, 12, { begun: (played) => games.push(played) }));
    const fates = new Map<string, string>(lobby.seats.map(({ colour }) => [colour, 'living']));
    for (const line of lines) {
      if (line.type === 'verdict.announced' && line.ejected !== null)
        if (fates.get(line.ejected) === 'living') fates.set(line.ejected, 'dead');
      if (line.type === 'seat.departed') fates.set(line.seat, 'departed');
      for (const event of line.type === 'round.closed' ? line.events : []) {
        if (event.type === 'player.killed') fates.set(event.victim, 'dead');
        if (event.type === 'seat.departed') fates.set(event.seat, 'departed');
      }
    }
    expect(new Set(fates.values())).toEqual(new Set(['living', 'dead', 'departed']));
    for (const { colour } of lobby.seats) {
      const { seats = [], you } = games[0]?.lookBack?.(colour) ?? {};
      expect(seats.map((seat) => [seat.colour, seat.standing])).toEqual([...fates]);
      expect([you?.colour, you?.isGhost]).toEqual([colour, fates.get(colour) === 'dead']);
    }
    expect(() => games[0]?.lookBack?.('coral')).toThrow('coral has no seat');
  });
});

describe('the result of a meeting', () => {
  const TABLE = aTable({ living: 4, dead: 2 });

  test('names the players alive at the call who never spoke', async () => {
    const mute = () => aMind(() => ({ vote_action: 'skip' }));
    const { result } = await meet(TABLE, 1, { recast: mute });
    expect(result.unheard).toEqual(COLOURS.slice(0, 4));
  });

  test.each([
    ['stop', 'interrupted'],
    ['stopAsRecorded', 'interrupted'],
    ['end', 'unconverged'],
    ['pause', 'interrupted'],
  ] as const)('after %s is %s', async (act, outcome) => {
    const clock = new SimulatedClock();
    const quiet = aMind(() => ({ message: 'Well.' }));
    const held = await meet(TABLE, 1, {
      clock,
      recast: () => slowly(quiet, clock, () => THINKING),
      begun: (meeting) => clock.setTimeout(() => meeting[act](), THINKING * 2.5),
    });
    const expected: Partial<MeetingResult> = { outcome, ejected: null };
    expect(held.result).toMatchObject(expected);
    const closed = ofType(linesOf(held), 'meeting.closed').map((line) => line.outcome);
    expect(closed).toEqual(act === 'pause' ? [] : [outcome]);
  });
});

describe('the headers of a journal', () => {
  function headersOf(match: Match, version?: number) {
    const creation = createMatch(match, 5, null, version);
    if (!creation.ok) throw new Error('the match is refused');
    return creation.ready.headers;
  }

  test.each([
    ['a game', LOBBY],
    ['a meeting', aTable({ living: 4 })],
  ] as const)('of %s have the version of the rules and the seed', (_, match) => {
    const [now, then] = [headersOf(match), headersOf(match, OLDEST_RULES)];
    expect(now.living).toMatchObject({
      type: 'match.opened',
      rulesVersion: VERSIONS.rules,
      seed: 5,
    });
    expect(then.living).toMatchObject({ rulesVersion: OLDEST_RULES });
  });

  test('describe the dead of a meeting in the channel of the ghosts only', () => {
    const table = aTable({ living: 4, dead: 1 });
    const notes = 'I saw red.';
    const saw: MeetingMatch['seats'][number]['saw'] = [
      { ago: 5, who: 'red', place: 'O2', did: 'vent' },
    ];
    const seats = table.seats.map((seat) => (seat.dead ? { ...seat, saw, notes } : seat));
    const { living, ghosts } = headersOf({ ...table, seats });
    const dead = seats.find((seat) => seat.dead);
    expect(living).toMatchObject({
      match: {
        seats: seats.map(({ colour, role, dead: isDead }) => ({ colour, role, dead: isDead })),
      },
    });
    expect(JSON.stringify(living)).not.toContain(notes);
    expect(ghosts.minds).toEqual({
      [String(dead?.colour)]: { mind: dead?.mind, persona: dead?.persona ?? null, saw, notes },
    });
  });

  test('say whether the dead watch, and how long they may talk', () => {
    const ghostsOf = (more: object) => {
      const match = { ...LOBBY, ...more };
      const { present, budget } = headersOf(match).ghosts;
      return [present, budget, readyMatch(match, 1).ghostBudget];
    };
    expect(ghostsOf({})).toEqual([true, 30, 30]);
    expect(ghostsOf({ ghosts: { present: true, budget: 0 } })).toEqual([true, 0, 0]);
    expect(ghostsOf({ ghosts: { present: false, budget: 7 } })).toEqual([false, 7, null]);
  });
});

test('a player without an order at the deadline is late, in the place of their seat', async () => {
  const clock = new SimulatedClock();
  const lobby = aLobby(5, { max_rounds: 4, round_deadline_ms: 50, patience: 20 });
  const asked = new Map<string, number[]>();
  const game = await playGame(lobby, 2, {
    clock,
    recast: (mind, seat) =>
      slowly(mind, clock, ({ index }) => {
        asked.set(seat, [...(asked.get(seat) ?? []), index]);
        // The first answers last, and blue's comes in a later round.
        return seat === 'blue' ? 120 : 40 - COLOURS.indexOf(seat);
      }),
  });
  const rounds = ofType(gameLines(game), 'round.closed');
  expect(rounds).toHaveLength(4);
  for (const { round, orders } of rounds) {
    const seats = lobby.seats.map(({ colour }) => colour);
    expect(orders.map(({ seat }) => seat)).toEqual(
      seats.filter((seat) => asked.get(seat)?.includes(round)),
    );
    for (const { seat, fault } of orders) expect(fault).toBe(seat === 'blue' ? LATE : undefined);
  }
  expect(asked.get('blue')?.length).toBeGreaterThan(1);
});
