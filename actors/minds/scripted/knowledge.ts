/**
 * What a crewmate can work out without anybody's word: the teams of impostors that are possible by the record, by crimes
 * and visual tasks seen, and by where everybody can have been while somebody died.
 */
import { firstKillCooldown, rounds, SECONDS_PER_ROUND } from '../../../machines/rules/options.ts';
import { neighbours } from '../../../machines/rules/ship/map.ts';
import { MOST_REMEMBERED } from '../../../machines/rules/ship/sight.ts';
import type { LivingView } from '../../../machines/rules/views.ts';
import type { BySeat, Colour, Place, ShipMap, Sighting } from '../../../machines/types.ts';
import { isHallway, type PlayerMemory } from './memory.ts';

/** Players of whom at least one is an impostor. */
export type GuiltyGroup = readonly Colour[];

/** Since the last meeting: a criminal alone, or all who can have killed a victim. */
export function findGuiltyGroups(
  { you, table }: LivingView,
  known: PlayerMemory,
): readonly GuiltyGroup[] {
  const isCrime = ({ did }: Sighting) => did === 'vent' || did === 'kill';
  const seen = [...known.others, ...you.past.sightings];
  const criminals = new Set(seen.filter(isCrime).map(({ who }) => who));
  criminals.delete(known.me);
  const groups = [...criminals].map((who) => [who]);
  const { ship, seats, record } = table;
  if (ship === null || chartOf(ship.map).bits > MOST_BITS) return groups;
  // Farther kills and faster walks leave too much open.
  if (ship.options.killDistance === 'long' || ship.options.playerSpeed > 1) return groups;
  const search = new Search(table, known, ship);
  const suspects = seats.flatMap(({ colour, standing }) =>
    standing === 'dead' || colour === known.me ? [] : [colour],
  );
  for (const who of suspects) if (!search.canBeCrew(who)) groups.push([who]);
  for (const { who, how, meeting } of record.losses) {
    if (how !== 'killed' || meeting <= record.meetings.length) continue;
    const deaths = search.listDeaths(who);
    groups.push(suspects.filter((one) => search.canKill(one, deaths)));
  }
  return groups.filter((group) => group.length > 0);
}

type Reach = readonly number[];

/** A mask has no more bits. A map of one's own may have more places and vents. */
const MOST_BITS = 31;

/**
 * Places and nets of vents as bits of a mask, and for each bit what is reached a round later or earlier, or two rounds
 * later or earlier: through a vent nobody climbs out before the third round.
 */
type ReachTable = {
  readonly bits: number;
  readonly bit: (place: Place) => number;
  readonly walk: Reach;
  readonly forth: { readonly next: Reach; readonly later: Reach };
  readonly back: { readonly next: Reach; readonly later: Reach };
};

const charts = new WeakMap<ShipMap, ReachTable>();

function chartOf(map: ShipMap): ReachTable {
  const known = charts.get(map);
  if (known !== undefined) return known;
  const { places, vents } = map;
  const bits = new Map(places.map((place, index) => [place, 1 << index]));
  const bit = (place: Place) => bits.get(place) ?? 0;
  const maskOf = (list: readonly Place[]) => list.reduce((mask, place) => mask | bit(place), 0);
  const walk = places.map((place) => maskOf([place, ...neighbours(map, place)]));
  const exits = vents
    .filter(({ id, links }) => links.every((link) => id < link))
    .map(({ place, links }) =>
      maskOf([place, ...vents.flatMap((one) => (links.includes(one.id) ? [one.place] : []))]),
    );
  const nets = exits.map((_, index) => 1 << (places.length + index));
  const enter = places.map((place) =>
    exits.reduce((mask, exit, index) => mask | (exit & bit(place) ? (nets[index] ?? 0) : 0), 0),
  );
  const chart = {
    bits: places.length + nets.length,
    bit,
    walk,
    forth: {
      next: [...walk, ...exits.map((exit, index) => exit | (nets[index] ?? 0))],
      later: enter,
    },
    back: {
      next: [...walk.map((mask, index) => mask | (enter[index] ?? 0)), ...nets],
      later: [...places.map(() => 0), ...exits],
    },
  };
  charts.set(map, chart);
  return chart;
}

const ANYWHERE = -1;

function reachFrom(mask: number, reach: Reach): number {
  let found = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1)
    found |= reach[31 - Math.clz32(rest & -rest)] ?? 0;
  return found;
}

function toRound(ago: number): number {
  return Math.round(ago / SECONDS_PER_ROUND);
}

type PossibleDeath = { readonly round: number; readonly at: number };

/** Follows players round by round. Rounds count backwards from the call, and 1 is the last one. */
class Search {
  readonly #known: PlayerMemory;
  readonly #call: LivingView['table']['call'];
  readonly #chart: ReachTable;
  readonly #start: number;
  readonly #killWait: number;
  readonly #rounds: number;
  /** The player's own place at the end of each round, and whether others are seen there. */
  readonly #own: readonly number[];
  readonly #isLit: readonly boolean[];
  readonly #calledAt: number;
  readonly #sights = new Map<Colour, ReadonlyMap<number, number>>();

