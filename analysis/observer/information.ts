/**
 * Information: how much a message would narrow the teams that are possible for honest listeners.
 *
 * A crewmate who is told where players were, or who killed or took a vent, believes it as far as the speaker is a crewmate: teams with the speaker stay
 * as they are, and of the others those that the claims leave possible. It is measured in bits: one bit halves the teams.
 */
import type { Colour } from '../../machines/types.ts';
import { findClaims, type SpokenClaim } from '../claims/claims.ts';
import type { SpokenMessage } from '../claims/reading.ts';
import { roundsClaimed } from '../claims/whereabouts.ts';
import type { Evidence } from './evidence.ts';
import type { IdealObserver, ImpostorTeam } from './teams.ts';
import type { ClaimedPlace } from './ways.ts';

/** A living crewmate at a meeting, and what they could have known before anybody spoke. */
export type HonestListener = {
  readonly observer: IdealObserver;
  readonly evidence: Evidence;
  readonly teams: readonly ImpostorTeam[];
};

/** The claims of a message that its listeners can weigh, and the bits that they are worth in the mean. */
export type MessageInformation = { readonly claims: number; readonly bits: number };

export function informationOf(
  message: SpokenMessage,
  listeners: readonly HonestListener[],
): MessageInformation {
  const claims = findClaims(message).filter(isTelling);
  if (claims.length === 0 || listeners.length === 0) return { claims: claims.length, bits: 0 };
  const bits = listeners.map((listener) => {
    const left = narrowTeams(listener, message.speaker, claims);
    // Who can't be lying was mistaken, and has told nothing.
    return left.length === 0 ? 0 : Math.log2(listener.teams.length / left.length);
  });
  return { claims: claims.length, bits: bits.reduce((sum, one) => sum + one, 0) / bits.length };
}

/** The teams that a player's claims leave possible; none where the player can't have lied, and they can't be true. */
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
    // Of oneself one knows.
    if (who === evidence.witness.seat) honest = wasThere(evidence, places) ? honest : [];
    else honest = [...observer.keepIfTrue(honest, evidence, places)];
  }
  return [...lying, ...honest];
}

/** Most claims about one player that are held together; nobody says more in one breath. */
const MOST_CLAIMS = 20;

/** What is claimed of places since the last meeting. */
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

/** Places, and what only impostors do. Company, tasks and opinions rule no team out. */
function isTelling(claim: SpokenClaim): boolean {
  return claim.type === 'place' || isCrime(claim);
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
