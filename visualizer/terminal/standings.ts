import { type ComparedPair, describeSeparation } from '../../analysis/league/separation.ts';
import { FEW_GAMES } from '../../analysis/league/shares.ts';
import type {
  Measure,
  Rating,
  Standings,
  StandingsRow,
  WinShare,
} from '../../analysis/league/types.ts';
import { pluralize } from '../../machines/text.ts';
import { findMeasure, hasFewGames, listMeasures } from '../page/league/ranking.ts';
import { signed } from '../page/league/words.ts';
import { formatShare } from '../text.ts';
import { clean } from './layout.ts';
import { fitColumns, foldTable, type TableColumn, wrapLines } from './table.ts';

const LEAST_P = 0.001;

/** Rank and persona are always there; the rating says most, then the shares, then the same in one role. */
const BOARD: readonly TableColumn<StandingsRow>[] = [
  ['', 'always', (_, index) => String(index + 1)],
  ['persona', 'always', ({ id }) => clean(id)],
  ['rating', 'always', ({ rating, all }) => formatRating(rating.overall, all)],
  ['as impostor', 5, ({ rating, roles }) => formatRating(rating.impostor, roles.impostor)],
  ['as crew', 4, ({ rating, roles }) => formatRating(rating.crewmate, roles.crewmate)],
  ['won', 6, ({ all }) => formatWinShare(all)],
  ['won as impostor', 3, ({ roles }) => formatWinShare(roles.impostor)],
  ['won as crew', 2, ({ roles }) => formatWinShare(roles.crewmate)],
];

export function renderLeaderboard(standings: Standings, width = Infinity): string {
  const { league, games, of, unfinished, rows, wins, sides, endings } = standings;
  if (games === 0) return `${clean(league)}: none of ${of} games has been played yet`;
  const few = hasFewGames(rows);
  const above = [
    `${clean(league)}: ${games} of ${of} games${unfinished === 0 ? '' : `, ${unfinished} of them without a winner and in no share or rating`}`,
    `crew ${formatWinShare(wins.crew)}, impostors ${formatWinShare(wins.impostors)}: ${endings.map(({ ending, games: count }) => `${ending} ${count}`).join(', ')}`,
    `between equals the impostors win ${formatShare({ ...sides, share: sides.value }, null)}${games < FEW_GAMES ? '*' : ''}`,
  ];
  const below = [
    'Ratings with 95 % intervals (Laplace), shares with theirs (Wilson). 400 points are odds of ten to one.',
    'One crewmate decides less than one impostor: skill as crew takes about five times the games.',
    ...(few
      ? [
          `* too few games: fewer than ${FEW_GAMES}, or so few that the rating’s interval depends mostly on the prior`,
        ]
      : []),
    ...standings.separation.map(clean),
    ...renderComparisons('Comparisons', standings.comparisons, games - unfinished),
  ];
  const more = 'league show --wide shows all.';
  return [
    ...wrapLines(above, width),
    '',
    ...fitColumns(BOARD, rows, { width, more }),
    '',
    ...wrapLines(below, width),
  ].join('\n');
}

export function renderMeasures({ rows }: Standings, width = Infinity): string {
  return (['crewmate', 'impostor'] as const)
    .flatMap((role) => {
      const titles = [`as ${role}`, ...rows.map(({ id }) => clean(id))];
      const body = listMeasures(rows, role).map((name) => [
        name.replaceAll('_', ' '),
        ...rows.map(({ tallies }) => formatFigure(findMeasure(tallies[role], name))),
      ]);
      return [...foldTable([titles, ...body], width), ''];
    })
    .join('\n')
    .trimEnd();
}

export function renderVersus({ rows, versus }: Standings, width = Infinity): string {
  const ids = rows.map(({ id }) => id);
  const titles = ['won against', ...ids.map(clean)];
  const body = ids.map((one) => [
    clean(one),
    ...ids.map((other) => {
      const meeting = versus.find((item) => item.one === one && item.other === other);
      return meeting === undefined ? '' : formatWinShare(meeting.share);
    }),
  ]);
  const note = `* too few games: fewer than ${FEW_GAMES}`;
  return [...foldTable([titles, ...body], width), '', note].join('\n');
}

export function renderLevels({ levels, games, unfinished }: Standings, width = Infinity): string {
  if (levels.length === 0) return 'All personas have the same level of strategy.';
  return wrapLines(renderComparisons('Levels of strategy', levels, games - unfinished), width)
    .join('\n')
    .trimStart();
}

function renderComparisons(
  title: string,
  list: readonly ComparedPair[],
  games: number,
): readonly string[] {
  if (list.length === 0) return [];
  return [
    '',
    `${title}: how much more often a side wins with the first one than with the other one`,
    ...list.map((pair) => `  ${describeComparison(pair)}; ${describeSeparation(pair, games)}`),
  ];
}

function describeComparison({ one, other, result }: ComparedPair): string {
  const { difference, least, most, p, cases, isPaired } = result;
  const basis = isPaired
    ? pluralize(cases, 'mirrored pair')
    : `${pluralize(cases, 'game')}, not mirrored`;
  const found = `${clean(one)} against ${clean(other)}: ${signed(difference)} points`;
  if (least === null || most === null || p === null) return `${found}, too few games: ${basis}`;
  const chance = p < LEAST_P ? `< ${LEAST_P}` : p.toFixed(3);
  return `${found} (${signed(least)} to ${signed(most)}), p ${chance}, ${basis}`;
}

function formatFigure(measure: Measure | undefined): string {
  const value = measure?.value ?? null;
  if (value === null) return '';
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

function formatRating({ value, least, most, few }: Rating, share: WinShare): string {
  return `${value.toFixed(0)} (${least.toFixed(0)} to ${most.toFixed(0)})${few || share.few ? '*' : ''}`;
}

function formatWinShare({ interval, few, games }: WinShare): string {
  if (interval === null) return '–';
  return `${formatShare(interval, games)}${few ? '*' : ''}`;
}

const ROLE_TITLES =
  'rating rating_least rating_most games wins win_rate win_rate_least win_rate_most'.split(' ');
const TITLES = [
  'rank',
  'persona_id',
  ...['', 'impostor_', 'crewmate_'].flatMap((role) => ROLE_TITLES.map((name) => role + name)),
];

export function renderCsv({ rows }: Standings): string {
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

function roleCells({ value, least, most }: Rating, { games, wins, interval: won }: WinShare) {
  const figures = [value, least, most, games, wins, won?.share, won?.least, won?.most];
  return figures.map((figure) => String(figure ?? ''));
}

/** A spreadsheet would run a cell that looks like a formula. */
function quoteCell(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
