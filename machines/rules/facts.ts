/**
 * Facts: what happened in a meeting and its gallery, in the past tense.
 *
 * Rules return them beside the new table, the statechart emits them, the journal writes them down. Nothing else leaves
 * a meeting: what shows, replays or checks it has these facts and no more.
 */
import type {
  Ballot,
  Bid,
  BySeat,
  Call,
  Colour,
  Die,
  Note,
  Outcome,
  PadUpdates,
  Phase,
  RequestKind,
  TickDecision,
} from '../types.ts';

/** Why a poll was closed. */
export const CLOSINGS = ['everyone-voted', 'time-up'] as const;
export type Closing = (typeof CLOSINGS)[number];

/** Why a player is gone: out of patience, or left. */
export const DEPARTURES = ['faults', 'left'] as const;
export type Departure = (typeof DEPARTURES)[number];

/**
 * When something came from outside: while a tick was open or between ticks. Null for what follows from a bid. A
 * replay must put it back in the same place.
 */
export const ARRIVALS = ['tick', 'pause'] as const;
export type Arrival = (typeof ARRIVALS)[number];

export type Fact =
  | { readonly type: 'meeting.called'; readonly call: Call }
  | { readonly type: 'meeting.refused'; readonly note: Note }
  | { readonly type: 'phase.entered'; readonly phase: Phase }
  | {
      readonly type: 'tick.closed';
      readonly tick: number;
      readonly requestKind: RequestKind;
      readonly bids: readonly Bid[];
      readonly dice: BySeat<Die>;
      /** Null where nobody competes for the floor: reaction and consolidation. */
      readonly decision: TickDecision | null;
    }
  /** The operator asked for the end: an input of the run, so it is recorded. */
  | { readonly type: 'stop.requested'; readonly outcome: Outcome; readonly during: Arrival }
  | { readonly type: 'vote.locked'; readonly seat: Colour; readonly ballot: Ballot }
  | {
      readonly type: 'vote.refused';
      readonly seat: Colour;
      readonly vote: Ballot;
      readonly note: Note;
    }
  | { readonly type: 'vote.cleared'; readonly seat: Colour; readonly leaver: Colour }
  | {
      readonly type: 'seat.faulted';
      readonly seat: Colour;
      readonly code: string;
      readonly streak: number;
    }
  | {
      readonly type: 'seat.departed';
      readonly seat: Colour;
      readonly reason: Departure;
      readonly during: Arrival | null;
    }
  | { readonly type: 'scratchpads.updated'; readonly seat: Colour; readonly pads: PadUpdates }
  | {
      readonly type: 'poll.closed';
      readonly reason: Closing;
      readonly missed: readonly Colour[];
      readonly void: readonly Colour[];
    }
  | {
      readonly type: 'poll.counted';
      readonly counts: VoteCount['counts'];
      readonly outcome: Outcome;
      readonly ejected: Colour | null;
    }
  | ({
      readonly type: 'ballot.revealed';
      readonly index: number;
      readonly by: Colour;
    } & RevealedBallot)
  | {
      readonly type: 'verdict.announced';
      readonly sentence: string;
      readonly outcome: Outcome;
      readonly ejected: Colour | null;
    }
  | {
      readonly type: 'scratchpads.consolidated';
      readonly seat: Colour;
      /** The main page that the player wrote; null when the engine added `line` to what stood there. */
      readonly main: string | null;
      readonly line: string | null;
    }
  | { readonly type: 'scratchpads.erased' }
  | { readonly type: 'meeting.closed'; readonly outcome: Outcome; readonly ejected: Colour | null };

export type FactType = Fact['type'];

/** What the count says. `counts` is in the order of the colours with skip last, and leaves out who got none. */
export type VoteCount = {
  readonly counts: readonly { readonly candidate: Ballot; readonly votes: number }[];
  readonly outcome: 'ejected' | 'tie' | 'skipped';
  readonly ejected: Colour | null;
};

/** One ballot as it is turned. `voter` is null when votes are anonymous. */
export type RevealedBallot = {
  readonly voter: Colour | null;
  readonly ballot: Ballot;
  readonly void: boolean;
};

/** A line of the ghosts' chat. */
export type GhostUtterance = { readonly speaker: Colour; readonly message: string };

/** What the ghosts' channel of the journal tells. */
export type GhostFact =
  | { readonly type: 'ghost.joined'; readonly seat: Colour }
  | {
      readonly type: 'turn.closed';
      readonly turn: number;
      readonly requestKind: RequestKind;
      readonly bids: readonly Bid[];
      readonly dice: BySeat<Die>;
      readonly said: GhostUtterance | null;
    }
  | {
      readonly type: 'scratchpads.consolidated';
      readonly seat: Colour;
      readonly main: string | null;
      readonly line: string | null;
    }
  | { readonly type: 'scratchpads.erased' }
  | { readonly type: 'gallery.closed'; readonly turns: number };

/** A tick as the arbiter closed it: everything that chance, minds and the arbiter decided is data here. */
export type ClosedTick = {
  readonly tick: number;
  readonly requestKind: RequestKind;
  readonly bids: readonly Bid[];
  readonly dice: BySeat<Die>;
  readonly decision: TickDecision | null;
};
