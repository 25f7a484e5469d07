import { startRecord } from '../../../../machines/rules/record.ts';
import type { GameCourse } from '../../../../machines/rules/ship/game.ts';
import { SKELD, ventsAt } from '../../../../machines/rules/ship/map.ts';
import type { Order } from '../../../../machines/rules/ship/orders.ts';
import type { World } from '../../../../machines/rules/ship/world.ts';
import {
  type BySeat,
  COLOURS,
  type Colour,
  type Place,
  ROOMS,
  SYSTEMS,
} from '../../../../machines/types.ts';
import { type Dealer, dealer } from '../../../actors/laws/gossip.ts';
import {
  aTask,
  aWorld,
  type IntentText,
  type Orders,
  ordersOf,
  type PlayerPart,
} from './worlds.ts';

export type WildRound = {
  readonly world: World;
  readonly orders: readonly Order[];
  readonly draws: BySeat<number>;
};

const SEATS = COLOURS.slice(0, 8);
const IMPOSTORS = ['blue', 'orange'] as const;
const HAUNTS: readonly Place[] = [
  'Cafeteria',
  'MedBay',
  'MedBay hallway',
  'Upper Engine',
  'Admin',
  'Admin hallway',
  'Reactor',
  'Electrical',
  'O2',
];

export function wildRound(seed: number): WildRound {
  const draw = dealer(seed, 77);
  const world = wildWorld(draw);
  const orders: Partial<Record<Colour, NonNullable<Orders[Colour]>>> = {};
  for (const seat of SEATS) {
    if (draw.is(0.15)) continue;
    const code = draw.is(0.6) ? 'seat/left' : 'mind/late';
    orders[seat] = draw.is(0.06) ? { fault: code } : wildIntent(draw, seat);
  }
  // Draws of one round differ.
  const draws = Object.fromEntries(
    COLOURS.map((seat, index) => [seat, draw.below(2 ** 20) * 32 + index]),
  );
  return { world, orders: ordersOf(orders), draws };
}

function wildWorld(draw: Dealer): World {
  const { below, is, one } = draw;
  const system = one(SYSTEMS);
  const isDead = (seat: Colour) => seat !== 'red' && seat !== 'blue' && is(0.35);
  const standings = Object.fromEntries(
    SEATS.map((seat) => [
      seat,
      isDead(seat) ? one(['dead', 'dead', 'departed'] as const) : ('living' as const),
    ]),
  );
  const bodies = SEATS.filter((seat) => standings[seat] === 'dead' && is(0.7)).map((victim) => ({
    victim,
    place: one(HAUNTS),
  }));
  const doors = SKELD.doors
    .filter(() => is(0.15))
    .map((room) => ({ room, shut: below(3), wait: 1 + below(5) }));
  return aWorld({
    seats: SEATS,
    impostors: IMPOSTORS,
    rules: one(['house', 'classic'] as const),
    patience: 1 + below(3),
    options: {
      playerSpeed: one([0.5, 1, 1, 1.5, 2, 3]),
      killDistance: one(['short', 'normal', 'long'] as const),
      crewVision: one([0.5, 1, 1.25, 2.5]),
      impostorVision: one([1, 1.5, 3]),
      visualTasks: is(0.5),
    },
    tasks: Object.fromEntries(SEATS.map((seat) => [seat, wildTasks(draw)])),
    players: Object.fromEntries(SEATS.map((seat) => [seat, wildPlayer(draw, seat)])),
    standings,
    ...(is(0.4)
      ? {
          crisis: {
            system,
            left: system === 'reactor' || system === 'o2' ? 1 + below(5) : null,
            held: below(2),
            done: system === 'o2' && is(0.3) ? ['O2' as const] : [],
          },
        }
      : {}),
    world: {
      bodies,
      doors,
      buttonWait: is(0.5) ? below(3) : 0,
      sabotageWait: is(0.3) ? below(3) : 0,
      streaks: is(0.3) ? { [one(SEATS)]: 1 } : {},
    },
  });
}

function wildTasks({ one, is }: Dealer) {
  const step = () => ({ place: one(HAUNTS), rounds: one([1, 1, 2]) });
  return [
    aTask({ steps: [step()], visual: is(0.5) }),
    aTask({ id: 'fix-wiring', steps: [step(), step()], visual: is(0.5) }),
  ];
}

function wildPlayer(draw: Dealer, seat: Colour): PlayerPart {
  const { below, is, one } = draw;
  const isImpostor = IMPOSTORS.some((impostor) => impostor === seat);
  const vent = isImpostor && is(0.2) ? one(SKELD.vents) : null;
  return {
    place: vent?.place ?? one(HAUNTS),
    vent: vent?.id ?? null,
    moved: is(0.3),
    stride: is(0.3) ? below(4) : 0,
    killWait: isImpostor && is(0.3) ? below(3) : 0,
    buttons: below(2),
    progress: [
      { steps: 0, worked: 0 },
      { steps: below(2), worked: 0 },
    ],
    intent: is(0.5) && vent === null ? wildIntent(draw, seat) : null,
  };
}

