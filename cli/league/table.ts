/** The leaderboard and what belongs to it, in words and tables for people. */
import type { Rating } from '../../actors/league/ratings/ratings.ts';
import { clean } from '../../visualizer/terminal/clean.ts';
import { alignColumns } from '../../visualizer/terminal/statistics.ts';
import { formatShare } from '../../visualizer/text.ts';
import { type Against, FEW_GAMES, type Share, type Standings } from './standings.ts';
import type { Measure } from './tallies.ts';

const PERCENT = 100;

/** The leaderboard with intervals, and how those compare who were to be compared. */
export function leaderboard(standings: Standings): string {
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
    ...comparisons('Held against each other', standings.comparisons),
  ].join('\n');
}

/** How everybody plays, role by role. */
export function measuresText({ rows }: Standings): string {
  return (['crewmate', 'impostor'] as const)
    .flatMap((role) => {
      const names = rows[0]?.tallies[role].map(({ name }) => name) ?? [];
      const told = names.filter((name) =>
        rows.some(({ tallies }) => (found(tallies[role], name)?.count ?? 0) > 0),
      );
      const titles = [`as ${role}`, ...rows.map(({ id }) => clean(id))];
      const body = told.map((name) => [
        name.replaceAll('_', ' '),
        ...rows.map(({ tallies }) => figure(found(tallies[role], name))),
      ]);
      return [...alignColumns([titles, ...body]), ''];
    })
    .join('\n')
    .trimEnd();
}

/** Who wins against whom, of the games in which they were on different sides. */
export function versusText({ rows, versus }: Standings): string {
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

export function levelsText({ levels }: Standings): string {
  if (levels.length === 0) return 'All personas have the same level of strategy.';
  return comparisons('Levels of strategy', levels).join('\n').trimStart();
}

function comparisons(title: string, list: readonly Against[]): readonly string[] {
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

const LEAST_P = 0.001;

function found(measures: readonly Measure[], name: string): Measure | undefined {
  return measures.find((measure) => measure.name === name);
}

function figure(measure: Measure | undefined): string {
  const value = measure?.value ?? null;
  if (value === null) return '';
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

function rating({ value, least, most }: Rating, { few }: Share): string {
  return `${value.toFixed(0)} (${least.toFixed(0)} to ${most.toFixed(0)})${few ? '*' : ''}`;
}

function share({ interval, few, games }: Share): string {
  if (interval === null) return '–';
  return `${formatShare(interval)} of ${games}${few ? '*' : ''}`;
}

function percent(value: number): string {
  return `${Math.round(PERCENT * value)} %`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
}
