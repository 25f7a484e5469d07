/**
 * Small meetings to be checked, and everything that may happen to one: ticks that close, players who leave, an operator
 * who stops the run. Which events are possible is listed here; what they do is decided by the statechart alone.
 *
 * Every list names all seats that are alike and never only the first, so the environment has the symmetry of the table.
 */
import type { ToMeeting } from '../../machines/messages.ts';
import {
  type MeetingSetup,
  QUIET,
  type Table,
  WITHOUT_GAME,
} from '../../machines/rules/meeting.ts';
import { defaultOptions, type MeetingOptions } from '../../machines/rules/options.ts';
import { type Call, COLOURS, type Colour, type RequestKind } from '../../machines/types.ts';
import { type Combinations, closeSilently, listClosings, replyOf } from './closings.ts';
import { foldTick } from './foldedTick.ts';

export type TableOptions = Partial<MeetingOptions> & { readonly players?: number };

/** Somebody alone would have nobody to vote for but themselves; of three, two can agree against one. */
const PLAYERS = 3;
/** Two faults in a row and a player is out: more make more states and nothing new. */
const PATIENCE = 2;

/** House: votes from the first tick, no clock, two faults and one is out. */
export function houseTable({ players = PLAYERS, ...options }: TableOptions = {}): MeetingSetup {
  return smallTable(players, { rules: 'house', patience: PATIENCE, ...options });
}

/** Classic: one tick of talk, two of voting. */
export function classicTable({ players = PLAYERS, ...options }: TableOptions = {}): MeetingSetup {
  return smallTable(players, {
    rules: 'classic',
    patience: PATIENCE,
    discussionTime: 5,
    votingTime: 10,
    ...options,
  });
}

/** Red is dead from the start, and calls the meeting all the same. */
export function deadCallerTable(wanted: TableOptions = {}): MeetingSetup {
  const setting = houseTable({ players: 4, ...wanted });
  return { ...setting, standings: { ...setting.standings, red: 'dead' } };
}

/** Red presses the emergency button, and nothing is in the way. */
export const BUTTON_CALL: Call = {
  by: 'red',
  kind: 'button',
  body: null,
  place: null,
  buttonsLeft: 1,
  cooldown: 0,
  crisis: null,
};

function smallTable(players: number, options: Partial<MeetingOptions>): MeetingSetup {
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
    call: BUTTON_CALL,
    circumstances: QUIET,
    ...WITHOUT_GAME,
    standings: Object.fromEntries(
      colours.map((seat) => [seat, dead.includes(seat) ? 'dead' : 'living']),
    ),
  };
}

export type Environment = {
  /** Minds may fail. */
  readonly faults: boolean;
  /** What is multiplied out of what players may hand in. */
  readonly combinations: Combinations;
  /** Most players who may be gone in the end, whether they left or ran out of patience. */
  readonly departures: number;
  /** The operator may stop the run. */
  readonly stops: boolean;
};

/** Where a meeting is and what is on its table. */
type MeetingPosition = { readonly at: string; readonly context: Table };

/** What may happen next at a meeting, timers apart. */
export function meetingEvents(
  environment: Environment,
): (situation: MeetingPosition) => readonly ToMeeting[] {
  const ticks = new Map<string, readonly ToMeeting[]>();
  return ({ at, context }) => {
    if (at === 'closed') return NOTHING;
    const spare = environment.departures - countDeparted(context);
    const outside = [
      ...(environment.departures > 0 ? listDepartures(context, spare) : NOTHING),
      ...(environment.stops ? STOPS : NOTHING),
    ];
    if (at === 'voting.counting') return [...outside, lateTick(context)];
    const requestKind = requestKindAt(at);
    if (requestKind === null || environment.combinations === 'folded') return outside;
    const key = keyOf(context, requestKind, spare);
    let closings = ticks.get(key);
    if (closings === undefined) {
      closings = listClosings(context, requestKind, { ...environment, spare });
      ticks.set(key, closings);
    }
    return outside.length === 0 ? closings : [...closings, ...outside];
  };
}

/** The events of a meeting that are taken part by part: the tick, where it is folded. */
export function factoredEvents({ faults, departures, combinations }: Environment) {
  if (combinations !== 'folded') return {};
  const countSpare = (table: Table) => departures - countDeparted(table);
  return { factored: { 'tick.closed': foldTick({ faults, countSpare, requestKindAt }) } };
}

const NOTHING: readonly ToMeeting[] = [];
const STOPS: readonly ToMeeting[] = [
  { type: 'meeting.stopped', outcome: 'interrupted' },
  { type: 'meeting.stopped', outcome: 'unconverged' },
];

/** The occasion of the tick that is open; null where none is. */
export function requestKindAt(at: string): Exclude<RequestKind, 'ghost'> | null {
  if (at === 'discussion.bidding') return 'discussion';
  if (at === 'voting.polling.bidding') return 'voting';
  return at === 'reaction' || at === 'consolidation' ? at : null;
}

/** All that the list of closed ticks depends on. */
function keyOf(
  { standings, ballots, streaks, options, due: clock }: Table,
  requestKind: RequestKind,
  spare: number,
) {
  const seats = COLOURS.map((seat) => {
    const standing = standings[seat];
    if (standing !== 'living') return standing === undefined ? '' : 'x';
    const patience = options.patience - (streaks[seat] ?? 0);
    return `l${ballots[seat] === undefined ? '' : 'v'}${patience <= 1 ? '!' : ''}`;
  });
  return `${requestKind} ${spare} ${clock} ${seats.join()}`;
}

/** Somebody leaves; whoever is gone may say so once more. */
function listDepartures({ standings, seats }: Table, spare: number): readonly ToMeeting[] {
  return seats
    .filter(({ colour }) => spare > 0 || standings[colour] !== 'living')
    .map(({ colour }) => ({ type: 'seat.left', seat: colour }));
}

/** The tick that was given up when the poll was closed comes in late, with everybody's vote for skip. */
function lateTick({ seats }: Table): ToMeeting {
  const bids = seats.map(({ colour }) => replyOf(colour, { vote: 'skip' }));
  return closeSilently(0, 'discussion', bids);
}

function countDeparted({ standings }: Table): number {
  return Object.values(standings).filter((standing) => standing === 'departed').length;
}
