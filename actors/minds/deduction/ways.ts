/** Finds all paths of a player between two meetings that agree with the sightings of one witness, round by round. */

import { rounds as roundsOf } from '../../../machines/rules/options.ts';
import { neighbours } from '../../../machines/rules/ship/map.ts';
import type { Colour, Place, Role } from '../../../machines/types.ts';
import { remember } from '../remember.ts';
import type { ActionStretch, Witness, WitnessedRound } from './evidence.ts';
import { type Eyes, type Glimpse, glimpseOf, type PlayerSpot, type RoundMove } from './glimpses.ts';
import type { SeenPlayer, Stance, Steps } from './steps.ts';

/** A claim that a player was at a place in some round of a range. */
export type ClaimedPlace = {
  readonly who: Colour;
  readonly place: Place;
  /** Inclusive, from 0 in the stretch. */
  readonly from: number;
  readonly until: number;
};

/** The stances in which a player can be between two rounds, after the same kills and claims. */
type Trails = {
  /** A bit for each victim so far, and the first round of another kill. */
  readonly victims: number;
  readonly readyAt: number;
  /** A bit for each claim that has come true. */
  readonly shown: number;
  readonly stances: Stance[];
  /** By the number of a stance. */
  readonly known: boolean[];
};

/** A possible death at the start of a round: its index, the place, and whether the player moved before. */
type Death = { readonly at: number; readonly place: Place; readonly hasMoved: boolean };

export type WaySearch = { readonly eyes: Eyes; readonly steps: Steps };

export class PossibleWays {
  readonly #search: WaySearch;
  readonly #witness: Witness;
  readonly #stretch: ActionStretch;
  /** All claims are about one player. */
  #claims: readonly ClaimedPlace[] = [];
  /** The same search without claims, for players whom they do not concern. */
  #base: PossibleWays | null = null;
  readonly #start: readonly Trails[];
  /** What follows trails, by how the player looks next. */
  readonly #next = new Map<readonly Trails[], Map<string, Trails[]>>();
  readonly #deaths = new Map<Colour, readonly Death[]>();
  readonly #deathsByRound = new Map<number, readonly { victim: number; death: Death }[]>();
  readonly #feats = new Map<Colour, ReadonlySet<number>>();
  readonly #honest = new Map<Colour, boolean>();
  readonly #ifTrue = new Map<string, PossibleWays>();

  constructor(search: WaySearch, witness: Witness, stretch: ActionStretch) {
    this.#search = search;
    this.#witness = witness;
    this.#stretch = stretch;
    const stances = [search.steps.stanceAt(witness.map.button)];
    this.#start = [{ victims: 0, readyAt: stretch.killWait, shown: 0, stances, known: [] }];
  }

  ifTrue(claims: readonly ClaimedPlace[]): PossibleWays {
    return remember(this.#ifTrue, JSON.stringify(claims), () => {
      const ways = new PossibleWays(this.#search, this.#witness, this.#stretch);
      ways.#claims = claims;
      ways.#base = this;
      return ways;
    });
  }

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

