/** Creates the believers of a match. People and silent minds are not asked. */

import { isOwn, isRemote } from '../../machines/rules/mindKinds.ts';
import type { Match, MatchSeat } from '../../machines/setup/match.ts';
import { personaOf } from '../../machines/setup/prepare.ts';
import type { BeliefTimes, BySeat, Colour } from '../../machines/types.ts';
import { BeliefInquiry, type BeliefSettings } from '../engine/beliefs.ts';
import type { Believer } from './believer.ts';
import { createScriptedBeliever } from './scripted/mind.ts';

/** Makes the believer of a seat that a model or the operator's own mind plays. `index` is its place in the match. */
export type OutsideBelievers = (seat: MatchSeat, index: number) => Believer;

export function createBeliefSettings(
  times: BeliefTimes | null,
  match: Pick<Match, 'seats'>,
  seed: number,
  outside: OutsideBelievers | null = null,
): BeliefSettings | null {
  if (times === null) return null;
  return { times, believers: createBelievers(match.seats, seed, outside), Inquiry: BeliefInquiry };
}

/** Believers of seats in lobby order. `outside` is null when models and own minds are not asked. */
export function createBelievers(
  seats: readonly MatchSeat[],
  seed: number,
  outside: OutsideBelievers | null,
): BySeat<Believer> {
  const believers: Partial<Record<Colour, Believer>> = {};
  for (const [index, seat] of seats.entries()) {
    if (seat.mind === 'scripted') {
      const { temperament } = personaOf(seat, index);
      believers[seat.colour] = createScriptedBeliever(seed, seat.colour, temperament, seat.learned);
    } else if (outside !== null && (isRemote(seat) || isOwn(seat)))
      believers[seat.colour] = outside(seat, index);
  }
  return believers;
}
