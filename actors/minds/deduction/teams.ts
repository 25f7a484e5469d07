/**
 * The ideal observer: the teams of impostors that are still possible for a crewmate, all equally probable. The members
 * of such a team can have moved as impostors and all others as crewmates, they can have killed all victims, the game
 * went on, and every verdict reads as announced.
 */
import { writeResult } from '../../../machines/rules/meeting.ts';
import type { KnownShip } from '../../../machines/rules/record.ts';
import type { BySeat, Colour } from '../../../machines/types.ts';
import { remember } from '../remember.ts';
import type { ActionStretch, Announcement, Evidence, Witness } from './evidence.ts';
import { Eyes } from './glimpses.ts';
import { Steps } from './steps.ts';
import { type ClaimedPlace, PossibleWays, type WaySearch } from './ways.ts';

export type ImpostorTeam = readonly Colour[];

/** Games with the same map and options share what was worked out. */
const searches = new Map<string, WaySearch>();
const MOST_SEARCHES = 8;

function searchOn({ map, options }: KnownShip): WaySearch {
  const key = JSON.stringify([map, options]);
  if (searches.size > MOST_SEARCHES) searches.clear();
  return remember(searches, key, () => {
    const eyes = new Eyes({ map, options });
    return { eyes, steps: new Steps({ map, options }, eyes) };
  });
}

/** Follows one crewmate through a game. Results are cached, so ask about the meetings in order. */
export class IdealObserver {
  readonly #search: WaySearch;
  readonly #combinations: readonly ImpostorTeam[];
  readonly #witness: Witness;
  readonly #waysIn = new Map<ActionStretch, PossibleWays>();

  constructor(witness: Witness) {
    this.#witness = witness;
    this.#search = searchOn(witness);
    this.#combinations = combinations(witness);
  }

  listTeams({ stretches, announcements }: Evidence): readonly ImpostorTeam[] {
    return this.#combinations.filter((team) =>
      stretches.every((stretch, meeting) => {
        const announced = announcements[meeting] ?? null;
        // The ways of players take longest.
        return (
          goesOn(livingAtTable(stretch), team) &&
          (announced === null || isAsAnnounced(announced, team, this.#witness)) &&
          this.#isPossibleIn(stretch, team, this.#ways(stretch))
        );
      }),
    );
  }

  /** The teams that stay possible if these claims about one player since the last meeting are all true. */
  keepIfTrue(
    teams: readonly ImpostorTeam[],
    { stretches }: Evidence,
    claims: readonly ClaimedPlace[],
  ): readonly ImpostorTeam[] {
    const last = stretches.at(-1);
    if (last === undefined) return teams;
    const ways = this.#ways(last).ifTrue(claims);
    return teams.filter((team) => this.#isPossibleIn(last, team, ways));
  }

  #isPossibleIn({ living }: ActionStretch, team: ImpostorTeam, ways: PossibleWays): boolean {
    const crew = living.filter((who) => !team.includes(who));
    return crew.every((who) => ways.canBeCrew(who)) && hasKilledAll(team, ways);
  }

  #ways(stretch: ActionStretch): PossibleWays {
    const search = () => new PossibleWays(this.#search, this.#witness, stretch);
    return remember(this.#waysIn, stretch, search);
  }
}

export function oddsOf({ others }: Witness, teams: readonly ImpostorTeam[]): BySeat<number> {
  return Object.fromEntries(
    others.map((who) => [
      who,
      teams.length === 0 ? 0 : teams.filter((team) => team.includes(who)).length / teams.length,
    ]),
  );
}

function combinations({ others, teamSizes }: Witness): readonly ImpostorTeam[] {
  let teams: readonly ImpostorTeam[] = [[]];
  const most = Math.max(...teamSizes);
  for (const who of others)
    teams = teams.flatMap((team) => (team.length < most ? [team, [...team, who]] : [team]));
  return teams.filter(({ length }) => teamSizes.includes(length));
}

function hasKilledAll(team: ImpostorTeam, ways: PossibleWays): boolean {
  let reached: ReadonlySet<number> = new Set([0]);
  for (const who of team) {
    const feats = ways.featsOf(who);
    const next = new Set<number>();
    for (const killed of reached) {
      for (const feat of feats) if ((killed & feat) === 0) next.add(killed | feat);
    }
    reached = next;
  }
  return reached.has(ways.everybodyKilled);
}

function livingAtTable({ living, killed, rounds }: ActionStretch): readonly Colour[] {
  const departed = rounds.flatMap((round) => round.departed);
  return living.filter((who) => !killed.includes(who) && !departed.includes(who));
}

/** A game continues while there are impostors, and fewer than crewmates. The witness is a crewmate. */
function goesOn(living: readonly Colour[], team: ImpostorTeam): boolean {
  const impostors = living.filter((who) => team.includes(who)).length;
  return impostors > 0 && impostors < living.length + 1 - impostors;
}

function isAsAnnounced(
  { sentence, outcome, ejected, living }: Announcement,
  team: ImpostorTeam,
  { confirmEjects }: Witness,
): boolean {
  const remaining = living.filter((who) => who !== ejected && team.includes(who)).length;
  const role = ejected === null ? null : team.includes(ejected) ? 'impostor' : 'crewmate';
  const told = { role, impostors: team.length, remaining } as const;
  return writeResult({ outcome, ejected }, told, { confirmEjects }) === sentence;
}
