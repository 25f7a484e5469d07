/**
 * Small meetings to check, and their possible events: ticks close, players leave, the operator
 * stops the run. This file only lists the events. Their effects come from the statechart. Each list
 * treats equal seats equally, so the environment has the table's symmetry.
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
import { type Combinations, closeTick, listClosings, replyOf, requestKindAt } from './closings.ts';
import { foldTick } from './foldedTick.ts';
import { rememberLast } from './rememberLast.ts';

export type TableOptions = Partial<MeetingOptions> & {
  readonly players?: number;
  readonly impostors?: readonly Colour[];
};

/** With three players, two can agree against one. */
const PLAYERS = 3;
/** Two faults in a row suffice. A greater patience only adds equivalent states. */
export const PATIENCE = 2;

/** House: votes from the first tick, no clock, patience 2. */
export function houseTable(wanted: TableOptions = {}): MeetingSetup {
  return smallTable({ rules: 'house', ...wanted });
}

export function classicTable(wanted: TableOptions = {}): MeetingSetup {
  return smallTable({ rules: 'classic', discussionTime: 5, votingTime: 10, ...wanted });
}

/** Red is dead from the start, but calls the meeting. */
export function deadCallerTable(wanted: TableOptions = {}): MeetingSetup {
  const setting = houseTable({ players: 4, ...wanted });
  return { ...setting, standings: { ...setting.standings, red: 'dead' } };
}

/** A game learns who was lost through faults. The meeting reads only whether it has a world. */
export const IN_GAME = { world: {} as NonNullable<MeetingSetup['world']> };

/** Red presses the emergency button without any obstacle. */
export const BUTTON_CALL: Call = {
  by: 'red',
  kind: 'button',
  body: null,
  place: null,
  buttonsLeft: 1,
  cooldown: 0,
  crisis: null,
};

function smallTable({ players = PLAYERS, impostors, ...wanted }: TableOptions): MeetingSetup {
  const options = { patience: PATIENCE, secondsPerTick: 5, ...wanted };
  return tableOfSeats(COLOURS.slice(0, players), [], options, impostors);
}

export function tableOfSeats(
  living: readonly Colour[],
  dead: readonly Colour[],
  options: Partial<MeetingOptions>,
  impostors: readonly Colour[] = [],
): MeetingSetup {
  const colours = COLOURS.filter((seat) => living.includes(seat) || dead.includes(seat));
  return {
    chance: { seed: 1, meeting: 0 },
    options: { ...defaultOptions(living.length), ...options },
    seats: colours.map((colour) => {
      return { colour, role: impostors.includes(colour) ? 'impostor' : 'crewmate' };
    }),
    call: BUTTON_CALL,
    circumstances: QUIET,
    ...WITHOUT_GAME,
    standings: Object.fromEntries(
      colours.map((seat) => [seat, dead.includes(seat) ? 'dead' : 'living']),
    ),
  };
}

export type MeetingKnobs = {
  readonly faults: boolean;
  readonly combinations: Combinations;
  /** The greatest number of departed players, whether they left or ran out of patience. */
  readonly departures: number;
  readonly stops: boolean;
};

/** Minds fail, one player leaves, and the operator stops the run, in some combinations of bids. */
export const SOME_TROUBLE: MeetingKnobs = {
  faults: true,
  combinations: 'some',
  departures: 1,
  stops: true,
};

export type MeetingPosition = { readonly at: string; readonly context: Table };

export function meetingEvents(environment: MeetingKnobs) {
  const ticks = new Map<string, readonly ToMeeting[]>();
  return ({ at, context }: MeetingPosition): readonly ToMeeting[] => {
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
    const { faults, combinations } = environment;
    const tick = { table: context, requestKind, faults, spare };
    const closings = ticks.get(key) ?? listClosings(tick, combinations);
    ticks.set(key, closings);
    return outside.length === 0 ? closings : [...closings, ...outside];
  };
}

/** The factored events of a meeting: its tick, if it is folded. */
export function factoredEvents({ faults, departures, combinations }: MeetingKnobs) {
  if (combinations !== 'folded') return {};
  const countSpare = (table: Table) => departures - countDeparted(table);
  return { factored: { 'tick.closed': foldTick({ faults, countSpare }) } };
}

const NOTHING: readonly ToMeeting[] = [];
export const STOPS: readonly ToMeeting[] = [
  { type: 'meeting.stopped', outcome: 'interrupted' },
  { type: 'meeting.stopped', outcome: 'unconverged' },
];

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

/** A living player leaves. A departed player may leave once more. */
function listDepartures({ standings, seats }: Table, spare: number): readonly ToMeeting[] {
  return seats
    .filter(({ colour }) => spare > 0 || standings[colour] !== 'living')
    .map(({ colour }) => ({ type: 'seat.left', seat: colour }));
}

/** An abandoned tick arrives late, with everybody's vote for skip. */
function lateTick({ seats }: Table): ToMeeting {
  const bids = seats.map(({ colour }) => replyOf(colour, { vote: 'skip' }));
  return closeTick(0, 'discussion', bids, null);
}

function countDeparted({ standings }: Table): number {
  return departedAmong(standings).length;
}

const departedAmong = rememberLast((standings: Table['standings']) =>
  Object.values(standings).filter((standing) => standing === 'departed'),
);
