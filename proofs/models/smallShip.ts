/**
 * A small ship: a cut of The Skeld with three rooms on one hallway, and what of a game on it makes two states differ.
 *
 * Crewmates who have the same to do are alike, so that tables that differ in who is called what are one.
 */
import type { GameInput } from '../../machines/charts/game.ts';
import {
  defaultGameOptions,
  defaultOptions,
  type GameOptions,
} from '../../machines/rules/options.ts';
import type { GameCourse } from '../../machines/rules/ship/game.ts';
import type { ShipMap } from '../../machines/rules/ship/map.ts';
import type { Task } from '../../machines/rules/ship/tasks.ts';
import type { World } from '../../machines/rules/ship/world.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';

/** Cafeteria with the button, Storage with a door and the lights, Admin with the reactor; a vent joins the first two. */
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
  adminTable: null,
  button: 'Cafeteria',
  consoles: { reactor: ['Admin', 'Admin'], o2: [], lights: ['Storage'], comms: [] },
};

const CHORE: Task = {
  id: 'empty-garbage',
  name: 'Empty Garbage',
  kind: 'long',
  visual: true,
  steps: [{ place: 'Storage', rounds: 1 }],
};

/** A game on the annexe: red is the impostor, everybody else has one thing to do. Clocks are short. */
export function smallGame(players: number, options: Partial<GameOptions> = {}): GameInput {
  const seats = COLOURS.slice(0, players);
  return {
    seed: 1,
    players: [],
    ghostBudget: null,
    ship: {
      map: ANNEXE,
      options: { ...defaultGameOptions(players), ...SHORT, ...options },
      meeting: defaultOptions(players),
      seats: seats.map((colour) => ({ colour, role: colour === 'red' ? 'impostor' : 'crewmate' })),
      tasks: Object.fromEntries(seats.map((seat) => [seat, [CHORE]])),
    },
  };
}

/** Two rounds, or four until it is too late: shorter than any lobby has them, and no less of a clock. */
const SHORT: Partial<GameOptions> = {
  killCooldown: 5,
  emergencyCooldown: 5,
  sabotageCooldown: 5,
  reactorSeconds: 10,
  doorSeconds: 5,
  doorCooldown: 5,
  buttons: 0,
};

/**
 * All that decides how a game goes on, where everybody decides anew in every round: not the number of the round, not
 * what somebody was about or is asked, not what was shown; nobody walks by halves or kills by less than a place.
 */
export function shipView({ at, context }: { readonly at: string; readonly context: GameCourse }) {
  const { world, ending, call } = context;
  const seats = world.ship.seats.map(({ colour }) => seatView(world, colour));
  return { at, seats, ...sharedView(world), ending, isCalled: call !== null };
}

function sharedView({ crisis, sabotageWait, buttonWait, doors }: World) {
  return { crisis, sabotageWait, buttonWait, doors };
}

function seatView({ players, standings, bodies }: World, seat: Colour) {
  const player = players[seat];
  if (player === undefined) return null;
  const { place, vent, killWait, buttons, progress } = player;
  const body = bodies.find(({ victim }) => victim === seat)?.place ?? null;
  return [standings[seat], place, vent, killWait, buttons, progress, body];
}

type Point = {
  readonly place: { readonly name: string };
  readonly context: GameCourse;
  readonly timers: readonly { readonly id: string }[];
};

/** Crewmates can be exchanged: each is known by what they are and have. */
export const crewSymmetry = {
  name: 'crewmates',
  orbit: ({ place, context, timers }: Point): string => {
    const { world } = context;
    const view = shipView({ at: place.name, context });
    const all = world.ship.seats.map(
      ({ role }, index) => `${role} ${JSON.stringify(view.seats[index])}`,
    );
    const running = timers.map(({ id }) => id);
    return JSON.stringify({ ...view, seats: all.toSorted(), running });
  },
};
