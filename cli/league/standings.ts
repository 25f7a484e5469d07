/** Standings: everything that is said about a league, counted from its results and nothing else. */
import { type Plan, personaOf } from '../../actors/league/plan.ts';
import {
  type ComparedSeat,
  type Comparison,
  compared,
} from '../../actors/league/ratings/comparison.ts';
import {
  type PersonaRating,
  type Ratings,
  ratingsOf,
} from '../../actors/league/ratings/ratings.ts';
import type { Fixture } from '../../actors/league/schedule.ts';
import { personaId } from '../../actors/stores/persona.ts';
import type { GameResult } from '../../actors/stores/result.ts';
import { type Interval, wilsonInterval } from '../../analysis/statistics.ts';
import { LEVELS, ROLES, type Role } from '../../machines/types.ts';
import { type Tallies, talliesOf } from './tallies.ts';

/** Below this a share may be anything: its interval is wider than seventeen points on either side. */
export const FEW_GAMES = 30;

export type Share = {
  readonly games: number;
  readonly wins: number;
  readonly interval: Interval | null;
  /** There are so few games that it says little. */
  readonly few: boolean;
};

export type Row = {
  readonly id: string;
  readonly all: Share;
  readonly roles: Readonly<Record<Role, Share>>;
  readonly rating: PersonaRating;
  readonly tallies: Tallies;
};

/** Two that were held against each other, by name. */
export type Against = { readonly one: string; readonly other: string; readonly result: Comparison };

export type Standings = {
  readonly league: string;
  readonly games: number;
  readonly of: number;
  readonly wins: Readonly<Record<'crew' | 'impostors', Share>>;
  readonly endings: readonly { readonly ending: string; readonly games: number }[];
  /** What the rules give to the impostors, as a share of games between equals. */
  readonly sides: Ratings['sides'];
  /** The strongest first. */
  readonly rows: readonly Row[];
  readonly comparisons: readonly Against[];
  readonly levels: readonly Against[];
  /** Wins of the row against the column, of the games in which they were on different sides. */
  readonly versus: readonly {
    readonly one: string;
    readonly other: string;
    readonly share: Share;
  }[];
  /** Wins by colour: where the seats are fair, none stands out. */
  readonly colours: readonly { readonly colour: string; readonly share: Share }[];
};

export function standingsOf(
  plan: Plan,
  fixtures: readonly Fixture[],
  results: readonly GameResult[],
): Standings {
  const { league } = plan;
  const ids = league.personas.map((member) => personaId(personaOf(member)));
  const decided = results.filter(({ winner }) => winner !== null);
  const ratings = ratingsOf(
    decided.map((result) => ratedGame(result, ids, fixtures)),
    ids.length,
    league.seed,
  );
  const seats = results.flatMap((result) => seatsOf(result, fixtures));
  const rows = ids.map((id, index) => rowOf(id, ratings.personas[index], seats, results));
  return {
    league: league.name,
    games: results.length,
    of: league.games,
    wins: {
      crew: shareOf(decided.map(({ winner }) => winner === 'crew')),
      impostors: shareOf(decided.map(({ winner }) => winner === 'impostors')),
    },
    endings: endingsOf(results),
    sides: ratings.sides,
    rows: rows.toSorted((one, other) => other.rating.overall.value - one.rating.overall.value),
    comparisons: league.compare.flatMap(([one, other]) => {
      const side = (name: string) => (seat: NamedSeat) => seat.name === name;
      return against({ one, other, seats, seed: league.seed }, side);
    }),
    levels: levelsOf(plan, seats),
    versus: versusOf(ids, results),
    colours: coloursOf(seats),
  };
}

type NamedSeat = Omit<ComparedSeat, 'side'> & {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
};

function ratedGame(
  { slot, seats, winner }: GameResult,
  ids: readonly string[],
  fixtures: readonly Fixture[],
) {
  const of = (role: Role) =>
    seats
      .filter((seat) => seat.role === role)
      .map(({ model, persona }) => ids.indexOf(personaId({ model, name: persona })));
  return {
    impostors: of('impostor'),
    crew: of('crewmate'),
    impostorsWon: winner === 'impostors',
    pair: fixtures[slot]?.pair ?? slot,
  };
}

