/** The bids of a tick, term by term, as a table: the highest first, and why the winner won. */

import type { SeenTick } from '../../../../machines/journal/projection.ts';
import { readBid } from '../../../../machines/journal/projection.ts';
import type { Colour } from '../../../../machines/types.ts';

export const TERMS = [
  'desire',
  'mention',
  'accusation',
  'silence',
  'die',
  'recent_speaker',
  'voted',
] as const;
export type Term = (typeof TERMS)[number];

/** What a term is called on the page. */
export const TERM_NAMES: Readonly<Record<Term, string>> = {
  desire: 'desire',
  mention: 'mentioned',
  accusation: 'accused',
  silence: 'silence',
  die: 'die',
  recent_speaker: 'just spoke',
  voted: 'has voted',
};

export type BidRow = {
  readonly seat: Colour;
  readonly terms: Readonly<Record<Term, number>>;
  readonly total: number;
  readonly silentTicks: number;
  readonly hasVoted: boolean;
  readonly isCalledOn: boolean;
  readonly isEligible: boolean;
  readonly isWinner: boolean;
  readonly thought: string;
  /** What they would say, or said. */
  readonly message: string;
  /** Why there is no reply; '' where there is one. */
  readonly fault: string;
};

/** Every bid that the lens shows, by its total; what was not scored comes last. */
export function bidRows(tick: SeenTick): readonly BidRow[] {
  const { bids = [], scores = [], floor } = tick;
  const rows = bids.map((bid): BidRow => {
    const score = scores.find(({ seat }) => seat === bid.seat);
    const { thought, message } = readBid(bid);
    return {
      seat: bid.seat,
      terms: {
        desire: score?.desire ?? 0,
        mention: score?.mention ?? 0,
        accusation: score?.accusation ?? 0,
        silence: score?.silence ?? 0,
        die: score?.die ?? 0,
        recent_speaker: score?.recent_speaker ?? 0,
        voted: score?.voted ?? 0,
      },
      total: score?.total ?? 0,
      silentTicks: score?.silent_ticks ?? 0,
      hasVoted: score?.has_voted === true,
      isCalledOn: score?.called_on === true,
      isEligible: score?.eligible === true,
      isWinner: floor === bid.seat,
      thought,
      message,
      fault: bid.fault ?? '',
    };
  });
  return rows.toSorted(
    (one, other) =>
      Number(other.isWinner) - Number(one.isWinner) ||
      Number(other.isEligible) - Number(one.isEligible) ||
      other.total - one.total,
  );
}

const TIES = {
  silence: 'the longest silent goes first',
  unvoted: 'who has not voted goes first',
  draw: 'drawn by lot',
} as const;

/** Why somebody has the floor, in words; '' where nobody has it. */
export function whyFloor({ floor, tie, scores = [] }: SeenTick): string {
  if (floor === null || floor === undefined) return '';
  const won = scores.find(({ seat }) => seat === floor);
  if (tie !== null && tie !== undefined) return `A tie: ${TIES[tie]}.`;
  if (won?.called_on === true) return 'Called on after a long silence.';
  if (isByDie({ floor, scores })) return 'The die decided.';
  return 'The highest priority.';
}

type Scored = Pick<SeenTick, 'floor' | 'scores'>;

/** Whether somebody else would have won without the dice. */
export function isByDie({ floor, scores = [] }: Scored): boolean {
  const won = scores.find(({ seat }) => seat === floor);
  if (won === undefined) return false;
  const bare = ({ total, die = 0 }: { total: number; die?: number }) => total - die;
  return scores.some((other) => other.eligible === true && bare(other) > bare(won));
}
