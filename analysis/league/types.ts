/** The report of a league as plain data, for the command line and the page. */

import type { Role } from '../../machines/types.ts';
import type { reportLeague } from './report.ts';
import type { countStandings } from './standings.ts';
import type { trackPace } from './watch.ts';

export type Standings = Readonly<ReturnType<typeof countStandings>>;
export type StandingsRow = Standings['rows'][number];
export type WinShare = StandingsRow['all'];
export type PersonaRating = StandingsRow['rating'];
export type Rating = Standings['sides'];
export type Measure = StandingsRow['tallies'][Role][number];
export type VersusShare = Standings['versus'][number];

export type LeagueReport = Readonly<Awaited<ReturnType<typeof reportLeague>>>;
export type LeaguePersona = LeagueReport['personas'][number];
export type PlacedLesson = LeaguePersona['lessons'][number];
export type MemoryVersion = LeaguePersona['versions'][number];
export type ListedGame = LeagueReport['games'][number];
export type ListedTurn = NonNullable<ListedGame['turn']>;

export type LeagueProgress = Readonly<ReturnType<ReturnType<typeof trackPace>['progress']>>;

/** The data embedded in the page. With progress, the page polls the server. */
export type LeagueSource = {
  readonly type: 'league';
  readonly league: LeagueReport;
  readonly progress: LeagueProgress | null;
};
