/**
 * The game that runs, proved on a small ship: every round that its crew, chance and the votes of meetings can bring
 * about. Several small menus replace a large one, so that independent choices are not multiplied.
 */

import { check, checkBisimulation } from 'glass-box-checker';
import { describe, expect, test } from 'vitest';
import { type AnyStateMachine, assign, enqueueActions } from 'xstate';
import { checkQuotient } from '../../checker/tests/agreement.ts';
import { type GameContext, gameMachine } from '../../machines/charts/game.ts';
import type { ToGame } from '../../machines/messages.ts';
import { GAME_OPTIONS } from '../../machines/rules/optionRows.ts';
import { firstKillCooldown, rounds } from '../../machines/rules/options.ts';
import { mapSeats } from '../../machines/rules/seats.ts';
import {
  type GameCourse,
  type GameStep,
  type HeldMeeting,
  playRound,
  resumeAfterMeeting,
} from '../../machines/rules/ship/game.ts';
import type { Order } from '../../machines/rules/ship/orders.ts';
import {
  createGameModel,
  createRandomModel,
  SMALL_GAMES,
  type SmallGame,
} from '../../proofs/checks/games.ts';
import { optionsAt, RANDOM_GAMES, VARIED } from '../../proofs/models/randomShip.ts';
import { everyNth, testLong } from '../support/seeds.ts';
import { surprises } from './models.ts';

type Game = SmallGame & { readonly states: number; readonly transitions: number };

const PROVED = new Map<SmallGame, ReturnType<typeof check>>();

function proved(wanted: SmallGame) {
  const known =
    PROVED.get(wanted) ??
    check(createGameModel(wanted), { isSymmetric: true, purity: 'some-steps' });
  PROVED.set(wanted, known);
  return known;
}

const GAMES = {
  'kills and reports': counted('kills and reports', 506, 36_560),
  'the button, leavers and stops': counted('the button, leavers and stops', 4_304, 64_346),
  'vents, doors and tasks': counted('vents, doors and tasks', 837, 20_394),
  'sabotage and repairs': counted('sabotage and repairs', 1_933, 54_692),
  'oxygen and comms': counted('oxygen and comms', 513, 15_994),
  'faults and ghosts who meddle': counted('faults and ghosts who meddle', 325, 21_307),
  'ghosts who work': counted('ghosts who work', 1_041, 18_575),
  'long arms, and doors that stay shut': counted('long arms, and doors that stay shut', 218, 6_128),
  'short arms, and kills in the dark': counted('short arms, and kills in the dark', 1_189, 32_060),
  'two impostors at once': counted('two impostors at once', 34, 1_105),
  'far ways, followers and cameras': counted('far ways, followers and cameras', 453, 15_444),
  'the last round': counted('the last round', 548, 7_574),
} as const satisfies Readonly<Record<keyof typeof SMALL_GAMES, Game>>;

function counted(name: keyof typeof SMALL_GAMES, states: number, transitions: number): Game {
  return { ...SMALL_GAMES[name], states, transitions };
}

describe('every property of a game holds', () => {
  const SMALLEST = ['long arms', 'two impostors', 'the last round'];
  const isSmall = ([name]: readonly [string, Game]) =>
    SMALLEST.some((first) => name.startsWith(first));
  const games = Object.entries<Game>(GAMES);

  test.each(games.filter(isSmall))('%s', (_, wanted) => {
    expectProved(wanted, proved(wanted));
  });

  testLong.each(games.filter((game) => !isSmall(game)))('%s', (_, wanted) => {
    expectProved(wanted, proved(wanted));
  });

  test('every state and every transition of the chart is reached', () => {
    const model = createGameModel(GAMES['the button, leavers and stops']);
    const options = { isSymmetric: true, purity: 'some-steps' } as const;
    const { coverage } = check({ ...model, properties: [] }, options);
    expect([coverage.unreached, coverage.untaken]).toEqual([[], []]);
  });
});

const RANDOM = Array.from({ length: RANDOM_GAMES }, (_, game) => game);

