/**
 * Information: how much a message would narrow the teams that are possible for honest listeners.
 *
 * A crewmate who is told where players were, or who killed or took a vent, believes it as far as the speaker is a crewmate: teams with the speaker stay
 * as they are, and of the others those that the claims leave possible. It is measured in bits: one bit halves the teams.
 */
import type { Place } from '../../machines/types.ts';
import { findClaims, type SpokenClaim } from '../claims/claims.ts';
import type { SpokenMessage } from '../claims/reading.ts';
import { roundsClaimed } from '../claims/whereabouts.ts';
import type { ActionStretch, Evidence } from './evidence.ts';
import type { IdealObserver, ImpostorTeam } from './teams.ts';

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
    const left = narrowTeams(listener, message);
    // Who can't be lying was mistaken, and has told nothing.
    return left.length === 0 ? 0 : Math.log2(listener.teams.length / left.length);
  });
  return { claims: claims.length, bits: bits.reduce((sum, one) => sum + one, 0) / bits.length };
}

/** The teams that a message leaves possible; none where the speaker can't have lied, and it can't be true. */
export function narrowTeams(
  { observer, evidence, teams }: HonestListener,
  message: SpokenMessage,
): readonly ImpostorTeam[] {
  const lying = teams.filter((team) => team.includes(message.speaker));
  let honest = teams.filter((team) => !team.includes(message.speaker));
  for (const claim of findClaims(message).filter(isTelling)) {
    honest = keepFor(claim, honest, { observer, evidence });
  }
  return [...lying, ...honest];
}

function keepFor(
  claim: SpokenClaim,
  teams: readonly ImpostorTeam[],
  { observer, evidence }: Pick<HonestListener, 'observer' | 'evidence'>,
): ImpostorTeam[] {
  const { about: who } = claim;
  if (isCrime(claim)) return teams.filter((team) => team.includes(who));
  const stretch = evidence.stretches.at(-1);
  if (claim.type !== 'place' || stretch === undefined) return [...teams];
  const claimed = roundsClaimed(claim.ago, stretch.rounds.length);
  if (claimed === null || teams.length === 0) return [...teams];
  const { place } = claim;
  // Of oneself one knows.
  if (who === evidence.witness.seat)
    return wasThere(stretch, { ...claimed, place }) ? [...teams] : [];
  return [...observer.keepIfTrue(teams, evidence, { ...claimed, who, place })];
}

/** Places, and what only impostors do. Company, tasks and opinions rule no team out. */
function isTelling(claim: SpokenClaim): boolean {
  return claim.type === 'place' || isCrime(claim);
}

function isCrime(claim: SpokenClaim): boolean {
  return claim.type === 'vent' || (claim.type === 'act' && claim.act === 'kill');
}

function wasThere(
  { rounds }: ActionStretch,
  { place, from, until }: { readonly place: Place; readonly from: number; readonly until: number },
): boolean {
  return rounds
    .slice(from, until + 1)
    .some((round) => round.from === place || round.path.includes(place));
}
