/**
 * The schedule: who plays in which game, in which role and colour, from which seed.
 *
 * It is a value of the league's file. Games, roles, colours, opponents and partners come out even: each table goes to
 * those who have had least. With a mirror every table is played twice, with the same seed, colours and roles, and with
 * the personas exchanged.
 */
import { COLOURS, type Colour } from '../../machines/types.ts';
import { gameSeed } from '../jobs/seeds.ts';
import { Balance, type Place, type Table } from './balance.ts';
import { draw } from './draws.ts';

export type Scheduling = {
  readonly seed: number;
  readonly games: number;
  readonly personas: number;
  readonly players: number;
  readonly impostors: number;
  readonly seating: 'mixed' | 'sides';
  readonly mirror: boolean;
  /** Pairs of personas that are held against each other: in a mirror each takes the other's place. */
  readonly compare: readonly (readonly [number, number])[];
};

export type Fixture = {
  /** The place in the schedule, from 0. */
  readonly slot: number;
  readonly seed: number;
  /** The first slot of its pair of mirrored games; its own where it has none. */
  readonly pair: number;
  readonly table: Table;
};

/** Lanes of the draws of a slot. */
const LANE = { who: 0, impostors: 1024, colours: 2048, order: 3072 } as const;

/** All games of a league. */
export function schedule(terms: Scheduling): readonly Fixture[] {
  const balance = new Balance(terms.personas);
  const fixtures: Fixture[] = [];
  while (fixtures.length < terms.games) {
    const slot = fixtures.length;
    const seed = gameSeed(terms.seed, slot + 1);
    const table = tableFor(terms, balance, slot);
    const tables = terms.mirror ? [table, mirrored(table, terms)] : [table];
    for (const one of tables.slice(0, terms.games - slot)) {
      balance.count(one);
      fixtures.push({ slot: fixtures.length, seed, pair: slot, table: one });
    }
  }
  return fixtures;
}

function tableFor(terms: Scheduling, balance: Balance, slot: number): Table {
  const colours = COLOURS.slice(0, terms.players);
  const chance = (lane: number) => draw(terms.seed, slot, lane);
  if (terms.seating === 'sides') return sidesFor(terms, balance, chance);
  const chosen = chosenFor(terms, balance, chance);
  const impostors = impostorsAmong(chosen, terms.impostors, balance, chance);
  const places = chosen.map((persona, index) => ({
    persona,
    role: impostors.includes(index) ? ('impostor' as const) : ('crewmate' as const),
  }));
  return coloured(places, colours, balance, chance);
}

/** Who plays: fewest games first, then whoever has met the others least. Nobody sits twice before all sit. */
function chosenFor(terms: Scheduling, balance: Balance, chance: Chance): readonly number[] {
  const chosen: number[] = [];
  const all = openTo(terms, chance);
  while (chosen.length < terms.players) {
    const times = (persona: number) => chosen.filter((one) => one === persona).length;
    const next = least(all, (persona) => [
      times(persona),
      balance.games(persona),
      balance.met(persona, chosen),
      chance(LANE.who + ((persona + chosen.length * 31) % 1024)),
    ]);
    chosen.push(next);
  }
  return chosen;
}

/** In a mirror one of each pair sits down, and the other takes the place in the second game. */
function openTo(
  { personas, mirror, compare, seating }: Scheduling,
  chance: Chance,
): readonly number[] {
  const all = Array.from({ length: personas }, (_, persona) => persona);
  if (!mirror) return all;
  const out = compare.map((pair, index) => pair[chance(LANE.order + index) % 2 === 0 ? 1 : 0]);
  const open = all.filter((persona) => !out.includes(persona));
  // Where only a pair is left for two sides, its mirror lets them change sides.
  return seating === 'sides' && open.length < 2 ? all : open;
}

function impostorsAmong(
  chosen: readonly number[],
  count: number,
  balance: Balance,
  chance: Chance,
): readonly number[] {
  const impostors: number[] = [];
  while (impostors.length < count) {
    const open = [...chosen.keys()].filter((index) => !impostors.includes(index));
    const partners = impostors.map((index) => chosen[index] ?? 0);
    const next = least(open, (index) => {
      const persona = chosen[index] ?? 0;
      const already = partners.filter((one) => one === persona).length;
      return [
        already,
        balance.share(persona),
        balance.partners(persona, partners),
        chance(LANE.impostors + index),
      ];
    });
    impostors.push(next);
  }
  return impostors;
}

