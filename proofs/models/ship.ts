/**
 * A small ship to check: a part of The Skeld with three rooms on one hallway, and the possible events of a game on it.
 * Every active player decides anew in every round, so an earlier decision has no effect. Actions that are always
 * refused are listed only if the environment asks for them. A meeting is one event with every possible end. Crewmates
 * with the same tasks are alike, so tables that differ only in their colours are merged.
 */
import type { MachinePoint } from 'glass-box-checker';
import type { GameInput } from '../../machines/charts/game.ts';
import type { MeetingOutput } from '../../machines/charts/meeting.ts';
import type { ToGame } from '../../machines/messages.ts';
import {
  defaultGameOptions,
  defaultOptions,
  type GameOptions,
  type MeetingOptions,
} from '../../machines/rules/options.ts';
import type { GameCourse } from '../../machines/rules/ship/game.ts';
import { neighbours } from '../../machines/rules/ship/map.ts';
import type { Intent, Order } from '../../machines/rules/ship/orders.ts';
import type { Task } from '../../machines/rules/ship/tasks.ts';
import {
  isActive,
  isLiving,
  roleOf,
  taskIndex,
  type World,
} from '../../machines/rules/ship/world.ts';
import { LATE, LEFT, OUTAGE } from '../../machines/rules/tick.ts';
import {
  type BySeat,
  COLOURS,
  type Colour,
  type Room,
  type ShipMap,
  type Standing,
  type System,
} from '../../machines/types.ts';
import { combineChoices } from './closings.ts';

/** Cafeteria has the button, Storage a door and the lights, Admin the reactor. A vent joins the first two. */
const ANNEXE: ShipMap = {
  name: 'the annexe',
  places: ['Cafeteria', 'Storage', 'Admin', 'Admin hallway'],
  openings: {
    Cafeteria: ['Admin hallway'],
    Storage: ['Admin hallway'],
    Admin: ['Admin hallway'],
    'Admin hallway': ['Cafeteria', 'Storage', 'Admin'],
  },
  vents: [
    { id: 0, place: 'Cafeteria', links: [1] },
    { id: 1, place: 'Admin', links: [0] },
  ],
  doors: ['Storage'],
  cameras: null,
  adminTable: 'Admin',
  button: 'Cafeteria',
  consoles: {
    reactor: ['Admin', 'Admin'],
    o2: ['Storage', 'Admin'],
    lights: ['Storage'],
    comms: ['Admin'],
  },
};

export const ONLY_TASK: Task = {
  id: 'empty-garbage',
  name: 'Empty Garbage',
  kind: 'long',
  visual: true,
  steps: [{ place: 'Storage', rounds: 1 }],
};

type SmallShip = {
  readonly impostors?: number;
  readonly tasks?: readonly Task[];
  readonly map?: ShipMap;
};

/** Storage shows the Cafeteria. */
export const WITH_CAMERAS: ShipMap = {
  ...ANNEXE,
  cameras: { at: 'Storage', show: ['Cafeteria'] },
};

/** Its first step can be interrupted, and no player has to walk there. */
export const LONG_TASK: Task = {
  ...ONLY_TASK,
  steps: [
    { place: 'Cafeteria', rounds: 2 },
    { place: 'Cafeteria', rounds: 1 },
  ],
};

/** A game on the small ship: red is the impostor, and everybody else has one task. Clocks are short. */
export function createSmallGame(
  players: number,
  options: Partial<GameOptions> = {},
  { impostors = 1, tasks = [ONLY_TASK], map = ANNEXE }: SmallShip = {},
  meeting: Partial<MeetingOptions> = {},
): GameInput {
  const seats = COLOURS.slice(0, players);
  return {
    seed: 1,
    players: [],
    ghostBudget: null,
    ship: {
      map,
      options: { ...defaultGameOptions(players), ...SHORT, ...options },
      meeting: { ...defaultOptions(players), patience: 2, ...meeting },
      computed: ['slope', 'grace'],
      seats: seats.map((colour, index) => {
        return { colour, role: index < impostors ? 'impostor' : 'crewmate' };
      }),
      tasks: Object.fromEntries(seats.map((seat) => [seat, tasks])),
    },
  };
}

