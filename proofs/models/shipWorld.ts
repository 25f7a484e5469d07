/**
 * The world of a game: what minds, chance and meetings may do to it next, on a ship that is small enough to be searched.
 *
 * Everybody who may act decides anew in every round, so that what somebody was about before decides nothing; nothing
 * is listed that could only be refused, but for what the menu asks to be refused. A meeting is an event: it ends in any
 * way in which it can end.
 */
import type { ToGame } from '../../machines/messages.ts';
import { LEFT } from '../../machines/rules/meeting.ts';
import type { GameCourse } from '../../machines/rules/ship/game.ts';
import { neighbours, type System } from '../../machines/rules/ship/map.ts';
import type { Intent, Order } from '../../machines/rules/ship/orders.ts';
import {
  isActive,
  isLiving,
  roleOf,
  taskIndex,
  type World,
} from '../../machines/rules/ship/world.ts';
import {
  type BySeat,
  COLOURS,
  type Colour,
  type Room,
  type Standing,
} from '../../machines/types.ts';

/** What may be done on board; whatever is not on the menu is never tried. */
export type Menu = {
  readonly walks?: boolean;
  readonly kills?: boolean;
  readonly vents?: boolean;
  readonly reports?: boolean;
  readonly buttons?: boolean;
  readonly tasks?: boolean;
  readonly sabotages?: readonly System[];
  readonly doors?: readonly Room[];
  /** Most players who may get up and leave. */
  readonly leavers?: number;
  /** Minds may take their time. */
  readonly thinks?: boolean;
  /** The operator may stop the game. */
  readonly stops?: boolean;
};

/** The end of a meeting, as the game hears of it. */
type MeetingOver = {
  readonly type: 'xstate.done.actor.sitting';
  readonly output: {
    readonly outcome: 'ejected' | 'skipped';
    readonly ejected: Colour | null;
    readonly standings: BySeat<Standing>;
  };
};
export type ShipEvent = ToGame | MeetingOver;

type Situation = { readonly at: string; readonly context: GameCourse };

/** What may happen next in a game, timers apart. */
export function shipWorld(menu: Menu): (situation: Situation) => readonly ShipEvent[] {
  const stops = menu.stops ? STOPS : [];
  return ({ at, context }) => {
    switch (at) {
      case 'round.opening':
        return [...(menu.thinks ? [OUTSTANDING] : []), ...gatherings(context, menu), ...stops];
      case 'round.deciding':
        return [...gatherings(context, menu), ...stops];
      case 'meeting':
        return [...meetingEnds(context.world, menu), ...stops];
      default:
        return [];
    }
  };
}

const OUTSTANDING: ToGame = { type: 'orders.outstanding' };
const STOPS: readonly ToGame[] = [
  { type: 'game.stopped', reason: 'interrupted' },
  { type: 'game.stopped', reason: 'unfinished' },
];

/** Every way in which a round can be decided: the orders of all, one from each list, and whom chance prefers. */
function gatherings({ world, round }: GameCourse, menu: Menu): readonly ToGame[] {
  const lists = COLOURS.flatMap((seat) =>
    world.players[seat] !== undefined && isActive(world, seat) ? [ordersOf(world, seat, menu)] : [],
  );
  let combined: readonly (readonly Order[])[] = [[]];
  for (const list of lists) {
    combined = combined.flatMap((orders) => list.map((order) => [...orders, order]));
  }
  return combined.flatMap((orders) =>
    preferredIn(orders).map(
      (preferred): ToGame => ({
        type: 'orders.gathered',
        round,
        orders,
        draws: Object.fromEntries(
          COLOURS.map((seat, lane) => [seat, seat === preferred ? COLOURS.length : lane]),
        ),
      }),
    ),
  );
}

/** Who may be lucky: all callers where several call; otherwise it decides nothing. */
function preferredIn(orders: readonly Order[]): readonly (Colour | null)[] {
  const callers = orders.filter(
    (order) =>
      order.type === 'order' &&
      (order.decision.intent?.type === 'button' || order.decision.intent?.type === 'report'),
  );
  return callers.length < 2 ? NOBODY : callers.map(({ seat }) => seat);
}

const NOBODY = [null] as const;

function ordersOf(world: World, seat: Colour, menu: Menu): readonly Order[] {
  const orders = intentsOf(world, seat, menu).map((intent) => orderFor(seat, intent));
  const gone = COLOURS.filter((one) => world.standings[one] === 'departed').length;
  if (gone >= (menu.leavers ?? 0)) return orders;
  return [...orders, { type: 'fault', seat, code: LEFT, text: 'got up and left' }];
}

/** Orders are values: one of each is enough. */
const ORDERS = new Map<string, Order>();

