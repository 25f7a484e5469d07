/**
 * Lists the steps that a player can take in one round, given how the witness saw the player. They are cached by look.
 */
import { neighbours, ventsAt } from '../../machines/rules/ship/map.ts';
import { STRIDE } from '../../machines/rules/ship/world.ts';
import type { Colour, Place, Role, Room } from '../../machines/types.ts';
import type { Witness, WitnessedRound } from './evidence.ts';
import {
  type Eyes,
  type Glimpse,
  type PlayerSpot,
  type RoundMove,
  remember,
  type SeenScene,
} from './glimpses.ts';

/** A spot with a unique number and a single object. */
export type NumberedSpot = PlayerSpot & { readonly number: number };

export type PlayerStep = {
  readonly move: RoundMove;
  readonly to: NumberedSpot;
  /** Quarters of a step left of the stride. */
  readonly stride: number;
  readonly moved: boolean;
};

export type SeenPlayer = {
  readonly round: WitnessedRound;
  readonly who: Colour;
  readonly role: Role;
  readonly seen: Glimpse;
  /** Keep steps that end alike but differ in path. */
  readonly withPaths: boolean;
};

/** Steps by the number of their spot and the rest of the stride. */
type KnownSteps = (readonly PlayerStep[])[][];

export class Steps {
  readonly #witness: Witness;
  readonly #eyes: Eyes;
  readonly #spots = new Map<string, NumberedSpot>();
  readonly #known = new WeakMap<SeenScene, Map<string, KnownSteps>>();
  readonly #walks = new Map<string, readonly PlayerStep[]>();
  readonly #kills = new Map<string, PlayerStep>();

  constructor(witness: Witness, eyes: Eyes) {
    this.#witness = witness;
    this.#eyes = eyes;
  }

  spotAt(place: Place, vent: number | null): NumberedSpot {
    const number = this.#spots.size;
    return remember(this.#spots, `${place} ${vent}`, () => ({ place, vent, number }));
  }

  killFrom(spot: NumberedSpot, place: Place): PlayerStep {
    return remember(this.#kills, `${spot.number} ${place}`, () => {
      const path = place === spot.place ? [] : [place];
      return toStep(spot, this.spotAt(place, null), path, place);
    });
  }

  /** The steps from a spot. Without `withPaths`, one of those that end alike. */
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
    const looks = remember(this.#known, this.#eyes.sceneOf(round), () => new Map());
    const look = `${role} ${withPaths} ${round.following === who} ${seen}`;
    return remember(looks, look, () => []);
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
    return remember(this.#walks, key, () => this.#listWalks(spot, stride, shut));
  }

  #listWalks(spot: NumberedSpot, stride: number, shut: readonly Room[]): readonly PlayerStep[] {
    const stay = toStep(spot, spot);
    const steps = [stay];
    if (spot.vent !== null) return steps;
    const { map, options } = this.#witness;
    // Movement matters only if kills need both players to stand still.
    const moved = options.killDistance === 'short';
    const closed: readonly Place[] = shut;
    const quarters = stride + options.playerSpeed * STRIDE;
    // Too slow for a step in this round, so the distance carries over.
    if (quarters < STRIDE) steps.push({ ...stay, stride: quarters });
    const most = Math.min(Math.floor(quarters / STRIDE), Math.ceil(options.playerSpeed));
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
        const step = { ...toStep(spot, to, path), moved };
        steps.push(step);
        const left = quarters - count * STRIDE;
        if (left > 0 && left < STRIDE) steps.push({ ...step, stride: left });
      }
    }
    return steps;
  }

  #ventsFrom(spot: NumberedSpot): readonly PlayerStep[] {
    const { map } = this.#witness;
    const use = (place: Place, vent: number | null) => toStep(spot, this.spotAt(place, vent));
    if (spot.vent === null) return ventsAt(map, spot.place).map(({ id, place }) => use(place, id));
    const own = map.vents.find(({ id }) => id === spot.vent);
    const linked = map.vents.filter(({ id }) => own?.links.includes(id));
    return [use(spot.place, null), ...linked.map(({ id, place }) => use(place, id))];
  }
}

function toStep(
  from: PlayerSpot,
  to: NumberedSpot,
  path: readonly Place[] = [],
  killedAt: Place | null = null,
): PlayerStep {
  const name = `${from.place} ${from.vent} ${path.join()} ${to.place} ${to.vent} ${killedAt}`;
  return { move: { from, path, to, killedAt, name }, to, stride: 0, moved: false };
}
