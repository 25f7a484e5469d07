import type { SeenLine } from '../../../../machines/journal/lens.ts';
import { readBid, type SeenTick } from '../../../../machines/journal/projection.ts';
import type { ScoreTerm } from '../../../../machines/rules/scoreTerms.ts';
import { mapTerms, mapWeights, type Weights } from '../../../../machines/rules/weights.ts';
import type { Colour } from '../../../../machines/types.ts';
import { TIE_REASONS } from '../../../text.ts';

export type BidRow = {
  readonly seat: Colour;
  readonly terms: Readonly<Record<ScoreTerm, number>>;
  readonly total: number;
  readonly silentTicks: number;
  readonly hasVoted: boolean;
  readonly isCalledOn: boolean;
  readonly isEligible: boolean;
  readonly isWinner: boolean;
  readonly thought: string;
  readonly message: string;
  readonly fault: string;
};

export function listBids(tick: SeenTick): readonly BidRow[] {
  const { bids = [], scores = [], floor } = tick;
  const rows = bids.map((bid): BidRow => {
    const score = scores.find(({ seat }) => seat === bid.seat);
    const { thought, message } = readBid(bid);
    return {
      seat: bid.seat,
      terms: mapTerms(({ key }) => score?.[key] ?? 0),
      total: score?.total ?? 0,
      silentTicks: score?.silentTicks ?? 0,
      hasVoted: score?.hasVoted === true,
      isCalledOn: score?.calledOn === true,
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

export function explainFloor({ floor, tie, scores = [] }: SeenTick): string {
  if (floor === null || floor === undefined) return '';
  const won = scores.find(({ seat }) => seat === floor);
  if (tie !== null && tie !== undefined) return `A tie: ${TIE_REASONS[tie]}.`;
  if (won?.calledOn === true) return 'Called on after a long silence.';
  if (isDecidedByDie({ floor, scores })) return 'The die decided.';
  return 'The highest priority.';
}

type ScoredTick = Pick<SeenTick, 'floor' | 'scores'>;

export function isDecidedByDie({ floor, scores = [] }: ScoredTick): boolean {
  const won = scores.find(({ seat }) => seat === floor);
  if (won === undefined) return false;
  const bare = ({ total, die = 0 }: { total: number; die?: number }) => total - die;
  return scores.some((other) => other.eligible === true && bare(other) > bare(won));
}

/** The weights of the priority as the header of a journal has them; only the glass shows them. */
export function readWeights(line: SeenLine | undefined): Weights | null {
  const weights = line?.type === 'match.opened' ? line.match.options.weights : undefined;
  if (weights === undefined) return null;
  return { ...mapWeights(({ yaml }) => weights[yaml]), silence: weights.silence };
}
