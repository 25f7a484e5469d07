/** Properties of the game's messages (rulings 44 to 47 and 57): requests, releases, stops, news, truth for ghosts. */

import { playerId } from '../../machines/messages.ts';
import { messagesAfterRound, OUTGOING, type OutgoingMessage } from '../../machines/outgoing.ts';
import type { WorldTruth } from '../../machines/rules/record.ts';
import type { RoundEvent } from '../../machines/rules/ship/draft.ts';
import type { GameCourse, GameFact } from '../../machines/rules/ship/game.ts';
import { LATE } from '../../machines/rules/tick.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import { allHold, declareProperties, isSame } from './property.ts';
import {
  canAct,
  deedIn,
  isImpostor,
  isLiving,
  isRound,
  roundEvents,
  roundOf,
  SECONDS,
  type ShipProperty,
  type ShipTransition,
  shutIn,
} from './shipSteps.ts';

/** The state of the ship and the secret deeds of the game, dated by the meetings before which they happened. */
export function truthOf({ world, chronicle, calls, round }: GameCourse): WorldTruth {
  const { ship, players, crisis } = world;
  const perSeat = <T>(isMeant: (seat: Colour) => boolean, tell: (seat: Colour) => T) =>
    Object.fromEntries(
      ship.seats.flatMap(({ colour }) => (isMeant(colour) ? [[colour, tell(colour)]] : [])),
    );
  const isAlive = (seat: Colour) => isLiving(world, seat);
  const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
  return {
    places: perSeat(isAlive, (seat) => players[seat]?.place),
    tasks: perSeat(
      (seat) => !isImpostor(world, seat),
      (seat) => ({
        done: sum((players[seat]?.progress ?? []).map(({ steps }) => steps)),
        of: sum((ship.tasks[seat] ?? []).map(({ steps }) => steps.length)),
      }),
    ),
    impostors: perSeat(
      (seat) => isAlive(seat) && isImpostor(world, seat),
      (seat) => ({
        wait: (players[seat]?.killWait ?? 0) * SECONDS,
        hidden: players[seat]?.vent !== null,
        faking: players[seat]?.intent?.type === 'fake',
      }),
    ),
    crisis: crisis && {
      system: crisis.system,
      seconds: crisis.left === null ? null : crisis.left * SECONDS,
    },
    sabotageWait: world.sabotageWait * SECONDS,
    shut: shutIn(world),
    deeds: chronicle.map(({ round: at, ...deed }) => {
      const ago = ((calls[deed.meeting - 1] ?? round) - at) * SECONDS;
      return { ...deed, ago, at: at * SECONDS };
    }),
  };
}

/** The effects of the game's own in a step, and their messages without the scenes in requests. */
function expectedMessages({ before, event, after }: ShipTransition): object {
  const { round, world } = after.context;
  const asked = COLOURS.filter((seat) => world.asks[seat] !== undefined && canAct(world, seat));
  const requestOrders = [
    { to: 'orders', message: { type: 'orders.awaited', round, seats: asked } },
    ...asked.map((seat) => ({ to: playerId(seat), message: 'order.requested' })),
    { to: 'orders', message: { type: 'orders.requested', round } },
  ];
  const asks = after.at === 'round.opening' ? { requestOrders } : {};
  switch (event.type) {
    case 'orders.gathered': {
      const missed = event.orders.filter((order) => order.type === 'fault' && order.code === LATE);
      const message = { type: 'round.missed', round: before.context.round };
      return {
        releaseMissing: missed.map(({ seat }) => ({ to: playerId(seat), message })),
        ...asks,
      };
    }
    case 'xstate.done.actor.meetingSession':
      return asks;
    case 'game.stopped': {
      const message = { type: 'meeting.stopped', outcome: STOPS[event.reason] };
      return before.at === 'meeting' ? { stopMeeting: [{ to: 'meeting', message }] } : {};
    }
    case 'orders.outstanding':
      return {};
    default:
      // The deadline.
      return { callTime: [{ to: 'orders', message: { type: 'time.called', round } }] };
  }
}

const STOPS = { interrupted: 'interrupted', unfinished: 'unconverged' } as const;
const withoutScene = ({ to, message }: OutgoingMessage) => ({
  to,
  message: message.type === 'order.requested' ? message.type : message,
});

