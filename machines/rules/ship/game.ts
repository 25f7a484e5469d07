/** The course of a game: rounds and meetings until a side has won. A rule returns the changes and the facts to emit. */
import {
  type BySeat,
  type Call,
  COLOURS,
  type Colour,
  type Role,
  type Standing,
} from '../../types.ts';
import type { MeetingSetup } from '../meeting.ts';
import { type MeetingOptions, rounds } from '../options.ts';
import {
  type MeetingRecord,
  type PublicRecord,
  recordCall,
  recordMeeting,
  startRecord,
} from '../record.ts';
import { mapSeats, seatsWith } from '../seats.ts';
import type { ShipTruth } from '../views.ts';
import { defaultSilence } from '../weights.ts';
import type { Order } from './orders.ts';
import { type ResolvedRound, resolveRound } from './round.ts';
import { type ChronicleEntry, chronicle, toWorldTruth } from './truth.ts';
import { barFor } from './views.ts';
import {
  ASKED_AT_START,
  createWorld,
  decideEnding,
  type GameEnding,
  isActive,
  type LossCauses,
  type PlayerState,
  roleOf,
  type Ship,
  taskBar,
  type World,
} from './world.ts';

export type GameFact =
  | (Pick<ResolvedRound, 'events' | 'paths' | 'deeds' | 'seen'> & {
      readonly type: 'round.closed';
      readonly round: number;
      readonly orders: readonly Order[];
    })
  /** The operator's stop is an input of the run, so it is recorded. */
  | { readonly type: 'end.requested'; readonly reason: 'interrupted' | 'unfinished' }
  | ({ readonly type: 'game.closed' } & GameEnding);

export function beginMeeting(world: World, call: Call): World {
  const caller = world.players[call.by];
  const players =
    call.kind === 'button' && caller !== undefined
      ? { ...world.players, [call.by]: { ...caller, buttons: caller.buttons - 1 } }
      : world.players;
  return { ...world, players, barShown: taskBar(world).done };
}

/** Reactor and oxygen are repaired, lights and comms stay broken. */
export function endMeeting(
  world: World,
  standings: BySeat<Standing>,
  faulted: readonly Colour[] = [],
): { readonly world: World; readonly ending: GameEnding | null } {
  const { options } = world.ship;
  const after: World = {
    ...world,
    standings,
    bodies: [],
    streaks: {},
    crisis: world.crisis?.left === null ? world.crisis : null,
    sabotageWait: rounds(options.sabotageCooldown),
    doors: [],
    buttonWait: rounds(options.emergencyCooldown),
  };
  const players = mapSeats(world.players, (player, seat) => returnToButton(after, seat, player));
  const asks = mapSeats(players, (_, seat) => (isActive(after, seat) ? ASKED_AT_START : undefined));
  const resting = { ...after, players, asks };
  return { world: resting, ending: decideEnding(resting, lossesOf(world, standings), faulted) };
}

function returnToButton(world: World, seat: Colour, player: PlayerState): PlayerState {
  const { map, options } = world.ship;
  return {
    ...player,
    place: map.button,
    vent: null,
    intent: null,
    moved: false,
    stride: 0,
    killWait: roleOf(world, seat) === 'impostor' ? rounds(options.killCooldown) : 0,
    progress: player.progress.map((one) => (one.worked === 0 ? one : { ...one, worked: 0 })),
  };
}

function lossesOf(before: World, after: BySeat<Standing>): LossCauses {
  const cause = (role: Role) =>
    COLOURS.some(
      (seat) =>
        before.standings[seat] === 'living' &&
        after[seat] === 'dead' &&
        roleOf(before, seat) === role,
    )
      ? 'vote'
      : 'disconnect';
  return { impostor: cause('impostor'), crewmate: cause('crewmate') };
}

export type GameCourse = {
  readonly seed: number;
  readonly world: World;
  /** The open or next round, from 0. It matters only to the operator's limit. */
  readonly round: number;
  /** Meetings held so far, which is the index of the next one. */
  readonly meetings: number;
  /** The players alive after the last meeting, as everybody knows. */
  readonly known: readonly Colour[];
  readonly record: PublicRecord;
  /** The additional knowledge of ghosts. It decides nothing. */
  readonly chronicle: readonly ChronicleEntry[];
  /** The next round at each call, in order. */
  readonly calls: readonly number[];
  /** The call that interrupts the game. Null between meetings. */
  readonly call: Call | null;
  readonly ending: GameEnding | null;
};