function* judgeAtRandom(
  games: readonly number[],
  only: readonly string[] | null,
  machine = gameMachine as AnyStateMachine,
) {
  for (const game of games) {
    const { results, broken } = check(createRandomModel(game, machine), { only });
    for (const { verdict } of results) yield verdict.type;
    if (broken !== null) yield 'broken';
  }
}

/** Ends with the first game that shows the violation. */
function isViolatedAtRandom(property: string, machine: AnyStateMachine): boolean {
  for (const type of judgeAtRandom(RANDOM, [property], machine))
    if (type === 'violated') return true;
  return false;
}

describe('games at random', () => {
  test('every property holds', () => {
    const found = [...judgeAtRandom(everyNth(RANDOM, 4), null)];
    expect(found.filter((type) => type !== 'proved' && type !== 'vacuous')).toEqual([]);
  });

  test('every option of a game takes each of its values', () => {
    const games: readonly object[] = RANDOM.map(optionsAt);
    for (const [key, values] of Object.entries(VARIED)) {
      const taken = games.map((options) => Reflect.get(options, key));
      expect(values.length, key).toBeGreaterThan(1);
      expect(new Set(taken), key).toEqual(new Set<unknown>(values));
    }
    expect(Object.keys(VARIED)).toEqual(GAME_OPTIONS.map(({ key }) => key));
  });

  test('a wait for the first kill after a meeting is noticed', () => {
    const resume = assign<GameContext, ToGame, HeldMeeting, ToGame, never>(({ context }, held) => {
      const { world, ...changes } = resumeAfterMeeting(context, held);
      const { options } = context.world.ship;
      const players = mapSeats(world?.players ?? {}, (player) => {
        const wait = rounds(firstKillCooldown(options));
        return { ...player, killWait: player.killWait > 0 ? wait : 0 };
      });
      return { ...changes, ...(world && { world: { ...world, players } }) };
    });
    const machine = gameMachine.provide({ actions: { resume } });
    expect(isViolatedAtRandom('a-meeting-clears-the-ship', machine)).toBe(true);
  });

  const playing = (change: (course: GameCourse, orders: readonly Order[]) => readonly Order[]) =>
    gameMachine.provide({
      actions: {
        playRound: enqueueActions(({ context, event, enqueue }) => {
          if (event.type !== 'orders.gathered') return;
          const { changes, facts } = playRound(context, change(context, event.orders), event.draws);
          enqueue.assign(changes);
          enqueue({ type: 'announceFacts', params: { facts } });
        }),
      },
    });

  test('a sabotage of a ghost that is dropped is noticed', () => {
    const machine = playing(({ world }, orders) =>
      orders.filter(
        (order) =>
          world.standings[order.seat] === 'living' ||
          order.type === 'fault' ||
          order.decision.intent?.type !== 'sabotage',
      ),
    );
    expect(isViolatedAtRandom('the-possible-is-not-refused', machine)).toBe(true);
  });

  test('a vent that nobody sees is noticed', () => {
    const machine = gameMachine.provide({
      actions: {
        playRound: enqueueActions(({ context, event, enqueue }) => {
          if (event.type !== 'orders.gathered') return;
          const { changes, facts } = playRound(context, event.orders, event.draws);
          enqueue.assign(changes);
          const blind = facts.map((fact) => {
            if (fact.type !== 'round.closed') return fact;
            const seen = mapSeats(fact.seen, (sights) =>
              sights.filter(({ did }) => did !== 'vent'),
            );
            return { ...fact, seen };
          });
          enqueue({ type: 'announceFacts', params: { facts: blind } });
        }),
      },
    });
    expect(isViolatedAtRandom('sights-are-true', machine)).toBe(true);
  });
});

describe('facts outside the view decide nothing', () => {
  const small = GAMES['vents, doors and tasks'];

  testLong(
    'the number of the round, what somebody was about and is asked: states that differ in it go on alike',
    () => {
      const found = checkBisimulation(createGameModel(small), { members: 2 });
      expect(found).toMatchObject({ verdict: 'agrees', difference: null });
      expect(found.compared).toBeGreaterThan(500);
    },
  );

  test('it makes no difference which crewmate has which colour', () => {
    const { states, orbits, unlike } = checkQuotient(createGameModel(small));
    expect(unlike).toBeNull();
    expect(orbits).toBe(small.states);
    expect(states).toBeGreaterThan(orbits);
  });
});

