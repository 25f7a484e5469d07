/** The numbers of a report as named cells: query results, intervals and ratings. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type LeagueRatings, type PairedGame, rateLeague } from '../league/ratings.ts';
import type { TableDatabase } from './database.ts';
import { countWins, isFew, type PersonaWins, type SideCase } from './games.ts';
import { boundMean, boundShare, byName } from './ledger.ts';
import { MEASURES, type ReportMeasure } from './measures.ts';
import type { ReportCell, ReportUnit } from './model.ts';
import { COUNTS, MEASURE_QUERIES, nameFigure, RATED_SEATS, WINS } from './queries.ts';

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

const ratioSchema = z.object({
  id: z.string(),
  value: z.number(),
  hits: z.number(),
  cases: z.number(),
  clusters: z.number().default(0),
  error: z.number().nullable().default(null),
});
type Ratio = z.infer<typeof ratioSchema>;
const countSchema = z.object({ id: z.string(), value: z.number() });
const personaSchema = z.object({ who: z.string(), label: z.string() });
const hashesSchema = z.object({
  journal: z.string(),
  living_hash: z.string().nullable(),
  ghosts_hash: z.string().nullable(),
});
const seatSchema = z.object({
  journal: z.string(),
  seed: z.number(),
  won: z.number(),
  role: z.string(),
  who: z.string(),
});
const winSchema = z.object({
  who: z.string(),
  role: z.string(),
  size: z.number(),
  seed: z.number(),
  won: z.number(),
});

type ReportFacts = {
  readonly counts: ReadonlyMap<string, number>;
  /** In the order of their journals. */
  readonly games: readonly PairedGame[];
  readonly sides: readonly SideCase[];
  /** In the order of journals and seats. */
  readonly personas: readonly string[];
  readonly labels: readonly string[];
};

function readFacts(database: TableDatabase): ReportFacts {
  const seated = z
    .array(personaSchema)
    .parse(database.ask('select who, label from players order by journal, place'));
  const personas = [...new Set(seated.map(({ who }) => who))];
  const numbers = new Map(personas.map((who, index) => [who, index]));
  const seats = z.array(seatSchema).parse(database.ask(RATED_SEATS));
  const games = [...Map.groupBy(seats, ({ journal }) => journal).values()].flatMap((own) => {
    const of = (role: string) =>
      own.filter((one) => one.role === role).map(({ who }) => numbers.get(who) ?? 0);
    const [impostors, crew, [first]] = [of('impostor'), of('crewmate'), own];
    if (first === undefined || impostors.length === 0 || crew.length === 0) return [];
    return [{ impostors, crew, impostorsWon: first.won === 1, pair: first.seed }];
  });
  const sides = z
    .array(winSchema)
    .parse(database.ask(WINS))
    .map(({ seed, won, ...side }) => ({ ...side, pair: seed, won: won === 1 }));
  const counts = z.array(countSchema).parse(database.ask(COUNTS));
  return {
    counts: new Map(counts.map(({ id, value }) => [id, value])),
    games,
    sides,
    personas,
    labels: [...new Set(seated.map(({ label }) => label))],
  };
}

function readRatios(database: TableDatabase): ReadonlyMap<string, Ratio> {
  const rows = MEASURE_QUERIES.flatMap(({ sql }) => database.ask(sql));
  return new Map(
    z
      .array(ratioSchema)
      .parse(rows)
      .map((row) => [row.id, row]),
  );
}

function digestOf(database: TableDatabase): string {
  const rows = database.ask('select journal, living_hash, ghosts_hash from games');
  const lines = z
    .array(hashesSchema)
    .parse(rows)
    .map((one) => `${one.journal} ${one.living_hash ?? ''} ${one.ghosts_hash ?? ''}\n`);
  return createHash('sha256').update(lines.toSorted(byName).join('')).digest('hex');
}

export class ReportNumbers {
  readonly facts: ReportFacts;
  readonly digest: string;
  readonly #ratios: ReadonlyMap<string, Ratio>;
  readonly ratings: LeagueRatings | null;
  readonly #wins: ReadonlyMap<string, PersonaWins>;
  readonly #winsBySize: ReadonlyMap<number, ReadonlyMap<string, PersonaWins>>;
  readonly #measures = new Map<string, ReportMeasure>(MEASURES.map((one) => [one.name, one]));

  constructor(database: TableDatabase) {
    this.facts = readFacts(database);
    this.digest = digestOf(database);
    this.#ratios = readRatios(database);
    const { games, personas, sides } = this.facts;
    this.ratings = games.length === 0 ? null : rateLeague(games, personas.length);
    this.#wins = countWins(sides, personas);
    this.#winsBySize = new Map(
      [...Map.groupBy(sides, ({ size }) => size)]
        .toSorted(([one], [other]) => one - other)
        .map(([size, own]) => [size, countWins(own, personas)]),
    );
  }

  get personas(): readonly string[] {
    const { personas } = this.facts;
    const overall = new Map(
      personas.map((who, index) => [who, this.ratings?.personas[index]?.overall.value ?? 0]),
    );
    return personas.toSorted(
      (one, other) => (overall.get(other) ?? 0) - (overall.get(one) ?? 0) || byName(one, other),
    );
  }

  /** The groups of a measure, in the order of their names. */
  list(measure: string): readonly (readonly string[])[] {
    return [...this.#ratios.keys()]
      .filter((id) => id.startsWith(`${measure}/`))
      .toSorted(byName)
      .map((id) =>
        id
          .split('/')
          .slice(1)
          .map((part) => part.replaceAll('%2F', '/').replaceAll('%25', '%')),
      );
  }

  /** Null if nothing was counted. */
  of(name: string, ...parts: readonly (string | number)[]): ReportCell | null {
    const measure = this.#measures.get(name);
    const id = nameFigure([name, ...parts]);
    const summary = this.#ratios.get(id);
    if (measure === undefined || summary === undefined) return null;
    const { kind, unit } = measure;
    const base = { id, unit, cases: summary.cases, clusters: summary.clusters, query: name };
    if (kind === 'count')
      return { ...base, clusters: null, value: summary.value, least: null, most: null, few: false };
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

  get sizes(): readonly number[] {
    return [...this.#winsBySize.keys()];
  }

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
      { value, least, most, few },
    );
    return { ...cell, cases: games };
  }

  cell(
    id: string,
    unit: ReportUnit,
    query: string | null,
    { value, least = null, most = null, few = false }: CellFigures,
  ): ReportCell {
    return { id, value, least, most, unit, few, query, cases: null, clusters: null };
  }
}

type CellFigures = {
  readonly value: number | null;
  readonly least?: number | null;
  readonly most?: number | null;
  readonly few?: boolean;
};