export type GameStep = {
  readonly changes: Partial<GameCourse>;
  readonly facts: readonly GameFact[];
};

export function startGame(seed: number, ship: Ship): GameCourse {
  const world = createWorld(ship);
  const known = ship.seats.map(({ colour }) => colour);
  const impostors = ship.seats.filter(({ role }) => role === 'impostor').length;
  return {
    seed,
    world,
    round: 0,
    meetings: 0,
    known,
    record: startRecord(ship.options.showImpostors ? impostors : null),
    chronicle: [],
    calls: [],
    call: null,
    ending: null,
  };
}

/** In the order of the seats. */
export function askedSeats({ world }: GameCourse): readonly Colour[] {
  return seatsWith(world.asks, () => true).filter((seat) => isActive(world, seat));
}

export function playRound(
  course: GameCourse,
  orders: readonly Order[],
  draws: BySeat<number>,
): GameStep {
  const resolved = resolveRound(course.world, orders, draws);
  const { events, paths, deeds, seen, world, call, ending } = resolved;
  const { round, known, record, calls } = course;
  const called = call === null ? null : beginMeeting(world, call);
  const meeting = calls.length + 1;
  const secrets = chronicle(events, course.world, world);
  const isLast = round + 1 >= world.ship.options.maxRounds;
  return {
    changes: {
      world: called ?? world,
      round: round + 1,
      call,
      chronicle: [...course.chronicle, ...secrets.map((deed) => ({ ...deed, round, meeting }))],
      ...(called === null
        ? {}
        : {
            calls: [...calls, round + 1],
            record: recordCall(
              record,
              { standings: called.standings, fallen: world.bodies.map(({ victim }) => victim) },
              barFor(called, known),
            ),
          }),
      ending: ending ?? (isLast ? UNFINISHED : null),
    },
    facts: [{ type: 'round.closed', round, orders, events, paths, deeds, seen }],
  };
}

const UNFINISHED: GameEnding = { winner: null, reason: 'unfinished' };

export function meetingSetupFor(course: GameCourse): MeetingSetup | null {
  const { seed, world, meetings, call, record } = course;
  if (call === null) return null;
  const { map, options } = world.ship;
  return {
    chance: { seed, meeting: meetings },
    options: optionsForMeeting(world),
    seats: world.ship.seats,
    call,
    circumstances: { meetingRunning: false, gameOver: false },
    standings: world.standings,
    record,
    ship: { map, options },
    world: toWorldTruth(course),
    kills: [],
  };
}

export function shipTruth(course: GameCourse): ShipTruth {
  const { ship, standings } = course.world;
  const seats = ship.seats.map(({ colour, role }) => {
    return { colour, role, standing: standings[colour] ?? 'departed' };
  });
  return { seats, world: toWorldTruth(course) };
}

/** The default slope and grace follow the living, so that W ≤ 3N − 1 (ruling 47). Written ones stay (ruling 59). */
function optionsForMeeting({ ship, standings }: World): MeetingOptions {
  const { weights } = ship.meeting;
  const living = seatsWith(standings, (standing) => standing === 'living').length;
  const silence = defaultSilence(weights, living);
  const computed = Object.fromEntries(ship.computed.map((key) => [key, silence[key]]));
  return { ...ship.meeting, weights: { ...weights, silence: { ...weights.silence, ...computed } } };
}

export type HeldMeeting = {
  readonly standings: BySeat<Standing>;
  readonly held: MeetingRecord;
  readonly faulted?: readonly Colour[];
};

export function resumeAfterMeeting(
  course: GameCourse,
  { standings, held, faulted }: HeldMeeting,
): Partial<GameCourse> {
  const { world, ending } = endMeeting(course.world, standings, faulted);
  return {
    world,
    known: seatsWith(standings, (standing) => standing === 'living'),
    record: recordMeeting(course.record, standings, held),
    call: null,
    meetings: course.meetings + 1,
    ending: course.ending ?? ending,
  };
}

/** The first request to end the game wins. */
export function requestEnd(course: GameCourse, reason: 'interrupted' | 'unfinished'): GameStep {
  if (course.ending !== null) return { changes: {}, facts: [] };
  return {
    changes: { ending: { winner: null, reason } },
    facts: [{ type: 'end.requested', reason }],
  };
}

export function closeGame({ ending }: GameCourse): GameStep {
  return { changes: {}, facts: [{ type: 'game.closed', ...(ending ?? UNFINISHED) }] };
}
