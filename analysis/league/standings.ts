/** The standings of a league, counted from its results and nothing else. */

import { type LeaguePlan, personaNameOf } from '../../actors/league/plan.ts';
import type { ScheduledGame } from '../../actors/league/schedule.ts';
import { personaId } from '../../actors/stores/persona.ts';
import { addCounters, type Counters, type GameResult } from '../../actors/stores/result.ts';
import { LEVELS, ROLES, type Role } from '../../machines/types.ts';
import { wilsonInterval } from '../statistics.ts';
import { type ComparedSeat, compareSides, rateLeague } from './ratings.ts';
import type {
  ComparedPair,
  Measure,
  PersonaRating,
  RoleMeasures,
  Standings,
  StandingsRow,
  WinShare,
} from './types.ts';

/** Below this a share may be anything: its interval is wider than seventeen points on either side. */
export const FEW_GAMES = 30;

export function countStandings(
  plan: LeaguePlan,
  fixtures: readonly ScheduledGame[],
  results: readonly GameResult[],
): Standings {
  const { league } = plan;
  const ids = league.personas.map((member) => personaId(personaNameOf(member)));
  const decided = results.filter(({ winner }) => winner !== null);
  const ratings = rateLeague(
    decided.map((result) => toRatedGame(result, ids, fixtures)),
    ids.length,
    league.seed,
  );
  const seats = decided.flatMap((result) => readSeats(result, fixtures));
  const rows = ids.map((id, index) => countRow(id, ratings.personas[index], seats, results));
  return {
    league: league.name,
    games: results.length,
    of: league.games,
    unfinished: results.length - decided.length,
    wins: {
      crew: countShare(decided.map(({ winner }) => winner === 'crew')),
      impostors: countShare(decided.map(({ winner }) => winner === 'impostors')),
    },
    endings: countEndings(results),
    sides: ratings.sides,
    rows: rows.toSorted((one, other) => other.rating.overall.value - one.rating.overall.value),
    comparisons: league.compare.flatMap(([one, other]) => {
      const side = (name: string) => (seat: NamedSeat) => seat.name === name;
      return comparePair({ one, other, seats, seed: league.seed }, side);
    }),
    levels: compareLevels(plan, seats),
    versus: countVersus(ids, decided),
    colours: countColours(seats),
  };
}

type NamedSeat = Omit<ComparedSeat, 'side'> & {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
};

function toRatedGame(
  { slot, seats, winner }: GameResult,
  ids: readonly string[],
  fixtures: readonly ScheduledGame[],
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

function readSeats(
  { slot, seats }: GameResult,
  fixtures: readonly ScheduledGame[],
): readonly NamedSeat[] {
  const pair = fixtures[slot]?.pair ?? slot;
  return seats.map(({ colour, role, model, persona, won }) => {
    const id = personaId({ model, name: persona });
    return { pair, slot, colour, role, id, name: persona, won };
  });
}

function countRow(
  id: string,
  rating: PersonaRating | undefined,
  seats: readonly NamedSeat[],
  results: readonly GameResult[],
): StandingsRow {
  const own = oneSeatASide(seats.filter((seat) => seat.id === id));
  const wonAs = (role: Role) => own.filter((seat) => seat.role === role).map(({ won }) => won);
  if (rating === undefined) throw new Error(`expected a rating of ${id}`);
  return {
    id,
    all: countShare(own.map(({ won }) => won)),
    roles: { crewmate: countShare(wonAs('crewmate')), impostor: countShare(wonAs('impostor')) },
    rating,
    tallies: measurePersona(id, results),
  };
}

/** A persona with several seats on one side of a game has won or lost once. */
function oneSeatASide(seats: readonly NamedSeat[]): readonly NamedSeat[] {
  return [...new Map(seats.map((seat) => [`${seat.slot} ${seat.role}`, seat])).values()];
}

function countShare(won: readonly boolean[]): WinShare {
  const wins = won.filter(Boolean).length;
  const games = won.length;
  return { games, wins, interval: wilsonInterval(wins, games), few: games < FEW_GAMES };
}

function countEndings(results: readonly GameResult[]): Standings['endings'] {
  const endings = Map.groupBy(results, ({ winner, reason }) =>
    winner === null ? reason : `${winner} ${reason}`,
  );
  return [...endings]
    .map(([ending, { length: games }]) => ({ ending, games }))
    .toSorted((one, other) => other.games - one.games || (one.ending < other.ending ? -1 : 1));
}

type ComparisonTerms = {
  readonly one: string;
  readonly other: string;
  readonly seats: readonly NamedSeat[];
  readonly seed: number;
};

function comparePair(
  { one, other, seats, seed }: ComparisonTerms,
  side: (name: string) => (seat: NamedSeat) => boolean,
): readonly ComparedPair[] {
  const [isOne, isOther] = [side(one), side(other)];
  const result = compareSides(
    seats.map((seat) => ({ ...seat, side: isOne(seat) ? 0 : isOther(seat) ? 1 : null })),
    seed,
  );
  return result === null ? [] : [{ one, other, result }];
}

/** How much strategy pays: each two levels that somebody in the league has. */
function compareLevels(
  { league }: LeaguePlan,
  seats: readonly NamedSeat[],
): readonly ComparedPair[] {
  const level = new Map(
    league.personas.map((member) => [personaId(personaNameOf(member)), member.level]),
  );
  const there = LEVELS.filter((one) => [...level.values()].includes(one));
  return there.flatMap((one, index) =>
    there.slice(0, index).flatMap((other) => {
      const side = (name: string) => (seat: NamedSeat) => level.get(seat.id) === name;
      return comparePair({ one, other, seats, seed: league.seed }, side);
    }),
  );
}

function countVersus(ids: readonly string[], results: readonly GameResult[]): Standings['versus'] {
  const won = new Map<string, boolean[]>();
  for (const { seats } of results) {
    const sides = ROLES.map((role) =>
      seats
        .filter((seat) => seat.role === role)
        .map((seat) => ({ ...seat, id: seatPersonaId(seat) })),
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
      return list === undefined || one === other ? [] : [{ one, other, share: countShare(list) }];
    }),
  );
}

