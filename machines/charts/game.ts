/**
 * The game: rounds on the ship, interrupted by meetings, until one side has won. A round receives one event, with all
 * orders and random draws as data. Players are actors for the whole game.
 */
import { assign, fromCallback, setup } from 'xstate';
import {
  MEETING_SESSION,
  MOST_ITERATIONS,
  ORDERS,
  playerId,
  type ToGame,
  type ToOrders,
  unprovided,
} from '../messages.ts';
import * as rules from '../rules/ship/game.ts';
import type { GameEnding, Ship } from '../rules/ship/world.ts';
import type { PlayerInput } from '../rules/views.ts';
import type { Colour } from '../types.ts';
import { meetingSessionMachine } from './meetingSession.ts';
import { playerMachine } from './player.ts';

export type GameInput = {
  readonly seed: number;
  readonly ship: Ship;
  readonly players: readonly PlayerInput[];
  /** Turns of ghost talk in each meeting. Null if the dead do not watch. */
  readonly ghostBudget: number | null;
};

export type OrdersInput = { readonly seed: number; readonly seats: readonly Colour[] };

export type GameContext = rules.GameCourse & Pick<GameInput, 'players' | 'ghostBudget'>;

const base = setup({
  types: {
    context: {} as GameContext,
    events: {} as ToGame,
    input: {} as GameInput,
    output: {} as GameEnding,
  },
  actors: {
    meetingSession: meetingSessionMachine,
    player: playerMachine,
    orders: fromCallback<ToOrders, OrdersInput>(() => unprovided('game.orders')),
  },
  actions: {
    announceFacts: (_, _told: { readonly facts: readonly rules.GameFact[] }) =>
      unprovided('game.announceFacts'),
    requestOrders: () => unprovided('game.requestOrders'),
    callTime: () => unprovided('game.callTime'),
    releaseMissing: () => unprovided('game.releaseMissing'),
    stopMeeting: () => unprovided('game.stopMeeting'),
  },
  delays: { deadline: ({ context }) => context.world.ship.options.roundDeadlineMs },
});

function takeStep(rule: (course: rules.GameCourse, event: ToGame) => rules.GameStep) {
  return base.enqueueActions(({ context, event, enqueue }) => {
    const { changes, facts } = rule(context, event);
    enqueue.assign(changes);
    if (facts.length > 0) enqueue({ type: 'announceFacts', params: { facts } });
  });
}

const NOTHING: rules.GameStep = { changes: {}, facts: [] };

export const gameMachine = base
  .extend({
    guards: {
      isOver: ({ context }) => context.ending !== null,
      isCalled: ({ context }) => context.call !== null,
      isThisRound: ({ context, event }) =>
        event.type === 'orders.gathered' && event.round === context.round,
    },
    actions: {
      seatPlayers: base.enqueueActions(({ context, enqueue }) => {
        for (const input of context.players) {
          const id = playerId(input.colour);
          enqueue.spawnChild('player', { id, systemId: id, input });
        }
      }),
      playRound: takeStep((course, event) =>
        event.type === 'orders.gathered'
          ? rules.playRound(course, event.orders, event.draws)
          : NOTHING,
      ),
      stop: takeStep((course, event) =>
        event.type === 'game.stopped' ? rules.requestEnd(course, event.reason) : NOTHING,
      ),
      resume: assign<GameContext, ToGame, rules.HeldMeeting, ToGame, never>(({ context }, result) =>
        rules.resumeAfterMeeting(context, result),
      ),
      announceEnd: takeStep(rules.closeGame),
    },
  })
  .createMachine({
    id: 'game',
    description: 'A whole game: rounds on the ship, interrupted by meetings.',
    context: ({ input: { seed, ship, players, ghostBudget } }) => ({
      ...rules.startGame(seed, ship),
      players,
      ghostBudget,
    }),
    options: { maxIterations: MOST_ITERATIONS },
    entry: 'seatPlayers',
    invoke: {
      src: 'orders',
      id: ORDERS,
      systemId: ORDERS,
      input: ({ context: { seed, world } }) => ({
        seed,
        seats: world.ship.seats.map(({ colour }) => colour),
      }),
    },
    initial: 'round',
    states: {
      round: {
        description:
          'Players carry on with their last order. Those with something to decide are asked.',
        initial: 'opening',
        states: {
          opening: {
            description: 'The players are asked. Minds that answer at once have decided already.',
            entry: 'requestOrders',
            on: {
              'orders.outstanding': {
                target: 'deciding',
                description: 'At least one player is still thinking.',
              },
            },
          },
          deciding: {
            description: 'Waits for the others until the deadline.',
            after: {
              deadline: {
                actions: 'callTime',
                description: 'A player who has not decided waits a round.',
              },
            },
          },
          judging: {
            description: 'The round is played. The game goes on, is interrupted or is over.',
            always: [
              { guard: 'isOver', target: '#game.over', description: 'One side has won.' },
              {
                guard: 'isCalled',
                target: '#game.meeting',
                description: 'A player has called a meeting.',
              },
              { target: 'opening', description: 'The next round.' },
            ],
          },
        },
        on: {
          'orders.gathered': {
            guard: 'isThisRound',
            target: '.judging',
            actions: ['releaseMissing', 'playRound'],
            description: 'All orders take effect at once.',
          },
          'game.stopped': {
            target: 'over',
            actions: 'stop',
            description: 'The operator or a budget ended the game.',
          },
        },
      },
      meeting: {
        description: 'Everybody is at the table.',
        invoke: {
          src: 'meetingSession',
          id: MEETING_SESSION,
          systemId: MEETING_SESSION,
          input: ({ context }) => ({
            setting: settingOf(context),
            players: [],
            ghostBudget: context.ghostBudget,
          }),
          onDone: {
            target: 'returning',
            actions: { type: 'resume', params: ({ event }) => event.output },
            description: 'The meeting is over and the gallery is closed.',
          },
        },
        on: {
          'game.stopped': {
            actions: ['stop', 'stopMeeting'],
            description: 'The meeting ends after the open tick.',
          },
        },
      },
      returning: {
        description: 'Has the meeting decided the game?',
        always: [
          { guard: 'isOver', target: 'over', description: 'One side has won.' },
          { target: 'round', description: 'Back to the ship.' },
        ],
      },
      over: { type: 'final', description: 'The game is over.', entry: 'announceEnd' },
    },
    output: ({ context }) => context.ending ?? { winner: null, reason: 'unfinished' },
  });

function settingOf(context: GameContext) {
  const setting = rules.meetingSetupFor(context);
  if (setting === null) throw new Error('expected a call before a meeting, found none');
  return setting;
}
