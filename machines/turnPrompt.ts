/**
 * The turn prompt: what a person who plays is asked, where a model would be sent a prompt.
 *
 * It holds what the seat may know and what its holder may choose, nothing else: a page that draws it can't show too
 * much, and the answer is read at the same border as that of every mind.
 */
import type { Ballot, Colour, Place, RequestKind, Role, Room, System } from './types.ts';

/** What on the map is touched for an action; `of` tells those of a kind apart: a colour, a task, a vent. */
export type MapTarget = {
  readonly kind:
    | 'self'
    | 'place'
    | 'player'
    | 'body'
    | 'vent'
    | 'task'
    | 'console'
    | 'screen'
    | 'button';
  readonly of: string;
  readonly place: Place;
};

/** One thing that can be done on the ship: "Go to" "Admin", and what is sent for it. */
export type OfferedAction = {
  readonly does: string;
  /** With whom, where or what; '' where there is nothing to choose. */
  readonly what: string;
  /** What comes with it; '' for nothing. */
  readonly hint: string;
  /** The whole of it in words: "Walk to Admin". */
  readonly label: string;
  readonly target: MapTarget;
  readonly action: Readonly<Record<string, string | number>>;
};

/** What the seat knows of the ship when it is asked: all that its map may show. */
export type TurnScene = {
  readonly place: Place;
  /** The vent that the player is in; null outside. */
  readonly vent: number | null;
  /** Everybody else whom the player sees, or has seen since the last meeting, where that was last. */
  readonly seen: readonly {
    readonly seat: Colour;
    readonly place: Place;
    readonly isDead: boolean;
    /** Seconds since then; 0 for now. */
    readonly ago: number;
  }[];
  /** What is sabotaged, and the seconds that are left; null for those where it does not matter. */
  readonly sabotage: { readonly system: System; readonly seconds: number | null } | null;
  readonly shut: readonly Room[];
  /** Heads in each room, for one who stands at the Admin table; null for everybody else. */
  readonly heads: Readonly<Partial<Record<Place, number>>> | null;
};

export type TurnPrompt = {
  readonly kind: RequestKind | 'action';
  /** The tick, the turn or the round. */
  readonly index: number;
  readonly you: {
    readonly colour: Colour;
    readonly role: Role;
    /** Fellow impostors. */
    readonly partners: readonly Colour[];
    readonly isDead: boolean;
  };
  /** What is wanted, in a sentence. */
  readonly wanted: string;
  /** What the player should know to decide, a sentence each. */
  readonly news: readonly string[];
  /** What the player has seen, a line each, oldest first. */
  readonly seen: readonly string[];
  /** Whom one may speak to; null where nobody speaks. */
  readonly talk: readonly Colour[] | null;
  /** What one may vote for; empty where no vote counts. */
  readonly ballots: readonly Ballot[];
  /** What is locked already. */
  readonly ballot: Ballot | null;
  /** Whether what was said last was to this player or about them, or System said that it is time. */
  readonly isNamed: boolean;
  /** What can be done; empty at the table. */
  readonly actions: readonly OfferedAction[];
  /** What the map shows; null at the table. */
  readonly scene: TurnScene | null;
  /** What one is about, and goes on with where nothing else is chosen; null where there is nothing. */
  readonly goesOn: string | null;
  /** The page of notes that can be written now, as it stands. */
  readonly notes: { readonly page: 'main_scratch' | 'meeting_scratch'; readonly text: string };
};

/** How a seat stands with its player. */
export type SeatAttendance =
  /** The player has not come yet. */
  | 'awaited'
  | 'here'
  /** The connection is gone; the seat is kept for a while. */
  | 'away'
  | 'left';

/** What the player of a seat is sent. */
export type SeatStatus = {
  readonly seat: Colour;
  readonly attendance: SeatAttendance;
  /** What is asked now, and for how many milliseconds more; `id` names it in the answer. */
  readonly asked: { readonly id: number; readonly ms: number; readonly offer: TurnPrompt } | null;
  /** Requests that went without an answer since the last one that had one. */
  readonly missed: number;
  /** Whether the game is over. */
  readonly isOver: boolean;
};

/* The status: who is being waited for, and whose request has just failed. It is sent while it holds and stored nowhere.

   A lens shows no more of it than of the journal. That a bid is late or a fault is the secret of its seat, and whom the ship
   waits for tells who is alive and has something to decide. So the table hears that the table thinks, not who, and a player
   hears of the own seat besides. What is being written is seen through the glass only, also by those whose words they are. */

/** What a player is asked for: an order on the ship, or a reply in a meeting. */
export type WaitKind = RequestKind | 'action';

/** A player who is thinking, since a time in milliseconds. */
export type Thinker = {
  readonly seat: Colour;
  readonly requestKind: WaitKind;
  readonly since: number;
};

/** What a model has written by now of an answer that stands in no line yet. Nobody but the glass may know of it. */
export type SeatWords = {
  readonly seat: Colour;
  readonly requestKind: WaitKind;
  /** The private thought, and what would be said; '' for what has not begun. */
  readonly thought: string;
  readonly message: string;
};

/** A request that failed, or an answer that did not come, with the code of the failure. */
export type RequestFailure = { readonly seat: Colour; readonly code: string };

/** What holds at a time in milliseconds. */
export type GameStatus = {
  readonly ms: number;
  readonly thinkers: readonly Thinker[];
  readonly failures: readonly RequestFailure[];
  readonly writing: readonly SeatWords[];
};
