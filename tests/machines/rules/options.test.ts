import { describe, expect, test } from 'vitest';
import { GAME_OPTIONS, MEETING_OPTIONS, RECOMMENDED } from '../../../machines/rules/optionRows.ts';
import {
  defaultGameOptions,
  defaultOptions,
  type GameOptions,
  gameRefusals,
  mostImpostors,
  rangeOf,
  rounds,
  SECONDS_PER_ROUND,
} from '../../../machines/rules/options.ts';

/** Among Us: at most 1 impostor of 4 to 6 seats, 2 of 7 and 8, 3 from 9 on. */
test.each([
  [4, 1],
  [5, 1],
  [6, 1],
  [7, 2],
  [8, 2],
  [9, 3],
  [10, 3],
  [15, 3],
])('a lobby of %i has at most %i impostors', (seats, most) => {
  expect(mostImpostors(seats)).toBe(most);
});

test('the defaults agree with the design and the lobby screen', () => {
  expect(defaultOptions(5)).toMatchObject({
    rules: 'house',
    confirmEjects: true,
    anonymousVotes: false,
    discussionTime: 15,
    votingTime: 120,
    patience: 5,
    nudgeEvery: 5,
    tokenTarget: 25_000,
  });
});

test('ruling 1: both limits of the operator are off by default', () => {
  expect(defaultOptions(5)).toMatchObject({ voteAfter: null, maxTicks: null });
});

test('ruling 35: at the default cap about 200 messages fit the target', () => {
  const { tokenTarget, messageTokens } = defaultOptions(5);
  expect(Math.floor(tokenTarget / messageTokens)).toBe(208);
});

const NUMBERS = [...GAME_OPTIONS, ...MEETING_OPTIONS].flatMap((row) =>
  row.type === 'number' ? [[row.key, row.range] as const] : [],
);

test.each(NUMBERS)(
  'the default of %s is in its range and on its step',
  (name, { least, most, step }) => {
    const all = { ...defaultGameOptions(5), ...defaultOptions(5) };
    const value = Object.entries(all).find(([option]) => option === name)?.[1];
    if (value === null) return;
    expect(value).toBeGreaterThanOrEqual(least);
    expect(value).toBeLessThanOrEqual(most);
    expect(Number(value) % step).toBe(0);
  },
);

const PLAYERS = Array.from({ length: 12 }, (_, index) => index + 4);

describe('a round is 2.5 s', () => {
  test.each([
    [0, 0],
    [2.4, 1],
    [2.5, 1],
    [2.6, 2],
    [10, 4],
    [15, 6],
    [22.5, 9],
    [30, 12],
    [45, 18],
  ])('%f s are %i rounds', (seconds, count) => {
    expect(rounds(seconds)).toBe(count);
  });

  test('every time of the lobby is a whole number of them', () => {
    expect(rangeOf('killCooldown').step).toBe(SECONDS_PER_ROUND);
    const times = [
      'killCooldown',
      'emergencyCooldown',
      'sabotageCooldown',
      'doorCooldown',
    ] as const;
    for (const name of times) {
      const { least, most, step } = rangeOf(name);
      for (let value: number = least; value <= most; value += step)
        expect(rounds(value) * SECONDS_PER_ROUND, name).toBe(value);
    }
  });
});

describe('recommendations of the lobby', () => {
  test('for 4 to 15 players: impostors 1, 1, 1, 2, …, 3 and a kill cooldown of 45, 30, 15, 35, …, 20 s', () => {
    expect(RECOMMENDED.map(({ seats }) => seats)).toEqual(PLAYERS);
    expect(RECOMMENDED.map(({ impostors }) => impostors)).toEqual([
      1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3,
    ]);
    expect(RECOMMENDED.map(({ killCooldown }) => killCooldown)).toEqual([
      45, 30, 15, 35, 30, 25, 20, 20, 20, 20, 20, 20,
    ]);
  });

  test.each(PLAYERS)('is allowed to %i players, and is their default', (players) => {
    const options = defaultGameOptions(players);
    expect(options.impostors).toBeLessThanOrEqual(mostImpostors(players));
    expect(gameRefusals(options, players)).toEqual([]);
    expect(RECOMMENDED).toContainEqual({
      seats: players,
      impostors: options.impostors,
      killCooldown: options.killCooldown,
    });
  });

  test('fewer and more players get the values of the nearest lobby', () => {
    expect(defaultGameOptions(3)).toEqual(defaultGameOptions(4));
    expect(defaultGameOptions(18)).toEqual(defaultGameOptions(15));
  });
});

test('the other defaults agree with the lobby screen', () => {
  expect(defaultGameOptions(10)).toMatchObject({
    killDistance: 'normal',
    playerSpeed: 1,
    crewVision: 1,
    impostorVision: 1.5,
    buttons: 1,
    emergencyCooldown: 15,
    visualTasks: true,
    taskBar: 'always',
    commonTasks: 1,
    longTasks: 1,
    shortTasks: 2,
    sabotageCooldown: 30,
    reactorSeconds: 30,
    o2Seconds: 30,
    doorSeconds: 10,
    doorCooldown: 30,
  });
});

test('ruling 37: ghosts do tasks in `classic` and only watch in `house`', () => {
  expect(defaultGameOptions(8).ghostsDoTasks).toBe(false);
  expect(defaultGameOptions(8, 'house').ghostsDoTasks).toBe(false);
  expect(defaultGameOptions(8, 'classic').ghostsDoTasks).toBe(true);
});

function codes(options: Partial<GameOptions>, players = 10): readonly string[] {
  return gameRefusals({ ...defaultGameOptions(players), ...options }, players).map(
    ({ code, text }) => `${code}: ${text}`,
  );
}

describe('ranges, on both sides of each boundary', () => {
  const OWN = GAME_OPTIONS.flatMap((row) =>
    row.type === 'number' && row.key !== 'impostors'
      ? [[row.key, row.yaml, row.range] as const]
      : [],
  );

  test.each(OWN)('%s', (key, name, { least, most, step }) => {
    expect(codes({ [key]: least })).toEqual([]);
    expect(codes({ [key]: most })).toEqual([]);
    const steps = step === 1 ? '' : ` in steps of ${step}`;
    for (const value of [least - step, most + step, least + step / 2, Number.NaN])
      expect(codes({ [key]: value })).toEqual([
        `match/range: ${name}: expected ${least} to ${most}${steps}, found ${value}`,
      ]);
  });

  test.each(PLAYERS)('impostors of %i players', (players) => {
    const most = mostImpostors(players);
    expect(codes({ impostors: 1 }, players)).toEqual([]);
    expect(codes({ impostors: most }, players)).toEqual([]);
    for (const impostors of [0, most + 1, 1.5, Number.NaN])
      expect(codes({ impostors }, players)).toHaveLength(1);
  });
});

test('four impostors of seven are refused with the valid number', () => {
  expect(codes({ impostors: 4 }, 7)).toEqual([
    'match/impostors: expected 1 to 2 of 7 players to be impostors, found 4',
  ]);
});

test('a game without tasks is no game, one task is enough', () => {
  const none = { commonTasks: 0, longTasks: 0, shortTasks: 0 };
  expect(codes(none)).toEqual([
    'match/no-tasks: expected a task for each player, found none of any kind',
  ]);
  expect(codes({ ...none, shortTasks: 1 })).toEqual([]);
});

test('all problems are reported at once', () => {
  expect(codes({ impostors: 0, killCooldown: 9, shortTasks: 6 })).toHaveLength(3);
});
