import type { SeenLine } from '../../../../machines/journal/lens.ts';
import { readBid, type SeenTick } from '../../../../machines/journal/projection.ts';
import { mapTerms, mapWeights, type Weights } from '../../../../machines/rules/weights.ts';

export type BidRow = Readonly<ReturnType<typeof readRow>>;

export function listBids(tick: SeenTick): readonly BidRow[] {
  const rows = (tick.bids ?? []).map((bid) => readRow(bid, tick));
  return rows.toSorted(
    (one, other) =>
      Number(other.isWinner) - Number(one.isWinner) ||
      Number(other.isEligible) - Number(one.isEligible) ||
      other.total - one.total,
  );
}

function readRow(bid: NonNullable<SeenTick['bids']>[number], { scores, floor }: SeenTick) {
  const score = scores?.find(({ seat }) => seat === bid.seat);
  return {
    seat: bid.seat,
    terms: mapTerms(({ key }) => score?.[key] ?? 0),
    total: score?.total ?? 0,
    isCalledOn: score?.calledOn === true,
    isEligible: score?.eligible === true,
    isWinner: floor === bid.seat,
    fault: bid.fault ?? '',
    ...readBid(bid),
  };
}

/** The weights of the priority as the header of a journal has them; only the glass shows them. */
export function readWeights(line: SeenLine | undefined): Weights | null {
  const weights = line?.type === 'match.opened' ? line.match.options.weights : undefined;
  if (weights === undefined) return null;
  return { ...mapWeights(({ yaml }) => weights[yaml]), silence: weights.silence };
}
