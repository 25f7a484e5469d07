/** The standings of a league, counted from its results. */

import { type LeaguePlan, personaNameOf } from '../../actors/league/plan.ts';
import type { ScheduledGame } from '../../actors/league/schedule.ts';
import { personaId } from '../../actors/stores/persona.ts';
import type { GameResult } from '../../actors/stores/result.ts';
import { LEVELS, type Role } from '../../machines/types.ts';
import { rankWords } from '../counts/numeric.ts';
import { evaluateFormula, FORMULAS, sumTallies } from '../counts/tally.ts';
import { describeResult } from '../counts/totals.ts';
import { rateLeague } from './ratings.ts';
import { comparePairs, describePairs, listPairs, MOST_PAIRED } from './separation.ts';
import { countRoleShares, countShare, measureMirrors } from './shares.ts';

export function countStandings(
  plan: LeaguePlan,
  fixtures: readonly ScheduledGame[],
  results: readonly GameResult[],
) {
  const { league } = plan;
  const ids = league.personas.map((member) => personaId(personaNameOf(member)));
  const decided = results.filter(({ winner }) => winner !== null);
  const games = decided.map((result) => readSides(result, fixtures));
  const toNumbers = (side: readonly NamedSeat[]) => side.map(({ id }) => ids.indexOf(id));
  const paired = games.map(({ crew, impostors, ...game }) => {
    return { ...game, crew: toNumbers(crew), impostors: toNumbers(impostors) };
  });
  const ratings = rateLeague(paired, ids.length);
  const seats = games.flatMap(({ crew, impostors }) => [...crew, ...impostors]);
  const own = ids.map((id) => oneSeatASide(seats.filter((seat) => seat.id === id)));
  const shares = countRoleShares(own);
  const rows = ids.map((id, index) => {
    const [share, rating] = [shares[index], ratings.personas[index]];
    if (!(share && rating)) throw new Error('expected figures of a persona');
    const { all, ...roles } = share;
    return { id, all, roles, rating, tallies: measurePersona(id, results) };
  });
  const ranked = rows.toSorted(
    (one, other) => other.rating.overall.value - one.rating.overall.value,
  );
  const pairs = compareStrongest(plan, ranked, games);
  const leadByName = leadOf((side, name) => Number(side.some((seat) => seat.name === name)));
  return {
    league: league.name,
    games: results.length,
    of: league.games,
    /** Games without a winner. No share or rating includes them. */
    unfinished: results.length - decided.length,
    wins: countWins(games),
    endings: rankWords(results.map(describeResult)).map(([ending, games]) => ({ ending, games })),
    /** The share of games that the impostors win between equals. */
    sides: ratings.sides,
    rows: ranked,
    comparisons: comparePairs(league.compare, games, leadByName),
    pairs,
    separation: describePairs(pairs, games.length),
    levels: compareLevels(plan, games),
    versus: countVersus(ids, games),
    colours: countColours(seats),
  };
}

function countWins(games: readonly DecidedGame[]) {
  const crew = games.map(({ pair, impostorsWon }) => ({ pair, won: !impostorsWon }));
  const impostors = games.map(({ pair, impostorsWon }) => ({ pair, won: impostorsWon }));
  const effect = measureMirrors([crew]);
  return { crew: countShare(crew, effect), impostors: countShare(impostors, effect) };
}

function compareStrongest(
  plan: LeaguePlan,
  ranked: readonly { readonly id: string }[],
  games: readonly DecidedGame[],
) {
  const name = namePersonas(plan);
  const strongest = ranked.slice(0, MOST_PAIRED).map(({ id }) => name(id));
  const lead = leadOf((side, one) => Number(side.some(({ id }) => name(id) === one)));
  return comparePairs(listPairs(strongest), games, lead);
}

/** Personas by their names alone, if these differ. */
function namePersonas({ league }: LeaguePlan): (id: string) => string {
  const names = league.personas.map(({ name }) => name);
  if (new Set(names).size < names.length) return (id) => id;
  const known = new Map(
    league.personas.map((member) => [personaId(personaNameOf(member)), member.name]),
  );
  return (id) => known.get(id) ?? id;
}