function seatPersonaId({ model, persona }: GameResult['seats'][number]): string {
  return personaId({ model, name: persona });
}

function countColours(seats: readonly NamedSeat[]): Standings['colours'] {
  return [...Map.groupBy(seats, ({ colour }) => colour)].map(([colour, list]) => ({
    colour,
    share: countShare(list.map(({ won }) => won)),
  }));
}

/** What is measured: the counts above the line and those below it. */
type Formula = readonly [name: string, over: readonly string[], under: readonly string[]];

const BALLOTS = ['votes_impostor', 'votes_crewmate', 'votes_skip'];

const COMMON: readonly Formula[] = [
  ['survival', ['survived'], ['games']],
  ['speaking_share', ['messages'], ['heard']],
  ['meetings_unheard', ['unheard'], ['meetings']],
  ['mean_bid', ['desire'], ['bids']],
  ['message_characters', ['characters'], ['spoken']],
  ['first_vote_tick', ['ballot_ticks'], ['ballots']],
  ['skip_share', ['votes_skip'], BALLOTS],
  ['bandwagon_share', ['bandwagon'], ['ballots']],
  ['votes_received_per_meeting', ['accused_by'], ['meetings']],
  ['persuasion', ['followed'], ['later_ballots']],
  ['false_claims', ['claims_false'], ['claims_false', 'claims_true']],
  ['ejected', ['ejected'], ['games']],
  ['ejected_after_a_lie', ['lied_and_ejected'], ['lied']],
  ['faults_per_game', ['faults'], ['games']],
  ['mended_replies', ['repairs'], ['replies']],
  ['refused_orders_per_game', ['refused'], ['games']],
  ['invalid_votes_per_game', ['votes_invalid'], ['games']],
  ['leaks_per_game', ['leaks'], ['games']],
  ['requests_per_game', ['requests'], ['games']],
  ['failed_requests', ['requests_failed'], ['requests']],
  ['tokens_per_game', ['prompt_tokens', 'completion_tokens'], ['games']],
  ['microdollars_per_game', ['microdollars'], ['games']],
];

const OWN: Readonly<Record<Role, readonly Formula[]>> = {
  crewmate: [
    ['vote_accuracy', ['votes_impostor'], ['votes_impostor', 'votes_crewmate']],
    ['tasks_per_game', ['tasks_done'], ['games']],
  ],
  impostor: [
    ['bus_rate', ['votes_impostor'], ['votes_impostor', 'votes_crewmate']],
    ['kills_per_game', ['kills'], ['games']],
  ],
};

function measurePersona(id: string, results: readonly GameResult[]): RoleMeasures {
  const own = results.flatMap(({ seats }) =>
    seats.filter(({ model, persona }) => personaId({ model, name: persona }) === id),
  );
  const measured = (role: Role) => {
    const seats = own.filter((seat) => seat.role === role);
    const counts = seats.reduce<Counters>((total, { tally }) => addCounters(total, tally), {
      games: seats.length,
    });
    return [...OWN[role], ...COMMON].map((formula) => measure(formula, counts));
  };
  const [crewmate, impostor] = ROLES.map(measured);
  return { crewmate: crewmate ?? [], impostor: impostor ?? [] };
}

function measure([name, over, under]: Formula, counts: Counters): Measure {
  const total = (names: readonly string[]) =>
    names.reduce((all, one) => all + (counts[one] ?? 0), 0);
  const [count, of] = [total(over), total(under)];
  return { name, count, of, value: of === 0 ? null : count / of };
}
