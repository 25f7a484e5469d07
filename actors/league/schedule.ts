/**
 * The schedule: the players, roles, colours and seed of each game.
 *
 * It depends on the league's file only. Games, roles, colours, opponents and partners come out even: each table goes to
 * the personas that have had least. With a mirror every table is played twice, with the same seed, colours and roles,
 * and the personas exchanged.
 */

import { drawWords } from '../../machines/rules/dice.ts';
import { COLOURS, type Colour, type Role } from '../../machines/types.ts';
import { gameSeed } from '../jobs/gameJob.ts';

export type ScheduleTerms = {
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

/** A persona at a table, by its number in the list of personas. */
type ScheduledSeat = { readonly colour: Colour; readonly role: Role; readonly persona: number };

export type ScheduledTable = readonly ScheduledSeat[];

export type ScheduledGame = {
  readonly slot: number;
  readonly seed: number;
  /** The first slot of its pair of mirrored games; its own where it has none. */
  readonly pair: number;
  readonly table: ScheduledTable;
};

const LANE = { who: 0, impostors: 1024, colours: 2048, order: 3072 } as const;

/**
 * How many personas a league needs for meaningful comparisons.
 *
 * Two compared personas never sit at one table in a mirror: each takes the other's seat, and all other seats stay the
 * same. Those seats need a persona that is not compared, unless pairs alone fill the table. Two alone would play
 * against each other, where half of one's wins are the other's losses.
 */
export function countNeeded({
  players,
  seating,
  mirror,
  pairs,
}: Pick<ScheduleTerms, 'players' | 'seating' | 'mirror'> & { readonly pairs: number }): number {
  // Sides of one persona are refused when the file is read.
  if (pairs === 0) return mirror ? 2 : 1;
  const compared = 2 * pairs;
  if (seating === 'sides') return Math.max(3, compared);
  const seated = mirror ? pairs : compared;
  return seated < players ? compared + 1 : compared;
}

export function makeSchedule(terms: ScheduleTerms): readonly ScheduledGame[] {
  const balance = new Balance(terms.personas);
  const fixtures: ScheduledGame[] = [];
  while (fixtures.length < terms.games) {
    const slot = fixtures.length;
    const seed = gameSeed(terms.seed, slot + 1);
    const table = fillTable(terms, balance, slot);
    const tables = terms.mirror ? [table, mirrorTable(table, terms)] : [table];
    for (const one of tables.slice(0, terms.games - slot)) {
      balance.count(one);
      fixtures.push({ slot: fixtures.length, seed, pair: slot, table: one });
    }
  }
  return fixtures;
}

function fillTable(terms: ScheduleTerms, balance: Balance, slot: number): ScheduledTable {
  const colours = COLOURS.slice(0, terms.players);
  const chance = (lane: number) => draw(terms.seed, slot, lane);
  if (terms.seating === 'sides') return fillSides(terms, balance, chance);
  const chosen = choosePersonas(terms, balance, chance);
  const impostors = chooseImpostors(chosen, terms, balance, chance);
  const places = chosen.map((persona, index) => ({
    persona,
    role: impostors.includes(index) ? ('impostor' as const) : ('crewmate' as const),
  }));
  return assignColours(places, colours, balance, chance);
}

/**
 * Chooses players: fewest games first, then the least shared games. No persona sits twice before all sit, and a
 * compared one never does: its two seats could cancel out.
 */
function choosePersonas(
  terms: ScheduleTerms,
  balance: Balance,
  chance: DrawNumber,
): readonly number[] {
  const chosen: number[] = [];
  const all = listOpen(terms, chance);
  const compared = new Set(terms.compare.flat());
  const pairs = all.filter((persona) => compared.has(persona));
  while (chosen.length < terms.players) {
    const times = (persona: number) => chosen.filter((one) => one === persona).length;
    const free = all.filter((persona) => !compared.has(persona) || times(persona) === 0);
    // Without one of a pair both games of a mirror would be the same game.
    const isFirst = terms.mirror && chosen.length === 0 && pairs.length > 0;
    const list = isFirst ? pairs : free.length > 0 ? free : all;
    const next = pickLeast(list, (persona) => [
      times(persona),
      balance.games(persona),
      balance.met(persona, chosen),
      chance(LANE.who + ((persona + chosen.length * 31) % 1024)),
    ]);
    chosen.push(next);
  }
  return chosen;
}

/** In a mirror one of each pair may sit down, and the other one takes the place in the second game. */
function listOpen(
  { personas, mirror, compare, seating }: ScheduleTerms,
  chance: DrawNumber,
): readonly number[] {
  const all = Array.from({ length: personas }, (_, persona) => persona);
  if (!mirror) return all;
  const out = compare.map((pair, index) => pair[chance(LANE.order + index) % 2 === 0 ? 1 : 0]);
  const open = all.filter((persona) => !out.includes(persona));
  return seating === 'sides' && open.length < 2 ? all : open;
}

/** Lowest share first. Two who are compared are no impostors together: a game tells them apart on two sides only. */
function chooseImpostors(
  chosen: readonly number[],
  terms: ScheduleTerms,
  balance: Balance,
  chance: DrawNumber,
): readonly number[] {
  const rivals = listRivals(terms.compare);
  const impostors: number[] = [];
  while (impostors.length < terms.impostors) {
    const open = [...chosen.keys()].filter((index) => !impostors.includes(index));
    const partners = impostors.map((index) => chosen[index] ?? 0);
    const next = pickLeast(open, (index) => {
      const persona = chosen[index] ?? 0;
      const already = partners.filter((one) => one === persona).length;
      return [
        already,
        partners.filter((one) => one === rivals.get(persona)).length,
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
function fillSides(terms: ScheduleTerms, balance: Balance, chance: DrawNumber): ScheduledTable {
  const [impostor, crew] =
    terms.mirror && terms.compare.length > 0
      ? chooseComparedSides(terms, balance, chance)
      : chooseSides(terms, balance, chance);
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

type ChosenSides = readonly [impostor: number, crew: number];

function chooseSides(terms: ScheduleTerms, balance: Balance, chance: DrawNumber): ChosenSides {
  const all = listOpen(terms, chance);
  const impostor = pickLeast(all, (persona) => [
    balance.impostor(persona) / terms.impostors,
    balance.games(persona),
    chance(LANE.impostors + persona),
  ]);
  const crew = pickLeast(
    all.filter((persona) => persona !== impostor),
    (persona) => [
      (balance.games(persona) - balance.impostor(persona)) / (terms.players - terms.impostors),
      balance.met(persona, [impostor]),
      chance(LANE.who + persona),
    ],
  );
  return [impostor, crew];
}

/**
 * One of a pair against another persona. The mirror replaces it by the other of the pair in the same role. So only this
 * choice evens out the roles: the side with more games as crew gets the impostors.
 */
function chooseComparedSides(
  terms: ScheduleTerms,
  balance: Balance,
  chance: DrawNumber,
): ChosenSides {
  const all = listOpen(terms, chance);
  const compared = new Set(terms.compare.flat());
  const asImpostor = (persona: number) => balance.impostor(persona) / terms.impostors;
  const asCrew = (persona: number) =>
    (balance.games(persona) - balance.impostor(persona)) / (terms.players - terms.impostors);
  const games = (persona: number) => asImpostor(persona) + asCrew(persona);
  const one = pickLeast(
    all.filter((persona) => compared.has(persona)),
    (persona) => [games(persona), chance(LANE.impostors + persona)],
  );
  const other = pickLeast(
    all.filter((persona) => persona !== one),
    (persona) => [games(persona), balance.met(persona, [one]), chance(LANE.who + persona)],
  );
  const lead = (persona: number) => asImpostor(persona) - asCrew(persona);
  const impostor = pickLeast([one, other], (persona) => [
    lead(persona),
    chance(LANE.impostors + 512 + persona),
  ]);
  return impostor === one ? [one, other] : [other, one];
}

type DrawNumber = (lane: number) => number;

/** Each persona takes the free colour that it has had least; then two swap where that is fairer. */
function assignColours(
  places: readonly Omit<ScheduledSeat, 'colour'>[],
  colours: readonly Colour[],
  balance: Balance,
  chance: DrawNumber,
): ScheduledTable {
  const order = [...places.keys()].sort(
    (one, other) => chance(LANE.colours + one) - chance(LANE.colours + other),
  );
  const taken = new Map<number, Colour>();
  for (const index of order) {
    const persona = places[index]?.persona ?? 0;
    const free = colours.filter((colour) => ![...taken.values()].includes(colour));
    const colour = pickLeast(free, (one) => [
      balance.colour(persona, one),
      chance(LANE.order + 512 + COLOURS.indexOf(one)),
    ]);
    taken.set(index, colour);
  }
  const table = places.map((place, index) => ({ ...place, colour: taken.get(index) ?? 'red' }));
  return swapColours(table, balance).toSorted(
    (one, other) => COLOURS.indexOf(one.colour) - COLOURS.indexOf(other.colour),
  );
}

function swapColours(table: ScheduledTable, balance: Balance): ScheduledTable {
  const seats = [...table];
  const had = ({ persona }: ScheduledSeat, colour: Colour) => balance.colour(persona, colour) ** 2;
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

/**
 * The same table with the personas exchanged: each of a pair for the other, or each for the persona half the table
 * away.
 */
function mirrorTable(table: ScheduledTable, { compare, seating }: ScheduleTerms): ScheduledTable {
  if (compare.length > 0) {
    const rivals = listRivals(compare);
    return table.map((place) => ({
      ...place,
      persona: rivals.get(place.persona) ?? place.persona,
    }));
  }
  if (seating === 'sides') {
    const of = (role: ScheduledSeat['role']) =>
      table.find((place) => place.role === role)?.persona ?? 0;
    const exchanged = { impostor: of('crewmate'), crewmate: of('impostor') };
    return table.map((place) => ({ ...place, persona: exchanged[place.role] }));
  }
  // With fewer personas than seats some sit twice: personas are exchanged, not seats, so that each seat has another one.
  const seated = [...new Set(table.map(({ persona }) => persona))];
  const half = Math.floor(seated.length / 2);
  return table.map((place) => ({
    ...place,
    persona: seated[(seated.indexOf(place.persona) + half) % seated.length] ?? place.persona,
  }));
}

function listRivals(compare: ScheduleTerms['compare']): ReadonlyMap<number, number> {
  return new Map(
    compare.flatMap(
      ([one, other]) =>
        [
          [one, other],
          [other, one],
        ] as const,
    ),
  );
}

/** The item with the lowest marks, compared mark by mark. */
function pickLeast<T>(list: readonly T[], marks: (item: T) => readonly number[]): T {
  const [first, ...others] = list.map((item) => ({ item, marks: marks(item) }));
  if (first === undefined) throw new Error('expected at least one to choose from, found none');
  let best = first;
  for (const one of others) {
    const at = one.marks.findIndex((mark, index) => mark !== best.marks[index]);
    if (at >= 0 && (one.marks[at] ?? 0) < (best.marks[at] ?? 0)) best = one;
  }
  return best.item;
}

const LANES = 4096;

/** A number below 2^32; the same lane of the same slot always gives the same. */
function draw(seed: number, slot: number, lane: number): number {
  // The dice of seeds of games are in meeting 0 of the same stream.
  return drawWords(
    { seed, meeting: 1 + Math.floor(lane / LANES), stream: 'run', tick: slot },
    lane,
  )[0];
}

class Balance {
  readonly #games: number[];
  readonly #impostor: number[];
  readonly #colours: Map<Colour, number>[];
  /** How often two have met, and how often as partners in crime. */
  readonly #met: number[][];
  readonly #partners: number[][];

  constructor(personas: number) {
    const zeros = () => Array.from({ length: personas }, () => 0);
    this.#games = zeros();
    this.#impostor = zeros();
    this.#colours = zeros().map(() => new Map());
    this.#met = zeros().map(zeros);
    this.#partners = zeros().map(zeros);
  }

  games(persona: number): number {
    return this.#games[persona] ?? 0;
  }

  impostor(persona: number): number {
    return this.#impostor[persona] ?? 0;
  }

  /** Share of games as impostor, the next one counted. */
  share(persona: number): number {
    return this.impostor(persona) / (this.games(persona) + 1);
  }

  colour(persona: number, colour: Colour): number {
    return this.#colours[persona]?.get(colour) ?? 0;
  }

  met(persona: number, others: readonly number[]): number {
    return others.reduce((sum, other) => sum + (this.#met[persona]?.[other] ?? 0), 0);
  }

  partners(persona: number, others: readonly number[]): number {
    return others.reduce((sum, other) => sum + (this.#partners[persona]?.[other] ?? 0), 0);
  }

  count(table: ScheduledTable): void {
    for (const { persona, role, colour } of table) {
      this.#games[persona] = this.games(persona) + 1;
      if (role === 'impostor') this.#impostor[persona] = this.impostor(persona) + 1;
      this.#colours[persona]?.set(colour, this.colour(persona, colour) + 1);
    }
    for (const [index, one] of table.entries()) {
      for (const other of table.slice(index + 1)) {
        countPair(this.#met, one.persona, other.persona);
        const areImpostors = one.role === 'impostor' && other.role === 'impostor';
        if (areImpostors) countPair(this.#partners, one.persona, other.persona);
      }
    }
  }
}

function countPair(counts: readonly number[][], one: number, other: number): void {
  for (const [from, to] of one === other
    ? [[one, one]]
    : [
        [one, other],
        [other, one],
      ]) {
    const row = counts[from ?? 0];
    if (row !== undefined) row[to ?? 0] = (row[to ?? 0] ?? 0) + 1;
  }
}
