/**
 * The schedule: the players, roles, colours and seed of each game. Games, roles, colours, opponents and partners come out
 * even: each table goes to the personas that have had least. With a mirror every table is played twice, with the same seed,
 * colours and roles, and the personas exchanged.
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
 * Two compared personas never sit at one table in a mirror: each takes the other's seat, and all other seats stay the
 * same. Those seats need a persona that is not compared, unless pairs alone fill the table. Two alone would play
 * against each other, where half of one's wins are the other's losses.
 */
export function countNeeded(
  terms: Pick<ScheduleTerms, 'players' | 'seating' | 'mirror'> & { readonly pairs: number },
): number {
  const { players, seating, mirror, pairs } = terms;
  // Sides of one persona are refused when the file is read.
  if (pairs === 0) return mirror ? 2 : 1;
  const compared = 2 * pairs;
  if (seating === 'sides') return Math.max(3, compared);
  const seated = mirror ? pairs : compared;
  return seated < players ? compared + 1 : compared;
}

export function makeSchedule(terms: ScheduleTerms): readonly ScheduledGame[] {
  const balance = new Balance();
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

type Choice = {
  readonly terms: ScheduleTerms;
  readonly balance: Balance;
  readonly chance: (lane: number) => number;
};

function fillTable(terms: ScheduleTerms, balance: Balance, slot: number): ScheduledTable {
  const choice = { terms, balance, chance: (lane: number) => draw(terms.seed, slot, lane) };
  if (terms.seating === 'sides') return fillSides(choice);
  const chosen = choosePersonas(choice);
  const impostors = chooseImpostors(chosen, choice);
  const places = chosen.map((persona, index) => ({
    persona,
    role: impostors.includes(index) ? ('impostor' as const) : ('crewmate' as const),
  }));
  return assignColours(places, choice);
}

/** Fewest games, then fewest shared ones. All sit before one sits twice. A compared one never does: seats cancel. */
function choosePersonas(choice: Choice): readonly number[] {
  const { terms, balance, chance } = choice;
  const chosen: number[] = [];
  const all = listOpen(choice);
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
      balance.games.of(persona),
      balance.met.sum(persona, chosen),
      chance(LANE.who + ((persona + chosen.length * 31) % 1024)),
    ]);
    chosen.push(next);
  }
  return chosen;
}

/** In a mirror one of each pair may sit down, and the other one takes the place in the second game. */
function listOpen({ terms, chance }: Choice): readonly number[] {
  const all = [...Array(terms.personas).keys()];
  if (!terms.mirror) return all;
  const out = terms.compare.map((pair, at) => pair[chance(LANE.order + at) % 2 === 0 ? 1 : 0]);
  const open = all.filter((persona) => !out.includes(persona));
  return terms.seating === 'sides' && open.length < 2 ? all : open;
}

/** Lowest share first. Two who are compared are no impostors together: a game tells them apart on two sides only. */
function chooseImpostors(
  chosen: readonly number[],
  { terms, balance, chance }: Choice,
): readonly number[] {
  const impostors: number[] = [];
  while (impostors.length < terms.impostors) {
    const open = [...chosen.keys()].filter((index) => !impostors.includes(index));
    const partners = impostors.map((index) => chosen[index] ?? 0);
    const next = pickLeast(open, (index) => {
      const persona = chosen[index] ?? 0;
      const rival = findRival(terms.compare, persona);
      return [
        partners.filter((one) => one === persona).length,
        partners.filter((one) => one === rival).length,
        // The share of games as impostor, the next one counted.
        balance.impostor.of(persona) / (balance.games.of(persona) + 1),
        balance.partners.sum(persona, partners),
        chance(LANE.impostors + index),
      ];
    });
    impostors.push(next);
  }
  return impostors;
}

function fillSides(choice: Choice): ScheduledTable {
  const { terms, chance } = choice;
  const [impostor, crew] =
    terms.mirror && terms.compare.length > 0 ? chooseComparedSides(choice) : chooseSides(choice);
  const colours = COLOURS.slice(0, terms.players);
  const lot = (colour: Colour) => chance(LANE.colours + COLOURS.indexOf(colour));
  const guilty = colours.toSorted((one, other) => lot(one) - lot(other)).slice(0, terms.impostors);
  return colours.map((colour) =>
    guilty.includes(colour)
      ? { colour, role: 'impostor', persona: impostor }
      : { colour, role: 'crewmate', persona: crew },
  );
}

type ChosenSides = readonly [impostor: number, crew: number];

/** Seats that a persona has had on each side, as games with all seats of that side. */
function sidesOf({ terms, balance }: Choice) {
  const asImpostor = (persona: number) => balance.impostor.of(persona) / terms.impostors;
  const asCrew = (persona: number) =>
    (balance.games.of(persona) - balance.impostor.of(persona)) / (terms.players - terms.impostors);
  return { asImpostor, asCrew };
}

