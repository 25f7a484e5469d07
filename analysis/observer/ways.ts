/**
 * Finds all paths of a player between two meetings that agree with the sightings of one witness, round by round.
 * Crewmates walk, and impostors also use vents.
 */

import { rounds as roundsOf } from '../../machines/rules/options.ts';
import { neighbours } from '../../machines/rules/ship/map.ts';
import type { Colour, Place, Role } from '../../machines/types.ts';
import type { ActionStretch, Witness, WitnessedRound } from './evidence.ts';
import {
  type Eyes,
  type Glimpse,
  glimpseOf,
  type PlayerSpot,
  type RoundMove,
  remember,
} from './glimpses.ts';
import type { NumberedSpot, PlayerStep, Steps } from './steps.ts';

/** A claim that a player was at a place in some round of a range. */
export type ClaimedPlace = {
  readonly who: Colour;
  readonly place: Place;
  /** Inclusive, from 0 in the stretch. */
  readonly from: number;
  readonly until: number;
};

/** A player's state between two rounds, as far as it affects later moves. */
type Trail = {
  readonly spot: NumberedSpot;
  /** Quarters of a step left of the last stride. */
  readonly stride: number;
  readonly moved: boolean;
  /** A bit for each victim so far, and the first round of another kill. */
  readonly victims: number;
  readonly readyAt: number;
  /** A bit for each claim that has come true. */
  readonly shown: number;
};

/** A possible death at the start of a round: its index, the place, and whether the player moved before. */
type Death = { readonly at: number; readonly place: Place; readonly hasMoved: boolean };

export type WaySearch = { readonly eyes: Eyes; readonly steps: Steps };

export class PossibleWays {
  readonly #witness: Witness;
  readonly #eyes: Eyes;
  readonly #steps: Steps;
  readonly #stretch: ActionStretch;
  /** All claims are about one player. */
  #claims: readonly ClaimedPlace[] = [];
  /** The same search without claims, for players whom they do not concern. */
  #base: PossibleWays | null = null;
  readonly #deaths = new Map<Colour, readonly Death[]>();
  readonly #feats = new Map<Colour, ReadonlySet<number>>();
  readonly #honest = new Map<Colour, boolean>();
  readonly #ifTrue = new Map<string, PossibleWays>();

  constructor({ eyes, steps }: WaySearch, witness: Witness, stretch: ActionStretch) {
    this.#eyes = eyes;
    this.#steps = steps;
    this.#witness = witness;
    this.#stretch = stretch;
  }