/** One persona has all impostors and another one the crew. */
function sidesFor(terms: Scheduling, balance: Balance, chance: Chance): Table {
  const all = openTo(terms, chance);
  const impostor = least(all, (persona) => [
    balance.impostor(persona) / terms.impostors,
    balance.games(persona),
    chance(LANE.impostors + persona),
  ]);
  const crew = least(
    all.filter((persona) => persona !== impostor),
    (persona) => [
      (balance.games(persona) - balance.impostor(persona)) / (terms.players - terms.impostors),
      balance.met(persona, [impostor]),
      chance(LANE.who + persona),
    ],
  );
  const colours = COLOURS.slice(0, terms.players);
  const guilty = [...colours]
    .sort(
      (one, other) =>
        chance(LANE.colours + COLOURS.indexOf(one)) - chance(LANE.colours + COLOURS.indexOf(other)),
    )
    .slice(0, terms.impostors);
  return colours.map((colour) =>
    guilty.includes(colour)
      ? { colour, role: 'impostor', persona: impostor }
      : { colour, role: 'crewmate', persona: crew },
  );
}

type Chance = (lane: number) => number;

/** Everybody takes the colour that they have had least of those that are left; then two swap where that is fairer. */
function coloured(
  places: readonly Omit<Place, 'colour'>[],
  colours: readonly Colour[],
  balance: Balance,
  chance: Chance,
): Table {
  const order = [...places.keys()].sort(
    (one, other) => chance(LANE.colours + one) - chance(LANE.colours + other),
  );
  const taken = new Map<number, Colour>();
  for (const index of order) {
    const persona = places[index]?.persona ?? 0;
    const free = colours.filter((colour) => ![...taken.values()].includes(colour));
    const colour = least(free, (one) => [
      balance.colour(persona, one),
      chance(LANE.order + 512 + COLOURS.indexOf(one)),
    ]);
    taken.set(index, colour);
  }
  const table = places.map((place, index) => ({ ...place, colour: taken.get(index) ?? 'red' }));
  return swapped(table, balance).toSorted(
    (one, other) => COLOURS.indexOf(one.colour) - COLOURS.indexOf(other.colour),
  );
}

function swapped(table: Table, balance: Balance): Table {
  const seats = [...table];
  const had = ({ persona }: Place, colour: Colour) => balance.colour(persona, colour) ** 2;
  for (let first = 0; first < seats.length; first++) {
    for (let second = first + 1; second < seats.length; second++) {
      const [one, other] = [seats[first], seats[second]];
      if (one === undefined || other === undefined) continue;
      const now = had(one, one.colour) + had(other, other.colour);
      if (had(one, other.colour) + had(other, one.colour) >= now) continue;
      seats[first] = { ...one, colour: other.colour };
      seats[second] = { ...other, colour: one.colour };
    }
  }
  return seats;
}

/** The same table with the personas exchanged: each of a pair for the other, or half the table further on. */
function mirrored(table: Table, { compare, seating }: Scheduling): Table {
  if (compare.length > 0) {
    const partner = new Map(
      compare.flatMap(
        ([one, other]) =>
          [
            [one, other],
            [other, one],
          ] as const,
      ),
    );
    return table.map((place) => ({
      ...place,
      persona: partner.get(place.persona) ?? place.persona,
    }));
  }
  if (seating === 'sides') {
    const of = (role: Place['role']) => table.find((place) => place.role === role)?.persona ?? 0;
    const exchanged = { impostor: of('crewmate'), crewmate: of('impostor') };
    return table.map((place) => ({ ...place, persona: exchanged[place.role] }));
  }
  const half = Math.floor(table.length / 2);
  return table.map((place, index) => ({
    ...place,
    persona: table[(index + half) % table.length]?.persona ?? place.persona,
  }));
}

/** The one with the least marks, compared mark by mark. */
function least<T>(list: readonly T[], marks: (item: T) => readonly number[]): T {
  const [first, ...others] = list.map((item) => ({ item, marks: marks(item) }));
  if (first === undefined) throw new Error('expected somebody to choose, found nobody');
  let best = first;
  for (const one of others) {
    const at = one.marks.findIndex((mark, index) => mark !== best.marks[index]);
    if (at >= 0 && (one.marks[at] ?? 0) < (best.marks[at] ?? 0)) best = one;
  }
  return best.item;
}
