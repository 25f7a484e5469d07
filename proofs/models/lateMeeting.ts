/**
 * A meeting late in a game: of n seats only m still live when it is called. It is called as the game calls it, so that
 * its options are those that players get there and not those of a table that began with m.
 */
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { FEWEST_SEATS } from '../../machines/rules/optionRows.ts';
import { meetingSetupFor, startGame } from '../../machines/rules/ship/game.ts';
import { plainGame, prepare } from '../../machines/setup/prepare.ts';
import type { Call, Colour, RuleSet } from '../../machines/types.ts';

/** Below this the impostors are as many as the crew, and the game is over. */
export const FEWEST_AT_MEETING = 3;

/** What the meeting is held by: the first `living` of `seats` players live, the others have died on the way. */
export function callLateMeeting(
  seats: number,
  living: number,
  rules: RuleSet = 'house',
): MeetingSetup {
  const preparation = prepare(plainGame(seats, undefined, rules), 0);
  if (!preparation.ok) throw new Error(preparation.refusals.map(({ text }) => text).join('; '));
  const { ship } = preparation.prepared;
  const course = startGame(0, ship);
  const standings = Object.fromEntries(
    ship.seats.map(({ colour }, index) => [colour, index < living ? 'living' : 'dead'] as const),
  );
  const [caller] = ship.seats;
  if (caller === undefined) throw new Error('expected a player who calls');
  const call = pressButton(caller.colour);
  const setup = meetingSetupFor({ ...course, world: { ...course.world, standings }, call });
  if (setup === null) throw new Error('expected a meeting');
  return setup;
}

function pressButton(by: Colour): Call {
  return { by, kind: 'button', body: null, place: null, buttonsLeft: 1, cooldown: 0, crisis: null };
}

/** The seats of the game in which so many live at the meeting: no lobby has fewer than four. */
export function seatsOfGame(living: number, dead: number): number {
  return Math.max(FEWEST_SEATS, living + dead);
}