type DecidedGame = ReturnType<typeof readSides>;
type NamedSeat = DecidedGame['crew'][number];

function readSides({ slot, seats, winner }: GameResult, fixtures: readonly ScheduledGame[]) {
  const pair = fixtures[slot]?.pair ?? slot;
  const named = seats.map(({ colour, role, model, persona, won }) => {
    const id = personaId({ model, name: persona });
    return { slot, pair, colour, role, id, name: persona, won };
  });
  return {
    pair,
    impostorsWon: winner === 'impostors',
    crew: named.filter(({ role }) => role === 'crewmate'),
    impostors: named.filter(({ role }) => role === 'impostor'),
  };
}

/** A persona with several seats on one side wins or loses once. */
function oneSeatASide(seats: readonly NamedSeat[]): readonly NamedSeat[] {
  return [...new Map(seats.map((seat) => [`${seat.slot} ${seat.role}`, seat])).values()];
}

/** The share of a side that has a property: 1 or 0 for a persona, a share of seats for a level. */
const leadOf =
  (share: (side: readonly NamedSeat[], name: string) => number) =>
  ({ impostors, crew }: DecidedGame, name: string) =>
    share(impostors, name) - share(crew, name);

function compareLevels({ league }: LeaguePlan, games: readonly DecidedGame[]) {
  const level = new Map<string, string>(
    league.personas.map((member) => [personaId(personaNameOf(member)), member.level]),
  );
  const there = LEVELS.filter((one) => [...level.values()].includes(one)).toReversed();
  const pairs = listPairs(there).toReversed();
  const lead = leadOf(
    (side, name) => side.filter(({ id }) => level.get(id) === name).length / side.length,
  );
  return comparePairs(pairs, games, lead);
}

/** Wins of one against the other, in games with both on opposite sides only. */
function countVersus(ids: readonly string[], games: readonly DecidedGame[]) {
  const met = games.flatMap(({ crew, impostors }) => {
    const others = onlyThere(impostors, crew);
    return onlyThere(crew, impostors).flatMap((one) =>
      others.flatMap((other) => [
        { ...one, against: other.id },
        { ...other, against: one.id },
      ]),
    );
  });
  const won = Map.groupBy(met, ({ id, against }) => `${id}\n${against}`);
  const effect = measureMirrors([...won.values()]);
  return ids.flatMap((one) =>
    ids.flatMap((other) => {
      const list = won.get(`${one}\n${other}`);
      return list === undefined ? [] : [{ one, other, share: countShare(list, effect) }];
    }),
  );
}

/** One seat of each persona that sits on this side only. */
function onlyThere(side: readonly NamedSeat[], other: readonly NamedSeat[]): readonly NamedSeat[] {
  const there = new Set(other.map(({ id }) => id));
  return [...new Map(side.map((seat) => [seat.id, seat])).values()].filter(
    ({ id }) => !there.has(id),
  );
}

function countColours(seats: readonly NamedSeat[]) {
  const colours = [...Map.groupBy(seats, ({ colour }) => colour)];
  const effect = measureMirrors(colours.map(([, list]) => list));
  return colours.map(([colour, list]) => ({ colour, share: countShare(list, effect) }));
}

function measurePersona(id: string, results: readonly GameResult[]) {
  const own = results.flatMap(({ seats }) =>
    seats.filter(({ model, persona }) => personaId({ model, name: persona }) === id),
  );
  const measured = (role: Role) => {
    const seats = own.filter((seat) => seat.role === role);
    const counts = sumTallies(seats.map(({ tally }) => tally));
    return Object.entries(FORMULAS[role]).map(([name, formula]) => {
      const { hits: count, cases: of } = evaluateFormula(formula, counts);
      return { name, count, of, value: of === 0 ? null : count / of };
    });
  };
  return { crewmate: measured('crewmate'), impostor: measured('impostor') };
}
