/**
 * The course of a game: rounds and meetings until somebody has won, and what each event does to it.
 *
 * Every function takes the course and what happened, and returns the part that changes with the facts to be told. The
 * statechart decides when each is called.
 */
import type { BySeat, Call, Colour, Standing } from '../../types.ts';
import { seatsWith } from '../seats.ts';
import type { Setting } from '../table.ts';
import type { GameFact } from './facts.ts';
import { resumed, summoned } from './interlude.ts';
import type { Order } from './order.ts';
import { resolved } from './resolution.ts';
import type { Ending } from './victory.ts';
import { begun, isActive, type Ship, type World } from './world.ts';

export type Course = {
  readonly seed: number;
  readonly world: World;
  /** The round that is open or comes next, from 0. It decides nothing but the operator's limit. */
  readonly round: number;
  /** Meetings held so far: the number of the next one. */
  readonly meetings: number;
  /** Who was alive when the last meeting was over: all that is known to everybody. */
  readonly known: readonly Colour[];
  /** The call that interrupts the game; null between meetings. */
  readonly call: Call | null;
  readonly ending: Ending | null;
};

export type Turn = { readonly changes: Partial<Course>; readonly facts: readonly GameFact[] };

export function started(seed: number, ship: Ship): Course {
  const world = begun(ship);
  const known = ship.seats.map(({ colour }) => colour);
  return { seed, world, round: 0, meetings: 0, known, call: null, ending: null };
}

/** Who is asked in the round that opens, in the order of the seats. */
export function askedIn({ world }: Course): readonly Colour[] {
  return seatsWith(world.asks, () => true).filter((seat) => isActive(world, seat));
}

export function roundPlayed(course: Course, orders: readonly Order[], draws: BySeat<number>): Turn {
  const { events, paths, deeds, seen, world, call, ending } = resolved(course.world, orders, draws);
  const { round } = course;
  const isLast = round + 1 >= world.ship.options.maxRounds;
  return {
    changes: {
      world: call === null ? world : summoned(world, call),
      round: round + 1,
      call,
      ending: ending ?? (isLast ? UNFINISHED : null),
    },
    facts: [{ type: 'round.closed', round, orders, events, paths, deeds, seen }],
  };
}

const UNFINISHED: Ending = { winner: null, reason: 'unfinished' };

/** What the meeting is held by that was called. */
export function settingFor({ seed, world, meetings, call }: Course): Setting | null {
  if (call === null) return null;
  return {
    chance: { seed, meeting: meetings },
    options: world.ship.meeting,
    seats: world.ship.seats,
    call,
    circumstances: { meetingRunning: false, gameOver: false },
    standings: world.standings,
  };
}

/** The meeting is over: who is left goes back to work, or somebody has won. */
export function meetingHeld(course: Course, standings: BySeat<Standing>): Partial<Course> {
  const { world, ending } = resumed(course.world, standings);
  const known = seatsWith(standings, (standing) => standing === 'living');
  return {
    world,
    known,
    call: null,
    meetings: course.meetings + 1,
    ending: course.ending ?? ending,
  };
}

/** Somebody outside asked for the end. The first who asks is answered. */
export function stopAsked(course: Course, reason: 'interrupted' | 'unfinished'): Turn {
  if (course.ending !== null) return { changes: {}, facts: [] };
  return {
    changes: { ending: { winner: null, reason } },
    facts: [{ type: 'end.asked', reason }],
  };
}

export function gameClosed({ ending }: Course): Turn {
  return { changes: {}, facts: [{ type: 'game.closed', ...(ending ?? UNFINISHED) }] };
}