  constructor(
    { call, record }: LivingView['table'],
    known: PlayerMemory,
    { map, options }: NonNullable<LivingView['table']['ship']>,
  ) {
    const { path, others, bodies } = known;
    const chart = chartOf(map);
    const { bit } = chart;
    // A full memory may have lost its oldest entries.
    const isWhole = path.length + others.length + bodies.length < MOST_REMEMBERED;
    const wait = record.meetings.length === 0 ? firstKillCooldown(options) : options.killCooldown;
    this.#known = known;
    this.#call = call;
    this.#chart = chart;
    this.#calledAt = bit(call.place ?? map.button);
    this.#start = isWhole ? bit(map.button) : ANYWHERE;
    this.#killWait = isWhole ? rounds(wait) : 0;
    const oldest = Math.max(path.at(-1)?.ago ?? 0, others.at(-1)?.ago ?? 0);
    // If nobody moves in the first round that is remembered, it may be the second of two.
    const isFirst = [...path, ...others].some(
      ({ ago, did }) => ago === oldest && did === 'passing',
    );
    this.#rounds = toRound(oldest) + (isFirst ? 0 : 1);
    const stays = Array.from(
      { length: this.#rounds + 2 },
      (_, round) => path.findLast(({ ago }) => toRound(ago) <= round) ?? path[0],
    );
    this.#own = stays.map((stay) => (stay === undefined ? 0 : bit(stay.place)));
    // In the dark nobody is seen in a room.
    const lit = new Set(
      others.flatMap(({ ago, place }) => {
        const [now, before] = [stays[toRound(ago)], stays[toRound(ago) + 1]];
        return now?.place === place || now?.place === before?.place ? [toRound(ago)] : [];
      }),
    );
    this.#isLit = stays.map(
      (stay, round) => stay !== undefined && (isHallway(stay.place) || lit.has(round)),
    );
  }

  canBeCrew(who: Colour): boolean {
    return this.#start === ANYWHERE || this.#follow(who, false)[1] !== 0;
  }

