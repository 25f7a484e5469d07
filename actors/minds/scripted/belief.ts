/**
 * Converts suspicion to probability. Among all teams of the remaining size, one is as probable as the product of its
 * members' weights exp(suspicion / heat). So they sum to the assumed number of impostors. It is the conditional Bernoulli
 * distribution (Chen, Dempster and Liu 1994, "Weighted finite population sampling to maximize entropy").
 */
import { impostorsRemaining } from '../../../machines/rules/record.ts';
import type { LivingView } from '../../../machines/rules/views.ts';
import type { BySeat, Colour } from '../../../machines/types.ts';
import type { Suspicion } from './suspicion.ts';

/** Of 20, 26 and 32 the best calibrated after the vote (200 games of eight, seed 900: 0.563, 0.555 and 0.555 nats). */
const HEAT = 26;

export function toProbabilities(
  { you, table }: LivingView,
  suspects: readonly Suspicion[],
): BySeat<number> {
  const believed: Partial<Record<Colour, number>> = {};
  if (you.role === 'impostor') {
    for (const { seat } of suspects) believed[seat] = you.partners.includes(seat) ? 1 : 0;
    return believed;
  }
  const living = suspects.length + 1;
  const size = reckonWith(table, living);
  const top = suspects[0]?.pressure ?? 0;
  const weights = suspects.map(({ pressure }) => Math.exp((pressure - top) / HEAT));
  for (const [index, { seat }] of suspects.entries()) {
    const others = weights.filter((_, at) => at !== index);
    const withIt = (weights[index] ?? 0) * sumTeams(others, size - 1);
    const all = withIt + sumTeams(others, size);
    // Teams too improbable to tell from 0 count alike.
    believed[seat] = round(all > 0 ? Math.min(1, withIt / all) : size / suspects.length);
  }
  return believed;
}

/** A player has no more digits than these, and neither has a journal. */
const DIGITS = 1e4;

function round(share: number): number {
  return Math.round(share * DIGITS) / DIGITS;
}

/** The announced remainder of impostors, else their initial number. It is always below the number of crewmates. */
function reckonWith({ record }: LivingView['table'], living: number): number {
  const most = Math.max(1, Math.ceil(living / 2) - 1);
  return Math.min(Math.max(1, impostorsRemaining(record) ?? record.impostors ?? 1), most);
}

/** The sum of the weights of all teams of a size: an elementary symmetric polynomial. */
function sumTeams(weights: readonly number[], size: number): number {
  const sums = [1, ...Array<number>(size).fill(0)];
  for (const weight of weights) {
    for (let members = size; members >= 1; members--)
      sums[members] = (sums[members] ?? 0) + weight * (sums[members - 1] ?? 0);
  }
  return sums[size] ?? 0;
}
