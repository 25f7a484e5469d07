/** The bound: for how many ticks in a row a player who bids every tick can stay silent, by the weights of the journal. */

export type Weights = {
  readonly mention: number;
  readonly accusation: number;
  readonly voted: number;
  readonly silence: {
    readonly slope: number;
    readonly grace: number;
    readonly cap: number | null;
  };
};

/** Desire goes from 0 to 10, and two dice differ by at most 5. */
const LARGEST_LEAD = 15;
/** Below three players nobody can be shut out by two rivals; the bound starts there. */
const FEWEST = 3;

/** W of docs/weights.md; null where there is no such number. */
export function silenceBound({ silence, ...terms }: Weights, living: number): number | null {
  const { slope, grace, cap } = silence;
  if (slope === 0) return null;
  const spread = LARGEST_LEAD + terms.mention + terms.accusation + terms.voted;
  const players = Math.max(living, FEWEST);
  const rivals = slope * Math.max(0, players - 2 - grace);
  if (cap !== null && cap <= spread + rivals) return null;
  return Math.ceil(spread / slope) + players - 2 + grace;
}
