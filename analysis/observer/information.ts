/**
 * Measures how much a message narrows the possible teams of honest listeners, in bits: one bit halves them.
 *
 * A listener believes a claim about places, kills or vents as far as the speaker is a crewmate. Teams with the speaker
 * stay possible, and other teams only if they fit the claims.
 */

import type { Evidence } from '../../actors/minds/deduction/evidence.ts';
import type { IdealObserver, ImpostorTeam } from '../../actors/minds/deduction/teams.ts';
import type { ClaimedPlace } from '../../actors/minds/deduction/ways.ts';
import type { Colour } from '../../machines/types.ts';
import { findClaims, type SpokenClaim } from '../../prompts/claims/claims.ts';
import type { SpokenMessage } from '../../prompts/claims/reading.ts';
import { roundsClaimed } from '../claims/whereabouts.ts';
import { meanOf } from '../counts/numeric.ts';

/** A living crewmate at a meeting, with the teams possible before anybody spoke. */
export type HonestListener = {
  readonly observer: IdealObserver;
  readonly evidence: Evidence;
  readonly teams: readonly ImpostorTeam[];
};

export function informationOf(message: SpokenMessage, listeners: readonly HonestListener[]) {
  // Company, tasks and opinions exclude no team.
  const claims = findClaims(message).filter((claim) => claim.type === 'place' || isCrime(claim));
  if (claims.length === 0) return { claims: 0, bits: 0 };
  const bits = meanOf(listeners, (listener) => {
    const left = narrowTeams(listener, message.speaker, claims);
    // An honest speaker was mistaken, so the claims carry no information.
    return left.length === 0 ? 0 : Math.log2(listener.teams.length / left.length);
  });
  return { claims: claims.length, bits: bits ?? 0 };
}

/** The teams that fit the claims; none if the speaker is certainly honest and wrong. */
export function narrowTeams(
  { observer, evidence, teams }: HonestListener,
  speaker: Colour,
  claims: readonly SpokenClaim[],
): readonly ImpostorTeam[] {
  const lying = teams.filter((team) => team.includes(speaker));
  const criminals = claims.filter(isCrime).map(({ about }) => about);
  let honest = teams.filter(
    (team) => !team.includes(speaker) && criminals.every((who) => team.includes(who)),
  );
  for (const [who, places] of Map.groupBy(placesIn(claims, evidence), (one) => one.who)) {
    // The listener knows their own place.
    if (who === evidence.witness.seat) honest = wasThere(evidence, places) ? honest : [];
    else honest = [...observer.keepIfTrue(honest, evidence, places)];
  }
  return [...lying, ...honest];
}

const MOST_CLAIMS = 20;

function placesIn(
  claims: readonly SpokenClaim[],
  { stretches }: Evidence,
): readonly ClaimedPlace[] {
  const rounds = stretches.at(-1)?.rounds.length ?? 0;
  return claims
    .flatMap((claim): ClaimedPlace[] => {
      if (claim.type !== 'place') return [];
      const claimed = roundsClaimed(claim.ago, rounds);
      return claimed === null ? [] : [{ who: claim.about, place: claim.place, ...claimed }];
    })
    .slice(0, MOST_CLAIMS);
}

function isCrime(claim: SpokenClaim): boolean {
  return claim.type === 'vent' || (claim.type === 'act' && claim.act === 'kill');
}

function wasThere({ stretches }: Evidence, claims: readonly ClaimedPlace[]): boolean {
  const rounds = stretches.at(-1)?.rounds ?? [];
  return claims.every(({ place, from, until }) =>
    rounds
      .slice(from, until + 1)
      .some((round) => round.from === place || round.path.includes(place)),
  );
}
