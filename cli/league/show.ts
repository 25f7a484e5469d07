/** The commands that print leagues: status, leaderboard, statistics, and all of it for other programs. */
import { readStandings } from '../../analysis/league/report.ts';
import { FEW_GAMES } from '../../analysis/league/standings.ts';
import type {
  ComparedPair,
  Measure,
  Rating,
  Standings,
  StandingsRow,
  WinShare,
} from '../../analysis/league/types.ts';
import { clean } from '../../visualizer/terminal/clean.ts';
import { alignColumns } from '../../visualizer/terminal/statistics.ts';
import { formatShare } from '../../visualizer/text.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { print, printJson, printNote } from '../output.ts';
import { findPlan, LOOKING, readPlan, type StoreFlags, withStore } from './store.ts';

export type ShowFlags = StoreFlags & {
  readonly stats?: boolean;
  readonly versus?: boolean;
  readonly levels?: boolean;
  readonly json?: boolean;
};

export async function showLeague(name: string | undefined, flags: ShowFlags): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
    const standings = await readStandings(store, await findPlan(store, name));
    if (flags.json) printJson({ type: 'league.standings', v: 1, ...standings });
    else print(renderLeaderboard(standings));
    if (flags.json) return EXIT.done;
    if (flags.stats) print(`\n${renderMeasures(standings)}`);
    if (flags.versus) print(`\n${renderVersus(standings)}`);
    if (flags.levels) print(`\n${renderLevels(standings)}`);
    return EXIT.done;
  });
}

type LeagueStatus = {
  readonly name: string;
  readonly done: number;
  /** Null where the plan is lost. */
  readonly games: number | null;
};

function statusRow({ name, done, games }: LeagueStatus): readonly string[] {
  if (games === null) return [clean(name), `${done} games`, 'its plan is lost: run its file again'];
  return [clean(name), `${done} of ${games} games`, done === games ? 'over' : 'open'];
}

export async function showStatus(
  name: string | undefined,
  flags: StoreFlags & { readonly json?: boolean },
): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
    const names = name === undefined ? await store.leagues() : [name];
    const { what, warnings } = await store.health();
    const leagues: LeagueStatus[] = [];
    for (const one of names) {
      // A league whose plan is lost does not hide the others.
      const plan = name === undefined ? await readPlan(store, one) : await findPlan(store, one);
      const done = (await store.slots(one)).length;
      leagues.push({ name: one, done, games: plan?.league.games ?? null });
    }
    if (flags.json) {
      printJson({ type: 'league.status', v: 1, store: what, warnings, leagues });
      return EXIT.done;
    }
    if (leagues.length === 0) print(`There is no league yet in ${what}.`);
    else {
      print(alignColumns(leagues.map(statusRow)).join('\n'));
    }
    for (const { text } of warnings) printNote(`Warning: ${clean(text)}`);
    return EXIT.done;
  });
}

export async function rebuildCareers(
  flags: StoreFlags & { readonly json?: boolean },
): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
    const { personas, changed } = await store.rebuild();
    if (flags.json) printJson({ type: 'league.rebuilt', v: 1, personas, changed });
    else print(`${personas} careers recounted from the results: ${changed} were wrong.`);
    return EXIT.done;
  });
}

export async function exportLeague(
  name: string | undefined,
  flags: StoreFlags & { readonly format: 'csv' | 'json' },
): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
    const standings = await readStandings(store, await findPlan(store, name));
    if (flags.format === 'json') printJson({ type: 'league.standings', v: 1, ...standings });
    else print(renderCsv(standings));
    return EXIT.done;
  });
}

const PERCENT = 100;

const LEAST_P = 0.001;

/** The leaderboard with intervals, and the comparisons of the league's file. */
export function renderLeaderboard(standings: Standings): string {
  const { league, games, of, rows, wins, sides, endings } = standings;
  if (games === 0) return `${clean(league)}: none of ${of} games has been played yet`;
  const body = rows.map((row, index) => [
    String(index + 1),
    clean(row.id),
    rating(row.rating.overall, row.all),
    rating(row.rating.impostor, row.roles.impostor),
    rating(row.rating.crewmate, row.roles.crewmate),
    share(row.all),
    share(row.roles.impostor),
    share(row.roles.crewmate),
  ]);
  const few = rows.some(({ all, roles }) => all.few || roles.impostor.few || roles.crewmate.few);
  return [
    `${clean(league)}: ${games} of ${of} games`,
    `crew ${share(wins.crew)}, impostors ${share(wins.impostors)}: ${endings.map(({ ending, games: count }) => `${ending} ${count}`).join(', ')}`,
    `between equals the impostors win ${percent(sides.value)} (${percent(sides.least)} to ${percent(sides.most)})${games < FEW_GAMES ? '*' : ''}`,
    '',
    ...alignColumns([
      ['', 'persona', 'rating', 'as impostor', 'as crew', 'won', 'won as impostor', 'won as crew'],
      ...body,
    ]),
    '',
    'Ratings with 95 % intervals (200 resamples), shares with theirs (Wilson). 400 points are odds of ten to one.',
    'One crewmate decides less than one impostor: skill as crew takes about five times the games.',
    ...(few ? [`* too few games: fewer than ${FEW_GAMES}`] : []),
    ...renderComparisons('Comparisons', standings.comparisons),
  ].join('\n');
}

