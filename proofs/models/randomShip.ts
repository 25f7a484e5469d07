/** Games at random on the small ship with every option. Everybody tries everything, and rounds fork now and then. */
import type { GameInput } from '../../machines/charts/game.ts';
import { drawWords } from '../../machines/rules/dice.ts';
import type { GameOptions } from '../../machines/rules/options.ts';
import type { GameCourse } from '../../machines/rules/ship/game.ts';
import type { Intent, Order } from '../../machines/rules/ship/orders.ts';
import type { Task } from '../../machines/rules/ship/tasks.ts';
import { isActive, type World } from '../../machines/rules/ship/world.ts';
import { LATE, LEFT, OUTAGE } from '../../machines/rules/tick.ts';
import { COLOURS, type Colour, SYSTEMS } from '../../machines/types.ts';
import {
  createSmallGame,
  LONG_TASK,
  listIntents,
  listMeetingEnds,
  ONLY_TASK,
  orderFor,
  type ShipEnvironment,
  type ShipEvent,
  type ShipPosition,
  WITH_CAMERAS,
} from './ship.ts';

/** Every option, also with times that are not whole rounds, and with other values than related options have. */
export const VARIED: { readonly [Key in keyof GameOptions]: readonly GameOptions[Key][] } = {
  impostors: [2, 1],
  killCooldown: [5, 8, 3],
  firstKillCooldown: [null, 2.5, 11],
  killDistance: ['short', 'normal', 'long'],
  playerSpeed: [1, 3, 0.5, 1.75],
  crewVision: [1.25, 0.25, 2.5],
  impostorVision: [1, 1.5, 5],
  buttons: [2, 0, 1],
  emergencyCooldown: [6, 0],
  showImpostors: [true, false],
  visualTasks: [true, false],
  taskBar: ['always', 'meetings', 'never'],
  commonTasks: [1, 0],
  longTasks: [0, 1],
  shortTasks: [1, 0],
  ghostsDoTasks: [true, false],
  sabotageCooldown: [4, 0, 7.5],
  reactorSeconds: [11, 15],
  o2Seconds: [15, 21],
  doorSeconds: [2.5, 6],
  doorCooldown: [0, 4, 10],
  attention: ['few', 'normal', 'all'],
  maxRounds: [33, 24],
  roundDeadlineMs: [60_000, 1],
};

export const RANDOM_GAMES = 14;
const [PLAYERS, FORK_EVERY, FORKS, PERCENT] = [6, 7, 3, 100] as const;

/** Draws items of lists, the same for the same seed. */
function drawFrom(seed: number) {
  let tick = 0;
  return <T>(list: readonly T[]): T | undefined => {
    const [word] = drawWords({ seed, meeting: 0, stream: 'run', tick: tick++ }, 0);
    return list[word % list.length];
  };
}

const OTHER_TASK: Task = { ...ONLY_TASK, id: 'swipe-card', visual: false };

export function optionsAt(game: number): Partial<GameOptions> {
  const draw = drawFrom(game);
  return Object.fromEntries(
    Object.entries(VARIED).map(([key, values]) => [key, draw<unknown>(values)]),
  );
}

export function createRandomGame(game: number): GameInput {
  const { impostors = 1, ...options } = optionsAt(game);
  const tasks = [LONG_TASK, OTHER_TASK];
  const ship = { impostors, tasks, map: WITH_CAMERAS };
  return createSmallGame(PLAYERS, options, ship, { patience: 1 + (game % 3) });
}

/** What makes sense in a round. */
export const SENSIBLE: ShipEnvironment = {
  ...{ walks: true, kills: true, vents: true, reports: true, buttons: true, tasks: true },
  ...{ fakes: true, sabotages: SYSTEMS, doors: ['Storage'], leavers: 3 },
};

export function randomEvents({ at, context }: ShipPosition): readonly ShipEvent[] {
  const { world, round } = context;
  const forks = round % FORK_EVERY === 0 ? FORKS : 1;
  return Array.from({ length: forks }, (_, fork) => {
    const draw = drawFrom(hash(JSON.stringify([world.players, round, fork])));
    if (at === 'meeting') return draw(listMeetingEnds(world, SENSIBLE));
    return at === 'round.opening' ? gather(context, draw) : undefined;
  }).filter((event) => event !== undefined);
}

function hash(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1)
    sum = (Math.imul(sum, 31) + text.charCodeAt(index)) >>> 0;
  return sum;
}

type DrawOne = ReturnType<typeof drawFrom>;

function gather({ world, round }: GameCourse, draw: DrawOne): ShipEvent {
  const percents = Array.from({ length: PERCENT }, (_, index) => index);
  const orders = COLOURS.filter((seat) => world.players[seat] && isActive(world, seat)).flatMap(
    (seat): readonly Order[] => {
      const chance = draw(percents) ?? 0;
      const code = [LEFT, LATE, LATE, `${OUTAGE}late`][chance];
      if (code !== undefined) return [{ type: 'fault', seat, code, text: '' }];
      if (chance < 20) return [];
      const kinds = listAnything(world);
      const intent =
        chance < 60 ? draw(listIntents(world, seat, SENSIBLE)) : draw(draw(kinds) ?? []);
      return [orderFor(seat, intent ?? null)];
    },
  );
  const numbers = Array.from({ length: 1000 }, (_, index) => index * COLOURS.length);
  const draws = COLOURS.map((seat, lane) => [seat, (draw(numbers) ?? 0) + lane]);
  return { type: 'orders.gathered', round, orders, draws: Object.fromEntries(draws) };
}

/** Intents of each type, whether they are possible or not. */
function listAnything({ ship: { map, seats, tasks } }: World): readonly (readonly Intent[])[] {
  const everybody = seats.map(({ colour }) => colour);
  const own = Object.values(tasks)[0] ?? [];
  const ofSeat = (make: (whom: Colour) => Intent) => everybody.map(make);
  return [
    [{ type: 'wait', rounds: 3 }, { type: 'button' }, { type: 'surface' }],
    map.places.map((to) => ({ type: 'go', to })),
    ofSeat((whom) => ({ type: 'follow', whom, rounds: 3 })),
    ofSeat((whom) => ({ type: 'kill', whom })),
    ofSeat((body) => ({ type: 'report', body })),
    own.flatMap(({ id }): Intent[] => [
      { type: 'task', task: id },
      { type: 'fake', task: id },
    ]),
    [0, 1, 2].map((to) => ({ type: 'vent', to })),
    SYSTEMS.map((system) => ({ type: 'sabotage', system })),
    [
      { type: 'shut', room: 'Storage' },
      { type: 'shut', room: 'Admin' },
      { type: 'fix', at: 'Admin' },
      { type: 'fix', at: 'Storage' },
    ],
    [
      { type: 'watch', what: 'cameras', rounds: 2 },
      { type: 'watch', what: 'admin', rounds: 2 },
    ],
  ];
}
