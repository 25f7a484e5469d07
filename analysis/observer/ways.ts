/**
 * Ways: every way that a player can have gone between two meetings, as far as one witness can tell.
 *
 * A player is followed round by round through all places where they can have been: crewmates walk, impostors also take
 * vents. A way goes on only while the witness would have been shown of it exactly what the witness was shown. Who was
 * killed where and when is worked out in the same way, and so is whom an impostor can have killed on one way.
 */

import { rounds as roundsOf } from '../../machines/rules/options.ts';
import { neighbours, ventsAt } from '../../machines/rules/ship/map.ts';
import { STRIDE } from '../../machines/rules/ship/world.ts';
import type { Colour, Place, Role, Room } from '../../machines/types.ts';
import type { ActionStretch, Witness, WitnessedRound } from './evidence.ts';
import {
  type Eyes,
  type Glimpse,
  glimpseOf,
  mostSteps,
  type PlayerSpot,
  type RoundMove,
} from './glimpses.ts';

/** A player of whom it is claimed that they were at a place, in one of the rounds of the stretch from one to another. */
export type ClaimedPlace = {
  readonly who: Colour;
  readonly place: Place;
  /** Counted from 0 in the stretch, both ends included. */
  readonly from: number;
  readonly until: number;
};

/** How a player stands between two rounds, as far as it decides where they can go. */
type Trail = {
  readonly spot: PlayerSpot;
  /** Quarters of a step that are left of the last stride. */
  readonly stride: number;
  readonly moved: boolean;
  /** Victims so far, one bit for each of the stretch, and the first round in which they may kill again. */
  readonly victims: number;
  readonly readyAt: number;
  /** The claims that they have been true to so far, one bit for each. */
  readonly shown: number;
};

/** A player who can be killed at the start of a round: index of the round, place, and whether they stood still before. */
type Death = { readonly at: number; readonly place: Place; readonly hasMoved: boolean };

export class PossibleWays {
  readonly #witness: Witness;
  readonly #eyes: Eyes;
  readonly #stretch: ActionStretch;
  /** What is claimed, all of it about one player. */
  #claims: readonly ClaimedPlace[] = [];
  /** The same without the claims: they change nothing for those whom they are not about. */
  #base: PossibleWays | null = null;
  readonly #deaths = new Map<Colour, readonly Death[]>();
  readonly #feats = new Map<Colour, ReadonlySet<number>>();
  readonly #honest = new Map<Colour, boolean>();

  constructor(eyes: Eyes, witness: Witness, stretch: ActionStretch) {
    this.#eyes = eyes;
    this.#witness = witness;
    this.#stretch = stretch;
  }

