/** Lists the steps that a player can take in one round, given how the witness saw the player. Cached by look. */
import type { KnownShip } from '../../../machines/rules/record.ts';
import { neighbours, ventsAt } from '../../../machines/rules/ship/map.ts';
import { STRIDE } from '../../../machines/rules/ship/world.ts';
import type { Colour, Place, Role } from '../../../machines/types.ts';
import { remember } from '../remember.ts';
import type { WitnessedRound } from './evidence.ts';
import type { Eyes, Glimpse, PlayerSpot, RoundMove, SeenScene } from './glimpses.ts';

/** A player between two rounds, as far as it affects later moves. Each has a unique number and a single object. */
export type Stance = PlayerSpot & {
  /** Quarters of a step left of the last stride. */
  readonly stride: number;
  readonly moved: boolean;
  readonly number: number;
};

export type PlayerStep = { readonly move: RoundMove; readonly to: Stance };

export type SeenPlayer = {
  readonly round: WitnessedRound;
  readonly who: Colour;
  readonly role: Role;
  readonly seen: Glimpse;
  /** Keep steps that end alike but differ in path. */
  readonly withPaths: boolean;
};

/** Steps by the number of the stance before. */
type KnownSteps = (readonly PlayerStep[])[];

export class Steps {
  readonly #ship: KnownShip;
  readonly #eyes: Eyes;
  readonly #stances = new Map<string, Stance>();
  readonly #known = new WeakMap<SeenScene, Map<string, KnownSteps>>();
  readonly #walks = new Map<string, readonly PlayerStep[]>();
  readonly #kills = new Map<string, PlayerStep>();

  constructor(ship: KnownShip, eyes: Eyes) {
    this.#ship = ship;
    this.#eyes = eyes;
  }

  stanceAt(place: Place, vent: number | null = null, stride = 0, moved = false): Stance {
    const number = this.#stances.size;
    return remember(this.#stances, `${place} ${vent} ${stride} ${moved}`, () => {
      return { place, vent, stride, moved, number };
    });
  }

  killFrom(from: Stance, place: Place): PlayerStep {
    return remember(this.#kills, `${from.number} ${place}`, () =>
      toStep(from, this.stanceAt(place), place === from.place ? [] : [place], place),
    );
  }

  /** The steps from a stance. Without `withPaths`, one of those that end alike. */
  stepsOf(player: SeenPlayer): (from: Stance) => readonly PlayerStep[] {
    const known = this.#knownOf(player);
    return (from) => {
      const found = known[from.number] ?? this.#find(player, from);
      known[from.number] = found;
      return found;
    };
  }

  #knownOf({ round, who, role, seen, withPaths }: SeenPlayer): KnownSteps {
    const looks = remember(this.#known, this.#eyes.sceneOf(round), () => new Map());
    const look = `${role} ${withPaths} ${round.following === who} ${seen}`;
    return remember(looks, look, () => []);
  }

  #find(player: SeenPlayer, from: Stance): readonly PlayerStep[] {
    const { round, who, role, seen, withPaths } = player;
    const { shut } = round.after;
    const all = [
      ...remember(this.#walks, `${from.number} ${shut.join()}`, () => this.#listWalks(from, shut)),
      ...(role === 'impostor' ? this.#ventsFrom(from) : []),
    ];
    const possible = all.filter(({ move }) => this.#eyes.ofMove(round, who, move).includes(seen));
    if (withPaths) return possible;
    return [...new Map(possible.map((one) => [one.to.number, one])).values()];
  }

  #listWalks(from: Stance, shut: readonly Place[]): readonly PlayerStep[] {
    const steps = [toStep(from, this.stanceAt(from.place, from.vent))];
    if (from.vent !== null) return steps;
    const { map, options } = this.#ship;
    // Movement matters only if kills need both players to stand still.
    const moved = options.killDistance === 'short';
    const quarters = from.stride + options.playerSpeed * STRIDE;
    // Too slow for a step in this round, so the distance carries over.
    if (quarters < STRIDE) steps.push(toStep(from, this.stanceAt(from.place, null, quarters)));
    const most = Math.min(Math.floor(quarters / STRIDE), Math.ceil(options.playerSpeed));
    let ways: readonly (readonly Place[])[] = [[]];
    for (let count = 1; count <= most; count++) {
      ways = ways.flatMap((way) => {
        const place = way.at(-1) ?? from.place;
        if (shut.includes(place)) return [];
        return neighbours(map, place)
          .filter((next) => !shut.includes(next) && next !== from.place && !way.includes(next))
          .map((next) => [...way, next]);
      });
      for (const path of ways) {
        const left = quarters - count * STRIDE;
        for (const rest of left > 0 && left < STRIDE ? [0, left] : [0]) {
          const to = this.stanceAt(path.at(-1) ?? from.place, null, rest, moved);
          steps.push(toStep(from, to, path));
        }
      }
    }
    return steps;
  }

  #ventsFrom(from: Stance): readonly PlayerStep[] {
    const { map } = this.#ship;
    const use = (place: Place, vent: number | null) => toStep(from, this.stanceAt(place, vent));
    if (from.vent === null) return ventsAt(map, from.place).map(({ id, place }) => use(place, id));
    const own = map.vents.find(({ id }) => id === from.vent);
    const linked = map.vents.filter(({ id }) => own?.links.includes(id));
    return [use(from.place, null), ...linked.map(({ id, place }) => use(place, id))];
  }
}

function toStep(
  from: Stance,
  to: Stance,
  path: readonly Place[] = [],
  killedAt: Place | null = null,
): PlayerStep {
  const name = `${from.place} ${from.vent} ${path.join()} ${to.place} ${to.vent} ${killedAt}`;
  return { move: { from, path, to, killedAt, name }, to };
}
