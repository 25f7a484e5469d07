/**
 * What is reported of a league, as plain data: the command line prints it, and the page shows it without working anything
 * out again.
 */

import type { Colour, Role } from '../../machines/types.ts';
import type { Interval } from '../counts/numeric.ts';

export type WinShare = {
  /** Games with a winner. */
  readonly games: number;
  readonly wins: number;
  readonly interval: Interval | null;
  /** There are so few games that it says little. */
  readonly few: boolean;
};

/** Points of skill around 1500, with the ends of the 95 % interval. */
export type Rating = {
  readonly value: number;
  readonly least: number;
  readonly most: number;
  /** There are so few games that the interval rests on what is assumed of skills, not on games. */
  readonly few: boolean;
};
/** `overall` is the mean of both roles. */
export type PersonaRating = Readonly<Record<Role | 'overall', Rating>>;

/** A share or a mean, with the counts it was worked out from, so that it can be added up elsewhere. */
export type Measure = {
  readonly name: string;
  readonly count: number;
  readonly of: number;
  /** Null where there was nothing to count it of. */
  readonly value: number | null;
};

/** How a persona plays, role by role. */
export type RoleMeasures = Readonly<Record<Role, readonly Measure[]>>;

export type StandingsRow = {
  readonly id: string;
  readonly all: WinShare;
  readonly roles: Readonly<Record<Role, WinShare>>;
  readonly rating: PersonaRating;
  readonly tallies: RoleMeasures;
};

/** Whether two differ. */
export type Comparison = {
  /** How much more often a side wins with the first one in it than with the other one, as a share of games. */
  readonly difference: number;
  /** The ends of the 95 % interval; null, as `p` is, where there are too few games to say. */
  readonly least: number | null;
  readonly most: number | null;
  /** How often a difference at least as large comes about where there is none. */
  readonly p: number | null;
  /** Pairs of mirrored games, or games, that tell the two apart. */
  readonly cases: number;
  readonly isPaired: boolean;
};

/** Two personas, or two levels of strategy, that were compared. */
export type ComparedPair = {
  readonly one: string;
  readonly other: string;
  readonly result: Comparison;
};

/** Wins of the first against the other, of the games in which each was on one side only, and not on the same. */
export type VersusShare = {
  readonly one: string;
  readonly other: string;
  readonly share: WinShare;
};

export type Standings = {
  readonly league: string;
  readonly games: number;
  readonly of: number;
  /** Games that neither side has won: they are in no share and no rating. */
  readonly unfinished: number;
  readonly wins: Readonly<Record<'crew' | 'impostors', WinShare>>;
  readonly endings: readonly { readonly ending: string; readonly games: number }[];
  /** What the rules give to the impostors, as a share of games between equals. */
  readonly sides: Rating;
  /** The strongest first. */
  readonly rows: readonly StandingsRow[];
  readonly comparisons: readonly ComparedPair[];
  readonly levels: readonly ComparedPair[];
  readonly versus: readonly VersusShare[];
  /** Wins by colour: where the seats are fair, none stands out. */
  readonly colours: readonly { readonly colour: string; readonly share: WinShare }[];
};

/** A lesson, where it came from in words, and the game of this league that this was; null for anything else. */
export type PlacedLesson = {
  readonly text: string;
  readonly from: string;
  readonly slot: number | null;
};

/** A version of a memory: what it added to the one before, and what it gave up. */
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
  /** Of all leagues of the store; a rate is null where there was no game. */
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
  /** Versions that are older than those. */
  readonly earlier: number;
};

export type ListedSeat = {
  readonly colour: Colour;
  readonly role: Role;
  readonly id: string;
  readonly won: boolean;
};

export type ListedGame = {
  readonly slot: number;
  readonly winner: 'crew' | 'impostors' | null;
  readonly reason: string;
  readonly rounds: number;
  readonly meetings: number;
  readonly seats: readonly ListedSeat[];
  /** The path of the journal; null where there is none. */
  readonly journal: string | null;
  /** The turning point, where a result of `why` lies beside the journal. */
  readonly turn?: ListedTurn;
};

export type ListedTurn = {
  /** The name of its moment in an address. */
  readonly at: string;
  /** "at 4:47", on the ship; "in meeting 2, tick 5". */
  readonly when: string;
  /** The chance of the crew before and after it, from 0 to 1. */
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
  /** Results that are left out because they are not as they were recorded, in sentences. */
  readonly damages: readonly string[];
  /** The latest of everybody, and those that lessons came from; the latest first. */
  readonly games: readonly ListedGame[];
};

/** How far a league is while it is watched. */
export type LeagueProgress = {
  readonly done: number;
  readonly of: number;
  /** Games in a second, and the seconds that are left at that rate; null while no game has ended. */
  readonly rate: number | null;
  readonly secondsLeft: number | null;
  /** Games that are in the standings which the server has now. */
  readonly counted: number;
};

/** What is embedded; with progress the page asks the server for more. */
export type LeagueSource = {
  readonly type: 'league';
  readonly league: LeagueReport;
  readonly progress: LeagueProgress | null;
};