function chooseSides(choice: Choice): ChosenSides {
  const { balance, chance } = choice;
  const { asImpostor, asCrew } = sidesOf(choice);
  const all = listOpen(choice);
  const impostor = pickLeast(all, (persona) => [
    asImpostor(persona),
    balance.games.of(persona),
    chance(LANE.impostors + persona),
  ]);
  const others = all.filter((persona) => persona !== impostor);
  const crew = pickLeast(others, (persona) => [
    asCrew(persona),
    balance.met.sum(persona, [impostor]),
    chance(LANE.who + persona),
  ]);
  return [impostor, crew];
}

/**
 * One of a pair against another persona. The mirror replaces it by the other of the pair in the same role. So only this
 * choice evens out the roles: the side with more games as crew gets the impostors.
 */
function chooseComparedSides(choice: Choice): ChosenSides {
  const { terms, balance, chance } = choice;
  const { asImpostor, asCrew } = sidesOf(choice);
  const all = listOpen(choice);
  const compared = new Set(terms.compare.flat());
  const games = (persona: number) => asImpostor(persona) + asCrew(persona);
  const one = pickLeast(
    all.filter((persona) => compared.has(persona)),
    (persona) => [games(persona), chance(LANE.impostors + persona)],
  );
  const other = pickLeast(
    all.filter((persona) => persona !== one),
    (persona) => [games(persona), balance.met.sum(persona, [one]), chance(LANE.who + persona)],
  );
  const impostor = pickLeast([one, other], (persona) => [
    asImpostor(persona) - asCrew(persona),
    chance(LANE.impostors + 512 + persona),
  ]);
  return impostor === one ? [one, other] : [other, one];
}

/** Each persona takes the free colour that it has had least; then two swap where that is fairer. */
function assignColours(
  places: readonly Omit<ScheduledSeat, 'colour'>[],
  { terms, balance, chance }: Choice,
): ScheduledTable {
  const colours = COLOURS.slice(0, terms.players);
  const order = [...places.keys()].sort(
    (one, other) => chance(LANE.colours + one) - chance(LANE.colours + other),
  );
  const taken = new Map<number, Colour>();
  for (const index of order) {
    const persona = places[index]?.persona ?? 0;
    const free = colours.filter((colour) => ![...taken.values()].includes(colour));
    const colour = pickLeast(free, (one) => [
      balance.colour.of(persona, COLOURS.indexOf(one)),
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
  const had = ({ persona }: ScheduledSeat, colour: Colour) =>
    balance.colour.of(persona, COLOURS.indexOf(colour)) ** 2;
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

/** The table with the personas exchanged: each of a pair for the other, or each for the one half the table away. */
function mirrorTable(table: ScheduledTable, { compare, seating }: ScheduleTerms): ScheduledTable {
  if (compare.length > 0) {
    return table.map((place) => {
      return { ...place, persona: findRival(compare, place.persona) ?? place.persona };
    });
  }
  if (seating === 'sides') {
    const of = (role: Role) => table.find((place) => place.role === role)?.persona ?? 0;
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

function findRival(compare: ScheduleTerms['compare'], persona: number): number | undefined {
  return compare.find((pair) => pair.includes(persona))?.find((one) => one !== persona);
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
  const meeting = 1 + Math.floor(lane / LANES);
  return drawWords({ seed, meeting, stream: 'run', tick: slot }, lane)[0];
}

/** Counts by persona and, where it matters, by the place of a colour or by another persona. */
class Counts {
  readonly #rows: number[][] = [];

  of(persona: number, what = 0): number {
    return this.#rows[persona]?.[what] ?? 0;
  }

  sum(persona: number, others: readonly number[]): number {
    return others.reduce((sum, other) => sum + this.of(persona, other), 0);
  }

  raise(persona: number, what = 0): void {
    const row = this.#rows[persona] ?? [];
    row[what] = this.of(persona, what) + 1;
    this.#rows[persona] = row;
  }
}

class Balance {
  readonly games = new Counts();
  readonly impostor = new Counts();
  readonly colour = new Counts();
  readonly met = new Counts();
  readonly partners = new Counts();

  count(table: ScheduledTable): void {
    for (const [index, { persona: one, role, colour }] of table.entries()) {
      this.games.raise(one);
      if (role === 'impostor') this.impostor.raise(one);
      this.colour.raise(one, COLOURS.indexOf(colour));
      for (const { persona: other, role: part } of table.slice(index + 1)) {
        const counts =
          role === 'impostor' && part === 'impostor' ? [this.met, this.partners] : [this.met];
        for (const each of counts) {
          each.raise(one, other);
          if (one !== other) each.raise(other, one);
        }
      }
    }
  }
}
