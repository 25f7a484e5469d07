/**
 * Facts: what is kept of the journals while they are read one by one, and the numbers that come of it at the end.
 *
 * Of a game a few hundred numbers stay, so that ten thousand of them fit into memory.
 */
import { createHash } from 'node:crypto';
import { type LeagueRatings, rateLeague } from '../league/ratings.ts';
import type { TableName, TableRow } from '../tables/columns.ts';
import { GameRows, numberIn, textIn } from './gameRows.ts';
import { countWins, isFew, type PersonaWins, type ReportedGame, type SideCase } from './games.ts';
import { boundMean, boundShare, byName, Ledger } from './ledger.ts';
import { MEASURES, type ReportMeasure } from './measures.ts';
import type { ReportCell, ReportData, ReportUnit } from './model.ts';
import { nameFigure } from './queries.ts';

/** Rows of one journal, by table. */
export type JournalRows = ReadonlyMap<TableName, readonly TableRow[]>;

export const COUNTED = [
  'journals',
  'decided',
  'seeds',
  'personas',
  'rounds',
  'meetings',
  'messages',
  'ballots',
  'requests',
] as const;
export type CountedThing = (typeof COUNTED)[number];

export class ReportFacts {
  readonly ledger = new Ledger();
  readonly games: ReportedGame[] = [];
  readonly sides: SideCase[] = [];
  readonly labels = new Set<string>();
  readonly counts: Record<CountedThing, number> = {
    journals: 0,
    decided: 0,
    seeds: 0,
    personas: 0,
    rounds: 0,
    meetings: 0,
    messages: 0,
    ballots: 0,
    requests: 0,
  };
  readonly #personas = new Map<string, number>();
  readonly #seeds = new Set<number>();
  readonly #hashes: string[] = [];

  /** Personas in the order in which they were first seen. */
  get personas(): readonly string[] {
    return [...this.#personas.keys()];
  }

  /** SHA-256 of the names and last hashes of all journals. */
  get digest(): string {
    return createHash('sha256').update(this.#hashes.toSorted(byName).join('')).digest('hex');
  }

  add(rows: JournalRows): void {
    const game = new GameRows(rows);
    for (const measure of MEASURES) this.#count(measure, game);
    for (const { who, label } of game.seats) {
      this.labels.add(label);
      if (!this.#personas.has(who)) this.#personas.set(who, this.#personas.size);
    }
    this.#seeds.add(game.seed);
    this.#addCounts(game);
    if (game.winner !== null) this.#addGame(game);
  }

  #count({ name, count }: ReportMeasure, game: GameRows): void {
    count(game, (parts, hits, cases) =>
      this.ledger.add(nameFigure([name, ...parts]), game.seed, hits, cases),
    );
  }

  #addCounts(game: GameRows): void {
    const [row = {}] = game.of('games');
    const hashes = ['journal', 'living_hash', 'ghosts_hash'].map((one) => textIn(row, one) ?? '');
    this.#hashes.push(`${hashes.join(' ')}\n`);
    const { counts } = this;
    counts.journals += 1;
    counts.decided += game.winner === null ? 0 : 1;
    counts.seeds = this.#seeds.size;
    counts.personas = this.#personas.size;
    counts.rounds += numberIn(row, 'rounds') ?? 0;
    counts.meetings += game.meetings.length;
    counts.messages += game
      .of('messages')
      .filter(
        (one) => textIn(one, 'channel') === 'living' && textIn(one, 'speaker') !== 'system',
      ).length;
    counts.ballots += game.of('ballots').length;
    counts.requests += game.of('calls').length;
  }

  #addGame({ seats, seed, size, winner }: GameRows): void {
    const of = (role: string) =>
      seats.filter((one) => one.role === role).map(({ who }) => this.#personas.get(who) ?? 0);
    const [impostors, crew] = [of('impostor'), of('crewmate')];
    const impostorsWon = winner === 'impostors';
    // Ratings need both sides.
    if (impostors.length > 0 && crew.length > 0)
      this.games.push({ impostors, crew, impostorsWon, pair: seed });
    const sides = new Map(seats.map((one) => [`${one.role} ${one.who}`, one]));
    for (const { who, role, won } of sides.values())
      this.sides.push({ who, role, size, pair: seed, won: won === true });
  }
}

/** The numbers of a report, each as a cell with its name. */
export class ReportNumbers {
  readonly facts: ReportFacts;
  readonly ratings: LeagueRatings | null;
  readonly #wins: ReadonlyMap<string, PersonaWins>;
  readonly #winsBySize: ReadonlyMap<number, ReadonlyMap<string, PersonaWins>>;
  readonly #measures = new Map<string, ReportMeasure>(MEASURES.map((one) => [one.name, one]));