  /** The ways that are possible if these claims about one player are all true. */
  ifTrue(claims: readonly ClaimedPlace[]): PossibleWays {
    const ways = new PossibleWays(this.#eyes, this.#witness, this.#stretch);
    ways.#claims = claims;
    ways.#base = this;
    return ways;
  }

  /** Whether a player can have gone all their ways, and died where they did, as a crewmate. */
  canBeCrew(who: Colour): boolean {
    const known = this.#honest.get(who);
    if (known !== undefined) return known;
    if (this.#base !== null && !this.#isClaimed(who)) return this.#base.canBeCrew(who);
    const isPossible = this.#stretch.killed.includes(who)
      ? this.#deathsOf(who).length > 0
      : this.#follow(who, 'crewmate').length > 0;
    this.#honest.set(who, isPossible);
    return isPossible;
  }

  /** Sets of victims, one bit for each who was killed in the stretch, that a player can have killed as an impostor. */
  featsOf(who: Colour): ReadonlySet<number> {
    const known = this.#feats.get(who);
    if (known !== undefined) return known;
    // A claim about a victim is one about their killers.
    const isAbout =
      this.#isClaimed(who) || this.#stretch.killed.some((one) => this.#isClaimed(one));
    if (this.#base !== null && !isAbout) return this.#base.featsOf(who);
    const feats = new Set(this.#listFeats(who));
    this.#feats.set(who, feats);
    return feats;
  }

  /** All who were killed. */
  get everybodyKilled(): number {
    return (1 << this.#stretch.killed.length) - 1;
  }

  #isClaimed(who: Colour): boolean {
    return this.#claims[0]?.who === who;
  }

  /** Whether a trail has been true to all that is claimed of the player. */
  #isTrue(who: Colour, { shown }: Trail): boolean {
    return !this.#isClaimed(who) || shown === (1 << this.#claims.length) - 1;
  }

  #listFeats(who: Colour): readonly number[] {
    const { living, killed, rounds } = this.#stretch;
    if (!living.includes(who)) return [0];
    // Nobody kills an impostor, and no impostor can do a visual task.
    if (killed.includes(who)) return [];
    const isProven = rounds.some(({ glimpses }) =>
      glimpses.some((one) => one.who === who && one.did === 'visual'),
    );
    return isProven ? [] : this.#follow(who, 'impostor').map(({ victims }) => victims);
  }

  /** Where a player can have been when the stretch was over. */
  #follow(who: Colour, role: Role): readonly Trail[] {
    let trails: readonly Trail[] = [this.#start()];
    for (const [at, round] of this.#stretch.rounds.entries()) {
      if (round.departed.includes(who)) return trails.filter((trail) => this.#isTrue(who, trail));
      trails = this.#advance(trails, who, {
        role,
        at,
        isLast: at === this.#stretch.rounds.length - 1,
      });
      if (trails.length === 0) return trails;
    }
    return trails.filter((trail) => this.#isTrue(who, trail));
  }

  #start(): Trail {
    return {
      spot: { place: this.#witness.map.button, vent: null },
      stride: 0,
      moved: false,
      victims: 0,
      readyAt: this.#stretch.killWait,
      shown: 0,
    };
  }

  /** All ways that lead on from these in one round, and look as the player was seen. */
  #advance(
    trails: readonly Trail[],
    who: Colour,
    { role, at, isLast }: { readonly role: Role; readonly at: number; readonly isLast: boolean },
  ): readonly Trail[] {
    const round = this.#stretch.rounds[at];
    if (round === undefined) return [];
    const seen = glimpseIn(round, who);
    const reached = new Map<string, Trail>();
    const go = (trail: Trail, move: RoundMove, change: Partial<Trail>) => {
      if (isLast && !this.#isCallPossible(who, move)) return;
      if (!this.#eyes.ofMove(round, who, move).includes(seen)) return;
      const shown = trail.shown | this.#claimsShown(who, at, move);
      const { stride = 0, moved = false, victims = trail.victims } = change;
      // A clock that has run down, or has nobody to wait for, tells no two ways apart.
      const isOver = victims === this.everybodyKilled;
      const readyAt = isOver ? 0 : (change.readyAt ?? trail.readyAt);
      const next = {
        spot: move.to,
        stride,
        moved: moved && this.#witness.options.killDistance === 'short',
        victims,
        readyAt: readyAt > at + 1 ? readyAt : 0,
        shown,
      };
      reached.set(keyOf(next), next);
    };
    for (const trail of trails) {
      this.#walk(trail, round.after.shut, go);
      if (role === 'impostor') {
        this.#vent(trail, go);
        this.#kill(trail, at, go);
      }
    }
    return [...reached.values()];
  }

  #walk({ spot, ...trail }: Trail, shut: readonly Room[], go: Go): void {
    const stay: RoundMove = { from: spot, path: [], to: spot, killedAt: null };
    const from = { spot, ...trail };
    go(from, stay, {});
    if (spot.vent !== null) return;
    const { map, options } = this.#witness;
    const closed: readonly Place[] = shut;
    const quarters = trail.stride + options.playerSpeed * STRIDE;
    // Too slow for a step in this round: what was walked counts in the next one.
    if (quarters < STRIDE) go(from, stay, { stride: quarters });
    const most = Math.min(Math.floor(quarters / STRIDE), mostSteps(options.playerSpeed));
    let ways: readonly (readonly Place[])[] = [[]];
    for (let steps = 1; steps <= most; steps++) {
      ways = ways.flatMap((way) => {
        const place = way.at(-1) ?? spot.place;
        if (closed.includes(place)) return [];
        return neighbours(map, place)
          .filter((next) => !closed.includes(next) && next !== spot.place && !way.includes(next))
          .map((next) => [...way, next]);
      });
      for (const path of ways) {
        const to = { place: path.at(-1) ?? spot.place, vent: null };
        const move: RoundMove = { from: spot, path, to, killedAt: null };
        go(from, move, { moved: true });
        const left = quarters - steps * STRIDE;
        if (left > 0 && left < STRIDE) go(from, move, { moved: true, stride: left });
      }
    }
  }

  #vent(trail: Trail, go: Go): void {
    const { spot } = trail;
    const { map } = this.#witness;
    const use = (to: PlayerSpot) => go(trail, { from: spot, path: [], to, killedAt: null }, {});
    if (spot.vent === null) {
      for (const { id, place } of ventsAt(map, spot.place)) use({ place, vent: id });
      return;
    }
    use({ place: spot.place, vent: null });
    const own = map.vents.find(({ id }) => id === spot.vent);
    for (const { id, place } of map.vents) {
      if (own?.links.includes(id)) use({ place, vent: id });
    }
  }

  #kill(trail: Trail, at: number, go: Go): void {
    const { spot, victims, readyAt, moved } = trail;
    if (spot.vent !== null || at < readyAt) return;
    const { map, options } = this.#witness;
    const { killed, rounds } = this.#stretch;
    const shut: readonly Place[] = rounds[at]?.before.shut ?? [];
    for (const [index, victim] of killed.entries()) {
      if ((victims & (1 << index)) !== 0) continue;
      for (const death of this.#deathsOf(victim)) {
        if (death.at !== at) continue;
        const isHere = death.place === spot.place;
        const isStill = options.killDistance !== 'short' || (!moved && !death.hasMoved);
        const isNear =
          options.killDistance === 'long' &&
          neighbours(map, spot.place).includes(death.place) &&
          !shut.includes(spot.place) &&
          !shut.includes(death.place);
        if (!(isHere ? isStill : isNear)) continue;
        const to = { place: death.place, vent: null };
        const path = isHere ? [] : [death.place];
        go(
          trail,
          { from: spot, path, to, killedAt: death.place },
          { victims: victims | (1 << index), readyAt: at + roundsOf(options.killCooldown) },
        );
      }
    }
  }

