/** Totals of the statistics of many games. */
import { addCounters } from '../../actors/stores/result.ts';
import type { Role } from '../../machines/types.ts';
import { CLAIM_TYPES } from '../../prompts/claims/claims.ts';
import { countShare, measureMirrors } from '../league/shares.ts';
import { sumAccounts } from './accounts.ts';
import { type Rate, rankWords, rate, sumOf } from './numeric.ts';
import {
  type GameStats,
  type MeetingStats,
  noAssertions,
  type PlayerStats,
  type SingleMeetingStats,
} from './statistics.ts';
import { evaluateFormula, FORMULAS, sumTallies, tallyPlayer } from './tally.ts';

export type RoleTotals = Readonly<ReturnType<typeof totalRole>>;
export type StatsTotals = Readonly<ReturnType<typeof sumStats>>;

export function sumStats(games: readonly GameStats[], singles: readonly SingleMeetingStats[] = []) {
  const decided = games.filter(({ winner }) => winner !== null);
  const casesOf = (side: 'crew' | 'impostors') =>
    decided.map(({ winner, seed }) => ({ pair: seed, won: winner === side }));
  const effect = measureMirrors([casesOf('crew')]);
  const won = (side: 'crew' | 'impostors'): Rate => {
    const { wins, games: cases, interval } = countShare(casesOf(side), effect);
    return { hits: wins, cases, interval };
  };
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
    floor: [...games, ...singles].map(({ floor }) => floor).reduce(addCounters, {}),
    roles: { crewmate: of('crewmate'), impostor: of('impostor') },
    /** Meetings on their own. Only their accounts are in these totals. */
    singles: singles.length,
    account: { crewmate: account('crewmate'), impostor: account('impostor') },
  };
}

type GameEnd = { readonly winner: string | null; readonly reason: string };

/** The end of a game: "crew tasks", or the reason alone if neither side won. */
export function describeResult({ winner, reason }: GameEnd): string {
  return winner === null ? reason : `${winner} ${reason}`;
}

function totalRole(players: readonly PlayerStats[]) {
  const counts = sumTallies(players.map(tallyPlayer));
  const total = (name: string) => counts[name] ?? 0;
  const share = (name: keyof typeof FORMULAS.crewmate) => {
    const { hits, cases } = evaluateFormula(FORMULAS.crewmate[name], counts);
    return rate(hits, cases);
  };
  const assertions = noAssertions();
  for (const type of CLAIM_TYPES)
    assertions[type] = sumOf(players, (player) => player.assertions[type]);
  return {
    players: players.length,
    survived: share('survival'),
    /** Messages that won the floor, of all messages at the meetings that the players were alive for. */
    speaking: share('speaking_share'),
    /** Meetings without a message of a player who was alive. */
    unheard: share('meetings_unheard'),
    /** Ballots against impostors, of all ballots against a player. */
    accuracy: share('vote_accuracy'),
    skipped: share('skip_share'),
    missed: total('votes_missed'),
    /** Claims of place and time that the ship's log contradicts, of all that it can judge. */
    falsehoods: share('false_claims'),
    unverifiable: total('claims_open'),
    assertions,
    kills: total('kills'),
    tasksDone: total('tasks_done'),
    faults: total('faults'),
    refused: total('refused'),
  };
}