function seatsOf({ slot, seats }: GameResult, fixtures: readonly Fixture[]): readonly NamedSeat[] {
  const pair = fixtures[slot]?.pair ?? slot;
  return seats.map(({ colour, role, model, persona, won }) => {
    const id = personaId({ model, name: persona });
    return { pair, slot, colour, role, id, name: persona, won };
  });
}

function rowOf(
  id: string,
  rating: PersonaRating | undefined,
  seats: readonly NamedSeat[],
  results: readonly GameResult[],
): Row {
  const own = sidesOf(seats.filter((seat) => seat.id === id));
  const wonAs = (role: Role) => own.filter((seat) => seat.role === role).map(({ won }) => won);
  if (rating === undefined) throw new Error(`expected a rating of ${id}`);
  return {
    id,
    all: shareOf(own.map(({ won }) => won)),
    roles: { crewmate: shareOf(wonAs('crewmate')), impostor: shareOf(wonAs('impostor')) },
    rating,
    tallies: talliesOf(id, results),
  };
}

/** Who has several seats on one side of a game has won or lost once. */
function sidesOf(seats: readonly NamedSeat[]): readonly NamedSeat[] {
  return [...new Map(seats.map((seat) => [`${seat.slot} ${seat.role}`, seat])).values()];
}

function shareOf(won: readonly boolean[]): Share {
  const wins = won.filter(Boolean).length;
  const games = won.length;
  return { games, wins, interval: wilsonInterval(wins, games), few: games < FEW_GAMES };
}

function endingsOf(results: readonly GameResult[]): Standings['endings'] {
  const endings = Map.groupBy(results, ({ winner, reason }) =>
    winner === null ? reason : `${winner} ${reason}`,
  );
  return [...endings]
    .map(([ending, { length: games }]) => ({ ending, games }))
    .toSorted((one, other) => other.games - one.games || (one.ending < other.ending ? -1 : 1));
}

type Question = {
  readonly one: string;
  readonly other: string;
  readonly seats: readonly NamedSeat[];
  readonly seed: number;
};

function against(
  { one, other, seats, seed }: Question,
  side: (name: string) => (seat: NamedSeat) => boolean,
): readonly Against[] {
  const [isOne, isOther] = [side(one), side(other)];
  const result = compared(
    seats.map((seat) => ({ ...seat, side: isOne(seat) ? 0 : isOther(seat) ? 1 : null })),
    seed,
  );
  return result === null ? [] : [{ one, other, result }];
}

/** How much strategy pays: each two levels that somebody in the league has. */
function levelsOf({ league }: Plan, seats: readonly NamedSeat[]): readonly Against[] {
  const level = new Map(
    league.personas.map((member) => [personaId(personaOf(member)), member.level]),
  );
  const there = LEVELS.filter((one) => [...level.values()].includes(one));
  return there.flatMap((one, index) =>
    there.slice(0, index).flatMap((other) => {
      const side = (name: string) => (seat: NamedSeat) => level.get(seat.id) === name;
      return against({ one, other, seats, seed: league.seed }, side);
    }),
  );
}

function versusOf(ids: readonly string[], results: readonly GameResult[]): Standings['versus'] {
  const won = new Map<string, boolean[]>();
  for (const { seats } of results) {
    const sides = ROLES.map((role) =>
      seats.filter((seat) => seat.role === role).map((seat) => ({ ...seat, id: idOf(seat) })),
    );
    const [crew = [], impostors = []] = sides;
    const pairs = new Map(
      crew.flatMap((one) => impostors.map((other) => [`${one.id}\n${other.id}`, { one, other }])),
    );
    for (const { one, other } of pairs.values()) {
      for (const [winner, loser] of [
        [one, other],
        [other, one],
      ] as const) {
        const key = `${winner.id}\n${loser.id}`;
        won.set(key, [...(won.get(key) ?? []), winner.won]);
      }
    }
  }
  return ids.flatMap((one) =>
    ids.flatMap((other) => {
      const list = won.get(`${one}\n${other}`);
      return list === undefined || one === other ? [] : [{ one, other, share: shareOf(list) }];
    }),
  );
}

function idOf({ model, persona }: GameResult['seats'][number]): string {
  return personaId({ model, name: persona });
}

function coloursOf(seats: readonly NamedSeat[]): Standings['colours'] {
  return [...Map.groupBy(seats, ({ colour }) => colour)].map(([colour, list]) => ({
    colour,
    share: shareOf(list.map(({ won }) => won)),
  }));
}
