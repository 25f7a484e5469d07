/**
 * The game that runs, proved on a small ship: every round that its crew, chance and the votes of meetings can bring
 * about. Several small menus instead of one large: what has nothing to do with each other is not multiplied.
 */

import { check, checkBisimulation, type Model } from 'glass-box-checker';
import { checkQuotient } from 'glass-box-checker/selftest';
import { describe, expect, test } from 'vitest';
import { type AnyStateMachine, enqueueActions } from 'xstate';
import { type GameContext, type GameInput, gameMachine } from '../../machines/charts/game.ts';
import type { GameOptions } from '../../machines/rules/options.ts';
import { type GameCourse, type GameStep, playRound } from '../../machines/rules/ship/game.ts';
import {
  createSmallGame,
  crewSymmetry,
  type ShipEnvironment,
  type ShipEvent,
  shipEvents,
  shipView,
} from '../../proofs/models/ship.ts';
import { listShipProperties } from '../../proofs/properties/ship.ts';
import { seeds } from '../support/seeds.ts';
import { surprises } from './models.ts';

type Wanted = {
  readonly players: number;
  readonly menu: ShipEnvironment;
  readonly options?: Partial<GameOptions>;
};

function aGame({ players, menu, options = {} }: Wanted, machine: AnyStateMachine = gameMachine) {
  const input: GameInput = createSmallGame(players, options);
  const model: Model<GameCourse, ShipEvent> = {
    name: `a game of ${players}`,
    machine,
    input,
    world: shipEvents(menu),
    properties: listShipProperties(input.ship, menu),
    view: shipView,
    symmetry: crewSymmetry,
  };
  return model;
}

const PROVED = new Map<Wanted, ReturnType<typeof check>>();

/** Everything about a game, searched once. */
function proved(wanted: Wanted) {
  const known =
    PROVED.get(wanted) ?? check(aGame(wanted), { isSymmetric: true, purity: 'some-steps' });
  PROVED.set(wanted, known);
  return known;
}

type Game = Wanted & { readonly states: number; readonly transitions: number };

const GAMES = {
  'kills and reports': {
    players: 4,
    menu: { walks: true, kills: true, reports: true },
    states: 506,
    transitions: 12_354,
  },
  'the button, leavers and stops': {
    players: 3,
    menu: { walks: true, buttons: true, leavers: 1, stops: true, thinks: true },
    options: { buttons: 1 },
    states: 4_304,
    transitions: 64_346,
  },
  'vents, doors and tasks': {
    players: 3,
    menu: { walks: true, kills: true, vents: true, doors: ['Storage'], tasks: true },
    states: 425,
    transitions: 9_146,
  },
  'sabotage and repairs': {
    players: 3,
    menu: { walks: true, buttons: true, sabotages: ['reactor', 'lights'] },
    options: { buttons: 1 },
    states: 2_410,
    transitions: 86_260,
  },
  'ghosts who work': {
    players: 4,
    menu: { walks: true, kills: true, tasks: true },
    options: { ghostsDoTasks: true, killCooldown: 2.5 },
    states: 6_641,
    transitions: 248_277,
  },
} as const satisfies Record<string, Game>;

/** It takes as long as all others together: whole in the long run, and as far as so many states go else. */
const LARGEST = 'ghosts who work';
const MOST = seeds(1_000, 1_000_000);

describe('every property of a game holds', () => {
  test.each(Object.entries(GAMES).filter(([name]) => name !== LARGEST))('%s', (_, wanted) => {
    expectProved(wanted, proved(wanted));
  });

  test(`${LARGEST}, in up to ${MOST} states`, () => {
    const budget = { states: MOST, seconds: Infinity, bytes: Infinity };
    const checked = check(aGame(GAMES[LARGEST]), {
      isSymmetric: true,
      budget,
      purity: 'some-steps',
    });
    if (checked.ended === null) expectProved(GAMES[LARGEST], checked);
    expect(checked.results.filter(({ verdict }) => verdict.type === 'violated')).toEqual([]);
  });

  test('every state and every transition of the chart is reached', () => {
    const { coverage } = proved(GAMES['the button, leavers and stops']);
    expect([coverage.unreached, coverage.untaken]).toEqual([[], []]);
  });
});

describe('what is left out decides nothing', () => {
  const small = GAMES['vents, doors and tasks'];

  test('the number of the round, what somebody was about and is asked: states that differ in it go on alike', () => {
    const found = checkBisimulation(aGame(small), { members: 2 });
    expect(found).toMatchObject({ verdict: 'agrees', difference: null });
    expect(found.compared).toBeGreaterThan(500);
  });

  test('who of the crew is called what', () => {
    const { states, orbits, unlike } = checkQuotient(aGame(small));
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

/** The game with a mistake in it: what a round comes to is changed. */
function mistaken(
  change: (turn: GameStep, before: GameCourse) => Partial<GameCourse>,
): AnyStateMachine {
  return gameMachine.provide({
    actions: {
      resolve: enqueueActions(({ context, event, enqueue }) => {
        if (event.type !== 'orders.gathered') return;
        const turn = playRound(context, event.orders, event.draws);
        const changes: Partial<GameContext> = { ...turn.changes, ...change(turn, context) };
        enqueue.assign(changes);
        enqueue({ type: 'tell', params: { facts: turn.facts } });
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
  test.each([
    [
      'a kill starts no cooldown',
      'kills and reports',
      'cooldowns-are-kept',
      inWorld(({ after: { players } }) => ({
        players: Object.fromEntries(
          Object.entries(players).map(([seat, player]) => [seat, { ...player, killWait: 0 }]),
        ),
      })),
    ],
    [
      'a body vanishes',
      'kills and reports',
      'bodies-stay-until-a-meeting',
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
      'the-clock-stands',
      inWorld(({ after }) => ({ sabotageWait: Math.max(0, after.sabotageWait - 1) })),
    ],
    [
      'somebody else has called',
      'kills and reports',
      'reports-are-near',
      ({ changes: { call } }: GameStep) => (call ? { call: { ...call, by: 'red' as const } } : {}),
    ],
    [
      'a task that is done is not written down',
      'vents, doors and tasks',
      'tasks-step-by-step',
      inWorld(({ before, after }) => ({
        players: Object.fromEntries(
          Object.entries(after.players).map(([seat, player]) => [
            seat,
            { ...player, progress: before.players.blue?.progress ?? [] },
          ]),
        ),
      })),
    ],
  ] as const)('%s', (_, game, property, change) => {
    const { results } = check(aGame(GAMES[game], mistaken(change)), {
      isSymmetric: true,
      budget: { states: 1500, seconds: Infinity, bytes: Infinity },
    });
    expect(results.find(({ name }) => name === property)?.verdict.type).toBe('violated');
  });
});