function orderFor(seat: Colour, intent: Intent): Order {
  const key = `${seat} ${JSON.stringify(intent)}`;
  const known = ORDERS.get(key);
  if (known !== undefined) return known;
  const decision = { thought: '', intent, pads: {}, notes: [] };
  const order: Order = { type: 'order', seat, received: null, decision };
  ORDERS.set(key, order);
  return order;
}

const WAIT: Intent = { type: 'wait', rounds: 1 };

function intentsOf(world: World, seat: Colour, menu: Menu): readonly Intent[] {
  const player = world.players[seat];
  if (player === undefined) return [];
  const { map } = world.ship;
  const isImpostor = roleOf(world, seat) === 'impostor';
  const isAlive = isLiving(world, seat);
  const inside = player.vent !== null;
  return [
    WAIT,
    ...(menu.walks && !inside
      ? neighbours(map, player.place).map((to): Intent => ({ type: 'go', to }))
      : []),
    ...(isAlive && !inside ? callsOf(world, seat, menu) : []),
    ...(isAlive && isImpostor ? stabsOf(world, seat, menu) : []),
    ...(isImpostor ? sabotagesOf(world, menu) : tasksOf(world, seat, menu)),
    ...(isAlive && world.crisis !== null && !inside
      ? [...new Set(map.consoles[world.crisis.system])]
          .filter((at) => at === player.place)
          .map((at): Intent => ({ type: 'fix', at }))
      : []),
  ];
}

/** The button is pressed also when it does not work, so that it is seen not to. */
function callsOf(world: World, seat: Colour, menu: Menu): readonly Intent[] {
  const place = world.players[seat]?.place;
  const bodies = world.bodies.filter((body) => body.place === place);
  return [
    ...(menu.reports ? bodies.map(({ victim }): Intent => ({ type: 'report', body: victim })) : []),
    ...(menu.buttons && place === world.ship.map.button ? [PRESS] : []),
  ];
}

const PRESS: Intent = { type: 'button' };

/** A kill is tried also before its time. */
function stabsOf(world: World, seat: Colour, menu: Menu): readonly Intent[] {
  const player = world.players[seat];
  if (player === undefined) return [];
  const here = COLOURS.filter(
    (other) => isLiving(world, other) && roleOf(world, other) === 'crewmate',
  );
  const vents = world.ship.map.vents.filter(({ place, links }) =>
    player.vent === null ? place === player.place : links.includes(player.vent),
  );
  return [
    ...(menu.kills && player.vent === null
      ? here
          .filter((other) => world.players[other]?.place === player.place)
          .map((whom): Intent => ({ type: 'kill', whom }))
      : []),
    ...(menu.vents ? vents.map(({ id }): Intent => ({ type: 'vent', to: id })) : []),
    ...(menu.vents && player.vent !== null ? [CLIMB] : []),
  ];
}

const CLIMB: Intent = { type: 'surface' };

function sabotagesOf(world: World, { sabotages = [], doors = [] }: Menu): readonly Intent[] {
  return [
    ...sabotages.map((system): Intent => ({ type: 'sabotage', system })),
    ...doors
      .filter((room) => world.doors.every((door) => door.room !== room || door.wait === 0))
      .map((room): Intent => ({ type: 'shut', room })),
  ];
}

/** Work in the own place: the way there is walked like any other. */
function tasksOf(world: World, seat: Colour, menu: Menu): readonly Intent[] {
  const player = world.players[seat];
  if (!menu.tasks || player === undefined) return [];
  return (world.ship.tasks[seat] ?? [])
    .filter(({ id, steps }) => {
      const done = player.progress[taskIndex(world, seat, id)]?.steps ?? 0;
      return steps[done]?.place === player.place;
    })
    .map(({ id }): Intent => ({ type: 'task', task: id }));
}

/** A meeting votes out anybody or nobody, and somebody may leave during it. */
function meetingEnds(world: World, { leavers = 0 }: Menu): readonly ShipEvent[] {
  const { standings } = world;
  const living = COLOURS.filter((seat) => standings[seat] === 'living');
  const gone = COLOURS.filter((seat) => standings[seat] === 'departed').length;
  const after = (seat: Colour, standing: Standing) => ({ ...standings, [seat]: standing });
  return [
    over(null, standings),
    ...living.map((seat) => over(seat, after(seat, 'dead'))),
    ...(gone < leavers ? living.map((seat) => over(null, after(seat, 'departed'))) : []),
  ];
}

function over(ejected: Colour | null, standings: BySeat<Standing>): ShipEvent {
  const outcome = ejected === null ? 'skipped' : 'ejected';
  return { type: 'xstate.done.actor.sitting', output: { outcome, ejected, standings } };
}
