import type { ComponentChildren } from 'preact';
import type { StandingsRow, WinShare } from '../../../analysis/league/types.ts';
import { formatPercent } from '../../../machines/text.ts';
import { Plays } from '../frame/chip.tsx';
import { Scroll } from '../frame/panel.tsx';
import { Axis, Few, Plot, Won } from './plot.tsx';
import {
  COLUMNS,
  type Column,
  findGaps,
  hasFewGames,
  nextSorting,
  perGame,
  type RankedPersona,
  SHARES,
} from './ranking.ts';
import { address, league, look, personaLink, places, scale, shown } from './state.ts';
import { counted, dollars, points, short } from './words.ts';

const EACH: readonly Column[] = ['faults', 'tokens', 'cost'];
const RATED: readonly Column[] = ['rating', 'impostor', 'crew'];
const SHARED: readonly Column[] = ['won', 'impostorWon', 'crewWon'];

const SHOWN: Readonly<Record<Column, readonly [string, (row: StandingsRow) => ComponentChildren]>> =
  {
    name: ['Persona', () => null],
    rating: ['Rating', (row) => <Rated row={row} of="overall" />],
    impostor: ['As impostor', (row) => <Rated row={row} of="impostor" />],
    crew: ['As crew', (row) => <Rated row={row} of="crewmate" />],
    won: ['Games won', ({ all }) => <Won share={all} />],
    impostorWon: ['Won as impostor', ({ roles }) => <Won share={roles.impostor} />],
    crewWon: ['Won as crew', ({ roles }) => <Won share={roles.crewmate} />],
    games: ['Games', ({ all }) => all.games],
    faults: ['Faults', (row) => eachGame(perGame(row, 'faults_per_game'), short)],
    tokens: ['Tokens', (row) => eachGame(perGame(row, 'tokens_per_game'), short)],
    cost: ['Cost', (row) => eachGame(perGame(row, 'microdollars_per_game'), dollars)],
  };

export function Board() {
  if (places.value.every(({ row }) => row.all.games === 0)) {
    return (
      <p class="empty">
        No game has ended yet. {counted(places.value.length, 'persona')} will be ranked here as soon
        as the first one has.
      </p>
    );
  }
  const columns = COLUMNS.filter(isTold);
  const gaps = gapsNow();
  return (
    <>
      <p class="apart">{league.value?.standings.separation.join(' ')}</p>
      <Scroll class="wide" label="Leaderboard, scrolls sideways">
        <table class="board">
          <caption class="vh">Personas by {SHOWN[address.value.sorting.column][0]}</caption>
          <thead>
            <tr>
              <th scope="col" class="rank">
                <span class="vh">Rank</span>
              </th>
              {columns.map((column) => (
                <Title key={column} column={column} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.value.map((place) => (
              <BoardLine key={place.row.id} {...{ place, columns, gaps }} />
            ))}
          </tbody>
        </table>
      </Scroll>
      {shown.value.length === 0 ? <p class="empty">No persona matches.</p> : null}
      <Legend />
    </>
  );
}

/** Columns without any figure are left out. */
function isTold(column: Column): boolean {
  if (column !== 'tokens' && column !== 'cost') return true;
  const name = column === 'tokens' ? 'tokens_per_game' : 'microdollars_per_game';
  return places.value.some(({ row }) => (perGame(row, name) ?? 0) > 0);
}

function gapsNow(): ReadonlySet<string> {
  const { column, isRising } = address.value.sorting;
  const standings = league.value?.standings;
  const isRanked = column === 'rating' && !isRising && standings !== undefined;
  return isRanked ? findGaps(shown.value, standings) : new Set();
}

function Title({ column }: { readonly column: Column }) {
  const { sorting } = address.value;
  const isBy = sorting.column === column;
  const sort = isBy ? (sorting.isRising ? 'ascending' : 'descending') : undefined;
  return (
    <th scope="col" aria-sort={sort} data-column={column}>
      <button type="button" onClick={() => look({ sorting: nextSorting(column, sorting) })}>
        {SHOWN[column][0]}
        {EACH.includes(column) ? <small> a game</small> : null}
        <span class="arrow" aria-hidden="true">
          {isBy ? (sorting.isRising ? '▲' : '▼') : '⇅'}
        </span>
      </button>
      {RATED.includes(column) ? <Axis scale={scale.value} word={String} /> : null}
      {SHARED.includes(column) ? <Axis scale={SHARES} word={formatPercent} /> : null}
    </th>
  );
}

type BoardLineProps = {
  readonly place: RankedPersona;
  readonly columns: readonly Column[];
  readonly gaps: ReadonlySet<string>;
};

function BoardLine({ place, columns, gaps }: BoardLineProps) {
  const { row, rank } = place;
  return (
    <tr data-persona={row.id} data-gap={gaps.has(row.id) || undefined}>
      <td class="rank">{row.all.games === 0 ? '–' : rank}</td>
      {columns.map((column) => (
        <BoardCell key={column} {...{ place, column }} />
      ))}
    </tr>
  );
}

function BoardCell({ place, column }: { readonly place: RankedPersona; readonly column: Column }) {
  const { persona, row } = place;
  if (column !== 'name') return <td data-column={column}>{SHOWN[column][1](row)}</td>;
  return (
    <th scope="row" data-column={column}>
      <a href={personaLink(persona.id)}>{persona.name}</a>
      <span class="model">
        <Plays model={persona.model} />
      </span>
    </th>
  );
}

function eachGame(value: number | null, word: (value: number) => string): ComponentChildren {
  return value === null ? <span class="none">–</span> : word(value);
}

export type RatedAs = keyof StandingsRow['rating'];

export function shareOf({ all, roles }: StandingsRow, of: RatedAs): WinShare {
  return of === 'overall' ? all : roles[of];
}

export function Rated({ row, of }: Readonly<{ row: StandingsRow; of: RatedAs }>) {
  const [rating, share] = [row.rating[of], shareOf(row, of)];
  if (share.games === 0) return <span class="none">–</span>;
  return (
    <>
      <span class="figure">
        <b>{rating.value.toFixed(0)}</b>
        {share.few || rating.few ? <Few /> : null} <span class="range">{points(rating)}</span>
      </span>
      <Plot spread={rating} scale={scale.value} />
    </>
  );
}

function Legend() {
  return (
    <p class="legend">
      Bars begin at 1500, the middle of the league; 400 points are odds of ten to one. Whiskers hold
      95 of 100 cases: of ratings by Laplace, of shares by Wilson. One crewmate decides less than
      one impostor, so skill as crew takes about five times the games.
      {hasFewGames(league.value?.standings.rows ?? [])
        ? ' * Too few games: fewer than 30, or so few that the rating’s interval depends mostly on the prior.'
        : ''}
    </p>
  );
}
