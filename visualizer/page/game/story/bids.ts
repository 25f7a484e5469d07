import type { SeenLine } from '../../../../machines/journal/lens.ts';
import { readBid, type SeenTick } from '../../../../machines/journal/projection.ts';
import {
  defaultSilence,
  mapTerms,
  mapWeights,
  type Weights,
} from '../../../../machines/rules/weights.ts';

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

/** Only the glass shows them. A slope or grace that is the default of all players becomes that of the living. */
export function readWeights(line: SeenLine | undefined, living: number): Weights | null {
  const weights = line?.type === 'match.opened' ? line.match.options.weights : undefined;
  if (line?.type !== 'match.opened' || weights === undefined) return null;
  const terms = mapWeights(({ yaml }) => weights[yaml]);
  const whole = defaultSilence(terms, line.match.seats.length);
  const now = defaultSilence(terms, living);
  const silence = { ...weights.silence };
  if (silence.slope === whole.slope) silence.slope = now.slope;
  if (silence.grace === whole.grace) silence.grace = now.grace;
  return { ...terms, silence };
}
