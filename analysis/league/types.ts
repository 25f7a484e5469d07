/** The report of a league as plain data, for the command line and the page. */

import type { Role, Seat } from '../../machines/types.ts';
import type { Interval } from '../counts/numeric.ts';

export type WinShare = {
  /** Games with a winner. */
  readonly games: number;
  readonly wins: number;
  readonly interval: Interval | null;
  /** Too few games for a useful figure. */
  readonly few: boolean;
};

/** Points around 1500, with the ends of the 95 % interval. */
export type Rating = {
  readonly value: number;
  readonly least: number;
  readonly most: number;
  /** The interval rests on the prior more than on games. */
  readonly few: boolean;
};
/** `overall` is the mean of both roles. */
export type PersonaRating = Readonly<Record<Role | 'overall', Rating>>;

/** A share or mean with its counts, so that others can add them up. */
export type Measure = {
  readonly name: string;
  readonly count: number;
  readonly of: number;
  readonly value: number | null;
};

export type RoleMeasures = Readonly<Record<Role, readonly Measure[]>>;

export type StandingsRow = {
  readonly id: string;
  readonly all: WinShare;
  readonly roles: Readonly<Record<Role, WinShare>>;
  readonly rating: PersonaRating;
  readonly tallies: RoleMeasures;
};

export type Comparison = {
  /** How much more often a side wins with the first one than with the other, as a share of games. */
  readonly difference: number;
  /** Null, as `p` is, if there are too few games. */
  readonly least: number | null;
  readonly most: number | null;
  /** The probability of at least this difference if there is none. */
  readonly p: number | null;
  readonly error: number | null;
  /** Pairs of mirrored games, or games, that distinguish the two. */
  readonly cases: number;
  readonly isPaired: boolean;
};

/** Two personas, or two levels of strategy. */
export type ComparedPair = {
  readonly one: string;
  readonly other: string;
  readonly result: Comparison;
  /** `p` corrected for the number of pairs in the list (Holm); null where `p` is. */
  readonly adjusted: number | null;
  /** About how many games would separate the two if the difference is as found; null if they are, or if none would. */
  readonly needed: number | null;
};

/** Wins of the first against the other, in games with both on opposite sides only. */
export type VersusShare = {
  readonly one: string;
  readonly other: string;
  readonly share: WinShare;
};

export type Standings = {
  readonly league: string;
  readonly games: number;
  readonly of: number;
  /** Games without a winner. No share or rating includes them. */
  readonly unfinished: number;
  readonly wins: Readonly<Record<'crew' | 'impostors', WinShare>>;
  readonly endings: readonly { readonly ending: string; readonly games: number }[];
  /** The share of games that the impostors win between equals. */
  readonly sides: Rating;
  /** The strongest first. */
  readonly rows: readonly StandingsRow[];
  /** The pairs that the league names, and all pairs of the strongest. */
  readonly comparisons: readonly ComparedPair[];
  readonly pairs: readonly ComparedPair[];
  /** In words: who is separated from whom, and who is not. */
  readonly separation: readonly string[];
  readonly levels: readonly ComparedPair[];
  readonly versus: readonly VersusShare[];
  readonly colours: readonly { readonly colour: string; readonly share: WinShare }[];
};

/** `slot` is the game of this league that taught the lesson; null for another source. */
export type PlacedLesson = {
  readonly text: string;
  readonly from: string;
  readonly slot: number | null;
};

export type MemoryVersion = {
  readonly version: number;
  readonly why: string;
  readonly barrier: string;
  readonly added: readonly PlacedLesson[];
  readonly dropped: readonly string[];
};

export type LeaguePersona = {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  readonly temperament: string;
  readonly level: string;
  readonly character: string | null;
  readonly voice: string | null;
  readonly learns: boolean;
  /** Over all leagues of the store. A rate is null without a game. */
  readonly career: {
    readonly games: number;
    readonly seats: number;
    readonly all: number | null;
    readonly impostor: number | null;
    readonly crewmate: number | null;
  };
  readonly lessons: readonly PlacedLesson[];
  /** The latest first. */
  readonly versions: readonly MemoryVersion[];
  readonly earlier: number;
};

export type ListedGame = {
  readonly slot: number;
  readonly winner: 'crew' | 'impostors' | null;
  readonly reason: string;
  readonly rounds: number;
  readonly meetings: number;
  readonly seats: readonly (Seat & { readonly id: string; readonly won: boolean })[];
  readonly journal: string | null;
  /** The turning point, from the `why` result beside the journal. */
  readonly turn?: ListedTurn;
};

export type ListedTurn = {
  /** The moment in an address. */
  readonly at: string;
  /** "at 4:47" on the ship, or "in meeting 2, tick 5". */
  readonly when: string;
  /** The crew's chance before and after, from 0 to 1. */
  readonly from: number;
  readonly to: number;
  readonly what: string;
};

export type LeagueReport = {
  readonly about: string;
  readonly players: number;
  readonly rules: string;
  readonly seating: string;
  readonly isMirrored: boolean;
  readonly isLearning: boolean;
  readonly seed: number;
  readonly engine: string;
  readonly standings: Standings;
  readonly personas: readonly LeaguePersona[];
  /** Sentences about damaged results, which are left out. */
  readonly damages: readonly string[];
  /** The latest games of every persona, and the sources of lessons; the latest first. */
  readonly games: readonly ListedGame[];
};

export type LeagueProgress = {
  readonly done: number;
  readonly of: number;
  /** Games per second, and the seconds left at that rate; null before the first game ends. */
  readonly rate: number | null;
  readonly secondsLeft: number | null;
  readonly counted: number;
};

/** The data embedded in the page. With progress, the page polls the server. */
export type LeagueSource = {
  readonly type: 'league';
  readonly league: LeagueReport;
  readonly progress: LeagueProgress | null;
};
