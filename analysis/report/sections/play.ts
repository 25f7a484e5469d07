/** Sections about play: games, leaderboard, cross-play, deception against detection, roles. */

import { comparePairs, describePairs, listPairs, MOST_PAIRED } from '../../league/separation.ts';
import type { ReportFigure, ReportTable } from '../model.ts';
import { COUNTED } from '../queries.ts';
import type { ReportNumbers } from '../reportNumbers.ts';
import {
  type PersonaColumn,
  partsAt,
  personaFigure,
  personaPoints,
  personasOf,
  personaTable,
  ROLES,
  type SectionDraft,
  shortNames,
  tableRow,
} from './shared.ts';

export function describeGames(numbers: ReportNumbers): SectionDraft {
  const { counts } = numbers.facts;
  const data: ReportTable = {
    name: 'data',
    caption: 'What was counted.',
    heads: ['thing'],
    columns: ['count'],
    rows: COUNTED.map(([thing, title]) => {
      const id = `data/${thing}`;
      const value = counts.get(id) ?? 0;
      return { labels: [title], cells: [numbers.cell(id, 'count', 'data', { value })] };
    }),
  };
  const equal = numbers.ratings?.sides;
  const sides: ReportTable = {
    name: 'sides',
    caption: 'Games won, by side.',
    heads: ['side'],
    columns: ['won'],
    rows: [
      { labels: ['impostors'], cells: [numbers.of('sides', 'impostors')] },
      { labels: ['crew'], cells: [numbers.of('sides', 'crew')] },
      ...(equal === undefined
        ? []
        : tableRow(
            ['impostors, between equals'],
            [numbers.cell('ratings/between equals', 'share', 'ratings', equal)],
          )),
    ],
  };
  const endings: ReportTable = {
    name: 'endings',
    caption: 'How games ended.',
    heads: ['won by', 'by what'],
    columns: ['games'],
    rows: numbers
      .list('endings')
      .map((parts) => ({ labels: parts, cells: [numbers.of('endings', ...parts)] })),
  };
  return {
    name: 'games',
    title: 'What was played',
    text: [
      '“Between equals” is the share of games that the impostors would win if all players had the mean skill: the advantage of a side under the rules.',
    ],
    tables: [data, sides, endings],
    figures: [],
  };
}

export function describeLeaders(numbers: ReportNumbers): SectionDraft {
  const { personas } = numbers;
  const ratings: readonly PersonaColumn[] = [
    ['rating', (who) => numbers.rating(who, 'overall')],
    ['as impostor', (who) => numbers.rating(who, 'impostor')],
    ['as crew', (who) => numbers.rating(who, 'crewmate')],
  ];
  const wins: readonly PersonaColumn[] = [
    ['won', (who) => numbers.wins(who, 'all')],
    ['won as impostor', (who) => numbers.wins(who, 'impostor')],
    ['won as crew', (who) => numbers.wins(who, 'crewmate')],
  ];
  const frame = {
    name: 'leaderboard',
    caption: 'Ratings, and decided games won, with 95 % intervals.',
  };
  const figure = {
    name: 'leaderboard',
    title: 'Ratings',
    caption: 'Ratings by persona and role, with 95 % intervals (Laplace).',
    axis: { title: 'rating', unit: 'points' },
  } as const;
  const reference = { at: 1500, label: 'mean of all' };
  return {
    name: 'leaderboard',
    title: 'Leaderboard',
    text: [
      'Points of skill: 400 are odds of ten to one, and 1500 is the mean of the personas here. The rating is the mean of both roles.',
      ...describeSeparated(numbers),
    ],
    tables: [personaTable(frame, personas, [...ratings, ...wins])],
    figures: [{ ...personaFigure(numbers, figure, personas, ratings), reference }],
  };
}

function describeSeparated(numbers: ReportNumbers): readonly string[] {
  const { games, personas } = numbers.facts;
  const short = shortNames(numbers);
  const numberOf = new Map(personas.map((who, index) => [short(who), index]));
  const strongest = listPairs(numbers.personas.slice(0, MOST_PAIRED).map(short));
  const pairs = comparePairs(strongest, games, ({ impostors, crew }, who) => {
    const is = (one: number) => one === numberOf.get(who);
    return Number(impostors.some(is)) - Number(crew.some(is));
  });
  return describePairs(pairs, games.length);
}

/** With more personas, the table has a row for each pair. */
const MOST_COLUMNS = 8;