function wildIntent({ below, one, is }: Dealer, seat: Colour): IntentText {
  const whom = one(SEATS);
  const place = one(HAUNTS);
  const room = one(ROOMS);
  const isImpostor = IMPOSTORS.some((impostor) => impostor === seat);
  const rounds = 1 + below(3);
  const task = one(['swipe-card', 'fix-wiring'] as const);
  const common: readonly IntentText[] = [
    ...([`go ${place}`, `go ${place}`, `wait ${rounds}`, `follow ${whom} ${rounds}`] as const),
    `fix ${one(['Reactor', 'O2', 'Admin', 'Electrical', 'Communications'] as const)}`,
    `report ${whom}`,
    'button',
    `watch ${one(['cameras', 'admin'] as const)} ${rounds}`,
  ];
  if (!isImpostor || is(0.1)) return one([...common, `task ${task}`, `task ${task}`] as const);
  const { id } = one(SKELD.vents);
  return one<IntentText>([
    ...common,
    ...([`fake ${task}`, `kill ${whom}`, `kill ${whom}`, `vent ${id}`, 'surface'] as const),
    `sabotage ${one(SYSTEMS)}`,
    `shut ${room}`,
  ]);
}

/** A game in the middle of it, with short times, so that much happens in few rounds. */
export function wildCourse(seed: number): GameCourse {
  const draw = dealer(seed, 78);
  const { below, is, one } = draw;
  const world = wildWorld(draw);
  const { ship } = world;
  const options = {
    ...ship.options,
    attention: one(['all', 'normal', 'few'] as const),
    taskBar: one(['always', 'meetings', 'never'] as const),
    showImpostors: is(0.5),
    ghostsDoTasks: is(0.7),
    killCooldown: one([2.5, 5, 10]),
    emergencyCooldown: one([0, 2.5, 5]),
    sabotageCooldown: one([2.5, 5, 10]),
    doorSeconds: one([2.5, 5, 10]),
    doorCooldown: one([2.5, 7.5, 30]),
    reactorSeconds: one([5, 30]),
    maxRounds: is(0.1) ? 12 : 1000,
  };
  const known = ship.seats.map(({ colour }) => colour);
  return {
    seed,
    world: { ...world, barShown: below(3), ship: { ...ship, options, areFaultsLost: is(0.3) } },
    round: 4,
    meetings: 1,
    known: known.filter((seat) => world.standings[seat] === 'living' || is(0.5)),
    record: startRecord(options.showImpostors ? IMPOSTORS.length : null),
    chronicle: [],
    calls: [2],
    call: null,
    ending: null,
  };
}

/** What players may well intend as things are, or anything. */
export function likelyOrders(draw: Dealer, world: World): readonly Order[] {
  const { is, one } = draw;
  const orders: Partial<Record<Colour, NonNullable<Orders[Colour]>>> = {};
  for (const seat of SEATS) {
    const player = world.players[seat];
    if (player === undefined || is(0.2)) continue;
    const fault = one(['mind/late', 'mind/unreadable', 'seat/left']);
    if (is(0.05)) orders[seat] = { fault };
    else if (is(0.1)) orders[seat] = 'on';
    else orders[seat] = is(0.3) ? wildIntent(draw, seat) : one(likelyIntents(draw, world, seat));
  }
  return ordersOf(orders);
}

function likelyIntents({ one }: Dealer, world: World, seat: Colour): readonly IntentText[] {
  const { place, vent } = world.players[seat] ?? { place: 'Cafeteria' as const, vent: null };
  const others = SEATS.filter((other) => other !== seat);
  const near = others.filter((other) => world.players[other]?.place === place);
  const common: readonly IntentText[] = [
    ...near.map((other) => `follow ${other} 2` as const),
    ...world.bodies.map(({ victim }) => `report ${victim}` as const),
    ...(world.crisis === null ? [] : SKELD.consoles[world.crisis.system]).map(
      (room) => `fix ${room}` as const,
    ),
    ...(['watch cameras 2', 'watch admin 2', 'button', 'wait 1'] as const),
    `go ${one(HAUNTS)}`,
    `task ${one(['swipe-card', 'fix-wiring'] as const)}`,
  ];
  if (!IMPOSTORS.some((impostor) => impostor === seat)) return common;
  const links = SKELD.vents.find(({ id }) => id === vent)?.links ?? [];
  const ids = vent === null ? ventsAt(SKELD, place).map(({ id }) => id) : links;
  return [
    ...common,
    ...near.map((other) => `kill ${other}` as const),
    ...ids.map((id) => `vent ${id}` as const),
    ...(vent === null ? [] : (['surface', 'surface'] as const)),
    `shut ${one(SKELD.doors)}`,
    `sabotage ${one(SYSTEMS)}`,
    `fake ${one(['swipe-card', 'fix-wiring'] as const)}`,
  ];
}
