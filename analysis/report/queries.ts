/** The queries behind the numbers, in SQL that SQLite and DuckDB both accept. */
import { REPORTED } from '../tables/columns.ts';
import { MEASURES, type ReportMeasure } from './measures.ts';
import type { ReportQuery } from './model.ts';

export const QUERIES_FILE = 'queries.sql';
/** The last columns of every CSV file of a report. */
export const CSV_COLUMNS = 'figure,value,least,most,unit,cases,clusters,few,id,query';
export const REPORT_START = '-- Queries of a report by glassbox';

/** Joins the parts with slashes. `players.who_id` escapes its text in the same way. */
export function nameFigure(parts: readonly (string | number)[]): string {
  return parts.map((one) => String(one).replaceAll('%', '%25').replaceAll('/', '%2F')).join('/');
}

const escapePart = (column: string) => `replace(replace(${column}, '%', '%25'), '/', '%2F')`;

/** In the order of their dependencies. */
export const VIEWS: readonly (readonly [name: string, select: string])[] = [
  [
    'players',
    `select *, ${escapePart('who')} as who_id, ${escapePart('label')} as label_id from (
  select s.*, g.seed, g.players as size, g.winner, coalesce(s.model, s.mind, 'scripted') as label,
    coalesce(s.model, s.mind, 'scripted') || '_' || coalesce(s.persona, s.seat) as who
  from seats s join games g on g.journal = s.journal
) p`,
  ],
  ['decided', 'select * from games where winner is not null'],
  [
    'sides',
    'select distinct journal, seed, size, role, who, who_id, won from players where winner is not null',
  ],
];

/** The views for DuckDB. `folder` holds the tables, relative to where the queries run. */
export function writeViews(folder: string): string {
  return [
    ...REPORTED.map((name) => [name, `select * from '${folder}/${name}.parquet'`] as const),
    ...VIEWS,
  ]
    .map(([name, select]) => `create view ${name} as ${select};`)
    .join('\n');
}

/** A ratio with its standard error. Games with the same seed are one cluster. */
function ratioQuery(items: string): string {
  return `with items as (
${items}
), clusters as (
  select id, seed, cast(sum(hits) as double) as hits, cast(sum(cases) as double) as cases from items group by id, seed having sum(cases) > 0
), totals as (
  select id, sum(hits) as hits, sum(cases) as cases, count(*) as clusters from clusters group by id
)
select t.id, t.hits / t.cases as value, t.hits, t.cases, t.clusters,
  case when t.clusters > 1 then
    sqrt(sum(power(c.hits - c.cases * t.hits / t.cases, 2)) * t.clusters / (t.clusters - 1)) / t.cases end as error
from clusters c join totals t on t.id = c.id
group by t.id, t.hits, t.cases, t.clusters
order by t.id`;
}

const countQuery = (
  items: string,
) => `select id, sum(hits) as value, sum(hits) as hits, sum(cases) as cases
from (
${items}
) i
group by id order by id`;

const INTERVAL: Readonly<Record<ReportMeasure['kind'], string | null>> = {
  share:
    'the interval is Wilson’s, with as many cases as would be worth as much if they were independent: “Intervals” below',
  mean: 'the interval is value ± error × Student’s t with clusters − 1 degrees of freedom',
  count: null,
};

export const RATED_SEATS = `select g.journal, g.seed, case when g.winner = 'impostors' then 1 else 0 end as won, p.role, p.who, p.place
from decided g join players p on p.journal = g.journal
order by g.journal, p.place`;

export const WINS = `select who, role, size, seed, case when won then 1 else 0 end as won
from sides order by who, role, size, seed, won`;

/** A count: its name, its title in the report, the amount, and the rows. */
export const COUNTED = [
  ['journals', 'journals', 'count(*)', 'games'],
  ['decided', 'games that a side has won', 'count(*)', 'decided'],
  ['seeds', 'seeds (games with one seed have the same dice)', 'count(distinct seed)', 'games'],
  ['personas', 'personas', 'count(distinct who)', 'players'],
  ['rounds', 'rounds on the ship', 'coalesce(sum(rounds), 0)', 'games'],
  ['meetings', 'meetings', 'count(*)', 'meetings'],
  [
    'messages',
    'messages at the table',
    'count(*)',
    "messages where channel = 'living' and speaker <> 'system'",
  ],
  ['ballots', 'ballots', 'count(*)', 'ballots'],
  ['requests', 'requests to models', 'count(*)', 'calls'],
] as const;

export const COUNTS = COUNTED.map(([thing, , amount, rows], index) =>
  index === 0
    ? `select 'data/${thing}' as id, ${amount} as value from ${rows}`
    : `select 'data/${thing}', ${amount} from ${rows}`,
).join('\nunion all ');

export const GAME_QUERIES: readonly ReportQuery[] = [
  {
    name: 'ratings',
    about:
      'points of skill of each persona, and the share of games between equals that the impostors win',
    afterwards: 'one logistic model is fitted to these games: “Ratings” below',
    sql: RATED_SEATS,
  },
  {
    name: 'wins',
    about:
      'decided games that each persona has won, one seat a side, over all sizes of the table and by size',
    afterwards:
      'hits of rows; the interval is Wilson’s, wider or narrower as games of one seed go together: “Intervals” below',
    sql: WINS,
  },
  {
    name: 'prediction',
    about: 'games of the last part, predicted by ratings of the first one',
    afterwards:
      'games with the first 70 % of seeds are fitted, and the others predicted: “Prediction” below',
    sql: RATED_SEATS,
  },
  {
    name: 'power',
    about: 'how well games tell personas apart',
    afterwards: 'from the intervals of the ratings that are fitted to these games: “Power” below',
    sql: RATED_SEATS,
  },
  { name: 'data', about: 'how much there is of what', afterwards: null, sql: COUNTS },
];

export const MEASURE_QUERIES = MEASURES.map(({ name, about, kind, items }): ReportQuery => {
  const sql = kind === 'count' ? countQuery(items) : ratioQuery(items);
  return { name, about, afterwards: INTERVAL[kind], sql };
});
