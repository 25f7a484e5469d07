import { describe, expect, test } from 'vitest';
import {
  endMeeting,
  requestEnd,
  resumeAfterMeeting,
  startGame,
} from '../../../../machines/rules/ship/game.ts';
import { aWorld, playRound, type Wanted } from './worlds.ts';

function after(wanted: Wanted = {}) {
  const world = aWorld(wanted);
  return endMeeting(world, world.standings).world;
}

describe('after a meeting', () => {
  test('all bodies are gone, reported or not', () => {
    const bodies = [
      { victim: 'green', place: 'MedBay' },
      { victim: 'pink', place: 'O2' },
    ] as const;
    expect(after({ standings: { green: 'dead', pink: 'dead' }, world: { bodies } }).bodies).toEqual(
      [],
    );
  });

  test('everybody is at the button and still', () => {
    const { players } = after({
      at: { red: 'O2', blue: 'Reactor' },
      players: { blue: { moved: true, stride: 2 } },
    });
    const places = Object.values(players).map(({ place, moved, stride }) => [place, moved, stride]);
    expect(places).toEqual(places.map(() => ['Cafeteria', false, 0]));
  });

  test('nobody is in a vent', () => {
    expect(
      after({ at: { red: 'MedBay' }, players: { red: { vent: 6 } } }).players.red?.vent,
    ).toBeNull();
  });

  test('a meeting drops unfinished work and keeps finished steps', () => {
    const progress = [{ steps: 1, worked: 1 }];
    const world = after({ players: { blue: { progress, intent: 'task swipe-card' } } });
    expect(world.players.blue).toMatchObject({ intent: null, progress: [{ steps: 1, worked: 0 }] });
  });

  test('kill timers of impostors are full, and crewmates stay at 0', () => {
    const { players } = after({ options: { killCooldown: 25 } });
    expect([players.red?.killWait, players.blue?.killWait]).toEqual([10, 0]);
  });

  test('the emergency cooldown begins again', () => {
    expect(after({ options: { emergencyCooldown: 15 } }).buttonWait).toBe(6);
    expect(after({ options: { emergencyCooldown: 0 } }).buttonWait).toBe(0);
  });

  test('the clock of sabotage begins again', () => {
    expect(after({ options: { sabotageCooldown: 30 } }).sabotageWait).toBe(12);
  });

  test.each(['reactor', 'o2'] as const)('%s is well', (system) => {
    expect(after({ crisis: { system, left: 3 } }).crisis).toBeNull();
  });

  test.each(['lights', 'comms'] as const)('%s stay as they are', (system) => {
    expect(after({ crisis: { system, held: 1 } }).crisis).toMatchObject({ system, held: 1 });
  });

  test('doors are open', () => {
    expect(after({ world: { doors: [{ room: 'MedBay', shut: 2, wait: 5 }] } }).doors).toEqual([]);
  });

  test('buttons that were pressed are gone', () => {
    expect(after({ players: { blue: { buttons: 0 } } }).players.blue?.buttons).toBe(0);
  });

  test('house rules ask the living only', () => {
    expect(Object.keys(after({ standings: { green: 'dead', pink: 'departed' } }).asks)).toEqual([
      'red',
      'blue',
      'orange',
    ]);
  });

  test('ghosts are asked too where they go on', () => {
    const { asks } = after({ rules: 'classic', standings: { green: 'dead', pink: 'departed' } });
    expect(Object.keys(asks)).toEqual(['red', 'blue', 'green', 'orange']);
  });

  test('faults in a row are forgotten', () => {
    expect(after({ world: { streaks: { blue: 2 } } }).streaks).toEqual({});
  });
});

test.each([
  [true, 2],
  [false, null],
])('the record says how many impostors there are, if the lobby shows them: %s', (shown, count) => {
  const { ship } = aWorld({ impostors: ['red', 'pink'], options: { showImpostors: shown } });
  expect(startGame(1, ship).record.impostors).toBe(count);
});

test('the first end of a game holds, whatever else would end it', () => {
  const course = startGame(1, aWorld().ship);
  const stopped = { ...course, ...requestEnd(course, 'interrupted').changes };
  expect(requestEnd(stopped, 'unfinished')).toEqual({ changes: {}, facts: [] });
  const held = {
    call: { by: 'blue', kind: 'button', body: null, place: null },
    result: null,
  } as const;
  const standings = { ...course.world.standings, red: 'dead' } as const;
  expect(resumeAfterMeeting(course, { standings, held }).ending?.winner).toBe('crew');
  expect(resumeAfterMeeting(stopped, { standings, held }).ending).toEqual({
    winner: null,
    reason: 'interrupted',
  });
});

describe('a meeting called in the last round of a game', () => {
  test('is not held', () => {
    const world = aWorld({
      crisis: { system: 'reactor', left: 1 },
      standings: { green: 'dead' },
      at: { blue: 'MedBay' },
      world: { bodies: [{ victim: 'green', place: 'MedBay' }] },
    });
    const round = playRound(world, { blue: 'report green' });
    expect([round.call, round.ending?.reason]).toEqual([null, 'sabotage']);
  });
});
