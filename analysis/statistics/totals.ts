/** Totals: what the games of a folder come to, in counts, and in shares with what they may be. */
import type { Role } from '../../machines/types.ts';
import { type Account, together } from './account.ts';
import type { GameStats, PlayerStats } from './game.ts';
import type { SingleMeeting } from './meeting.ts';
import { type Interval, wilson } from './wilson.ts';

/** A share of cases. `interval` is null where there was none. */
export type Rate = {
  readonly hits: number;
  readonly cases: number;
  readonly interval: Interval | null;
};

export type RoleTotals = {
  readonly players: number;
  readonly survived: Rate;
  /** Messages that won the floor, of all at meetings in which they were alive. */
  readonly speaking: Rate;
  /** Meetings at which one who was alive never spoke. */
  readonly unheard: Rate;
  /** Ballots against impostors, of those against anybody. */
  readonly accuracy: Rate;
  readonly skipped: Rate;
  readonly missed: number;
  /** Claims of place and time that the ship's log contradicts, of those that it can judge. */
  readonly falsehoods: Rate;
  readonly unverifiable: number;
  readonly kills: number;
  readonly tasksDone: number;
  readonly faults: number;
  readonly refused: number;
};

export type Totals = {
  readonly games: number;
  readonly wins: Readonly<Record<'crew' | 'impostors', Rate>>;
  /** How often each end came, as "crew tasks" or "interrupted", the most frequent first. */
  readonly reasons: readonly (readonly [how: string, games: number])[];
  readonly rounds: number;
  readonly meetings: number;
  readonly calls: Readonly<Record<'body' | 'button', number>>;
  /** Meetings at which somebody was ejected, and ejections of impostors. */
  readonly ejections: Rate;
  readonly rightEjections: Rate;
  readonly roles: Readonly<Record<Role, RoleTotals>>;
  /** Meetings on their own; of what they hold only the accounts are in these totals. */
  readonly singles: number;
  readonly account: Readonly<Record<Role, Account>>;
};

/** Adds games up, and the accounts of meetings on their own. */
export function totalsOf(
  games: readonly GameStats[],
  singles: readonly SingleMeeting[] = [],
): Totals {
  const decided = games.filter(({ winner }) => winner !== null).length;
  const won = (side: 'crew' | 'impostors') =>
    rate(games.filter(({ winner }) => winner === side).length, decided);
  const meetings = games.flatMap((game) => game.meetings);
  const ejections = meetings.filter(({ ejected }) => ejected !== null);
  const right = ejections.filter(({ ejectedRole }) => ejectedRole === 'impostor');
  const players = games.flatMap((game) => game.players);
  const of = (role: Role) => roleTotals(players.filter((player) => player.role === role));
  const seats = [...players, ...singles.flatMap((meeting) => meeting.players)];
  const account = (wanted: Role) =>
    together(seats.flatMap((seat) => (seat.role === wanted ? [seat.account] : [])));
  return {
    games: games.length,
    wins: { crew: won('crew'), impostors: won('impostors') },
    reasons: reasonsOf(games),
    rounds: sum(games, ({ rounds }) => rounds),
    meetings: meetings.length,
    calls: {
      body: meetings.filter(({ kind }) => kind === 'body').length,
      button: meetings.filter(({ kind }) => kind === 'button').length,
    },
    ejections: rate(ejections.length, meetings.length),
    rightEjections: rate(right.length, ejections.length),
    roles: { crewmate: of('crewmate'), impostor: of('impostor') },
    singles: singles.length,
    account: { crewmate: account('crewmate'), impostor: account('impostor') },
  };
}

/** How a game ended: "crew tasks", or the reason alone where nobody has won. */
export function howItEnded({ winner, reason }: Pick<GameStats, 'winner' | 'reason'>): string {
  return winner === null ? reason : `${winner} ${reason}`;
}

function reasonsOf(games: readonly GameStats[]): Totals['reasons'] {
  const reasons = new Map<string, number>();
  for (const game of games) reasons.set(howItEnded(game), (reasons.get(howItEnded(game)) ?? 0) + 1);
  return [...reasons].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
}

function roleTotals(players: readonly PlayerStats[]): RoleTotals {
  const of = (count: (player: PlayerStats) => number) => sum(players, count);
  const impostor = of(({ votes }) => votes.impostor);
  const named = impostor + of(({ votes }) => votes.crewmate);
  const skips = of(({ votes }) => votes.skip);
  const falsehoods = of(({ claims }) => claims.false);
  return {
    players: players.length,
    survived: rate(players.filter(({ fate }) => fate === 'alive').length, players.length),
    speaking: rate(
      of(({ messages }) => messages),
      of(({ heard }) => heard),
    ),
    unheard: rate(
      of((player) => player.unheard),
      of(({ meetings }) => meetings),
    ),
    accuracy: rate(impostor, named),
    skipped: rate(skips, named + skips),
    missed: of(({ votes }) => votes.missed),
    falsehoods: rate(falsehoods, falsehoods + of(({ claims }) => claims.true)),
    unverifiable: of(({ claims }) => claims.unverifiable),
    kills: of(({ kills }) => kills),
    tasksDone: of(({ tasks }) => tasks.done),
    faults: of(({ faults }) => faults),
    refused: of(({ refused }) => refused),
  };
}

function rate(hits: number, cases: number): Rate {
  return { hits, cases, interval: wilson(hits, cases) };
}

function sum<T>(list: readonly T[], count: (item: T) => number): number {
  return list.reduce((total, item) => total + count(item), 0);
}
