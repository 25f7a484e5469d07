/**
 * A league as the page shows it: plain data, counted elsewhere, so that the page works nothing out twice.
 *
 * The standings are those that the command line prints as JSON, to the last digit.
 */

import type { Interval } from '../../../analysis/statistics.ts';
import type { Colour, Role } from '../../../machines/types.ts';

export type Share = {
  readonly games: number;
  readonly wins: number;
  readonly interval: Interval | null;
  /** There are so few games that it says little. */
  readonly few: boolean;
};

/** Points of skill around 1500, with the ends of the 95 % interval. */
export type Rating = { readonly value: number; readonly least: number; readonly most: number };
export type Ratings = Readonly<Record<Role | 'overall', Rating>>;

export type Measure = {
  readonly name: string;
  readonly count: number;
  readonly of: number;
  readonly value: number | null;
};

export type Row = {
  readonly id: string;
  readonly all: Share;
  readonly roles: Readonly<Record<Role, Share>>;
  readonly rating: Ratings;
  readonly tallies: Readonly<Record<Role, readonly Measure[]>>;
};

/** Two that were held against each other; all figures are shares of games but `p` and `cases`. */
export type Against = {
  readonly one: string;
  readonly other: string;
  readonly result: {
    readonly difference: number;
    readonly least: number;
    readonly most: number;
    readonly p: number;
    readonly cases: number;
    readonly isPaired: boolean;
  };
};

export type Versus = { readonly one: string; readonly other: string; readonly share: Share };

export type Standings = {
  readonly league: string;
  readonly games: number;
  readonly of: number;
  readonly wins: Readonly<Record<'crew' | 'impostors', Share>>;
  readonly endings: readonly { readonly ending: string; readonly games: number }[];
  /** What the rules give to the impostors, as a share of games between equals. */
  readonly sides: Rating;
  /** The strongest first. */
  readonly rows: readonly Row[];
  readonly comparisons: readonly Against[];
  readonly levels: readonly Against[];
  readonly versus: readonly Versus[];
  readonly colours: readonly { readonly colour: string; readonly share: Share }[];
};

/** A lesson, where it came from in words, and the game of this league that this was; null for anything else. */
export type Lesson = {
  readonly text: string;
  readonly from: string;
  readonly slot: number | null;
};

/** A version of a memory: what it added to the one before, and what it gave up. */
export type Version = {
  readonly version: number;
  readonly why: string;
  readonly barrier: string;
  readonly added: readonly Lesson[];
  readonly dropped: readonly string[];
};

export type Persona = {
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
    readonly all: number | null;
    readonly impostor: number | null;
    readonly crewmate: number | null;
  };
  readonly lessons: readonly Lesson[];
  /** The latest first. */
  readonly versions: readonly Version[];
  /** Versions that are older than those. */
  readonly earlier: number;
};

export type Seat = {
  readonly colour: Colour;
  readonly role: Role;
  readonly id: string;
  readonly won: boolean;
};

export type Game = {
  readonly slot: number;
  readonly winner: 'crew' | 'impostors' | null;
  readonly reason: string;
  readonly rounds: number;
  readonly meetings: number;
  readonly seats: readonly Seat[];
  /** The path of the journal; null where there is none. */
  readonly journal: string | null;
};

export type League = {
  readonly about: string;
  readonly players: number;
  readonly rules: string;
  readonly seating: string;
  readonly isMirrored: boolean;
  readonly isLearning: boolean;
  readonly seed: number;
  readonly engine: string;
  readonly standings: Standings;
  readonly personas: readonly Persona[];
  /** The latest of everybody, and those that lessons came from; the latest first. */
  readonly games: readonly Game[];
};

/** How far a league is while somebody watches. */
export type Progress = {
  readonly done: number;
  readonly of: number;
  /** Games in a second, and the seconds that are left at that rate; null while no game has ended. */
  readonly rate: number | null;
  readonly secondsLeft: number | null;
  /** Games that are in the standings which the server has now. */
  readonly counted: number;
};

/** What is embedded; with progress the page asks the server for more. */
export type Source = {
  readonly type: 'league';
  readonly league: League;
  readonly progress: Progress | null;
};