export type ShipPosition = { readonly at: string; readonly context: GameCourse };

/** Two rounds, or four until a sabotage succeeds. This is shorter than in any lobby, but uses the same clock. */
const SHORT: Partial<GameOptions> = {
  killCooldown: 5,
  emergencyCooldown: 5,
  sabotageCooldown: 5,
  reactorSeconds: 10,
  o2Seconds: 10,
  doorSeconds: 5,
  doorCooldown: 5,
  buttons: 0,
};

/**
 * All data that decides the rest of a game if everybody decides anew in every round. It omits the round number of a game
 * without a near end, earlier decisions, pending requests and views. No player stops halfway between places.
 */
export function shipView({ at, context }: ShipPosition) {
  const { world, ending, call, round } = context;
  const seats = world.ship.seats.map(({ colour }) => seatView(world, colour));
  const { crisis, sabotageWait, buttonWait, doors } = world;
  const isEndNear = world.ship.options.maxRounds < NEAR_END;
  const view = { at, seats, crisis, sabotageWait, buttonWait, doors, ending };
  return { ...view, isCalled: call !== null, ...(isEndNear ? { round } : {}) };
}

const NEAR_END = 10;

export function wholeView(position: ShipPosition) {
  const { players } = position.context.world;
  const paths = Object.values(players).map(({ intent, stride }) => [intent, stride]);
  return { ...shipView(position), paths };
}

function seatView({ players, standings, bodies, streaks, ship }: World, seat: Colour) {
  const player = players[seat];
  if (player === undefined) return null;
  const { place, vent, killWait, buttons, progress } = player;
  const body = bodies.find(({ victim }) => victim === seat)?.place ?? null;
  const view = [standings[seat], place, vent, killWait, buttons, progress, body];
  const moved = ship.options.killDistance === 'short' && player.moved;
  return [...view, streaks[seat] ?? 0, ...(moved ? [moved] : [])];
}

export const crewSymmetry = {
  name: 'crewmates',
  orbit: ({ place, context, timers }: MachinePoint<GameCourse>): string => {
    const { world } = context;
    const view = shipView({ at: place.name, context });
    const all = world.ship.seats.map(
      ({ role }, index) => `${role} ${JSON.stringify(view.seats[index])}`,
    );
    return JSON.stringify({ ...view, seats: all.toSorted(), running: timers.map(({ id }) => id) });
  },
};

type ShipAction =
  | 'walks'
  | 'kills'
  | 'vents'
  | 'reports'
  | 'buttons'
  | 'tasks'
  | 'thinks'
  | 'stops';

/**
 * The possible actions. An omitted action is never tried. `faults`, `outages`: minds or their endpoints may fail. `fakes`: impostors fake tasks.
 * `meddles`: ghosts try what only the living may, and killers reach across the ship. `roams`: the last seat may go far,
 * follow, work, watch and continue, and no one but the second walks. Ghosts walk if anybody works.
 */
export type ShipEnvironment = {
  readonly [Action in ShipAction | 'faults' | 'outages' | 'fakes' | 'meddles' | 'roams']?: boolean;
} & {
  readonly sabotages?: readonly System[];
  readonly doors?: readonly Room[];
  readonly leavers?: number;
};

export type MeetingOver = {
  readonly type: 'xstate.done.actor.meetingSession';
  readonly output: MeetingOutput & { readonly outcome: 'ejected' | 'skipped' };
};
export type ShipEvent = ToGame | MeetingOver;

export function shipEvents(environment: ShipEnvironment) {
  const stops = environment.stops ? STOPS : [];
  return ({ at, context }: ShipPosition): readonly ShipEvent[] => {
    if (at === 'over') return [];
    if (at === 'meeting') return [...listMeetingEnds(context.world, environment), ...stops];
    const isThinking = environment.thinks && at === 'round.opening';
    return [
      ...(isThinking ? [{ type: 'orders.outstanding' } as const] : []),
      ...listGatherings(context, environment),
      ...stops,
    ];
  };
}

