/** Facts: events of a meeting and its gallery, in the past tense. Viewers, replays and checks see only facts. */
import type {
  Ballot,
  Bid,
  BySeat,
  ByType,
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

/** Whether outside input came in a tick or between ticks: a replay repeats it there. Null if a bid caused it. */
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

type MeetingFacts = {
  'meeting.called': { call: Call };
  'meeting.refused': { note: Note };
  'phase.entered': { phase: Phase };
  'tick.closed': ClosedTick;
  /** The operator's stop is an input of the run, so it is recorded. */
  'stop.requested': { outcome: Outcome; during: Arrival };
  'vote.locked': { seat: Colour; ballot: Ballot };
  'vote.refused': { seat: Colour; vote: Ballot; note: Note };
  'vote.cleared': { seat: Colour; leaver: Colour };
  'seat.faulted': { seat: Colour; code: string; streak: number };
  'seat.departed': { seat: Colour; reason: Departure; during: Arrival | null };
  'scratchpads.updated': { seat: Colour; pads: PadUpdates };
  'poll.closed': { reason: Closing; missed: readonly Colour[]; void: readonly Colour[] };
  'poll.counted': { counts: VoteCount['counts']; outcome: Outcome; ejected: Colour | null };
  'ballot.revealed': { index: number; by: Colour } & RevealedBallot;
  'verdict.announced': { sentence: string; outcome: Outcome; ejected: Colour | null };
  'meeting.closed': { outcome: Outcome; ejected: Colour | null };
};

type PagesKept = {
  /** `main` is the page that the player wrote. It is null if the engine appended `line` to the old page. */
  'scratchpads.consolidated': { seat: Colour; main: string | null; line: string | null };
  'scratchpads.erased': object;
};

export type Fact = ByType<MeetingFacts & PagesKept>;
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

type GalleryFacts = {
  'ghost.joined': { seat: Colour };
  'turn.closed': {
    turn: number;
    requestKind: RequestKind;
    bids: readonly Bid[];
    dice: BySeat<Die>;
    said: GhostUtterance | null;
  };
  'gallery.closed': { turns: number };
};

export type GhostFact = ByType<GalleryFacts & PagesKept>;

/** A closed tick: all decisions of chance, minds and arbiter are data. */
export type ClosedTick = {
  readonly tick: number;
  readonly requestKind: RequestKind;
  readonly bids: readonly Bid[];
  readonly dice: BySeat<Die>;
  /** Null in reaction and consolidation, where nobody competes for the floor. */
  readonly decision: TickDecision | null;
};