  #isTrue(who: Colour, { shown }: Trails): boolean {
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
    if (isProven) return [];
    // Impostors can do all that crewmates do.
    if (killed.length === 0 && this.canBeCrew(who)) return [0];
    return this.#follow(who, 'impostor').map(({ victims }) => victims);
  }

  #follow(who: Colour, role: Role): readonly Trails[] {
    let trails = this.#start;
    for (const [at, round] of this.#stretch.rounds.entries()) {
      if (round.departed.includes(who)) return trails.filter((trail) => this.#isTrue(who, trail));
      const isLast = at === this.#stretch.rounds.length - 1;
      trails = this.#advance(trails, who, { role, at, isLast });
      if (trails.length === 0) return trails;
    }
    return trails.filter((trail) => this.#isTrue(who, trail));
  }

  /** All continuations by one round that look as the witness saw the player, shared by all who look so. */
  #advance(before: readonly Trails[], who: Colour, { role, at, isLast }: Turn): readonly Trails[] {
    const round = this.#stretch.rounds[at];
    if (round === undefined) return [];
    const seen = glimpseIn(round, who);
    const isCaller = isLast && this.#stretch.call.by === who;
    const withPaths = isCaller || this.#isClaimed(who);
    const player = { round, who, role, seen, withPaths };
    const look = `${role} ${isCaller} ${withPaths} ${round.following === who} ${seen}`;
    const known = remember(this.#next, before, () => new Map<string, Trails[]>());
    return remember(known, look, () => this.#list(before, player, at, isCaller));
  }

  #list(before: readonly Trails[], player: SeenPlayer, at: number, isCaller: boolean): Trails[] {
    const { round, who, role, seen, withPaths } = player;
    const stepsFrom = this.#search.steps.stepsOf(player);
    const reached = new Map<string, Trails>();
    const trailsWith = (victims: number, ready: number, shown: number) => {
      // An expired or unneeded cooldown does not distinguish trails.
      const readyAt = victims === this.everybodyKilled || ready <= at + 1 ? 0 : ready;
      return remember(reached, `${victims} ${readyAt} ${shown}`, () => {
        return { victims, readyAt, shown, stances: [], known: [] };
      });
    };
    for (const { victims, readyAt, shown, stances } of before) {
      const same = trailsWith(victims, readyAt, shown);
      for (const stance of stances) {
        for (const { move, to } of stepsFrom(stance)) {
          if (!withPaths) addStance(same, to);
          else if (!isCaller || this.#isCallPossible(move)) {
            const now = shown | this.#claimsShown(who, at, move);
            addStance(trailsWith(victims, readyAt, now), to);
          }
        }
      }
      if (role === 'crewmate' || isCaller || at < readyAt) continue;
      for (const { victim, step } of this.#kills(stances, victims, at)) {
        if (!this.#search.eyes.ofMove(round, who, step.move).includes(seen)) continue;
        const ready = at + roundsOf(this.#witness.options.killCooldown);
        const now = shown | this.#claimsShown(who, at, step.move);
        addStance(trailsWith(victims | victim, ready, now), step.to);
      }
    }
    return [...reached.values()].filter(({ stances }) => stances.length > 0);
  }

  /** `victim` is a bit. */
  *#kills(stances: readonly Stance[], victims: number, at: number) {
    const deaths = this.#deathsIn(at);
    if (deaths.length === 0) return;
    const { map, options } = this.#witness;
    const shut: readonly Place[] = this.#stretch.rounds[at]?.before.shut ?? [];
    for (const stance of stances) {
      if (stance.vent !== null) continue;
      for (const { victim, death } of deaths) {
        if ((victims & victim) !== 0) continue;
        const isStill = options.killDistance !== 'short' || (!stance.moved && !death.hasMoved);
        const isNear =
          options.killDistance === 'long' &&
          neighbours(map, stance.place).includes(death.place) &&
          !shut.includes(stance.place) &&
          !shut.includes(death.place);
        if (death.place === stance.place ? isStill : isNear)
          yield { victim, step: this.#search.steps.killFrom(stance, death.place) };
      }
    }
  }

  #deathsIn(at: number) {
    return remember(this.#deathsByRound, at, () =>
      this.#stretch.killed.flatMap((who, index) =>
        this.#deathsOf(who).flatMap((death) =>
          death.at === at ? [{ victim: 1 << index, death }] : [],
        ),
      ),
    );
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
    let trails = this.#start;
    for (const [at, round] of rounds.entries()) {
      // Ghosts can leave too.
      if (round.departed.includes(who)) break;
      const seen = glimpseIn(round, who);
      const isTooLate = call.body === who && at === rounds.length - 1;
      const open = isTooLate ? [] : trails.filter((one) => this.#isTrue(who, one));
      for (const { place, moved: hasMoved } of open.flatMap(({ stances }) => stances)) {
        const isFound = call.body !== who || call.place === place;
        if (!isFound || !lain[at + 1]?.has(place)) continue;
        if (!this.#search.eyes.ofVictim(round, place, true).includes(seen)) continue;
        found.set(`${at} ${place} ${hasMoved}`, { at, place, hasMoved });
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
      const { eyes } = this.#search;
      const looksSo = (place: Place) => eyes.ofVictim(round, place, false).includes(seen);
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

type Turn = { readonly role: Role; readonly at: number; readonly isLast: boolean };

function addStance({ stances, known }: Trails, stance: Stance): void {
  if (known[stance.number]) return;
  known[stance.number] = true;
  stances.push(stance);
}

function glimpseIn({ glimpses }: WitnessedRound, who: Colour): Glimpse {
  return glimpseOf(glimpses.filter((one) => one.who === who));
}
