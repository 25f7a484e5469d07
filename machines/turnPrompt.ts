/** The turn prompt: what a person sees instead of a model's prompt. It holds only what the seat may know and choose. */
import type { Ballot, Colour, Place, RequestKind, Role, Room, System } from './types.ts';

/** The target of an action on the map. `of` distinguishes targets of one kind: a colour, a task, a vent. */
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

/** One possible action on the ship: "Go to" "Admin", and the order to send. */
export type OfferedAction = {
  readonly does: string;
  /** The person, place or thing. '' if there is no choice. */
  readonly what: string;
  /** Extra information, or ''. */
  readonly hint: string;
  /** The whole action in words: "Walk to Admin". */
  readonly label: string;
  readonly target: MapTarget;
  readonly action: Readonly<Record<string, string | number>>;
};

export type TurnScene = {
  readonly place: Place;
  /** Null outside vents. */
  readonly vent: number | null;
  /** Where each other player is now, or was last seen since the last meeting. */
  readonly seen: readonly {
    readonly seat: Colour;
    readonly place: Place;
    readonly isDead: boolean;
    /** Seconds ago, 0 for now. */
    readonly ago: number;
  }[];
  /** The sabotaged system and the seconds left. `seconds` is null if there is no deadline. */
  readonly sabotage: { readonly system: System; readonly seconds: number | null } | null;
  readonly shut: readonly Room[];
  /** Heads in each room. Null unless the player stands at the Admin table. */
  readonly heads: Readonly<Partial<Record<Place, number>>> | null;
};

export type TurnPrompt = {
  readonly kind: RequestKind | 'action';
  readonly index: number;
  readonly you: {
    readonly colour: Colour;
    readonly role: Role;
    readonly partners: readonly Colour[];
    readonly isDead: boolean;
  };
  readonly wanted: string;
  readonly news: readonly string[];
  /** One line for each sighting, oldest first. */
  readonly seen: readonly string[];
  /** Possible targets of a message. Null if nobody speaks. */
  readonly talk: readonly Colour[] | null;
  /** Candidates. Empty if no vote counts. */
  readonly ballots: readonly Ballot[];
  readonly ballot: Ballot | null;
  /** Whether the last message names or addresses this player, or the nudge has come. */
  readonly isNamed: boolean;
  /** Empty at the table. */
  readonly actions: readonly OfferedAction[];
  /** Null at the table. */
  readonly scene: TurnScene | null;
  /** The current activity, which continues if no action is chosen. Null if there is none. */
  readonly goesOn: string | null;
  /** The current text of the page of notes that can be written. */
  readonly notes: { readonly page: 'main_scratch' | 'meeting_scratch'; readonly text: string };
};

export type SeatAttendance =
  /** The player has not joined yet. */
  | 'awaited'
  | 'here'
  /** The connection is lost. The seat is kept for a while. */
  | 'away'
  | 'left';

export type SeatStatus = {
  readonly seat: Colour;
  readonly attendance: SeatAttendance;
  /** The open request and the milliseconds left. The answer carries its `id`. */
  readonly asked: { readonly id: number; readonly ms: number; readonly offer: TurnPrompt } | null;
  /** Requests without an answer since the last answered one. */
  readonly missed: number;
  readonly isOver: boolean;
};

/*
 * The status: who is being waited for, and whose request has just failed. It is sent live and stored nowhere. A lens
 * shows no more of it than of the journal: a late bid or a fault is the secret of its seat, and the list of asked
 * players on the ship tells who is alive. So the table hears only that somebody thinks, and who is the last one that it
 * waits for. A player hears of their own seat too. Only the glass sees words being written.
 */

export type WaitKind = RequestKind | 'action';

/** When all at the table are asked at once, so that it is no secret that they are. */
export const AT_TABLE: readonly WaitKind[] = ['discussion', 'voting', 'reaction', 'consolidation'];

/** `since` is a time in milliseconds. */
export type Thinker = {
  readonly seat: Colour;
  readonly requestKind: WaitKind;
  readonly since: number;
};

/** The words that a model has written so far of an answer without a journal line. Only the glass may see them. */
export type SeatWords = {
  readonly seat: Colour;
  readonly requestKind: WaitKind;
  /** The private thought and the message, '' before they begin. */
  readonly thought: string;
  readonly message: string;
};

export type RequestFailure = { readonly seat: Colour; readonly code: string };

/** The status at a time in milliseconds. */
export type GameStatus = {
  readonly ms: number;
  readonly thinkers: readonly Thinker[];
  readonly failures: readonly RequestFailure[];
  readonly writing: readonly SeatWords[];
};
