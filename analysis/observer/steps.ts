/**
 * Steps: what a player can do in one round, as far as it looks to the witness as the player was seen.
 *
 * Hundreds of ways lead through the same place in rounds that look alike, and most of them are looked at again for every
 * claim. So what leads on from a spot is worked out once for each look that a player can have.
 */
import { neighbours, ventsAt } from '../../machines/rules/ship/map.ts';
import { STRIDE } from '../../machines/rules/ship/world.ts';
import type { Colour, Place, Role, Room } from '../../machines/types.ts';
import type { Witness, WitnessedRound } from './evidence.ts';
import {
  type Eyes,
  type Glimpse,
  mostSteps,
  type PlayerSpot,
  type RoundMove,
  type SeenScene,
} from './glimpses.ts';

/** A spot that is one object however it is reached; the number tells it from all others. */
export type NumberedSpot = PlayerSpot & { readonly number: number };

/** What a player does in a round but for killing, and how they stand behind it. */
export type PlayerStep = {
  readonly move: RoundMove;
  readonly to: NumberedSpot;
  /** Quarters of a step that are left of the stride. */
  readonly stride: number;
  readonly moved: boolean;
};

/** How a player was seen in a round. */
export type SeenPlayer = {
  readonly round: WitnessedRound;
  readonly who: Colour;
  readonly role: Role;
  readonly seen: Glimpse;
  /** Whether steps are told apart that end alike. */
  readonly withPaths: boolean;
};

/** Steps by the number of the spot that they begin at, and by what is left of the stride there. */
type KnownSteps = (readonly PlayerStep[])[][];

export class Steps {
  readonly #witness: Witness;
  readonly #eyes: Eyes;
  readonly #spots = new Map<string, NumberedSpot>();
  readonly #known = new WeakMap<SeenScene, Map<string, KnownSteps>>();
  readonly #walks = new Map<string, readonly PlayerStep[]>();
  readonly #kills = new Map<NumberedSpot, Map<Place, PlayerStep>>();

  constructor(witness: Witness, eyes: Eyes) {
    this.#witness = witness;
    this.#eyes = eyes;
  }

  spotAt(place: Place, vent: number | null): NumberedSpot {
    const key = `${place} ${vent}`;
    const known = this.#spots.get(key);
    if (known !== undefined) return known;
    const spot = { place, vent, number: this.#spots.size };
    this.#spots.set(key, spot);
    return spot;
  }

  /** To kill somebody who is at a place, next to the spot or there. */
  killFrom(spot: NumberedSpot, place: Place): PlayerStep {
    const kills = this.#kills.get(spot) ?? new Map<Place, PlayerStep>();
    this.#kills.set(spot, kills);
    const to = this.spotAt(place, null);
    const path = place === spot.place ? [] : [place];
    const known = kills.get(place) ?? toStep({ from: spot, path, to, killedAt: place });
    kills.set(place, known);
    return known;
  }

  /** What leads on from a spot of a player who was seen so: of steps that end alike one, unless `withPaths`. */
  stepsOf(player: SeenPlayer): (spot: NumberedSpot, stride: number) => readonly PlayerStep[] {
    const known = this.#knownOf(player);
    return (spot, stride) => {
      const strides = known[spot.number] ?? [];
      known[spot.number] = strides;
      const found = strides[stride] ?? this.#find(player, spot, stride);
      strides[stride] = found;
      return found;
    };
  }

  #knownOf({ round, who, role, seen, withPaths }: SeenPlayer): KnownSteps {
    const scene = this.#eyes.sceneOf(round);
    const looks = this.#known.get(scene) ?? new Map<string, KnownSteps>();
    this.#known.set(scene, looks);
    const look = `${role} ${withPaths} ${round.following === who} ${seen}`;
    const known = looks.get(look) ?? [];
    looks.set(look, known);
    return known;
  }

  #find(player: SeenPlayer, spot: NumberedSpot, stride: number): readonly PlayerStep[] {
    const { round, who, role, seen, withPaths } = player;
    const all = [
      ...this.#walksFrom(spot, stride, round.after.shut),
      ...(role === 'impostor' ? this.#ventsFrom(spot) : []),
    ];
    const possible = all.filter(({ move }) => this.#eyes.ofMove(round, who, move).includes(seen));
    if (withPaths) return possible;
    const ends = new Map(
      possible.map((one) => [`${one.to.number} ${one.stride} ${one.moved}`, one]),
    );
    return [...ends.values()];
  }

  #walksFrom(spot: NumberedSpot, stride: number, shut: readonly Room[]): readonly PlayerStep[] {
    const key = `${spot.number} ${stride} ${shut.join()}`;
    const known = this.#walks.get(key) ?? this.#listWalks(spot, stride, shut);
    this.#walks.set(key, known);
    return known;
  }

  #listWalks(spot: NumberedSpot, stride: number, shut: readonly Room[]): readonly PlayerStep[] {
    const stay = toStep({ from: spot, path: [], to: spot, killedAt: null });
    const steps = [stay];
    if (spot.vent !== null) return steps;
    const { map, options } = this.#witness;
    // How far a player has moved decides something only where kills need both to stand still.
    const moved = options.killDistance === 'short';
    const closed: readonly Place[] = shut;
    const quarters = stride + options.playerSpeed * STRIDE;
    // Too slow for a step in this round: what was walked counts in the next one.
    if (quarters < STRIDE) steps.push({ ...stay, stride: quarters });
    const most = Math.min(Math.floor(quarters / STRIDE), mostSteps(options.playerSpeed));
    let ways: readonly (readonly Place[])[] = [[]];
    for (let count = 1; count <= most; count++) {
      ways = ways.flatMap((way) => {
        const place = way.at(-1) ?? spot.place;
        if (closed.includes(place)) return [];
        return neighbours(map, place)
          .filter((next) => !closed.includes(next) && next !== spot.place && !way.includes(next))
          .map((next) => [...way, next]);
      });
      for (const path of ways) {
        const to = this.spotAt(path.at(-1) ?? spot.place, null);
        const step = { ...toStep({ from: spot, path, to, killedAt: null }), moved };
        steps.push(step);
        const left = quarters - count * STRIDE;
        if (left > 0 && left < STRIDE) steps.push({ ...step, stride: left });
      }
    }
    return steps;
  }

  #ventsFrom(spot: NumberedSpot): readonly PlayerStep[] {
    const { map } = this.#witness;
    const use = (place: Place, vent: number | null) =>
      toStep({ from: spot, path: [], to: this.spotAt(place, vent), killedAt: null });
    if (spot.vent === null) return ventsAt(map, spot.place).map(({ id, place }) => use(place, id));
    const own = map.vents.find(({ id }) => id === spot.vent);
    const linked = map.vents.filter(({ id }) => own?.links.includes(id));
    return [use(spot.place, null), ...linked.map(({ id, place }) => use(place, id))];
  }
}

/** A move between numbered spots, before it has got a name. */
type NumberedMove = Omit<RoundMove, 'from' | 'to' | 'name'> & {
  readonly from: NumberedSpot;
  readonly to: NumberedSpot;
};

/** A step that stands still at its end. */
function toStep({ from, path, to, killedAt }: NumberedMove): PlayerStep {
  const name = `${from.place} ${from.vent} ${path.join()} ${to.place} ${to.vent} ${killedAt}`;
  return { move: { from, path, to, killedAt, name }, to, stride: 0, moved: false };
}
