/** Sections about play: games, leaderboard, cross-play, deception against detection, roles. */

import type { ReportCell, ReportFigure, ReportSection, ReportTable } from '../model.ts';
import { COUNTED, type CountedThing, type ReportNumbers } from '../reportNumbers.ts';
import {
  type PersonaColumn,
  partsAt,
  personaFigure,
  personaPoints,
  personasOf,
  personaTable,
  ROLE_NAMES,
  ROLES,
  shortNames,
} from './shared.ts';

const DATA_NAMES: Readonly<Record<CountedThing, string>> = {
  journals: 'journals',
  decided: 'games that a side has won',
  seeds: 'seeds (games with one seed have the same dice)',
  personas: 'personas',
  rounds: 'rounds on the ship',
  meetings: 'meetings',
  messages: 'messages at the table',
  ballots: 'ballots',
  requests: 'requests to models',
};

export function describeGames(numbers: ReportNumbers): ReportSection {
  const { counts } = numbers.facts;
  const data: ReportTable = {
    name: 'data',
    caption: 'What was counted.',
    heads: ['thing'],
    columns: ['count'],
    rows: COUNTED.map((thing) => ({
      labels: [DATA_NAMES[thing]],
      cells: [
        numbers.cell(`data/${thing}`, 'count', 'data', { value: counts.get(`data/${thing}`) ?? 0 }),
      ],
    })),
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
    tables: [data, tableSides(numbers), endings],
    figures: [],
  };
}

function tableSides(numbers: ReportNumbers): ReportTable {
  const rows: ReportTable['rows'][number][] = ['impostors', 'crew'].map((side) => ({
    labels: [side],
    cells: [numbers.of('sides', side)],
  }));
  const equal = numbers.ratings?.sides;
  if (equal !== undefined) {
    const cell = numbers.cell('ratings/between equals', 'share', 'ratings', equal);
    rows.push({ labels: ['impostors, between equals'], cells: [cell] });
  }
  return { name: 'sides', caption: 'Games won, by side.', heads: ['side'], columns: ['won'], rows };
}

const ratingColumns = (numbers: ReportNumbers): readonly PersonaColumn[] => [
  { title: 'rating', cellOf: (who) => numbers.rating(who, 'overall') },
  { title: 'as impostor', cellOf: (who) => numbers.rating(who, 'impostor') },
  { title: 'as crew', cellOf: (who) => numbers.rating(who, 'crewmate') },
];

export function describeLeaders(numbers: ReportNumbers): ReportSection {
  const { personas } = numbers;
  const ratings = ratingColumns(numbers);
  const wins: readonly PersonaColumn[] = [
    { title: 'won', cellOf: (who) => numbers.wins(who, 'all') },
    { title: 'won as impostor', cellOf: (who) => numbers.wins(who, 'impostor') },
    { title: 'won as crew', cellOf: (who) => numbers.wins(who, 'crewmate') },
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
    reference: { at: 1500, label: 'mean of all' },
  } as const;
  return {
    name: 'leaderboard',
    title: 'Leaderboard',
    text: [
      'Points of skill: 400 are odds of ten to one, and 1500 is the mean of the personas here. The rating is the mean of both roles. Where intervals overlap, the order may be chance.',
    ],
    tables: [personaTable(frame, personas, [...ratings, ...wins])],
    figures: [personaFigure(numbers, figure, personas, ratings)],
  };
}

/** With more personas, the table has a row for each pair. */
const MOST_COLUMNS = 8;

type CrossplayCells = {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly cells: readonly (readonly (ReportCell | null)[])[];
};

export function describeCrossplay(numbers: ReportNumbers): ReportSection {
  const rows = personasOf(numbers, 'crossplay');
  const crews = new Set(partsAt(numbers, 'crossplay', 1));
  const columns = numbers.personas.filter((who) => crews.has(who));
  const cells = rows.map((who) => columns.map((other) => numbers.of('crossplay', who, other)));
  const short = shortNames(numbers);
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
    cells,
  };
  const isThere = rows.length > 0;
  return {
    name: 'crossplay',
    title: 'Cross-play',
    text: [
      isThere
        ? 'How often the impostors won, by the personas on each side. Games with one of the two on both sides are left out, so a game with mixed sides counts for several pairs.'
        : 'No game has personas that sit on one side only, so there is nothing to cross.',
    ],
    tables: isThere ? [tableCrossplay({ rows, columns, cells }, short)] : [],
    figures: isThere ? [figure] : [],
  };
}

