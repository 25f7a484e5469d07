/** Facts: events of a meeting and its gallery, in the past tense. Viewers, replays and checks see only facts. */
import type {
  Ballot,
  Bid,
  BySeat,
  Call,
  Colour,
  Die,
  Hit,
  Note,
  NudgeReason,
  Outcome,
  PadUpdates,
  Phase,
  RequestKind,
  TieBreak,
  Utterance,
} from '../types.ts';
import type { Score } from './scoreTerms.ts';

export const CLOSINGS = ['everyone-voted', 'time-up'] as const;
export type Closing = (typeof CLOSINGS)[number];

/** `faults`: the player ran out of patience. `left`: the player left. */
export const DEPARTURES = ['faults', 'left'] as const;
export type Departure = (typeof DEPARTURES)[number];

/**
 * Whether outside input came while a tick was open or between ticks. A replay must repeat it at the same place. Null
 * for consequences of a bid.
 */
export const ARRIVALS = ['tick', 'pause'] as const;
export type Arrival = (typeof ARRIVALS)[number];

export type TickDecision = {
  readonly scores: readonly Score[];
  /** Who has the floor; null when nobody asked for it. */
  readonly floor: Colour | null;
  readonly tieBreak: TieBreak | null;
  /** The published message; null when nobody spoke. A visible silence has the message ''. */
  readonly said: Utterance | null;
  readonly hits: readonly Hit[];
  /** Why System says "wrap it up" after this tick; null when it does not. */
  readonly nudge: NudgeReason | null;
};

export type Fact =
  | { readonly type: 'meeting.called'; readonly call: Call }
  | { readonly type: 'meeting.refused'; readonly note: Note }
  | { readonly type: 'phase.entered'; readonly phase: Phase }
  | ({ readonly type: 'tick.closed' } & ClosedTick)
  /** The operator's stop is an input of the run, so it is recorded. */
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
  | PagesKept
  | { readonly type: 'meeting.closed'; readonly outcome: Outcome; readonly ejected: Colour | null };

type PagesKept =
  | {
      readonly type: 'scratchpads.consolidated';
      readonly seat: Colour;
      /** The main page that the player wrote. Null if the engine appended `line` to the old page. */
      readonly main: string | null;
      readonly line: string | null;
    }
  | { readonly type: 'scratchpads.erased' };

export type FactType = Fact['type'];

/** `counts` is in the order of the colours with skip last, and omits candidates without votes. */
export type VoteCount = {
  readonly counts: readonly { readonly candidate: Ballot; readonly votes: number }[];
  readonly outcome: 'ejected' | 'tie' | 'skipped';
  readonly ejected: Colour | null;
};

/** `voter` is null if votes are anonymous. */
export type RevealedBallot = {
  readonly voter: Colour | null;
  readonly ballot: Ballot;
  readonly void: boolean;
};

export type GhostUtterance = { readonly speaker: Colour; readonly message: string };

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
  | PagesKept
  | { readonly type: 'gallery.closed'; readonly turns: number };

/** A closed tick: all decisions of chance, minds and arbiter are data. */
export type ClosedTick = {
  readonly tick: number;
  readonly requestKind: RequestKind;
  readonly bids: readonly Bid[];
  readonly dice: BySeat<Die>;
  /** Null in reaction and consolidation, where nobody competes for the floor. */
  readonly decision: TickDecision | null;
};
