/** The numbers of a report as named cells: query results, intervals and ratings. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { compareTexts } from '../counts/numeric.ts';
import { type LeagueRatings, type PairedGame, rateLeague } from '../league/ratings.ts';
import { countRoleShares, type RoleShares } from '../league/shares.ts';
import type { TableDatabase } from './database.ts';
import { isFew } from './games.ts';
import { boundMean, boundShare } from './ledger.ts';
import { MEASURES, type ReportMeasure } from './measures.ts';
import type { ReportCell, ReportUnit } from './model.ts';
import { COUNTS, MEASURE_QUERIES, nameFigure, RATED_SEATS, WINS } from './queries.ts';

const ratioSchema = z.object({
  id: z.string(),
  value: z.number(),
  hits: z.number(),
  cases: z.number(),
  clusters: z.number().default(0),
  error: z.number().nullable().default(null),
});
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

function readFacts(database: TableDatabase) {
  const seated = database.ask(
    personaSchema,
    'select who, label from players order by journal, place',
  );
  const personas = [...new Set(seated.map(({ who }) => who))];
  const numbers = new Map(personas.map((who, index) => [who, index]));
  const seats = Map.groupBy(database.ask(seatSchema, RATED_SEATS), ({ journal }) => journal);
  const games = [...seats.values()].flatMap((own): readonly PairedGame[] => {
    const of = (role: string) =>
      own.filter((one) => one.role === role).map(({ who }) => numbers.get(who) ?? 0);
    const [impostors, crew, [first]] = [of('impostor'), of('crewmate'), own];
    if (first === undefined || impostors.length === 0 || crew.length === 0) return [];
    return [{ impostors, crew, impostorsWon: first.won === 1, pair: first.seed }];
  });
  const sides = database
    .ask(winSchema, WINS)
    .map(({ seed, won, ...side }) => ({ ...side, pair: seed, won: won === 1 }));
  return {
    counts: new Map(database.ask(countSchema, COUNTS).map(({ id, value }) => [id, value])),
    /** In the order of their journals. */
    games,
    sides,
    /** In the order of journals and seats. */
    personas,
    labels: [...new Set(seated.map(({ label }) => label))],
  };
}

function digestOf(database: TableDatabase): string {
  const lines = database
    .ask(hashesSchema, 'select journal, living_hash, ghosts_hash from games')
    .map((one) => `${one.journal} ${one.living_hash ?? ''} ${one.ghosts_hash ?? ''}\n`);
  return hash('sha256', lines.toSorted(compareTexts).join(''), 'hex');
}

export class ReportNumbers {
  readonly facts: Readonly<ReturnType<typeof readFacts>>;
  readonly digest: string;
  readonly ratings: LeagueRatings | null;
  /** Sizes of tables, in order. */
  readonly sizes: readonly number[];
  /** The highest rating first. */
  readonly personas: readonly string[];
  readonly #ratios: ReadonlyMap<string, z.infer<typeof ratioSchema>>;
  /** By size of the table; null for all sizes together. */
  readonly #wins: ReadonlyMap<number | null, readonly RoleShares[]>;
  readonly #measures = new Map<string, ReportMeasure>(MEASURES.map((one) => [one.name, one]));

  constructor(database: TableDatabase) {
    this.facts = readFacts(database);
    this.digest = digestOf(database);
    const ratios = MEASURE_QUERIES.flatMap(({ sql }) => database.ask(ratioSchema, sql));
    this.#ratios = new Map(ratios.map((row) => [row.id, row]));
    const { games, personas, sides } = this.facts;
    this.ratings = games.length === 0 ? null : rateLeague(games, personas.length);
    this.sizes = [...new Set(sides.map(({ size }) => size))].toSorted((one, other) => one - other);
    this.#wins = new Map(
      [null, ...this.sizes].map((wanted) => {
        const listed = sides.filter(({ size }) => wanted === null || size === wanted);
        const own = Map.groupBy(listed, ({ who }) => who);
        return [wanted, countRoleShares(personas.map((who) => own.get(who) ?? []))];
      }),
    );
    const overall = (who: string) => this.rating(who, 'overall')?.value ?? 0;
    this.personas = personas.toSorted(
      (one, other) => overall(other) - overall(one) || compareTexts(one, other),
    );
  }

  list(measure: string): readonly (readonly string[])[] {
    return [...this.#ratios.keys()]
      .filter((id) => id.startsWith(`${measure}/`))
      .toSorted(compareTexts)
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
    const [least, most] =
      bounds === null ? [null, null] : [limit(bounds.least), limit(bounds.most)];
    return { ...base, value: summary.value, least, most, few: isFew(summary.clusters) };
  }

  rating(who: string, role: 'overall' | 'impostor' | 'crewmate'): ReportCell | null {
    const rating = this.ratings?.personas[this.facts.personas.indexOf(who)]?.[role];
    if (rating === undefined) return null;
    return this.cell(nameFigure(['ratings', who, role]), 'points', 'ratings', rating);
  }

  wins(
    who: string,
    role: 'all' | 'impostor' | 'crewmate',
    size: number | null = null,
  ): ReportCell | null {
    const share = this.#wins.get(size)?.[this.facts.personas.indexOf(who)]?.[role];
    if (share === undefined || share.interval === null) return null;
    const { interval, games, few } = share;
    const { share: value, least, most } = interval;
    const id = nameFigure(['wins', who, role, ...(size === null ? [] : [size])]);
    return { ...this.cell(id, 'share', 'wins', { value, least, most, few }), cases: games };
  }

  cell(
    id: string,
    unit: ReportUnit,
    query: string | null,
    {
      value,
      least = null,
      most = null,
      few = false,
    }: Pick<ReportCell, 'value'> & Partial<Pick<ReportCell, 'least' | 'most' | 'few'>>,
  ): ReportCell {
    return { id, value, least, most, unit, few, query, cases: null, clusters: null };
  }
}
