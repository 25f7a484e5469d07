/**
 * Properties of the game's messages: requests, releases and stops, the news after a round, the start of a meeting,
 * and the truth that only ghosts get (rulings 44 to 47 and 57).
 */

import { playerId } from '../../machines/messages.ts';
import { messagesAfterRound, OUTGOING, type OutgoingMessage } from '../../machines/outgoing.ts';
import type { WorldTruth } from '../../machines/rules/record.ts';
import type { RoundEvent } from '../../machines/rules/ship/draft.ts';
import type { GameCourse, GameFact } from '../../machines/rules/ship/game.ts';
import { LATE } from '../../machines/rules/tick.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import { declareProperties, isSame, readFacts, sortFields } from './property.ts';
import {
  canAct,
  isImpostor,
  isLiving,
  isRound,
  listLiving,
  roundEvents,
  roundsLeft,
  SECONDS,
  type ShipProperty,
  type ShipTransition,
} from './shipSteps.ts';

/** The state of the ship and the secret deeds of the game, dated by the meetings before which they happened. */
export function truthOf({ world, chronicle, calls, round }: GameCourse): WorldTruth {
  const { ship, players, crisis, doors } = world;
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
    shut: doors.flatMap(({ room, shut }) => (shut > 0 ? room : [])),
    deeds: chronicle.map(({ round: at, ...deed }) => {
      const ago = ((calls[deed.meeting - 1] ?? round) - at) * SECONDS;
      return { ...deed, ago, at: at * SECONDS };
    }),
  };
}

/** The effects of the game's own: everything but facts and the doings of actors. */
function expectedEffects({ before, event, after }: ShipTransition): readonly string[] {
  const asks = after.at === 'round.opening' ? ['requestOrders'] : [];
  switch (event.type) {
    case 'orders.gathered':
      return ['releaseMissing', ...asks];
    case 'xstate.done.actor.meetingSession':
      return asks;
    case 'game.stopped':
      return before.at === 'meeting' ? ['stopMeeting'] : [];
    case 'orders.outstanding':
      return [];
    default:
      // The deadline.
      return ['callTime'];
  }
}

/** The messages of these effects, without the scenes in requests. */
function expectedMessages({ before, event, after }: ShipTransition) {
  const { round, world } = after.context;
  const asked = COLOURS.filter((seat) => world.asks[seat] !== undefined && canAct(world, seat));
  const missed =
    event.type === 'orders.gathered'
      ? event.orders.filter((order) => order.type === 'fault' && order.code === LATE)
      : [];
  const outcome = event.type === 'game.stopped' && STOPS[event.reason];
  return {
    requestOrders: [
      { to: 'orders', message: { type: 'orders.awaited', round, seats: asked } },
      ...asked.map((seat) => ({ to: playerId(seat), message: 'order.requested' })),
      { to: 'orders', message: { type: 'orders.requested', round } },
    ],
    releaseMissing: missed.map(({ seat }) => {
      const message = { type: 'round.missed', round: before.context.round };
      return { to: playerId(seat), message };
    }),
    callTime: [{ to: 'orders', message: { type: 'time.called', round } }],
    stopMeeting: [{ to: 'meeting', message: { type: 'meeting.stopped', outcome } }],
  };
}

const STOPS = { interrupted: 'interrupted', unfinished: 'unconverged' } as const;
const withoutScene = ({ to, message }: OutgoingMessage) => ({
  to,
  message: message.type === 'order.requested' ? message.type : message,
});