  constructor(facts: ReportFacts) {
    this.facts = facts;
    const { games, personas, sides } = facts;
    this.ratings = games.length === 0 ? null : rateLeague(games, personas.length);
    this.#wins = countWins(sides, personas);
    this.#winsBySize = new Map(
      [...Map.groupBy(sides, ({ size }) => size)]
        .toSorted(([one], [other]) => one - other)
        .map(([size, own]) => [size, countWins(own, personas)]),
    );
  }

  /** Personas, the highest rating first. */
  get personas(): readonly string[] {
    const { personas } = this.facts;
    const overall = new Map(
      personas.map((who, index) => [who, this.ratings?.personas[index]?.overall.value ?? 0]),
    );
    return personas.toSorted(
      (one, other) => (overall.get(other) ?? 0) - (overall.get(one) ?? 0) || byName(one, other),
    );
  }

  /** The parts of all figures of a measure, without its name, in the order of their names. */
  list(measure: string): readonly (readonly string[])[] {
    return this.facts.ledger.list(`${measure}/`).map((id) =>
      id
        .split('/')
        .slice(1)
        .map((part) => part.replaceAll('%2F', '/').replaceAll('%25', '%')),
    );
  }

  /** A figure of a measure; null where nothing was counted for it. */
  of(name: string, ...parts: readonly (string | number)[]): ReportCell | null {
    const measure = this.#measures.get(name);
    const id = nameFigure([name, ...parts]);
    const summary = this.facts.ledger.summarise(id);
    if (measure === undefined || summary.value === null) return null;
    const { kind, unit } = measure;
    const base = { id, unit, cases: summary.cases, clusters: summary.clusters, query: name };
    if (kind === 'count')
      return { ...base, value: summary.hits, least: null, most: null, few: false };
    const bounds = kind === 'share' ? boundShare(summary) : boundMean(summary);
    const isBound = unit === 'odds' || unit === 'score';
    const limit = (end: number) => (isBound ? Math.min(1, Math.max(0, end)) : end);
    return {
      ...base,
      value: summary.value,
      least: bounds === null ? null : limit(bounds.least),
      most: bounds === null ? null : limit(bounds.most),
      few: isFew(summary.clusters),
    };
  }

  rating(who: string, role: 'overall' | 'impostor' | 'crewmate'): ReportCell | null {
    const index = this.facts.personas.indexOf(who);
    const rating = this.ratings?.personas[index]?.[role];
    if (rating === undefined) return null;
    return this.cell(nameFigure(['ratings', who, role]), 'points', 'ratings', rating);
  }

  /** Players at the tables of decided games. */
  get sizes(): readonly number[] {
    return [...this.#winsBySize.keys()];
  }

  /** Decided games won: at all tables, or at those of so many players. */
  wins(
    who: string,
    role: 'all' | 'impostor' | 'crewmate',
    size: number | null = null,
  ): ReportCell | null {
    const wins = size === null ? this.#wins : this.#winsBySize.get(size);
    const share = wins?.get(who)?.[role];
    if (share === undefined || share.interval === null) return null;
    const { interval, games, few } = share;
    const { share: value, least, most } = interval;
    const cell = this.cell(
      nameFigure(['wins', who, role, ...(size === null ? [] : [size])]),
      'share',
      'wins',
      {
        value,
        least,
        most,
        few,
      },
    );
    return { ...cell, cases: games };
  }

  /** A number that is worked out from all games together. */
  cell(
    id: string,
    unit: ReportUnit,
    query: string | null,
    { value, least = null, most = null, few = false }: CellFigures,
  ): ReportCell {
    return { id, value, least, most, unit, few, query, cases: null, clusters: null };
  }

  describeData(engine: string): ReportData {
    return { engine, journals: this.facts.counts.journals, digest: this.facts.digest };
  }
}

type CellFigures = {
  readonly value: number | null;
  readonly least?: number | null;
  readonly most?: number | null;
  readonly few?: boolean;
};