function tableCrossplay(
  { rows, columns, cells }: CrossplayCells,
  short: (who: string) => string,
): ReportTable {
  if (columns.length <= MOST_COLUMNS) {
    return {
      name: 'crossplay',
      caption: 'Games that the impostors (rows) won against the crew (columns).',
      heads: ['impostors'],
      columns: columns.map((who) => `crew: ${short(who)}`),
      rows: rows.map((who, index) => ({ labels: [who], cells: cells[index] ?? [] })),
    };
  }
  return {
    name: 'crossplay',
    caption: 'Games that the impostors won against the crew.',
    heads: ['impostors', 'crew'],
    columns: ['impostors won'],
    rows: rows.flatMap((who, index) =>
      columns.flatMap((other, place) => {
        const cell = cells[index]?.[place] ?? null;
        return cell === null ? [] : [{ labels: [who, other], cells: [cell] }];
      }),
    ),
  };
}

export function describeDeception(numbers: ReportNumbers): ReportSection {
  const columns: readonly PersonaColumn[] = [
    { title: 'deception: rating as impostor', cellOf: (who) => numbers.rating(who, 'impostor') },
    { title: 'detection: rating as crew', cellOf: (who) => numbers.rating(who, 'crewmate') },
    { title: 'meetings survived as impostor', cellOf: (who) => numbers.of('not_ejected', who) },
    { title: 'ballots on impostors as crew', cellOf: (who) => numbers.of('vote_accuracy', who) },
  ];
  const frame = { name: 'deception', caption: 'Deception and detection, with 95 % intervals.' };
  return {
    name: 'deception',
    title: 'Deception against detection',
    text: [
      'Skill as impostor and as crew is all that wins games in that role: kills, tasks and sabotage too. What happens at the table alone is beside it: how often an impostor leaves a meeting without being ejected, and how often a crewmate’s ballot for a player is for an impostor.',
    ],
    tables: [personaTable(frame, numbers.personas, columns)],
    figures: drawDeception(numbers),
  };
}

function drawDeception(numbers: ReportNumbers): readonly ReportFigure[] {
  const { personas } = numbers;
  return [
    {
      kind: 'scatter',
      name: 'deception-skill',
      title: 'Deception against detection: skill',
      caption:
        'Rating as impostor over rating as crew, a point for each persona; whiskers are 95 % intervals.',
      x: { title: 'detection: rating as crew', unit: 'points' },
      y: { title: 'deception: rating as impostor', unit: 'points' },
      points: personaPoints(numbers, personas, (who) => ({
        x: numbers.rating(who, 'crewmate'),
        y: numbers.rating(who, 'impostor'),
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
      points: personaPoints(numbers, personas, (who) => ({
        x: numbers.of('vote_accuracy', who),
        y: numbers.of('not_ejected', who),
      })),
      hasDiagonal: false,
    },
  ];
}

const byNumber = (one = '', other = '') => Number(one) - Number(other);

export function describeRoles(numbers: ReportNumbers): ReportSection {
  const { sizes } = numbers;
  const short = shortNames(numbers);
  const rows = sizes.flatMap((size) =>
    numbers.personas.flatMap((who) => {
      const cells = ROLES.map((role) => numbers.wins(who, role, size));
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
        columns: ROLE_NAMES.map((name) => `won ${name}`),
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
        series: ROLE_NAMES,
        rows: rows.map(({ who, size, cells }) => ({
          label: sizes.length > 1 ? `${short(who)}, ${size} players` : short(who),
          cells,
        })),
        reference: { at: 0.5, label: 'even' },
      },
    ],
  };
}
