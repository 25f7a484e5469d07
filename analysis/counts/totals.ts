/** Totals of the statistics of many games. */
import type { Role } from '../../machines/types.ts';
import { CLAIM_TYPES, type ClaimType } from '../../prompts/claims/claims.ts';
import { type Account, sumAccounts } from './accounts.ts';
import { type Rate, rankWords, rate, sumOf } from './numeric.ts';
import {
  type GameStats,
  type MeetingStats,
  NO_ASSERTIONS,
  type PlayerStats,
  type SingleMeetingStats,
} from './statistics.ts';
import { evaluateFormula, FORMULAS, sumTallies, tallyPlayer } from './tally.ts';

export type RoleTotals = {
  readonly players: number;
  readonly survived: Rate;
  /** Messages that won the floor, of all messages at the meetings that the players were alive for. */
  readonly speaking: Rate;
  /** Meetings without a message of a player who was alive. */
  readonly unheard: Rate;
  /** Ballots against impostors, of all ballots against a player. */
  readonly accuracy: Rate;
  readonly skipped: Rate;
  readonly missed: number;
  /** Claims of place and time that the ship's log contradicts, of all that it can judge. */
  readonly falsehoods: Rate;
  readonly unverifiable: number;
  readonly assertions: Readonly<Record<ClaimType, number>>;
  readonly kills: number;
  readonly tasksDone: number;
  readonly faults: number;
  readonly refused: number;
};

export type StatsTotals = {
  readonly games: number;
  readonly wins: Readonly<Record<'crew' | 'impostors', Rate>>;
  readonly reasons: readonly (readonly [how: string, games: number])[];
  readonly rounds: number;
  readonly meetings: number;
  readonly calls: Readonly<Record<'body' | 'button', number>>;
  /** Meetings that ejected a player, and ejections of impostors. */
  readonly ejections: Rate;
  readonly rightEjections: Rate;
  readonly roles: Readonly<Record<Role, RoleTotals>>;
  /** Meetings on their own. Only their accounts are in these totals. */
  readonly singles: number;
  readonly account: Readonly<Record<Role, Account>>;
};

/** Adds games up, and the accounts of meetings on their own. */
export function sumStats(
  games: readonly GameStats[],
  singles: readonly SingleMeetingStats[] = [],
): StatsTotals {
  const decided = games.filter(({ winner }) => winner !== null).length;
  const won = (side: 'crew' | 'impostors') =>
    rate(games.filter(({ winner }) => winner === side).length, decided);
  const meetings = games.flatMap((game) => game.meetings);
  const called = (wanted: MeetingStats['kind']) =>
    meetings.filter(({ kind }) => kind === wanted).length;
  const ejections = meetings.filter(({ ejected }) => ejected !== null);
  const right = ejections.filter(({ ejectedRole }) => ejectedRole === 'impostor');
  const players = games.flatMap((game) => game.players);
  const of = (wanted: Role) => totalRole(players.filter(({ role }) => role === wanted));
  const seats = [...players, ...singles.flatMap((meeting) => meeting.players)];
  const account = (wanted: Role) =>
    sumAccounts(seats.flatMap((seat) => (seat.role === wanted ? [seat.account] : [])));
  return {
    games: games.length,
    wins: { crew: won('crew'), impostors: won('impostors') },
    reasons: rankWords(games.map(describeResult)),
    rounds: sumOf(games, ({ rounds }) => rounds),
    meetings: meetings.length,
    calls: { body: called('body'), button: called('button') },
    ejections: rate(ejections.length, meetings.length),
    rightEjections: rate(right.length, ejections.length),
    roles: { crewmate: of('crewmate'), impostor: of('impostor') },
    singles: singles.length,
    account: { crewmate: account('crewmate'), impostor: account('impostor') },
  };
}

/** The end of a game: "crew tasks", or the reason alone if neither side won. */
export function describeResult({
  winner,
  reason,
}: {
  readonly winner: string | null;
  readonly reason: string;
}): string {
  return winner === null ? reason : `${winner} ${reason}`;
}

function totalRole(players: readonly PlayerStats[]): RoleTotals {
  const counts = sumTallies(players.map(tallyPlayer));
  const total = (name: string) => counts[name] ?? 0;
  const share = (name: keyof typeof FORMULAS.crewmate) => {
    const { hits, cases } = evaluateFormula(FORMULAS.crewmate[name], counts);
    return rate(hits, cases);
  };
  const assertions = { ...NO_ASSERTIONS };
  for (const type of CLAIM_TYPES)
    assertions[type] = sumOf(players, (player) => player.assertions[type]);
  return {
    players: players.length,
    survived: share('survival'),
    speaking: share('speaking_share'),
    unheard: share('meetings_unheard'),
    accuracy: share('vote_accuracy'),
    skipped: share('skip_share'),
    missed: total('votes_missed'),
    falsehoods: share('false_claims'),
    unverifiable: total('claims_open'),
    assertions,
    kills: total('kills'),
    tasksDone: total('tasks_done'),
    faults: total('faults'),
    refused: total('refused'),
  };
}
