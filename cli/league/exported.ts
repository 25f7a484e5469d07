/** A league for other programs: all of its standings as JSON, or the leaderboard as comma-separated values. */
import type { Rating } from '../../actors/league/ratings/ratings.ts';
import type { Row, Share, Standings } from './standings.ts';

/** The leaderboard, a persona in each line. */
export function csvOf({ rows }: Standings): string {
  return [TITLES, ...rows.map(cellsOf)].map((cells) => cells.map(quoted).join(',')).join('\r\n');
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

function cellsOf({ id, rating, all, roles }: Row, index: number): readonly string[] {
  return [
    String(index + 1),
    id,
    ...partOf(rating.overall, all),
    ...partOf(rating.impostor, roles.impostor),
    ...partOf(rating.crewmate, roles.crewmate),
  ];
}

function partOf(
  { value, least, most }: Rating,
  { games, wins, interval }: Share,
): readonly string[] {
  const figures = [value, least, most, games, wins].map(String);
  if (interval === null) return [...figures, '', '', ''];
  return [...figures, ...[interval.share, interval.least, interval.most].map(String)];
}

/** A spreadsheet takes what begins like a formula for one. */
function quoted(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
