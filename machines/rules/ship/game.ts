/**
 * The course of a game: rounds and meetings until one side has won, and what each event does to it.
 *
 * Every function takes the course and what happened, and returns the part that changes with the facts to emit. The
 * statechart decides when each is called.
 */
import {
  type BySeat,
  type Call,
  COLOURS,
  type Colour,
  type Deed,
  type Place,
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
import { seatsWith } from '../seats.ts';
import { defaultWeights, leastSlope } from '../weights.ts';
import type { RoundEvent } from './draft.ts';
import type { Order } from './orders.ts';
import { resolveRound } from './round.ts';
import type { Sight } from './sight.ts';
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
  | {
      readonly type: 'round.closed';
      readonly round: number;
      readonly orders: readonly Order[];
      readonly events: readonly RoundEvent[];
      /** Places that each player entered, in order. */
      readonly paths: BySeat<readonly Place[]>;
      /** What each of those in the open was doing at the end. */
      readonly deeds: BySeat<Deed>;
      readonly seen: BySeat<readonly Sight[]>;
    }
  /** The operator asked for the end: an input of the run, so it is recorded. */
  | { readonly type: 'end.requested'; readonly reason: 'interrupted' | 'unfinished' }
  | ({ readonly type: 'game.closed' } & GameEnding);

/* The interlude: what a meeting changes on the ship, from the call to everybody's next step. */

/** The world as a meeting begins: the caller has pressed the button, and the task bar is shown to everybody. */
export function beginMeeting(world: World, call: Call): World {
  const caller = world.players[call.by];
  const players =
    call.kind === 'button' && caller !== undefined
      ? { ...world.players, [call.by]: { ...caller, buttons: caller.buttons - 1 } }
      : world.players;
  return { ...world, players, barShown: taskBar(world).done };
}

/**
 * The world after a meeting: everybody is at the button again, bodies are gone, kill and emergency timers are full;
 * reactor and oxygen are well, lights and comms stay as they are.
 */
export function endMeeting(
  world: World,
  standings: BySeat<Standing>,
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
  const players: Partial<Record<Colour, PlayerState>> = {};
  const asks: Partial<Record<Colour, typeof ASKED_AT_START>> = {};
  for (const seat of COLOURS) {
    const player = world.players[seat];
    if (player === undefined) continue;
    players[seat] = returnToButton(after, seat, player);
    if (isActive(after, seat)) asks[seat] = ASKED_AT_START;
  }
  const resting = { ...after, players, asks };
  return { world: resting, ending: decideEnding(resting, lossesOf(world, standings)) };
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

/** A meeting takes players by its vote, or loses them. */
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
  /** The round that is open or comes next, from 0. It decides nothing but the operator's limit. */
  readonly round: number;
  /** Meetings held so far: the number of the next one. */
  readonly meetings: number;
  /** Who was alive when the last meeting was over: all that is known to everybody. */
  readonly known: readonly Colour[];
  /** What everybody knows of the game. */
  readonly record: PublicRecord;
  /** What ghosts know beyond that; it decides nothing. */
  readonly chronicle: readonly ChronicleEntry[];
  /** The rounds that would have come next when meetings were called, in order. */
  readonly calls: readonly number[];
  /** The call that interrupts the game; null between meetings. */
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
  const record = startRecord(ship.options.showImpostors ? impostors : null);
  return {
    seed,
    world,
    round: 0,
    meetings: 0,
    known,
    record,
    chronicle: [],
    calls: [],
    call: null,
    ending: null,
  };
}

/** Who is asked in the round that opens, in the order of the seats. */
export function askedSeats({ world }: GameCourse): readonly Colour[] {
  return seatsWith(world.asks, () => true).filter((seat) => isActive(world, seat));
}

export function playRound(
  course: GameCourse,
  orders: readonly Order[],
  draws: BySeat<number>,
): GameStep {
  const { events, paths, deeds, seen, world, call, ending } = resolveRound(
    course.world,
    orders,
    draws,
  );
  const { round, known, record, calls } = course;
  const called = call === null ? null : beginMeeting(world, call);
  const isLast = round + 1 >= world.ship.options.maxRounds;
  return {
    changes: {
      world: called ?? world,
      round: round + 1,
      call,
      chronicle: [...course.chronicle, ...chronicle(events, round, calls.length + 1)],
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

/** What the meeting is held by that was called. */
export function meetingSetupFor(course: GameCourse): MeetingSetup | null {
  const { seed, world, meetings, call, record, calls } = course;
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
    world: toWorldTruth(world, course.chronicle, calls),
  };
}

/**
 * The options of a meeting. A slope of silence that is the default of the whole table becomes the default of those who
 * live: the bound W ≤ 2N − 1 holds in the last meeting as in the first (ruling 47).
 */
function optionsForMeeting({ ship, standings }: World): MeetingOptions {
  const { weights } = ship.meeting;
  const { slope } = weights.silence;
  if (slope !== defaultWeights(ship.seats.length).silence.slope) return ship.meeting;
  const living = seatsWith(standings, (standing) => standing === 'living').length;
  const silence = { ...weights.silence, slope: leastSlope(weights, living) };
  return { ...ship.meeting, weights: { ...weights, silence } };
}

/** The meeting is over: who is left goes back to work, or somebody has won. */
export function resumeAfterMeeting(
  course: GameCourse,
  { standings, held }: { readonly standings: BySeat<Standing>; readonly held: MeetingRecord },
): Partial<GameCourse> {
  const { world, ending } = endMeeting(course.world, standings);
  const known = seatsWith(standings, (standing) => standing === 'living');
  return {
    world,
    known,
    record: recordMeeting(course.record, standings, held),
    call: null,
    meetings: course.meetings + 1,
    ending: course.ending ?? ending,
  };
}

/** The operator asked for the end. The first who asks is answered. */
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
