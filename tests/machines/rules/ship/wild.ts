import { SKELD } from '../../../../machines/rules/ship/map.ts';
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
