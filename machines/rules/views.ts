/**
 * Views: what a living player and a ghost may see. A view combines the public table with the player's own knowledge, so
 * it has no secrets to strip. Ghosts also see the truth about the game, but no mind's thoughts.
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
  Seat,
  Standing,
  Utterance,
} from '../types.ts';
import type { GhostUtterance } from './facts.ts';
import type { SilenceCall } from './floor.ts';
import { announcedResult, isResultPublic, type Table } from './meeting.ts';
import type {
  AnnouncedResult,
  DatedKill,
  KnownShip,
  LivedRound,
  OwnPast,
  PublicCall,
  PublicRecord,
  WorldTruth,
} from './record.ts';
import { isVotingOpen, voteTicks } from './tick.ts';

/** Others learn that a player has voted, never for whom (ruling 24). */
export type PublicSeat = {
  readonly colour: Colour;
  readonly standing: Standing;
  readonly voted: boolean;
};

export type PublicTable = {
  readonly requestKind: RequestKind;
  readonly rules: RuleSet;
  readonly seats: readonly PublicSeat[];
  readonly call: PublicCall;
  readonly votesOpen: boolean;
  /** Ticks after which votes count and the poll closes. Null if nothing closes it. */
  readonly clock: { readonly openAfter: number; readonly closeAfter: number | null };
  readonly confirmEjects: boolean;
  readonly anonymousVotes: boolean;
  readonly announced: AnnouncedResult | null;
  /** The record before this meeting. */
  readonly record: PublicRecord;
  /** Null for a meeting without a ship. */
  readonly ship: KnownShip | null;
};

export type TableView = PublicTable & {
  readonly tick: number;
  readonly transcript: readonly Utterance[];
};

/** A player's private knowledge. It leaves the player's actor only in the player's own requests. */
export type Self = {
  readonly colour: Colour;
  readonly role: Role;
  /** Empty for a crewmate. */
  readonly partners: readonly Colour[];
  readonly persona: Persona;
  readonly brief: Brief;
  readonly pads: Pads;
  readonly past: OwnPast;
  /** The rounds before each meeting. Empty without a ship. */
  readonly stretches: readonly (readonly LivedRound[])[];
  readonly ballot: Ballot | null;
  /** Notes from the engine, such as why a vote did not count. */
  readonly notices: readonly Note[];
};

export type PlayerInput = Omit<Self, 'ballot' | 'notices' | 'stretches'> & {
  /** Dead from the beginning. */
  readonly ghost: boolean;
};

export type LivingView = { readonly you: Self; readonly table: TableView } & SilenceCall;

export type Truth = {
  readonly seats: readonly (Seat & { readonly standing: Standing })[];
  readonly ballots: BySeat<Ballot>;
  readonly call: Call;
  readonly announced: AnnouncedResult | null;
  readonly rules: RuleSet;
  readonly record: PublicRecord;
  readonly ship: KnownShip | null;
  readonly world: WorldTruth | null;
  readonly kills: readonly DatedKill[];
};

/** The part that ghosts see between meetings too. */
export type ShipTruth = Pick<Truth, 'seats' | 'world'> & Partial<Pick<Truth, 'kills'>>;

/** It has no field for a vote, because ghosts cannot vote. */
export type GhostView = {
  readonly you: Omit<Self, 'ballot' | 'notices' | 'stretches'>;
  readonly requestKind: RequestKind;
  /** Turn of the gallery, from 0. */
  readonly turn: number;
  readonly truth: Truth;
  readonly transcript: readonly Utterance[];
  readonly chat: readonly GalleryLine[];
};

export type GalleryLine = GhostUtterance & {
  /** Number of table messages that the ghosts had seen before this line. */
  readonly heard: number;
};

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
    kills: table.kills,
  };
}

export function livingOthers({ you, table }: LivingView): readonly Colour[] {
  return table.seats.flatMap(({ colour, standing }) =>
    standing === 'living' && colour !== you.colour ? [colour] : [],
  );
}

export function ghostView(self: Self, seen: Omit<GhostView, 'you'>): GhostView {
  const { ballot: _ballot, notices: _notices, stretches: _stretches, ...you } = self;
  return { you, ...seen };
}
