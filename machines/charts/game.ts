/**
 * The game: rounds on the ship, broken by meetings, until somebody has won.
 *
 * A round sees one event, with everybody's orders and the draws of chance as data; a meeting is the statechart of
 * `meeting.ts`, held in the session that it has on its own too. Players are actors for the whole game.
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
import type { GameFact } from '../rules/ship/game.ts';
import * as rules from '../rules/ship/game.ts';
import type { GameEnding, Ship } from '../rules/ship/world.ts';
import type { Colour } from '../types.ts';
import type { MeetingOutput } from './meeting.ts';
import { meetingSessionMachine } from './meetingSession.ts';
import { type PlayerInput, playerMachine } from './player.ts';

export type GameInput = {
  readonly seed: number;
  readonly ship: Ship;
  readonly players: readonly PlayerInput[];
  /** Turns of ghost talk in each meeting; null when the dead do not watch. */
  readonly ghostBudget: number | null;
};

/** Whose orders are collected, and what the draws of their rounds are a value of. */
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
    sitting: meetingSessionMachine,
    player: playerMachine,
    orders: fromCallback<ToOrders, OrdersInput>(() => unprovided('game.orders')),
  },
  actions: {
    /** Emits the facts of one transition, in order: they are written to the journal and sent to those whom they concern. */
    tell: (_, _told: { readonly facts: readonly GameFact[] }) => unprovided('game.tell'),
    /** Asks those who have something to decide, and tells the collection whom to wait for. */
    requestOrders: () => unprovided('game.requestOrders'),
    callTime: () => unprovided('game.callTime'),
    /** Tells those who have not decided that nobody waits for them any more. */
    releaseMissing: () => unprovided('game.releaseMissing'),
    /** Hands the wish to stop on to the meeting that is on. */
    stopMeeting: () => unprovided('game.stopMeeting'),
  },
  delays: { deadline: ({ context }) => context.world.ship.options.roundDeadlineMs },
});

/** An action that takes the turn which a rule returns for the course and the event. */
function take(rule: (course: rules.GameCourse, event: ToGame) => rules.GameStep) {
  return base.enqueueActions(({ context, event, enqueue }) => {
    const { changes, facts } = rule(context, event);
    enqueue.assign(changes);
    if (facts.length > 0) enqueue({ type: 'tell', params: { facts } });
  });
}

/** Who was alive, dead or gone when a meeting was over, and what is known of it. */
type Left = Pick<MeetingOutput, 'standings' | 'held'>;

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
      resolve: take((course, event) =>
        event.type === 'orders.gathered'
          ? rules.playRound(course, event.orders, event.draws)
          : NOTHING,
      ),
      stop: take((course, event) =>
        event.type === 'game.stopped' ? rules.requestEnd(course, event.reason) : NOTHING,
      ),
      resume: assign<GameContext, ToGame, Left, ToGame, never>(({ context }, left) =>
        rules.resumeAfterMeeting(context, left),
      ),
      tellClosed: take(rules.closeGame),
    },
  })
  .createMachine({
    id: 'game',
    description: 'A whole game: rounds on the ship, broken by meetings.',
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
          'Every player does what they set out to do; those with something to decide are asked.',
        initial: 'opening',
        states: {
          opening: {
            description: 'Those players are asked; minds that need no time have decided already.',
            entry: 'requestOrders',
            on: {
              'orders.outstanding': {
                target: 'deciding',
                description: 'Somebody takes their time.',
              },
            },
          },
          deciding: {
            description: 'Waits for those who think, until the deadline.',
            after: {
              deadline: { actions: 'callTime', description: 'Who has not decided waits a round.' },
            },
          },
          judging: {
            description: 'The round is played: the game goes on, is interrupted, or is over.',
            always: [
              { guard: 'isOver', target: '#game.over', description: 'Somebody has won.' },
              { guard: 'isCalled', target: '#game.meeting', description: 'Somebody has called.' },
              { target: 'opening', description: 'The next round.' },
            ],
          },
        },
        on: {
          'orders.gathered': {
            guard: 'isThisRound',
            target: '.judging',
            actions: ['releaseMissing', 'resolve'],
            description: 'All orders are one moment.',
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
          src: 'sitting',
          id: MEETING_SESSION,
          systemId: MEETING_SESSION,
          input: ({ context }) => ({
            setting: settingOf(context),
            players: [],
            ghostBudget: context.ghostBudget,
          }),
          onDone: {
            target: 'returning',
            actions: {
              type: 'resume',
              params: ({ event }) => event.output,
            },
            description: 'Everybody has left the room.',
          },
        },
        on: {
          'game.stopped': {
            actions: ['stop', 'stopMeeting'],
            description: 'The meeting ends after the tick that is open.',
          },
        },
      },
      returning: {
        description: 'What the meeting has changed is judged.',
        always: [
          { guard: 'isOver', target: 'over', description: 'Somebody has won.' },
          { target: 'round', description: 'Back to work.' },
        ],
      },
      over: {
        type: 'final',
        description: 'Over: nothing changes any more.',
        entry: 'tellClosed',
      },
    },
    output: ({ context }) => context.ending ?? { winner: null, reason: 'unfinished' },
  });

function settingOf(context: GameContext) {
  const setting = rules.meetingSetupFor(context);
  if (setting === null) throw new Error('a meeting is held without a call');
  return setting;
}