function deedOf({ world }: GameCourse, event: RoundEvent, seat: Colour): readonly object[] {
  if (event.type === 'sabotage.fixed')
    return event.by.includes(seat) ? [{ type: 'fix', system: event.system }] : [];
  if (event.type === 'task.stepped' && event.seat === seat) {
    const task = world.ship.tasks[seat]?.find(({ id }) => id === event.task);
    const place = task?.steps[event.steps - 1]?.place;
    return [{ type: 'task', task: task?.name, place, done: event.done }];
  }
  const secret = deedIn(event);
  return secret?.by === seat ? [secret.deed] : [];
}

/** What everybody hears: alarms, doors and departures, but never who was behind them. */
function heardOf(event: RoundEvent): readonly object[] {
  const { type } = event;
  if (type === 'sabotage.begun' || type === 'sabotage.fixed')
    return [{ type, system: event.system }];
  if (type === 'doors.shut' || type === 'doors.opened') return [{ type, room: event.room }];
  return type === 'seat.departed' ? [{ type, seat: event.seat }] : [];
}

/** What players have not been told yet, from a round before this one. */
const EARLIER = [{ round: -1, sights: [] }];

function expectedNews(transition: ShipTransition, told: GameFact & { type: 'round.closed' }) {
  const { world, call, ending } = transition.after.context;
  const { round, seen, paths, orders } = told;
  const events = roundEvents(transition);
  const heard = events.flatMap(heardOf);
  const rows = world.ship.seats.map(({ colour: seat }) => {
    const deeds = events.flatMap((event) => deedOf(transition.after.context, event, seat));
    const order = orders.find((one) => one.seat === seat);
    const intent = order?.type === 'order' ? order.decision.intent : null;
    const news = {
      ...{ round, sights: seen[seat] ?? [] },
      ...(deeds.length === 0 ? {} : { deeds }),
      ...(paths[seat] === undefined ? {} : { path: paths[seat] }),
      ...(intent === null ? {} : { intent }),
      ...(heard.length === 0 ? {} : { heard }),
    };
    const isNews = seen[seat] !== undefined || deeds.length > 0;
    const isReading = call !== null || (world.asks[seat] !== undefined && canAct(world, seat));
    return {
      seat,
      isTold: ending === null && isReading,
      rounds: isNews ? [...EARLIER, news] : EARLIER,
    };
  });
  const notices = events.flatMap((event) => {
    if (event.type === 'intent.refused')
      return [{ to: playerId(event.seat), message: { type: 'notice.given', note: event.note } }];
    if (event.type === 'player.killed')
      return [{ to: playerId(event.victim), message: { type: 'seat.died' } }];
    return event.type === 'seat.departed'
      ? [{ to: playerId(event.seat), message: { type: event.type } }]
      : [];
  });
  const sent = rows.flatMap(({ seat, isTold, rounds }) =>
    isTold ? [{ to: playerId(seat), message: { type: 'rounds.seen', rounds } }] : [],
  );
  const unread = rows.flatMap(({ seat, isTold, rounds }) => (isTold ? [] : [[seat, rounds]]));
  return { unread: Object.fromEntries(unread), messages: [...sent, ...notices] };
}

export const shipNewsProperties = declareProperties<ShipProperty>({
  'the-game-asks-and-releases': {
    sentence:
      'Before each round the game asks exactly the players with a reason who can act. It releases late ones, calls time once at the deadline, and passes a stop on to the meeting.',
    holds: (transition) => {
      const { event, effects, after } = transition;
      const own = effects.filter(({ type }) => !/^(?:xstate\.|announce)/.test(type));
      const sent = own.map(({ type }) => {
        const send = OUTGOING.game[type as keyof typeof OUTGOING.game]; // an effect of the game
        return [type, send(after.context, event as never).map(withoutScene)];
      });
      return allHold({ 'the messages': [sent, Object.entries(expectedMessages(transition))] });
    },
  },
  'news-reach-those-they-concern': {
    sentence:
      'Players with something to decide, and called players, get the rounds they have missed: own sights, deeds, way and order, and the news for everybody. Refusals, deaths and departures reach them at once.',
    when: isRound,
    holds: (transition) => {
      const { context } = transition.after;
      const told = roundOf(transition);
      if (told === null) return false;
      const unread = Object.fromEntries(
        context.world.ship.seats.map(({ colour }) => [colour, EARLIER]),
      );
      return isSame(messagesAfterRound(unread, told, context), expectedNews(transition, told));
    },
  },
});