/** The statistics of each persona, by role. */
function renderMeasures({ rows }: Standings): string {
  return (['crewmate', 'impostor'] as const)
    .flatMap((role) => {
      const names = rows[0]?.tallies[role].map(({ name }) => name) ?? [];
      const told = names.filter((name) =>
        rows.some(({ tallies }) => (findMeasure(tallies[role], name)?.count ?? 0) > 0),
      );
      const titles = [`as ${role}`, ...rows.map(({ id }) => clean(id))];
      const body = told.map((name) => [
        name.replaceAll('_', ' '),
        ...rows.map(({ tallies }) => figure(findMeasure(tallies[role], name))),
      ]);
      return [...alignColumns([titles, ...body]), ''];
    })
    .join('\n')
    .trimEnd();
}

/** Wins of each persona against each other one, of the games in which they were on different sides. */
function renderVersus({ rows, versus }: Standings): string {
  const ids = rows.map(({ id }) => id);
  const titles = ['won against', ...ids.map(clean)];
  const body = ids.map((one) => [
    clean(one),
    ...ids.map((other) => {
      const meeting = versus.find((item) => item.one === one && item.other === other);
      if (meeting === undefined) return '';
      const { wins, games, few } = meeting.share;
      return `${percent(wins / games)} of ${games}${few ? '*' : ''}`;
    }),
  ]);
  return [...alignColumns([titles, ...body]), '', `* too few games: fewer than ${FEW_GAMES}`].join(
    '\n',
  );
}

function renderLevels({ levels }: Standings): string {
  if (levels.length === 0) return 'All personas have the same level of strategy.';
  return renderComparisons('Levels of strategy', levels).join('\n').trimStart();
}

function renderComparisons(title: string, list: readonly ComparedPair[]): readonly string[] {
  if (list.length === 0) return [];
  return [
    '',
    `${title}: how much more often the first one wins`,
    ...list.map(({ one, other, result }) => {
      const { difference, least, most, p, cases, isPaired } = result;
      const points = [difference, least, most].map((value) => signed(PERCENT * value));
      const basis = isPaired ? `${cases} mirrored pairs` : `${cases} games, not mirrored`;
      return `  ${clean(one)} against ${clean(other)}: ${points[0]} points (${points[1]} to ${points[2]}), p ${p < LEAST_P ? `< ${LEAST_P}` : p.toFixed(3)}, ${basis}`;
    }),
  ];
}

function findMeasure(measures: readonly Measure[], name: string): Measure | undefined {
  return measures.find((measure) => measure.name === name);
}

function figure(measure: Measure | undefined): string {
  const value = measure?.value ?? null;
  if (value === null) return '';
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

function rating({ value, least, most }: Rating, { few }: WinShare): string {
  return `${value.toFixed(0)} (${least.toFixed(0)} to ${most.toFixed(0)})${few ? '*' : ''}`;
}

function share({ interval, few, games }: WinShare): string {
  if (interval === null) return '–';
  return `${formatShare(interval)} of ${games}${few ? '*' : ''}`;
}

function percent(value: number): string {
  return `${Math.round(PERCENT * value)} %`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
}

const TITLES = [
  'rank',
  'persona_id',
  ...['', 'impostor_', 'crewmate_'].flatMap((role) =>
    [
      'rating',
      'rating_least',
      'rating_most',
      'games',
      'wins',
      'win_rate',
      'win_rate_least',
      'win_rate_most',
    ].map((name) => `${role}${name}`),
  ),
];

/** The leaderboard, a persona in each line. */
function renderCsv({ rows }: Standings): string {
  return [TITLES, ...rows.map(rowCells)]
    .map((cells) => cells.map(quoteCell).join(','))
    .join('\r\n');
}

function rowCells({ id, rating, all, roles }: StandingsRow, index: number): readonly string[] {
  return [
    String(index + 1),
    id,
    ...roleCells(rating.overall, all),
    ...roleCells(rating.impostor, roles.impostor),
    ...roleCells(rating.crewmate, roles.crewmate),
  ];
}

function roleCells(
  { value, least, most }: Rating,
  { games, wins, interval }: WinShare,
): readonly string[] {
  const figures = [value, least, most, games, wins].map(String);
  if (interval === null) return [...figures, '', '', ''];
  return [...figures, ...[interval.share, interval.least, interval.most].map(String)];
}

/** A spreadsheet takes what begins like a formula for one. */
function quoteCell(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
