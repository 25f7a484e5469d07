/** A late meeting, with m of n seats alive. It has the options of the game that calls it, not the defaults of m seats. */
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { meetingSetupFor, startGame } from '../../machines/rules/ship/game.ts';
import { plainGame, prepare } from '../../machines/setup/prepare.ts';
import type { RuleSet } from '../../machines/types.ts';
import { BUTTON_CALL } from './meeting.ts';

/** Below this number of living players the impostors equal the crew, and the game is over. */
export const FEWEST_AT_MEETING = 3;

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
  const call = { ...BUTTON_CALL, by: caller.colour };
  const setup = meetingSetupFor({ ...course, world: { ...course.world, standings }, call });
  if (setup === null) throw new Error('expected a meeting');
  return setup;
}