  /** When and where a crewmate can have been killed. */
  #deathsOf(who: Colour): readonly Death[] {
    const known = this.#deaths.get(who);
    if (known !== undefined) return known;
    if (this.#base !== null && !this.#isClaimed(who)) return this.#base.#deathsOf(who);
    const { rounds, call } = this.#stretch;
    const found = new Map<string, Death>();
    const lain = this.#bodyPlaces(who);
    let trails: readonly Trail[] = [this.#start()];
    for (const [at, round] of rounds.entries()) {
      // A ghost can leave the game, too.
      const hasLeft = round.departed.includes(who);
      if (hasLeft) break;
      const seen = glimpseIn(round, who);
      const isTooLate = call.body === who && at === rounds.length - 1;
      for (const trail of isTooLate ? [] : trails) {
        const { spot, moved } = trail;
        const isFound = call.body !== who || call.place === spot.place;
        if (!this.#isTrue(who, trail) || !isFound || !lain[at + 1]?.has(spot.place)) continue;
        if (!this.#eyes.ofVictim(round, spot.place).includes(seen)) continue;
        const death = { at, place: spot.place, hasMoved: moved };
        found.set(`${at} ${spot.place} ${moved}`, death);
      }
      trails = this.#advance(trails, who, { role: 'crewmate', at, isLast: false });
      if (trails.length === 0) break;
    }
    const deaths = [...found.values()];
    this.#deaths.set(who, deaths);
    return deaths;
  }

  /** For each round, where a body can have lain from then on to the end, and been seen as it was. */
  #bodyPlaces(who: Colour): readonly ReadonlySet<Place>[] {
    const { rounds } = this.#stretch;
    const lain: ReadonlySet<Place>[] = [];
    lain[rounds.length] = new Set(this.#witness.map.places);
    for (let at = rounds.length - 1; at >= 0; at--) {
      const round = rounds[at];
      const after = lain[at + 1] ?? new Set();
      if (round === undefined) continue;
      const seen = glimpseIn(round, who);
      lain[at] = new Set(
        [...after].filter((place) => this.#eyes.ofBody(round, place).includes(seen)),
      );
    }
    return lain;
  }

  /** Who calls does nothing else in that round, and stands at the body or at the button. */
  #isCallPossible(who: Colour, { from, path, to, killedAt }: RoundMove): boolean {
    const { by, kind, place } = this.#stretch.call;
    if (by !== who) return true;
    if (from.vent !== null || to.vent !== null || path.length > 0 || killedAt !== null)
      return false;
    return to.place === (kind === 'body' ? (place ?? to.place) : this.#witness.map.button);
  }

  /** The claims that a move is true to, one bit for each. */
  #claimsShown(who: Colour, at: number, { from, path, to }: RoundMove): number {
    if (!this.#isClaimed(who)) return 0;
    let shown = 0;
    for (const [index, claim] of this.#claims.entries()) {
      const isAt = (spot: PlayerSpot) => spot.vent === null && spot.place === claim.place;
      const isThen = at >= claim.from && at <= claim.until;
      if (isThen && (isAt(from) || isAt(to) || path.includes(claim.place))) shown |= 1 << index;
    }
    return shown;
  }
}

type Go = (trail: Trail, move: RoundMove, change: Partial<Trail>) => void;

/** All that the witness was shown of a player in a round. */
function glimpseIn({ glimpses }: WitnessedRound, who: Colour): Glimpse {
  return glimpseOf(glimpses.filter((one) => one.who === who));
}

function keyOf({ spot, stride, moved, victims, readyAt, shown }: Trail): string {
  return `${spot.place} ${spot.vent} ${stride} ${moved} ${victims} ${readyAt} ${shown}`;
}