export function describeCrossplay(numbers: ReportNumbers): SectionDraft {
  const rows = personasOf(numbers, 'crossplay');
  const crews = new Set(partsAt(numbers, 'crossplay', 1));
  const columns = numbers.personas.filter((who) => crews.has(who));
  const cellsOf = (who: string) => columns.map((other) => numbers.of('crossplay', who, other));
  const short = shortNames(numbers);
  const table: ReportTable =
    columns.length <= MOST_COLUMNS
      ? {
          name: 'crossplay',
          caption: 'Games that the impostors (rows) won against the crew (columns).',
          heads: ['impostors'],
          columns: columns.map((who) => `crew: ${short(who)}`),
          rows: rows.map((who) => ({ labels: [who], cells: cellsOf(who) })),
        }
      : {
          name: 'crossplay',
          caption: 'Games that the impostors won against the crew.',
          heads: ['impostors', 'crew'],
          columns: ['impostors won'],
          rows: rows.flatMap((who) =>
            columns.flatMap((other) =>
              tableRow([who, other], [numbers.of('crossplay', who, other)]),
            ),
          ),
        };
  const figure: ReportFigure = {
    kind: 'matrix',
    name: 'crossplay',
    title: 'Cross-play',
    caption:
      'Share of decided games that the impostors (rows) won against the crew (columns), and below it the number of games.',
    unit: 'share',
    rowTitle: 'impostors',
    columnTitle: 'crew',
    rows: rows.map(short),
    columns: columns.map(short),
    cells: rows.map(cellsOf),
  };
  return {
    name: 'crossplay',
    title: 'Cross-play',
    text: [
      'How often the impostors won, by the personas on each side. Games with one of the two on both sides are left out, so a game with mixed sides counts for several pairs.',
    ],
    absent: 'No game has personas that sit on one side only, so there is nothing to cross.',
    tables: [table],
    figures: [figure],
  };
}

export function describeDeception(numbers: ReportNumbers): SectionDraft {
  const { personas } = numbers;
  const deception = (who: string) => numbers.rating(who, 'impostor');
  const detection = (who: string) => numbers.rating(who, 'crewmate');
  const survived = (who: string) => numbers.of('not_ejected', who);
  const accuracy = (who: string) => numbers.of('vote_accuracy', who);
  const frame = { name: 'deception', caption: 'Deception and detection, with 95 % intervals.' };
  return {
    name: 'deception',
    title: 'Deception against detection',
    text: [
      'Skill as impostor and as crew is all that wins games in that role: kills, tasks and sabotage too. What happens at the table alone is beside it: how often an impostor leaves a meeting without being ejected, and how often a crewmate’s ballot for a player is for an impostor.',
    ],
    tables: [
      personaTable(frame, personas, [
        ['deception: rating as impostor', deception],
        ['detection: rating as crew', detection],
        ['meetings survived as impostor', survived],
        ['ballots on impostors as crew', accuracy],
        ['accusations of impostors as crew', (who) => numbers.of('accusations', who)],
      ]),
    ],
    figures: [
      {
        kind: 'scatter',
        name: 'deception-skill',
        title: 'Deception against detection: skill',
        caption:
          'Rating as impostor over rating as crew, a point for each persona; whiskers are 95 % intervals.',
        x: { title: 'detection: rating as crew', unit: 'points' },
        y: { title: 'deception: rating as impostor', unit: 'points' },
        points: personaPoints(numbers, personas, (who) => ({
          x: detection(who),
          y: deception(who),
        })),
        hasDiagonal: false,
      },
      {
        kind: 'scatter',
        name: 'deception-table',
        title: 'Deception against detection: at the table',
        caption:
          'Meetings that impostors left without being ejected, over ballots of crewmates for a player that were for an impostor; whiskers are 95 % intervals.',
        x: { title: 'detection: ballots on impostors, as crew', unit: 'share' },
        y: { title: 'deception: meetings survived, as impostor', unit: 'share' },
        points: personaPoints(numbers, personas, (who) => ({ x: accuracy(who), y: survived(who) })),
        hasDiagonal: false,
      },
    ],
  };
}

const byNumber = (one = '', other = '') => Number(one) - Number(other);

export function describeRoles(numbers: ReportNumbers): SectionDraft {
  const { sizes } = numbers;
  const short = shortNames(numbers);
  const rows = sizes.flatMap((size) =>
    numbers.personas.flatMap((who) => {
      const cells = ROLES.map(([role]) => numbers.wins(who, role, size));
      return cells.every((cell) => cell === null) ? [] : [{ who, size, cells }];
    }),
  );
  const tables = numbers
    .list('sides_by_size')
    .toSorted((one, other) => byNumber(one[0], other[0]) || byNumber(one[1], other[1]));
  return {
    name: 'roles',
    title: 'Wins by role and size of the table',
    text: ['One seat a side: a persona with three seats of the crew has won or lost once.'],
    tables: [
      {
        name: 'sizes',
        caption: 'Games that the impostors have won, by size of the table.',
        heads: ['players', 'impostors'],
        columns: ['impostors won'],
        rows: tables.map((parts) => ({
          labels: parts,
          cells: [numbers.of('sides_by_size', ...parts)],
        })),
      },
      {
        name: 'roles',
        caption: 'Decided games won, by role and size of the table.',
        heads: ['players', 'persona'],
        columns: ROLES.map(([, name]) => `won ${name}`),
        rows: rows.map(({ who, size, cells }) => ({ labels: [String(size), who], cells })),
      },
    ],
    figures: [
      {
        kind: 'intervals',
        name: 'roles',
        title: 'Wins by role',
        caption: 'Share of decided games won, by role and size of the table, with 95 % intervals.',
        axis: { title: 'games won', unit: 'share' },
        series: ROLES.map(([, name]) => name),
        rows: rows.map(({ who, size, cells }) => ({
          label: sizes.length > 1 ? `${short(who)}, ${size} players` : short(who),
          cells,
        })),
        reference: { at: 0.5, label: 'even' },
      },
    ],
  };
}