const STOPS: readonly ToGame[] = [
  { type: 'game.stopped', reason: 'interrupted' },
  { type: 'game.stopped', reason: 'unfinished' },
];

/** Every way to decide a round: one order from each list, and the player whom chance prefers. */
function listGatherings(
  { world, round }: GameCourse,
  environment: ShipEnvironment,
): readonly ToGame[] {
  const active = COLOURS.filter((seat) => world.players[seat] && isActive(world, seat));
  const lists = active.map((seat) => listOrders(world, seat, environment));
  return combineChoices(lists).flatMap((orders) =>
    preferredIn(orders).map((preferred): ToGame => {
      const draws = COLOURS.map((seat, lane) => [seat, seat === preferred ? COLOURS.length : lane]);
      return { type: 'orders.gathered', round, orders, draws: Object.fromEntries(draws) };
    }),
  );
}

/** The players whom chance may prefer: all rivals if there are several, otherwise it has no effect. */
function preferredIn(orders: readonly Order[]): readonly (Colour | null)[] {
  const rivals = orders.filter(
    (order) => order.type === 'order' && CONTESTED.includes(order.decision.intent?.type ?? 'wait'),
  );
  return rivals.length < 2 ? NOBODY : rivals.map(({ seat }) => seat);
}

const CONTESTED: readonly Intent['type'][] = ['button', 'report', 'kill', 'sabotage', 'shut'];
const NOBODY = [null] as const;

function listOrders(world: World, seat: Colour, environment: ShipEnvironment): readonly Order[] {
  const orders = [
    ...listIntents(world, seat, environment).map((intent) => orderFor(seat, intent)),
    ...(environment.roams && seat === world.ship.seats.at(-1)?.colour ? listRoaming(world) : []),
    ...(environment.faults ? [faultIn(seat, LATE)] : []),
    ...(environment.outages ? [faultIn(seat, `${OUTAGE}late`)] : []),
  ];
  const gone = COLOURS.filter((one) => world.standings[one] === 'departed').length;
  if (gone >= (environment.leavers ?? 0)) return orders;
  return [...orders, faultIn(seat, LEFT)];
}

const faultIn = (seat: Colour, code: string): Order => ({ type: 'fault', seat, code, text: '' });

function listRoaming({ ship }: World): readonly Order[] {
  const [second, last] = [ship.seats.at(1)?.colour ?? 'blue', ship.seats.at(-1)?.colour ?? 'green'];
  const intents: readonly (Intent | null)[] = [
    null,
    ...ship.map.places.map((to): Intent => ({ type: 'go', to })),
    { type: 'follow', whom: second, rounds: 2 },
    { type: 'task', task: ONLY_TASK.id },
    { type: 'fix', at: 'Admin' },
    { type: 'watch', what: 'cameras', rounds: 2 },
    { type: 'watch', what: 'admin', rounds: 1 },
  ];
  return intents.map((intent) => orderFor(last, intent));
}

const ORDERS = new Map<string, Order>();

export function orderFor(seat: Colour, intent: Intent | null): Order {
  const key = `${seat} ${JSON.stringify(intent)}`;
  const decision = { thought: '', intent, pads: {}, notes: [] };
  const order: Order = ORDERS.get(key) ?? { type: 'order', seat, received: null, decision };
  ORDERS.set(key, order);
  return order;
}

type IntentRow = readonly [isPossible: boolean | undefined, intents: readonly Intent[]];

