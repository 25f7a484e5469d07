/** Small meetings beside the main search: both ends of every option, every refused call, and every size. */
import type { ToMeeting } from '../../machines/messages.ts';
import type { Circumstances, MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import { MEETING_OPTIONS, MOST_SEATS } from '../../machines/rules/optionRows.ts';
import { type MeetingMatch, meetingMatchSchema } from '../../machines/setup/match.ts';
import { settingFor } from '../../machines/setup/prepare.ts';
import {
  type Ballot,
  type Bid,
  type Call,
  COLOURS,
  type Colour,
  type RuleSet,
  type Standing,
} from '../../machines/types.ts';
import {
  closeTick,
  isTalk,
  type LivingRequest,
  leave,
  listTickNumbers,
  livingOf,
  pass,
  replyOf,
  requestKindAt,
} from './closings.ts';
import { IN_GAME, type MeetingKnobs, type MeetingPosition, STOPS } from './meeting.ts';

export type SmallMeeting = {
  readonly about: string;
  readonly match: MeetingMatch;
  readonly setting: MeetingSetup;
};

/** The seats, in a game: this many living players, the last one an impostor, and a ghost whose body was reported. */
type SmallTable = { readonly players: number; readonly isReport?: boolean };

const ONE: SmallTable = { players: 1 };
const TWO: SmallTable = { players: 2 };
const TWO_AND_A_BODY: SmallTable = { players: 2, isReport: true };

const CHANCE = { seed: 0, meeting: 0 } as const;

function small(
  rules: RuleSet,
  { players, isReport = false }: SmallTable,
  options: MeetingMatch['options'],
): SmallMeeting {
  const living = COLOURS.slice(0, players);
  const ghost = COLOURS[players];
  const dead = isReport && ghost !== undefined ? [ghost] : [];
  const match = meetingMatchSchema.parse({
    name: 'A small table',
    options: { ...options, rules },
    call: { by: COLOURS[0], ...(isReport ? { report: ghost, place: 'Storage' } : {}) },
    seats: [...living, ...dead].map((colour, index) => ({
      colour,
      role: players > 1 && index === players - 1 ? 'impostor' : 'crewmate',
      dead: index >= players,
    })),
  });
  const said = Object.entries(options).map(([name, value]) => `${name} ${value}`);
  const report = isReport ? ', a body' : '';
  const about = `${countPlayers(players)}${report}: ${said.join(', ')}`;
  return { about, match, setting: { ...settingFor(match, CHANCE), ...IN_GAME } };
}

function countPlayers(players: number): string {
  return `${players} ${players === 1 ? 'player' : 'players'}`;
}

/** Every option that is on or off, in turn on and off, and the other way round. */
const [OTHER_SWITCHES, SWITCHES] = [0, 1].map((on) => {
  const switches = MEETING_OPTIONS.filter(({ type }) => type === 'switch');
  return Object.fromEntries(switches.map(({ yaml }, at) => [yaml, at % 2 === on]));
});

/** Each option of the table has its least and its greatest value in some meeting of each rule set. */
export const OPTION_ENDS: Readonly<Record<RuleSet, readonly SmallMeeting[]>> = {
  house: [
    small('house', TWO_AND_A_BODY, {
      ...SWITCHES,
      beat_ms: 60_000,
      patience: 1,
      discussion_time: 0,
    }),
    small('house', TWO, {
      ...OTHER_SWITCHES,
      beat_ms: 0,
      vote_after: 0,
      voting_time: 300,
      seconds_per_tick: 60,
      max_ticks: 100_000,
      patience: 2,
    }),
    small('house', TWO, {
      vote_after: 10_000,
      voting_time: 0,
      discussion_time: 120,
      seconds_per_tick: 1,
      max_ticks: 1,
      patience: 1,
    }),
    ...listPatient('house'),
  ],
  classic: [
    small('classic', TWO, {
      ...SWITCHES,
      beat_ms: 60_000,
      discussion_time: 0,
      voting_time: 0,
      seconds_per_tick: 1,
      patience: 1,
    }),
    small('classic', TWO, {
      ...OTHER_SWITCHES,
      beat_ms: 0,
      discussion_time: 120,
      voting_time: 300,
      seconds_per_tick: 60,
      max_ticks: 100_000,
      patience: 2,
    }),
    small('classic', TWO, { vote_after: 10_000, max_ticks: 1, patience: 1 }),
    small('classic', TWO, { vote_after: 0, voting_time: 15, patience: 1 }),
    ...listPatient('classic'),
  ],
};

/** Faults are counted separately for each player, so one player suffices. */
function listPatient(rules: RuleSet): readonly SmallMeeting[] {
  return [
    small(rules, ONE, { patience: 3, beat_ms: 1 }),
    ...[4, 5, 100].map((patience) => small(rules, ONE, { patience })),
  ];
}

export function listTableSizes(rules: RuleSet): readonly SmallMeeting[] {
  return Array.from({ length: MOST_SEATS + 1 }, (_, players) => {
    return { ...small(rules, { players }, { patience: 1 }), about: countPlayers(players) };
  });
}

type CallParts = {
  readonly call?: Partial<Call>;
  readonly circumstances?: Partial<Circumstances>;
  readonly standings?: readonly [Colour, Standing];
};

function calling(about: string, { call, circumstances, standings }: CallParts): SmallMeeting {
  const { match, setting } = small('house', TWO_AND_A_BODY, {});
  const [seat, standing] = standings ?? ['green', 'dead'];
  return {
    about,
    match,
    setting: {
      ...setting,
      call: { ...setting.call, ...call },
      circumstances: { ...setting.circumstances, ...circumstances },
      standings: { ...setting.standings, [seat]: standing },
    },
  };
}

const button: Partial<Call> = { kind: 'button', body: null, place: null };

export const CALLS: readonly SmallMeeting[] = [
  calling('a report of a body', {}),
  calling('a report of a player whose ghost has left', { standings: ['green', 'departed'] }),
  calling('a report of a living player', { call: { body: 'blue' } }),
  calling('a report of nobody', { call: { body: null } }),
  calling('a report in a crisis, without a button, in the cooldown', {
    call: { crisis: 'reactor', buttonsLeft: 0, cooldown: 1 },
  }),
  calling('a call by a dead player', { standings: ['red', 'dead'] }),
  calling('a call by a player who has left', { standings: ['red', 'departed'] }),
  calling('a call while a meeting is on', { circumstances: { meetingRunning: true } }),
  calling('a call after the game', { circumstances: { gameOver: true } }),
  calling('the button with one meeting left', { call: { ...button, buttonsLeft: 1 } }),
  calling('the button with no meeting left', { call: { ...button, buttonsLeft: 0 } }),
  calling('the button after its rest', { call: { ...button, buttonsLeft: 1, cooldown: 0 } }),
  calling('the button without its rest', { call: { ...button, buttonsLeft: 1, cooldown: 1 } }),
  calling('the button in a crisis', { call: { ...button, buttonsLeft: 2, crisis: 'lights' } }),
  calling('the last button in a crisis', { call: { ...button, buttonsLeft: 1, crisis: 'o2' } }),
];

/** Events if all act alike, because more is too much for fifteen. Only the last living player leaves. */
export function listAlikeEvents({ faults, departures, stops }: MeetingKnobs) {
  return ({ at, context }: MeetingPosition): readonly ToMeeting[] => {
    if (at === 'closed') return [];
    const living = livingOf(context);
    const last = living.at(-1);
    const kind = requestKindAt(at);
    const isSpare = departures > 0 && living.length === context.seats.length;
    return [
      ...(kind === null ? [] : listAlikeTicks(context, kind, isSpare && faults)),
      ...(isSpare && last !== undefined ? [{ type: 'seat.left', seat: last } as const] : []),
      ...(stops ? STOPS : []),
    ];
  };
}

/** The common behaviour in one tick. Its votes agree or decide who leads. */
function listAlikeTicks(
  table: Table,
  kind: LivingRequest,
  mayLeave: boolean,
): readonly ToMeeting[] {
  const living = livingOf(table);
  const [first = 'skip'] = living;
  const voting =
    (choose: (seat: Colour, index: number) => Ballot) => (seat: Colour, index: number) =>
      replyOf(seat, { vote: choose(seat, index) });
  const bids: readonly ((seat: Colour, index: number) => Bid)[] = [
    pass,
    voting(() => 'skip'),
    voting(() => first),
    (seat) => replyOf(seat, { vote: seat, pads: { main: 'kept' } }),
    // Two votes for the first candidate, all others for themselves: from five players on, it leads with less than half.
    voting((seat, index) => (index < LEADING ? first : seat)),
    // The candidates of a tie get equal numbers of votes, as far as possible.
    voting((_, index) => living[index % TIED] ?? 'skip'),
    ...(mayLeave ? [(seat: Colour) => (seat === first ? pass(seat) : leave(seat).bid)] : []),
  ];
  const ticks = isTalk(kind) ? listTickNumbers(table).marks : [0];
  const speaker = isTalk(kind) && first !== 'skip' ? first : null;
  return ticks.flatMap((tick) =>
    bids.map((bid, index) =>
      closeTick(tick, kind, living.map(bid), index === SPOKEN ? speaker : null),
    ),
  );
}

const LEADING = 2;
const TIED = 3;
const SPOKEN = 1;