function expectProved({ states, transitions }: Game, checked: ReturnType<typeof check>): void {
  expect(surprises(checked)).toEqual([]);
  expect(checked).toMatchObject({
    engine: 'compiled',
    ended: null,
    broken: null,
    states,
    transitions,
  });
}

function mistaken(
  change: (turn: GameStep, before: GameCourse) => Partial<GameCourse>,
): AnyStateMachine {
  return gameMachine.provide({
    actions: {
      playRound: enqueueActions(({ context, event, enqueue }) => {
        if (event.type !== 'orders.gathered') return;
        const turn = playRound(context, event.orders, event.draws);
        const changes: Partial<GameContext> = { ...turn.changes, ...change(turn, context) };
        enqueue.assign(changes);
        enqueue({ type: 'announceFacts', params: { facts: turn.facts } });
      }),
    },
  });
}

type Worlds = { readonly before: GameCourse['world']; readonly after: GameCourse['world'] };
const inWorld =
  (change: (worlds: Worlds) => Partial<GameCourse['world']>) =>
  ({ changes }: GameStep, { world: before }: GameCourse): Partial<GameCourse> => {
    const after = changes.world ?? before;
    return { world: { ...after, ...change({ before, after }) } };
  };

describe('a mistake is noticed', () => {
  const mistakes = [
    [
      'a kill starts no cooldown',
      'kills and reports',
      'the-clocks-go',
      inWorld(({ after: { players } }) => ({
        players: Object.fromEntries(
          Object.entries(players).map(([seat, player]) => [seat, { ...player, killWait: 0 }]),
        ),
      })),
    ],
    [
      'a body vanishes',
      'kills and reports',
      'dying-has-a-reason',
      inWorld(({ before }) => ({ bodies: before.bodies })),
    ],
    [
      'impostors need one more',
      'kills and reports',
      'victory-in-order',
      ({ changes }: GameStep) => (changes.ending?.reason === 'kills' ? { ending: null } : {}),
    ],
    [
      'the clock of sabotage runs on',
      'sabotage and repairs',
      'the-clocks-go',
      inWorld(({ after }) => ({ sabotageWait: Math.max(0, after.sabotageWait - 1) })),
    ],
    [
      'somebody else has called',
      'kills and reports',
      'a-call-is-heard',
      ({ changes: { call } }: GameStep) => (call ? { call: { ...call, by: 'red' as const } } : {}),
    ],
    [
      'a task that is done is not written down',
      'vents, doors and tasks',
      'work-is-counted',
      inWorld(({ before, after }) => ({
        players: Object.fromEntries(
          Object.entries(after.players).map(([seat, player]) => [
            seat,
            { ...player, progress: before.players.blue?.progress ?? [] },
          ]),
        ),
      })),
    ],
  ] as const;
  test.each(everyNth(mistakes, 3))('%s', (_, game, property, change) => {
    const { results } = check(createGameModel(GAMES[game], mistaken(change)), {
      isSymmetric: true,
      only: [property],
      purity: 'some-steps',
      budget: { states: 1500, seconds: Infinity, bytes: Infinity },
    });
    expect(results.find(({ name }) => name === property)?.verdict.type).toBe('violated');
  });

  test('a meeting interrupts no work', () => {
    const resume = assign<GameContext, ToGame, HeldMeeting, ToGame, never>(({ context }, held) => {
      const { world, ...changes } = resumeAfterMeeting(context, held);
      const players = mapSeats(world?.players ?? {}, (player, seat) => {
        return { ...player, progress: context.world.players[seat]?.progress ?? [] };
      });
      return { ...changes, ...(world && { world: { ...world, players } }) };
    });
    const machine = gameMachine.provide({ actions: { resume } });
    const only = ['a-meeting-clears-the-ship'];
    const found = check(createGameModel(GAMES['the last round'], machine), { only });
    expect(found.results.map(({ verdict }) => verdict.type)).toEqual(['violated']);
  });
});