  /** The search under the assumption that these claims are true. */
  ifTrue(claims: readonly ClaimedPlace[]): PossibleWays {
    // Claims are often repeated.
    return remember(this.#ifTrue, JSON.stringify(claims), () => {
      const search = { eyes: this.#eyes, steps: this.#steps };
      const ways = new PossibleWays(search, this.#witness, this.#stretch);
      ways.#claims = claims;
      ways.#base = this;
      return ways;
    });
  }

  /** Whether a player's paths, and death, are possible for a crewmate. */
  canBeCrew(who: Colour): boolean {
    return remember(this.#honest, who, () => {
      if (this.#base !== null && !this.#isClaimed(who)) return this.#base.canBeCrew(who);
      const isKilled = this.#stretch.killed.includes(who);
      return (isKilled ? this.#deathsOf(who) : this.#follow(who, 'crewmate')).length > 0;
    });
  }

  /** The possible sets of victims of an impostor, one bit for each victim. */
  featsOf(who: Colour): ReadonlySet<number> {
    return remember(this.#feats, who, () => {
      // A claim about a victim also concerns the killers.
      const isAbout = [who, ...this.#stretch.killed].some((one) => this.#isClaimed(one));
      return this.#base !== null && !isAbout
        ? this.#base.featsOf(who)
        : new Set(this.#listFeats(who));
    });
  }

  get everybodyKilled(): number {
    return (1 << this.#stretch.killed.length) - 1;
  }

  #isClaimed(who: Colour): boolean {
    return this.#claims[0]?.who === who;
  }

  #isTrue(who: Colour, { shown }: Trail): boolean {
    return !this.#isClaimed(who) || shown === (1 << this.#claims.length) - 1;
  }

  #listFeats(who: Colour): readonly number[] {
    const { living, killed, rounds } = this.#stretch;
    if (!living.includes(who)) return [0];
    // Impostors cannot die from a kill and cannot do visual tasks.
    if (killed.includes(who)) return [];
    const isProven = rounds.some(({ glimpses }) =>
      glimpses.some((one) => one.who === who && one.did === 'visual'),
    );
    return isProven ? [] : this.#follow(who, 'impostor').map(({ victims }) => victims);
  }

  /** The possible states of a player after the stretch. */
  #follow(who: Colour, role: Role): readonly Trail[] {
    let trails: readonly Trail[] = [this.#start()];
    for (const [at, round] of this.#stretch.rounds.entries()) {
      if (round.departed.includes(who)) return trails.filter((trail) => this.#isTrue(who, trail));
      const isLast = at === this.#stretch.rounds.length - 1;
      trails = this.#advance(trails, who, { role, at, isLast });
      if (trails.length === 0) return trails;
    }
    return trails.filter((trail) => this.#isTrue(who, trail));
  }

  #start(): Trail {
    return {
      spot: this.#steps.spotAt(this.#witness.map.button, null),
      stride: 0,
      moved: false,
      victims: 0,
      readyAt: this.#stretch.killWait,
      shown: 0,
    };
  }

  /** All continuations by one round that look as the witness saw the player. */
  #advance(
    trails: readonly Trail[],
    who: Colour,
    { role, at, isLast }: { readonly role: Role; readonly at: number; readonly isLast: boolean },
  ): readonly Trail[] {
    const round = this.#stretch.rounds[at];
    if (round === undefined) return [];
    const seen = glimpseIn(round, who);
    const isCaller = isLast && this.#stretch.call.by === who;
    const withPaths = isCaller || this.#isClaimed(who);
    const stepsFrom = this.#steps.stepsOf({ round, who, role, seen, withPaths });
    const reached = new Map<number | string, Trail>();
    const go = (trail: Trail, step: PlayerStep, change: KillChange) => {
      if (isCaller && !this.#isCallPossible(step.move)) return;
      const shown = withPaths ? trail.shown | this.#claimsShown(who, at, step.move) : 0;
      const { victims = trail.victims } = change;
      // An expired or unneeded cooldown does not distinguish trails.
      const isOver = victims === this.everybodyKilled;
      const ready = isOver ? 0 : (change.readyAt ?? trail.readyAt);
      const readyAt = ready > at + 1 ? ready : 0;
      const key = keyOf(step, { victims, readyAt, shown });
      if (reached.has(key)) return;
      const { to: spot, stride, moved } = step;
      reached.set(key, { spot, stride, moved, victims, readyAt, shown });
    };
    for (const trail of trails) {
      for (const step of stepsFrom(trail.spot, trail.stride)) go(trail, step, NO_KILL);
      if (role !== 'impostor') continue;
      for (const { step, change } of this.#kills(trail, at)) {
        if (this.#eyes.ofMove(round, who, step.move).includes(seen)) go(trail, step, change);
      }
    }
    return [...reached.values()];
  }

  #kills({ spot, victims, readyAt, moved }: Trail, at: number): readonly PossibleKill[] {
    if (spot.vent !== null || at < readyAt) return [];
    const { map, options } = this.#witness;
    const { killed, rounds } = this.#stretch;
    const shut: readonly Place[] = rounds[at]?.before.shut ?? [];
    const found: PossibleKill[] = [];
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
        const change = {
          victims: victims | (1 << index),
          readyAt: at + roundsOf(options.killCooldown),
        };
        found.push({ step: this.#steps.killFrom(spot, death.place), change });
      }
    }
    return found;
  }

  #deathsOf(who: Colour): readonly Death[] {
    return remember(this.#deaths, who, () =>
      this.#base !== null && !this.#isClaimed(who)
        ? this.#base.#deathsOf(who)
        : this.#listDeaths(who),
    );
  }

  #listDeaths(who: Colour): readonly Death[] {
    const { rounds, call } = this.#stretch;
    const found = new Map<string, Death>();
    const lain = this.#bodyPlaces(who);
    let trails: readonly Trail[] = [this.#start()];
    for (const [at, round] of rounds.entries()) {
      // Ghosts can leave too.
      if (round.departed.includes(who)) break;
      const seen = glimpseIn(round, who);
      const isTooLate = call.body === who && at === rounds.length - 1;
      for (const trail of isTooLate ? [] : trails) {
        const { spot, moved: hasMoved } = trail;
        const isFound = call.body !== who || call.place === spot.place;
        if (!this.#isTrue(who, trail) || !isFound || !lain[at + 1]?.has(spot.place)) continue;
        if (!this.#eyes.ofVictim(round, spot.place).includes(seen)) continue;
        found.set(`${at} ${spot.place} ${hasMoved}`, { at, place: spot.place, hasMoved });
      }
      trails = this.#advance(trails, who, { role: 'crewmate', at, isLast: false });
      if (trails.length === 0) break;
    }
    return [...found.values()];
  }

  /** For each round, the places where a body can have lain from then on. */
  #bodyPlaces(who: Colour): readonly ReadonlySet<Place>[] {
    const { rounds } = this.#stretch;
    const lain: ReadonlySet<Place>[] = [];
    lain[rounds.length] = new Set(this.#witness.map.places);
    for (let at = rounds.length - 1; at >= 0; at--) {
      const round = rounds[at];
      const after = lain[at + 1] ?? new Set();
      if (round === undefined) continue;
      const seen = glimpseIn(round, who);
      const looksSo = (place: Place) => this.#eyes.ofBody(round, place).includes(seen);
      lain[at] = new Set([...after].filter(looksSo));
    }
    return lain;
  }

  /** A caller has no other action in that round and is at the body or the button. */
  #isCallPossible({ from, path, to, killedAt }: RoundMove): boolean {
    const { kind, place } = this.#stretch.call;
    if (from.vent !== null || to.vent !== null || path.length > 0 || killedAt !== null)
      return false;
    return to.place === (kind === 'body' ? (place ?? to.place) : this.#witness.map.button);
  }

  /** A bit for each claim that a move fulfils. */
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

type KillChange = { readonly victims?: number; readonly readyAt?: number };
const NO_KILL: KillChange = {};

type PossibleKill = { readonly step: PlayerStep; readonly change: KillChange };

function glimpseIn({ glimpses }: WitnessedRound, who: Colour): Glimpse {
  return glimpseOf(glimpses.filter((one) => one.who === who));
}

/** A unique key, as a number if its parts fit. */
function keyOf(
  { to, stride, moved }: PlayerStep,
  { victims, readyAt, shown }: Pick<Trail, 'victims' | 'readyAt' | 'shown'>,
): number | string {
  const isSmall = shown < MOST_SHOWN && readyAt < MOST_ROUNDS && victims < MOST_VICTIMS;
  if (!isSmall) return `${to.number} ${stride} ${moved} ${victims} ${readyAt} ${shown}`;
  const own = (to.number * MOST_QUARTERS + stride) * 2 + Number(moved);
  return ((own * MOST_VICTIMS + victims) * MOST_ROUNDS + readyAt) * MOST_SHOWN + shown;
}

/** With 2^9 spots and the flag `moved`, these fit into 53 bits. */
const MOST_QUARTERS = 2 ** 3;
const MOST_VICTIMS = 2 ** 14;
const MOST_ROUNDS = 2 ** 13;
const MOST_SHOWN = 2 ** 13;