/** Includes disabled buttons and doors, and kills during the cooldown, to test the refusal. */
export function listIntents(
  world: World,
  seat: Colour,
  environment: ShipEnvironment,
): readonly Intent[] {
  const player = world.players[seat];
  if (player === undefined) return [];
  const { place, vent } = player;
  const { ship, crisis, bodies } = world;
  const { walks, reports, buttons, kills, vents, tasks, fakes, meddles, roams } = environment;
  const { sabotages = [], doors = [] } = environment;
  const isEvil = roleOf(world, seat) === 'impostor';
  const isAlive = isLiving(world, seat);
  const isFree = isAlive && vent === null;
  const isWalker = roams ? seat === ship.seats.at(1)?.colour : walks;
  const crew = COLOURS.filter((one) => isLiving(world, one) && roleOf(world, one) === 'crewmate');
  const near = crew.filter((one) => world.players[one]?.place === place);
  const victims = meddles ? crew : near;
  const ways = ship.map.vents.filter((one) =>
    vent === null ? one.place === place : one.links.includes(vent),
  );
  const open = openTasks(world, seat);
  const consoles = crisis === null ? [] : ship.map.consoles[crisis.system];
  const keypad = consoles.find((at) => at === place);
  const here = bodies.flatMap(({ victim, place: at }) => (at === place ? victim : []));
  // Who may be killed in this round is reported in it.
  const { red } = world.players;
  const isDeadly = walks && meddles && !isEvil && red?.place === place && red.killWait === 0;
  const fallen = isDeadly ? [...here, ...near] : here;
  const rows: readonly IntentRow[] = [
    [true, [{ type: 'wait', rounds: 1 }]],
    [
      (isAlive ? isWalker : tasks) && vent === null,
      neighbours(ship.map, place).map((to) => ({ type: 'go', to })),
    ],
    [reports && isFree, fallen.map((body) => ({ type: 'report', body }))],
    [buttons && isFree && place === ship.map.button, [{ type: 'button' }]],
    [kills && isEvil && isFree, victims.map((whom) => ({ type: 'kill', whom }))],
    [vents && isEvil && isAlive, ways.map(({ id }) => ({ type: 'vent', to: id }))],
    [vents && isEvil && isAlive && vent !== null, [{ type: 'surface' }]],
    [isEvil, sabotages.map((system) => ({ type: 'sabotage', system }))],
    [isEvil, doors.map((room) => ({ type: 'shut', room }))],
    // The way to a task is an ordinary walk.
    [tasks && !isEvil, open.map(({ id }) => ({ type: 'task', task: id }))],
    [fakes && isEvil && isFree, open.map(({ id }) => ({ type: 'fake', task: id }))],
    [meddles && !isAlive, listMeddling(world)],
    [isFree, keypad === undefined ? [] : [{ type: 'fix', at: keypad }]],
  ];
  return rows.flatMap(([isPossible, intents]) => (isPossible ? intents : []));
}

function listMeddling({ bodies, ship }: World): readonly Intent[] {
  return [
    { type: 'kill', whom: 'red' },
    { type: 'shut', room: ship.map.doors[0] ?? 'Storage' },
    ...bodies.slice(0, 1).map(({ victim }): Intent => ({ type: 'report', body: victim })),
  ];
}

function openTasks(world: World, seat: Colour): readonly Task[] {
  const player = world.players[seat];
  return (world.ship.tasks[seat] ?? []).filter(({ id, steps }) => {
    const done = player?.progress[taskIndex(world, seat, id)]?.steps ?? 0;
    return steps[done]?.place === player?.place;
  });
}

/** A meeting ejects any player or none, and a player may leave during it. */
export function listMeetingEnds(
  world: World,
  { leavers = 0 }: ShipEnvironment,
): readonly ShipEvent[] {
  const { standings } = world;
  const living = COLOURS.filter((seat) => standings[seat] === 'living');
  const gone = COLOURS.filter((seat) => standings[seat] === 'departed').length;
  const after = (seat: Colour, standing: Standing) => ({ ...standings, [seat]: standing });
  return [
    endMeeting(null, standings),
    ...living.map((seat) => endMeeting(seat, after(seat, 'dead'))),
    ...(gone < leavers ? living.map((seat) => endMeeting(null, after(seat, 'departed'))) : []),
  ];
}

function endMeeting(ejected: Colour | null, standings: BySeat<Standing>): ShipEvent {
  const outcome = ejected === null ? 'skipped' : 'ejected';
  const call = { by: 'red', kind: 'button', body: null, place: null } as const;
  // The meeting's public result has no effect on the ship.
  const output = { outcome, ejected, standings, held: { call, result: null } } as const;
  return { type: 'xstate.done.actor.meetingSession', output };
}
