/** Queries: the SQL (DuckDB) that gives each number from the tables, or the rows that it is worked out from. */
import { TABLE_NAMES } from '../tables/columns.ts';
import { MEASURES, type ReportMeasure } from './measures.ts';
import type { ReportQuery } from './model.ts';

/** The name of a figure: its parts, kept apart by slashes that are in none of them. `part` in SQL is the same. */
export function nameFigure(parts: readonly (string | number)[]): string {
  return parts.map((one) => String(one).replaceAll('%', '%25').replaceAll('/', '%2F')).join('/');
}

/** Views over the tables in a folder; `folder` is where they lie as seen from where the query is run. */
export function writeViews(folder: string): string {
  const tables = TABLE_NAMES.map((name) => {
    const path = `'${folder}/${name}.parquet'`;
    // The order of the journals decides which games are predicted from which.
    const from = name === 'games' ? `read_parquet(${path}, file_row_number = true)` : path;
    return `create or replace view ${name} as from ${from};`;
  });
  return [...tables, ...VIEWS].join('\n');
}

const VIEWS: readonly string[] = [
  `create or replace macro part(x) as replace(replace(x, '%', '%25'), '/', '%2F');`,
  `create or replace macro was_alive(fate, fate_round, fate_meeting, meeting, round) as
  fate = 'alive' or case when fate_meeting is not null then fate_meeting >= meeting else coalesce(fate_round >= round, false) end;`,
  `create or replace view players as
  select s.*, g.seed, g.players as size, g.winner, coalesce(s.model, s.mind, 'scripted') as label,
    coalesce(s.model, s.mind, 'scripted') || '_' || coalesce(s.persona, s.seat) as who
  from seats s join games g using (journal);`,
  `create or replace view decided as from games where winner is not null;`,
  `create or replace view sides as
  select distinct journal, seed, size, role, who, won from players where winner is not null;`,
];

/** A ratio with its standard error, games of one seed as one cluster. */
function ratioQuery(items: string): string {
  return `with items as (
${items}
), clusters as (
  select id, seed, sum(hits)::double as hits, sum(cases)::double as cases from items group by id, seed having sum(cases) > 0
), totals as (
  select id, sum(hits) as hits, sum(cases) as cases, count(*) as clusters from clusters group by id
)
select t.id, t.hits / t.cases as value, t.cases, t.clusters,
  case when t.clusters > 1 then
    sqrt(sum(power(c.hits - c.cases * t.hits / t.cases, 2)) * t.clusters / (t.clusters - 1)) / t.cases end as error
from clusters c join totals t using (id)
group by t.id, t.hits, t.cases, t.clusters
order by t.id`;
}

const countQuery = (items: string) => `select id, sum(hits) as value, sum(cases) as cases
from (
${items}
)
group by id order by id`;

const INTERVAL: Readonly<Record<ReportMeasure['kind'], string | null>> = {
  share:
    'the interval is Wilson’s, with as many cases as would be worth as much if they were independent: “Intervals” below',
  mean: 'the interval is value ± error × Student’s t with clusters − 1 degrees of freedom',
  count: null,
};

function queryOf({ name, about, kind, items }: ReportMeasure): ReportQuery {
  const sql = kind === 'count' ? countQuery(items) : ratioQuery(items);
  return { name, about, afterwards: INTERVAL[kind], sql };
}

/** Decided games in the order in which they were read, with who sat where. */
const RATED_GAMES = `select g.file_row_number as number, g.journal, g.seed, (g.winner = 'impostors')::int as won,
  list(p.who order by p.place) filter (p.role = 'impostor') as impostors,
  list(p.who order by p.place) filter (p.role = 'crewmate') as crew
from decided g join players p using (journal)
group by all order by number`;

/** Sides with a seat of a persona, each once a game. */
const WINS = `select who, role, size, seed, won from sides order by who, role, size, seed, won`;

export const GAME_QUERIES: readonly ReportQuery[] = [
  {
    name: 'ratings',
    about:
      'points of skill of each persona, and the share of games between equals that the impostors win',
    afterwards: 'one logistic model is fitted to these games: “Ratings” below',
    sql: RATED_GAMES,
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
    sql: RATED_GAMES,
  },
  {
    name: 'power',
    about: 'how well games tell personas apart',
    afterwards: 'from the intervals of the ratings that are fitted to these games: “Power” below',
    sql: RATED_GAMES,
  },
  {
    name: 'data',
    about: 'how much there is of what',
    afterwards: null,
    sql: `select 'data/journals' as id, count(*)::double as value from games
union all select 'data/decided', count(*)::double from decided
union all select 'data/seeds', count(distinct seed)::double from games
union all select 'data/personas', count(distinct who)::double from players
union all select 'data/rounds', coalesce(sum(rounds), 0)::double from games
union all select 'data/meetings', count(*)::double from meetings
union all select 'data/messages', count(*)::double from messages where channel = 'living' and speaker <> 'system'
union all select 'data/ballots', count(*)::double from ballots
union all select 'data/requests', count(*)::double from calls`,
  },
];

export const MEASURE_QUERIES: readonly ReportQuery[] = MEASURES.map(queryOf);