  /** The rounds and places in which a victim can have been killed. */
  listDeaths(victim: Colour): readonly PossibleDeath[] {
    const { bodies, byWho } = this.#known;
    const isCalled = this.#call.body === victim;
    const found = bodies.findLast(({ who }) => who === victim);
    const looked = toRound(found?.ago ?? 0);
    const place = isCalled
      ? this.#calledAt
      : found === undefined
        ? ANYWHERE
        : this.#chart.bit(found.place);
    const seen = toRound(byWho.get(victim)?.[0]?.ago ?? Number.POSITIVE_INFINITY);
    const trail = this.#follow(victim, false);
    const deaths: PossibleDeath[] = [];
    /** Where the player would have noticed the body. */
    let watched = 0;
    const last = Math.max(looked, isCalled ? 2 : 1);
    for (let round = 1; round <= Math.min(this.#rounds - this.#killWait, seen - 1); round++) {
      // Memory keeps only the later one of two rounds.
      if (found === undefined || round > looked + 1) watched |= this.#own[round] ?? 0;
      // The player would have seen the kill itself, too.
      const isOpen = ~(watched | (this.#own[round + 1] ?? 0));
      const at = (trail[round + 1] ?? 0) & place & isOpen;
      if (round >= last && at !== 0) deaths.push({ round, at });
    }
    return deaths;
  }

  /** A killer is at the victim's place as the round of the kill begins, and still is as it ends. */
  canKill(who: Colour, deaths: readonly PossibleDeath[]): boolean {
    const past = this.#follow(who, true);
    const future = this.#trace(who);
    const seen = this.#known.byWho.get(who) ?? [];
    const isFree = (round: number) =>
      seen.every(({ ago, did }) => toRound(ago) !== round || did === 'lurking' || did === 'kill');
    return deaths.some(
      ({ round, at }) =>
        ((past[round + 1] ?? 0) & (future[round] ?? 0) & at) !== 0 && isFree(round),
    );
  }

  /** Where a player can have been at the end of each round, by what was seen until then. */
  #follow(who: Colour, canVent: boolean): readonly number[] {
    const { walk, forth } = this.#chart;
    const places: number[] = [];
    let mask = this.#start;
    let entering = 0;
    places[this.#rounds + 1] = mask;
    for (let round = this.#rounds; round >= 1; round--) {
      const { look, now, before, unseen } = this.#at(who, round);
      // Who is not seen has not left the player's place, except ahead of the player's arrival.
      const free = mask & ~unseen;
      const ahead = now === before ? 0 : reachFrom(mask & unseen, walk) & ~before;
      const all = reachFrom(free, canVent ? forth.next : walk) | ahead | entering;
      entering = canVent ? reachFrom(free, forth.later) : 0;
      mask = all & look;
      places[round] = mask;
    }
    return places;
  }

  /** Where an impostor can have been at the end of each round, by what was seen from then on. */
  #trace(who: Colour): readonly number[] {
    const { walk, back } = this.#chart;
    const places: number[] = [];
    let mask = ANYWHERE;
    let entered = 0;
    for (let round = 1; round <= this.#rounds; round++) {
      const { look, now, before, unseen } = this.#at(who, round);
      mask &= look;
      places[round] = mask;
      const ahead = now === before ? 0 : mask & reachFrom(unseen, walk) & ~before;
      const all = (reachFrom(mask, back.next) | entered) & ~unseen;
      entered = reachFrom(mask, back.later);
      mask = all | (ahead === 0 ? 0 : unseen);
    }
    return places;
  }

  /** What a round's sight of somebody, or its lack, leaves open. `unseen` is the player's place if it was lacking. */
  #at(who: Colour, round: number) {
    const now = this.#own[round] ?? 0;
    const seen = this.#sightsOf(who).get(round);
    const unseen = seen === undefined && this.#isLit[round] === true ? now : 0;
    return { look: seen ?? ~unseen, now, before: this.#own[round + 1] ?? 0, unseen };
  }

  /** The places where somebody was in each round in which they were seen. */
  #sightsOf(who: Colour): ReadonlyMap<number, number> {
    const known = this.#sights.get(who);
    if (known !== undefined) return known;
    const { bit } = this.#chart;
    const list = this.#known.byWho.get(who) ?? [];
    const seen = new Map<number, number>();
    const add = (round: number, mask: number) => seen.set(round, (seen.get(round) ?? 0) | mask);
    // A caller stood still.
    if (who === this.#call.by) for (const round of [1, 2]) seen.set(round, this.#calledAt);
    for (const [index, { ago, place, did }] of list.entries()) {
      const round = toRound(ago);
      const isMoving = did === 'passing';
      add(round, did === 'vent' ? ANYWHERE : bit(place));
      // Two who cross are seen in the hallway: one of them arrives there, and the other one has left it.
      if (isMoving && this.#own[round] === bit(place)) add(round, this.#own[round + 1] ?? 0);
      // Memory keeps the two ends of a stay.
      const newer = list[index - 1];
      if (isMoving || newer?.place !== place || newer.did !== did) continue;
      for (let one = toRound(newer.ago) + 1; one < round; one++)
        if (this.#own[one] === bit(place)) add(one, bit(place));
    }
    // Who does not move in a round was there before it. Who moves may have been seen there twice.
    for (const { ago, did, place } of list) {
      const isStill = did !== 'passing' && did !== 'vent';
      if (!seen.has(toRound(ago) + 1)) add(toRound(ago) + 1, isStill ? bit(place) : ANYWHERE);
    }
    this.#sights.set(who, seen);
    return seen;
  }
}

/** The share of the possible teams with each of the others. Empty if no team is possible. */
export function weighTeams(
  { you, table }: LivingView,
  groups: readonly GuiltyGroup[],
  innocent: ReadonlySet<Colour>,
): BySeat<number> {
  const { seats, record } = table;
  const results = record.meetings.flatMap(({ result }) => (result === null ? [] : [result]));
  const crew = new Set([
    ...innocent,
    ...record.losses.flatMap(({ who, how }) => (how === 'killed' ? [who] : [])),
    ...results.flatMap(({ ejected, role }) => (role === 'crewmate' && ejected ? [ejected] : [])),
  ]);
  const caught = [
    ...groups,
    ...results.flatMap(({ ejected, role }) => (role === 'impostor' && ejected ? [[ejected]] : [])),
  ];
  const others = seats.flatMap(({ colour }) => (colour === you.colour ? [] : [colour]));
  const living = new Set(
    seats.flatMap(({ colour, standing }) => (standing === 'living' ? [colour] : [])),
  );
  const most = record.impostors ?? Math.floor(others.length / 2);
  let teams: readonly GuiltyGroup[] = [[]];
  for (const who of others) {
    if (crew.has(who)) continue;
    teams = teams.flatMap((team) => (team.length < most ? [team, [...team, who]] : [team]));
  }
  const possible = teams.filter((team) => {
    const left = team.filter((who) => living.has(who)).length;
    const isSize = record.impostors === null ? team.length > 0 : team.length === most;
    return (
      isSize &&
      left > 0 &&
      2 * left < living.size &&
      caught.every((group) => group.some((who) => team.includes(who)))
    );
  });
  if (possible.length === 0) return {};
  return Object.fromEntries(
    others.map((who) => [
      who,
      possible.filter((team) => team.includes(who)).length / possible.length,
    ]),
  );
}
