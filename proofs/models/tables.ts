/** Tables: small meetings to be checked, in which whatever is not asked for is as shipped. */
import { type MeetingSetup, QUIET } from '../../machines/rules/meeting.ts';
import { defaultOptions, type MeetingOptions } from '../../machines/rules/options.ts';
import { type Call, COLOURS, type Colour } from '../../machines/types.ts';

export type Wanted = Partial<MeetingOptions> & { readonly players?: number };

/** Somebody alone would have nobody to vote for but themselves; of three, two can agree against one. */
const PLAYERS = 3;
/** Two faults in a row and a player is out: more make more states and nothing new. */
const PATIENCE = 2;

/** House: votes from the first tick, no clock, two faults and one is out. */
export function house({ players = PLAYERS, ...options }: Wanted = {}): MeetingSetup {
  return tableOf(players, { rules: 'house', patience: PATIENCE, ...options });
}

/** Classic: one tick of talk, two of voting. */
export function classic({ players = PLAYERS, ...options }: Wanted = {}): MeetingSetup {
  return tableOf(players, {
    rules: 'classic',
    patience: PATIENCE,
    discussionTime: 5,
    votingTime: 10,
    ...options,
  });
}

/** Red is dead from the start, and calls the meeting all the same. */
export function deadCaller(wanted: Wanted = {}): MeetingSetup {
  const setting = house({ players: 4, ...wanted });
  return { ...setting, standings: { ...setting.standings, red: 'dead' } };
}

/** Red presses the emergency button, and nothing is in the way. */
export const BUTTON: Call = {
  by: 'red',
  kind: 'button',
  body: null,
  place: null,
  buttonsLeft: 1,
  cooldown: 0,
  crisis: null,
};

function tableOf(players: number, options: Partial<MeetingOptions>): MeetingSetup {
  return tableOfSeats(COLOURS.slice(0, players), [], { secondsPerTick: 5, ...options });
}

/** A table of crewmates, these living and those dead. */
export function tableOfSeats(
  living: readonly Colour[],
  dead: readonly Colour[],
  options: Partial<MeetingOptions>,
): MeetingSetup {
  const colours = COLOURS.filter((seat) => living.includes(seat) || dead.includes(seat));
  return {
    chance: { seed: 1, meeting: 0 },
    options: { ...defaultOptions(living.length), ...options },
    seats: colours.map((colour) => ({ colour, role: 'crewmate' })),
    call: BUTTON,
    circumstances: QUIET,
    standings: Object.fromEntries(
      colours.map((seat) => [seat, dead.includes(seat) ? 'dead' : 'living']),
    ),
  };
}
