/** Items: what a feed is made of. */

import type { Judged } from '../../../../analysis/statistics/testimony.ts';
import type { SeenOf } from '../../../../machines/journal/lens.ts';
import type { ShipState, TurnedBallot } from '../../../../machines/journal/projection.ts';
import type { Ballot, Colour, NudgeReason, Outcome, TieBreak } from '../../../../machines/types.ts';

export type SeenHit = NonNullable<SeenOf<'tick.closed'>['hits']>[number];

/** A text with players in it. */
export type Piece = string | { readonly seat: Colour };
/** How grave a remark is: it is said in words too. */
export type Tone = 'plain' | 'work' | 'alarm' | 'death';

export type Speech = {
  readonly type: 'speech';
  readonly tick: number;
  readonly speaker: Colour;
  readonly target: Colour | null;
  readonly message: string;
  readonly hits: readonly SeenHit[];
  /** What it claims of places and is known to be true or false; through the glass only. */
  readonly claims: readonly Judged[];
  /** '' where it is hidden. */
  readonly thought: string;
  readonly why: string;
  readonly tie: TieBreak | null;
};

export type Item =
  | { readonly type: 'chapter'; readonly title: string; readonly detail: readonly Piece[] }
  | Speech
  | { readonly type: 'quiet'; readonly tick: number }
  | { readonly type: 'nudge'; readonly reason: NudgeReason }
  | {
      readonly type: 'vote';
      readonly seat: Colour;
      /** Null where it is hidden. */
      readonly ballot: Ballot | null;
      readonly thought: string;
    }
  | { readonly type: 'remark'; readonly tone: Tone; readonly words: readonly Piece[] }
  | ({ readonly type: 'ballot' } & TurnedBallot)
  | {
      readonly type: 'verdict';
      readonly sentence: string;
      readonly outcome: Outcome | null;
      readonly ejected: Colour | null;
    };

/** What is known besides the line: the ship before it, and what everybody thought in the last tick. */
export type Around = {
  readonly before: ShipState | null;
  readonly after: ShipState | null;
  readonly thoughts: Readonly<Partial<Record<Colour, string>>>;
  readonly meetings: number;
  /** What the line claims, as far as the lens may judge it. */
  readonly claims: readonly Judged[];
};
