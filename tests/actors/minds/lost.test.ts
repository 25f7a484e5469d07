import { expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { Recorder } from '../../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../../actors/engine/journal/sink.ts';
import { createMatch, startMatch } from '../../../actors/engine/match.ts';
import { HumanMind } from '../../../actors/minds/human/humanMind.ts';
import { HumanSeats } from '../../../actors/minds/human/seats.ts';
import { plainGame } from '../../../machines/setup/prepare.ts';
import { COLOURS } from '../../../machines/types.ts';

test('a program without a connection is silent for a minute, then has faults, then is out', async () => {
  const clock = new SimulatedClock();
  const waits = { table: 20_000, ship: 20_000 };
  const player = new HumanMind({
    seat: 'red',
    waits,
    graceMs: 60_000,
    isOutside: true,
    now: () => clock.elapsed,
    clock,
  });
  const creation = createMatch(plainGame(6), 4);
  if (!creation.ok) throw new Error('expected a game');
  player.come()();
  const sink = new MemorySink();
  const { ready } = creation;
  const minds = { ...ready.minds, red: player.mind };
  await startMatch({ ...ready, minds, clock, recorder: new Recorder({ sink }) }).result;
  const lines = sink.text.trim().split('\n');
  const faults = lines.filter((line) => line.includes('"fault":"mind/lost"'));
  const first = lines.findIndex((line) => line.includes('"fault":"mind/lost"'));
  expect(faults.length).toBeGreaterThanOrEqual(5);
  expect(first).toBeGreaterThan(3);
  expect(lines.slice(0, first).join()).not.toContain('"fault"');
  expect(sink.text).toContain('"seat.departed"');
});

test('no seat is lost in 100 joins of which 20 are cut', () => {
  for (let at = 0; at < 100; at++) {
    const seats = new HumanSeats(COLOURS.slice(0, 3), { table: 1, ship: 1 }, null, [
      'blue',
      'green',
    ]);
    const tokens = seats.links.map(({ hash }) => hash.replace('#seat=', ''));
    const leavers = tokens.map((token) => seats.findPlayer(token)?.come());
    if (at % 5 === 0) {
      leavers[1]?.();
      expect(seats.findPlayer(tokens[1] ?? '')?.seating.attendance).toBe('away');
      seats.findPlayer(tokens[1] ?? '')?.come();
    }
    expect(seats.players.map(({ seating }) => seating.attendance)).toEqual([
      'here',
      'here',
      'here',
    ]);
    expect(seats.doors).toEqual({ red: 'page', blue: 'mcp', green: 'mcp' });
    seats.close();
  }
});