/** A player's deeds in a round. */
function deedsOf({ world }: GameCourse, event: RoundEvent, seat: Colour): readonly object[] {
  const isBy = ('by' in event && event.by === seat) || ('seat' in event && event.seat === seat);
  switch (event.type) {
    case 'sabotage.fixed':
      return event.by.includes(seat) ? [{ type: 'fix', system: event.system }] : [];
    case 'player.killed':
      return isBy ? [{ type: 'kill', victim: event.victim, place: event.place }] : [];
    case 'vent.used':
      return isBy ? [{ type: 'vent', how: event.how, place: event.place }] : [];
    case 'sabotage.begun':
      return isBy ? [{ type: 'sabotage', system: event.system }] : [];
    case 'doors.shut':
      return isBy ? [{ type: 'shut', room: event.room }] : [];
    case 'task.stepped': {
      const task = world.ship.tasks[seat]?.find(({ id }) => id === event.task);
      const place = task?.steps[event.steps - 1]?.place;
      return isBy ? [{ type: 'task', task: task?.name, place, done: event.done }] : [];
    }
    default:
      return [];
  }
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
    const deeds = events.flatMap((event) => deedsOf(transition.after.context, event, seat));
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

/** A meeting of the game so far. The default slope and grace of silence follow the living players (ruling 47). */
function expectedSession(course: GameCourse & Record<'players' | 'ghostBudget', unknown>) {
  const { seed, world, meetings, call, record, ghostBudget } = course;
  const { map, options, meeting, seats } = world.ship;
  const { weights } = meeting;
  const living = listLiving(world).length;
  const spread = MOST_LEAD + weights.mention + weights.accusation + weights.voted;
  const slope = Math.floor(spread / (Math.max(living, FEWEST) + 1)) + 1;
  const silence = { ...weights.silence, slope, grace: living };
  const setting = {
    chance: { seed, meeting: meetings },
    options: { ...meeting, weights: { ...weights, silence } },
    ...{ seats, call, circumstances: { meetingRunning: false, gameOver: false } },
    ...{ standings: world.standings, record, ship: { map, options } },
    ...{ world: truthOf(course), kills: [] },
  };
  return { setting, players: [], ghostBudget };
}

/** The desire and the dice of two players differ by at most this. */
const MOST_LEAD = 15;
const FEWEST = 3;

export const shipStartProperty: ShipProperty = {
  name: 'a-game-begins-afresh',
  sentence:
    'A game begins at the button with full clocks, nothing done or broken, everybody asked, and a record that says how many impostors there are, unless the lobby hides it.',
  kind: 'start',
  holds: ({ state: { at, context } }) => {
    const { world, known, record, chronicle, calls, round, meetings } = context;
    const { ship, players, standings, asks, ...rest } = world;
    const { map, options, seats, tasks } = ship;
    const all = seats.map(({ colour }) => colour);
    const clock = (seconds: number) => roundsLeft(seconds) + 1;
    const fresh = { place: map.button, vent: null, intent: null, moved: false, stride: 0 };
    const isFresh = (seat: Colour) => {
      const wait = isImpostor(world, seat)
        ? (options.firstKillCooldown ?? options.killCooldown)
        : 0;
      const progress = (tasks[seat] ?? []).map(() => ({ steps: 0, worked: 0 }));
      const expected = {
        ...fresh,
        killWait: Math.max(0, clock(wait)),
        buttons: options.buttons,
        progress,
      };
      return isSame(sortFields(players[seat] ?? {}), sortFields(expected));
    };
    const calm = {
      ...{ streaks: {}, bodies: [], crisis: null, doors: [], barShown: 0 },
      sabotageWait: clock(options.sabotageCooldown),
      buttonWait: clock(options.emergencyCooldown),
    };
    const impostors = options.showImpostors
      ? all.filter((one) => isImpostor(world, one)).length
      : null;
    return (
      all.every((one) => isFresh(one) && isLiving(world, one) && isSame(asks[one], ['begun'])) &&
      isSame(sortFields(rest), sortFields(calm)) &&
      isSame(record, { impostors, meetings: [], losses: [], bar: null }) &&
      isSame([at, known, chronicle, calls, round, meetings], ['round.opening', all, [], [], 0, 0])
    );
  },
};

export const shipNewsProperties = declareProperties<ShipProperty>({
  'the-game-asks-and-releases': {
    sentence:
      'Before each round the game asks exactly the players with a reason who can act. It releases late ones, calls time once at the deadline, and passes a stop on to the meeting.',
    holds: (transition) => {
      const { event, effects, after } = transition;
      const own = effects.flatMap(({ type }) => (/^(?:xstate\.|announce)/.test(type) ? [] : type));
      if (!isSame(own, expectedEffects(transition))) return false;
      const sent = expectedMessages(transition);
      return own.every((effect) => {
        const name = effect as keyof typeof sent; // an expected effect
        const messages: readonly OutgoingMessage[] = OUTGOING.game[name](
          after.context,
          event as never,
        ); // of the game
        return isSame(messages.map(withoutScene), sent[name]);
      });
    },
  },
  'news-reach-those-they-concern': {
    sentence:
      'Players with something to decide, and called players, get the rounds they have missed: own sights, deeds, way and order, and the news for everybody. Refusals, deaths and departures reach them at once.',
    when: isRound,
    holds: (transition) => {
      const { context } = transition.after;
      const [told] = readFacts<GameFact>(transition.effects);
      if (told?.type !== 'round.closed') return false;
      const unread = Object.fromEntries(
        context.world.ship.seats.map(({ colour }) => [colour, EARLIER]),
      );
      return isSame(messagesAfterRound(unread, told, context), expectedNews(transition, told));
    },
  },
  'a-meeting-begins-with-the-game-so-far': {
    sentence:
      'A called meeting gets its number, call, seats, standings, record, ship and the truth for ghosts, with the silence of the players who still live.',
    when: ({ before, after }) => before.at !== 'meeting' && after.at === 'meeting',
    holds: ({ after: { context }, effects }) => {
      const begun = effects.find(({ type }) => type === 'xstate.spawnChild');
      const input = (begun?.params as { readonly input?: unknown } | undefined)?.input; // as steppers say it
      return isSame(input, expectedSession(context as Parameters<typeof expectedSession>[0])); // a game's context has both
    },
  },
});
