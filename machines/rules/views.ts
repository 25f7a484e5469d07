/**
 * Views: what a living player and a ghost may see, built from what is public and from what is their own.
 *
 * A view is put together from parts that hold no secret of anybody else, so there is nothing to strip: the table as
 * everybody sees it, and the player's own knowledge. Only a ghost is shown the truth, and nothing of what a ghost says
 * comes back to the table (ruling 36). What a spectator may see of the journal is in `../journal/lens.ts`.
 */
import type {
  Ballot,
  Brief,
  BySeat,
  Call,
  Colour,
  Note,
  Pads,
  Persona,
  RequestKind,
  Role,
  RuleSet,
  Standing,
  Utterance,
} from '../types.ts';
import type { GhostUtterance } from './facts.ts';
import { announcedResult, isResultPublic, type Table } from './meeting.ts';
import type {
  AnnouncedResult,
  KnownShip,
  OwnPast,
  PublicCall,
  PublicRecord,
  WorldTruth,
} from './record.ts';
import { isVotingOpen, voteTicks } from './tick.ts';
import { REMINDER } from './weights.ts';

/** A seat as everybody sees it: others learn that somebody voted, never for whom (ruling 24). */
export type PublicSeat = {
  readonly colour: Colour;
  readonly standing: Standing;
  readonly voted: boolean;
};

/** What the meeting lets everybody know when a tick is opened. */
export type PublicTable = {
  readonly requestKind: RequestKind;
  readonly rules: RuleSet;
  readonly seats: readonly PublicSeat[];
  readonly call: PublicCall;
  /** Whether a vote counts in this tick. */
  readonly votesOpen: boolean;
  /** Ticks after which votes count, and after which the poll closes; null where nothing closes it. */
  readonly clock: { readonly openAfter: number; readonly closeAfter: number | null };
  readonly confirmEjects: boolean;
  /** Whether the reveal hides who cast which ballot. */
  readonly anonymousVotes: boolean;
  readonly announced: AnnouncedResult | null;
  /** What everybody knows of the game before this meeting. */
  readonly record: PublicRecord;
  /** The ship; null for a meeting without one. */
  readonly ship: KnownShip | null;
};

/** The public table with what the arbiter adds: the tick and all that was said. */
export type TableView = PublicTable & {
  readonly tick: number;
  readonly transcript: readonly Utterance[];
};

/** What a player knows that nobody else may: it never leaves their own actor but in their own request. */
export type Self = {
  readonly colour: Colour;
  readonly role: Role;
  /** Fellow impostors; empty for a crewmate. */
  readonly partners: readonly Colour[];
  readonly persona: Persona;
  readonly brief: Brief;
  readonly pads: Pads;
  /** What this player did and how they voted before this meeting. */
  readonly past: OwnPast;
  readonly ballot: Ballot | null;
  /** What the engine has to tell this player, such as why a vote did not count. */
  readonly notices: readonly Note[];
};

/** What a living player is shown. */
export type LivingView = {
  readonly you: Self;
  readonly table: TableView;
  /** Silent for so long that even a blank bid competes: the request carries the reminder (ruling 9). */
  readonly calledOn: boolean;
  /** The words of it; null for everybody else. */
  readonly reminder: string | null;
};

/** The full state of the game, for ghosts: roles, ballots and standings, but no mind's thoughts. */
export type Truth = {
  readonly seats: readonly {
    readonly colour: Colour;
    readonly role: Role;
    readonly standing: Standing;
  }[];
  readonly ballots: BySeat<Ballot>;
  readonly call: Call;
  readonly announced: AnnouncedResult | null;
  readonly rules: RuleSet;
  readonly record: PublicRecord;
  readonly ship: KnownShip | null;
  readonly world: WorldTruth | null;
};

/** What a ghost is shown. It has no field for a vote: the dead can't. */
export type GhostView = {
  readonly you: Omit<Self, 'ballot' | 'notices'>;
  readonly requestKind: RequestKind;
  /** Turn of the gallery, from 0. */
  readonly turn: number;
  readonly truth: Truth;
  readonly transcript: readonly Utterance[];
  /** What the ghosts said among themselves. */
  readonly chat: readonly GalleryLine[];
};

export type GalleryLine = GhostUtterance & {
  /** Messages of the transcript that the ghosts had before them when it was said. */
  readonly heard: number;
};

/** The part of the table that is open to everybody. */
export function publicTable(table: Table, requestKind: RequestKind): PublicTable {
  const { by, kind, body, place } = table.call;
  return {
    requestKind,
    rules: table.options.rules,
    seats: table.seats.map(({ colour }) => ({
      colour,
      standing: table.standings[colour] ?? 'departed',
      voted: table.ballots[colour] !== undefined,
    })),
    call: { by, kind, body, place },
    votesOpen: isVotingOpen(table.options, requestKind),
    clock: voteTicks(table.options),
    confirmEjects: table.options.confirmEjects,
    anonymousVotes: table.options.anonymousVotes,
    announced: isResultPublic(table) ? announcedResult(table, table.options) : null,
    record: table.record,
    ship: table.ship,
  };
}

export function livingView(you: Self, table: TableView, calledOn: boolean): LivingView {
  return { you, table, calledOn, reminder: calledOn ? REMINDER : null };
}

/** Everything that is so, apart from what is in anybody's mind. */
export function fullTruth(table: Table): Truth {
  return {
    seats: table.seats.map(({ colour, role }) => ({
      colour,
      role,
      standing: table.standings[colour] ?? 'departed',
    })),
    ballots: table.ballots,
    call: table.call,
    rules: table.options.rules,
    announced: isResultPublic(table)
      ? announcedResult(table, { anonymousVotes: false, confirmEjects: true })
      : null,
    record: table.record,
    ship: table.ship,
    world: table.world,
  };
}

export function ghostView(self: Self, seen: Omit<GhostView, 'you'>): GhostView {
  const { ballot: _ballot, notices: _notices, ...you } = self;
  return { you, ...seen };
}
